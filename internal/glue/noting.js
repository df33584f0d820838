// Parts of classes Invocation and Glue: what of a call comes into the audit log. That is what
// the agent has sent and what it was answered, masked by all rules that may be about the
// call; what cannot be masked is left out. May touch what a call keeps for that.

extend(Invocation, class {
  /** Adds the call to the audit log, once; outcome is how it has ended, or undefined where Go does not know. */
  note(result, outcome) {
    const { plan, glue } = this;
    if (this.noted || !plan?.logs) return;
    this.noted = true;
    const { bits } = this;
    const ends = bits === undefined; // without a word of the policy, of which the worst is assumed then
    if (!ends && !(bits & RULED_LOGS)) return;
    const isMasked = ends ? plan.masks : (bits & RULED_MASKS) !== 0;
    const withheld = [];
    const see = (what, text, mask) => this.see(what, text, isMasked && (ends || glue.dead ? () => undefined : mask), withheld);
    const value = (text) => this.mask(0, text);

    const input = see('input', this.asked ?? textOfJSON(this.input), value);
    const changed = this.changed === undefined ? undefined : see('changed', this.changed, value);
    const output = result === undefined ? undefined : see('output', this.answerText(result, outcome), (text) => this.maskAnswer(result, outcome, text));
    const { approved: { proof, ...approval } = {} } = this;
    const proven = proof === undefined ? undefined : see('proof', shortOf(textOfJSON(proof)), value)?.text;
    glue.records.add({
      id: this.id, tool: this.tool.name, outcome: outcomeOf(outcome, this.kind, result), code: codeOf(result), executed: this.executed,
      rule: this.denial?.rule, rules: (this.effects ?? plan.effects).rules, reports: this.reports,
      approval: this.approved && approval, proof: proven, took: this.since && clock() - this.since,
      input, output, changed, withheld: withheld.length > 0 ? withheld : undefined, at: 0, isTaken: false, entry: undefined,
    });
  }

  /** Returns what is kept of a text of the call; undefined where it is not to be seen. */
  see(what, text, mask, withheld) {
    const { text: most } = this.glue.records;
    let shown = text;
    if (mask && text !== undefined && most > 0) shown = mask(text);
    if (shown === undefined) {
      withheld.push(what);
      return text === undefined ? undefined : { text: undefined, bytes: bytesIn(text) };
    }
    return keep(text, what === 'proof' ? Infinity : most, shown);
  }

  /** Returns a text as rules let it be seen; undefined where they cannot read it. */
  mask(isResult, text) {
    const { glue, exports, number } = this;
    return exports.webmcp_mask(number, isResult, glue.write(text)) ? glue.reply() : undefined;
  }

  /** Returns what the agent was answered, in JSON unless it is a text and nothing else. */
  answerText(result, outcome) {
    return outcome === SUCCEEDED ? this.textOf(result) : result.content[0].text;
  }

  /** Returns an answer as it may be in the log. What has failed is no JSON; its text may quote what is to be masked, unless we have made it. */
  maskAnswer(result, outcome, text) {
    if (outcome !== SUCCEEDED) return this.denial?.rule !== undefined || this.kind === 'timeout' ? text : undefined;
    if (this.glue.desk?.isFetching(this.tool)) return undefined;
    if (!(this.bits & RULED_MORE)) return text; // masked, as it went out
    const masked = this.mask(1, JSON.stringify(result));
    return masked && textOfResult(JSON.parse(masked));
  }
});

Object.assign(Invocation.prototype, {
  asked: undefined, // what the agent has sent, as JSON, where a rule wants to know
  written: undefined, // a result as text
  noted: false, // in the audit log
  bits: undefined, // what the policy says of the log: RULED_LOGS and those behind it
  reports: undefined, // what rules in report mode would have done
  approved: undefined, // who has decided about it, and how
  since: 0, // when it began
});

extend(Glue, class {
  /** Adds a call to the audit log that was refused without a look at its rules, where there is a policy. Returns the result. */
  noteRefused(tool, result) {
    if (!this.hasKey && !this.closed && this.missing.size + this.policies.length === 0 && !tool.plan?.logs) return result;
    this.records.add({
      id: invocationId(), tool: tool.name, outcome: 'error', code: codeOf(result), executed: false, rules: [], took: 0,
      output: keep(result.content[0].text, this.records.text), withheld: ['input'],
    });
    return result;
  }

  /** The page is left: its calls that run are not heard of any more. */
  noteAll() {
    for (const invocation of this.live.values()) {
      quietly(() => {
        if (invocation.effects !== undefined) invocation.endRules();
        invocation.note(undefined, PENDING);
      });
    }
  }

  /** Returns the audit log for Go. */
  auditLines() {
    return this.records.lines();
  }

  /** Tells Go of each entry. Returns a function that ends it. */
  onAudit(tell) {
    return this.records.onEntry((entry) => tell(JSON.stringify(entry)));
  }

  /** Has the log send what it has when the page may end. */
  watchEnd() {
    const { document, Document } = globalThis;
    const listen = Document?.prototype.addEventListener; // which no element of the page hides
    if (listen === undefined) return; // this is no page
    apply(listen, globalThis, ['pagehide', ({ persisted }) => {
      if (!persisted) this.noteAll();
      this.records.flush(true);
    }]);
    apply(listen, document, ['visibilitychange', () => {
      if (document.visibilityState === 'hidden') this.records.flush();
    }]);
  }
});

/** Returns how a call has ended, in a word. */
function outcomeOf(outcome, kind, result) {
  if (outcome === PENDING) return 'pending';
  if (outcome === WAS_DENIED) return 'denied';
  if (outcome === SUCCEEDED && readable(result, 'isError') !== true) return 'ok';
  return kind === 'abort' ? 'aborted' : 'error';
}

/** Returns the code of a result, for programs; undefined where it has none. */
function codeOf(result) {
  const code = result === undefined ? undefined : readable(result, 'code');
  return typeof code === 'string' ? code.slice(0, 100) : undefined;
}

/** Returns a text that is not too long to be in the log as a whole; undefined for another one. */
function shortOf(text) {
  return text?.length <= MAX_LOG_TEXT ? text : undefined;
}

/** Returns the JSON of a value; undefined where it has none. */
function textOfJSON(value) {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
