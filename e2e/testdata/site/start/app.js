async function start() {
  const go = new Go();
  const { instance } = await WebAssembly.instantiateStreaming(fetch('webmcp.wasm'), go.importObject); // off the main thread, mostly
  timed('run', () => { go.run(instance) });
  await go.webmcp.ready;
  await registerSeven(webmcp);
  return callOne(webmcp);
}

window.started = start();
