// One call of an agent. Go decides what it does next; the invocation does it,
// says what happened, waits where it has to, and answers the agent. The only file
// that steps the machine in Go: it touches the call's ticket, the signal and the
// promise of the agent. What a step does stands in hooks.js, stages.js and
// crossing.js, which set values of the call and return an event.

// PENDING is the event that has not happened yet: something asynchronous is
// under way, and will step the call itself.
const PENDING = -1;

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
    this.kind = undefined; // of the error, where Go has a type for it
    this.seen = false; // by a hook of the page: the input
    this.behind = false; // whether the function has returned
    this.message = undefined; // of the failure, where an error hook has another one for the agent
    this.reader = undefined; // what the error hook that is waited for has read
    this.denial = undefined;
    this.metadata = Object.create(null);
    this.signal = signal;
    this.resolve = resolve;
    this.plan = undefined; // the hooks of each phase: functions, or IN_GO
    this.number = NO_NUMBER; // of the call in Go
    this.ticket = NO_TICKET; // of the newest step
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
      if (started === NO_NUMBER) {
        this.answer(failure(`the tool ${tool.name} is not registered any more`));
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
      this.answer(failure(messageOf(glue.dead)));
    }
  }

  /** Does what a step says, reports, and goes on with the next one, until one has to be waited for. */
  drive(step) {
    while (step !== NONE) {
      let event;
      switch (step & OP_MASK) {
        case HOOKS: {
          const phase = (step >>> PHASE_SHIFT) & PHASE_MASK;
          const from = step >>> FROM_SHIFT;
          event = phase >= ERROR ? this.observe(phase, from, (step & DETACHED) !== 0) : this.run(phase, from);
          break;
        }
        case VALIDATE: event = this.validate(); break;
        case CALL: event = this.call(); break;
        case CHECK: event = this.check(); break;
        case SETTLE: this.settle((step >>> PHASE_SHIFT) & PHASE_MASK); return;
      }
      if (event === PENDING) return;
      step = this.report(event);
    }
  }

  /** Tells Go how the newest step ended, and returns the next one. */
  report(event) {
    const step = this.exports.webmcp_step(this.number, this.ticket, event, this.count);
    if (step !== NONE) this.ticket = (this.ticket + 1) | 0;
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
        return event === PENDING ? NONE : this.report(event);
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
    if (this.signal.aborted) this.aborted(); // by what is waited for, before it was
    return PENDING;
  }

  /** Lets Go know that the signal aborted while something is under way. A function that runs goes on, and is awaited. */
  aborted() {
    try {
      const step = this.exports.webmcp_abort(this.number);
      if (this.inGo > 0) this.glue.wake();
      if (step === NONE) return;
      this.ticket = (this.ticket + 1) | 0;
      this.inGo = 0;
      this.abort();
      this.resume(() => step);
    } catch (error) {
      this.glue.die(error);
    }
  }

  /** The signal has aborted: what a hook has returned meanwhile is dropped. */
  abort(returned) {
    if (isThenable(returned)) Promise.resolve(returned).catch(() => {});
    this.fail(abortError(this.signal), 'abort');
    return ABORT;
  }

  fail(error, kind) {
    this.error = error;
    this.kind = kind;
    return FAIL;
  }

  settle(outcome) {
    this.glue.live.delete(this.number);
    this.answer(outcome === SUCCEEDED ? resultOf(this.output, this.tool.check !== undefined)
      : outcome === WAS_DENIED ? refusal(DENIED_PREFIX + this.denial.message, this.denial.code)
        : failure(this.failed()));
  }

  /** Returns what the agent reads of a failure. The console has more of one behind the function. */
  failed() {
    if (this.behind) complain(`[webmcp] the output of ${this.tool.name} was withheld:`, this.error);
    return this.told;
  }

  answer(result) {
    if (this.onAbort !== undefined) this.signal.removeEventListener('abort', this.onAbort);
    if (this.timer !== undefined) clearTimeout(this.timer);
    this.resolve(result);
  }
}
