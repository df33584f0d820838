// Wasmexec writes the wasm_exec.js that pages of Go apps with package bridge
// load: the toolchain's file with the glue behind it.
//
//	go run github.com/webmcp-wasm/webmcp/cmd/wasmexec -o wasm_exec.js
//
// Write it anew when the Go toolchain or the module changes.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/webmcp-wasm/webmcp/internal/glue"
)

func main() {
	name := flag.String("o", "wasm_exec.js", "the `file` to write")
	flag.Parse()
	if err := write(*name); err != nil {
		fmt.Fprintln(os.Stderr, "wasmexec:", err)
		os.Exit(1)
	}
}

func write(name string) error {
	text, err := glue.WasmExec()
	if err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o644)
}
