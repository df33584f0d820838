// Part of class Invocation: asks approvals of Go, whose functions cross as hooks do. May
// touch what says that Go is at work on the call, and what crossing.js takes from Go.

extend(Invocation, class {
  /** Has a function of a policy speak, with what it is given. Rejects where it fails, or takes too long. */
  speak({ inGo }, say, ...given) {
    return inGo ? say(this) : inTime(say(...given));
  }

  /**
   * Has an approval of Go speak: APPROVAL_WHEN, APPROVAL_DESCRIBE or APPROVAL_DETAILS of the one at a place in the plan.
   * Resolves to what it says, as a function of the page would return it.
   */
  async consultGo(what, at) {
    const { glue, ticket } = this;
    const sent = { metadata: NOTHING, ...this.sent };
    const text = this.textForGo(what, false, sent);
    this.inGo = 1;
    try {
      const [event, , said] = await inTime(new NativePromise((resolve) => {
        this.speaks = { ticket, take: resolve };
        try {
          this.send(text, sent, ticket, what, at, Math.min(this.timeLeft() || POLICY_WAIT, POLICY_WAIT));
          glue.wake();
        } catch (error) {
          glue.die(error);
        }
      }));
      return ticket === this.ticket ? this.spoken(event, said) : undefined; // nobody waits for it any more
    } finally {
      if (ticket === this.ticket) this.inGo = 0;
    }
  }

  /** Returns what an approval of Go has said. Throws what it has failed with. */
  spoken(event, text) {
    const values = { __proto__: null, ...JSON.parse(text) };
    this.takeFromGo(values);
    if (event === FAIL) throw this.error;
    return event === DENY ? { deny: values.denial.message, code: values.denial.code } : values.said;
  }
});
