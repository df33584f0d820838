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
};
