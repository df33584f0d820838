//go:build js && wasm

package core

import "syscall/js"

// glue is the JavaScript half of this instance (class Glue in glue.js).
var glue = findGlue()

// findGlue takes the glue from the first function of this program. Functions are
// made by the very instance of class Go that runs the program; the global Go may
// be another script's by now.
func findGlue() js.Value {
	first := js.FuncOf(func(js.Value, []js.Value) any { return nil })
	defer first.Release()
	if g := first.Get("glue"); g.Type() == js.TypeObject {
		return g
	}
	panic("webmcp: this page's wasm_exec.js lacks the glue; write one with: go run github.com/webmcp-wasm/webmcp/cmd/wasmexec -o wasm_exec.js")
}

// webmcp_interface_1 says by its name, which ends in [Interface], what this
// module understands. The glue looks for it before it runs the program.
//
//go:wasmexport webmcp_interface_1
func webmcpInterface() {}

// Publish sets globalThis.webmcp, the JavaScript API, and fires webmcp:ready on
// the document. Call it once, when the program is ready for calls.
func Publish() { glue.Call("publish") }

// Glue returns the JavaScript half, for package bridge.
func Glue() js.Value { return glue }
