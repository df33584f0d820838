package glue

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/webmcp-wasm/webmcp/internal/core"
)

// Each concept has a file of its own. The comment at its top says what it is
// and what it may touch.
//
//go:embed *.js
var files embed.FS

// The files in the order in which they are joined: a file comes behind those that
// it needs when it is loaded, such as a class before its parts.
var (
	// front is what a page needs to say what its tools are, and all that can be
	// said of them without Go. webmcp.js consists of it.
	front = []string{
		"builtins.js",
		"errors.js",
		"values.js",
		"members.js",
		"parts.js",
		"hooklists.js",
		"tool.js",
		"infer.js",
		"schema.js",
		"modelcontext.js",

		"glue.js",
		"life.js",
		"loading.js",
		"scopes.js",
		"tools.js",
		"api.js",
	}
	// back is what runs calls, with Go. It comes with wasm_exec.js, which has the
	// front too, for pages without webmcp.js.
	back = []string{
		"plain.js",
		"guess.js",
		"faithful.js",
		"results.js",

		"invocation.js",
		"ownership.js",
		"hooks.js",
		"stages.js",

		"running.js",
		"memory.js",
		"plan.js",
		"enforce.js",
		"validation.js",
		"sound.js",
		"advice.js",
		"patterns.js",
		"backtrack.js",
		"registration.js",
		"asagent.js",
		"crossing.js",

		"fetched.js",
		"go.js",
	}
	parts = slices.Concat(front, back)
)

// joinExec returns front and back for wasm_exec.js: in one function scope, as the
// toolchain does with its own code, so that they add no names to the page. The back
// is a function of what it takes from the front, for webmcp.js has a front already.
func joinExec() ([]byte, error) {
	first, err := join(front)
	if err != nil {
		return nil, err
	}
	second, err := join(back)
	if err != nil {
		return nil, err
	}
	names := strings.Join(shared(first, second), ", ")
	text := fmt.Sprintf("\n// The rest of this file belongs to github.com/webmcp-wasm/webmcp (MIT licence).\n\n\"use strict\";\n\n"+
		"(() => {\nconst ToolchainGo = globalThis.Go;\n%s"+
		"const front = () => {\n%sreturn { %s };\n};\nconst goOver = (front) => {\nconst { %s } = front;\n%sreturn Go;\n};\nglobalThis.Go = goOver(front());\n})();\n",
		declarations(first+second), first, names, names, second)
	return finish(text)
}

// place is where the front stands in webmcp.js.
const place = "  // The front of the glue stands here.\n"

// joinModule returns webmcp.js with the front in its place, and behind that, as
// FRONT, what the back takes from it.
func joinModule(module string) ([]byte, error) {
	before, after, ok := strings.Cut(module, place)
	if !ok {
		return nil, errors.New("webmcp.js has no place for the front")
	}
	first, err := join(front)
	if err != nil {
		return nil, err
	}
	second, err := join(back)
	if err != nil {
		return nil, err
	}
	text := fmt.Sprintf("%s%s%sconst FRONT = { %s };\n%s", before, declarations(first), first, strings.Join(shared(first, second), ", "), after)
	checked, err := finish(text)
	// Most pages need nothing but this: each byte counts.
	return []byte("/* github.com/webmcp-wasm/webmcp, MIT */\n" + compact(string(checked))), err
}

// finish fills in the version, and looks for constants that nobody declares.
func finish(text string) ([]byte, error) {
	text = strings.ReplaceAll(text, "{{version}}", core.Version)
	return []byte(text), checkConstants([]byte(text))
}

// join returns files one behind the other, without their comments, which are for
// those who change them. The name of a file stands where it begins.
func join(names []string) (string, error) {
	var b strings.Builder
	for _, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			return "", err
		}
		header, code, ok := bytes.Cut(text, []byte("\n\n"))
		if !ok || !bytes.HasPrefix(header, []byte("// ")) {
			return "", fmt.Errorf("%s must begin with a comment that says what it is, and an empty line", name)
		}
		fmt.Fprintf(&b, "// %s\n%s", name, uncommented(string(code)))
	}
	return b.String(), nil
}

var (
	commentLine = regexp.MustCompile(`(?m)^\s*(?://|/\*\*|\*[ /]).*\n`)
	// commentBehind is a comment behind code: with no quote on its line that might
	// have it in a text.
	commentBehind = regexp.MustCompile("(?m)^([^'\"`\n]*[;,{)}]) // .*$")
)

// uncommented returns code without comments.
func uncommented(code string) string {
	return commentBehind.ReplaceAllString(commentLine.ReplaceAllString(code, ""), "$1")
}

var (
	topLevel = regexp.MustCompile(`(?m)^(?:async )?(?:function|class|const) (\w+)`)
	taken    = regexp.MustCompile(`(?m)^const \{ (.*) \} =`) // from an object
	word     = regexp.MustCompile(`[A-Za-z_$][\w$]*`)
)

// shared returns the names that front declares and back uses.
func shared(front, back string) (names []string) {
	used := map[string]bool{}
	for _, name := range word.FindAllString(back, -1) {
		used[name] = true
	}
	declare := func(name string) {
		if used[name] && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, m := range topLevel.FindAllStringSubmatch(front, -1) {
		declare(m[1])
	}
	for _, m := range taken.FindAllStringSubmatch(front, -1) {
		for item := range strings.SplitSeq(m[1], ", ") {
			from, as, renamed := strings.Cut(item, ": ")
			if renamed {
				from = as
			}
			declare(from)
		}
	}
	slices.Sort(names)
	return names
}
