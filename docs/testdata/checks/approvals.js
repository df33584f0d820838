import { webmcp } from 'webmcp-wasm';

/** Calls a tool, and decides what is asked meanwhile. Returns the answer, and the question if there was one. */
async function decided(name, input, decision, { call, until }) {
  const answered = call(name, input);
  const question = await until(() => webmcp.approvals.pending()[0]);
  webmcp.approvals.resolve(question.id, decision);
  return { answer: await answered, question };
}

const textOf = ({ content }) => content[0].text;

export default {
  first: {
    async check(_, tools) {
      const { call, equal } = tools;
      const input = { email: 'ada@example.com', total: 12 };
      const { answer, question } = await decided('checkout', input, 'approve', tools);
      equal(textOf(answer), 'ordered for ada@example.com');
      equal([question.title, question.sentence], ['Place this order?', '12 EUR will be charged.']);
      equal((await call('checkout', { ...input, email: 'nope' })).isError, true);
      equal(webmcp.approvals.pending(), []);
      const denied = await decided('checkout', input, { decision: 'deny', reason: 'too dear', remember: 'arguments' }, tools);
      equal([denied.answer.code, denied.answer.executed], ['USER_DENIED', false]);
      if (!textOf(denied.answer).includes('too dear')) throw new Error(textOf(denied.answer));
      equal((await call('checkout', input)).code, 'USER_DENIED'); // nobody is asked
    },
  },

  when: {
    async check(_, tools) {
      const { call, text, equal } = tools;
      equal(await text('refund', { amount: 10 }), 'refunded 10');
      equal(textOf((await decided('refund', { amount: 100 }, 'approve', tools)).answer), 'refunded 100');
      equal((await call('refund', { amount: 1000 })).code, 'TOO_MUCH');
      await webmcp(() => 'done', { name: 'erase', description: 'Erases', annotations: { consequentialHint: true }, approval: () => 'allow' }).register();
      equal((await decided('erase', {}, 'deny', tools)).answer.code, 'USER_DENIED');
    },
  },

  edit: {
    async check(_, tools) {
      const order = { productId: 'cup', quantity: 2 };
      const { answer, question } = await decided('order', order, { decision: 'approve', input: { ...order, quantity: 1 } }, tools);
      tools.equal(question.edit, true);
      tools.equal(answer.content.map(({ text }) => text), [
        'ordered 1 of cup',
        'The user changed the input before they approved this call. It ran with this, and not with what you sent: {"productId":"cup","quantity":1}',
      ]);
      tools.equal(textOf((await decided('order', { productId: 'pot' }, 'approve', tools)).answer), 'ordered 1 of pot');
    },
  },

  resolve: {
    async check({ approveWith }, { call, equal }) {
      const answered = call('pay', { amount: 1 });
      while (webmcp.approvals.pending().length === 0) await new Promise(requestAnimationFrame);
      const [{ id, draft }] = webmcp.approvals.pending();
      equal(await approveWith(id, { amount: 1000 }), 'amount: must be <= 100, got 1000');
      equal(await approveWith(id, { ...draft, amount: 5 }), 'It runs.');
      equal(textOf(await answered), 'paid 5');
      equal(await approveWith(id, { amount: 6 }), 'It was decided already.');
    },
  },

  who: {
    async check({ log }, tools) {
      await decided('cancel_order', {}, 'approve', tools);
      tools.equal(log, ['cancel_order was approved through script']);
    },
  },

  passkey: {
    async check(_, tools) {
      const [button] = document.querySelectorAll('button');
      tools.equal(button.textContent, 'Make a passkey for approvals');
      const answered = tools.call('send_money', { amount: 5 });
      const question = await tools.until(() => webmcp.approvals.pending()[0]);
      tools.equal(question.verify, true);
      tools.equal(await webmcp.approvals.resolve(question.id, 'approve'), false); // there is no passkey
      tools.equal((await answered).code, 'APPROVAL_UNAVAILABLE');
    },
  },

  server: {
    globals: { post: async (path, sent) => JSON.stringify([path, sent.order, sent.assertion]), passkeysOfUser: async () => [] },
    async check(_, tools) {
      const { get } = CredentialsContainer.prototype;
      CredentialsContainer.prototype.get = async ({ publicKey }) => ({ of: publicKey.challenge.byteLength });
      const answered = tools.call('order', { item: 'tea' });
      const question = await tools.until(() => webmcp.approvals.pending()[0]);
      tools.equal(await webmcp.approvals.resolve(question.id, 'approve'), true);
      CredentialsContainer.prototype.get = get;
      tools.equal(textOf(await answered), JSON.stringify(['/order', { item: 'tea' }, { of: 32 }]));
    },
  },

  strings: {
    async check(_, tools) {
      const { answer } = await decided('cancel_order', {}, 'deny', tools);
      tools.equal(answer.code, 'USER_DENIED');
    },
  },

  own: {
    globals: { askInTheChat: async (question) => (question === 'May I run post with {"text":"hello"}?' ? 'yes' : 'say hello') },
    async check(_, { call, text, equal }) {
      equal(await text('post', { text: 'hello' }), 'posted hello');
      const { code, content } = await call('post', { text: 'bye' });
      equal(code, 'USER_DENIED');
      if (!content[0].text.includes('say hello')) throw new Error(content[0].text);
    },
  },
};
