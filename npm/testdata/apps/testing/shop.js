import { webmcp } from 'webmcp-wasm';

export const deleteUser = webmcp(async ({ id }) => ({ id, email: 'ada@example.com' }), {
  name: 'delete_user',
  description: 'Delete a user by id',
  schema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
  hooks: {
    before: [function ask({ input }) {
      if (input.id === '7') return { action: 'deny', message: 'The user said no.', code: 'USER_DENIED' };
    }],
    after: [function redact({ output }) {
      return { output: { ...output, email: '***' } };
    }],
  },
});

export const pay = webmcp(({ total }) => `Paid ${total} EUR.`, {
  name: 'pay',
  description: 'Pay the order',
  schema: { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] },
  approval: { describe: ({ total }) => `${total} EUR are paid.`, timeout: 20_000 },
});

deleteUser.register();
pay.register();
webmcp.policy({ webmcp: 1, rules: [{ tools: '*', rate: '2/min' }] });
