// Package core joins document.modelContext to the hook pipeline. It is what the
// drop-in module consists of; Go apps use package bridge, which adds Go hooks
// and Go handlers to it.
//
// # The way of one call
//
// Chrome calls a tool's execute function, in the glue. Every value of the call
// stays there, in JavaScript. The glue asks Go what to do, by calling an
// exported function with integers, does what the answer says, and reports what
// happened, until the answer is to settle:
//
//	execute(input) ──> webmcp_start(tool)            the plan: which hooks
//	             ┌──── webmcp_step(call, ticket, event, count)
//	             │       answer: run hooks from here | validate | call fn | settle
//	             └──> the glue does it, with no Go frame on the stack
//
// So page code never runs beneath a Go function, where an exception of the page
// could kill the Go runtime, and a step costs nanoseconds. The exported
// functions never block and never call out of Go. What Go itself must do for a
// call (a Go hook, handler or approval) runs in a goroutine that a js.FuncOf call
// starts, and comes back through Glue.resume, which goes on in a microtask.
//
// # Files
//
//	numbers.go      what the numbers mean that cross the border
//	calls.go        the exports of an invocation: start, begin, step, abort
//	tools.go        the exports of the registry: who owns which tool; scopes
//	policies.go     the exports of the policy: documents, and what they say of a call
//	approvals.go    the exports of the desk, where calls wait for a human
//	schemas.go      the exports that compile and enforce JSON Schemas
//	memory.go       texts and integers across the border
//	table.go        numbers for things that JavaScript holds
//	glue.go         what Go needs of the glue
//
// The glue itself, and the JavaScript API, are in package internal/glue. What an
// app adds in Go (Go hooks, handlers, approvals) is in package bridge.
package core
