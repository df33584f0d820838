// Part of class Invocation: validates the input, calls the function, checks the
// output. May touch the call's input, output, error and count. On an
// agent's call, only this file calls the function of the tool and its schemas.

extend(Invocation, class {
  /** Validates the input. What the schema made of it is the input from now on. */
  validate() {
    if (this.isAborted) return this.abort();
    this.count = 0;
    const bytes = this.lookAtInput(this.tool);
    this.glue.checked = undefined;
    if (this.plan[APPROVALS].length > 0 || this.effects !== undefined) this.unparsed = this.input; // a human may change it
    // Where no hook comes before, nobody has seen what the agent has sent, and its text is known.
    if (this.asked !== undefined && this.plan[BEFORE].length === 0) this.glue.said = { value: this.input, text: this.asked };
    const event = this.apply('validate', this.input, bytes, this.validated);
    this.glue.said = undefined;
    return event;
  }

  /** Takes the result of a validation of the input. */
  validated(result) {
    if (result.issues) return this.fail(new ValidationError(INVALID_INPUT, issuesAsText(result.issues)), 'input');
    this.input = result.value;
    return this.tool.validatesInGo ? this.enterGo(VALIDATOR, 0) : DONE;
  }

  /** Validates the output, of a result its structuredContent: an output that breaks the contract is an error. */
  check() {
    this.count = 0;
    this.behind = true;
    const { tool } = this;
    if (tool.check === undefined) return this.finish();
    if (tool.paces.check !== Pace.prompt) this.ownOutput();
    const { output } = this;
    const wrapped = isResult(output);
    if (wrapped && readable(output, 'isError') === true) return this.finish();
    return this.apply('check', wrapped ? readable(output, 'structuredContent') : output, Infinity, (result) => {
      if (result.issues) return this.fail(new ValidationError(INVALID_OUTPUT, issuesAsText(result.issues)), 'output');
      this.output = wrapped ? { ...output, structuredContent: result.value } : result.value;
      return this.finish();
    });
  }

  /** Makes the result of the output. Throws where it is too large. */
  finish() {
    const { tool, glue } = this;
    this.result = resultOf(this.output, tool.maxOutputBytes ?? glue.maxOutputBytes, tool.check !== undefined);
    return this.effects === undefined ? DONE : this.letOut();
  }

  /** Applies a validation of the tool to a value, whose JSON has so many bytes at the most, and takes its result. */
  apply(validation, value, bytes, take) {
    const { tool } = this;
    try {
      const result = tool[validation](value, bytes);
      const waits = isThenable(result);
      tool.paces[validation] = paceOf(waits, tool.paces[validation]);
      return waits ? this.wait(result, take) : take.call(this, result);
    } catch (error) {
      return this.fail(error);
    }
  }

  /** Calls the function. */
  call() {
    if (this.isAborted) return this.abort();
    this.count = 0;
    const { fn, paces } = this.tool;
    if (fn === IN_GO) return this.enterGo(HANDLER, 0);
    this.ownInput(paces.fn);
    this.called = this.ticket;
    try {
      const returned = fn(this.input, this.withSignal({ signal: this.caller, invocationId: this.id, metadata: this.metadata }));
      const waits = isThenable(returned);
      paces.fn = paceOf(waits, paces.fn);
      return waits ? this.wait(returned, this.returned) : this.returned(returned);
    } catch (error) {
      return this.fail(error);
    }
  }

  /** Takes what the function has returned. */
  returned(output) {
    if (isError(output)) return this.fail(output);
    this.output = output;
    return DONE;
  }
});
