import './dist/elements.js';
import { webmcp } from './dist/webmcp.js';

const make = (name, returns) => webmcp(returns, { name, description: 'Does something.', schema: { type: 'object' } }).register();

globalThis.api = webmcp; // a global webmcp comes with the module
globalThis.audit = document.querySelector('webmcp-audit');
globalThis.parts = (name) => [...audit.shadowRoot.querySelectorAll(`[part~="${name}"]`)];
await Promise.all([
  make('get_customer', () => ({ name: 'Ada Lovelace', email: 'ada@example.com', card: '4111111111111111' })),
  make('order', ({ total }) => `Ordered for ${total} EUR.`),
  make('search_products', ({ query }) => ({ found: [`${query} in green`, `${query} in blue`] })),
  make('export', () => 'a,b\n1,2'),
  make('fail', () => { throw new TypeError('the warehouse does not answer'); }),
]);
globalThis.bareReady = true;
