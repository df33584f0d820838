// What the browser has for tools. The only file that names document.modelContext, so
// that a change of where WebMCP is found is a change here. Touches nothing.

/**
 * Returns document.modelContext; where only earlier browsers and older polyfills have put it, navigator.modelContext;
 * undefined where there is neither: in a worker, on an insecure page, or without browser support.
 */
function modelContext() {
  const { document, navigator } = globalThis;
  if (!isObject(document)) return undefined;
  let found = document.modelContext;
  // An element of that name, <img name="modelContext">, hides the browser's.
  if (isObject(found) && !offersTools(found)) found = Reflect.get(Document.prototype, 'modelContext', document);
  if (!offersTools(found)) found = navigator?.modelContext;
  return offersTools(found) ? found : undefined;
}

function offersTools(context) {
  return typeof context?.registerTool === 'function';
}

// No script makes a document of its own of a browser's: nobody can replace what returns that.
const IN_BROWSER = /native/.test(Object.getOwnPropertyDescriptor(globalThis, 'document')?.get);
const NO_BROWSER = "this is no browser: in a test, import 'webmcp-wasm/testing'";

/** Whether the browser has WebMCP. */
function isSupported() {
  return modelContext() !== undefined;
}
