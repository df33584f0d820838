// Tools that do the same in different ways, and rounds of calls of each in turns, so that what the machine does besides
// meets all of them alike.
import { wrap } from './plain.js';

const context = document.modelContext;
const executes = {}; // by name: calling one is the call without the browser around it
const registerTool = context.registerTool;
context.registerTool = function (tool, options) {
  executes[tool.name] = tool.execute;
  return registerTool.call(this, tool, options);
};

/** Returns an input of about so many bytes of JSON. */
function inputOf(bytes) {
  const input = { id: 7, items: [], note: 'hello' };
  for (let left = bytes - JSON.stringify(input).length, i = 0; left > 60; i++) {
    const item = { id: i, name: `item number ${i}`, tags: ['alpha', 'beta'] };
    input.items.push(item);
    left -= JSON.stringify(item).length + 1;
  }
  return input;
}

const SCHEMA = {
  type: 'object', required: ['id', 'items', 'note'],
  properties: {
    id: { type: 'integer' },
    items: {
      type: 'array',
      items: {
        type: 'object', required: ['id', 'name', 'tags'],
        properties: { id: { type: 'integer' }, name: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } },
      },
    },
    note: { type: 'string' },
  },
};
const zod = z.looseObject({
  id: z.number().int(), items: z.array(z.object({ id: z.number().int(), name: z.string(), tags: z.array(z.string()) })), note: z.string(),
});

const fn = async (input) => ({ ok: true, items: input.items.length });
const echo = async (input) => ({ ok: true, echo: input });

// Six hooks, two in each of three places, and each changes something.
const enrich = (key) => ({ before: [({ input }) => ({ input: { ...input, [key]: 1 } })], after: [({ output }) => ({ output: { ...output, [key]: 1 } })] });
const everywhere = enrich('everywhere'), scoped = enrich('scoped'), own = enrich('own');
const six = [everywhere, scoped, own];

/** The rows: the size of the input, how it is called, and the ways to do it. The first is what the others are compared with. */
const ROWS = {
  'execute-50B': [50, through, 'raw', 'plain', 'ours', 'mcpb'],
  'execute-1KB': [1024, through, 'raw', 'plain', 'ours', 'mcpb'],
  'execute-50KB-echo': [51200, through, 'hand', 'plainEcho', 'oursEcho'],
  'at-once-100x50B': [50, atOnce, 'raw', 'plain', 'ours'],
  'direct-50B': [50, direct, 'plain', 'ours'],
  'direct-1KB': [1024, direct, 'plain', 'ours'],
  'contract-50B': [50, direct, 'plainZod', 'oursZod', 'oursSchema'],
  'policy-limits-50B': [50, through, 'ours', 'oursLimited'],
  'policy-limits-direct-50B': [50, direct, 'ours', 'oursLimited'],
  'policy-rules-1KB': [1024, through, 'oursSchema', 'oursRuled'],
  'policy-rules-direct-1KB': [1024, direct, 'oursSchema', 'oursRuled'],
  'contract-1KB': [1024, direct, 'plainZod', 'oursZod', 'oursSchema'],
};

/** Limits and the audit log for each call of one tool; a condition on the input and a redaction for another. */
const POLICY = {
  webmcp: 1,
  rules: [
    { tools: 'oursLimited', rate: '99999/s', timeout: '20s', audit: true },
    { tools: 'oursRuled', when: { properties: { id: { minimum: 100 } } }, deny: 'Too much.' },
    { tools: 'oursRuled', redact: { '/secret': 'full' } },
  ],
};

async function start() {
  const go = new Go();
  go.run((await WebAssembly.instantiateStreaming(fetch('webmcp.wasm'), go.importObject)).instance);
  await go.webmcp.ready;
}

/** Registers what the rows call, and calls all of it until it is compiled. Returns the rows. */
window.prepare = async () => {
  await started;
  const text = (output) => ({ content: [{ type: 'text', text: JSON.stringify(output) }] });
  const byHand = {
    raw: async (input) => text(await fn(input)),
    hand: async (input) => text(await echo(input)),
    plain: wrap(fn, six), plainEcho: wrap(echo, six), plainZod: wrap(fn, six, (input) => zod.parse(input)),
  };
  for (const [name, execute] of Object.entries(byHand)) await context.registerTool({ name, description: 'By hand.', inputSchema: SCHEMA, execute });

  await webmcp.policy(POLICY);
  webmcp.configure({ hooks: everywhere });
  const scope = webmcp.scope({ hooks: scoped });
  for (const [name, of, schema] of [['ours', fn, {}], ['oursLimited', fn, {}], ['oursRuled', fn, SCHEMA], ['oursEcho', echo, {}], ['oursZod', fn, zod], ['oursSchema', fn, SCHEMA]]) {
    await webmcp(of, { name, description: 'Ours.', schema, hooks: own }).register({ scope });
  }
  // Another library for the same purpose, without hooks, for it has none; it takes over document.modelContext, and
  // lists all tools again whenever one changes.
  await new Promise((resolve, reject) => document.head.append(Object.assign(document.createElement('script'), { src: 'mcpb.js', onload: resolve, onerror: reject })));
  await document.modelContext.registerTool({ name: 'mcpb', description: 'Theirs.', inputSchema: SCHEMA, execute: byHand.raw });

  window.tools = Object.fromEntries((await context.getTools()).map((tool) => [tool.name, tool]));
  for (const [, , ...names] of Object.values(ROWS)) {
    const [first, ...others] = await Promise.all(names.map(async (name) => JSON.parse(await context.executeTool(tools[name], inputOf(50))).content[0].text));
    for (const other of others) if (JSON.parse(other).items !== JSON.parse(first).items) throw new Error(`${names} do not do the same: ${first}, ${other}`);
  }
  for (const row of Object.keys(ROWS)) for (let i = 0; i < 5; i++) await round(row); // until all of it is compiled
  return Object.entries(ROWS).map(([row, [, , ...names]]) => ({ row, names }));
};

let turn = 0;

/** Returns the microseconds of some calls of each way of a row, in another order each time. */
window.round = async (row) => {
  const [bytes, call, ...names] = ROWS[row];
  const input = inputOf(bytes);
  turn++;
  const times = {};
  for (let i = 0; i < names.length; i++) {
    const name = names[(i + turn) % names.length];
    times[name] = await call(name, input);
    await new Promise((resolve) => setTimeout(resolve));
  }
  return times;
};

/** Calls as an agent in the page does. */
async function through(name, input) {
  const tool = tools[name], times = [];
  for (let i = 0; i < 15; i++) {
    const start = performance.now();
    await context.executeTool(tool, input);
    times.push((performance.now() - start) * 1000);
  }
  return times;
}

/** A hundred calls at once. */
async function atOnce(name, input) {
  const tool = tools[name], start = performance.now();
  await Promise.all(Array.from({ length: 100 }, () => context.executeTool(tool, input)));
  return [(performance.now() - start) * 1000];
}

/** Calls without the browser around them; each figure is the mean of fifty. */
async function direct(name, input) {
  const execute = executes[name], { signal } = new AbortController(), times = [];
  for (let i = 0; i < 5; i++) {
    const start = performance.now();
    for (let n = 0; n < 50; n++) await execute(input, { signal });
    times.push((performance.now() - start) * 20);
  }
  return times;
}

const MANY = 500;
const MAKERS = {
  raw: (name) => byHand(name, fn),
  plain: (name) => byHand(name, wrap(fn, six)),
  ours: (name) => {
    const tool = webmcp(fn, { name, description: 'One of many.', schema: SCHEMA, hooks: own });
    return [() => tool.register(), () => tool.unregister()];
  },
};

/** Returns what registers a tool of somebody who uses the browser alone, and what ends that. */
function byHand(name, execute) {
  const controller = new AbortController();
  return [() => registerTool.call(context, { name, description: 'One of many.', inputSchema: SCHEMA, execute }, { signal: controller.signal }), () => controller.abort()];
}

/** Makes and registers many tools of each kind, and ends them. Returns the milliseconds of both. */
window.registration = async () => {
  turn++;
  const kinds = Object.keys(MAKERS), times = {};
  const others = (await context.getTools()).length;
  for (let i = 0; i < kinds.length; i++) {
    const kind = kinds[(i + turn) % kinds.length];
    await new Promise((resolve) => setTimeout(resolve, 10));
    const start = performance.now();
    const tools = Array.from({ length: MANY }, (_, n) => MAKERS[kind](`${kind}_${turn}_${n}`));
    await Promise.all(tools.map(([register]) => register()));
    const registered = performance.now();
    for (const [, end] of tools) end();
    if ((await context.getTools()).length !== others) throw new Error(`${kind} has left tools`);
    times[kind] = [registered - start, performance.now() - registered];
  }
  return times;
};

window.started = start();
