// The React adapter.

import {
  ApprovalArguments, ApprovalDialog, ApprovalReason, ApprovalTitle, ApproveButton, askInDialog, DenyButton, Scope, useApprovals, useWebMCP,
  useWebMCPHooksContext, WebMCPProvider,
} from 'webmcp-wasm/react';
import type { ReactNode } from 'react';
import { z } from 'zod';
import { webmcp } from 'webmcp-wasm';
import type { BeforeHook, HookLists, PendingApproval, RememberedApproval, Scope as HookScope, Tool, ToolStatus } from 'webmcp-wasm';
import { same } from './expect';
import { checkout, deleteUser } from './shop';

const tool = webmcp(deleteUser, { description: 'Delete a user' });
const other = webmcp(checkout, { description: 'Check out' });
const addTenantContext: BeforeHook = ({ input }) => ({ input: { ...input, tenantId: 'a' } });

export function App({ children }: { children: ReactNode }) {
  return (
    <WebMCPProvider hooks={{ before: [addTenantContext] }}>
      <WebMCPProvider hooks={{ after: ({ output }) => console.log(output) }}>
        <Scope tools={[tool, other]}>{children}</Scope>
        <Scope tools={[tool]} />
      </WebMCPProvider>
      <WebMCPProvider />
    </WebMCPProvider>
  );
}

export function Wrong() {
  return (
    <>
      {/* @ts-expect-error a function is no tool yet */}
      <Scope tools={[deleteUser]} />
      {/* @ts-expect-error an array */}
      <Scope tools={tool} />
      {/* @ts-expect-error there is no such phase */}
      <WebMCPProvider hooks={{ onBefore: [] }} />
      {/* @ts-expect-error a before hook returns no text */}
      <WebMCPProvider hooks={{ before: [() => 'no'] }} />
    </>
  );
}

export function Tools() {
  const { supported, registered, source, status, error, tool: same1 } = useWebMCP(tool);
  same<typeof supported, boolean>(true);
  same<typeof registered, boolean>(true);
  same<typeof source, 'native' | 'registry' | undefined>(true);
  same<typeof status, ToolStatus>(true);
  same<typeof error, unknown>(true);
  same1 satisfies typeof deleteUser;
  useWebMCP(tool, { enabled: supported, hooks: { before: ({ input }) => console.log(input.id) } });

  const made = useWebMCP(deleteUser, { description: 'Delete a user', hooks: { after: ({ output }) => void output.gone } });
  made.tool satisfies typeof deleteUser & Partial<Tool>;
  const gone: Promise<{ gone: boolean }> = made.tool({ id: '7' });

  useWebMCP(({ id }, { signal }) => [id.trim(), signal.aborted], { name: 'inline', description: 'Inline', schema: z.object({ id: z.string() }) });
  useWebMCP(async ({ id }: { id: string }) => id, { name: 'typed', description: 'Typed', schema: { type: 'object' } });

  // @ts-expect-error the description is missing
  useWebMCP(deleteUser, {});
  // @ts-expect-error the component registers it
  useWebMCP(deleteUser, { description: 'Delete a user', global: true });
  // @ts-expect-error that id is a number
  useWebMCP(deleteUser, { description: 'Delete a user', schema: z.object({ id: z.number() }) });
  // @ts-expect-error agents call with one object
  useWebMCP((id: string) => id, { name: 'text', description: 'Takes a string' });
  // @ts-expect-error misspelt
  useWebMCP(tool, { hook: {} });

  const { hooks, scope } = useWebMCPHooksContext();
  same<typeof hooks, HookLists>(true);
  same<typeof scope, HookScope | undefined>(true);
  tool.register({ scope });
  return <>{String(gone)}</>;
}

export function Asking() {
  const { pending, remembered, approve, deny, forget } = useApprovals();
  same<typeof pending, readonly PendingApproval[]>(true);
  same<typeof remembered, readonly RememberedApproval[]>(true);
  const counts: boolean = approve('id', { remember: 'tool' }) && deny('id', 'too much') && deny('id', undefined, { remember: 'arguments' });
  forget();
  forget('pay');
  // @ts-expect-error that cannot be remembered
  approve('id', { remember: 'page' });
  // @ts-expect-error a text
  deny('id', 1);
  webmcp.configure({ approval: { when: 'consequential', ask: askInDialog } });
  webmcp(checkout, { description: 'Check out', approval: { ask: askInDialog } });
  return (
    <>
      <ApprovalDialog />
      <ApprovalDialog className="ask" armDelay={800} question={pending[0]}>
        <ApprovalTitle id="title" />
        <ApprovalArguments />
        <ApprovalReason placeholder="Why not?" />
        <DenyButton>No</DenyButton>
        <ApproveButton remember="arguments" className="yes">Yes, and do not ask again {String(counts)}</ApproveButton>
      </ApprovalDialog>
      <ApprovalDialog>{({ question, waiting, armed, approve: yes, deny: no }) => (
        <button disabled={!armed} onClick={() => (waiting > 3 ? no('too many') : yes({ remember: 'call' }))}>{question.sentence}</button>
      )}</ApprovalDialog>
      {/* @ts-expect-error there is no such thing to remember */}
      <ApproveButton remember="page" />
    </>
  );
}
