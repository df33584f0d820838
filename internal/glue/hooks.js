// Part of class Invocation: runs the page's hooks, and reads what they return.
// May touch the call's input, output, error, denial and count, and the timer of
// observers. The only file that calls a hook.

extend(Invocation, class {
  /** Runs before or after hooks, up to one that stops the call or has to be waited for. */
  run(phase, from) {
    const hooks = this.plan[phase];
    const before = phase === BEFORE;
    this.count = 0;
    this.behind = !before;
    if (before && this.signal.aborted) return this.abort();
    for (let i = from; i < hooks.length; i++) {
      const hook = hooks[i];
      if (hook === IN_GO) return i > from ? DONE : this.enterGo(phase, from);
      try {
        const returned = hook(this.context(phase));
        if (before && this.signal.aborted) return this.abort(returned);
        if (isThenable(returned)) return this.wait(returned, (value) => this.take(phase, hook, value));
        const event = this.take(phase, hook, returned);
        if (event !== DONE) return event;
      } catch (error) {
        return before && this.signal.aborted ? this.abort() : this.fail(error);
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
      const denies = before && Object.hasOwn(returned, 'action');
      if (denies && returned.action !== 'deny') return this.fail(misuse(phase, hook, `the unknown action ${textOf(returned.action)}`));
      if (Object.hasOwn(returned, key)) {
        const value = returned[key];
        if (!before && value instanceof Error) return this.fail(value);
        if (value !== undefined) this[key] = value;
        else if (!before) return this.fail(misuse(phase, hook, '{output: undefined}'));
      } else if (!denies && !isEmpty(returned)) {
        return this.fail(misuse(phase, hook, `an object without ${before ? 'input or action' : 'output'}`));
      }
      if (denies) {
        const { message, code } = returned;
        this.denial = { message: textOf(message) || DENIED_MESSAGE, code: textOf(code) || DENIED_CODE };
        return DENY;
      }
    } else if (returned !== undefined && returned !== null && returned !== true && typeof returned !== 'number') {
      return this.fail(misuse(phase, hook, typeof returned === 'string' ? 'a string' : textOf(returned)));
    }
    this.count++;
    return DONE;
  }

  /** Runs error or denied hooks, which cannot change anything: one that fails is logged. */
  observe(phase, from, detached) {
    const hooks = this.plan[phase];
    this.count = 0;
    for (let i = from; i < hooks.length; i++) {
      const hook = hooks[i];
      if (hook === IN_GO) return i > from ? DONE : this.enterGo(phase, from, detached);
      try {
        const returned = hook(this.context(phase));
        if (isThenable(returned)) {
          const watched = new NativePromise((resolve) => follow(returned, () => resolve(), (error) => {
            this.log(phase, error); // also when it comes too late for the call
            resolve();
          }));
          if (!detached) {
            this.limit(phase);
            return this.wait(watched, () => this.passed());
          }
        }
      } catch (error) {
        this.log(phase, error);
      }
      this.count++;
    }
    return DONE;
  }

  /** Bounds the time that the observers of this call may take in all. */
  limit(phase) {
    this.timer ??= setTimeout(() => {
      this.log(phase, 'it has not settled in time; the result does not wait for it any longer');
      if (this.inGo > 0) this.count = this.inGo - 1; // Go goes on with all of them
      this.resume(() => this.report(LATE));
    }, this.glue.observerWait);
  }

  passed() {
    this.count++;
    return DONE;
  }

  /** Returns what a hook gets: an object of its own, so that no hook can change what the next one sees. */
  context(phase) {
    const { input, signal, metadata } = this;
    const tool = this.tool.handle, invocationId = this.id;
    switch (phase) {
      case BEFORE: return { input, tool, signal, invocationId, metadata };
      case AFTER: return { input, output: this.output, tool, signal, invocationId, metadata };
      case ERROR: return { error: this.error, input, tool, signal, invocationId, metadata };
      default: return { reason: this.denial.message, code: this.denial.code, input, tool, signal, invocationId, metadata };
    }
  }

  log(phase, error) {
    console.error(`[webmcp] ${phase === DENIED ? 'a denied' : 'an error'} hook of ${this.tool.name} failed:`, error);
  }
});

/** Returns the error of a hook that returned what it must not. */
function misuse(phase, hook, what) {
  const name = hook.name ? ` ${hook.name}` : '';
  return new ConfigurationError(phase === BEFORE
    ? `the before hook${name} returned ${what}: return nothing to go on, {input} to change the input, or {action: 'deny', message, code} to deny`
    : `the after hook${name} returned ${what}: return nothing to keep the output, or {output} to change it`);
}
