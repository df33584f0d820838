package glue

import (
	"bytes"
	"embed"
	"fmt"
)

// Each concept has a file of its own. The comment at its top says what it is
// and what it may touch.
//
//go:embed *.js
var files embed.FS

// parts are the files in the order in which they are joined: a file comes behind
// those that it needs when it is loaded, such as a class before its parts.
var parts = []string{
	"builtins.js",
	"errors.js",
	"values.js",
	"members.js",
	"faithful.js",
	"results.js",
	"parts.js",

	"invocation.js",
	"ownership.js",
	"hooks.js",
	"stages.js",

	"glue.js",
	"memory.js",
	"scopes.js",
	"enforce.js",
	"patterns.js",
	"backtrack.js",
	"registration.js",
	"life.js",
	"crossing.js",

	"hooklists.js",
	"tool.js",
	"schema.js",
	"sound.js",
	"infer.js",
	"api.js",

	"go.js",
}

// join returns the parts one behind the other, in one function scope, as the
// toolchain does with its own code, so that they add no names to the page. The
// name of a part stands where the comment at its top was, which is for those who
// change it.
func join() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("\n// The rest of this file belongs to github.com/webmcp-wasm/webmcp (MIT licence).\n\n\"use strict\";\n\n(() => {\n")
	b.WriteString(declarations())
	for _, name := range parts {
		text, err := files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		header, code, ok := bytes.Cut(text, []byte("\n\n"))
		if !ok || !bytes.HasPrefix(header, []byte("// ")) {
			return nil, fmt.Errorf("%s must begin with a comment that says what it is, and an empty line", name)
		}
		fmt.Fprintf(&b, "// %s\n%s", name, code)
	}
	b.WriteString("})();\n")
	return b.Bytes(), checkConstants(b.Bytes())
}
