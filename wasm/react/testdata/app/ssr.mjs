// Renders on a server, and prints what came of it.
import { createElement as h, StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { webmcp, registry } from 'webmcp-wasm';
import { WebMCPProvider, Scope, useWebMCP, useWebMCPHooksContext, useApprovals, ApprovalDialog } from 'webmcp-wasm/react';

const problems = [];
process.on('unhandledRejection', (error) => problems.push(String(error)));
for (const kind of ['warn', 'error']) console[kind] = (...args) => problems.push(args.join(' '));

const tool = webmcp(async function save({ id }) {
  return id;
}, { description: 'Saves.' });

function Page() {
  const { supported, registered, status, error, tool: own } = useWebMCP(({ id }) => `loaded ${id}`, { name: 'load', description: 'Loads.' });
  const { hooks } = useWebMCPHooksContext();
  const { pending, remembered } = useApprovals();
  return h('p', null, h(ApprovalDialog), JSON.stringify({
    supported, registered, status, error: error ?? null, called: own({ id: 7 }), before: hooks.before.length, approvals: [pending, remembered],
  }));
}

const hooks = { before: [() => {}] };
const html = renderToString(
  h(StrictMode, null, h(WebMCPProvider, { hooks }, h(WebMCPProvider, { hooks }, h(Scope, { tools: [tool] }, h(Page))))));
await new Promise((next) => setImmediate(next));
console.log(JSON.stringify({ text: html.replaceAll('&quot;', '"'), tools: registry.list().length, problems }));
