import { webmcp } from 'webmcp-wasm';

// A policy stays in force until the page is left: each example is about tools of its own.
export default {
  audit: {
    async check({ denied, lines, end }, { call, text, equal, until }) {
      equal(await text('find_person', { email: 'ada@example.com' }), '{"email":"a***@example.com","name":"Ada"}');
      webmcp.configure({ hooks: { before: [() => ({ action: 'deny', message: 'Not now.', code: 'LATER' })] } });
      await call('find_person', { email: 'ada@example.com' });
      webmcp.resetGlobalHooks();
      const [{ input, output, code, executed }] = denied();
      equal([code, executed, input], ['LATER', false, '{"email":"a***@example.com"}']);
      if (/ada@/.test(lines()) || output?.includes('ada@')) throw new Error(lines());
      equal(lines().split('\n').filter((line) => line.includes('find_person')).length, 2);
      end();
      const arrived = await until(async () => {
        const all = (await (await fetch('/arrived')).json()).filter(({ path }) => path === '/audit').flatMap(({ body }) => body.trim().split('\n')).filter((line) => line.includes('find_person'));
        return all.length === 2 && all;
      });
      equal(arrived.map((line) => JSON.parse(line).outcome), ['ok', 'denied']);
    },
  },

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
