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

const failed = { tool: 'breaks', invocation: 'i3', ms: 3, error: new RangeError('too far') };

/** Runs a recipe's report once for each outcome. */
function reportAll({ report }) {
  report('succeeded', { tool: 'works', invocation: 'i1', ms: 1 });
  report('denied', { tool: 'locked', invocation: 'i2', ms: 2, code: 'USER_DENIED' });
  report('failed', failed);
}

const lines = [];
const sent = [];
const { info } = console;
const { sendBeacon } = navigator;

export default {
  configure: { // its report.js is testdata/report.js, which keeps what it gets
    globals: { reported: [] },
    async check(_, { equal }) {
      await callAll();
      const { reported } = globalThis;
      equal(reported.map(([outcome, facts]) => [outcome, facts.tool, facts.code, facts.error?.name]), [
        ['succeeded', 'works', undefined, undefined],
        ['denied', 'locked', 'USER_DENIED', undefined],
        ['failed', 'breaks', undefined, 'RangeError'],
      ]);
      for (const [, facts] of reported) {
        if (!Number.isInteger(facts.ms) || facts.ms < 0 || facts.invocation.length !== 36) throw new Error(JSON.stringify(facts));
      }
      if (JSON.stringify(reported).includes('hunter2')) throw new Error('an input was reported');

      globalThis.reported = { push() { throw new Error('the provider is down'); } };
      const warn = console.warn;
      console.warn = () => {};
      try {
        equal((await invokeTool('works', {})).content[0].text, 'done', 'a broken provider breaks no call');
      } finally {
        console.warn = warn;
      }
    },
  },

  ga4: {
    globals: { gtag: (...args) => { lines.push(args); } },
    check(recipe, { equal }) {
      reportAll(recipe);
      equal(lines, [
        ['event', 'webmcp_tool_succeeded', { tool: 'works', duration_ms: 1 }],
        ['event', 'webmcp_tool_denied', { tool: 'locked', duration_ms: 2, code: 'USER_DENIED' }],
        ['event', 'webmcp_tool_failed', { tool: 'breaks', duration_ms: 3, error_name: 'RangeError' }],
      ]);
      for (const [, name] of lines) if (name.length > 40) throw new Error(`${name} is too long for GA4`);
    },
  },

  beacon: {
    setup() {
      navigator.sendBeacon = (url, body) => sent.push([url, JSON.parse(body)]) > 0;
    },
    check(recipe, { equal }) {
      try {
        reportAll(recipe);
      } finally {
        navigator.sendBeacon = sendBeacon;
      }
      equal(sent.map(([url, { tool, outcome, error }]) => [url, tool, outcome, error]), [
        ['/events', 'works', 'succeeded', undefined],
        ['/events', 'locked', 'denied', undefined],
        ['/events', 'breaks', 'failed', 'RangeError: too far'],
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
      equal(lines, ['analytics: succeeded works', 'analytics: denied locked USER_DENIED', 'analytics: failed breaks RangeError']);
    },
  },

  // The rest runs with the real SDKs, bundled with what starts them and tells what arrived: testdata/sdk.

  posthog: {
    check: arrives([
      '$exception breaks i3 3 RangeError too far',
      'webmcp tool denied locked i2 2 USER_DENIED',
      'webmcp tool failed breaks i3 3',
      'webmcp tool succeeded works i1 1',
    ]),
  },

  sentry: {
    check: arrives([
      'RangeError too far breaks i3 3',
      'webmcp works succeeded info',
      'webmcp locked denied info USER_DENIED',
      'webmcp breaks failed error',
    ]),
  },

  opentelemetry: {
    check: arrives([
      'execute_tool works execute_tool works i1 succeeded 0 took time',
      'execute_tool locked execute_tool locked i2 denied USER_DENIED 0 took time',
      'execute_tool breaks execute_tool breaks i3 failed RangeError 2 too far exception took time',
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
