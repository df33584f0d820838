// Package hooks gates what an agent may do with a tool: hooks that enrich or
// deny a call on its way in, transform the output on its way out, and observe
// failures and denials.
//
// A Hook is one function type for all four phases. Hooks are attached to
// scopes, which nest, and to the tool itself:
//
//	input -> [Policy] -> outer.Before -> inner.Before -> tool.Before -> Validate
//	      -> [Policy] -> Approval -> Handler
//	      -> tool.After -> inner.After -> outer.After -> [Policy] -> Result
//
//	denial:  tool.Denied -> inner.Denied -> outer.Denied
//	failure: tool.Error  -> inner.Error  -> outer.Error
//
// A hook is not middleware: it does not call the next one, so it can neither
// forget to nor do so twice.
//
// An Approval has a human decide about a call, between validation and handler.
//
// RateLimit, Require, Enrich, Redact, Timing and Timeout make hooks for what programs do
// again and again; Set.Concat puts several together.
//
// A Policy is rules as data, which apply to all calls in a ctx of WithPolicy: what needs
// no input before the first hook, the rest behind validation, and redaction last.
//
// Run is the native driver of the state machine in package pipeline, for Go
// programs and for tests of policies. In the browser, package bridge drives the
// same machine.
package hooks
