// Part of classes Invocation and Glue: whether the approvals that hold for a call have
// anything to say, and that what asks humans is there (approving.js and what it needs), which
// in the ES module form comes when it is first needed. May touch the call's count, input and code.

extend(Invocation, class {
  /** Finds out what the approvals say of the call. */
  approve() {
    if (this.isAborted) return this.abort();
    this.count = 0;
    const { plan, tool, glue } = this;
    const policies = plan[APPROVALS].filter(({ when }) => typeof when === 'function' || asksAbout(when, tool.contract));
    if (this.effects !== undefined) policies.unshift(...this.effects.approvals); // outermost
    if (policies.length === 0 || glue.desk?.isFetching(tool)) return DONE;
    if (canAsk()) return this.consult(policies);
    this.ownInput(Pace.slow); // what was validated is not to change meanwhile
    return this.wait(glue.bringApprovals(), (error) => {
      if (error === undefined) return this.consult(policies);
      console.error('[webmcp] nobody can be asked:', error);
      return this.unapproved(APPROVAL_UNAVAILABLE, APPROVAL_UNAVAILABLE_CODE);
    });
  }

  unapproved(message, code, cause) {
    this.code = code;
    return this.fail(new NotAllowedError(message, { cause }), 'approval');
  }
});

extend(Glue, class {
  /** Has what asks humans loaded, where that has not been done. Resolves, always: to undefined when it is there, or to why it is not. */
  bringApprovals() {
    if (canAsk()) return Promise.resolve();
    return (this.bringing ??= this.fetchApprovals().catch((error) => {
      this.bringing = undefined; // the next call tries again
      return error;
    }));
  }

  /** Has the human make a passkey. */
  async enrolPasskey(options) {
    const { name } = checkOptions(options, ['name'], 'enrol');
    const error = await this.bringApprovals();
    if (error !== undefined) throw error;
    return this.enrol(name);
  }

  /** Has it loaded as soon as there is an approval among hooks: a human is not to wait for it, and later the page may be offline. */
  expectApprovals(hooks) {
    if (hooks[APPROVALS].length > 0) this.bringApprovals();
  }
});

/** Whether what asks humans is there. */
function canAsk() {
  return Invocation.prototype.consult !== undefined;
}

/** Whether an approval that is no function asks about calls of a tool. */
function asksAbout(when, { annotations }) {
  if (when === 'consequential') return annotations?.consequentialHint === true;
  if (when === 'writes') return annotations?.readOnlyHint !== true;
  return when;
}
