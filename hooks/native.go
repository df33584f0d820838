//go:build !js

package hooks

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"

	"github.com/google/uuid"

	"github.com/webmcp-wasm/webmcp/hooks/pipeline"
	"github.com/webmcp-wasm/webmcp/hooks/policy"
	"github.com/webmcp-wasm/webmcp/hooks/schema/re2"
	"github.com/webmcp-wasm/webmcp/internal/texts"
)

// What a native program can afford and a module in a page cannot; browser.go
// has the other half.

func newID() string { return uuid.NewString() }

func logObserver(tool string, p pipeline.Phase, err error) {
	slog.Error("webmcp: hook failed", "phase", p.String(), "tool", tool, "error", ErrorText(err))
}

func logPanic(tool string, p *PanicError) {
	slog.Error("webmcp: Go code panicked", "tool", tool, "panic", p.Reason(), "stack", string(p.Stack))
}

func logWithheld(tool string, err error) {
	slog.Error("webmcp: the output was withheld", "tool", tool, "error", ErrorText(err))
}

func logApproval(tool, what string, err error) {
	slog.Error("webmcp: "+what, "tool", tool, "error", ErrorText(err))
}

func logRequirement(tool string, err error) {
	slog.Error("webmcp: what a call requires could not be found out, and so it is denied", "tool", tool, "error", ErrorText(err))
}

// digestOf returns the SHA-256 of a text in hex.
func digestOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

func logReport(tool string, f policy.Finding) {
	slog.Warn("webmcp: "+texts.Reported, "tool", tool, "effect", f.Effect, "rule", f.Rule, "code", f.Code)
}

func logContext(err error) {
	slog.Error("webmcp: the context of a policy cannot be used", "error", ErrorText(err))
}

// randomKey returns a key that nobody else has.
func randomKey() (key policy.Key) {
	_, _ = rand.Read(key[:]) // it never fails
	return key
}

func logDropped(tool string) { slog.Error("webmcp: "+texts.Dropped, "tool", tool) }

// regexp compiles the patterns of schemas.
var regexp = re2.Compile

// enforceable returns why a schema cannot be enforced, or nil.
func enforceable(text string, fill bool) error {
	_, err := compileSchema(text, fill)
	return err
}
