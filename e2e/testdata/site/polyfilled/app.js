// The library in a browser without WebMCP, with the polyfill of it.
globalThis.WebMCPPolyfill?.initializeWebMCPPolyfill?.();
const go = new Go();
WebAssembly.instantiateStreaming(fetch('webmcp.wasm'), go.importObject).then(({ instance }) => go.run(instance));
