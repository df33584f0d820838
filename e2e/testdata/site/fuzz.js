// Calls, aborts, registrations and configurations in an order that a seed decides,
// and hooks that do what no hook should. fuzz looks whether a rule was broken:
//
//   - each call is answered, and is not moved by what another one does;
//   - hooks are those of one moment, run in order and once, and stop where one stops the call;
//   - the function runs once, with the input that the hooks have left, and only if all before hooks let the call go on;
//   - a call ends in one way: its after hooks, its denied hooks or its error hooks; and nothing begins behind those;
//   - at the end nothing is left: no call, no listener of a signal, no tool; and the module works.

const TOOLS = ['one', 'two', 'three', 'four'];
const BURST = 300;

/** Returns a generator of numbers from 0 to 1, which a seed decides: mulberry32. */
function randomOf(seed) {
  return () => {
    seed = (seed + 0x6D2B79F5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Runs one round, and resolves to how many calls there were and which rules were broken. */
export async function fuzz(seed) {
  const { webmcp } = globalThis;
  const random = randomOf(seed);
  const pick = (list, by = random) => list[Math.floor(by() * list.length)];
  const broken = new Set();
  const rule = (holds, call, text) => {
    if (!holds && broken.size < 20) broken.add(`${text}: ${JSON.stringify({ ...call, controller: undefined, signal: undefined })}`);
  };

  // A console that throws now and then; only what the library says of failing hooks may be there.
  const { error: say } = console;
  console.error = (...what) => {
    if (!String(what[0]).startsWith('[webmcp] ')) say.apply(console, what);
    if (random() < 0.3) throw new Error('no output, please');
  };

  // The listeners of each signal that a call has.
  const listening = new Map();
  const once = new WeakSet(); // listeners that leave by themselves
  const { addEventListener, removeEventListener } = EventTarget.prototype;
  const count = (target, n) => { if (target instanceof AbortSignal) listening.set(target, (listening.get(target) ?? 0) + n) };
  AbortSignal.prototype.addEventListener = function (type, listener, options) {
    if (options?.once) once.add(listener);
    else count(this, 1);
    return addEventListener.call(this, type, listener, options);
  };
  AbortSignal.prototype.removeEventListener = function (type, listener) {
    if (!once.has(listener)) count(this, -1);
    return removeEventListener.call(this, type, listener);
  };

  // ------------------------------------------------------------ hooks

  const calls = [];
  const held = []; // what ends promises that settle late or never
  const turns = [
    () => Promise.resolve(),
    () => new Promise((done) => queueMicrotask(() => queueMicrotask(done))),
    () => new Promise((done) => setTimeout(done)),
    () => new Promise((done) => held.push(done)),
  ];

  /** Forms in which a hook can answer. What they answer counts once. */
  const forms = [
    (answer) => answer,
    async (answer) => answer,
    (answer, turn) => turn().then(() => answer),
    (answer) => ({ then(resolved) { resolved(answer) } }),
    (answer) => ({ then(resolved, rejected) { resolved(answer); rejected(new Error('and not')); resolved({ input: { call: -1, trail: [] } }) } }),
    (answer) => ({ then(resolved) { setTimeout(() => { resolved(answer); resolved(answer) }) } }),
    (answer) => Object.assign(Promise.resolve(answer), { then(resolved) { resolved(answer); return 7 } }),
    (answer, turn) => new (class extends Promise {
      then(resolved, rejected) { resolved?.(answer); return super.then(resolved, rejected) }
    })((done) => turn().then(() => done(answer))),
  ];

  /** Forms in which a hook can fail later. */
  const failures = [
    (error) => Promise.reject(error),
    (error) => ({ then(resolved, rejected) { rejected(error); resolved() } }),
    (error) => ({ then() { throw error } }),
    (error) => Object.defineProperty(Promise.resolve(), 'constructor', { get() { throw error } }),
    (error) => Object.assign(Promise.reject(error), { then(resolved) { resolved() } }),
  ];

  /** What is random in a hook depends on the call alone, not on what else goes on: so a seed plays it again. */
  const dice = (call, label) => {
    let n = seed ^ Math.imul(call.n + 1, 0x9E3779B1);
    for (const c of label) n = Math.imul(n ^ c.charCodeAt(0), 0x01000193);
    return randomOf(n);
  };

  /** Things that a page does in the midst of a call. */
  const aside = (call, by) => {
    const chance = by();
    if (chance < 0.02) call.controller.abort(by() < 0.5 ? undefined : new Error('enough'));
    else if (chance < 0.03) pick(tools, by).unregister();
    else if (chance < 0.05) configure();
    else if (chance < 0.07 && call.depth < 2) return invoke(pick(TOOLS, by), call.depth + 1).catch(() => {});
    else if (chance < 0.08) toggle(pick(tools, by));
    else if (chance < 0.09) Object.freeze(call.metadata);
    return undefined;
  };

  const callOf = (context) => {
    const call = calls[context.input?.call];
    rule(call !== undefined, context.input, 'a hook has the input of its call');
    if (call === undefined) return { n: -1, ran: [], trail: [], controller: new AbortController(), depth: 9 };
    rule((call.id ??= context.invocationId) === context.invocationId, call, 'one call has one id');
    rule((call.metadata ??= context.metadata) === context.metadata, call, 'one call has one bag');
    rule((call.signal ??= context.signal) === context.signal, call, 'one call has one signal');
    return call;
  };

  const before = (label) => (context) => {
    const call = callOf(context);
    rule(call.end === undefined, call, `the before hook ${label} begins behind the end`);
    rule(call.fn === undefined, call, `the before hook ${label} begins behind the function`);
    rule(call.stopped === undefined, call, `the before hook ${label} begins though ${call.stopped} stops the call`);
    call.ran.push(label);
    const by = dice(call, label);
    const other = aside(call, by);
    const chance = by(), form = pick(forms, by), turn = pick(turns, by);
    if (chance < 0.04) {
      call.stopped = label;
      return form({ action: 'deny', message: `no ${call.n}` }, turn);
    }
    if (chance < 0.06) {
      call.stopped = label;
      throw new Error(`broken ${call.n}`);
    }
    if (chance < 0.08) {
      call.stopped = label;
      return pick(failures, by)(new Error(`broken ${call.n}`));
    }
    if (chance < 0.09) {
      call.stopped = label;
      return form(pick(['yes', false, { inputs: 1 }, { action: 'denied' }], by), turn);
    }
    if (chance < 0.4) {
      call.trail.push(label);
      const answer = { input: { ...context.input, trail: [...context.input.trail, label] } };
      return other ? other.then(() => answer) : form(answer, turn);
    }
    return other ? other.then(() => undefined) : form(undefined, turn);
  };

  const after = (label) => (context) => {
    const call = callOf(context);
    rule(call.fn === 1 && call.end !== 'denied' && call.end !== 'error', call, `the after hook ${label} follows the function`);
    call.end = 'after';
    call.done.push(label);
    const by = dice(call, label);
    aside(call, by);
    const chance = by();
    if (chance < 0.03) {
      call.stopped = label;
      return pick(failures, by)(new Error(`broken ${call.n}`));
    }
    return pick(forms, by)(chance < 0.4 ? { output: context.output } : undefined, pick(turns.slice(0, 3), by));
  };

  const observer = (kind, label) => (context) => {
    const call = callOf(context);
    rule(call.end === undefined || call.end === kind || call.end === 'after' && kind === 'error' && call.stopped !== undefined, call, `the ${kind} hook ${label} is of the end`);
    call.end = kind;
    call.observed.push(label);
    if (kind === 'error') rule((call.error ??= context.error) === context.error, call, 'all error hooks see one error');
    const by = dice(call, kind + label);
    aside(call, by);
    const chance = by();
    if (chance < 0.1) throw new Error('broken observer');
    return pick(forms, by)({ input: { call: -1, trail: [] }, output: 'not this' }, pick(turns.slice(0, 3), by));
  };

  const hooksOf = (label, n) => {
    const labels = Array.from({ length: n }, (_, i) => `${label}.${i}`);
    return {
      before: labels.map(before), after: labels.map(after),
      error: labels.map((text) => observer('error', text)), denied: labels.map((text) => observer('denied', text)),
    };
  };

  // ------------------------------------------------------------ what the page does

  const lengths = new Map(); // of the hooks of each generation
  let generation = 0;
  const renew = (target, prefix) => {
    const label = `${prefix}${generation++}`;
    const n = Math.floor(random() * 4);
    lengths.set(label, n);
    target.configure({ hooks: hooksOf(label, n), replace: true });
  };
  const outer = webmcp.scope(), inner = webmcp.scope({}, outer);
  const configure = () => renew(...pick([[webmcp, 'g'], [outer, 'o'], [inner, 'i']]));
  for (const [target, prefix] of [[webmcp, 'g'], [outer, 'o'], [inner, 'i']]) renew(target, prefix);

  const tools = TOOLS.map((name, i) => {
    const label = `t${name}`;
    lengths.set(label, i);
    return webmcp((input, context) => {
      const call = callOf({ ...context, input });
      call.fn = (call.fn ?? 0) + 1;
      rule(call.fn === 1, call, 'the function runs once');
      rule(call.end === undefined && call.stopped === undefined, call, 'the function runs only if nothing stopped the call');
      rule(JSON.stringify(input.trail) === JSON.stringify(call.trail), call, `the function gets what the hooks have left, not ${JSON.stringify(input.trail)}`);
      rule(isWhole(call.ran, label), call, 'before the function runs each before hook, of one moment');
      const by = dice(call, 'fn');
      aside(call, by);
      const chance = by();
      if (chance < 0.05) {
        call.stopped = 'fn';
        throw new Error(`broken ${call.n}`);
      }
      return pick(forms, by)(`done ${call.n}`, pick(turns.slice(0, 3), by));
    }, {
      name, description: 'Works.', hooks: hooksOf(label, i),
      schema: { type: 'object', properties: { call: { type: 'number' }, trail: { type: 'array', items: { type: 'string' } } }, required: ['call', 'trail'] },
    });
  });

  /** Reports whether before hooks are all that there were in each scope at one moment, in order. */
  function isWhole(ran, label) {
    const groups = new Map();
    for (const entry of ran) {
      const [scope, i] = entry.split('.');
      if (Number(i) !== (groups.get(scope) ?? 0)) return false;
      groups.set(scope, Number(i) + 1);
    }
    const order = [...groups.keys()].map((scope) => 'goit'.indexOf(scope[0]));
    return [...groups].every(([scope, n]) => n === lengths.get(scope)) && order.every((at, i) => i === 0 || at > order[i - 1])
      && (lengths.get(label) === 0 || groups.has(label));
  }

  const refused = [];
  const toggle = (tool) => {
    if (random() < 0.4) tool.unregister();
    else tool.register({ scope: inner }).catch((error) => refused.push(error.message));
  };

  async function invoke(name, depth = 0) {
    const call = { n: calls.length, name, ran: [], done: [], observed: [], trail: [], depth, controller: new AbortController() };
    calls.push(call);
    try {
      const result = await webmcp.invokeTool(name, { call: call.n, trail: [] }, { signal: call.controller.signal });
      call.answer = result;
    } catch (error) {
      call.rejected = `${error?.name}: ${error?.message}`;
    }
    return call.answer;
  }

  // ------------------------------------------------------------ the round

  globalThis.goapp?.configure('x', 'sleep'); // hooks of Go, ahead of all others
  for (const tool of tools) await tool.register({ scope: inner });
  const all = [];
  const acts = [
    () => { for (let i = 0; i < 5; i++) all.push(invoke(pick(TOOLS))) },
    () => { all.push(invoke(pick(TOOLS))) },
    () => pick(calls)?.controller.abort(),
    () => toggle(pick(tools)),
    () => { const tool = pick(tools); tool.unregister(); toggle(tool); },
    configure,
    () => held.splice(0, 3).forEach((done) => done()),
    () => new Promise((done) => setTimeout(done)),
    () => undefined,
  ];
  for (let i = 0; i < 150; i++) await pick(acts)();
  for (const tool of tools) await tool.register({ scope: inner }).catch(() => {});
  for (let i = 0; i < BURST; i++) all.push(invoke(pick(TOOLS)));
  for (let i = 0; i < 150; i++) await pick(acts)();

  // ------------------------------------------------------------ the end

  const { live } = go.glue; // of the page's own script: calls that nobody waits for any more, too
  for (let quiet = 0; quiet < 3; quiet++) {
    for (const done of held.splice(0)) done();
    await new Promise((done) => setTimeout(done));
    if (held.length > 0 || live.size > 0 || calls.some((call) => call.answer === undefined && call.rejected === undefined)) quiet = -1;
  }
  await Promise.all(all);
  for (const call of calls) {
    const { answer, rejected, fn, end, stopped } = call;
    const aborted = call.controller.signal.aborted;
    if (rejected !== undefined) {
      rule(aborted || call.ran.length === 0 || /regist|Unknown|NotFound/.test(rejected), call, 'a call that nobody aborted has a result');
    } else {
      const [{ text }] = answer.content;
      if (answer.isError) {
        rule(end !== undefined && end !== 'after' || call.observed.length === 0, call, 'an error has its observers');
        if (answer.code === 'DENIED') rule(end !== 'error' && stopped !== undefined && fn === undefined && text === `Denied: no ${call.n}`, call, 'a denial is of a hook of this call');
      } else {
        rule(fn === 1 && stopped === undefined && call.observed.length === 0 && text === `done ${call.n}`, call, `a result is what the function returned, not ${text}`);
      }
    }
    rule(fn === undefined || end !== 'denied', call, 'a call is not denied behind the function');
    rule(new Set(call.ran).size === call.ran.length && new Set(call.done).size === call.done.length && new Set(call.observed).size === call.observed.length, call, 'no hook runs twice');
    if (call.signal) rule((listening.get(call.signal) ?? 0) === 0, { n: call.n, left: listening.get(call.signal) }, 'no listener is left');
  }
  for (const message of refused) rule(false, { message }, 'a tool of a free name can be registered');

  webmcp.resetGlobalHooks();
  webmcp.registry.clear();
  rule(webmcp.registry.list().length === 0, webmcp.registry.list(), 'no tool is left');
  const last = webmcp(() => 'alive', { name: 'last', description: 'Works.' });
  await last.register();
  rule((await webmcp.invokeTool('last', {})).content[0].text === 'alive', {}, 'the module works');
  rule((await webmcp.listTools()).length === 1, {}, 'the browser has no other tool');
  last.unregister();
  console.error = say;
  return { calls: calls.length, broken: [...broken] };
}
