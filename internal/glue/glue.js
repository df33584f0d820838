// The JavaScript half of package internal/core, appended to the toolchain's
// wasm_exec.js. It owns every value of a call and does what Go decides: see
// "The way of one call" in doc.go. Integers are all that crosses on the way of
// a call, unless Go code (a Go hook, a Go handler) takes part in it.

// What pipeline.Op, pipeline.Event, pipeline.Phase and pipeline.Outcome say.
const HOOKS = 1, VALIDATE = 2, CALL = 4, CHECK = 5, SETTLE = 6;
const DONE = 0, DENY = 1, FAIL = 2, ABORT = 3, LATE = 4;
const BEFORE = 0, AFTER = 1, ERROR = 2, DENIED = 3;
const SUCCEEDED = 0, WAS_DENIED = 1;
const PHASES = ['before', 'after', 'error', 'denied'];

// PENDING is the event that has not happened yet: something asynchronous is
// under way, and will step the call itself.
const PENDING = -1;

// IN_GO stands, where JavaScript has a function, for one that Go has: a hook in a
// plan, or the function of a tool. HANDLER is the latter, and VALIDATOR the further
// validation of a Go tool, where Go is told a phase.
const IN_GO = Symbol('in Go');
const HANDLER = 4, VALIDATOR = 5;

// Owners of a hook in a plan, and the bit of webmcp_start, as in Go.
const TOOL_OWNER = -1, GO_OWNER = -2, FRESH = 1 << 30;

// Answers of webmcp_validate.
const VALID = 0, FILLED = 1;

// Operations of native, in modelcontext.go.
const SUPPORTED = 0, REGISTER_TOOL = 1, GET_TOOLS = 2, EXECUTE_TOOL = 3, LISTEN = 4;

// ---------------------------------------------------------------- errors

class WebMCPError extends Error {}

/** This page or browser cannot do what was asked. */
class NotSupportedError extends WebMCPError {}

/** The page may not register tools, by its permissions policy. */
class NotAllowedError extends WebMCPError {}

/** A tool could not be registered, or there is none of that name. */
class RegistrationError extends WebMCPError {}

/** An option, a contract or a hook is not what it must be. */
class ConfigurationError extends WebMCPError {}

/** An input or output breaks the tool's schema; issues lists where and how. */
class ValidationError extends WebMCPError {
  constructor(message, issues = []) {
    const listed = issues.map(({ path, message }) => (path ? `${path}: ${message}` : message));
    super([message, listed.join('; ')].filter(Boolean).join(': '));
    this.issues = issues;
  }
}

// Agents and hooks see these names: a minifier must not shorten them.
const ERRORS = { NotSupportedError, NotAllowedError, RegistrationError, ConfigurationError, ValidationError };
for (const [name, error] of Object.entries(ERRORS)) {
  Object.defineProperty(error.prototype, 'name', { value: name, writable: true, configurable: true });
}

/** Returns the AbortError that error hooks see for an aborted signal; its cause is the signal's reason. */
function abortError({ reason }) {
  // An agent that cancels gives no reason but the browser's generic one.
  const generic = reason === undefined || (reason instanceof DOMException && reason.name === 'AbortError');
  const text = generic ? 'the agent cancelled the call' : `the call was aborted: ${messageOf(reason)}`;
  return Object.assign(new DOMException(text, 'AbortError'), { cause: reason });
}

/** Returns the text of anything that was thrown. It never throws itself. */
function messageOf(error) {
  try {
    if (typeof error === 'object' && error !== null) {
      if (typeof error.message === 'string' && error.message !== '') return error.message;
      if (typeof error.name === 'string' && error instanceof Error) return error.name;
    }
    return error === undefined || error === null ? `${error} was thrown` : textOf(error);
  } catch {
    return 'an error that cannot be read';
  }
}

// --------------------------------------------------------------- results

/** Returns what the agent gets for an output: {content: [...]}. It never throws. */
function resultOf(output) {
  try {
    if (isResult(output)) return JSON.parse(jsonOf(output));
  } catch {
    // A value that cannot even be looked at gets a text below.
  }
  return { content: [{ type: 'text', text: textOf(output) }] };
}

/** Reports whether an output is a result already: content items that each have a type. */
function isResult(output) {
  return isObject(output) && Array.isArray(output.content) && output.content.every(
    (item) => isObject(item) && typeof item.type === 'string' && (item.type !== 'text' || typeof item.text === 'string'));
}

/** Returns the result of a call that was denied or has failed. */
function refusal(text, code) {
  const result = { isError: true, content: [{ type: 'text', text }] };
  if (code !== undefined) result.code = code;
  return result;
}

/** Returns a text for any value: strings as they are, '' for nothing, else compact JSON. */
function textOf(value) {
  switch (typeof value) {
    case 'string': return value;
    case 'undefined': return '';
    case 'number': case 'boolean': case 'bigint': return String(value);
  }
  if (value === null) return '';
  const text = jsonOf(value);
  return text[0] === '"' ? JSON.parse(text) : text;
}

// How deep a value may nest in a result. Chrome refuses some 10,000 levels, and
// a recursive reader far fewer.
const MAX_DEPTH = 1000;

// How many values a result may hold. Few objects that share each other can
// stand for more text than there is memory.
const MAX_VALUES = 5e5;

/** Returns JSON for any value but undefined; what JSON cannot say becomes a text. It never throws. */
function jsonOf(value) {
  try {
    if (isPlain(value, 0, { values: MAX_VALUES })) return JSON.stringify(value);
  } catch {
    // A getter threw: toPlain says where.
  }
  return JSON.stringify(toPlain(value, new Set(), { values: MAX_VALUES }) ?? null);
}

/** Reports whether JSON.stringify loses nothing of a value, and is done in good time. May throw where a getter does. */
function isPlain(value, depth, left) {
  switch (typeof value) {
    case 'string': case 'number': case 'boolean': case 'undefined': return true;
    case 'object': break;
    default: return false;
  }
  if (value === null) return true;
  if (depth > MAX_DEPTH || left.values-- <= 0) return false;
  if (Array.isArray(value)) return (left.values -= value.length) >= 0 && value.every((item) => isPlain(item, depth + 1, left));
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  for (const key in value) if (!isPlain(value[key], depth + 1, left)) return false;
  return true;
}

/** Returns a copy of a value that JSON can say. It never throws. */
function toPlain(value, ancestors, left) {
  try {
    switch (typeof value) {
      case 'bigint': return String(value);
      case 'symbol': return `[${value.toString()}]`;
      case 'function': return `[function ${value.name || 'anonymous'}]`;
      case 'object': break;
      default: return value;
    }
    if (value === null) return null;
    if (ancestors.has(value)) return '[cycle]';
    if (ancestors.size >= MAX_DEPTH) return '[nested too deeply]';
    if (left.values-- <= 0) return '[too much]';
    ancestors.add(value);
    try {
      return toPlainObject(value, (item) => toPlain(item, ancestors, left), left);
    } finally {
      ancestors.delete(value);
    }
  } catch (error) {
    return `[unreadable: ${messageOf(error)}]`;
  }
}

/** Is toPlain for an object; inner is toPlain for what it holds. May throw. */
function toPlainObject(value, inner, left) {
  if (Array.isArray(value)) return copyItems(value, inner, left);
  if (value instanceof Error) return { name: value.name, message: value.message };
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '[invalid date]' : value.toISOString();
  if (typeof value.toJSON === 'function') return inner(value.toJSON());
  if (value instanceof Map) return copyEntries([...value].map(([key, item]) => [textOf(key), () => inner(item)]));
  if (value instanceof Set) return copyItems([...value], inner, left);
  if (ArrayBuffer.isView(value) && typeof value.length === 'number') return copyItems(value, inner, left);
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  const keys = Object.keys(value);
  if (keys.length === 0 && tag !== 'Object') return tag === 'RegExp' ? String(value) : `[${tag}]`;
  return copyEntries(keys.map((key) => [key, () => inner(readOrSay(value, key))]));
}

/** Returns a plain array. What there is no room for is left out, and said. */
function copyItems(items, copy, left) {
  const room = Math.max(Math.min(items.length, left.values), 0);
  left.values -= room;
  const plain = Array.from({ length: room }, (_, i) => copy(readOrSay(items, i)) ?? null);
  if (room < items.length) plain.push('[too much]');
  return plain;
}

/** Returns a plain object, also for a key such as __proto__; undefined is left out. */
function copyEntries(entries) {
  const copy = Object.create(null);
  for (const [key, value] of entries) copy[key] = value();
  return copy;
}

/** Returns a member, or a text where its getter throws. */
function readOrSay(object, key) {
  try {
    return object[key];
  } catch (error) {
    return `[unreadable: ${messageOf(error)}]`;
  }
}

function isObject(value) {
  return typeof value === 'object' && value !== null;
}

function isThenable(value) {
  return value !== null && (typeof value === 'object' || typeof value === 'function') && typeof value.then === 'function';
}

// ----------------------------------------------------------- invocations

let fallbackIds = 0;

/** Returns an invocation id: a UUID where the page may make one (secure contexts). */
function invocationId() {
  if (crypto.randomUUID) return crypto.randomUUID();
  return `webmcp_${Date.now()}_${++fallbackIds}_${Math.random().toString(36).slice(2, 10)}`;
}

/** One call of an agent: its values, and the hands of the state machine in Go. */
class Invocation {
  constructor(glue, tool, input, signal, resolve) {
    this.glue = glue;
    this.exports = glue.exports;
    this.tool = tool;
    this.id = invocationId();
    this.input = input;
    this.output = undefined;
    this.error = undefined;
    this.denial = undefined;
    this.metadata = Object.create(null);
    this.signal = signal;
    this.resolve = resolve;
    this.plan = undefined; // the hooks of each phase: functions, or IN_GO
    this.number = -1; // of the call in Go
    this.ticket = 0; // of the newest step
    this.count = 0; // hooks of the step that are done
    this.parked = false; // waiting for something asynchronous
    this.inGo = 0; // how many hooks (or 1: the function) Go is at work on
    this.onAbort = undefined;
    this.timer = undefined;
  }

  begin() {
    const { tool, exports, glue } = this;
    try {
      const started = exports.webmcp_start(tool.id);
      if (started < 0) {
        this.answer(refusal(`Error: the tool ${tool.name} is not registered any more`));
        return;
      }
      if (started & FRESH) tool.plan = glue.readPlan(tool);
      this.number = started & ~FRESH;
      this.plan = tool.plan;
      glue.live.set(this.number, this);
      const step = exports.webmcp_begin(this.number);
      this.ticket = exports.webmcp_ticket(this.number);
      this.drive(step);
    } catch (error) {
      glue.die(error);
      this.answer(refusal(`Error: ${messageOf(glue.dead)}`));
    }
  }

  /** Does what a step says, reports, and goes on with the next one, until one has to be waited for. */
  drive(step) {
    while (step !== 0) {
      let event;
      switch (step & 7) {
        case HOOKS: {
          const phase = (step >>> 3) & 3;
          event = phase >= ERROR ? this.observe(phase, step >>> 6, (step & 32) !== 0) : this.run(phase, step >>> 6);
          break;
        }
        case VALIDATE: event = this.validate(); break;
        case CALL: event = this.call(); break;
        case CHECK: event = this.check(); break;
        case SETTLE: this.settle((step >>> 3) & 3); return;
      }
      if (event === PENDING) return;
      step = this.report(event);
    }
  }

  /** Tells Go how the newest step ended, and returns the next one. */
  report(event) {
    const step = this.exports.webmcp_step(this.number, this.ticket, event, this.count);
    if (step !== 0) this.ticket = (this.ticket + 1) | 0;
    return step;
  }

  /** Goes on after a wait. What the page throws is caught where it is called: an error here is the end of Go. */
  resume(next) {
    try {
      this.parked = false;
      this.drive(next());
    } catch (error) {
      this.glue.die(error);
    }
  }

  /** Runs before or after hooks, up to one that stops the call or has to be waited for. */
  run(phase, from) {
    const hooks = this.plan[phase];
    this.count = 0;
    for (let i = from; i < hooks.length; i++) {
      const hook = hooks[i];
      if (phase === BEFORE && this.signal.aborted) return this.abort();
      if (hook === IN_GO) return i > from ? DONE : this.enterGo(phase, from);
      try {
        const returned = hook(this.context(phase));
        if (isThenable(returned)) return this.wait(returned, (value) => this.take(phase, hook, value));
        const event = this.take(phase, hook, returned);
        if (event !== DONE) return event;
      } catch (error) {
        return this.fail(error);
      }
    }
    return DONE;
  }

  /**
   * Takes what a before or after hook returned. Nothing, true or a number keeps
   * what there is. All that is neither that nor {input}, {output} or a denial is
   * a mistake: a typo in a policy must never let a call through. May throw.
   */
  take(phase, hook, returned) {
    if (isObject(returned)) {
      const before = phase === BEFORE;
      const key = before ? 'input' : 'output';
      const denies = before && Object.hasOwn(returned, 'action');
      if (denies && returned.action !== 'deny') return this.fail(misuse(phase, hook, `the unknown action ${textOf(returned.action)}`));
      if (Object.hasOwn(returned, key)) {
        const value = returned[key];
        if (value !== undefined) this[key] = value;
        else if (!before) return this.fail(misuse(phase, hook, '{output: undefined}'));
      } else if (!denies && !isEmpty(returned)) {
        return this.fail(misuse(phase, hook, `an object without ${before ? 'input or action' : 'output'}`));
      }
      if (denies) {
        const { message, code } = returned;
        this.denial = { message: textOf(message ?? 'the call was denied'), code: textOf(code ?? 'DENIED') };
        return DENY;
      }
    } else if (returned !== undefined && returned !== null && returned !== true && typeof returned !== 'number') {
      return this.fail(misuse(phase, hook, typeof returned === 'string' ? 'a string' : textOf(returned)));
    }
    this.count++;
    return DONE;
  }

  /** Runs error or denied hooks, which cannot change anything: one that fails is logged. */
  observe(phase, from, detached) {
    const hooks = this.plan[phase];
    this.count = 0;
    for (let i = from; i < hooks.length; i++) {
      const hook = hooks[i];
      if (hook === IN_GO) return i > from ? DONE : this.enterGo(phase, from, detached);
      try {
        const returned = hook(this.context(phase));
        if (isThenable(returned)) {
          const watched = Promise.resolve(returned).then(undefined, (error) => this.log(phase, error));
          if (!detached) {
            this.limit(phase);
            return this.wait(watched, () => this.passed());
          }
        }
      } catch (error) {
        this.log(phase, error);
      }
      this.count++;
    }
    return DONE;
  }

  /** Bounds the time that the observers of this call may take in all. */
  limit(phase) {
    this.timer ??= setTimeout(() => {
      this.log(phase, 'it has not settled in time; the result does not wait for it any longer');
      if (this.inGo > 0) this.count = this.inGo - 1; // Go goes on with all of them
      this.resume(() => this.report(LATE));
    }, this.glue.observerWait);
  }

  passed() {
    this.count++;
    return DONE;
  }

  /** Validates the input. What the schema made of it is the input from now on. */
  validate() {
    if (this.signal.aborted) return this.abort();
    this.count = 0;
    return this.apply(this.tool.validate, this.input, (result) => {
      if (result.issues) return this.fail(new ValidationError('invalid input', issuesAsText(result.issues)));
      this.input = result.value;
      return this.tool.validatesInGo ? this.enterGo(VALIDATOR, 0) : DONE;
    });
  }

  /** Validates the output, of a result its structuredContent: an output that breaks the contract is an error. */
  check() {
    this.count = 0;
    const { output } = this;
    const wrapped = isResult(output);
    if (wrapped && output.isError === true) return DONE;
    return this.apply(this.tool.check, wrapped ? output.structuredContent : output, (result) => {
      if (result.issues) return this.fail(new ValidationError('the tool returned what its contract does not allow', issuesAsText(result.issues)));
      this.output = wrapped ? { ...output, structuredContent: result.value } : result.value;
      return DONE;
    });
  }

  /** Applies a validation to a value, and takes its result. */
  apply(validation, value, take) {
    const checked = (result) => {
      if (!isObject(result)) throw new TypeError('the schema of the tool returned no result');
      return take(result);
    };
    try {
      const result = validation(value);
      return isThenable(result) ? this.wait(result, checked) : checked(result);
    } catch (error) {
      return this.fail(error);
    }
  }

  /** Calls the function. */
  call() {
    if (this.signal.aborted) return this.abort();
    this.count = 0;
    const { fn } = this.tool;
    if (fn === IN_GO) return this.enterGo(HANDLER, 0);
    const take = (output) => {
      this.output = output;
      return DONE;
    };
    try {
      const returned = fn(this.input, { signal: this.signal, invocationId: this.id, metadata: this.metadata });
      return isThenable(returned) ? this.wait(returned, take) : take(returned);
    } catch (error) {
      return this.fail(error);
    }
  }

  /** Waits for a promise; then takes its value and goes on. A late result, of a step that was abandoned, is dropped. */
  wait(promise, take) {
    const { ticket } = this;
    const settled = (take) => (value) => {
      if (ticket !== this.ticket) return;
      this.resume(() => {
        let event;
        try {
          event = take(value);
        } catch (error) {
          event = this.fail(error);
        }
        return event === PENDING ? 0 : this.report(event);
      });
    };
    Promise.resolve(promise).then(settled(take), settled((error) => this.fail(error)));
    return this.park();
  }

  /** Waits, and hears of the signal meanwhile. */
  park() {
    this.parked = true;
    if (this.onAbort === undefined) {
      this.onAbort = () => {
        if (this.parked) this.aborted(); // else a hook that runs now aborted its own call: run sees that next
      };
      this.signal.addEventListener('abort', this.onAbort);
    }
    return PENDING;
  }

  /** Lets Go know that the signal aborted while something is under way. A function that runs goes on, and is awaited. */
  aborted() {
    try {
      const step = this.exports.webmcp_abort(this.number);
      if (this.inGo > 0) this.glue.wake();
      if (step === 0) return;
      this.ticket = (this.ticket + 1) | 0;
      this.inGo = 0;
      this.error = abortError(this.signal);
      this.resume(() => step);
    } catch (error) {
      this.glue.die(error);
    }
  }

  abort() {
    this.error = abortError(this.signal);
    return ABORT;
  }

  fail(error) {
    this.error = error;
    return FAIL;
  }

  /** Returns what a hook gets: an object of its own, so that no hook can change what the next one sees. */
  context(phase) {
    const { input, signal, metadata } = this;
    const tool = this.tool.handle, invocationId = this.id;
    switch (phase) {
      case BEFORE: return { input, tool, signal, invocationId, metadata };
      case AFTER: return { input, output: this.output, tool, signal, invocationId, metadata };
      case ERROR: return { error: this.error, input, tool, signal, invocationId, metadata };
      default: return { reason: this.denial.message, code: this.denial.code, input, tool, signal, invocationId, metadata };
    }
  }

  settle(outcome) {
    this.glue.live.delete(this.number);
    this.answer(outcome === SUCCEEDED ? resultOf(this.output)
      : outcome === WAS_DENIED ? refusal(`Denied: ${this.denial.message}`, this.denial.code)
        : refusal(`Error: ${messageOf(this.error)}`));
  }

  answer(result) {
    if (this.onAbort !== undefined) this.signal.removeEventListener('abort', this.onAbort);
    if (this.timer !== undefined) clearTimeout(this.timer);
    this.resolve(result);
  }

  log(phase, error) {
    console.error(`[webmcp] ${phase === DENIED ? 'a denied' : 'an error'} hook of ${this.tool.name} failed:`, error);
  }

  // ------------------------------------------------ Go hooks and handlers

  /** Has Go run its hooks from here on, or its handler. Values cross as JSON text. */
  enterGo(phase, from, detached = false) {
    const { glue, error } = this;
    const observes = phase === ERROR || phase === DENIED;
    let text;
    try {
      text = JSON.stringify({
        id: this.id,
        tool: this.tool.contract,
        input: this.input,
        output: phase === AFTER ? this.output : undefined,
        error: phase === ERROR ? { name: nameOf(error), message: messageOf(error) } : undefined,
        denial: phase === DENIED ? this.denial : undefined,
        aborted: this.signal.aborted,
        metadata: sayable(this.metadata),
      });
    } catch (problem) {
      const cause = new TypeError(`a value of the call cannot be passed to Go as JSON: ${messageOf(problem)}`);
      if (!observes) return this.fail(cause);
      this.log(phase, cause);
      return FAIL;
    }
    let hooks = 1;
    while (phase < PHASES.length && this.plan[phase][from + hooks] === IN_GO) hooks++;
    if (detached) {
      glue.host(this.number, 0, phase, from, glue.write(text));
      this.count = hooks;
      return DONE;
    }
    if (observes) this.limit(phase);
    this.inGo = hooks;
    glue.host(this.number, this.ticket, phase, from, glue.write(text));
    return this.park();
  }

  /** Takes what Go code made of the call. */
  leaveGo(event, count, text) {
    this.inGo = 0;
    const { input, output, error, denial, metadata } = JSON.parse(text);
    this.count = count;
    if (input !== undefined) this.input = input.value;
    if (output !== undefined) this.output = output.value;
    if (denial !== undefined) this.denial = denial;
    if (error !== undefined) this.error = Object.assign(new Error(error.message), { name: error.name });
    for (const key of Object.keys(metadata ?? {})) this.metadata[key] = metadata[key];
    this.resume(() => this.report(event));
  }
}

/** Returns the members of a bag that JSON can say, for Go. */
function sayable(bag) {
  const said = {};
  for (const key of Object.keys(bag)) {
    if (isPlainOrFalse(bag[key])) Object.defineProperty(said, key, { value: bag[key], enumerable: true, configurable: true, writable: true });
  }
  return said;
}

function isPlainOrFalse(value) {
  try {
    return isPlain(value, 0, { values: MAX_VALUES });
  } catch {
    return false;
  }
}

function nameOf(error) {
  try {
    return isObject(error) && typeof error.name === 'string' ? error.name : 'Error';
  } catch {
    return 'Error';
  }
}

/** Reports whether a value is a plain {}. */
function isEmpty(value) {
  const prototype = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && Object.keys(value).length === 0;
}

/** Returns the error of a hook that returned what it must not. */
function misuse(phase, hook, what) {
  const name = hook.name ? ` ${hook.name}` : '';
  return new ConfigurationError(phase === BEFORE
    ? `the before hook${name} returned ${what}: return nothing to go on, {input} to change the input, or {action: 'deny', message, code} to deny`
    : `the after hook${name} returned ${what}: return nothing to keep the output, or {output} to change it`);
}

// ------------------------------------------------------------------ glue

/** Which hooks there are, as Go wants to know it: four arrays, in the order of PHASES. */
function hookLists(hooks) {
  if (hooks === undefined || hooks === null) return [[], [], [], []];
  if (!isObject(hooks)) throw new ConfigurationError('hooks must be an object: {before: [], after: [], error: [], denied: []}');
  for (const key of Object.keys(hooks)) {
    if (!PHASES.includes(key)) throw new ConfigurationError(`hooks has no phase ${key}: the phases are before, after, error and denied`);
  }
  return PHASES.map((phase) => {
    const list = hooks[phase] ?? [];
    const functions = typeof list === 'function' ? [list] : Array.isArray(list) ? [...list] : undefined;
    if (!functions?.every((hook) => typeof hook === 'function')) throw new ConfigurationError(`hooks.${phase} must be an array of functions`);
    return functions;
  });
}

/** A tool as the glue knows it. The contract is frozen; handle is what hooks get as tool. */
class Tool {
  constructor(contract, { fn, validate, validatesInGo, check, compile, open, replace, hooks, handle, exposedTo }) {
    this.name = contract.name;
    this.contract = contract;
    this.fn = fn;
    this.validate = validate; // the input: see schema.js
    this.validatesInGo = validatesInGo; // once more, afterwards
    this.check = check; // validates the output; undefined: it may be anything
    this.compile = compile; // what is left to do of the schemas before it can be called
    this.replace = replace; // an earlier tool of the same name goes
    this.open = open; // the schema says nothing, for want of a better one
    this.hooks = hooks ?? hookLists();
    this.handle = handle ?? Object.freeze({ tool: contract, definition: contract });
    this.exposedTo = exposedTo;
    this.id = -1; // in Go, while it has an owner
    this.plan = undefined; // of its newest call
    this.owners = new Map(); // with their scopes
    this.waiting = new Set(); // registrations that wait for the module
    this.controller = undefined; // ends its registration in the browser
    this.ready = undefined; // settles with the browser's answer
    this.error = undefined; // why it could not be registered
  }
}

/** The JavaScript half of one Go instance. */
class Glue {
  constructor() {
    this.exports = undefined; // of the wasm module
    this.native = undefined; // (operation, ...arguments), in modelcontext.go
    this.host = undefined; // runs Go hooks and handlers, in package bridge
    this.wake = undefined; // lets goroutines run, in package bridge
    this.running = false; // Go can be called
    this.dead = undefined; // why Go is not there any more, or never will be
    this.absent = false; // nothing is loaded here: this is no page
    this.queue = []; // what to do when Go can be called
    this.ready = new Promise((resolve, reject) => Object.assign(this, { resolveReady: resolve, rejectReady: reject }));
    this.ready.catch(() => {}); // whoever waits for it hears of it
    this.replace = false; // every tool replaces an earlier one of its name
    this.observerWait = 0;
    this.maxInputBytes = DEFAULT_MAX_INPUT_BYTES;
    this.patterns = new Patterns(this);
    this.live = new Map(); // invocations by their number in Go
    this.tools = new Map(); // what has an owner, by name
    this.expected = new Set(); // tools that wait for the module
    this.global = { number: 0, hooks: hookLists() };
    this.scopes = new Map([[0, this.global]]); // by number
    this.listeners = new Set(); // of changes to the tools
    this.noticing = false;
    this.encoder = new TextEncoder();
    // Forgets a scope in Go when no page code and no registration has it any more.
    this.scopeEnds = new FinalizationRegistry((number) => {
      this.scopes.delete(number);
      if (!this.dead) this.exports.webmcp_scope_free(number);
    });
    // Forgets a schema, likewise, with the validation that stands for it.
    this.schemaEnds = new FinalizationRegistry(({ number, patterns }) => {
      for (const pattern of patterns) this.patterns.byNumber.delete(pattern);
      if (!this.dead) this.exports.webmcp_schema_free(number);
    });
  }

  // -------------------------------------------------- called by Go, once

  attach(native) {
    this.native = native;
    this.observerWait = this.exports.webmcp_observer_wait();
    if (native(SUPPORTED)) native(LISTEN, () => this.changed());
  }

  attachHost(host, wake) {
    this.host = host;
    this.wake = wake;
  }

  /**
   * Registers a tool of Go under the number that Go gave it. Resolves, always, to {release} or {error}, for Go
   * cannot catch everything that JavaScript may throw at it.
   */
  async registerGo(id, options, validates, scope) {
    try {
      const tool = new Tool(...contractOf(this, undefined, JSON.parse(options), { fn: IN_GO, validatesInGo: validates }));
      tool.id = id;
      const { release, ready } = this.acquire(tool, { number: scope });
      await ready;
      return { release };
    } catch (error) {
      return { error: { name: nameOf(error), message: messageOf(error) } };
    }
  }

  /** Goes on with a call after Go code; in a microtask, since Go is on the stack. */
  resume(number, ticket, event, count, text) {
    queueMicrotask(() => {
      const invocation = this.live.get(number);
      if (invocation !== undefined && invocation.ticket === ticket) invocation.leaveGo(event, count, text);
    });
  }

  /** The program is ready for calls of the page, and its API is published. */
  publish() {
    this.running = true;
    globalThis.webmcp = this.webmcp;
    queueMicrotask(() => { // when Go is not on the stack any more
      this.flush();
      globalThis.document?.dispatchEvent(new CustomEvent('webmcp:ready', { detail: this.webmcp }));
    });
  }

  // ----------------------------------------------- before Go can be called

  /** The JavaScript API. It may be used before the module has arrived. */
  get webmcp() {
    return (this.api ??= createAPI(this));
  }

  /** Does something that needs Go: now, or as soon as Go can be called; never, where nothing is loaded. */
  whenRunning(act) {
    this.checkAlive();
    if (this.absent) return;
    if (!this.running) {
      this.queue.push(act);
      return;
    }
    this.flush();
    act();
  }

  /** Does what has waited for Go, in order. */
  flush() {
    for (const act of this.queue.splice(0)) act();
    this.resolveReady();
    this.changed();
  }

  /** Gives up: the module cannot be loaded. */
  fail(error) {
    if (this.running) {
      this.die(error);
      return;
    }
    this.dead = error;
    this.queue = [];
    this.rejectReady(error);
    console.error(`[webmcp] ${messageOf(error)}`);
  }

  /** Nothing is loaded here, as on a server or in a worker: tools are their functions, and nothing else. */
  stayAbsent() {
    this.absent = true;
    this.resolveReady();
  }

  // ------------------------------------------------------- linear memory

  /** Writes a text where Go reads it, and returns its length in bytes. */
  write(text) {
    // Most texts are ASCII. Memory never shrinks: take more only for one that is not.
    const { read, written } = this.encoder.encodeInto(text, this.room(text.length));
    if (read === text.length) return written;
    return this.encoder.encodeInto(text, this.room(text.length * 3)).written;
  }

  /** Returns room for a text in Go. */
  room(length) {
    const address = this.exports.webmcp_buffer(length) >>> 0; // before the view is made: memory may grow
    return new Uint8Array(this.exports.mem.buffer, address, length);
  }

  /** Returns the text of Go's last answer. */
  reply() {
    return this.patterns.text(this.exports.webmcp_reply(), this.exports.webmcp_reply_length());
  }

  /** Returns the hooks of each phase that a call of a tool runs now, in order. */
  readPlan(tool) {
    const words = new Int32Array(this.exports.mem.buffer, this.exports.webmcp_plan() >>> 0);
    let at = PHASES.length;
    return PHASES.map((_, phase) => Array.from({ length: words[phase] }, () => {
      const owner = words[at++], index = words[at++];
      if (owner === GO_OWNER) return IN_GO;
      return (owner === TOOL_OWNER ? tool : this.scopes.get(owner)).hooks[phase][index];
    }));
  }

  // ------------------------------------------------------------- schemas

  /**
   * Returns the validation for a JSON Schema, and adds to compile what has to be done before it is used; that throws
   * where the schema cannot be enforced. limit() is how many bytes the text of a value, by say, may have; fill says
   * whether defaults are filled in.
   */
  validation(schema, what, { limit, say, fill }, compile) {
    let number = -1; // Go has none of that number: nothing passes it
    const validate = (value) => this.enforce(number, value, say(value ?? null), limit());
    compile.push(() => {
      number = this.compile(schema, what, fill, validate);
    });
    return validate;
  }

  /** Compiles a JSON Schema for a validation, and returns its number. */
  compile(schema, what, fill, validate) {
    this.checkAlive();
    const firstPattern = this.patterns.last + 1;
    const number = this.exports.webmcp_schema(this.write(JSON.stringify(schema)), fill ? 1 : 0);
    const patterns = Array.from({ length: this.patterns.last + 1 - firstPattern }, (_, i) => firstPattern + i);
    if (number < 0) {
      for (const pattern of patterns) this.patterns.byNumber.delete(pattern);
      throw new ConfigurationError(`${what} cannot be enforced: ${this.reply()}`);
    }
    this.schemaEnds.register(validate, { number, patterns });
    return number;
  }

  /** Checks a value against a schema, by its JSON text. */
  enforce(number, value, text, limit) {
    const length = text.length > limit ? text.length : this.write(text);
    if (length > limit) return { issues: [{ path: '', message: `it has ${length} bytes or more, and the limit is ${limit}` }] };
    switch (this.exports.webmcp_validate(number, length)) {
      case VALID: return { value };
      case FILLED: return { value: fillIn(value, JSON.parse(this.reply())) };
      default: return { issues: JSON.parse(this.reply()) };
    }
  }

  // -------------------------------------------------------------- scopes

  /** Sets or adds the JavaScript hooks of a scope. */
  configure(scope, hooks, replace) {
    const had = replace ? hookLists() : scope.hooks;
    scope.hooks = had.map((list, phase) => [...list, ...hooks[phase]]);
    const counts = hooks.map((list) => list.length);
    this.whenRunning(() => this.exports.webmcp_hooks(scope.number, ...counts, replace ? 1 : 0));
  }

  /** Makes a scope inside another. It is forgotten in Go together with holder, the page's own object for it. */
  scope(parent, holder) {
    const scope = { number: -1, hooks: hookLists(), parent };
    this.whenRunning(() => {
      scope.number = this.exports.webmcp_scope(parent?.number ?? 0);
      this.scopes.set(scope.number, scope);
      this.scopeEnds.register(holder, scope.number);
    });
    return scope;
  }

  // --------------------------------------------------------------- tools

  /**
   * Registers a tool once more, in a scope (undefined: in none; holder, the page's object for it, is kept, so that its
   * number stays good). Returns a function that ends this registration, and a promise that settles with the browser's
   * answer. Throws a RegistrationError when another tool has the name.
   */
  acquire(tool, scope, holder) {
    this.checkAlive();
    this.flush();
    try {
      compileAll(tool);
      const answer = this.own(tool, scope?.number ?? 0); // a scope that waited has its number only now
      const owner = Math.abs(answer);
      tool.owners.set(owner, holder);
      this.tools.set(tool.name, tool);
      if (answer < 0) this.ask(tool, owner);
      this.changed();
      return { release: () => this.release(tool, owner), ready: tool.ready };
    } catch (error) {
      tool.error = error;
      throw error;
    }
  }

  /** Gives a tool one more owner, and returns it; the negative of it where the browser has to be asked. */
  own(tool, number) {
    const { exports } = this;
    const rival = this.tools.get(tool.name);
    if (rival !== undefined && rival !== tool && (tool.replace ?? this.replace)) this.unregister(rival);
    if (tool.id < 0) tool.id = exports.webmcp_tool(this.write(tool.name), ...tool.hooks.map((list) => list.length), 1, tool.check ? 1 : 0);
    const answer = exports.webmcp_acquire(tool.id, number);
    if (answer !== 0) return answer;
    tool.id = -1;
    throw registrationError(tool, new DOMException('Duplicate tool name', 'InvalidStateError'));
  }

  /** Asks the browser to register a tool. Without WebMCP the tool is there all the same, for invokeTool. */
  ask(tool, owner) {
    const controller = new AbortController();
    const { id } = tool;
    tool.controller = controller;
    tool.error = undefined;
    const answer = this.native(SUPPORTED) ? this.native(REGISTER_TOOL, this.forBrowser(tool), registerOptions(tool, controller)) : Promise.resolve();
    tool.ready = answer.then(() => {
      if (controller.signal.aborted) return; // it was given up meanwhile
      this.exports.webmcp_settled(id, owner, 1);
      this.changed();
    }, (error) => {
      if (controller.signal.aborted) return;
      this.exports.webmcp_settled(id, owner, 0);
      this.forget(tool);
      tool.error = registrationError(tool, error);
      throw tool.error;
    });
    tool.ready.catch(() => {}); // whoever registered hears of it
  }

  /** Ends one registration of a tool. The browser drops it with the last one. */
  release(tool, owner) {
    if (!tool.owners.delete(owner) || this.dead) return;
    if (this.exports.webmcp_release(tool.id, owner) !== 0) this.forget(tool);
    else this.changed();
  }

  /** Ends all registrations of a tool, and those that wait. */
  unregister(tool) {
    tool.waiting.clear();
    this.expected.delete(tool);
    for (const owner of [...tool.owners.keys()]) this.release(tool, owner);
  }

  /** Makes a tool one that nobody owns. Its calls that run go on. */
  forget(tool) {
    tool.id = -1;
    tool.owners.clear();
    if (this.tools.get(tool.name) === tool) this.tools.delete(tool.name);
    tool.controller.abort();
    this.changed();
  }

  /** Returns the state of a tool: idle, registering or registered. */
  state(tool) {
    if (this.dead || tool.id < 0) return 'idle';
    return ['idle', 'registering', 'registered'][this.exports.webmcp_state(tool.id)];
  }

  /** Returns what the browser gets: the contract, and the agent's way in. */
  forBrowser(tool) {
    return { ...tool.contract, execute: (input, extra) => this.invoke(tool, input, extra?.signal) };
  }

  /** Runs a call through the pipeline. Resolves to its result, always. */
  invoke(tool, input, signal) {
    return new Promise((resolve) => {
      if (this.dead) resolve(refusal(`Error: ${messageOf(this.dead)}`));
      else new Invocation(this, tool, input, signal ?? new AbortController().signal, resolve).begin();
    });
  }

  /** Tells listeners, once for all changes of a moment. */
  changed() {
    if (this.noticing || this.listeners.size === 0) return;
    this.noticing = true;
    queueMicrotask(() => {
      this.noticing = false;
      for (const listener of [...this.listeners]) {
        try {
          listener();
        } catch (error) {
          console.error('[webmcp] a listener of onToolsChanged failed:', error);
        }
      }
    });
  }

  // --------------------------------------------------------- end of life

  checkAlive() {
    if (this.dead) throw this.dead;
  }

  /** Go has exited or trapped: drops its tools, answers its calls, refuses what comes later. */
  die(cause) {
    if (this.dead || this.exports === undefined) return;
    this.running = false;
    this.dead = new NotSupportedError('the WebMCP module has stopped and its tools are gone: reload the page', { cause });
    console.error(`[webmcp] ${this.dead.message}:`, cause);
    this.rejectReady(this.dead); // if it never was
    for (const tool of [...this.tools.values()]) {
      tool.error = this.dead;
      this.forget(tool);
    }
    for (const invocation of this.live.values()) {
      invocation.ticket = undefined; // nothing that is under way comes back
      invocation.parked = false;
      invocation.answer(refusal(`Error: ${this.dead.message}`));
    }
    this.live.clear();
  }
}

/** Does what is left to do of a tool's schemas. What throws stays to be done: no later attempt gets by without it. */
function compileAll(tool) {
  for (; tool.compile.length > 0; tool.compile.shift()) tool.compile[0]();
}

function registerOptions(tool, controller) {
  const options = { signal: controller.signal };
  if (tool.exposedTo !== undefined) options.exposedTo = tool.exposedTo;
  return options;
}

/** Returns the error for what the browser answered to a registration; it keeps the browser's name and message. */
function registrationError(tool, cause) {
  const said = `cannot register the tool ${tool.name}: ${nameOf(cause)}: ${messageOf(cause)}`;
  if (nameOf(cause) === 'NotAllowedError') {
    return new NotAllowedError(`${said}. The page that frames this one must allow it: <iframe allow="tools">`, { cause });
  }
  return new RegistrationError(said, { cause });
}

// ------------------------------------------------- the toolchain's Go class

// The toolchain's file gives pages a process without an env, and libraries that
// find a process read that.
globalThis.process.env ??= {};

/** The toolchain's class, with a glue for each instance: the usual snippet is all a page needs. */
globalThis.Go = class Go extends globalThis.Go {
  constructor() {
    super();
    const glue = new Glue();
    this.glue = glue;
    this.importObject.webmcp = glue.patterns.imports();
    const { gojs } = this.importObject;
    const exit = gojs['runtime.wasmExit'];
    gojs['runtime.wasmExit'] = (sp) => {
      exit(sp);
      glue.die(new Error('the Go program has exited'));
    };
  }

  /** The JavaScript API of this instance, also before it runs. */
  get webmcp() {
    return this.glue.webmcp;
  }

  run(instance) {
    this.glue.exports = instance.exports;
    Go.glue = this.glue; // findGlue in glue.go reads it, before run returns
    const ended = super.run(instance);
    Go.glue = undefined;
    return ended;
  }
};
