// A page with seven tools, and how long its main thread is busy with them until it is idle again; then the first call.

const schema = {
  type: 'object', required: ['id'],
  properties: { id: { type: 'integer', minimum: 1 }, name: { type: 'string', maxLength: 80 }, tags: { type: 'array', items: { type: 'string' } } },
};
const hooks = { before: [({ input }) => ({ input: { ...input, tenant: 'kontor' } })] };

async function start() {
  const go = new Go();
  const { instance } = await WebAssembly.instantiateStreaming(fetch('webmcp.wasm'), go.importObject); // off the main thread, mostly
  const times = {};
  const timed = (name, act) => {
    const start = performance.now();
    const result = act();
    times[name] = performance.now() - start;
    return result;
  };
  timed('run', () => { go.run(instance) });
  await go.webmcp.ready;
  const registered = timed('register', () => Array.from({ length: 7 }, (_, i) => webmcp(({ id }) => id, { name: `tool${i}`, description: 'One of seven.', schema, hooks }).register()));
  await Promise.all(registered);
  const start = performance.now();
  await webmcp.invokeTool('tool3', { id: 3 });
  times.call = performance.now() - start;
  return times;
}

window.started = start();
