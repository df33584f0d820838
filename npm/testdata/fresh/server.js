// What a server does that renders a page with tools: nothing is loaded, and nothing throws.

import assert from 'node:assert/strict';
import { invokeTool, isWebMCPSupported, listTools, NotSupportedError, webmcp } from 'webmcp-wasm';
import 'webmcp-wasm/elements';
import { rateLimit, timeout } from 'webmcp-wasm/hooks';

const tool = webmcp(({ a, b }) => a + b, { name: 'sum', description: 'Adds', global: true });
webmcp.configure({ hooks: { before: [() => {}] } });
webmcp.configure({ hooks: webmcp.mergeHooks(rateLimit('30/min'), timeout('20s')) });
assert.equal(webmcp.getGlobalHooks().timeout, 20_000);
assert.equal(tool({ a: 1, b: 2 }), 3);
assert.equal(tool.status, 'idle');
(await tool.register({ scope: webmcp.scope({}) }))();
assert.equal(await webmcp.ready, webmcp);
assert.equal(isWebMCPSupported(), false);
assert.deepEqual(await listTools(), []);
await assert.rejects(invokeTool('sum', { a: 1, b: 2 }), NotSupportedError);
console.log(webmcp.version);
