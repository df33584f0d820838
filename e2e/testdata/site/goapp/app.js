// The Go program of testdata/goapp, which embeds package bridge.
const go = new Go();
WebAssembly.instantiateStreaming(fetch('goapp.wasm'), go.importObject).then(async result => {
  await go.run(result.instance);
  globalThis.ended = true;
});
