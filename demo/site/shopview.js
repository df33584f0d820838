// What a human sees and clicks: the catalogue, the search and the cart. Every button calls a plain function of shop.js,
// the same ones that agents reach through tools.js, but directly: no hook runs and nothing is logged.

import { element } from './dom.js';
import { cartTotal, money } from './money.js';
import { addToCart, checkout, getCart, onShopChanged, removeFromCart, searchProducts, updateCart } from './shop.js';

// ---- Catalogue -------------------------------------------------------------------------------------------------

const catalogue = document.querySelector('#catalogue');
const search = document.querySelector('#search');
const found = document.querySelector('#found');

function productCard({ id, name, price, tagline }) {
  const add = element('button', { 'type': 'button', 'class': 'button' }, 'Add ', element('span', { 'class': 'unseen' }, `${name} `), 'to cart');
  add.addEventListener('click', () => tryIt(() => addToCart({ productId: id })));
  return element('li', { 'class': 'product', 'data-product': id },
    element('div', { 'class': 'picture' }, picture(id)),
    element('div', { 'class': 'product-text' },
      element('h3', {}, name),
      element('p', { 'class': 'tagline' }, tagline),
    ),
    element('div', { 'class': 'product-buy' }, element('span', { 'class': 'price' }, money(price)), add),
  );
}

function picture(id) {
  return element('img', { src: `img/${id}.svg`, alt: '', width: 240, height: 180 }); // the name is beside it
}

const cards = new Map(searchProducts().products.map((product) => [product.id, productCard(product)]));

function showCatalogue() {
  const result = searchProducts({ query: search.value });
  catalogue.replaceChildren(...result.products.map(({ id }) => cards.get(id)));
  if (result.found === 0) {
    found.textContent = `Nothing here matches “${search.value}”`;
  } else {
    found.textContent = result.found === 1 ? '1 product' : `${result.found} products`;
  }
}

search.addEventListener('input', showCatalogue);
showCatalogue();

// ---- Cart ------------------------------------------------------------------------------------------------------

const cartLines = document.querySelector('#cart-lines');
const cartTotals = document.querySelector('#cart-total');
const cartEmpty = document.querySelector('#cart-empty');
const cartHeading = document.querySelector('#cart-heading');
const cartBadge = document.querySelector('#cart-badge');
const checkoutForm = document.querySelector('#checkout');
const problem = document.querySelector('#cart-problem');
const orderNote = document.querySelector('#order-note');

const lines = new Map(); // product id -> its line in the cart, kept so that focus survives a change

function cartLine({ productId, name }) {
  const button = (kind, label, text, action) => {
    const made = element('button', { 'type': 'button', 'class': `quiet ${kind}`, 'aria-label': label }, text);
    made.addEventListener('click', () => tryIt(action));
    return made;
  };
  const quantity = element('span', { 'class': 'quantity' });
  const total = element('span', { 'class': 'line-total' });
  const inCart = () => getCart().lines.find((line) => line.productId === productId).quantity;
  const item = element('li', { 'class': 'cart-line', 'data-product': productId },
    element('div', { 'class': 'thumb' }, picture(productId)),
    element('span', { 'class': 'line-name' }, name),
    total,
    element('div', { 'class': 'stepper' },
      button('fewer', `- one fewer ${name}`, '-', () => updateCart({ productId, quantity: inCart() - 1 })),
      quantity,
      button('more', `+ one more ${name}`, '+', () => updateCart({ productId, quantity: inCart() + 1 })),
    ),
    button('remove', `Remove ${name}`, 'Remove', () => removeFromCart({ productId })),
  );
  return { item, quantity, total };
}

function showCart() {
  const cart = getCart();
  for (const [productId, { item }] of lines) {
    if (!cart.lines.some((line) => line.productId === productId)) {
      const hadFocus = item.contains(document.activeElement);
      item.remove();
      lines.delete(productId);
      if (hadFocus) {
        cartHeading.focus(); // or the keyboard would start again at the top of the page
      }
    }
  }
  for (const line of cart.lines) {
    if (!lines.has(line.productId)) {
      lines.set(line.productId, cartLine(line));
      cartLines.append(lines.get(line.productId).item);
    }
    const { item, quantity, total } = lines.get(line.productId);
    if (quantity.textContent !== String(line.quantity)) {
      flash(item);
    }
    quantity.textContent = line.quantity;
    total.textContent = money(line.lineTotal);
  }
  cartTotals.textContent = cart.count === 0 ? '' : cartTotal(cart);
  cartBadge.textContent = cart.count;
  cartEmpty.hidden = cart.count > 0;
  checkoutForm.hidden = cart.count === 0;
}

/** Lets the eye find what changed, whoever changed it. */
function flash(item) {
  if (!matchMedia('(prefers-reduced-motion: reduce)').matches) {
    item.animate({ backgroundColor: ['var(--flash)', 'transparent'] }, { duration: 900, easing: 'ease-out' });
  }
}

/** All of an order: a human at the page reads what policy.json keeps from agents. */
function showOrder({ id, email, count, total, card, notes, cancelled }) {
  orderNote.textContent = cancelled
    ? `Order ${id} is cancelled: ${cartTotal({ count, total })}.`
    : `Order ${id} is placed: ${cartTotal({ count, total })}. The confirmation goes to ${email}. Paid with ${card.brand} ${card.number}. Note: ${notes}`;
  orderNote.dataset.order = id;
}

/** Runs what a button does, and tells why when it could not be done. */
function tryIt(action) {
  problem.textContent = '';
  try {
    return action();
  } catch (error) {
    problem.textContent = error.message;
    return undefined;
  }
}

checkoutForm.addEventListener('submit', (event) => {
  event.preventDefault();
  const { email, address } = checkoutForm.elements;
  const order = tryIt(() => checkout({ email: email.value.trim(), address: address.value.trim() || undefined }));
  email.setAttribute('aria-invalid', String(!order));
  if (order) {
    cartHeading.focus();
  } else {
    email.focus();
  }
});

onShopChanged((order) => {
  problem.textContent = '';
  if (order) {
    showOrder(order);
  } else if (getCart().count > 0) {
    orderNote.textContent = ''; // a new cart is under way
    delete orderNote.dataset.order;
  }
  showCart();
});
showCart();
