// Amounts and carts in words, the same everywhere on the page.

const format = new Intl.NumberFormat('en-IE', { style: 'currency', currency: 'EUR' });

export function money(amount) {
  return format.format(amount);
}

/** "3 items, €317.00", or that there is nothing. */
export function cartTotal({ count, total }) {
  if (count === 0) {
    return 'The cart is empty';
  }
  return `${count} ${count === 1 ? 'item' : 'items'}, ${money(total)}`;
}

/** A cart, or an order, in one line: "2 × Keyboard, 1 × Mouse for €317.00". */
export function cartSummary({ lines, count, total }) {
  if (count === 0) {
    return 'The cart is empty';
  }
  return `${lines.map(({ quantity, name }) => `${quantity} × ${name}`).join(', ')} for ${money(total)}`;
}
