import { webmcp, invokeTool, registry } from 'webmcp-wasm';

const ran = [];
const note = (name) => () => { ran.push(name); };
const session = { tenantId: 'acme', roles: ['reader'] };
const done = (description, annotations) => ({ description, annotations });

const customers = [{ name: 'Ada', email: 'ada@example.com', cards: [{ number: '4111 1111 1111 1234' }], notes: 'pays late' }, { name: 'Bob' }];

const tests = []; // of the example about testing
let cleanUp;

export default {
  'quick-start': {
    globals: { users: { delete: (id) => ({ id, email: 'ada@example.com' }) } },
    async check(_, { call, text, equal }) {
      equal(await text('delete_user', { id: '7' }), '{"id":7}');
      equal(await call('delete_user', { id: '1' }), {
        isError: true, code: 'OWNER', content: [{ type: 'text', text: 'Denied: User 1 is the owner.' }], executed: false,
      });
    },
  },

  order: {
    check({ order }, { equal }) {
      const names = (hooks) => hooks.map((hook) => hook.name);
      equal(names(order.before), ['global before', 'outer before', 'inner before', 'tool before']);
      equal(names(order.after), ['tool after', 'inner after', 'outer after', 'global after']);
    },
  },

  before: {
    globals: { isWeekend: (date) => date === 'Sunday' },
    async check(_, { call, text, equal }) {
      equal(await text('book_table', { date: 'Monday' }), 'Monday (en)');
      equal((await call('book_table', { date: 'Sunday' })).code, 'CLOSED');
      const answer = await text('broken', { date: 'Monday' });
      if (!/^Error: the before hook typo returned an object without input or action: return nothing/.test(answer)) throw new Error(answer);

      // The table above the example, row by row.
      const outcome = async (returned) => {
        let seen = 'not called';
        const tool = webmcp((input) => { seen = input; return 'done'; }, { name: 'probe', description: 'Probe', schema: {}, hooks: { before: [() => returned] } });
        await tool.register();
        const { isError = false, code } = await invokeTool('probe', { a: 1 });
        tool.unregister();
        return [seen, isError, code];
      };
      for (const nothing of [undefined, null, true, 7, {}, { input: undefined }]) equal(await outcome(nothing), [{ a: 1 }, false, undefined], String(nothing));
      equal(await outcome({ input: null }), [null, false, undefined]);
      equal(await outcome({ action: 'deny' }), ['not called', true, 'DENIED']);
      equal(await outcome({ action: 'deny', input: {}, code: 'X' }), ['not called', true, 'X']);
      for (const wrong of [false, 'no', [1], { action: 'denied' }, { action: 'go', input: {} }, { a: 2 }]) {
        equal(await outcome(wrong), ['not called', true, undefined], JSON.stringify(wrong));
      }
    },
  },

  after: {
    async check(_, { text, equal }) {
      equal(await text('get_user', { id: 1 }), '{"id":1,"name":"Ada"}');
      const outcome = async (returned) => {
        const tool = webmcp(() => 'secret', { name: 'probe', description: 'Probe', hooks: { after: [() => returned] } });
        await tool.register();
        const { isError = false, content } = await invokeTool('probe', {});
        tool.unregister();
        return isError ? 'failed' : content[0].text;
      };
      for (const nothing of [undefined, null, true, 7, {}]) equal(await outcome(nothing), 'secret', String(nothing));
      equal(await outcome({ output: null }), '');
      for (const wrong of [{ output: undefined }, 'redacted', false, { a: 1 }, []]) {
        equal(await outcome(wrong), 'failed', JSON.stringify(wrong));
      }
    },
  },

  error: {
    async check({ seen }, { call, equal }) {
      await webmcp(() => { throw new TypeError('no'); }, { name: 'fails', description: 'Fails' }).register();
      await webmcp(() => 1, { name: 'strict', description: 'Strict', schema: { type: 'object', required: ['a'] } }).register();
      await call('fails', {});
      await call('strict', {});
      equal(seen.map(({ tool, kind }) => `${tool} ${kind}`), ['fails bug', 'strict bad input']);
      equal(seen[1].issues.length, 1);
      equal(new Set(seen.map(({ invocationId }) => invocationId)).size, 2);
    },
  },

  message: {
    check({ result }, { equal }) {
      equal(result, { content: [{ type: 'text', text: 'Error: there is no account for a***@example.com' }], isError: true, executed: true });
    },
  },

  denied: {
    globals: { analytics: { track: (...args) => ran.push(args) } },
    async check(_, { call, equal }) {
      ran.length = 0;
      const deny = () => ({ action: 'deny', message: 'Not today.', code: 'LATER' });
      await webmcp(() => 1, { name: 'locked', description: 'Locked', hooks: { before: [deny] } }).register();
      await call('locked', {});
      equal(ran, [['tool denied', { tool: 'locked', code: 'LATER', reason: 'Not today.' }]]);
    },
  },

  places: {
    globals: {
      ...Object.fromEntries([...'abcdefg'].map((name) => [name, note(name)])),
      fn: () => 'done',
    },
    async check({ one, outer, release }, { text, equal }) {
      ran.length = 0;
      equal(await text('two'), 'done');
      equal(ran, ['c', 'f', 'g', 'd', 'e']);
      equal(webmcp.getGlobalHooks().before.length, 1);
      equal(outer.hooks.before.length, 1);
      release();
      equal(registry.isRegistered('two'), false);

      ran.length = 0;
      await one.register();
      await text('one');
      equal(ran, ['c', 'd']);
      let refused;
      try { webmcp.configure({ hook: {} }); } catch (error) { refused = error.name; }
      equal(refused, 'ConfigurationError');
    },
  },

  direct: {
    check({ human, agent }, { equal }) {
      equal(human, 'found tea');
      equal(agent, { content: [{ type: 'text', text: 'found TEA' }] });
    },
  },

  'rate-limit': {
    async check(_, { call, text, equal }) {
      const seen = [await text('rename', { id: 1, name: 'a' }), await text('remove', { id: 1 })];
      const third = await call('rename', { id: 1, name: 'b' });
      equal(seen, ['renamed 1 to a', 'removed 1']);
      equal([third.code, third.content[0].text.replace(/ \d+ s$/, ' ... s')], ['RATE_LIMITED', 'Denied: the limit is 2 calls a minute of these tools. Try again in ... s']);
      await webmcp(() => 'read', { name: 'read', ...done('Read') }).register();
      for (let i = 0; i < 30; i++) equal(await text('read'), 'read');
      equal((await call('read')).code, 'RATE_LIMITED');
    },
  },

  tenant: {
    globals: { session, invoices: [{ tenantId: 'acme', year: 2026, total: 5 }, { tenantId: 'other', year: 2026, total: 9 }] },
    async check(_, { text, equal }) {
      equal(JSON.parse(await text('list_invoices', { year: 2026, tenantId: 'other' })), [{ tenantId: 'acme', year: 2026, total: 5 }]);
    },
  },

  authorisation: {
    globals: { session },
    async check(_, { call, equal }) {
      await webmcp(() => 'read', { name: 'read', ...done('Read', { readOnlyHint: true }) }).register();
      await webmcp(() => 'written', { name: 'write', ...done('Write') }).register();
      equal((await call('read', {})).isError, undefined);
      equal((await call('write', {})).code, 'FORBIDDEN');
      equal((await call('write', {})).content[0].text, 'Denied: This user may only read. Ask an editor.');
      session.roles.push('writer');
      equal((await call('write', {})).isError, undefined);
      equal((await call('delete_page', { id: 1 })).code, 'NOT_ADMIN');
      session.roles.push('admin');
      equal((await call('delete_page', { id: 1 })).content[0].text, 'deleted 1');
      session.roles.splice(1);
    },
  },

  approval: {
    globals: {
      supervisor: {
        allows: (name, { email }, { signal }) => new Promise((resolve) => {
          signal.addEventListener('abort', resolve);
          if (email !== 'later@example.com') resolve(name === 'checkout' && email === 'ada@example.com');
        }),
      },
    },
    async check(_, { call, text, equal }) {
      equal(await text('checkout', { email: 'ada@example.com' }), 'ordered for ada@example.com');
      equal((await call('checkout', { email: 'grace@example.com' })).code, 'USER_DENIED');
      const cancel = new AbortController();
      const answer = call('checkout', { email: 'later@example.com' }, { signal: cancel.signal });
      cancel.abort();
      equal(await answer.catch((error) => error.name), 'AbortError');
    },
  },

  redaction: {
    globals: { customers },
    async check(_, { text, equal }) {
      equal(JSON.parse(await text('list_customers')), [{ name: 'Ada', email: 'a***@example.com', cards: [{ number: '***1234' }] }, { name: 'Bob' }]);
      equal(customers[0].notes, 'pays late');
    },
  },

  timing: {
    async check({ times }, { text, equal }) {
      await webmcp(() => 'done', { name: 'work', description: 'Work' }).register();
      equal(await text('work'), 'done');
      await webmcp(() => 'done', { name: 'guarded', description: 'Work', hooks: { before: [() => ({ action: 'deny', code: 'NO' })] } }).register();
      await text('guarded');
      equal(times.map(({ tool, ms, phase, code }) => [tool, Number.isFinite(ms) && ms >= 0, phase, code]), [['work', true, 'after', undefined], ['guarded', true, 'denied', 'NO']]);
    },
  },

  audit: {
    async check({ entries }, { text, equal }) {
      await webmcp(() => ({ email: 'bob@example.com', card: '4111 1111 1111 1234' }), { name: 'find', description: 'Find' }).register();
      equal(await text('find', { email: 'ada@example.com' }), '{"email":"bob@example.com","card":"4111 1111 1111 1234"}');
      equal(entries.map(({ tool, outcome, executed, input, output }) => [tool, outcome, executed, input, output]), [
        ['find', 'ok', true, '{"email":"a***@example.com"}', '{"email":"b***@example.com","card":"***1234"}'],
      ]);
    },
  },

  timeout: {
    async check(_, { call, text, equal }) {
      const { fetch } = globalThis;
      const asked = [];
      try {
        globalThis.fetch = async (url) => { asked.push(url); return Response.json({ km: 7 }); };
        equal(await text('find_route', { from: 'A', to: 'B' }), '{"km":7}');
        globalThis.fetch = (url, { signal }) => new Promise((_, reject) => { signal.addEventListener('abort', () => reject(signal.reason)); });
        equal(await call('find_route', { from: 'A', to: 'B' }), {
          isError: true, code: 'TIMEOUT', content: [{ type: 'text', text: 'Error: the tool find_route has not finished within 2000 ms' }], executed: true,
        });
        equal(asked, ['/routes?from=A&to=B']);
      } finally {
        globalThis.fetch = fetch;
      }
    },
  },

  abort: {
    globals: { writePage: (page) => globalThis.onPage?.(page), onPage: undefined },
    async check(_, { call, equal }) {
      const direct = registry.list().map(({ name }) => name);
      equal(direct, ['export_pages']);
      equal((await call('export_pages', { pages: 2 })).content[0].text, '2 pages');

      const cancel = new AbortController();
      const pages = [];
      const ended = new Promise((resolve) => {
        webmcp.configure({ hooks: { error: [({ error }) => { resolve(error.name); }] } });
      });
      globalThis.onPage = (page) => {
        pages.push(page);
        if (page === 1) cancel.abort();
        return new Promise((next) => { setTimeout(next); }); // the news needs a moment
      };
      equal(await call('export_pages', { pages: 1e9 }, { signal: cancel.signal }).catch((error) => error.name), 'AbortError');
      equal(await ended, 'AbortError', 'the function stops between two pages');

      pages.length = 0;
      const realFetch = globalThis.fetch;
      try {
        globalThis.fetch = (_, { signal }) => new Promise((_, reject) => { signal.addEventListener('abort', () => reject(signal.reason)); });
        const early = new AbortController();
        const answer = call('export_pages', { pages: 9 }, { signal: early.signal });
        early.abort();
        equal(await answer.catch((error) => error.name), 'AbortError');
        globalThis.fetch = async () => new Response('', { status: 429 });
        equal((await call('export_pages', { pages: 1 })).code, 'QUOTA');
      } finally {
        globalThis.fetch = realFetch;
      }
      equal(pages, [], 'it was not called at all');
    },
  },

  elements: {
    async check(_, { call, equal, until }) {
      await webmcp(() => 'done', { name: 'work', description: 'Work' }).register();
      await call('work', {});
      const [log, inspector] = document.body.children;
      equal([...log.shadowRoot.querySelectorAll('[data-phase]')].map(({ dataset }) => dataset.phase), ['after', 'before']);
      equal(log.limit, 50);
      log.clear();
      equal(log.shadowRoot.querySelectorAll('[data-phase]').length, 0);
      await until(() => inspector.shadowRoot.querySelector('[data-tool=work]'));
    },
  },

  testing: {
    globals: {
      afterEach: (fn) => { cleanUp = fn; },
      test: (name, fn) => { tests.push({ name, fn }); },
      expect: (actual) => ({
        toBe: (expected) => { if (actual !== expected) throw new Error(`got ${actual}`); },
        toEqual: (expected) => { if (JSON.stringify(actual) !== JSON.stringify(expected)) throw new Error(`got ${JSON.stringify(actual)}`); },
        toMatchObject: (expected) => {
          for (const [key, value] of Object.entries(expected)) if (actual[key] !== value) throw new Error(`${key} is ${actual[key]}`);
        },
      }),
      guestsOnlyRead: () => ({ action: 'deny', message: 'Guests may only read.', code: 'FORBIDDEN' }),
    },
    async check(_, { equal }) {
      equal(tests.map(({ name }) => name), ['a guest cannot delete', 'every test starts without tools and hooks']);
      for (const { fn } of tests) {
        await fn();
        cleanUp();
      }
    },
  },
};
