//go:build js && wasm

package core

import "syscall/js"

// This is the only file of Go that calls the browser's modelContext, so that a
// change of the WebMCP specification is a change of one file here. Which object
// that is, and whether there is one, modelcontext.js of the glue says. The glue calls native for what is
// rare: registering, listing, and calling a tool as an agent would. An agent's own
// calls do not come this way.

func init() { glue.Call("attach", nativeFunc) }

// native performs one operation, as a method of the glue. It does not throw: what the browser throws
// becomes a rejected promise, and so does that something of it is missing. A panic
// that no JavaScript has caused is a mistake in this program, and ends it.
func native(glue js.Value, args []js.Value) (result any) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case js.Error:
			result = js.Global().Get("Promise").Call("reject", e.Value)
		case *js.ValueError:
			result = js.Global().Get("Promise").Call("reject", js.Global().Get("TypeError").New("the browser's modelContext has changed: "+e.Error()))
		default:
			panic(e)
		}
	}()
	mc := glue.Call("browserTools")
	op := args[0].Int()
	switch args = args[1:]; op {
	case Registrar:
		if mc.Type() != js.TypeObject {
			return nil
		}
		return mc.Get("registerTool").Call("bind", mc)
	case GetTools:
		return mc.Call("getTools")
	case ExecuteTool:
		return mc.Call("executeTool", args[0], args[1], args[2])
	default:
		mc.Call("addEventListener", "toolchange", args[0])
		return nil
	}
}
