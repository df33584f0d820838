// Wasmexec writes the wasm_exec.js that pages of Go apps with package bridge
// load: the toolchain's file with the glue behind it.
//
//	go get -tool github.com/webmcp-wasm/webmcp/cmd/wasmexec
//	go tool wasmexec -o wasm_exec.js
//
// Write it anew when the Go toolchain or the module changes: with -check it writes
// nothing, and fails where the file is not the one that it would write, as CI wants it.
// cmd/wasmbuild makes the module, too.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"

	"github.com/webmcp-wasm/webmcp/internal/glue"
)

func main() {
	name := flag.String("o", "wasm_exec.js", "the `file` to write")
	check := flag.Bool("check", false, "write nothing: fail where the file is another one")
	flag.Parse()
	act := write
	if *check {
		act = compare
	}
	if err := act(*name); err != nil {
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

// compare returns why a file is not the one for the present toolchain and module.
func compare(name string) error {
	want, err := glue.WasmExec()
	if err != nil {
		return err
	}
	got, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if !bytes.Equal(got, want) {
		return fmt.Errorf("%s is not that of the present Go toolchain and of this version of github.com/webmcp-wasm/webmcp: "+
			"write it anew (go tool wasmexec -o %s), and build the module with the same toolchain", name, name)
	}
	return nil
}
