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
  return isObject(context) && typeof context.registerTool === 'function';
}

/** Whether the browser has WebMCP. */
function isSupported() {
  return modelContext() !== undefined;
}
