// Package bridge makes Go functions tools that AI agents in the browser can
// call (WebMCP, document.modelContext), and lets Go hooks decide what an agent
// may do with every tool of the page, those of JavaScript too.
//
//	func main() {
//		bridge.Configure(hooks.Set{Before: []hooks.Hook{onlyOffice}})
//		_, err := bridge.Register(context.Background(), &hooks.Tool{
//			Contract: hooks.Contract{Name: "get_time", Description: "Tells the time."},
//			Handler: func(ctx context.Context, c *hooks.Call) (any, error) {
//				return time.Now().Format(time.Kitchen), nil
//			},
//		}, nil)
//		if err != nil {
//			log.Fatal(err)
//		}
//		select {}
//	}
//
// The page loads the wasm_exec.js that this writes, instead of the toolchain's:
//
//	go run github.com/webmcp-wasm/webmcp/cmd/wasmexec -o wasm_exec.js
//
// The rules of a call are those of package hooks. Hooks and handlers run in a
// goroutine of their own and may block. Inputs and outputs cross between Go and
// JavaScript as JSON: what a Go hook does not change stays the same JavaScript
// value, all the same. JavaScript pages that want no Go take the drop-in module
// instead (package wasm).
//
// The package compiles for every platform, so that code that uses it can be
// looked at and tested natively. Outside of a page Register returns an *Error
// with the name NotSupportedError and everything else has no effect; hooks.Run
// calls a tool there.
//
// Go code of a page runs on one thread. Nothing here may be called from a
// js.FuncOf callback directly where it says that it blocks; start a goroutine.
package bridge
