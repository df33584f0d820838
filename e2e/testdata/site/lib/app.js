// The library on an otherwise empty page.
const go = new Go();
WebAssembly.instantiateStreaming(fetch('webmcp.wasm'), go.importObject).then(result => go.run(result.instance));
