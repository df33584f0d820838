// How a human changes the input of a call before they approve it: what they start from,
// what is wrong with what they made of it, and what runs then. Parts of classes
// Invocation and Desk. May touch what a question keeps of that, and the call's values
// while Go code validates them.

const NOT_EDITABLE = 'give each approval that asks about it edit: true';

extend(Invocation, class {
  /**
   * Validates an input that the human has changed, as that of the agent was. Resolves to {issues}, or to what runs then:
   * {input, text, digest}. What fails is an issue: the human may try again.
   */
  async tryInput(given, bytes) {
    try {
      let result = await this.tool.validate(given, bytes);
      if (!result.issues && this.tool.validatesInGo) result = await this.validateInGo(result.value);
      if (result.issues) return { issues: issuesAsText(result.issues) };
      const input = deepFreeze(ownCopy(result.value));
      const text = new Look().isPlain(input) ? canonical(input) : undefined;
      return { input, text: text ?? jsonOf(input), isPlain: text !== undefined, digest: await Passkey.digestOf(text) };
    } catch (error) {
      return { issues: [{ path: '', message: messageOf(error) }] };
    }
  }

  /** Has Go code validate an input while the call waits at the desk. Resolves to {issues} or {value}. */
  validateInGo(input) {
    const { input: before, signal } = this;
    this.input = input;
    return new NativePromise((resolve, reject) => {
      const take = (event) => {
        delete this.later;
        const { input: value, error } = this;
        this.input = before;
        this.error = this.kind = undefined;
        resolve(event === DONE ? { value } : { issues: error.issues ?? [{ path: '', message: messageOf(error) }] });
      };
      this.later = (answer) => soon(() => take(this.leaveGo(answer))); // which the step that waits is not to hear of
      signal.addEventListener('abort', () => reject(abortError(signal)), { once: true });
      const event = this.enterGo(VALIDATOR, 0);
      if (event !== PENDING) take(event);
    });
  }
});

extend(Desk, class {
  /**
   * Takes the approval of a question with another input. Resolves to whether it counts, or to the issues of the input: the
   * question stays open then. isShown says whether what would run is what the human has seen; else that is what it resolves
   * to. Rejects where the question does not allow it.
   */
  async edit(id, given, how, isShown = () => true) {
    const number = this.numberOf(id, this.open);
    if (number === undefined) return false;
    const entry = this.entries.get(number);
    if (entry.draft === undefined) throw new ConfigurationError(`the input of this call of ${entry.name} cannot be changed: ${NOT_EDITABLE}`);
    const look = new Look();
    if (!look.isPlain(given)) throw new ConfigurationError('the input of a decision must be what JSON can say');
    const changed = await this.leaderOf(entry).tryInput(ownCopy(given), look.bytes);
    if (changed.issues) return this.open.includes(number) && changed.issues;
    return isShown(changed) ? this.decideEdit(number, entry, changed, how) : changed;
  }

  /** Has what the human has made of the input run. Returns whether that counts, or a promise of that where it has to be verified. */
  decideEdit(number, entry, changed, how) {
    if (!this.open.includes(number)) return false;
    const count = (said) => {
      if (changed.isPlain && changed.text === entry.text) return this.decide(number, entry, true, FOR_CALL, said); // nothing is changed
      entry.said = said;
      entry.changed = changed;
      return this.report(DESK_EDIT, number) === 1;
    };
    return entry.verify.length > 0 ? this.verify(number, entry, changed, count) : count({ how });
  }

  /** Returns the call whose function will run: the first of those that wait for the question. */
  leaderOf({ keys: [key] }) {
    return [...this.seats.values()].find((seat) => seat.key === key && seat.invocation !== undefined).invocation;
  }

  /**
   * Takes what the human has typed into the dialog: {input, isExact}, whether the input says it just so; or, without an
   * input, that they approve what they were shown last. What the schema makes something else of is shown before it runs.
   */
  async editInDialog(id, { input, isExact }) {
    const number = this.numberOf(id, this.open);
    const entry = this.entries.get(number);
    if (entry === undefined) return;
    if (input === undefined) {
      this.decideEdit(number, entry, entry.offered, 'dialog');
      return;
    }
    let answer;
    try {
      answer = await this.edit(id, input, 'dialog', (changed) => isExact && changed.isPlain && changed.text === canonical(input));
    } catch (error) {
      answer = [{ path: '', message: messageOf(error) }];
    }
    if (typeof answer === 'boolean' || this.dialog?.shown !== id) return;
    if (isArray(answer)) {
      this.dialog.refuse(answer);
    } else {
      entry.offered = answer;
      this.dialog.review(answer.input);
    }
  }

  /** Takes the input that the page's own way to ask has returned. Resolves to false where it does not count. One that cannot be had ends the call: the page has made a mistake. */
  async takeFromPage(number, entry, input) {
    let answer, fault;
    try {
      answer = await this.edit(entry.id, input, 'ask');
      if (isArray(answer)) fault = new ValidationError('ask of approval returned an input that is not valid', answer);
    } catch (error) {
      fault = error;
    }
    if (fault === undefined) return answer;
    if (this.open.includes(number)) {
      entry.said = { fault };
      this.fail(number);
    }
    return true;
  }
});

/** Whether all of the policies let the human change the input. */
function isEditable(policies) {
  return policies.every(({ edit }) => edit);
}

/**
 * Returns what a human starts from who changes the input, frozen; undefined where they cannot, or JSON does not say it. A
 * schema that may make something else of an input takes what the agent has sent, and not what it has made of that.
 */
function draftOf({ tool, unparsed }, policies, snapshot) {
  if (!policies.some(({ edit }) => edit)) return undefined;
  const { whole, fields } = tool.rules.input;
  const draft = whole === undefined && fields.length === 0 && !tool.validatesInGo ? snapshot : deepFreeze(ownCopy(unparsed));
  return new Look().isPlain(draft) ? draft : undefined;
}
