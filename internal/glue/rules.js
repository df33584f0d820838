// Part of class Invocation: what the policy says of the call, which Go decides. May touch the
// call's denial, result, error and time, and what rules do to it.

extend(Invocation, class {
  /** Asks the policy what needs no input. */
  gate() {
    if (this.isAborted) return this.abort();
    const { effects } = this.plan;
    this.effects = effects;
    return this.ruled(RULE_START, effects.sizes ? bytesOfJSON(this.input) : NO_NUMBER, NO_NUMBER);
  }

  /** Asks it about the validated input. Where the check of the contract has read that just now, Go has it. */
  judgeInput() {
    if (this.isAborted) return this.abort();
    const { glue, input, tool: { rules: { input: { whole, fields } } } } = this;
    const isRead = glue.checked === input && whole === undefined && fields.length === 0;
    return this.ruled(RULE_INPUT, NO_NUMBER, isRead ? NO_NUMBER : glue.write(inputText(input)));
  }

  /** Asks it once more, about an input that a human has changed. */
  judgeChanged() {
    return this.ruled(RULE_EDITED, NO_NUMBER, this.glue.write(this.changed));
  }

  ruled(stage, size, length) {
    const { glue } = this;
    this.count = 0;
    const answer = this.exports.webmcp_rule(this.number, stage, stage === RULE_START ? this.began : clock(), size, length);
    if (answer === RULE_PASS) return DONE;
    const said = JSON.parse(glue.reply());
    if (answer !== RULE_REFUSE) return this.affected(said);
    this.denial = { message: said.message, code: said.code, rule: said.rule ?? said.effect };
    this.retryAfter = said.retryAfter;
    return DENY;
  }

  /** Takes what rules with a condition do besides. */
  affected(effects) {
    this.effects = { ...effects, approval: approvalOfRules(effects.approval) };
    if (effects.timeout === undefined) return DONE;
    return this.lower(effects.timeout) ? DONE : this.outOfTime();
  }

  /** Makes of the result what the policy lets out. */
  letOut() {
    const { effects: { redacts, maxOutputBytes }, glue } = this;
    if (redacts) {
      const length = glue.write(JSON.stringify(this.result));
      const redacted = this.exports.webmcp_redact(this.number, length) ? JSON.parse(glue.reply()) : undefined;
      if (!isResult(redacted)) {
        this.code = REDACTION_CODE;
        return this.fail(new Error(UNREDACTABLE));
      }
      this.result = redacted;
    }
    const size = maxOutputBytes === undefined ? 0 : bytesOfResult(this.result);
    if (size > maxOutputBytes) {
      this.code = OUTPUT_CODE;
      return this.fail(new OutputSizeError(size, maxOutputBytes));
    }
    return DONE;
  }

  /** Ends the policy's part in the call, and tells the page what rules in report mode would have done. */
  endRules(result) {
    const { exports, number, glue, tool, id } = this;
    const { measures } = this.plan.effects;
    const size = measures && result.isError !== true ? bytesOfResult(result) : NO_NUMBER;
    if (!exports.webmcp_ruled(number, measures ? clock() : this.began, size)) return;
    for (const report of JSON.parse(glue.reply())) dispatch('webmcp:policy', { tool: tool.name, invocationId: id, ...report });
  }
});

/** Returns how many bytes a value has as JSON; NO_NUMBER where it has none. */
function bytesOfJSON(value) {
  try {
    return bytesIn(JSON.stringify(value));
  } catch {
    return NO_NUMBER;
  }
}

/** Returns how large a result is: a text alone its bytes, all else those of its JSON. */
function bytesOfResult(result) {
  const { content: [{ text }, ...more], ...rest } = result;
  return bytesIn(more.length === 0 && Object.keys(rest).length === 0 && typeof text === 'string' ? text : JSON.stringify(result));
}

/** Returns how rules ask a human, as an approval of the page; undefined where none does. */
function approvalOfRules(asks) {
  if (asks === undefined) return undefined;
  const { title, verify, timeout, hold, edit, tool, by } = asks;
  const wait = (ms) => (ms === 0 ? Infinity : ms);
  return { when: true, title, verify, timeout: wait(timeout), hold: wait(hold), edit, remember: { tool, arguments: asks.arguments, by } };
}
