// Part of class Invocation: what the policy says of the call, which Go decides. May touch the
// call's denial, result, error and time, and what rules do to it.

extend(Invocation, class {
  /** Asks the policy what needs no input. */
  gate() {
    if (this.isAborted) return this.abort();
    const { effects, logs } = this.plan;
    this.effects = effects;
    if (logs || effects.sizes) this.asked = textOfJSON(this.input);
    return this.ruled(RULE_START, effects.sizes && this.asked !== undefined ? bytesIn(this.asked) : NO_NUMBER, NO_NUMBER);
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
    this.effects = { ...effects, approvals: approvalsOfRules(effects) };
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
    const size = maxOutputBytes === undefined ? 0 : bytesIn(this.textOf(this.result));
    if (size > maxOutputBytes) {
      this.code = OUTPUT_CODE;
      return this.fail(new OutputSizeError(size, maxOutputBytes));
    }
    return DONE;
  }

  /** Ends the policy's part in the call; without a result where that is not waited for. */
  endRules(result) {
    const { exports, number, glue } = this;
    const { measures } = this.plan.effects;
    const size = measures && result !== undefined && result.isError !== true ? bytesIn(this.textOf(result)) : NO_NUMBER;
    this.bits = exports.webmcp_ruled(number, measures ? clock() : this.began, size);
    if (this.bits & RULED_REPORTS) this.reports = JSON.parse(glue.reply());
  }

  /** Tells the page what rules in report mode would have done. */
  tellReports() {
    for (const report of this.reports) dispatch('webmcp:policy', { tool: this.tool.name, invocationId: this.id, ...report });
  }

  /** Returns a result as its size is measured. One that is asked for again is not written again. */
  textOf(result) {
    if (this.written?.result !== result) this.written = { result, text: textOfResult(result) };
    return this.written.text;
  }
});

/** Returns a result as text: a text alone as it is, all else as JSON. */
function textOfResult(result) {
  const { content } = result;
  const isText = content.length === 1 && typeof content[0].text === 'string' && Object.keys(result).length === 1;
  return isText ? content[0].text : JSON.stringify(result);
}

/** Returns how rules ask a human, as approvals of the page, in an order that is always the same: the last title is the one that is shown. */
function approvalsOfRules({ approvals }) {
  return approvals.map((approval) => {
    const { title, timeout, hold, remember = 'call', edit, verify } = approval;
    const offers = [remember].flat(), pointers = offers.flatMap(({ by = [] }) => by);
    const by = pointers.length > 0 ? pointers : undefined;
    return {
      when: true, title, timeout: spanOf(timeout), hold: spanOf(hold), edit, verify,
      remember: { tool: offers.includes('tool'), arguments: by !== undefined || offers.includes('arguments'), by },
    };
  }).sort(({ title: one = '' }, { title: other = '' }) => (one < other) - (one > other));
}

/** Returns a time of a policy in milliseconds; undefined where nothing is said. */
function spanOf(text) {
  if (text === undefined) return undefined;
  return text === 'never' ? Infinity : parseInt(text) * { ms: 1, s: 1000, min: 60_000, h: 3_600_000 }[text.replace(/\d+/, '')];
}
