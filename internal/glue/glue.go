// Package glue holds the JavaScript half of the bridge, and writes the
// wasm_exec.js that a page loads: a hint for the browser, the toolchain's own
// file, untouched, and the glue, minified. It extends the class Go of that file, so the snippet that
// every page with Go uses is all a page needs. The ES module form has the
// same in three files: webmcp.js is the front of the glue, webmcp_exec.js comes with the
// module, when somebody needs that, and webmcp_approvals.js when a human has to be asked.
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
	toolchain, err := toolchain()
	if err != nil {
		return nil, err
	}
	return finished(hint+toolchain+"\n", joinExec)
}

// ModuleExec returns webmcp_exec.js, an ES module: the toolchain's code and the part
// of the glue that webmcp.js loads with the module. Its error is as that of WasmExec.
func ModuleExec() ([]byte, error) {
	toolchain, err := toolchain()
	if err != nil {
		return nil, err
	}
	return finished(hint+"const pageGo = globalThis.Go;\n"+toolchain+"\n", joinModuleExec)
}

// Approvals returns webmcp_approvals.js, an ES module: the part of the glue that
// webmcp_exec.js loads when a human has to be asked.
func Approvals() ([]byte, error) { return finished("", joinHumans) }

// finished returns code of others with that of ours behind it.
func finished(theirs string, join func() (string, error)) ([]byte, error) {
	joined, err := join()
	if err != nil {
		return nil, err
	}
	ours, err := finish(joined)
	return []byte(theirs + ours), err
}

// toolchain returns the wasm_exec.js of the Go toolchain.
func toolchain() (string, error) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("find the Go toolchain (is go on the PATH?): %w", err)
	}
	text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(out)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return "", fmt.Errorf("read the toolchain's wasm_exec.js (Go 1.24 or newer has it in lib/wasm): %w", err)
	}
	return string(text), nil
}

// Module returns webmcp.js, the ES module: the front of the glue, and behind it
// loader, which loads the rest when it is needed.
func Module(loader []byte) ([]byte, error) {
	return finished("", func() (string, error) { return joinModule(string(loader)) })
}

// hint has Chromium compile the functions of the file while it arrives, on another
// thread, and not one by one when they are called first. It must be the first line.
// https://github.com/WICG/explicit-javascript-compile-hints-file-based
const hint = "//# allFunctionsCalledOnLoad\n"
