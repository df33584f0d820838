// The ES module form of the drop-in module. Put it beside wasm_exec.js and
// webmcp.wasm:
//
//	import { webmcp } from './webmcp.js';
//
// The import does not wait for webmcp.wasm. Tools can be made, and called by the
// page, at once; what needs the module is done when it has arrived, in order.
// webmcp.ready says when. On a server and in a worker nothing is loaded.
import './wasm_exec.js';

/** Returns where webmcp.wasm is: beside this file, or beside the page where a bundler has made a plain script of it. */
function address() {
  try {
    return new URL('./webmcp.wasm', import.meta.url);
  } catch {
    return new URL('webmcp.wasm', document.baseURI);
  }
}

/** Says what a fetch that failed may want. */
function unfetched(url) {
  if (globalThis.process?.versions?.node !== undefined) {
    return 'this is Node.js with a document, as jsdom and happy-dom make it, and no browser: there are no tools here, only '
      + 'their functions; test what agents get in a browser';
  }
  if (url?.protocol === 'file:') return 'a page that was opened as a file cannot load it: serve the page over http';
  return "the server must answer, and a Content-Security-Policy must allow it: connect-src 'self'";
}

/** Loads webmcp.wasm. The error says what to change. */
async function load() {
  let url;
  let response;
  try {
    url = address();
    response = await fetch(url);
  } catch (cause) {
    throw new Error(`${url ?? 'webmcp.wasm'} cannot be fetched: ${unfetched(url)}`, { cause });
  }
  if (!response.ok) throw new Error(`${url} answered ${response.status}: webmcp.wasm must be beside webmcp.js`);
  if (/^text\/html\b/.test(response.headers.get('Content-Type'))) {
    throw new Error(`${url} is a page and not webmcp.wasm: the server or the bundler has to be told of the file`);
  }
  return compile(response, url);
}

/** Compiles webmcp.wasm. The error says what to change. */
async function compile(response, url) {
  try {
    return await WebAssembly.compileStreaming(response.clone());
  } catch {
    // Served with another type than application/wasm: compile it when it is all there.
  }
  try {
    return await WebAssembly.compile(await response.arrayBuffer());
  } catch (cause) {
    const advice = /Content Security Policy|unsafe-eval/.test(cause.message)
      ? "the Content-Security-Policy must have script-src 'wasm-unsafe-eval'"
      : 'it is no WebAssembly, or not all of it has arrived';
    throw new Error(`${url} cannot be compiled: ${advice}`, { cause });
  }
}

/** Loads webmcp.wasm and runs it. What goes wrong is told to everyone who waits for it. */
async function run(go) {
  try {
    const module = await load();
    go.check(module);
    go.run(await WebAssembly.instantiate(module, go.importObject));
  } catch (error) {
    go.glue.fail(error);
  }
}

// The version of what this file, wasm_exec.js and webmcp.wasm say to each other: Interface in internal/core/numbers.go.
const INTERFACE = 1;

function start() {
  if (Go.interface === undefined) {
    throw new Error('the wasm_exec.js beside webmcp.js has no WebMCP in it, or an older one: put the one there that was built with webmcp.js');
  }
  if (Go.interface !== INTERFACE) {
    throw new Error(`webmcp.js and wasm_exec.js are of different builds, and ${Go.interface < INTERFACE ? 'wasm_exec.js' : 'webmcp.js'} is the older one: `
      + 'serve both from one build, and let no cache keep one of them longer than the other');
  }
  const go = new Go();
  if (typeof document === 'undefined') go.glue.stayAbsent();
  else run(go);
  return go.webmcp;
}

// One instance for the page, however often this file is loaded, and if a script has one that runs.
const KEY = Symbol.for('github.com/webmcp-wasm/webmcp');

export const webmcp = (globalThis[KEY] ??= globalThis.webmcp?.ready ? globalThis.webmcp : start());
export default webmcp;
export const {
  invokeTool, listTools, getTool, onToolsChanged, isWebMCPSupported, registry,
  getGlobalHooks, resetGlobalHooks, mergeHooks, mergeHooksOrdered,
  NotSupportedError, NotAllowedError, RegistrationError, ValidationError, ConfigurationError,
} = webmcp;
