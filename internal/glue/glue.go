// Package glue holds the JavaScript half of the bridge, and writes the
// wasm_exec.js that a page loads: the toolchain's own file, untouched, with the
// glue behind it. It extends the class Go of that file, so the snippet that
// every page with Go uses is all a page needs.
package glue

import (
	"bytes"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/webmcp-wasm/webmcp/internal/core"
)

//go:embed glue.js
var glueJS []byte

//go:embed schema.js
var schemaJS []byte

//go:embed infer.js
var inferJS []byte

//go:embed api.js
var apiJS []byte

// WasmExec returns the wasm_exec.js for programs that the present Go toolchain
// builds. The file must match the toolchain that builds the module. The error
// says what to do when the toolchain or its file cannot be found.
func WasmExec() ([]byte, error) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("find the Go toolchain (is go on the PATH?): %w", err)
	}
	toolchain, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(out)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return nil, fmt.Errorf("read the toolchain's wasm_exec.js (Go 1.24 or newer has it in lib/wasm): %w", err)
	}
	api := bytes.ReplaceAll(apiJS, []byte("{{version}}"), []byte(core.Version))
	return append(toolchain, wrap(glueJS, schemaJS, inferJS, api)...), nil
}

// wrap puts the parts into one function scope, as the toolchain does with its
// own code, so that they add no names to the page.
func wrap(parts ...[]byte) []byte {
	var b bytes.Buffer
	b.WriteString("\n// The rest of this file belongs to github.com/webmcp-wasm/webmcp (MIT licence).\n\n\"use strict\";\n\n(() => {\n")
	b.Write(bytes.Join(parts, []byte("\n")))
	b.WriteString("})();\n")
	return b.Bytes()
}
