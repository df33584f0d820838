import { webmcp } from 'webmcp-wasm';
import type { AfterHook, BeforeHook } from 'webmcp-wasm';

async function deleteUser({ id }: { id: string }) {
  return { id, email: 'ada@example.com' };
}

const askHuman: BeforeHook<typeof deleteUser> = async ({ input, tool }) => {
  if (!confirm(`${tool.tool.name} ${input.id}?`)) {
    return { action: 'deny', message: 'The user said no.', code: 'USER_DENIED' };
  }
};

const redact: AfterHook<typeof deleteUser> = ({ output }) => ({ output: { ...output, email: '***' } });

const tool = webmcp(deleteUser, {
  name: 'delete_user',
  description: 'Delete a user by id',
  hooks: { before: [askHuman], after: [redact] },
});

await tool.register();           // agents can call delete_user now
await tool({ id: '7' });         // a call of the page is deleteUser({ id: '7' }): no hook runs
