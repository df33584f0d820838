// The ES module form of the drop-in module. Put it beside wasm_exec.js and
// webmcp.wasm:
//
//	import { webmcp } from './webmcp.js';
//
// The import waits until the module runs. It rejects, saying what to change,
// when webmcp.wasm cannot be loaded.
import './wasm_exec.js';

const url = new URL('./webmcp.wasm', import.meta.url);

async function load(go) {
  let response;
  try {
    response = await fetch(url);
  } catch (cause) {
    throw new Error(`webmcp: ${url} cannot be fetched`, { cause });
  }
  if (!response.ok) throw new Error(`webmcp: ${url} answered ${response.status}: put webmcp.wasm beside webmcp.js`);
  try {
    return await WebAssembly.instantiateStreaming(response.clone(), go.importObject);
  } catch {
    // Served with another type than application/wasm: compile it when it is all there.
  }
  try {
    return await WebAssembly.instantiate(await response.arrayBuffer(), go.importObject);
  } catch (cause) {
    throw new Error(`webmcp: ${url} cannot be compiled; a Content-Security-Policy must allow it: script-src 'wasm-unsafe-eval'`, { cause });
  }
}

const go = new Go();
const { instance } = await load(go);
go.run(instance); // sets globalThis.webmcp before it returns

export const { webmcp } = globalThis;
export default webmcp;
export const {
  invokeTool, listTools, getTool, onToolsChanged, isWebMCPSupported, registry,
  getGlobalHooks, resetGlobalHooks, mergeHooks, mergeHooksOrdered,
  NotSupportedError, NotAllowedError, RegistrationError, ValidationError, ConfigurationError,
} = webmcp;
