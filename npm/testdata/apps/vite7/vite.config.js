export default {
  optimizeDeps: { exclude: ['webmcp-wasm'] },
};
