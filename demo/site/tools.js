// How the shop's functions become tools for agents, and what happens around each agent call.
// This is the whole integration: shop.js knows nothing of it, and the page's own buttons never come through here.

import { webmcp } from '../dist/webmcp.js';
import * as shop from './shop.js';
import { cartSummary } from './money.js';
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
        trace('after', tool.tool.name, invocationId, { output, approval: metadata.approval, duration });
      },
    ],
    error: [
      ({ tool, error, invocationId, metadata }) => {
        trace('error', tool.tool.name, invocationId, { error, approval: metadata.approval });
      },
    ],
    denied: [
      ({ tool, reason, code, invocationId, metadata }) => {
        trace('denied', tool.tool.name, invocationId, { reason, code, approval: metadata.approval });
      },
    ],
  },
});

// ---- Approval: which calls wait for a human. The dialog, the queue and the time limit are the library's. --------

const requireApproval = document.querySelector('#require-approval'); // the switch on the page

// Checkout has an approval of its own. An agent's call says where the order goes, but not what is in it: that is the
// cart, which may change while the human reads. So what the human is shown is noted, and has to be in the cart still.
const checkoutApproval = {
  title: 'Place this order?',
  edit: true, // the human may correct the e-mail address or say another one
  describe: () => `Order ${cartSummary(shop.getCart())}.`,
  when({ metadata }) { // asked before the human is, and once more when the human has approved: then it can only deny
    const cart = shop.getCart();
    const summary = cartSummary(cart);
    metadata.cart ??= summary;
    if (cart.count === 0) {
      return { deny: 'The cart is empty: add a product before checkout.', code: 'CART_EMPTY' };
    }
    if (metadata.cart !== summary) {
      return { deny: 'The cart has changed while the human was asked, so nothing was ordered. Look at get_cart, then check out again.', code: 'CART_CHANGED' };
    }
    return requireApproval.checked ? 'ask' : 'allow';
  },
};

// Approvals add up, and each can only tighten: with the second switch on, this one asks too, and wants a passkey.
const requirePasskey = document.querySelector('#require-passkey');
const passkeyApproval = {
  when: () => (requirePasskey.checked ? 'ask' : 'allow'),
  verify: 'passkey',
  edit: true,
};

requirePasskey.addEventListener('change', async () => {
  const problem = document.querySelector('#passkey-problem');
  problem.textContent = '';
  if (!requirePasskey.checked) return;
  try {
    await webmcp.approvals.enrol({ name: 'A customer of Kontor' });
  } catch (error) {
    requirePasskey.checked = false;
    problem.textContent = `There is no passkey to confirm with: ${error.message}`;
  }
});

// A policy asks by a hint: here about each tool of the scope that has consequences. The human may have an answer
// remembered, until the page is closed. webmcp.configure takes the same approval for all tools of a page. This one is
// for placed orders alone: policies only tighten, so a global one would ask about checkout with the switch off too.
const placedOrders = webmcp.scope({
  approval: {
    when: 'consequential',
    describe: ({ orderId }) => `Order ${orderId}: ${cartSummary(shop.getOrder({ orderId }))}.`,
    remember: ['arguments', 'tool'],
  },
});

// A tool in such a scope may say more. What cannot succeed is nothing to ask a human about.
function onlyOpenOrders({ input }) {
  try {
    const { id, cancelled } = shop.getOrder(input);
    return cancelled ? { deny: `Order "${id}" is cancelled already.`, code: 'ORDER_CANCELLED' } : 'allow';
  } catch (error) {
    return { deny: error.message, code: 'ORDER_UNKNOWN' };
  }
}

// ---- Policy: what else agents may not do, and do not read, is data: policy.json, which index.html links. ---------
// The page shows a human the whole order; an agent gets a***@example.com, ***4242 and no notes. Conditions may be about
// what is in the cart: a rule has checkouts over 500 EUR left to people. This tells it, for calls that begin from now on.

function tellPolicy() {
  const { count, total } = shop.getCart();
  webmcp.context({ cart: { count, total } });
}
shop.onShopChanged(tellPolicy);
tellPolicy();

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
      + 'Returns the order with its id and total; personal data in it is redacted.',
    schema: object({
      email: { type: 'string', format: 'email', pattern: '^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$', description: 'Where the order confirmation goes.', examples: ['ada@example.com'] },
      address: { type: 'string', description: 'Where the parcel goes, on one line.', maxLength: 300, examples: ['12 Analytical Row, London'] },
    }, ['email']),
    annotations: { consequentialHint: true },
    approval: [checkoutApproval, passkeyApproval],
  }),
];

const orderId = { type: 'string', description: 'Id of an order, as checkout returns it.', examples: ['K-1001'] };

const orderTools = [
  webmcp(shop.getOrder, {
    title: 'Get order',
    description: 'Get an order that was placed on this page: lines, total, and how it was paid. Personal data is redacted.',
    schema: object({ orderId }, ['orderId']),
    annotations: { readOnlyHint: true },
  }),

  webmcp(shop.cancelOrder, {
    title: 'Cancel order',
    description: 'Cancel an order that was placed on this page; that cannot be undone. A human is asked to approve, which '
      + 'can take a while. Returns the order; personal data in it is redacted.',
    schema: object({ orderId }, ['orderId']),
    annotations: { consequentialHint: true },
    approval: onlyOpenOrders,
  }),
];

function object(properties, required = []) {
  return { type: 'object', properties, required, additionalProperties: false };
}

// ---- From here on agents can see and call them. ----------------------------------------------------------------

await Promise.all([
  ...tools.map((tool) => tool.register()),
  ...orderTools.map((tool) => tool.register({ scope: placedOrders })),
]);
