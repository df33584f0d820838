// Part of class Invocation: runs the page's hooks, and reads what they return.
// May touch the call's input, output, error, denial and count, and the timer of
// observers. The only file that calls a hook.

extend(Invocation, class {
  /** Runs before or after hooks, up to one that stops the call or has to be waited for. */
  run(phase, from) {
    const hooks = this.plan[phase];
    const paces = this.plan.paces[phase];
    const before = phase === BEFORE;
    this.count = 0;
    this.behind = !before;
    if (before && this.isAborted) return this.abort();
    for (let i = from; i < hooks.length; i++) {
      const hook = hooks[i];
      if (hook === IN_GO) return i > from ? DONE : this.enterGo(phase, from);
      try {
        this.ownFor(phase, hook, paces[i]);
        if (before) this.seen = true;
        const returned = hook(this.context(phase));
        if (before && this.isAborted) return this.abort(returned);
        const waits = isThenable(returned);
        paces[i] = paceOf(waits, paces[i]);
        if (waits) return this.wait(returned, (value) => this.take(phase, hook, value));
        const event = this.take(phase, hook, returned);
        if (event !== DONE) return event;
      } catch (error) {
        return before && this.isAborted ? this.abort() : this.fail(error);
      }
    }
    return DONE;
  }

  /**
   * Takes what a before or after hook returned. Nothing, true or a number keeps
   * what there is. All that is neither that nor {input}, {output} or a denial is
   * a mistake: a typo in a policy must never let a call through. May throw.
   */
  take(phase, hook, returned) {
    if (isObject(returned)) {
      const before = phase === BEFORE;
      const key = before ? 'input' : 'output';
      const action = before ? readable(returned, 'action') : undefined;
      const denies = before && (action !== undefined || hasOwn(returned, 'action'));
      if (denies && action !== 'deny') return this.fail(misuse(phase, hook, `the unknown action ${textOf(action)}`));
      const value = readable(returned, key);
      if (value !== undefined) {
        if (!before && isError(value)) return this.fail(value);
        this[key] = value;
      } else if (hasOwn(returned, key)) {
        if (!before) return this.fail(misuse(phase, hook, '{output: undefined}'));
      } else if (!denies && !isEmpty(returned)) {
        return this.fail(misuse(phase, hook, `an object without ${before ? 'input or action' : 'output'}`));
      }
      if (denies) {
        this.denial = { message: textOf(readable(returned, 'message')) || DENIED_MESSAGE, code: textOf(readable(returned, 'code')) || DENIED_CODE };
        return DENY;
      }
    } else if (returned !== undefined && returned !== null && returned !== true && typeof returned !== 'number') {
      return this.fail(misuse(phase, hook, typeof returned === 'string' ? 'a string' : textOf(returned)));
    }
    this.count++;
    return DONE;
  }

  /**
   * Runs error or denied hooks, which cannot change what becomes of the call: one that fails is logged. An error hook
   * may return {message}, for the agent.
   */
  observe(phase, from, detached) {
    const hooks = this.plan[phase];
    this.count = 0;
    for (let i = from; i < hooks.length; i++) {
      const hook = hooks[i];
      if (hook === IN_GO) return i > from ? DONE : this.enterGo(phase, from, detached);
      const reader = { hasRead: false };
      try {
        const returned = hook(this.context(phase, reader));
        if (isThenable(returned)) {
          const watched = new NativePromise((resolve) => follow(returned, (value) => {
            try {
              this.reword(phase, hook, value);
            } catch (error) {
              this.log(phase, error, reader);
            }
            resolve();
          }, (error) => {
            this.log(phase, error, reader); // also when it comes too late for the call
            resolve();
          }));
          if (!detached) {
            this.limit(phase);
            this.reader = reader;
            return this.wait(watched, () => this.passed());
          }
          this.conceal(reader); // nobody waits for what it makes of the message
        } else {
          this.reword(phase, hook, returned);
        }
      } catch (error) {
        this.log(phase, error, reader);
      }
      this.count++;
    }
    return DONE;
  }

  /** Bounds the time that the observers of this call may take in all. */
  limit(phase) {
    this.timer ??= startTimer(() => {
      this.log(phase, 'it has not settled in time; the result does not wait for it any longer', this.reader);
      if (this.inGo > 0) this.count = this.inGo - 1; // Go goes on with all of them
      this.resume(() => this.report(LATE));
    }, OBSERVER_WAIT);
  }

  passed() {
    this.count++;
    return DONE;
  }

  /** Takes what an error hook returned: {message} is what the agent reads. All else, errors and denials too, is what observers return. */
  reword(phase, hook, returned) {
    if (phase !== ERROR || !isObject(returned) || isError(returned) || readable(returned, 'action') !== undefined) return;
    const message = readable(returned, 'message');
    if (message === undefined && !hasOwn(returned, 'message')) return;
    if (typeof message === 'string' && message !== '') {
      this.message = message;
    } else {
      this.message = CONCEALED;
      this.log(phase, misuse(phase, hook, 'a message that is no text'));
    }
  }

  /** What the agent reads of the failure, as error hooks have left it. Of one behind the function, the error may quote what was to be redacted. */
  get told() {
    return this.message ?? (this.quotes ? WITHHELD : messageOf(this.error));
  }

  /** Whether the error may quote what an after hook was to redact. */
  get quotes() {
    return this.behind && this.kind !== 'timeout' && !(this.error instanceof OutputSizeError);
  }

  /** An error hook is not done with the message that it has read. What was to be redacted must not leak. */
  conceal(reader) {
    if (reader?.hasRead) this.message = CONCEALED;
  }

  /** Returns what a hook gets: an object of its own, so that no hook can change what the next one sees. */
  context(phase, reader) {
    return this.withSignal(this.seenBy(phase, reader));
  }

  seenBy(phase, reader) {
    const { input, caller: signal, metadata } = this;
    const tool = this.tool.handle, invocationId = this.id;
    switch (phase) {
      case BEFORE: return { input, tool, signal, invocationId, metadata };
      case AFTER: return { input, output: this.output, tool, signal, invocationId, metadata };
      case ERROR: {
        const { error, told } = this;
        return {
          error, input, tool, signal, invocationId, metadata,
          get message() {
            reader.hasRead = true;
            return told;
          },
        };
      }
      default: return { reason: this.denial.message, code: this.denial.code, rule: this.denial.rule, input, tool, signal, invocationId, metadata };
    }
  }

  log(phase, error, reader) {
    this.conceal(reader);
    console.error(`[webmcp] ${phase === DENIED ? 'a denied' : 'an error'} hook of ${this.tool.name} failed:`, error);
  }
});

/** Returns the error of a hook that returned what it must not. */
function misuse(phase, hook, what) {
  const name = hook.name ? ` ${hook.name}` : '';
  if (phase === ERROR) return new ConfigurationError(`the error hook${name} returned ${what}: return {message}, a text for the agent, or nothing`);
  return new ConfigurationError(phase === BEFORE
    ? `the before hook${name} returned ${what}: return nothing to go on, {input} to change the input, or {action: 'deny', message, code} to deny`
    : `the after hook${name} returned ${what}: return nothing to keep the output, or {output} to change it`);
}
