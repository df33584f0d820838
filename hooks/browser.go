//go:build js

package hooks

import (
	"errors"
	"math/rand/v2"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/webmcp-wasm/webmcp/hooks/pipeline"
	"github.com/webmcp-wasm/webmcp/hooks/policy"
	"github.com/webmcp-wasm/webmcp/internal/browser"
	"github.com/webmcp-wasm/webmcp/internal/jsontape"
	"github.com/webmcp-wasm/webmcp/internal/texts"
)

var ids atomic.Uint64

// newID makes the id of a call that Go code starts itself, with Run; calls of
// agents have the ids that the page gave them.
func newID() string {
	return "webmcp_" + strconv.FormatInt(time.Now().UnixMilli(), 10) + "_" +
		strconv.FormatUint(ids.Add(1), 10) + "_" + strconv.FormatUint(rand.Uint64(), 36)
}

func logObserver(tool string, p pipeline.Phase, err error) {
	println("webmcp: a " + p.String() + " hook of " + tool + " failed: " + ErrorText(err))
}

func logPanic(tool string, p *PanicError) {
	println("webmcp: Go code of the tool " + tool + " panicked: " + p.Reason() + "\n" + string(p.Stack))
}

// regexp compiles the patterns of schemas and policies with the browser's RegExp, which a
// program has that imports package bridge. Without it, what has patterns is refused.
func regexp(pattern string) (func(string) (bool, error), error) {
	if browser.Regexp == nil {
		return nil, errors.New("patterns need a page: import package bridge")
	}
	return browser.Regexp(pattern)
}

// enforceable returns why a schema cannot be enforced, as far as that is known
// without the browser's RegExp; the registration of the tool finds the rest.
func enforceable(text string, _ bool) error {
	return new(jsontape.Tape).Parse([]byte(text))
}

func logReport(tool string, f policy.Finding) {
	println("webmcp: " + tool + ": " + texts.Reported + ": " + f.Effect + " of " + f.Rule)
}

func logContext(err error) {
	println("webmcp: the context of a policy cannot be used: " + ErrorText(err))
}

// randomKey returns a key that nobody else has: the runtime is seeded by the browser's
// crypto.getRandomValues.
func randomKey() (key policy.Key) {
	for i := range key {
		key[i] = byte(rand.Uint32())
	}
	return key
}

func logDropped(tool string) { println("webmcp: " + tool + ": " + texts.Dropped) }

func logWithheld(tool string, err error) {
	println("webmcp: the output of " + tool + " was withheld: " + ErrorText(err))
}

func logApproval(tool, what string, err error) {
	println("webmcp: " + tool + ": " + what + ": " + ErrorText(err))
}

func logRequirement(tool string, err error) {
	println("webmcp: " + tool + ": what a call requires could not be found out, and so it is denied: " + ErrorText(err))
}

// digestOf has no digest to return: a module would have to hold all of SHA-256, which
// the browser has for the calls that wait in its page.
func digestOf([]byte) string { return "" }
