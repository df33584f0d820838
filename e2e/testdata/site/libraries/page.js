// The same contract in each library: {quantity: a number from 1 to 10, note: a text, 'none' by default}.
const schemas = {
  zod: () => z.object({ quantity: z.coerce.number().min(1).max(10), note: z.string().default('none') }),
  zodAsync: () => z.object({
    quantity: z.coerce.number().min(1).max(10).refine(async (n) => n !== 7, 'is sold out'), note: z.string().default('none'),
  }),
  valibot: () => v.object({
    quantity: v.pipe(v.unknown(), v.transform(Number), v.number(), v.minValue(1), v.maxValue(10)), note: v.optional(v.string(), 'none'),
  }),
  valibotAsync: () => v.objectAsync({
    quantity: v.pipeAsync(v.unknown(), v.transform(Number), v.number(), v.minValue(1), v.maxValue(10), v.checkAsync(async (n) => n !== 7, 'is sold out')),
    note: v.optional(v.string(), 'none'),
  }),
  arktype: () => type({ quantity: type('string.numeric.parse | number').to('1 <= number <= 10'), note: "string = 'none'" }),
};

/** Registers a tool with the schema of a library; it answers with the input that it got. */
function order(library) {
  return webmcp((input) => JSON.stringify(input), {
    name: 'order', description: 'Orders.', schema: schemas[library](),
    hooks: { error: [({ error }) => { globalThis.seen = [error.name, error.issues] }] },
  }).register();
}

// A call of the size that is asked for, and its contract in JSON Schema and in zod.
const line = { id: 'keyboard-4711', quantity: 2, price: 129.5, gift: false, tags: ['desk', 'quiet', 'new'], note: 'leave it at the door' };
const cart = (lines) => ({ email: 'ada@example.com', lines: Array.from({ length: lines }, () => ({ ...line })) });
const cartSchema = {
  type: 'object',
  properties: {
    email: { type: 'string', minLength: 3 },
    lines: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          id: { type: 'string', minLength: 1 }, quantity: { type: 'integer', minimum: 1 }, price: { type: 'number' },
          gift: { type: 'boolean' }, tags: { type: 'array', items: { type: 'string' } }, note: { type: 'string', maxLength: 200 },
        },
        required: ['id', 'quantity', 'price', 'gift', 'tags', 'note'],
        additionalProperties: false,
      },
    },
  },
  required: ['email', 'lines'],
  additionalProperties: false,
};

// What is registered in the browser, by name: calling execute is the pipeline without the browser around it.
const registered = {};
const { registerTool } = document.modelContext;
document.modelContext.registerTool = function (tool, options) {
  registered[tool.name] = tool;
  return registerTool.call(this, tool, options);
};

/** Registers a tool with a contract, and prepares the same contract in zod, of today and of version 3. */
async function prepareCarts() {
  await webmcp(async ({ lines }) => `${lines.length} lines`, { name: 'checked', description: 'With a contract.', schema: cartSchema }).register();
  const contract = (z) => {
    const object = z.strictObject ?? ((shape) => z.object(shape).strict());
    return object({
      email: z.string().min(3),
      lines: z.array(object({
        id: z.string().min(1), quantity: z.number().int().min(1), price: z.number(), gift: z.boolean(),
        tags: z.array(z.string()), note: z.string().max(200),
      })),
    });
  };
  globalThis.zodCart = contract(z);
  globalThis.zod3Cart = contract(z3);
}

/**
 * The microseconds of count calls each, with so many lines: of the tool; of the tool with next to no input, which is
 * what a call takes beside the validation; and of zod's check alone.
 */
async function timeCarts(lines, count) {
  const input = cart(lines);
  const nothing = cart(0);
  const { signal } = new AbortController();
  const ways = {
    checked: () => registered.checked.execute(input, { signal }),
    empty: () => registered.checked.execute(nothing, { signal }),
    zod: () => zodCart.parse(input),
    zod3: () => zod3Cart.parse(input),
  };
  const times = { bytes: JSON.stringify(input).length };
  for (const [name, call] of Object.entries(ways)) {
    times[name] = [];
    for (let i = 0; i < count; i++) {
      const start = performance.now();
      for (let n = 0; n < 20; n++) await call();
      times[name].push((performance.now() - start) * 50);
    }
  }
  return times;
}

const go = new Go();
WebAssembly.instantiateStreaming(fetch('webmcp.wasm'), go.importObject).then(({ instance }) => go.run(instance));
