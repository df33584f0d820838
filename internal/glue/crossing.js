// The way to Go and back, for Go hooks and Go handlers: values cross as JSON text.
// Parts of classes Invocation and Glue. May touch the call's values and metadata,
// for they come back changed, and what says that Go is at work on the call.

// IN_GO stands, where JavaScript has a function, for one that Go has: a hook in a
// plan, or the function of a tool.
const IN_GO = Symbol('in Go');

extend(Invocation, class {
  /** Has Go run its hooks from here on, or do what HANDLER and VALIDATOR stand for as a phase. Values cross as JSON text. */
  enterGo(phase, from, detached = false) {
    const { glue } = this;
    if (phase === BEFORE || phase === VALIDATOR) this.ownInput(Pace.slow);
    else if (phase === AFTER) this.ownOutput();
    const observes = phase === ERROR || phase === DENIED;
    let text;
    try {
      text = this.textForGo(phase, observes);
    } catch (problem) {
      if (problem instanceof ValidationError) return this.fail(problem, 'input');
      const cause = new TypeError(`a value of the call cannot be passed to Go as JSON: ${messageOf(problem)}`);
      if (!observes) return this.fail(cause);
      this.log(phase, cause);
      return FAIL;
    }
    let hooks = 1;
    while (phase < PHASES.length && this.plan[phase][from + hooks] === IN_GO) hooks++;
    if (!detached) {
      if (observes) this.limit(phase);
      this.reader = { hasRead: false };
      this.inGo = hooks;
      this.observedByGo = observes;
    }
    try {
      const left = observes || this.clock === undefined ? 0 : Math.max(this.deadline - performance.now(), 1);
      glue.host(this.number, detached ? NO_TICKET : this.ticket, phase, from, glue.write(text), left);
    } catch (error) {
      glue.die(error);
      return PENDING;
    }
    if (!detached) return this.park();
    this.count = hooks;
    return DONE;
  }

  /**
   * Returns the values of the call as JSON. What is too large does not cross, for Go would keep the memory: it fails the
   * call, and observers do without it. May throw.
   */
  textForGo(phase, observes) {
    const { tool, glue } = this;
    const inputLimit = tool.maxInputBytes ?? glue.maxInputBytes;
    const outputLimit = tool.maxOutputBytes ?? glue.maxOutputBytes;
    const say = (name, value, limit, refuse) => {
      const text = JSON.stringify(value);
      if (text === undefined) return '';
      const length = bytesIn(text, limit);
      if (length <= limit) return `,"${name}":${text}`;
      if (observes) return '';
      throw refuse(length);
    };
    const tooLarge = (what, limit) => (length) => new RangeError(`${what} ${tooLong(length, limit).message}`);
    let text = `{"id":${JSON.stringify(this.id)},"aborted":${this.signal.aborted}`;
    text += say('tool', tool.contract, Infinity);
    text += say('input', this.input, inputLimit, (length) => new ValidationError(INVALID_INPUT, [tooLong(length, inputLimit)]));
    if (phase === AFTER) text += say('output', this.output, outputLimit, (length) => new OutputSizeError(length, outputLimit));
    if (phase === ERROR) text += say('error', this.errorForGo(), Infinity) + say('message', this.told, Infinity);
    if (phase === DENIED) text += say('denial', this.denial, inputLimit);
    text += say('metadata', sayable(this.metadata), inputLimit, tooLarge('the metadata:', inputLimit));
    return `${text}}`;
  }

  /** Returns why the call failed, with what Go needs to have an error of the same type as natively. */
  errorForGo() {
    const { error, kind, signal: { reason } } = this;
    const said = { name: nameOf(error), message: messageOf(error), kind };
    if (kind === 'abort' && !isGeneric(reason)) said.reason = { name: nameOf(reason), message: messageOf(reason) };
    if (kind === 'timeout') said.limit = this.plan.timeout;
    if (kind === 'input' || kind === 'output') said.issues = error.issues;
    return said;
  }

  /** Takes what Go code made of the call. What cannot be taken fails the call. */
  leaveGo(event, count, text) {
    this.inGo = 0;
    this.count = count;
    try {
      this.takeFromGo({ __proto__: null, ...JSON.parse(text) });
    } catch (problem) {
      const cause = new TypeError(`what Go code has set cannot be passed on: ${messageOf(problem)}`);
      if (this.observedByGo) console.error(`[webmcp] ${this.tool.name}:`, cause);
      else if (event !== FAIL) event = this.fail(cause);
    }
    this.resume(() => this.report(event));
  }

  /** Takes over what Go code has changed. May throw: the page may have made something of its metadata. */
  takeFromGo({ input, output, error, message, denial, metadata, gone }) {
    if (input !== undefined) this.input = input.value;
    if (output !== undefined) this.output = output.value;
    if (message !== undefined) this.message = message;
    if (denial !== undefined) this.denial = denial;
    if (error !== undefined) this.fail(Object.assign(new Error(error.message), { name: error.name }), 'go');
    for (const key of gone ?? []) delete this.metadata[key];
    for (const key of Object.keys(metadata ?? {})) this.metadata[key] = metadata[key];
  }
});

extend(Glue, class {
  attachHost(host, wake) {
    this.host = host;
    this.wake = wake;
  }

  /** Takes note that an error hook of Go has read the message. It never throws. */
  readsMessage(number, ticket) {
    const invocation = this.live.get(number);
    if (invocation !== undefined && invocation.ticket === ticket) invocation.reader.hasRead = true;
  }

  /** Writes to the console for Go, which what a page's console throws would end. */
  log(text) {
    console.error(text);
  }

  /** Goes on with a call after Go code; in a microtask, since Go is on the stack. */
  resume(number, ticket, event, count, text) {
    queueMicrotask(() => {
      const invocation = this.live.get(number);
      if (invocation !== undefined && invocation.ticket === ticket) invocation.leaveGo(event, count, text);
    });
  }
});
