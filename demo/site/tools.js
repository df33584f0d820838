// How the shop's functions become tools for agents, and what happens around each agent call.
// This is the whole integration: shop.js knows nothing of it, and the page's own buttons never come through here.

import { webmcp } from '../dist/webmcp.js';
import * as shop from './shop.js';
import { approvalRequired, askHuman } from './approval.js';
import { trace } from './trace.js';

// ---- Global hooks: they run around every tool. Here they time, and write to the console. -----------------------
// The log on the page needs no code: <webmcp-hook-log> adds hooks of its own, much like these.

webmcp.configure({
  hooks: {
    before: [
      ({ tool, input, invocationId, metadata }) => {
        metadata.start = performance.now(); // one bag per invocation, shared by all of its hooks
        trace('before', tool.tool.name, invocationId, { input });
      },
    ],
    after: [
      ({ tool, output, invocationId, metadata }) => {
        const duration = performance.now() - metadata.start; // a human who was asked is part of it
        trace('after', tool.tool.name, invocationId, { output, duration });
      },
    ],
    error: [
      ({ tool, error, invocationId }) => {
        trace('error', tool.tool.name, invocationId, { error });
      },
    ],
    denied: [
      ({ tool, reason, code, invocationId }) => {
        trace('denied', tool.tool.name, invocationId, { reason, code });
      },
    ],
  },
});

// ---- Tool hooks: these are for checkout alone. -----------------------------------------------------------------

// A before hook may deny. It waits for the human, or for the agent to cancel: askHuman rejects when signal aborts.
async function requireApproval({ tool, input, signal }) {
  if (approvalRequired() && !(await askHuman({ tool: tool.tool, input, signal }))) {
    return {
      action: 'deny',
      code: 'USER_DENIED',
      message: 'The human declined this checkout. Ask what to change before you try again.',
    };
  }
  return undefined; // go on, with the input as it is
}

// An after hook may replace the output. The human's own checkout shows the whole address; an agent gets a***@example.com.
function redactEmail({ output }) {
  return { output: { ...output, email: output.email.replace(/^(.).*@/u, '$1***@') } };
}

// ---- Tools: a function each, with a contract the agent reads. --------------------------------------------------
// Their names come from the functions: searchProducts is offered as search_products.

const productId = {
  type: 'string',
  description: 'Id of a product, as search_products returns it.',
  examples: ['keyboard'],
};

export const tools = [
  webmcp(shop.searchProducts, {
    title: 'Search products',
    description: 'Find products of the shop by words in their name or description. An empty query finds all of them. '
      + 'Returns id, name, price and description of each.',
    schema: object({
      query: { type: 'string', description: 'Words that must all occur, in any order.', maxLength: 200, examples: ['cable'] },
      limit: { type: 'integer', description: 'How many products to return at most.', minimum: 1, maximum: 20, examples: [5] },
    }, ['query']),
    annotations: { readOnlyHint: true },
  }),

  webmcp(shop.getProduct, {
    title: 'Get product',
    description: 'Get one product by its id, with price and full description.',
    schema: object({ productId }, ['productId']),
    annotations: { readOnlyHint: true },
  }),

  webmcp(shop.getCart, {
    title: 'Get cart',
    description: 'Get what is in the cart now: lines with quantities and prices, item count, total and currency.',
    schema: object({}),
    annotations: { readOnlyHint: true },
  }),

  webmcp(shop.addToCart, {
    title: 'Add to cart',
    description: 'Add a product to the cart, on top of what the cart holds of it already. Returns the new cart.',
    schema: object({
      productId,
      quantity: { type: 'integer', description: 'How many to add. 1 when left out.', minimum: 1, maximum: 99, examples: [1] },
    }, ['productId']),
  }),

  webmcp(shop.updateCart, {
    title: 'Update cart',
    description: 'Set the quantity of a product that is in the cart; 0 takes it out. Returns the new cart.',
    schema: object({
      productId,
      quantity: { type: 'integer', description: 'The new quantity.', minimum: 0, maximum: 99, examples: [2] },
    }, ['productId', 'quantity']),
  }),

  webmcp(shop.removeFromCart, {
    title: 'Remove from cart',
    description: 'Take a product out of the cart, however many there are. Returns the new cart.',
    schema: object({ productId }, ['productId']),
  }),

  webmcp(shop.checkout, {
    title: 'Check out',
    description: 'Order everything in the cart and empty it. A human may be asked to approve, which can take a while. '
      + 'Returns the order with its id and total; the e-mail address in it is redacted.',
    schema: object({
      email: { type: 'string', format: 'email', description: 'Where the order confirmation goes.', examples: ['ada@example.com'] },
      address: { type: 'string', description: 'Where the parcel goes, on one line.', maxLength: 300, examples: ['12 Analytical Row, London'] },
    }, ['email']),
    annotations: { consequentialHint: true },
    hooks: { before: [requireApproval], after: [redactEmail] },
  }),
];

function object(properties, required = []) {
  return { type: 'object', properties, required, additionalProperties: false };
}

// ---- From here on agents can see and call them. ----------------------------------------------------------------

await Promise.all(tools.map((tool) => tool.register()));
