import { webmcp } from './webmcp.js';
import * as everything from './webmcp.js';

webmcp.configure({ hooks: { after: [({ output }) => ({ output: output + ' (global)' })] } });

async function greetPerson({ name }) {
  return `Hello, ${name}!`;
}

await webmcp(greetPerson, {
  description: 'Greets a person.',
  hooks: { before: [({ input }) => ({ input: { name: input.name.toUpperCase() } })] },
}).register();

window.everything = everything;
