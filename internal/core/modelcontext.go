//go:build js && wasm

package core

import "syscall/js"

// This is the only file that names document.modelContext, so that a change of
// the WebMCP specification is a change of one file. The glue calls native for
// what is rare: registering, listing, and calling a tool as an agent would. An
// agent's own calls do not come this way.

func init() { glue.Call("attach", nativeFunc) }

// native performs one operation. It does not throw: what the browser throws
// becomes a rejected promise, and so does that something of it is missing. A panic
// that no JavaScript has caused is a mistake in this program, and ends it.
func native(_ js.Value, args []js.Value) (result any) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case js.Error:
			result = js.Global().Get("Promise").Call("reject", e.Value)
		case *js.ValueError:
			result = js.Global().Get("Promise").Call("reject", js.Global().Get("TypeError").New("document.modelContext has changed: "+e.Error()))
		default:
			panic(e)
		}
	}()
	mc := modelContext()
	op := args[0].Int()
	if op == Supported {
		return offersTools(mc)
	}
	switch args = args[1:]; op {
	case Registrar:
		if !offersTools(mc) {
			return nil
		}
		return mc.Get("registerTool").Call("bind", mc)
	case UnregisterTool: // of browsers that took no signal yet
		if mc.Get("unregisterTool").Type() == js.TypeFunction {
			mc.Call("unregisterTool", args[0])
		}
		return nil
	case GetTools:
		return mc.Call("getTools")
	case ExecuteTool:
		return mc.Call("executeTool", args[0], args[1], args[2])
	default:
		mc.Call("addEventListener", "toolchange", args[0])
		return nil
	}
}

// modelContext returns document.modelContext; where only earlier browsers and
// older polyfills have put it, navigator.modelContext; undefined where there is
// neither: in a worker, on an insecure page, or without browser support.
func modelContext() js.Value {
	document := js.Global().Get("document")
	if document.Type() != js.TypeObject {
		return js.Undefined()
	}
	mc := document.Get("modelContext")
	if mc.Type() == js.TypeObject && !offersTools(mc) {
		// An element of that name, <img name="modelContext">, hides the browser's.
		mc = js.Global().Get("Reflect").Call("get", js.Global().Get("Document").Get("prototype"), "modelContext", document)
	}
	if offersTools(mc) {
		return mc
	}
	if navigator := js.Global().Get("navigator"); navigator.Type() == js.TypeObject {
		return navigator.Get("modelContext")
	}
	return js.Undefined()
}

func offersTools(mc js.Value) bool {
	return mc.Type() == js.TypeObject && mc.Get("registerTool").Type() == js.TypeFunction
}
