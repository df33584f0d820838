//go:build js && wasm

package core

import "syscall/js"

// glue is the JavaScript half of this instance (class Glue in glue.js). The
// glue puts itself there for the moment in which the module starts.
var glue = findGlue()

func findGlue() js.Value {
	if g := js.Global().Get("Go").Get("glue"); g.Type() == js.TypeObject {
		return g
	}
	panic("webmcp: this page's wasm_exec.js lacks the glue; write one with: go run github.com/webmcp-wasm/webmcp/cmd/wasmexec -o wasm_exec.js")
}

// Publish sets globalThis.webmcp, the JavaScript API, and fires webmcp:ready on
// the document. Call it once, when the program is ready for calls.
func Publish() { glue.Call("publish") }

// Glue returns the JavaScript half, for package bridge.
func Glue() js.Value { return glue }
