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

  who: {
    async check({ log }, tools) {
      await decided('cancel_order', {}, 'approve', tools);
      tools.equal(log, ['cancel_order was approved through script']);
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
