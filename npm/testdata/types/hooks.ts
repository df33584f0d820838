// Hooks: what they get, and what they may return.

import { mergeHooks, mergeHooksOrdered, webmcp } from 'webmcp-wasm';
import type {
  AfterContext, AfterHook, BeforeHook, Denial, DeniedHook, ErrorHook, HookLists, Hooks, Scope, WebMCPTool,
} from 'webmcp-wasm';
import { same } from './expect';
import { checkout, deleteUser } from './shop';
import type { Order } from './shop';

declare function showApprovalModal(call: { tool: WebMCPTool; input: object; signal: AbortSignal }): Promise<boolean>;

// Hooks for one function.

const addTenant: BeforeHook<typeof deleteUser> = ({ input, metadata }) => {
  metadata.tenantId = 'tenant_123';
  return { input: { ...input, tenantId: 'tenant_123' } };
};

const requireApproval: BeforeHook<typeof checkout> = async ({ input, tool, signal }) => {
  if (await showApprovalModal({ tool, input, signal })) return undefined;
  return { action: 'deny', message: 'User declined checkout', code: 'USER_DENIED' };
};

const redact: AfterHook<typeof checkout> = ({ input, output }) => {
  same<typeof output, { order?: Order }>(true);
  same<typeof input.email, string>(true); // the schema has checked it
  if (output.order?.email) {
    return { output: { ...output, order: { ...output.order, email: output.order.email.replace(/(.).+@/, '$1***@') } } };
  }
};

const trackError: ErrorHook<typeof deleteUser> = ({ error, input, tool, invocationId }) => {
  same<typeof error, unknown>(true);
  console.warn(tool.tool.name, invocationId, input.id, error);
};

const trackDenied: DeniedHook<typeof checkout> = ({ reason, code, input }) => console.warn(reason.trim(), code.trim(), input.email);

// Before the schema has checked it, a member may be anything.

const limit: BeforeHook<typeof checkout> = ({ input }): Denial | undefined => {
  same<typeof input.notes, unknown>(true);
  // @ts-expect-error it may be no text
  input.notes.trim();
  if (typeof input.notes === 'string' && input.notes.length > 100) return { action: 'deny', message: 'Too long' };
};

// Hooks for any function.

const log: BeforeHook = ({ tool, input, signal, invocationId, metadata }) => {
  console.log(tool.tool.name, input.anything, signal.aborted, invocationId.slice(0, 8));
  metadata.start = performance.now();
};
const time: AfterHook = ({ output, metadata }) => console.log(output, performance.now() - metadata.start);
same<AfterContext['output'], unknown>(true);

// They go together with a tool.

const destroy = webmcp(deleteUser, {
  description: 'Delete a user',
  hooks: { before: [log, addTenant, ({ input }) => console.log(input.id)], after: [time], error: [trackError], denied: () => {} },
});
webmcp(checkout, {
  description: 'Check out',
  hooks: { before: [log, limit, requireApproval], after: [redact, ({ output }) => void output.order?.total], denied: [trackDenied] },
});
// @ts-expect-error requireApproval is for checkout
webmcp(deleteUser, { description: 'Delete a user', hooks: { before: [requireApproval] } });
// @ts-expect-error redact is for checkout
webmcp(deleteUser, { description: 'Delete a user', hooks: { after: [redact] } });
// @ts-expect-error there is no such phase
webmcp(deleteUser, { description: 'Delete a user', hooks: { beforeEach: [log] } });
// @ts-expect-error an after hook is no before hook
webmcp(deleteUser, { description: 'Delete a user', hooks: { before: [time] } });
webmcp(deleteUser, {
  description: 'Delete a user',
  // @ts-expect-error the output has no such member
  hooks: { after: ({ output }) => console.log(output.order) },
});

// Nothing, in all its forms, a new input, or a denial.

const calls: string[] = [];
const before: BeforeHook[] = [
  () => {},
  async () => {},
  () => undefined,
  () => null,
  () => true,
  () => calls.push('a'),
  () => ({}),
  ({ input }) => ({ input }),
  () => ({ input: null }),
  async ({ input }) => ({ input: { ...input, a: 1 } }),
  () => ({ action: 'deny' }),
  () => ({ action: 'deny', message: 'No', code: 'NO', input: {} }),
  async ({ input }) => {
    if (input.id === undefined) return { action: 'deny', message: 'No' };
    if (input.id === null) return { input: { id: '' } };
    return;
  },
];
const after: AfterHook[] = [
  () => {},
  async () => {},
  () => null,
  () => calls.push('b'),
  () => ({ output: null }),
  () => ({ output: 'text' }),
  async () => ({ output: { a: 1 } }),
];
const observers: ErrorHook[] = [() => {}, async () => 'ignored', () => calls.push('c')];

// What fails a call does not compile.

// @ts-expect-error misspelt
const b1: BeforeHook = () => ({ inptu: {} });
// @ts-expect-error misspelt, and async
const b2: BeforeHook = async () => ({ inptu: {} });
// @ts-expect-error without {input: ...} around it
const b3: BeforeHook = ({ input }) => ({ ...input, tenantId: 'a' });
// @ts-expect-error without {input: ...} around it
const b4: BeforeHook<typeof deleteUser> = ({ input }) => input;
// @ts-expect-error false does not deny
const b5: BeforeHook = () => false;
// @ts-expect-error a text does not deny
const b6: BeforeHook = () => 'denied';
// @ts-expect-error there is no such action
const b7: BeforeHook = () => ({ action: 'continue' });
// @ts-expect-error there is no such action
const b8: BeforeHook = async ({ input }) => {
  if (input.id) return { action: 'dney', message: 'No' };
  return undefined;
};
// @ts-expect-error a before hook has no output to change
const b9: BeforeHook = () => ({ output: 1 });
// @ts-expect-error a boolean may be false
const b10: BeforeHook = () => calls.length > 0;
// @ts-expect-error there is no output yet
const b11: BeforeHook = ({ output }) => console.log(output);
// @ts-expect-error the message is a text
const b12: BeforeHook = () => ({ action: 'deny', message: new Error('No') });

// @ts-expect-error misspelt
const a1: AfterHook = () => ({ ouptut: {} });
// @ts-expect-error without {output: ...} around it
const a2: AfterHook<typeof deleteUser> = ({ output }) => ({ ...output });
// @ts-expect-error undefined is no output: a redaction that did not happen must not leak
const a3: AfterHook = () => ({ output: undefined });
// @ts-expect-error it may be undefined
const a4: AfterHook<typeof checkout> = ({ output }) => ({ output: output.order });
// @ts-expect-error a text, without {output: ...} around it
const a5: AfterHook = async () => 'redacted';
// @ts-expect-error an after hook cannot deny
const a6: AfterHook = () => ({ action: 'deny', message: 'No' });

// @ts-expect-error the error may be anything
const e1: ErrorHook = ({ error }) => error.message;
// @ts-expect-error a denial has a reason, not a message
const d1: DeniedHook = ({ message }) => message;
// @ts-expect-error the signal is the browser's
const c1: BeforeHook = (context) => void (context.signal = AbortSignal.abort());

// Global and scoped hooks, and how they are merged.

webmcp.configure({ hooks: { before: [log], after: time }, replace: true, maxInputBytes: 1000, maxOutputBytes: 1000, timeout: 1000 });
webmcp.scope({ timeout: 1000 }).configure({ timeout: 500 });
// @ts-expect-error a global hook sees the calls of all tools
webmcp.configure({ hooks: { before: [addTenant] } });
// @ts-expect-error hooks are in hooks
webmcp.configure({ before: [log] });
same<ReturnType<typeof webmcp.getGlobalHooks>, HookLists>(true);
webmcp.resetGlobalHooks();

const outer = webmcp.scope({ hooks: { before: log } });
const inner: Scope = webmcp.scope({}, outer);
inner.configure({ hooks: { error: observers }, replace: true });
same<typeof inner.parent, Scope | undefined>(true);
same<typeof inner.hooks, HookLists>(true);
destroy.register({ scope: inner });
destroy.register({ scope: null });
// @ts-expect-error a scope comes from webmcp.scope
destroy.register({ scope: { hooks: { before: [], after: [], error: [], denied: [] }, parent: undefined, configure() {} } });
// @ts-expect-error a scope comes from webmcp.scope
webmcp.scope({}, { hooks: {} });
// @ts-expect-error the hooks of a scope are a copy
inner.hooks = outer.hooks;

const merged: HookLists = mergeHooks({ before }, { after });
const own: HookLists<typeof deleteUser> = mergeHooks<typeof deleteUser>({ before: addTenant }, null);
const ordered = mergeHooksOrdered({ globalHooks: merged, scopedHooks: [{ before: log }, undefined], toolHooks: { error: [trackError] } });
same<typeof ordered, HookLists<typeof deleteUser>>(true);
const sets: Hooks[] = [merged, ordered as unknown as Hooks, {}];

export { after, own, sets, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, a1, a2, a3, a4, a5, a6, e1, d1, c1 };
