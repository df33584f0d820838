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
		"policies.js",
		"hooklists.js",
		"tool.js",
		"infer.js",
		"schema.js",
		"modelcontext.js",

		"glue.js",
		"life.js",
		"loading.js",
		"scopes.js",
		"documents.js",
		"tools.js",
		"api.js",
	}
	// back is what runs calls, with Go. webmcp_exec.js consists of it.
	back = []string{
		"natives.js",
		"plain.js",
		"guess.js",
		"faithful.js",
		"results.js",

		"invocation.js",
		"ownership.js",
		"hooks.js",
		"stages.js",
		"rules.js",
		"asking.js",
		"otlp.js",
		"beacon.js",
		"audit.js",
		"noting.js",

		"running.js",
		"memory.js",
		"clocks.js",
		"plan.js",
		"policy.js",
		"watching.js",
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
	// modules is what only webmcp_exec.js has, behind the back.
	modules = []string{"modules.js"}
	// humans is what asks one, which few pages need. webmcp_approvals.js consists of
	// it.
	humans = []string{
		"bare.js",
		"passkey.js",
		"interaction.js",
		"approving.js",
		"consulting.js",
		"desk.js",
		"editing.js",
		"dialog.js",
	}
	parts = slices.Concat(front, back, modules, humans)
	// apart has a scope of its own for what shares nothing with the rest but one
	// name.
	apart = map[string]string{"dialog.js": "ApprovalDialog", "passkey.js": "Passkey"}
)

// joinExec returns all that wasm_exec.js has of the glue, for pages without
// webmcp.js: in one function scope, as the toolchain does with its own code, so that
// it adds no names to the page.
func joinExec() (string, error) {
	all, err := join(slices.Concat(front, back, humans))
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("(() => {\n'use strict';\nconst ToolchainGo = globalThis.Go;\nconst time = globalThis;\n%s%s%sglobalThis.Go = Go;\n})();\n",
		thisFile("wasm_exec.js"), declarations(all), all), nil
}

// thisFile declares the name of a file for what it says of itself.
func thisFile(name string) string { return fmt.Sprintf("const THIS_FILE = '%s';\n", name) }

// joined are the parts of the ES module form, and the names by which they share what
// they declare.
type joined struct {
	front, back, humans string
	ofFront             []string // what the others use of the front
	ofBack              []string // what humans uses of the back
}

func joinAll() (j joined, err error) {
	var errs [3]error
	j.front, errs[0] = join(front)
	j.back, errs[1] = join(slices.Concat(back, modules))
	j.humans, errs[2] = join(humans)
	j.ofFront = shared(j.front, j.back+j.humans)
	j.ofBack = shared(j.back, j.humans)
	return j, errors.Join(errs[:]...)
}

// forHumans are the names that humans uses of both others.
func (j joined) forHumans() []string { return slices.Concat(shared(j.front, j.humans), j.ofBack) }

// joinModuleExec returns what webmcp_exec.js has of the glue, behind the toolchain's
// code, which sets a global Go: the page keeps its own.
func joinModuleExec() (string, error) {
	j, err := joinAll()
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("const ToolchainGo = globalThis.Go;\nif (pageGo === undefined) delete globalThis.Go;\nelse globalThis.Go = pageGo;\n%s%s"+
		"export const over = (front, number, time = globalThis) => {\nconst [%s] = front;\n%sconst BACK = { %s };\nreturn Go;\n};\n",
		thisFile("webmcp_exec.js"), declarations(j.back), strings.Join(j.ofFront, ", "), j.back, strings.Join(j.forHumans(), ", ")), nil
}

// joinHumans returns webmcp_approvals.js.
func joinHumans() (string, error) {
	j, err := joinAll()
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("export const number = %d;\n%sexport const over = (shared) => {\nconst { %s } = shared;\n%s};\n",
		core.Interface, declarations(j.humans), strings.Join(j.forHumans(), ", "), j.humans), nil
}

// licence is what stands before the code that is ours.
const licence = "/* github.com/webmcp-wasm/webmcp, MIT */\n"

// place is where the front stands in webmcp.js.
const place = "  // The front of the glue stands here.\n"

// joinModule returns webmcp.js with the front in its place, and behind that, as
// FRONT, what the other parts take from it: in order, since names would make it larger.
func joinModule(module string) (string, error) {
	before, after, ok := strings.Cut(module, place)
	if !ok {
		return "", errors.New("webmcp.js has no place for the front")
	}
	j, err := joinAll()
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s%s%sconst FRONT = [%s];\n%s", before, declarations(j.front), j.front, strings.Join(j.ofFront, ", "), after), nil
}

// finish fills in the version, looks for constants that nobody declares, and
// minifies.
func finish(text string) (string, error) {
	text = strings.ReplaceAll(text, "{{version}}", core.Version)
	if err := checkConstants([]byte(text)); err != nil {
		return "", err
	}
	small, err := minify(text)
	return licence + small, err
}

// join returns files one behind the other. The name of a file stands where it begins.
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
		fmt.Fprintf(&b, "// %s\n", name)
		if one, ok := apart[name]; ok {
			fmt.Fprintf(&b, "const %s = (() => {\n%s  return %[1]s;\n})();\n", one, lineStart.ReplaceAll(code, []byte("  ")))
			continue
		}
		b.Write(code)
	}
	return b.String(), nil
}

// comment is a line of one, or what stands behind code with no quote that might have
// it in a text.
var comment = regexp.MustCompile("(?m)^\\s*(?://|/\\*\\*|\\*[ /]).*\n|// [^'\"`\n]*$")

var (
	lineStart = regexp.MustCompile(`(?m)^`)
	topLevel  = regexp.MustCompile(`(?m)^(?:async )?(?:function|class|const) (\w+)`)
	taken     = regexp.MustCompile(`(?m)^const [{\[] ?(.*?) ?[}\]] =`)       // from an object or an array
	word      = regexp.MustCompile(`(?:\.\.\.|^|[^.\w$])([A-Za-z_$][\w$]*)`) // no member
)

// shared returns the names that front declares and back uses.
func shared(front, back string) (names []string) {
	used := map[string]bool{}
	for _, m := range word.FindAllStringSubmatch(comment.ReplaceAllString(back, ""), -1) {
		used[m[1]] = true
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
