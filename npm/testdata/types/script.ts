// Without an import: the file is a script, and sees globals only.

/// <reference types="webmcp-wasm" />
/// <reference types="webmcp-wasm/wasm_exec.js" />

const go = new Go();
WebAssembly.instantiateStreaming(fetch('webmcp.wasm'), go.importObject).then(({ instance }) => go.run(instance));

webmcp?.configure({ hooks: { before: ({ tool }) => console.log(tool.tool.name) } });
// @ts-expect-error it may not have arrived; in a module: it was not imported
webmcp.configure({});
