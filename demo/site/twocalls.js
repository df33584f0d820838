// For a visitor without an agent: two checkouts at once, called as an agent calls them. One question waits for the other.

import { webmcp } from '../dist/webmcp.js';
import { addToCart, getCart } from './shop.js';

document.querySelector('#two-calls').addEventListener('click', () => {
  if (getCart().count === 0) {
    addToCart({ productId: 'mug' }); // an empty cart cannot be ordered
  }
  for (const email of ['ada@example.com', 'grace@example.com']) {
    webmcp.invokeTool('checkout', { email });
  }
});
