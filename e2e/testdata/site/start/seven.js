// Seven tools, and how long the main thread is busy with them until it is idle again; then the first call. For both forms
// of the library.

const schema = {
  type: 'object', required: ['id'],
  properties: { id: { type: 'integer', minimum: 1 }, name: { type: 'string', maxLength: 80 }, tags: { type: 'array', items: { type: 'string' } } },
};
const hooks = { before: [({ input }) => ({ input: { ...input, tenant: 'kontor' } })] };
const times = {};

/** Acts, and notes in milliseconds how long that takes the main thread. */
function timed(name, act) {
  const start = performance.now();
  const result = act();
  times[name] = performance.now() - start;
  return result;
}

/** Makes and registers the tools; resolves when they are registered. */
function registerSeven(webmcp) {
  return timed('register', () => Promise.all(Array.from({ length: 7 }, (_, i) => webmcp(({ id }) => id, { name: `tool${i}`, description: 'One of seven.', schema, hooks }).register())));
}

/** Resolves to all times, with that of the first call. */
async function callOne(webmcp) {
  const start = performance.now();
  await webmcp.invokeTool('tool3', { id: 3 });
  return { ...times, call: performance.now() - start };
}
