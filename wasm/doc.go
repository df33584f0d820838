// Wasm is the drop-in module: webmcp.wasm, for pages that know nothing of Go.
// This comment is the reference of its JavaScript API.
//
// # Loading
//
// Put wasm_exec.js and webmcp.wasm (make build writes both to dist/) on the
// page, and load them as any Go module:
//
//	<script src="wasm_exec.js"></script>
//	const go = new Go();
//	WebAssembly.instantiateStreaming(fetch("webmcp.wasm"), go.importObject)
//	  .then(({ instance }) => go.run(instance));
//
// Then globalThis.webmcp is set, and webmcp:ready fires on document, with webmcp
// as its detail. As an ES module, webmcp.js does the same, and does not wait:
//
//	import { webmcp } from './webmcp.js';
//
// All of the API is there at once. Tools can be made, and called by the page;
// registrations, hooks and calls that need the module wait for it, in order.
//
//	webmcp.ready  resolves to webmcp when the module runs, and without WebMCP at
//	              once, unless somebody needs the module; rejects, saying what to
//	              change, when it cannot be loaded. The status of tools that wait
//	              is registering, and error then.
//
// webmcp.js, with webmcp_exec.js, webmcp_approvals.js and webmcp.wasm beside it,
// loads those when they are needed: with WebMCP,
// when a tool has been registered and the page has nothing else to do, or an
// agent calls; without, when the page calls invokeTool, listTools or getTool.
// Agents see tools at once, and their calls wait for the module and for all
// hooks that there are by then. Without WebMCP register() resolves at once.
//
//	webmcp.configure({load, url, integrity})  load: 'auto', as above; 'eager', now;
//	              'manual', when webmcp.load() is called. The address of the
//	              module, and the hash that it must have
//	webmcp.load({url, integrity})  loads it now, and resolves to webmcp
//
// What only the module can find, such as a schema that cannot be enforced, is
// thrown by webmcp() when it runs already, and else rejects register(). On a
// server and in a worker nothing is loaded: tools are their functions, and
// register() resolves and does nothing.
//
// A Content-Security-Policy needs script-src 'self' 'wasm-unsafe-eval'.
//
// # Tools
//
//	const tool = webmcp(fn, options)
//
// Calling tool is calling fn: the same this, arguments, result and exceptions,
// and no hook. It throws a ConfigurationError for an option that is unknown or
// not what it must be; undefined is not given. The options are:
//
//	name         1 to 128 of A-Z a-z 0-9 _ . - (default: fn.name in snake case)
//	title        for people
//	description  for agents; required
//	schema       of the input, an object: a JSON Schema or a Standard Schema.
//	             Without one, the members of a destructured parameter, those
//	             without a default required, those with a literal of its type.
//	fields       schemas by member, put over those of schema; enough alone
//	strict       true: a function whose parameters cannot be read needs a schema
//	maxInputBytes  how long the JSON of an input may be (default: 10 MiB)
//	maxOutputBytes how long a result may be (default: 10 MiB)
//	outputSchema of the output, likewise
//	annotations  {readOnlyHint, untrustedContentHint, consequentialHint, debugging}
//	hooks        {before: [], after: [], error: [], denied: []} of this tool; a
//	             timeout may be in it, too
//	timeout      how many milliseconds a call may take (default: no limit); of
//	             several, of all tools and of scopes too, the shortest holds
//	enabled      false: register does nothing
//	global       true: register at once
//	exposedTo    origins of other frames that see the tool
//	replace      true: an earlier tool of the same name goes, for hot reloading;
//	             webmcp.replace = true says so for all tools
//
// webmcp(tool, options) makes another tool of the same function: its hooks come
// behind those of tool, its other options replace those of tool.
//
//	tool.tool, tool.definition   the contract, frozen
//	tool.status                  idle, registering, registered, error or disabled
//	tool.isRegistered()
//	tool.register({signal, scope})  resolves to a function that ends this one
//	                             registration, as signal does when it aborts
//	tool.unregister()            ends all registrations
//
// A tool may be registered several times; it stays until the last registration
// has ended, with the hooks of all their scopes. Calls that run are not
// affected. register rejects with a RegistrationError when another tool has the
// name (its cause is the browser's exception) and with a NotAllowedError when
// the page may not register tools; a page that does not look at the rejection
// finds it in the console. It rejects with the signal's reason when that aborts
// before the tool is registered.
//
// # Contracts
//
// What an agent sends must match the schema, after before hooks and before fn;
// Chrome checks nothing. A failure is a ValidationError, whose text for the agent
// lists up to 10 issues with their paths ("quantity: must be <= 10, got 12").
// An output that breaks outputSchema, after all after hooks, is an error to the
// agent; of an output in the form of a result, structuredContent is checked. Any
// other output that is an object stands beside its text as structuredContent.
//
// What JSON has not, or says differently (NaN, a Date, a function, undefined in an
// array), breaks a JSON Schema of the input, wherever a hook has put it; of the
// output, what only a made-up text could say. A Standard Schema must answer with
// {value} or {issues}.
//
// JSON Schema is that of 2020-12, and draft-07's spelling of it. Formats are
// enforced, also those of numbers (int32, int64, float); one that is not known is
// an annotation, with a warning. Defaults are filled in, also in the branch of
// anyOf, oneOf or if that the input takes. Patterns are the browser's RegExp: an
// input with a text on which it gives up is invalid, wherever the pattern stands,
// and a pattern that can be matched in two ways, as (a+)+, gets a warning. A keyword
// that cannot be enforced, such as a remote $ref, is a ConfigurationError. Of a
// Standard Schema (zod, valibot, arktype), fn gets the parsed value; agents see
// its JSON Schema where the library gives one, and what it cannot say is left
// out, with a warning.
//
// # Hooks
//
// For an agent's call, and only for that, hooks run in this order:
//
//	input -> global before -> scoped before -> tool before -> schema -> fn
//	      -> tool after -> scoped after -> global after -> outputSchema -> result
//	denial:  tool denied -> scoped denied -> global denied
//	failure: tool error -> scoped error -> global error
//
// Each gets an object of its own, and may be async:
//
//	before  {input, tool, signal, invocationId, metadata}
//	after   {input, output, tool, signal, invocationId, metadata}
//	error   {error, message, input, tool, signal, invocationId, metadata}
//	denied  {reason, code, input, tool, signal, invocationId, metadata}
//
// A before hook returns nothing to go on, {input} to change the input, or
// {action: 'deny', message, code}. An after hook returns nothing, or {output}.
// undefined, null, true, a number and {} are nothing; anything else fails the
// call, for a policy with a typo must not let it through. Of what fails behind fn
// the agent is told only that the output cannot be passed on. Error and denied hooks
// only observe: what they return is ignored, an exception is logged, and a
// promise is waited for, for one second in all. But an error hook may return
// {message}, a text, for the agent to read instead of message; one that has read
// message, and fails or is late, makes that a general sentence.
//
// What was checked is what runs, and goes out: before anything asynchronous, and
// before Go code, the call goes on with copies of objects and arrays that nobody
// else holds.
//
// metadata is an object without prototype that all hooks of the call and fn
// share. signal aborts when the agent cancels: before fn has been called that
// ends the call, whatever a hook still does, and error hooks see an AbortError;
// a running fn is awaited. It aborts, too, when the call has taken longer than
// its timeout: then error hooks see a TimeoutError, the agent gets the code
// TIMEOUT, nobody waits for fn, and what it returns later is dropped.
//
//	webmcp.configure({hooks, timeout, replace, maxInputBytes, maxOutputBytes})
//	                                    adds global hooks, or sets them
//	webmcp.getGlobalHooks(), webmcp.resetGlobalHooks()
//	webmcp.scope({hooks, timeout}, parent)  a Scope: {hooks, parent, configure({hooks, timeout, replace})}
//	webmcp.mergeHooks(a, b)             a, then b
//	webmcp.mergeHooksOrdered({globalHooks, scopedHooks, toolHooks})  as a call runs them
//
// # Calls
//
// On an agent's call, fn gets (input, {signal, invocationId, metadata}). The
// agent gets {content: [{type: 'text', text}]}: a string as it is, ” for
// nothing, a number as text, compact JSON for anything else, where what JSON
// cannot say (a BigInt, a cycle, a Map, an Error) becomes a text. An output that
// has this form passes as it is. A denial is {isError: true, content, code, executed}
// with the text "Denied: ...", a failure {isError: true, content, executed} with
// "Error: ...". executed is whether fn was called: if not, nothing was done.
//
//	webmcp.invokeTool(name, input, {signal})  calls a tool as an agent does;
//	        resolves to the result. Rejects with an AbortError (its cause is
//	        the signal's reason) when signal aborts, with a
//	        RegistrationError when there is no such tool.
//	webmcp.listTools()       resolves to all tools by name: {name, title,
//	        description, inputSchema, outputSchema, annotations, openSchema,
//	        status, source}; openSchema: no schema of it could be had; source is
//	        native (ours, in the browser), registry (ours, without
//	        WebMCP in the browser) or page (in the browser, not ours)
//	webmcp.getTool(name)     resolves to one of them, or undefined
//	webmcp.onToolsChanged(callback)  returns a function that ends it
//	webmcp.isWebMCPSupported()  false until the module runs
//	webmcp.registry          list(), clear(), isRegistered(name), getStatus(name)
//	webmcp.global(fn, options)  webmcp with global: true
//	webmcp.version
//
// # Elements
//
// import './elements.js' defines <webmcp-hook-log>, which shows what hooks see,
// newest first, <webmcp-inspector>, which lists the tools and calls them as an agent
// does, and <webmcp-approvals>, which lists the calls that wait for a human and the
// decisions that are remembered, and revokes those.
//
// # Hooks that are there
//
// import { rateLimit } from './webmcp_hooks.js' brings functions that make hooks, for
// the option hooks and for mergeHooks: rateLimit, timeout, redact, require, enrich and
// timing. The file needs no other, and works beside both forms. docs/hooks.md says what
// they do.
//
// # Errors
//
// webmcp.ConfigurationError, RegistrationError, NotAllowedError,
// ValidationError (issues: [{path, message}]) and NotSupportedError are classes.
// When the module stops running, its tools are unregistered, pending and later
// calls get an error result, and functions throw a NotSupportedError.
package main
