// One call of an agent. Go decides what it does next; the invocation does it,
// says what happened, waits where it has to, and answers the agent. The only file
// that steps the machine in Go: it touches the call's ticket, the signal and the
// promise of the agent. What a step does stands in hooks.js, stages.js and
// crossing.js, which set values of the call and return an event.

// PENDING is the event that has not happened yet: something asynchronous is
// under way, and will step the call itself.
const PENDING = -1;

// Random bytes for ids: asking the browser for each of them takes longer than all else of a short call.
const random = new Uint8Array(16 * 64);
let used = random.length;
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
let fallbackIds = 0;

/** Returns an invocation id: a UUID where the page can make one (secure contexts). It never throws. */
function invocationId() {
  if (used === random.length && !refill()) return `webmcp_${Date.now()}_${++fallbackIds}_${Math.random().toString(36).slice(2, 10)}`;
  let id = '';
  for (let i = 0; i < 16; i++) {
    let byte = random[used++];
    if (i === 6) byte = byte & 0x0F | 0x40; // version 4
    if (i === 8) byte = byte & 0x3F | 0x80; // of RFC 9562
    id += i === 4 || i === 6 || i === 8 || i === 10 ? `-${HEX[byte]}` : HEX[byte];
  }
  return id;
}

function refill() {
  try {
    const { crypto } = globalThis;
    if (typeof crypto.randomUUID !== 'function') return false;
    crypto.getRandomValues(random);
    used = 0;
    return true;
  } catch {
    return false; // Somebody's crypto is missing or throws, as in test set-ups.
  }
}

/** One call of an agent: its values, and the hands of the state machine in Go. */
class Invocation {
  constructor(glue, tool, input, signal, resolve, client) {
    this.glue = glue;
    this.exports = glue.exports;
    this.tool = tool;
    this.id = invocationId();
    this.input = input;
    this.output = undefined;
    this.result = undefined; // of the output, for the agent
    this.error = undefined;
    this.metadata = Object.create(null);
    this.caller = signal; // the caller's signal
    this.resolve = resolve;
    this.client = client; // that called, as the browser has it: see interaction.js; undefined once it has an answer
    this.plan = undefined; // the hooks of each phase: functions, or IN_GO
    this.number = NO_NUMBER; // of the call in Go
    this.ticket = NO_TICKET; // of the newest step
    this.count = 0; // hooks of the step that are done
    this.seen = false; // by a hook of the page: the input
    this.behind = false; // whether the function has returned
    this.parked = false; // waiting for something asynchronous
    this.ended = false; // answered
    this.called = NO_TICKET; // of the step that called the function; until then there is none
  }

  begin() {
    const { tool, exports, glue } = this;
    let step;
    try {
      const started = exports.webmcp_start(tool.id);
      if (started === NO_NUMBER) {
        this.plan = tool.plan;
        this.answer(failure(`the tool ${tool.name} is not registered any more`));
        return;
      }
      this.number = started & ~FRESH;
      if (started & FRESH) tool.plan = glue.readPlan(tool, this.number);
      this.plan = tool.plan;
      const { effects, timeout } = this.plan;
      if (effects !== undefined || timeout > 0) this.began = this.since = clock();
      if (timeout > 0) this.bound(timeout, this.began + timeout);
      glue.live.set(this.number, this);
      step = exports.webmcp_begin(this.number);
      this.ticket = exports.webmcp_ticket(this.number);
    } catch (error) {
      glue.die(error);
      this.answer(failure(messageOf(glue.dead)));
      return;
    }
    this.drive(step);
  }

  /**
   * Does what a step says, reports, and goes on with the next one, until one has to be waited for. It never throws:
   * whatever a call does, what goes wrong is its own failure.
   */
  drive(step) {
    while (step !== NONE) {
      if ((step & OP_MASK) === SETTLE) {
        this.settle((step >>> PHASE_SHIFT) & PHASE_MASK);
        return;
      }
      let event;
      try {
        event = this.perform(step);
      } catch (error) {
        event = this.broke(step, error);
      }
      if (event === PENDING || this.ended) return; // ended: Go has died of it
      step = this.report(event);
    }
  }

  perform(step) {
    switch (step & OP_MASK) {
      case GATE: return this.gate();
      case HOOKS: {
        const phase = (step >>> PHASE_SHIFT) & PHASE_MASK;
        const from = step >>> FROM_SHIFT;
        return phase >= ERROR ? this.observe(phase, from, (step & DETACHED) !== 0) : this.run(phase, from);
      }
      case VALIDATE: return this.validate();
      case JUDGE: return this.judgeInput();
      case APPROVE: return this.approve();
      case CALL: return this.call();
      case CHECK: return this.check();
    }
  }

  /** Takes what a step has thrown that nothing else has caught. Observers cannot change the outcome with that either. */
  broke(step, error) {
    const phase = (step >>> PHASE_SHIFT) & PHASE_MASK;
    if ((step & OP_MASK) !== HOOKS || phase < ERROR) return this.fail(error);
    this.log(phase, error);
    return FAIL;
  }

  /** Tells Go how the newest step ended, and returns the next one. */
  report(event) {
    let step;
    try {
      step = this.exports.webmcp_step(this.number, this.ticket, event, this.count);
    } catch (error) {
      this.glue.die(error);
      return NONE;
    }
    if (step !== NONE) this.ticket = (this.ticket + 1) | 0;
    return step;
  }

  /** Goes on after a wait. */
  resume(next) {
    this.parked = false;
    this.drive(next());
  }

  /** Waits for a promise; then has take take its value, and goes on. */
  wait(promise, take) {
    const { ticket } = this;
    follow(promise, (value) => this.arrive(ticket, take, value), (error) => this.arrive(ticket, this.fail, error));
    return this.park();
  }

  /** Goes on with what was waited for. A late result, of a step that was abandoned, is dropped. */
  arrive(ticket, take, value) {
    if (ticket !== this.ticket) {
      if (take !== this.fail && ticket === this.called && this.kind === 'timeout') console.error(`[webmcp] ${this.tool.name}: ${DROPPED}`);
      return;
    }
    this.parked = false;
    this.glue.checked = undefined; // others may have touched it
    let event;
    try {
      event = take.call(this, value);
    } catch (error) {
      event = this.fail(error);
    }
    if (event !== PENDING && !this.ended) this.drive(this.report(event));
  }

  /** Waits, and hears of the signal meanwhile where that changes something: a function of the page, and what follows it, is awaited whatever happens. */
  park() {
    if (this.ended) return PENDING; // Go has died of what is waited for
    this.parked = true;
    if (this.inGo === 0 && (this.behind || this.ticket === this.called)) return PENDING;
    if (this.onAbort === undefined) {
      this.onAbort = () => {
        if (this.parked) this.aborted(); // else a hook that runs now aborted its own call: run sees that next
      };
      this.caller.addEventListener('abort', this.onAbort);
    }
    if (this.isAborted) this.aborted(); // by what is waited for, before it was
    return PENDING;
  }

  /** Lets Go know that the signal aborted while something is under way. A function that runs goes on, and is awaited. */
  aborted() {
    let step;
    try {
      // The number may be another call's by now. Its tickets are not.
      step = this.exports.webmcp_abort(this.number, this.ticket);
      if (this.inGo > 0) this.glue.wake();
    } catch (error) {
      this.glue.die(error);
      return;
    }
    if (step === NONE) return;
    this.ticket = (this.ticket + 1) | 0;
    this.inGo = 0;
    this.abort();
    this.resume(() => step);
  }

  /** The signal has aborted: what a hook has returned meanwhile is dropped. */
  abort(returned) {
    this.fail(abortError(this.caller), 'abort');
    if (isThenable(returned)) follow(returned, () => {}, () => {});
    return ABORT;
  }

  /** Bounds the time of the call to so many milliseconds, which are used up then: its signal aborts, too. */
  bound(ms, deadline) {
    this.timeout = ms;
    this.deadline = deadline;
    this.glue.startClock(this, deadline);
  }

  /** Shortens the time of the call to so many milliseconds. Returns whether any are left. */
  lower(ms) {
    const { timeout } = this;
    if (timeout > 0 && timeout <= ms) return true;
    const deadline = (timeout > 0 ? this.deadline - timeout : this.began) + ms;
    this.bound(ms, deadline);
    return deadline > clock();
  }

  /** The time is used up: nothing is waited for any more, the function neither. */
  expire() {
    let step;
    try {
      step = this.exports.webmcp_expire(this.number, this.ticket);
    } catch (error) {
      this.glue.die(error);
      return;
    }
    if (step === NONE) return; // there is an outcome, and observers are at work
    this.ticket = (this.ticket + 1) | 0;
    this.inGo = 0;
    this.parked = false;
    this.outOfTime();
    this.resume(() => step);
  }

  outOfTime() {
    this.fail(new DOMException(`the tool ${this.tool.name} ${TIMED_OUT} ${this.timeout} ms`, 'TimeoutError'), 'timeout');
    this.expired = true;
    this.controller?.abort(this.error);
    return FAIL;
  }

  get isAborted() {
    return this.expired || this.caller.aborted;
  }

  /** The signal of the call: the caller's, or where its time is bounded one that aborts then, too, which is made when somebody looks at it. */
  get signal() {
    if (this.timeout === 0) return this.caller;
    if (this.controller === undefined) {
      this.controller = new AbortController();
      this.both = AbortSignal.any([this.caller, this.controller.signal]);
      if (this.expired) this.controller.abort(this.error);
    }
    return this.both;
  }

  /** Returns what a function of the page gets, with the signal. To make one for each call takes longer than most calls. */
  withSignal(given) {
    if (this.timeout === 0) return given;
    this.looked ??= { get: () => this.signal, enumerable: true, configurable: true };
    return Object.defineProperty(given, 'signal', this.looked);
  }

  fail(error, kind) {
    this.error = error;
    this.kind = kind;
    return FAIL;
  }

  settle(outcome) {
    this.glue.live.delete(this.number);
    const result = outcome === SUCCEEDED ? this.result : this.refused(outcome);
    if (this.effects !== undefined) this.endRules(result);
    this.note(result, outcome);
    if (this.reports !== undefined) this.tellReports();
    if (this.changed !== undefined && this.called !== NO_TICKET) result.content.push({ type: 'text', text: EDITED + shorten(this.changed) });
    this.answer(result);
  }

  /** Returns what the agent gets of a call that was denied or has failed. */
  refused(outcome) {
    const { executed, retryAfter } = this;
    return outcome === WAS_DENIED ? { ...refusal(DENIED_PREFIX + shorten(this.denial.message), shorten(this.denial.code), executed), ...(retryAfter && { retryAfter }) }
      : this.kind === 'timeout' ? refusal(ERROR_PREFIX + this.told, TIMEOUT_CODE, executed)
        : refusal(ERROR_PREFIX + this.failed(), this.code, executed);
  }

  /** Whether the function was called: if not, nothing was done. */
  get executed() {
    return this.called !== NO_TICKET;
  }

  /** Returns what the agent reads of a failure. The console has more of one whose text may quote too much. */
  failed() {
    if (this.quotes) console.error(`[webmcp] the output of ${this.tool.name} was withheld:`, this.error);
    return this.told;
  }

  answer(result) {
    this.ended = true;
    this.parked = false;
    this.note(result);
    this.resolve(result);
    if (this.onAbort !== undefined) quietly(() => this.caller.removeEventListener('abort', this.onAbort));
    if (this.timer !== undefined) quietly(() => stopTimer(this.timer));
    if (this.timeout > 0) this.glue.stopClock(this);
    this.seat?.leave(result);
  }
}

// What most calls never set.
Object.assign(Invocation.prototype, {
  kind: undefined, // of the error, where Go has a type for it
  message: undefined, // of the failure, where an error hook has another one for the agent
  reader: undefined, // what the error hook that is waited for has read
  denial: undefined,
  sent: undefined, // the values that Go has, as JSON
  speaks: undefined, // the approval of Go that has been asked: the ticket of that step, and who takes what it says
  fromGo: PENDING, // what Go answers; undefined while it is let work
  inGo: 0, // how many hooks (or 1: the function) Go is at work on
  observedByGo: false, // as an observer
  effects: undefined, // of the rules that apply: see policies.go of internal/core
  retryAfter: undefined, // in seconds, where a rate has refused it
  began: 0, // when, where rules apply
  timeout: 0, // how long it may take, in milliseconds; 0: as long as it wants
  deadline: 0, // where there is one
  controller: undefined, // which aborts the signal when the time is used up
  both: undefined, // the signal that follows the caller's and that one
  looked: undefined, // has it made
  expired: false, // the time is used up
  paused: undefined, // since when a human is asked
  unparsed: undefined, // the input before it was validated
  changed: undefined, // the input as JSON, where a human has changed it before they approved
  seat: undefined, // at the desk, while it waits for one: see desk.js
  code: undefined, // of the failure, for programs
  timer: undefined, // of the observers
  onAbort: undefined,
});

/**
 * Calls back with what a promise settles with: later, and once, whatever its then does. That of one of the browser's
 * promises is not even called, as await has it.
 */
function follow(promise, resolved, rejected) {
  try {
    apply(then, promise, [resolved, rejected]);
  } catch { // it is somebody else's, or hides what it is
    apply(then, new NativePromise((resolve) => resolve(promise)), [resolved, rejected]);
  }
}
