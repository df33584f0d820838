// The quick start: hooks of a tool, of all tools, and of a part of the page.
import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { z } from 'zod';
import { webmcp } from 'webmcp-wasm';
import { WebMCPProvider, Scope, useWebMCP } from 'webmcp-wasm/react';

z.config({ jitless: true }); // as a page with a strict Content-Security-Policy needs it

// What happened, in order. The test reads it.
const log = (window.log = []);
const track = (name) => function tracked({ tool }) {
  log.push(`${name} ${tool.tool.name}`);
};

async function deleteUser({ id, tenantId }) {
  log.push(`deleteUser ${id} of ${tenantId}`);
  if (id === 'nobody') throw new Error('there is no such user');
  return { id, email: 'ada@example.com', deleted: true };
}

function addTenant({ input, metadata }) {
  log.push('addTenant');
  metadata.tenantId = 'tenant_123';
  return { input: { ...input, tenantId: metadata.tenantId } };
}

async function requireApproval({ input }) {
  log.push('requireApproval');
  if (input.id === 'root') return { action: 'deny', message: 'User declined', code: 'USER_DENIED' };
}

function redactResult({ output }) {
  log.push('redactResult');
  return { output: { ...output, email: output.email.replace(/(.).+@/, '$1***@') } };
}

// tool-level
const deleteUserTool = webmcp(deleteUser, {
  name: 'delete_user', // a bundler that shortens names leaves nothing to guess it from
  description: 'Delete a user',
  schema: z.object({ id: z.string(), tenantId: z.string() }),
  hooks: {
    before: [addTenant, requireApproval],
    after: [redactResult],
    error: [track('tool error')],
    denied: [track('tool denied')],
  },
});

// global
webmcp.configure({
  hooks: {
    before: [track('global before')],
    after: [track('global after')],
    error: [track('global error')],
    denied: [track('global denied')],
  },
});

// scoped
const scoped = (name) => ({
  before: [track(`${name} before`)],
  after: [track(`${name} after`)],
  error: [track(`${name} error`)],
  denied: [track(`${name} denied`)],
});

function Counter() {
  const [count, setCount] = useState(0);
  const { status } = useWebMCP(function setCounter({ to }) {
    log.push(`setCounter from ${count}`);
    setCount(to);
    return `it was ${count}`;
  }, { name: 'set_counter', description: 'Set the counter', hooks: { before: [track(`counter at ${count}`)] } });
  return <output id="counter" data-status={status}>{count}</output>;
}

function App() {
  return (
    <WebMCPProvider hooks={scoped('outer')}>
      <WebMCPProvider hooks={scoped('inner')}>
        <Scope tools={[deleteUserTool]}>
          <Counter />
          <button onClick={async () => log.push(`clicked ${(await deleteUserTool({ id: 'u1', tenantId: 'mine' })).email}`)}>Delete</button>
        </Scope>
      </WebMCPProvider>
    </WebMCPProvider>
  );
}

createRoot(document.getElementById('root')).render(<StrictMode><App /></StrictMode>);
