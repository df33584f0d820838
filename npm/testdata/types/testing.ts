// The agent that tests play.

import type { PendingApproval, ToolResult } from 'webmcp-wasm';
import { agent } from 'webmcp-wasm/testing';
import type { Agent, TraceEntry } from 'webmcp-wasm/testing';
import { same } from './expect';

export async function calls() {
  const a: Agent = await agent({ answer: ({ tool, input }) => (tool === 'pay' ? { decision: 'deny', reason: JSON.stringify(input) } : 'approve') });
  const result = await a.call('delete_user', { id: '7' }, { signal: AbortSignal.timeout(1000) });
  same<typeof result, ToolResult>(true);
  const own = await a.call<{ count: number }>('of_another_library');
  same<typeof own, { count: number }>(true);
  const question = await a.approve({ remember: 'tool' });
  same<typeof question, PendingApproval>(true);
  await a.deny('not today');
  a.answer(undefined);
  a.answer(async () => undefined);
  await a.tick(1000);
  const trace: TraceEntry[] = a.trace();
  const [first] = await a.list();
  await a.reset();
  await a.close();
  // @ts-expect-error: a decision has words of its own
  a.answer(() => 'yes');
  // @ts-expect-error: an input is an object
  a.call('pay', 7);
  // @ts-expect-error: it has no such option
  agent({ answers: () => 'approve' });
  return [trace[0]?.phase, first?.inputSchema, a.cancel(), a.questions().length, a.modelContext];
}
