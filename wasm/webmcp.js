// The ES module form of the drop-in module. Put it beside webmcp_exec.js,
// webmcp_approvals.js and webmcp.wasm:
//
//	import { webmcp } from './webmcp.js';
//
// What is shipped has the front of the glue (internal/glue) before this, which is all
// that tools need until somebody calls one: then the rest is loaded, webmcp_exec.js and
// webmcp.wasm, and webmcp_approvals.js where a human is to be asked. On a server and in a worker nothing is loaded.

/** Returns where webmcp.wasm is: where the page says, or beside this file, or beside the page where a bundler has made a plain script of it. */
async function address(url) {
  if (url !== undefined) return new URL(url, document.baseURI);
  try {
    return await unmoved(new URL('./webmcp.wasm', import.meta.url));
  } catch {
    return new URL('webmcp.wasm', document.baseURI);
  }
}

/**
 * Returns where webmcp.wasm is if the development server of Vite, before 8, has put this file among the packages that
 * it has bundled, away from the wasm. It knows where that is.
 */
async function unmoved(url) {
  const base = /^(.*?\/)(?:@fs\/.*)?(?:node_modules\/.*)?deps\/webmcp\.wasm$/.exec(url);
  if (base === null) return url;
  try {
    return new URL((await import(/* @vite-ignore */ /* webpackIgnore: true */ `${base[1]}@id/webmcp-wasm/webmcp.wasm?import&url`)).default, url);
  } catch {
    return url;
  }
}

// The version of what this file, webmcp_exec.js and webmcp.wasm say to each other: Interface in internal/core/numbers.go.
const INTERFACE = 1;

/** Loads the rest for a glue whose front is here, and runs it. What goes wrong is told to everyone who waits for it. */
async function run(glue, front) {
  try {
    const url = await address(glue.url);
    const asked = fetch(url, { integrity: glue.integrity });
    asked.catch(() => {}); // whoever waits for it hears of it
    const over = await rest();
    await new (over(front, INTERFACE))(glue).load(asked, url);
  } catch (error) {
    glue.fail(error);
  }
}

/** Loads the file with the rest of the glue. */
async function rest() {
  const { over, cause } = await import('./webmcp_exec.js').catch((cause) => ({ cause }));
  if (over !== undefined) return over;
  throw new Error('webmcp_exec.js cannot be loaded, or is of another build: it must be beside webmcp.js', { cause });
}

function start() {
  // The front of the glue stands here.
  const glue = new Glue();
  const { webmcp } = glue;
  if (!IN_BROWSER) webmcp[KEY] = [glue, FRONT]; // for webmcp-wasm/testing: there is nobody here to guard against
  if (typeof document !== 'undefined') {
    glue.loader = () => (IN_BROWSER ? run(glue, FRONT) : glue.fail(new NotSupportedError(NO_BROWSER)));
  } else { // nothing is loaded here, as on a server or in a worker: tools are their functions, and nothing else
    glue.absent = new Map();
    glue.resolveReady();
  }
  return webmcp;
}

// One instance for the page, however often this file is loaded, and if a script has one that runs.
const KEY = Symbol.for('github.com/webmcp-wasm/webmcp');

export const webmcp = (globalThis[KEY] ??= globalThis.webmcp?.version ? globalThis.webmcp : start());
export default webmcp;
export const {
  invokeTool, listTools, getTool, onToolsChanged, isWebMCPSupported, registry,
  getGlobalHooks, resetGlobalHooks, mergeHooks, mergeHooksOrdered,
  NotSupportedError, NotAllowedError, RegistrationError, ValidationError, ConfigurationError,
} = webmcp;
