import { webmcp, invokeTool } from 'webmcp-wasm';

/** One call of each outcome; then the tools are gone. */
async function callAll() {
  const deny = () => ({ action: 'deny', message: 'No.', code: 'USER_DENIED' });
  const make = (name, fn, before = []) => webmcp(fn, { name, description: name, hooks: { before } }).register();
  await make('works', () => 'done');
  await make('locked', () => 'done', [deny]);
  await make('breaks', () => { throw new RangeError('too far'); });
  for (const name of ['works', 'locked', 'breaks']) await invokeTool(name, { secret: 'hunter2' });
}

const thrown = new RangeError('too far');

/** Runs a recipe's report once for each outcome. */
function reportAll({ report }) {
  report({ tool: 'works', id: 'i1', outcome: 'ok', executed: true, duration: 1 });
  report({ tool: 'locked', id: 'i2', outcome: 'denied', code: 'USER_DENIED', executed: false, duration: 2 });
  report({ tool: 'breaks', id: 'i3', outcome: 'error', duration: 3 }, thrown);
}

const lines = [];
const { info } = console;

export default {
  configure: { // its report.js is testdata/report.js, which keeps what it gets
    globals: { reported: [] },
    async check(_, { equal }) {
      await callAll();
      const { reported } = globalThis;
      equal(reported.map(([{ tool, outcome, code }, error]) => [tool, outcome, code, error?.name]), [
        ['works', 'ok', undefined, undefined],
        ['locked', 'denied', 'USER_DENIED', undefined],
        ['breaks', 'error', undefined, 'RangeError'],
      ]);
      for (const [{ id, duration }] of reported) {
        if (!(duration >= 0) || id.length !== 36) throw new Error(`${id} ${duration}`);
      }
      if (JSON.stringify(reported).includes('hunter2')) throw new Error('an input was reported');

      globalThis.reported = { push() { throw new Error('the provider is down'); } };
      const { error } = console;
      console.error = () => {};
      try {
        equal((await invokeTool('works', {})).content[0].text, 'done', 'a broken provider breaks no call');
      } finally {
        console.error = error;
      }
    },
  },

  ga4: {
    globals: { gtag: (...args) => { lines.push(args); } },
    check(recipe, { equal }) {
      reportAll(recipe);
      equal(lines, [
        ['event', 'webmcp_tool', { tool: 'works', outcome: 'ok', duration_ms: 1 }],
        ['event', 'webmcp_tool', { tool: 'locked', outcome: 'denied', duration_ms: 2, code: 'USER_DENIED' }],
        ['event', 'webmcp_tool', { tool: 'breaks', outcome: 'error', duration_ms: 3, error_name: 'RangeError' }],
      ]);
      for (const [, name] of lines) if (name.length > 40) throw new Error(`${name} is too long for GA4`);
    },
  },

  beacon: {
    async check(_, { until, equal }) {
      await callAll();
      const arrived = await until(async () => {
        const all = (await (await fetch('/arrived')).json()).filter(({ path }) => path === '/events').flatMap(({ body }) => body.trim().split('\n'));
        return all.length === 3 && all.map((line) => JSON.parse(line));
      });
      equal(arrived.map(({ tool, outcome, code, input }) => [tool, outcome, code, input]), [
        ['works', 'ok', undefined, undefined],
        ['locked', 'denied', 'USER_DENIED', undefined],
        ['breaks', 'error', undefined, undefined],
      ]);
    },
  },

  demo: {
    setup() {
      lines.length = 0;
      console.info = (...line) => { lines.push(line.join(' ').trim()); };
    },
    async check(_, { equal }) {
      try {
        await callAll();
      } finally {
        console.info = info;
      }
      equal(lines, ['analytics: ok works', 'analytics: denied locked USER_DENIED', 'analytics: error breaks RangeError']);
    },
  },

  // The rest runs with the real SDKs, bundled with what starts them and tells what arrived: testdata/sdk.

  posthog: {
    check: arrives([
      '$exception breaks i3 RangeError too far',
      'webmcp tool breaks i3 error 3',
      'webmcp tool locked i2 denied 2 USER_DENIED',
      'webmcp tool works i1 ok 1',
    ]),
  },

  sentry: {
    check: arrives([
      'RangeError too far breaks i3 3',
      'webmcp works ok info',
      'webmcp locked denied info USER_DENIED',
      'webmcp breaks error error',
    ]),
  },

  opentelemetry: {
    check: arrives([
      'execute_tool works execute_tool works i1 ok 0 took time',
      'execute_tool locked execute_tool locked i2 denied USER_DENIED 0 took time',
      'execute_tool breaks execute_tool breaks i3 error RangeError 2 too far exception took time',
    ]),
  },
};

/** Returns the check that reports reach their destination. */
function arrives(expected) {
  return async (recipe, { until, equal }) => {
    recipe.start();
    reportAll(recipe);
    let arrived = [];
    await until(async () => {
      arrived = await recipe.arrived();
      globalThis.progress = arrived.join('\n'); // what a failure shows
      return arrived.length >= expected.length;
    });
    equal(arrived, expected);
  };
}
