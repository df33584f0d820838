// The way to Go and back, for Go hooks, handlers and approvals: values cross as JSON text.
// Parts of classes Invocation and Glue. May touch the call's values and metadata,
// for they come back changed, and what says that Go is at work on the call.

// IN_GO stands, where JavaScript has a function, for one that Go has: a hook in a
// plan, or the function of a tool; and for an approval of Go until the plan is read.
const IN_GO = Symbol('in Go');

const NOTHING = '{}'; // of an object, as JSON

extend(Invocation, class {
  /** Has Go run its hooks from here on, or do what HANDLER and VALIDATOR stand for as a phase. Values cross as JSON text. */
  enterGo(phase, from, detached = false) {
    const { glue, plan } = this;
    if (phase === BEFORE || phase === VALIDATOR) this.ownInput(Pace.slow);
    else if (phase === AFTER) this.ownOutput();
    const observes = phase === ERROR || phase === DENIED;
    const sent = { metadata: NOTHING, ...this.sent };
    let text;
    try {
      text = this.textForGo(phase, observes, sent);
    } catch (problem) {
      if (problem instanceof ValidationError) return this.fail(problem, 'input');
      const cause = new TypeError(`a value of the call cannot be passed to Go as JSON: ${messageOf(problem)}`);
      if (!observes) return this.fail(cause);
      this.log(phase, cause);
      return FAIL;
    }
    let hooks = 1;
    while (phase < PHASES.length && plan[phase][from + hooks] === IN_GO) hooks++;
    if (!detached) {
      if (observes) this.limit(phase);
      this.reader = { hasRead: false };
      this.inGo = hooks;
      this.observedByGo = observes;
    }
    try {
      const wasRead = this.send(text, sent, detached ? NO_TICKET : this.ticket, phase, from, observes ? 0 : this.timeLeft());
      if (wasRead && phase === HANDLER) this.called = this.ticket;
      this.fromGo = undefined;
      glue.wake(); // Go works until all of it waits for something
    } catch (error) {
      glue.die(error);
      return PENDING;
    }
    if (detached) {
      this.count = hooks;
      return DONE;
    }
    const answer = this.fromGo;
    this.fromGo = PENDING;
    if (answer === undefined) return this.park();
    if (!this.isAborted) return this.ended ? PENDING : this.leaveGo(answer);
    this.later(answer); // unless the abort ends the call
    return this.park();
  }

  /** Gives Go work, with the values of the call, and takes note of what it has then. Returns whether Go could read them. left is in how many milliseconds nobody waits for it any more, or 0. */
  send(text, sent, ticket, phase, from, left) {
    const { glue, plan } = this;
    const wasRead = glue.exports.webmcp_work(this.number, ticket, phase, from, glue.write(text), left);
    if (wasRead) {
      this.sent = sent;
      plan.told = true;
    }
    return wasRead;
  }

  /** In how many milliseconds the time of the call is used up, or 0 where it has no limit. */
  timeLeft() {
    return this.timeout === 0 ? 0 : Math.max(this.deadline - (this.paused ?? clock()), 1);
  }

  /**
   * Returns, as JSON, the values of the call that Go does not have yet, and takes note of them in sent. What is too large
   * does not cross, for Go would keep the memory: it fails the call, and observers do without it. May throw.
   */
  textForGo(phase, observes, sent) {
    const { tool, glue } = this;
    const inputLimit = tool.maxInputBytes ?? glue.maxInputBytes;
    const outputLimit = tool.maxOutputBytes ?? glue.maxOutputBytes;
    let members = '';
    const say = (name, text) => {
      members += `${members && ','}"${name}":${text}`;
    };
    const sayNew = (name, value, limit, refuse) => {
      let text = JSON.stringify(value) ?? 'null';
      const length = bytesIn(text, limit);
      if (length > limit && !observes) throw refuse(length);
      if (length > limit) text = 'null';
      if (sent[name] !== text) say(name, text);
      sent[name] = text;
    };
    if (this.sent === undefined) say('id', `"${this.id}"`); // it has nothing to escape
    if (!this.plan.told && tool.fn !== IN_GO) say('tool', JSON.stringify(tool.contract));
    if (this.isAborted) say('aborted', true);
    if (!this.keepValid(phase, sent)) sayNew('input', this.input, inputLimit, (length) => new ValidationError(INVALID_INPUT, [tooLong(length, inputLimit)]));
    if (phase === AFTER) sayNew('output', this.output, outputLimit, (length) => new OutputSizeError(length, outputLimit));
    if (phase === ERROR) {
      say('error', JSON.stringify(this.errorForGo()));
      say('message', JSON.stringify(this.told));
    }
    if (phase === DENIED) say('denial', JSON.stringify(this.denial));
    if (sent.metadata !== NOTHING || Object.keys(this.metadata).length > 0) {
      sayNew('metadata', sayable(this.metadata), inputLimit, (length) => new RangeError(`the metadata: ${tooLong(length, inputLimit).message}`));
    }
    return `{${members}}`;
  }

  /** Has Go keep the text of the input that it has just validated, for what follows at once; returns whether that is so. */
  keepValid(phase, sent) {
    const { glue, input } = this;
    if (phase !== HANDLER && phase !== VALIDATOR || glue.checked !== input) return false;
    const { checkedText } = glue;
    if (checkedText !== sent.input && !glue.exports.webmcp_keep(this.number)) return false;
    sent.input = checkedText;
    return true;
  }

  /** Returns why the call failed, with what Go needs to have an error of the same type as natively. */
  errorForGo() {
    const { error, kind, caller: { reason } } = this;
    const said = { name: nameOf(error), message: messageOf(error), kind };
    if (kind === 'abort' && !isGeneric(reason)) said.reason = { name: nameOf(reason), message: messageOf(reason) };
    if (kind === 'approval') {
      said.code = this.code;
      if (error.cause !== undefined) said.reason = { name: nameOf(error.cause), message: messageOf(error.cause) };
    }
    if (kind === 'timeout') said.limit = this.timeout;
    if (kind === 'input' || kind === 'output') said.issues = error.issues;
    return said;
  }

  /** Takes what Go code made of the call, and returns its event. What cannot be taken fails the call. */
  leaveGo([event, count, text]) {
    this.inGo = 0;
    this.count = count;
    try {
      if (text !== '') this.takeFromGo({ __proto__: null, ...JSON.parse(text) });
    } catch (problem) {
      const cause = new TypeError(`what Go code has set cannot be passed on: ${messageOf(problem)}`);
      if (this.observedByGo) console.error(`[webmcp] ${this.tool.name}:`, cause);
      else if (event !== FAIL) return this.fail(cause);
    }
    return event;
  }

  /** Goes on with what Go code made of the call, in a microtask, unless the call does not wait for that any more. */
  later(answer) {
    const { ticket } = this;
    soon(() => {
      if (ticket === this.ticket && !this.ended) this.resume(() => this.report(this.leaveGo(answer)));
    });
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
  /** Returns, as policies of the page, the approval of Go at a place in the plan of a call: none where it is not about the tool. Its functions take the call. */
  approvalsOfGo(tool, number, at) {
    this.exports.webmcp_approval(number, at);
    const { only, when, title, describe, details, timeout, remember, edit } = { __proto__: null, ...JSON.parse(this.reply()) };
    const speaker = (what) => (invocation) => invocation.consultGo(what, at);
    return asksAbout(only || true, tool.contract) ? [{
      inGo: true, when: when ? speaker(APPROVAL_WHEN) : true, title: title || undefined,
      describe: describe ? speaker(APPROVAL_DESCRIBE) : undefined, details: details ? speaker(APPROVAL_DETAILS) : undefined,
      timeout: timeout === 0 ? Infinity : timeout, remember, edit,
    }] : [];
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

  /** What Go calls with what it made of a call. Go is on the stack: nothing here calls the page, or throws. */
  answers() {
    return {
      answer: (number, ticket, event, count, address, length) => {
        const invocation = apply(mapGet, this.live, [number]); // the page's get could throw
        if (invocation === undefined || invocation.ticket !== ticket) return;
        const answer = [event, count, length === 0 ? '' : this.patterns.text(address, length)];
        const { speaks } = invocation;
        if (speaks !== undefined && speaks.ticket === ticket) soon(() => speaks.take(answer));
        else if (invocation.fromGo === undefined) invocation.fromGo = answer;
        else invocation.later(answer);
      },
    };
  }
});
