// The app of all fixtures but Vite's: a tool, a global hook, a hook of the tool.

import { webmcp } from 'webmcp-wasm';
import 'webmcp-wasm/elements';
import { enrich, require } from 'webmcp-wasm/hooks';

webmcp.configure({ hooks: enrich(({ input }) => ({ name: `${input.name} Lovelace` })) });
webmcp.configure({ hooks: require(({ input }) => input.name.endsWith('Lovelace')) });

webmcp.global(({ name }) => `Hello, ${name}!`, {
  name: 'greet',
  description: 'Greets somebody',
  schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  hooks: { after: [({ output }) => ({ output: `${output} Ask away.` })] },
});
document.body.append(document.createElement('webmcp-inspector'));
