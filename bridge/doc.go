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
//	go get -tool github.com/webmcp-wasm/webmcp/cmd/wasmexec
//	go tool wasmexec -o wasm_exec.js
//
// The rules of a call are those of package hooks. Hooks and handlers run in a
// goroutine of their own and may block. Inputs and outputs cross between Go and
// JavaScript as JSON: what a Go hook does not change stays the same JavaScript
// value, all the same. JavaScript pages that want no Go take the drop-in module
// instead (package wasm).
//
// Approvals that Go code states, for a tool, a scope or all tools, have the page ask the
// human, in its dialog and its queue, as those of JavaScript do. Both merge in one order:
// deny before ask before allow. When, Describe and Details run in a goroutine, as hooks
// do, with the input as it will run; a When that only allows costs a call as much as a
// hook. What a page can say beyond a hooks.Approval, JavaScript adds: hold, and with ask
// an interface of its own in place of the dialog, which the outermost approval that
// asks decides about. There is no hooks.Approver for the calls of agents: the page
// shows the question, and keeps what is remembered. hooks.Run, also in a page, asks the
// one of its ctx.
//
// The package compiles for every platform, so that code that uses it can be
// looked at and tested natively. Outside of a page Register returns an *Error
// with the name NotSupportedError and everything else has no effect; hooks.Run
// calls a tool there.
//
// Go code of a page runs on one thread. Nothing here may be called from a
// js.FuncOf callback directly where it says that it blocks; start a goroutine.
package bridge
