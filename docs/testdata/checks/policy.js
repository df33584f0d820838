import { webmcp } from 'webmcp-wasm';

// A policy stays in force until the page is left: each example is about tools of its own.
export default {
  code: {
    async check({ reports, ended, explain }, { call, text, equal }) {
      equal(await text('refund', { amount: 50 }), 'refunded 50');
      const { code, executed } = await call('refund', { amount: 51 });
      equal([code, executed], ['MANAGERS_ONLY', false]);
      equal(ended, ['clerks refund little: MANAGERS_ONLY']);
      equal(await text('export_orders', {}), 'all orders');
      equal(reports, ['export_orders: exports']);
      const { outcome, refusal, rules: [{ rule, applies }] } = await explain({ amount: 51 });
      equal([outcome, refusal.code, rule, applies], ['deny', 'MANAGERS_ONLY', 'clerks refund little', true]);
      equal((await explain({ amount: 5 })).outcome, 'allow');
    },
  },

  explain: {
    async check({ small, large, huge, rules }, { text, equal }) {
      equal([small.outcome, large.outcome, huge.outcome, huge.refusal.code], ['allow', 'ask', 'deny', 'TOO_MUCH']);
      equal(rules, [
        { rule: 'large', applies: true, when: 'met' },
        { rule: 'too large', applies: true, when: 'met' },
      ]);
      equal(small.rules.map(({ applies, when }) => [applies, when]), [[false, 'not met'], [false, 'not met']]);
      equal(await text('pay', { total: 5 }), 'paid 5');
      equal(await webmcp.explain('nothing').then(() => '', ({ name }) => name), 'RegistrationError');
      equal(await webmcp.explain('pay', {}).then(() => '', ({ name }) => name), 'ValidationError');
    },
  },
};
