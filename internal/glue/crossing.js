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
      text = JSON.stringify({
        id: this.id,
        tool: this.tool.contract,
        input: this.input,
        output: phase === AFTER ? this.output : undefined,
        error: phase === ERROR ? this.errorForGo() : undefined,
        message: phase === ERROR ? this.told : undefined,
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
      glue.host(this.number, NO_TICKET, phase, from, glue.write(text));
      this.count = hooks;
      return DONE;
    }
    if (observes) this.limit(phase);
    this.reader = { hasRead: false };
    this.inGo = hooks;
    glue.host(this.number, this.ticket, phase, from, glue.write(text));
    return this.park();
  }

  /** Returns why the call failed, with what Go needs to have an error of the same type as natively. */
  errorForGo() {
    const { error, kind, signal: { reason } } = this;
    const said = { name: nameOf(error), message: messageOf(error), kind };
    if (kind === 'abort' && !isGeneric(reason)) said.reason = { name: nameOf(reason), message: messageOf(reason) };
    if (kind === 'input' || kind === 'output') said.issues = error.issues;
    return said;
  }

  /** Takes what Go code made of the call. */
  leaveGo(event, count, text) {
    this.inGo = 0;
    const { input, output, error, message, denial, metadata, gone } = { __proto__: null, ...JSON.parse(text) };
    this.count = count;
    if (input !== undefined) this.input = input.value;
    if (output !== undefined) this.output = output.value;
    if (message !== undefined) this.message = message;
    if (denial !== undefined) this.denial = denial;
    if (error !== undefined) this.fail(Object.assign(new Error(error.message), { name: error.name }), 'go');
    for (const key of gone ?? []) delete this.metadata[key];
    for (const key of Object.keys(metadata ?? {})) this.metadata[key] = metadata[key];
    this.resume(() => this.report(event));
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

  /** Goes on with a call after Go code; in a microtask, since Go is on the stack. */
  resume(number, ticket, event, count, text) {
    queueMicrotask(() => {
      const invocation = this.live.get(number);
      if (invocation !== undefined && invocation.ticket === ticket) invocation.leaveGo(event, count, text);
    });
  }
});
