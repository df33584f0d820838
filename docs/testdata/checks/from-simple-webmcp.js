import { registry } from 'webmcp-wasm';

const denials = [];

export default {
  unchanged: {
    globals: {
      checkout: ({ tenantId, items }) => ({ order: { email: 'ada@example.com', tenantId, items } }),
      trackDenied: ({ code }) => { denials.push(code); },
    },
    async check({ tool }, { text, equal }) {
      equal(JSON.parse(await text('checkout', { items: 2 })), { order: { email: 'a***@example.com', tenantId: 'tenant_123', items: 2 } });
      equal(tool({ items: 1 }), { order: { email: 'ada@example.com', items: 1 } }, 'a direct call');
    },
  },

  returns: {
    async check(_, { text, equal }) {
      for (const { name } of registry.list()) {
        const answer = await text(name);
        if (name.startsWith('keeps')) equal(answer, 'done', name);
        else if (!/^Error: the before hook (\w+ )?returned /.test(answer)) throw new Error(`${name}: ${answer}`);
      }
      equal(registry.list().length, 5);
    },
  },

  schemas: {
    check({ good, bad }, { equal }) {
      equal(good, { content: [{ type: 'text', text: '3 days of Oslo' }] });
      equal(bad, { isError: true, content: [{ type: 'text', text: 'Error: invalid input: days: must be <= 7, got 30' }], executed: false });
    },
  },

  results: {
    async check(_, { text, equal }) {
      equal(await text('buy'), 'Error: out of stock');
    },
  },

  replace: {
    async check({ first, second }, { text, equal }) {
      equal([first.isRegistered(), second.isRegistered()], [false, true]);
      equal(await text('greet'), 'new');
    },
  },

  loading: {
    check({ status }, { equal }) {
      equal(status, 'registered');
    },
  },

  react: { // runs as a bundle that shows the App; see testdata/sdk
    async check({ show }, { text, equal, until }) {
      const hide = show({ user: 'Ada' });
      await until(() => registry.isRegistered('search'));
      equal(await text('search', { query: 'tea' }), 'found tea for Ada');
      show({ user: 'Grace' });
      await until(() => document.body.innerText.includes('Agents can search now.'));
      equal(await text('search', { query: 'tea' }), 'found tea for Grace');
      hide();
      await until(() => !registry.isRegistered('search'));
    },
  },
};
