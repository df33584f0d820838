// The shop: plain functions over a state that lives in memory. Nothing in this file knows about agents, tools or
// hooks. The buttons of the page call these functions, and tools.js offers the very same functions to agents.

const currency = 'EUR';
const mostPerLine = 99;
const mostFound = 20;

const products = [
  { id: 'laptop', name: 'Laptop', price: 1299, tagline: '14 inches, 1.2 kg',
    description: 'A quiet 14-inch laptop with a matte screen, 16 GB of memory and a battery for a long day.' },
  { id: 'keyboard', name: 'Keyboard', price: 129, tagline: 'Mechanical, hot-swap',
    description: 'A compact mechanical keyboard with soft tactile switches that can be swapped without soldering.' },
  { id: 'mouse', name: 'Mouse', price: 59, tagline: 'For either hand',
    description: 'A symmetric mouse for left and right hands, with a wheel that knows both clicks and free spin.' },
  { id: 'monitor', name: 'Monitor', price: 449, tagline: '27 inches, 4K',
    description: 'A 27-inch 4K monitor that charges the laptop it is plugged into over the same cable.' },
  { id: 'headphones', name: 'Headphones', price: 219, tagline: 'Closed, 40 hours',
    description: 'Closed wireless headphones with noise cancelling, 40 hours of battery and a plug for when it is empty.' },
  { id: 'webcam', name: 'Webcam', price: 89, tagline: 'With a real shutter',
    description: 'A 1440p webcam that copes with a bright window behind you and closes with a real shutter.' },
  { id: 'lamp', name: 'Desk lamp', price: 119, tagline: 'Warm to daylight',
    description: 'A jointed desk lamp that goes from warm evening light to daylight and remembers where you left it.' },
  { id: 'dock', name: 'Dock', price: 179, tagline: 'One cable for all',
    description: 'A dock with two screens, wired network and card reader behind one laptop cable.' },
  { id: 'mug', name: 'Mug', price: 18, tagline: 'Holds 350 ml',
    description: 'A stoneware mug, glazed by hand. Dishwasher safe, keeps 350 ml of coffee warm.' },
];

// Made up, as all here: how an order is paid, and what the shop's people have noted about the customer.
const card = { brand: 'Visa', number: '4242 4242 4242 4242' };
const notes = 'Door code 4711, asks for discounts.';

const cart = new Map(); // product id -> quantity, in the order they were added
const orders = new Map(); // order id -> order, with cancelled: true once it is
const watchers = new Set();
let orderNumber = 1000;

/** Calls watcher after every change of the cart or the orders. Its argument is the order just placed or cancelled, if that was it. */
export function onShopChanged(watcher) {
  watchers.add(watcher);
}

export function searchProducts({ query = '', limit = mostFound } = {}) {
  if (typeof query !== 'string') {
    throw new Error('query must be a text, for example "keyboard".');
  }
  if (!Number.isInteger(limit) || limit < 1 || limit > mostFound) {
    throw new Error(`limit must be a whole number from 1 to ${mostFound}.`);
  }
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = products.filter((product) => {
    const text = `${product.id} ${product.name} ${product.tagline} ${product.description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return { query, found: found.length, products: found.slice(0, limit).map(describe) };
}

export function getProduct({ productId } = {}) {
  return describe(findProduct(productId));
}

export function getCart() {
  const lines = [...cart].map(([productId, quantity]) => {
    const { name, price } = findProduct(productId);
    return { productId, name, quantity, unitPrice: price, lineTotal: price * quantity };
  });
  return {
    lines,
    count: lines.reduce((sum, line) => sum + line.quantity, 0),
    total: lines.reduce((sum, line) => sum + line.lineTotal, 0),
    currency,
  };
}

export function addToCart({ productId, quantity = 1 } = {}) {
  const product = findProduct(productId);
  requireQuantity(quantity, 1);
  const inCart = (cart.get(product.id) ?? 0) + quantity;
  if (inCart > mostPerLine) {
    throw new Error(`The cart would hold ${inCart} of "${product.id}": at most ${mostPerLine} of a product can be ordered.`);
  }
  cart.set(product.id, inCart);
  changed();
  return getCart();
}

export function updateCart({ productId, quantity } = {}) {
  const product = findInCart(productId);
  requireQuantity(quantity, 0);
  if (quantity === 0) {
    cart.delete(product.id);
  } else {
    cart.set(product.id, quantity);
  }
  changed();
  return getCart();
}

export function removeFromCart({ productId } = {}) {
  cart.delete(findInCart(productId).id);
  changed();
  return getCart();
}

export function checkout({ email, address } = {}) {
  if (cart.size === 0) {
    throw new Error('The cart is empty: add a product before checkout.');
  }
  if (typeof email !== 'string' || email.length > 254 || !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) {
    throw new Error('email must be an e-mail address, for example ada@example.com.');
  }
  if (address !== undefined && typeof address !== 'string') {
    throw new Error('address must be a text, or be left out.');
  }
  orderNumber += 1;
  const order = { id: `K-${orderNumber}`, email, ...(address ? { address } : {}), ...getCart(), card, notes };
  cart.clear();
  orders.set(order.id, order);
  changed(order);
  return structuredClone(order);
}

export function getOrder({ orderId } = {}) {
  return structuredClone(findOrder(orderId));
}

export function cancelOrder({ orderId } = {}) {
  const order = findOrder(orderId);
  if (order.cancelled) {
    throw new Error(`Order "${order.id}" is cancelled already.`);
  }
  order.cancelled = true;
  changed(order);
  return structuredClone(order);
}

// What leaves the shop is always a copy: nobody outside can change a price.
function describe({ id, name, price, tagline, description }) {
  return { id, name, price, currency, tagline, description };
}

function findProduct(productId) {
  const product = products.find(({ id }) => id === productId);
  if (!product) {
    throw new Error(`There is no product "${productId}". Products: ${products.map(({ id }) => id).join(', ')}.`);
  }
  return product;
}

function findOrder(orderId) {
  const order = orders.get(orderId);
  if (!order) {
    throw new Error(`There is no order "${orderId}". Orders of this page: ${[...orders.keys()].join(', ') || 'none'}.`);
  }
  return order;
}

function findInCart(productId) {
  const product = findProduct(productId);
  if (!cart.has(product.id)) {
    const inCart = [...cart.keys()].join(', ') || 'nothing';
    throw new Error(`"${product.id}" is not in the cart. In the cart: ${inCart}.`);
  }
  return product;
}

function requireQuantity(quantity, least) {
  if (!Number.isInteger(quantity) || quantity < least || quantity > mostPerLine) {
    throw new Error(`quantity must be a whole number from ${least} to ${mostPerLine}.`);
  }
}

function changed(order) {
  for (const watcher of watchers) {
    watcher(order);
  }
}
