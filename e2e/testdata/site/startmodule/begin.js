// Runs right before webmcp.js, as the imports of app.js are in that order.

window.begun = performance.now();

// The module runs as soon as it is instantiated: see load in go.js.
const { instantiate } = WebAssembly;
WebAssembly.instantiate = async (...args) => {
  const instance = await instantiate(...args);
  window.instantiated = performance.now();
  return instance;
};
