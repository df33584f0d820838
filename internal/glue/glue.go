// Package glue holds the JavaScript half of the bridge, and writes the
// wasm_exec.js that a page loads: a hint for the browser, the toolchain's own
// file, untouched, and the glue, minified. It extends the class Go of that file, so the snippet that
// every page with Go uses is all a page needs. The ES module, webmcp.js, is the
// front of the glue alone, and loads the rest when somebody needs it.
package glue

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

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
	joined, err := joinExec()
	if err != nil {
		return nil, err
	}
	ours, err := finish(joined)
	if err != nil {
		return nil, err
	}
	return []byte(hint + string(toolchain) + "\n" + ours), nil
}

// Module returns webmcp.js, the ES module: the front of the glue, and behind it
// loader, which loads the rest when it is needed.
func Module(loader []byte) ([]byte, error) {
	joined, err := joinModule(string(loader))
	if err != nil {
		return nil, err
	}
	text, err := finish(joined)
	return []byte(text), err
}

// hint has Chromium compile the functions of the file while it arrives, on another
// thread, and not one by one when they are called first. It must be the first line.
// https://github.com/WICG/explicit-javascript-compile-hints-file-based
const hint = "//# allFunctionsCalledOnLoad\n"
