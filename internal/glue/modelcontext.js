// What the browser has for tools. The only file that names document.modelContext, so
// that a change of the WebMCP specification is a change of one file here, and one in
// Go: internal/core/modelcontext.go, which asks here what there is. Touches nothing.

/**
 * Returns document.modelContext; where only earlier browsers and older polyfills have put it, navigator.modelContext;
 * undefined where there is neither: in a worker, on an insecure page, or without browser support.
 */
function modelContext() {
  const { document, navigator } = globalThis;
  if (!isObject(document)) return undefined;
  // An element of that name, <img name="modelContext">, hides the browser's.
  const inherited = () => Reflect.get(globalThis.Document.prototype, 'modelContext', document);
  for (const find of [() => document.modelContext, inherited, () => navigator.modelContext]) {
    try {
      const found = find();
      if (isObject(found) && typeof found.registerTool === 'function') return found;
    } catch {
      // There is none.
    }
  }
  return undefined;
}

/** Whether the browser has WebMCP. */
function isSupported() {
  return modelContext() !== undefined;
}
