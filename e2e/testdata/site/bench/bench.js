// Two tools that do the same: one registered by hand, one with six hooks around it; and ways to time a call of either.

// What is registered in the browser, by name: calling execute is the pipeline without the browser around it.
const registered = {};
const registerTool = document.modelContext.registerTool;
document.modelContext.registerTool = function (tool, options) {
  registered[tool.name] = tool;
  return registerTool.call(this, tool, options);
};

const input = { productId: 'keyboard', quantity: 2, note: 'express' }; // 55 bytes as JSON

async function addToCart({ productId, quantity }) {
  return `${quantity} of ${productId} are in the cart`;
}

document.addEventListener('DOMContentLoaded', async () => {
  const go = new Go();
  const { instance } = await WebAssembly.instantiateStreaming(fetch('webmcp.wasm'), go.importObject);
  go.run(instance);

  await document.modelContext.registerTool({
    name: 'raw', description: 'By hand.', execute: async (input) => ({ content: [{ type: 'text', text: await addToCart(input) }] }),
  });
  webmcp.configure({ hooks: {
    before: [
      ({ metadata }) => { metadata.start = performance.now() },
      ({ input }) => ({ input: { ...input, tenant: 'kontor' } }),
    ],
    after: [({ metadata }) => { metadata.took = performance.now() - metadata.start }],
  } });
  await webmcp(addToCart, {
    name: 'hooked', description: 'With six hooks.',
    hooks: {
      before: [
        ({ input }) => { if (input.quantity > 99) return { action: 'deny', code: 'TOO_MANY', message: 'At most 99.' } },
        ({ metadata, invocationId }) => { metadata.trace = invocationId },
      ],
      after: [({ output }) => ({ output: output.replace('keyboard', 'k***') })],
    },
  }).register();

  window.toolsByName = Object.fromEntries((await document.modelContext.getTools()).map(tool => [tool.name, tool]));
});

/** The microseconds that each of count calls of a tool takes, one after the other, through the browser. */
async function throughBrowser(name, count) {
  const times = new Array(count);
  for (let i = 0; i < count; i++) {
    const start = performance.now();
    await document.modelContext.executeTool(toolsByName[name], input);
    times[i] = (performance.now() - start) * 1000;
  }
  return times;
}

/** The microseconds of count calls of a tool's own execute function, each the mean of a hundred. */
async function direct(name, count) {
  const { signal } = new AbortController();
  const { execute } = registered[name];
  const times = new Array(count);
  for (let i = 0; i < count; i++) {
    const start = performance.now();
    for (let n = 0; n < 100; n++) await execute(input, { signal });
    times[i] = (performance.now() - start) * 10;
  }
  return times;
}
