// The tools of the server, as functions of a page. policy.json, which page.html links, is about both.

import { webmcp } from './webmcp.js';

const object = (properties) => ({ type: 'object', properties, required: Object.keys(properties), additionalProperties: false });
const byID = object({ id: { type: 'integer' } });
const readOnly = { readOnlyHint: true }, consequential = { consequentialHint: true };

const tools = [
  webmcp(({ id }) => ({ cards: [{ number: '4111111111111111' }], email: 'ada@example.com', id, notes: 'pays late' }), {
    name: 'get_user', description: 'Returns a user.', schema: byID, outputSchema: { type: 'object' }, annotations: readOnly,
  }),
  webmcp(({ total }) => `paid ${total}`, { name: 'checkout', description: 'Places an order.', schema: object({ total: { type: 'number' } }), annotations: consequential }),
  webmcp(({ id }) => `deleted ${id}`, { name: 'delete_user', description: 'Deletes a user.', schema: byID }),
  webmcp(() => 'all orders', { name: 'export_orders', description: 'Returns all orders.', schema: object({}) }),
];

// Who the user is, the page knows from its session.
webmcp.context({ role: document.documentElement.dataset.role ?? 'guest' });

await Promise.all(tools.map((tool) => tool.register()));
