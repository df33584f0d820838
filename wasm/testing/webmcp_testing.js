// Plays the browser and the agent, for tests under Node.js without a browser: the very module of this package, with a page
// for each test. Nothing here decides anything about a call, but for what Chrome does: see ModelContext.
//
// webmcp.js, in front of which the code under test makes its tools, hands over what it is made of where it runs in no browser,
// and there only. Its glue becomes one that hands everything on to that of the page that is played (Pages), so tools, scopes and
// webmcp itself are the same ones on every page.

import { readFile } from 'node:fs/promises';
import { webcrypto } from 'node:crypto';
import timers from 'node:timers';
import { TextDecoder as NodeTextDecoder, TextEncoder as NodeTextEncoder } from 'node:util';
import { webmcp } from './webmcp.js';

const DOOR = Symbol.for('github.com/webmcp-wasm/webmcp');
const NO_PAGE = "no page is open: call agent() of 'webmcp-wasm/testing' first, and await it";
const LEFT = 'the page was left';

// ------------------------------------------------------------------- the time

// As they were before a test could fake them.
const { setTimeout: realTimeout, performance: { now: realNow }, Date: RealDate, Date: { now: realDateNow } } = globalThis;
const { setImmediate: nextTask } = timers;

/**
 * The time of the pages: the real one, which tick() puts forward; or that of fake timers (vi.useFakeTimers and the like) from
 * when they are there to when they are gone. It never goes back, and goes with whatever of it is faked: performance, Date, or
 * nothing but setTimeout.
 */
class Clock {
  time = 0; // in milliseconds
  ahead = 0; // of the real time
  by; // how it was read last
  last = 0; // what was read then
  timers = new Set(); // of ours, that are open
  waiting = 0; // calls: only for them the process stays

  now() {
    const { performance: p, Date: D } = globalThis;
    const ofDate = p.now === realNow && (D !== RealDate || D.now !== realDateNow);
    const by = ofDate ? D.now : p.now;
    const at = ofDate ? D.now() : p.now();
    if (by === this.by && at > this.last) this.time += at - this.last;
    this.by = by;
    this.last = at;
    return this.time;
  }

  get isFaked() {
    return globalThis.setTimeout !== realTimeout;
  }

  setTimeout(act, ms = 0) {
    const timer = { due: this.now() + ms, act, handle: undefined, clear: globalThis.clearTimeout };
    this.timers.add(timer);
    timer.handle = globalThis.setTimeout(() => this.fire(timer), ms);
    if (this.waiting === 0) timer.handle?.unref?.();
    return timer;
  }

  clearTimeout(timer) {
    if (!this.timers.delete(timer)) return;
    timer.clear(timer.handle);
  }

  fire(timer) {
    if (!this.timers.delete(timer)) return;
    timer.clear(timer.handle);
    this.time = Math.max(this.now(), timer.due); // where nothing but setTimeout is faked
    timer.act();
  }

  /** A call begins, or has ended. */
  wait(more) {
    this.waiting += more;
    for (const { handle } of this.timers) handle?.[this.waiting === 0 ? 'unref' : 'ref']?.();
  }

  /** Puts the time forward, and does what is due on the way, in order. */
  async tick(ms) {
    if (!(Number.isFinite(ms) && ms >= 0)) throw new TypeError('tick needs a number of milliseconds');
    if (this.isFaked && ms > 0) throw new Error('fake timers are in place: put those forward, as with vi.advanceTimersByTime(ms)');
    const until = this.now() + ms;
    this.ahead += ms;
    await settled();
    for (;;) {
      const next = [...this.timers].filter(({ due }) => due <= until).sort((a, b) => a.due - b.due)[0];
      if (next === undefined) break;
      this.fire(next);
      await settled();
    }
    this.time = Math.max(this.now(), until);
  }

  /** Drops the timers of a page that was left. */
  clear() {
    for (const timer of this.timers) this.clearTimeout(timer);
  }
}

/** Lets all happen that waits for nothing but its turn. */
async function settled() {
  for (let i = 0; i < 3; i++) {
    await new Promise((resolve) => nextTask(resolve));
    await webcrypto.subtle.digest('SHA-256', new Uint8Array(1)); // behind that of a question, which has its turn before
  }
}

const clock = new Clock();

// What the glue takes its time from.
const time = {
  setTimeout: (act, ms) => clock.setTimeout(act, ms),
  clearTimeout: (timer) => clock.clearTimeout(timer),
  performance: { now: () => clock.now() },
  Date: { now: () => globalThis.Date.now() + clock.ahead },
};

// ---------------------------------------------------------------- the browser

const NAME = /^[A-Za-z0-9_.-]{1,128}$/;

/** What Chrome has of the tools of a page, and of the calls that run. */
class Browser {
  tools = new Map(); // by name
  calls = new Set();
  context = new ModelContext(this);
  ended = () => {}; // a call

  /** Calls a tool by its name, as an agent outside of the page does. Resolves to what the tool gives, as JSON carries it. */
  async call(name, input, signal) {
    const entry = this.tools.get(name);
    if (entry === undefined) throw new Error(`there is no tool ${name}; agents see: ${[...this.tools.keys()].sort().join(', ') || 'none'}`);
    const output = await this.run(entry, input, signal);
    if (typeof output !== 'string') return output === undefined ? 'undefined' : clone(output);
    try {
      return JSON.parse(output);
    } catch {
      return output === '' ? 'Operation succeeded' : output;
    }
  }

  /** Has a call run. It rejects as soon as it is cancelled; the tool hears of that afterwards. */
  run({ execute }, input, signal) {
    const { calls } = this;
    return new Promise((resolve, reject) => {
      const copy = clone(input);
      if (signal?.aborted) throw signal.reason;
      const controller = new AbortController();
      const settle = (how) => (value) => {
        if (!calls.delete(cancel)) return;
        signal?.removeEventListener('abort', aborted);
        how(value);
        this.ended();
      };
      const cancel = (reason) => {
        settle(reject)(reason);
        nextTask(() => {
          controller.abort();
          this.context.dispatchEvent(new Event('toolcancel'));
        });
      };
      const aborted = () => cancel(signal.reason);
      calls.add(cancel);
      signal?.addEventListener('abort', aborted, { once: true });
      // What a tool throws, Chrome keeps to itself.
      const failed = settle(() => reject(new DOMException('the tool has failed', 'UnknownError')));
      new Promise((answer) => answer(Reflect.apply(execute, globalThis.window, [copy, { signal: controller.signal }]))).then(settle(resolve), failed);
    });
  }

  /** Cancels the calls that run. Returns how many. */
  cancel(reason) {
    const calls = [...this.calls];
    for (const cancel of calls) cancel(reason);
    return calls.length;
  }
}

/** document.modelContext, as Chrome has it. */
class ModelContext extends EventTarget {
  #browser;

  constructor(browser) {
    super();
    this.#browser = browser;
  }

  /** Offers a tool to agents. It never throws, and rejects as Chrome does. */
  async registerTool(tool, options = {}) {
    const { tools } = this.#browser;
    const entry = entryOf(tool, options);
    const { name, signal } = entry;
    if (signal?.aborted) throw signal.reason;
    if (tools.has(name)) throw new DOMException('Duplicate tool name', 'InvalidStateError');
    tools.set(name, entry);
    signal?.addEventListener('abort', () => {
      tools.delete(name);
      this.dispatchEvent(new Event('toolchange'));
    }, { once: true });
    this.dispatchEvent(new Event('toolchange'));
    await null;
    if (signal?.aborted) throw signal.reason;
  }

  /** Returns what agents see of the tools, by name. */
  async getTools() {
    return [...this.#browser.tools.values()].sort((a, b) => (a.name < b.name ? -1 : 1)).map(({ name, title, description, inputSchema, annotations }) => ({
      name, title, description, inputSchema: clone(inputSchema), ...(annotations && { annotations: clone(annotations) }), window: globalThis.window,
    }));
  }

  /** Calls a tool as an agent in the page does. Resolves to a text. */
  async executeTool(tool, input, { signal } = {}) {
    const entry = this.#browser.tools.get(tool?.name);
    if (entry === undefined) throw new DOMException('there is no such tool', 'NotFoundError');
    const output = await this.#browser.run(entry, input, signal);
    if (typeof output === 'string') return output || 'Operation succeeded';
    return JSON.stringify(output) ?? 'undefined';
  }
}

/** Checks what a tool is registered with, in the words of Chrome. */
function entryOf(tool, { signal, exposedTo } = {}) {
  if (typeof tool !== 'object' || tool === null) throw new TypeError('The provided value is not of type ModelContextTool.');
  const { name, title = '', description, inputSchema = { type: 'object', properties: {} }, annotations, execute } = tool;
  for (const [member, value] of Object.entries({ name, description, execute })) {
    if (value === undefined) throw new TypeError(`Required member ${member} is undefined.`);
  }
  if (typeof execute !== 'function') throw new TypeError('execute is not a function.');
  if (signal === null || signal !== undefined && typeof signal.aborted !== 'boolean') throw new TypeError('member signal is not of type AbortSignal.');
  if (typeof inputSchema !== 'object' || inputSchema === null) throw new TypeError('inputSchema is not an object.');
  if (!NAME.test(name)) throw new DOMException('Invalid tool name', 'InvalidStateError');
  const said = String(description).isWellFormed() ? String(description) : '';
  if (said === '') throw new DOMException('Description is required', 'InvalidStateError');
  for (const origin of exposedTo ?? []) {
    if (!/^https:|^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|\/|$)/.test(origin)) throw new DOMException(`exposedTo has ${origin}, which is no secure origin`, 'SecurityError');
  }
  const schema = clone(inputSchema);
  if (schema === undefined) throw new TypeError('inputSchema is not serializable.');
  return { name: String(name), title: String(title), description: said, inputSchema: schema, annotations: annotations && clone(annotations), execute, signal };
}

/** Returns a copy as JSON carries it. */
function clone(value) {
  const text = JSON.stringify(value);
  return text === undefined ? undefined : JSON.parse(text);
}

/** Puts document.modelContext in place, with a document where there is none. Returns what takes it away again. */
function showing(context) {
  const { document } = globalThis;
  const page = document ?? Object.assign(new EventTarget(), { readyState: 'complete', visibilityState: 'visible', baseURI: 'http://localhost/' });
  if (document === undefined) Object.defineProperty(globalThis, 'document', { value: page, configurable: true, writable: true });
  const before = Object.getOwnPropertyDescriptor(page, 'modelContext');
  Object.defineProperty(page, 'modelContext', { value: context, configurable: true, enumerable: true, writable: true });
  return () => {
    if (before === undefined) delete page.modelContext;
    else Object.defineProperty(page, 'modelContext', before);
    if (document === undefined && globalThis.document === page) delete globalThis.document;
  };
}

// ------------------------------------------------------------------ the pages

/** The pages, of which there is one at a time. */
class Pages {
  constructor([shared, front]) {
    this.shared = shared;
    this.front = front;
    this.base = undefined; // the state of no page, which each begins with
    this.page = undefined;
    this.takeOver();
  }

  /** Makes the glue that webmcp, tools and scopes know one that hands on everything to the glue of the page, or, between pages, to base. */
  takeOver() {
    const { shared } = this;
    const { prototype } = shared.constructor;
    this.Glue = shared.constructor;
    const base = this.base = Object.create(prototype, Object.getOwnPropertyDescriptors(shared));
    const { absent } = base;
    base.absent = undefined;
    base.expect = () => {}; // nothing is loaded but by agent()
    base.loader = () => base.fail(new webmcp.NotSupportedError(NO_PAGE));
    base.loading = false;
    base.promise();
    for (const name of Object.keys(shared)) delete shared[name];
    const current = () => this.page?.glue ?? base;
    Object.setPrototypeOf(shared, new Proxy(prototype, {
      get: (_, name) => {
        const glue = current();
        const value = Reflect.get(glue, name);
        return typeof value === 'function' && name in prototype ? value.bind(glue) : value;
      },
      set: (_, name, value) => Reflect.set(current(), name, value),
      has: (_, name) => name in current(),
    }));
    for (const turn of absent?.values() ?? []) quietly(() => base.wait(turn.tool, turn.scope, turn.holder));
    Object.defineProperties(webmcp.audit, {
      entries: { value: (filter) => this.page?.glue.audit.entries(filter) ?? [] },
      lines: { value: (options) => this.page?.glue.audit.lines(options) ?? '' },
      dropped: { get: () => this.page?.glue.audit.dropped ?? 0 },
    });
  }

  /** Loads what a page needs, once. */
  load() {
    return (this.loaded ??= (async () => {
      const { front } = this;
      // jsdom under Jest has neither; the toolchain's code looks for them when it is loaded.
      const missing = Object.entries({ TextDecoder: NodeTextDecoder, TextEncoder: NodeTextEncoder }).filter(([name]) => globalThis[name] === undefined);
      for (const [name, value] of missing) Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
      const natives = front.find((one) => Array.isArray(one) && one.includes(Reflect.apply));
      for (const [at, value] of [[4, NodeTextDecoder.prototype.decode], [7, NodeTextDecoder], [10, NodeTextEncoder], [11, NodeTextEncoder.prototype.encodeInto]]) natives[at] ??= value;
      const names = ['fs', 'path'].filter((name) => globalThis[name] === undefined); // which the toolchain's code makes
      const [{ over }, module] = await Promise.all([
        import('./webmcp_exec.js'),
        readFile(new URL('./webmcp.wasm', import.meta.url)).then((bytes) => WebAssembly.compile(bytes)),
      ]);
      for (const name of names) if (globalThis[name] !== undefined) Object.defineProperty(globalThis, name, { enumerable: false });
      const [, number] = /^webmcp_interface_(\d+)$/m.exec(WebAssembly.Module.exports(module).map(({ name }) => name).join('\n'));
      return { Go: over(front, Number(number), time), module };
    })());
  }

  /** Leaves the page that there is, and opens another one. */
  async open() {
    const { Go, module } = await this.load();
    this.leave();
    const page = new Page(this.base, new this.Glue());
    this.page = page;
    try {
      const go = new Go(page.glue);
      go.run(await WebAssembly.instantiate(module, go.importObject));
      await page.glue.bringApprovals();
      await page.glue.ready;
      await page.glue.holding;
      await settled(); // the tools are with the browser
    } catch (error) {
      if (this.page === page) this.leave();
      throw error;
    }
    return page;
  }

  leave() {
    const { page } = this;
    this.page = undefined;
    page?.leave();
  }
}

/** A page: a glue with a Go of its own. */
class Page {
  browser = new Browser();
  trace = [];
  answered = new Set(); // questions that a function has got
  asked = new Set(); // those who wait for a question
  scopes = new Map(); // that were used here, with their number before; and their hooks, of those that were there already
  tools = new Map(); // that were used here, with their functions

  constructor(base, glue) {
    this.base = base;
    this.glue = glue;
    glue.api = webmcp;
    glue.loading = true; // by agent()
    glue.loader = () => {};
    // The agent asks: no dialog does.
    Object.defineProperty(glue, 'dialog', { get: () => false, set: () => {} });
    this.watch();
    this.begin();
    this.hide = showing(this.browser.context);
    this.browser.ended = () => this.look();
  }

  /** Begins as the code under test has left things before there was a page. */
  begin() {
    const { base, glue } = this;
    for (const name of ['when', 'url', 'integrity', 'replace', 'maxInputBytes', 'maxOutputBytes', 'user']) glue[name] = base[name];
    glue.global.hooks = base.global.hooks;
    glue.listeners = new Set(base.listeners);
    glue.onApprovals = new Set(base.onApprovals);
    glue.policies.push(...base.policies.filter(({ resolve }) => resolve !== undefined)); // the HTML's are there
    glue.waits = [...base.waits];
    for (const { tool } of base.turns) this.use(tool);
    for (const turn of base.turns) {
      const { tool, scope, holder } = turn;
      const here = { tool, scope, holder, resolve: () => {}, reject: turn.reject };
      tool.waiting.add(here);
      glue.turns.add(here);
      turn.release = () => glue.leave(here);
    }
  }

  /** Takes note of the tools, scopes and hooks that are used here, and of who is asked. */
  watch() {
    const { glue } = this;
    const methods = Object.getPrototypeOf(glue);
    const { enter, compileAll, configure, scope, numberOf, readPlan } = methods;
    const own = (name, value) => Object.defineProperty(glue, name, { value, configurable: true, writable: true });
    const keep = (one) => {
      if (one !== undefined && one !== glue.global && !this.scopes.has(one)) this.scopes.set(one, { number: one.number, hooks: one.hooks });
    };
    own('enter', (tool, ...rest) => {
      this.use(tool);
      return enter.call(glue, tool, ...rest);
    });
    own('compileAll', (tool) => {
      this.use(tool);
      return compileAll.call(glue, tool);
    });
    own('scope', (...args) => {
      const made = scope.call(glue, ...args);
      this.scopes.set(made, { number: made.number });
      return made;
    });
    own('configure', (one, ...rest) => {
      keep(one);
      return configure.call(glue, one, ...rest);
    });
    own('numberOf', (one) => {
      keep(one);
      return numberOf.call(glue, one);
    });
    own('readPlan', (tool, number) => this.traced(tool, readPlan.call(glue, tool, number)));
    own('watchEnd', () => {}); // a page ends with leave()
    own('deskOf', () => {
      if (glue.desk === undefined) {
        const desk = methods.deskOf.call(glue); // which comes later than the others
        const { arrange } = desk;
        desk.arrange = (...args) => {
          arrange.apply(desk, args);
          Promise.resolve().then(() => this.look());
        };
      }
      return glue.desk;
    });
  }

  /** Has those look who wait for a question. */
  look() {
    for (const look of [...this.asked]) look();
  }

  /** Has a tool be one that no page has used yet. */
  use(tool) {
    if (this.tools.has(tool)) return;
    this.tools.set(tool, tool.fn);
    renew(tool);
    if (typeof tool.fn === 'function') tool.fn = this.noted(tool.fn, { phase: 'call', place: 'tool', tool: tool.name });
  }

  /** Returns a plan whose hooks leave a trace. */
  traced(tool, plan) {
    const { global } = this.glue;
    ['before', 'after', 'error', 'denied'].forEach((phase, at) => {
      plan[at] = plan[at].map((hook) => {
        if (typeof hook !== 'function') return hook;
        const place = tool.hooks[at].includes(hook) ? 'tool' : global.hooks[at].includes(hook) ? 'global' : 'scope';
        return this.noted(hook, { phase, place, tool: tool.name });
      });
    });
    return plan;
  }

  /** Returns a function that is another one, but for a trace. */
  noted(fn, entry) {
    return new Proxy(fn, {
      apply: (target, self, args) => {
        const { invocationId = args[1]?.invocationId } = args[0] ?? {};
        this.trace.push(Object.freeze({ ...entry, hook: target.name, invocationId: entry.phase === 'call' ? args[1]?.invocationId : invocationId }));
        return Reflect.apply(target, self, args);
      },
    });
  }

  /** Leaves the page: its calls get no answer any more, and what was used is as it was before. */
  leave() {
    const { glue, base } = this;
    this.browser.cancel(new Error(LEFT));
    for (const invocation of glue.live.values()) invocation.ticket = undefined; // nothing that is under way comes back
    quietly(() => glue.desk?.stop());
    clock.clear();
    for (const tool of this.tools.keys()) tool.controller?.abort();
    glue.dead = new webmcp.NotSupportedError(LEFT);
    glue.running = false;
    Object.assign(glue, { release: () => {}, leave: () => {} }); // for those who have registered there
    this.look();
    for (const [tool, fn] of this.tools) {
      tool.fn = fn;
      tool.hints = { lost: [] }; // advice is given once
      renew(tool);
    }
    for (const turn of base.turns) {
      turn.release = undefined;
      turn.tool.waiting.add(turn);
    }
    for (const [scope, { number, hooks = scope.hooks }] of this.scopes) Object.assign(scope, { number, hooks });
    this.hide();
  }
}

/** Makes a tool what it was when it was made. */
function renew(tool) {
  Object.assign(tool, new tool.constructor(tool.contract, tool));
}

function quietly(act) {
  try {
    act();
  } catch (error) {
    console.error('[webmcp]', error);
  }
}

// ------------------------------------------------------------------ the agent

/** The agent, and the human who is asked, on one page after the other. */
class Agent {
  #page;
  #answer; // a function that decides

  constructor(page, answer) {
    this.#page = page;
    this.answer(answer);
    this.#listen();
  }

  /** document.modelContext of the page. */
  get modelContext() {
    return this.#page.browser.context;
  }

  async list() {
    return (await this.#open().browser.context.getTools()).map(({ window: _, ...tool }) => tool);
  }

  call(name, input = {}, { signal } = {}) {
    const { browser } = this.#open();
    clock.wait(1);
    const answer = browser.call(name, input, signal).finally(() => clock.wait(-1));
    answer.catch(() => {}); // a page may be left before a test looks at all calls
    return answer;
  }

  cancel() {
    return this.#open().browser.cancel(new DOMException('the agent has cancelled the call', 'AbortError'));
  }

  questions() {
    this.#open();
    return webmcp.approvals.pending();
  }

  approve(how = {}) {
    return this.#resolve({ ...how, decision: 'approve' });
  }

  deny(reason) {
    return this.#resolve({ decision: 'deny', reason });
  }

  answer(decide) {
    if (decide !== undefined && typeof decide !== 'function') throw new TypeError('answer needs a function that gets the question, or undefined for none');
    this.#answer = decide;
    if (decide !== undefined && !this.#isLeft) this.#decide();
  }

  trace() {
    return [...this.#page.trace];
  }

  async tick(ms) {
    this.#open();
    await clock.tick(ms);
  }

  async reset() {
    this.#open();
    const page = await inTurn(() => pages.open());
    this.#page = page;
    this.#listen();
  }

  async close() {
    if (!this.#isLeft) pages.leave();
  }

  #listen() {
    this.#page.asked.add(() => this.#decide());
  }

  get #isLeft() {
    return pages.page !== this.#page;
  }

  #open() {
    if (this.#isLeft) throw new Error('this agent has left: its page was closed, or agent() has opened another one');
    return this.#page;
  }

  /** Has the function decide what nobody has decided. */
  #decide() {
    if (this.#answer === undefined || this.#isLeft) return;
    for (const question of webmcp.approvals.pending()) {
      if (this.#page.answered.has(question.id)) continue;
      this.#page.answered.add(question.id);
      Promise.resolve().then(() => this.#answer(question)).then(async (said) => {
        if (said !== undefined && !this.#isLeft) await webmcp.approvals.resolve(question.id, said);
      }).catch((error) => {
        console.error('[webmcp] the answer to an approval failed, so the call is denied:', error);
        if (!this.#isLeft) webmcp.approvals.resolve(question.id, 'deny');
      });
    }
  }

  /** Decides the oldest question, or the next one that comes while a call runs. Resolves to the question. */
  async #resolve(decision) {
    const question = await this.#question();
    const counts = await webmcp.approvals.resolve(question.id, decision);
    if (counts === true) return question;
    throw new Error(Array.isArray(counts) || typeof counts === 'object'
      ? `the input of the decision does not do: ${JSON.stringify(counts)}`
      : `the decision about ${question.tool} does not count${question.verify ? ': it has to be verified, and nobody can do that here' : ''}`);
  }

  async #question() {
    const page = this.#open();
    await null; // a call in the same run of the test has begun
    return new Promise((resolve, reject) => {
      const look = () => {
        const [question] = this.#isLeft ? [] : webmcp.approvals.pending();
        const why = this.#isLeft ? LEFT : page.browser.calls.size === 0 ? 'no call runs that could be asked about' : undefined;
        if (question === undefined && why === undefined) return false;
        page.asked.delete(look);
        if (question === undefined) reject(new Error(`there is no approval to decide: ${why}`));
        else resolve(question);
        return true;
      };
      if (!look()) page.asked.add(look);
    });
  }
}

// The runner may load this file again, and webmcp is still the same.
const door = webmcp[DOOR];
const pages = door && (door.pages ??= new Pages(door));

/** Does one thing after the other. */
function inTurn(act) {
  if (pages === undefined) return Promise.reject(new webmcp.NotSupportedError("webmcp-wasm/testing is for Node.js: this is a browser, with agents of its own"));
  const done = (pages.turn ?? Promise.resolve()).then(act);
  pages.turn = done.catch(() => {});
  return done;
}

/** Opens a page, and resolves to the agent on it. The one before is left. */
export function agent(options = {}) {
  return inTurn(async () => {
    const unknown = Object.keys(options).find((name) => name !== 'answer');
    if (unknown !== undefined) throw new TypeError(`agent has no option ${unknown}: it has answer`);
    return new Agent(await pages.open(), options.answer);
  });
}
