import { webmcp } from 'webmcp-wasm';

const textOf = ({ content }) => content[0].text;

// A policy stays in force until the page is left: each example is about tools of its own.
export default {
  code: {
    async check(_, { call, equal }) {
      const { code, executed, content } = await call('delete_user');
      equal([code, executed, content[0].text], ['FROZEN', false, 'Denied: Nothing is deleted today.']);
    },
  },

  context: {
    async check({ signIn }, { call, text, equal }) {
      equal((await call('close_account')).code, 'POLICY_DENIED'); // nothing is known
      const user = { role: 'clerk', tenant: 'acme', password: 'x' };
      const known = signIn(user);
      equal([known, Object.isFrozen(known)], [{ role: 'clerk', tenant: 'acme' }, true]);
      equal(textOf(await call('close_account')), 'Denied: Only admins close accounts.');
      signIn({ ...user, role: 'admin' });
      equal(await text('close_account'), 'closed');
    },
  },

  events: {
    async check({ lines }, { call, text, equal }) {
      equal(await text('export_orders'), 'exported');
      equal((await call('export_orders')).code, 'RATE_LIMITED');
      equal([...new Set(lines)].sort(), [
        'export_orders: RATE_LIMITED by rarely',
        'export_orders: deny on trial by no exports',
      ]);
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
