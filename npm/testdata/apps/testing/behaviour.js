// What holds in every runner and environment: test is that of the runner.

import assert from 'node:assert/strict';
import { getTool, isWebMCPSupported, listTools, registry, webmcp } from 'webmcp-wasm';
import { agent } from 'webmcp-wasm/testing';

const schema = { type: 'object', properties: { n: { type: 'number' } } };
const hold = (_, { signal }) => new Promise((resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
const text = ({ content }) => content[0].text;
const turn = () => new Promise((resolve) => setTimeout(resolve, 0));

// As code under test does it, when it is imported: no page is open.
const heard = [];
const scope = webmcp.scope({ hooks: { before: [function scoped() {}] } });
const early = webmcp(({ n = 0 }) => n, { name: 'early', description: 'Was there early', schema, outputSchema: undefined });
early.register({ scope });
webmcp.configure({ hooks: { before: [function global({ input }) { if (input.n === 13) return { action: 'deny', message: 'unlucky', code: 'UNLUCKY' }; }] } });
const policed = webmcp.policy({ webmcp: 1, rules: [{ tools: '*', when: { properties: { n: { const: 99 } }, required: ['n'] }, deny: 'too many' }, { tools: '*', audit: true }] });
webmcp.context({ role: 'guest' });
webmcp.onToolsChanged(() => heard.push('tools'));
webmcp.approvals.onChange(() => heard.push('approvals'));
webmcp.audit.onEntry(({ tool }) => heard.push(tool));

/** @param {(name: string, run: () => Promise<void>) => void} test */
export function behaviour(test) {
  test('without a page, what needs the module says what to call', async () => {
    await policed;
    await webmcp.ready;
    await assert.rejects(webmcp.invokeTool('early'), { name: 'NotSupportedError', message: /agent\(\) of 'webmcp-wasm\/testing'/ });
    assert.equal(isWebMCPSupported(), false);
  });

  test('each page begins with what was there before it, and nothing of another one', async () => {
    for (const round of [1, 2, 3]) {
      const a = await agent();
      assert.equal(isWebMCPSupported(), true);
      assert.deepEqual((await a.list()).map(({ name }) => name), ['early'], `round ${round}`);
      assert.equal(early.status, 'registered');
      assert.deepEqual((await listTools()).map(({ source }) => source), ['native']);
      assert.equal((await a.call('early', { n: 13 })).code, 'UNLUCKY');
      assert.equal(text(await a.call('early', { n: 99 })), 'Denied: too many');
      assert.equal(text(await a.call('early', { n: 1 })), '1');
      assert.deepEqual(a.trace().slice(-3).map(({ phase, place, hook }) => `${phase} ${place} ${hook}`).slice(0, 2), ['before global global', 'before scope scoped']);
      assert.equal(webmcp.audit.entries().length, 3);
      await turn();
      assert.equal(heard.filter((tool) => tool === 'early').length, 4 * round - 1);

      // All of this goes with the page.
      const late = webmcp(({ n }) => n + 1, { name: 'late', description: 'Came late', schema, approval: { remember: 'tool' } });
      await late.register();
      await webmcp.policy({ webmcp: 1, rules: [{ tools: 'early', deny: 'closed' }] });
      webmcp.configure({ hooks: { before: [function more() {}] }, maxInputBytes: 100 });
      scope.configure({ hooks: { before: [function evenMore() { throw new Error('no'); }] } });
      webmcp.context({ role: 'admin' });
      webmcp.replace = true;
      const asked = a.call('late', { n: 1 });
      await a.approve({ remember: 'tool' });
      assert.equal(text(await asked), '2');
      assert.equal(text(await a.call('late', { n: 2 })), '3');
      assert.equal(webmcp.approvals.remembered().length, 1);
      await turn();
      assert.ok(heard.includes('approvals') && heard.includes('tools'));
      heard.splice(0, heard.length, ...heard.filter((one) => one === 'early'));
      assert.equal(text(await a.call('early', { n: 1 })), 'Denied: closed');
      assert.equal(registry.list().length, 2);
      early.unregister();
      assert.deepEqual((await a.list()).map(({ name }) => name), ['late']);
    }
    assert.equal(webmcp.replace, true);
    await agent();
    assert.equal(webmcp.replace, false);
    assert.equal(webmcp.getGlobalHooks().before.length, 1);
    assert.deepEqual(webmcp.approvals.remembered(), []);
  });

  test('a tool of an earlier page can be registered again, and its old registration ends nothing', async () => {
    await agent();
    const tool = webmcp(({ n }) => n, { name: 'again', description: 'Again', schema });
    const end = await tool.register();
    const a = await agent();
    assert.equal(tool.status, 'idle');
    await tool.register();
    end();
    assert.equal(text(await a.call('again', { n: 4 })), '4');
    tool.unregister();
    assert.equal(await getTool('again'), undefined);
  });

  test('calls run at once, and are cancelled each or all', async () => {
    const a = await agent();
    const aborted = [];
    const tool = webmcp((input, { signal }) => { signal.addEventListener('abort', () => aborted.push(input.n)); return hold(input, { signal }); }, { name: 'hold', description: 'Holds', schema });
    await tool.register();
    const controller = new AbortController();
    const calls = [1, 2, 3].map((n) => a.call('hold', { n }, n === 1 ? { signal: controller.signal } : undefined));
    await turn();
    controller.abort(new RangeError('enough'));
    await assert.rejects(calls[0], RangeError);
    assert.equal(a.cancel(), 2);
    for (const call of calls.slice(1)) await assert.rejects(call, { name: 'AbortError' });
    await turn();
    await turn();
    assert.deepEqual(aborted.sort(), [1, 2, 3]);
    assert.equal(a.cancel(), 0);
    await assert.rejects(a.call('hold', {}, { signal: AbortSignal.abort(new RangeError('late')) }), RangeError);
    await assert.rejects(a.call('nobody'), /there is no tool nobody; agents see: early, hold/);
    const many = await Promise.all(Array.from({ length: 200 }, (_, n) => a.call('early', { n: n === 13 || n === 99 ? 0 : n })));
    assert.equal(text(many[150]), '150');
  });

  test('a page that is left answers no call', async () => {
    const a = await agent();
    await webmcp(hold, { name: 'hold', description: 'Holds', schema }).register();
    const call = a.call('hold');
    const question = assert.rejects(a.approve(), /the page was left/);
    await turn();
    const b = await agent();
    await assert.rejects(call, /the page was left/);
    await question;
    await assert.rejects(async () => a.call('early'), /this agent has left/);
    await b.close();
    await b.close();
    assert.throws(() => b.cancel(), /this agent has left/);
    assert.equal(isWebMCPSupported(), false);
    assert.equal(early.status, 'registered');
    await assert.rejects(webmcp.invokeTool('early'), /no page is open/);
  });

  test('questions', async () => {
    const a = await agent();
    await webmcp(({ n }) => n, { name: 'pay', description: 'Pays', schema, approval: { edit: true } }).register();
    await assert.rejects(a.approve(), /no call runs/);
    const changed = a.call('pay', { n: 1 });
    await assert.rejects(a.approve({ input: { n: 'two' } }), /does not do/);
    await a.approve({ input: { n: 2 } });
    assert.equal(text(await changed), '2');
    const unasked = a.approve();
    await a.call('early');
    await assert.rejects(unasked, /no call runs/);
    const order = [];
    a.answer(({ input }) => { order.push(input.n); if (input.n === 3) throw new Error('no idea'); return input.n === 2 ? undefined : 'approve'; });
    const { error } = console;
    console.error = () => {};
    try {
      const [one, three] = await Promise.all([a.call('pay', { n: 1 }), a.call('pay', { n: 3 })]);
      assert.equal(text(one), '1');
      assert.equal(three.code, 'USER_DENIED');
    } finally {
      console.error = error;
    }
    const two = a.call('pay', { n: 2 });
    await a.deny('no');
    assert.match(text(await two), /says: no/);
    assert.deepEqual(order, [1, 3, 2]);
    assert.throws(() => a.answer('approve'), TypeError);
    await assert.rejects(agent({ answers: () => {} }), /no option answers/);
  });

  test('the page asks in its own way', async () => {
    const a = await agent();
    await webmcp(({ n }) => n, { name: 'pay', description: 'Pays', schema, approval: { ask: async ({ input }) => (input.n < 5 ? 'approve' : 'deny') } }).register();
    assert.equal(text(await a.call('pay', { n: 1 })), '1');
    assert.equal((await a.call('pay', { n: 7 })).code, 'USER_DENIED');
  });

  test('time goes on by tick', async () => {
    const a = await agent();
    await webmcp(hold, { name: 'hold', description: 'Holds', schema, timeout: 20_000 }).register();
    await webmcp(({ n }) => n, { name: 'pay', description: 'Pays', schema, approval: { timeout: 30_000, hold: Infinity } }).register();
    await webmcp.policy({ webmcp: 1, rules: [{ tools: 'early', rate: '1/min' }] });
    const began = Date.now();
    const ended = [];
    const calls = [['hold', 'TIMEOUT'], ['pay', 'APPROVAL_TIMEOUT']].map(async ([name, code]) => {
      assert.equal((await a.call(name)).code, code);
      ended.push(name);
    });
    await a.call('early');
    await a.tick(19_000);
    assert.deepEqual(ended, []);
    await a.tick(2000);
    assert.deepEqual(ended, ['hold']);
    assert.equal((await a.call('early')).code, 'RATE_LIMITED');
    await a.tick(40_000);
    await Promise.all(calls);
    assert.equal((await a.call('early')).code, undefined);
    assert.ok(Date.parse(webmcp.audit.entries().at(-1).time) - began >= 61_000, 'the log has the time of the page');
    await assert.rejects(a.tick(-1), TypeError);
    await assert.rejects(a.tick(Infinity), TypeError);
  });

  test('the browser is strict', async () => {
    const a = await agent();
    const { modelContext } = document;
    assert.equal(a.modelContext, modelContext);
    const tool = (more) => ({ name: 'raw', description: 'Raw', execute: () => '', ...more });
    const refused = async (given, options) => modelContext.registerTool(given, options).then(() => 'registered', ({ name }) => name);
    assert.equal(await refused(tool({ name: 'a b' })), 'InvalidStateError');
    assert.equal(await refused(tool({ description: '' })), 'InvalidStateError');
    assert.equal(await refused(tool({ description: '\ud800' })), 'InvalidStateError');
    assert.equal(await refused(tool({ name: 'early' })), 'InvalidStateError');
    assert.equal(await refused(tool({ execute: 1 })), 'TypeError');
    assert.equal(await refused(tool({ inputSchema: 1 })), 'TypeError');
    assert.equal(await refused(undefined), 'TypeError');
    assert.equal(await refused(tool(), { signal: null }), 'TypeError');
    assert.equal(await refused(tool(), { exposedTo: ['http://example.com'] }), 'SecurityError');
    assert.equal(await refused(tool(), { signal: AbortSignal.abort(new RangeError('gone')) }), 'RangeError');
    let changes = 0;
    modelContext.addEventListener('toolchange', () => changes++);
    const controller = new AbortController();
    let answer = '';
    await modelContext.registerTool(tool({ execute: () => { if (answer === 'throw') throw new Error('secret'); return answer; } }), { signal: controller.signal });
    assert.equal(changes, 1);
    const raw = (await modelContext.getTools()).find(({ name }) => name === 'raw');
    for (const [given, inPage, outside] of [['', 'Operation succeeded', 'Operation succeeded'], [undefined, 'undefined', 'undefined'], [null, 'null', null], ['42', '42', 42], [{ a: 1 }, '{"a":1}', { a: 1 }]]) {
      answer = given;
      assert.equal(await modelContext.executeTool(raw, {}), inPage);
      assert.deepEqual(await a.call('raw'), outside);
    }
    answer = 'throw';
    await assert.rejects(a.call('raw'), ({ name, message }) => name === 'UnknownError' && !message.includes('secret'));
    controller.abort();
    assert.equal(changes, 2);
    await assert.rejects(modelContext.executeTool(raw, {}), { name: 'NotFoundError' });
  });

  test('what JSON does not carry rejects', async () => {
    const a = await agent();
    const cycle = {};
    cycle.self = cycle;
    await assert.rejects(a.call('early', cycle), TypeError);
    await assert.rejects(a.call('early', { n: 1n }), TypeError);
    assert.match(text(await a.call('early', { n: 'x'.repeat(100_000) })), /invalid input/);
  });

  test('many agents at once open one page after the other', async () => {
    const agents = await Promise.all([agent(), agent(), agent()]);
    await assert.rejects(async () => agents[0].call('early'), /has left/);
    assert.equal(text(await agents[2].call('early', { n: 5 })), '5');
    await agents[2].reset();
    assert.equal(text(await agents[2].call('early', { n: 6 })), '6');
    assert.equal(agents[2].trace().filter(({ phase }) => phase === 'call').length, 1);
    await agents[2].close();
  });
}
