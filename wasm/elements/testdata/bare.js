import './dist/elements.js';
import { webmcp } from './dist/webmcp.js';

const greet = webmcp(({ name }) => {
  if (name === 'trouble') throw new TypeError('no trouble');
  return `Hello, ${name}`;
}, {
  name: 'greet',
  title: 'Greet',
  description: 'Greets somebody by name.',
  schema: { type: 'object', properties: { name: { type: 'string', examples: ['Ada'] } }, required: ['name'] },
  annotations: { consequentialHint: true },
  hooks: {
    before: [({ input }) => (input.name === 'nobody' ? { action: 'deny', message: 'Say who.', code: 'NOBODY' } : undefined)],
  },
});

globalThis.log = document.querySelector('webmcp-hook-log');
globalThis.inspector = document.querySelector('webmcp-inspector');
globalThis.approvals = document.querySelector('webmcp-approvals');
await greet.register();
globalThis.bareReady = true;
