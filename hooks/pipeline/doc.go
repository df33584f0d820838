// Package pipeline decides what happens in one invocation of a tool.
//
// It is a state machine without input or output: a driver tells it what
// happened, and it answers what to do next. It never blocks, starts nothing,
// allocates nothing after it was started, and imports nothing that a
// WebAssembly module would have to carry. The two drivers are hooks.Run, for
// native Go, and package internal/core, for the browser.
//
//	input -> [gate] -> global.before -> scoped.before -> tool.before -> validate -> [judge] -> [approval] -> fn
//	      -> tool.after -> scoped.after -> global.after -> check -> result
//
//	denial:  denied hooks, tool -> scoped -> global
//	failure: error hooks,  tool -> scoped -> global
//
// Scope and Compile fix which hooks an invocation runs and in which order;
// Machine walks that Plan.
package pipeline
