// Part of class Invocation: finds out whether a human has to approve the call, and
// waits for one. May touch the call's input, denial and error, its clock, its signal
// and metadata.approval. How a human changes the input is editing.js, what the human sees and says is desk.js.

extend(Invocation, class {
  /** Finds out what these approvals say of the call. */
  consult(policies) {
    // Whoever has kept the input until now has another one than what is shown and runs.
    const snapshot = deepFreeze(ownCopy(this.input));
    this.input = ownCopy(snapshot);
    this.seen = false;
    const draft = draftOf(this, policies, snapshot);
    return this.wait(this.deliberate(policies, snapshot, { draft }), this.deliberated);
  }

  /**
   * Asks each policy, from the outside in. Resolves, always, to {error}, {denial}, {question}, or to nothing of it: the call
   * may go on. Once a human has approved, policies are asked again, and nobody else: of an input that the human has changed,
   * those that ask must allow that, and those that demand a proof must have got it. asked is the question about such an input.
   */
  async deliberate(policies, snapshot, { draft, isAgain = false, asked }) {
    try {
      const asking = [];
      for (const policy of policies) {
        const denial = await this.judge(policy, snapshot, asking);
        if (denial !== undefined) return { denial };
      }
      if (asked !== undefined && !asking.every((policy) => policy.verify === undefined || asked.asking.includes(policy) || asked.verify.includes(policy.verify))) {
        throw new ConfigurationError('an approval asks about the input as the human has changed it, and demands a proof');
      }
      if (asked !== undefined && !isEditable(asking)) throw new ConfigurationError(`an approval asks about the input as the human has changed it, and does not allow that: ${NOT_EDITABLE}`);
      return asking.length === 0 || isAgain ? {} : { question: await questionOf(this, asking, policies, snapshot, draft) };
    } catch (error) {
      return { error };
    }
  }

  /** Asks a policy. It is added to those that ask, or resolves to a denial. Rejects where it says nothing that can be understood. */
  async judge(policy, snapshot, asking) {
    const { when } = policy;
    const said = typeof when === 'function'
      ? await this.speak(policy, when, { tool: this.tool.handle, input: snapshot, metadata: this.metadata, signal: this.signal })
      : 'ask';
    if (said === 'deny') return { message: DENIED_MESSAGE, code: DENIED_CODE };
    const message = isObject(said) ? readable(said, 'deny') : undefined;
    if (typeof message === 'string') return { message: message || DENIED_MESSAGE, code: textOf(readable(said, 'code')) || DENIED_CODE };
    if (said === 'ask') asking.push(policy);
    else if (said !== 'allow') throw new ConfigurationError(`when of approval returned ${textOf(said) || typeof said}: return 'allow', 'ask', 'deny' or {deny: message, code}`);
    return undefined;
  }

  /** Takes what the policies say. */
  deliberated({ error, denial, question }) {
    if (error !== undefined) return this.undecidable(error);
    if (denial !== undefined) return this.deny(denial);
    if (question === undefined) return DONE;
    this.input = question.input;
    this.pause();
    if (isSent(this.client, question)) return this.decided({ question, end: APPROVED, how: 'form', at: timeNow(), waited: 0 });
    return this.wait(this.glue.deskOf().ask(this, question), this.decided);
  }

  /** The human's time is not the call's. */
  pause() {
    this.paused = clock();
    this.glue.stopClock(this);
  }

  goOn() {
    const waited = clock() - this.paused;
    this.paused = undefined;
    this.began += waited;
    if (this.timeout > 0) this.bound(this.timeout, this.deadline + waited);
  }

  deny(denial) {
    this.denial = denial;
    return DENY;
  }

  /** A policy has failed: the page learns why, the agent that nothing was done. */
  undecidable(error) {
    console.error(`[webmcp] an approval of ${this.tool.name} failed:`, error);
    return this.unapproved(APPROVAL_POLICY_ERROR, APPROVAL_POLICY_ERROR_CODE, error);
  }

  /** Takes how the wait has ended: for a call that has joined another one, that one's result. */
  decided({ shared, question, end, how, reason, proof, fault, at, waited }) {
    this.goOn();
    if (shared !== undefined) {
      this.result = shared;
      return SHARED;
    }
    const { changed } = question;
    const { digest } = changed ?? question;
    if (end === APPROVED || end === REFUSED) {
      const decision = end === APPROVED ? 'approve' : 'deny';
      this.approved = Object.freeze({ decision, how, at, waited, edited: changed !== undefined, digest, ...(proof && { proof }) });
      setOwn(this.metadata, 'approval', this.approved);
    }
    switch (end) {
      case APPROVED: return this.recheck(question);
      case REFUSED: return this.deny({ message: reason ? USER_SAID.replace('%s', () => shorten(reason)) : USER_DENIED, code: USER_DENIED_CODE });
      case TOO_LATE: return this.unapproved(APPROVAL_TIMEOUT, APPROVAL_TIMEOUT_CODE);
      case GONE: return this.unapproved(APPROVAL_GONE, APPROVAL_UNAVAILABLE_CODE);
      default: return fault === undefined ? this.unapproved(APPROVAL_UNAVAILABLE, APPROVAL_UNAVAILABLE_CODE) : this.undecidable(fault);
    }
  }

  /** Once the human has approved: what else decides may have changed meanwhile. */
  recheck(question) {
    const { policies, number, changed } = question;
    if (this.isAborted) return this.abort();
    if (this.tool.id !== number) return this.unapproved(APPROVAL_GONE, APPROVAL_UNAVAILABLE_CODE);
    if (changed !== undefined) {
      this.input = changed.input;
      this.changed = changed.text;
    }
    const changing = policies.filter(({ when }) => typeof when === 'function');
    if (changed !== undefined && this.effects !== undefined) {
      const event = this.judgeChanged();
      if (event !== DONE) return event;
      changing.unshift(...this.effects.approvals);
    }
    if (changing.length === 0) return DONE;
    return this.wait(this.deliberate(changing, this.input, { isAgain: true, asked: changed && question }), (said) => (
      this.tool.id === number ? this.deliberated(said) : this.unapproved(APPROVAL_GONE, APPROVAL_UNAVAILABLE_CODE)
    ));
  }

  /** Answers the agent before the call has ended: the question is pending. The call goes on, and nobody aborts it any more. */
  answerPending(result) {
    if (this.onAbort !== undefined) this.caller.removeEventListener('abort', this.onAbort);
    this.onAbort = undefined;
    this.caller = new AbortController().signal;
    this.controller = undefined; // whose signal is the caller's, too
    this.resolve(result);
    this.resolve = () => {};
    this.client = undefined;
  }
});

/**
 * Reports whether a human has been asked already, by a form: the browser says that an agent has filled it in, forms.js of
 * wasm/forms that a human has sent it, as it will run. Nobody needs to be asked then, unless a proof is wanted.
 */
function isSent(client, { verify, text }) {
  const { submit, sent } = client ?? {};
  return sent !== undefined && verify.length === 0 && text !== undefined && text === canonical(sent) && isAgents(submit);
}

/** Returns what a human is asked, of all policies that ask. */
async function questionOf(invocation, asking, policies, input, draft) {
  const { tool, id, metadata } = invocation;
  const inner = (key) => asking.findLast((policy) => policy[key] !== undefined) ?? {};
  const say = async (key) => {
    const policy = inner(key), said = policy[key];
    return typeof said === 'function' ? textOf(await invocation.speak(policy, said, input, { tool: tool.handle, metadata })) : said;
  };
  const shortestOf = (key, otherwise) => Math.min(...asking.map((policy) => policy[key] ?? otherwise));
  const verify = verificationsOf(asking);
  const rememberable = verify.length === 0 && asking.every(({ when }) => typeof when !== 'function');
  const by = asking.every(({ remember }) => remember.by) ? [...new Set(asking.flatMap(({ remember }) => remember.by))] : undefined;
  const isPlain = new Look().isPlain(input); // JSON says all of it
  const text = isPlain ? canonical(input) : undefined;
  return {
    id, name: tool.name, number: tool.id, contract: tool.contract, policies, asking, input, text, by, verify,
    title: inner('title').title, sentence: await say('describe'), details: await say('details'),
    timeout: shortestOf('timeout', APPROVAL_WAIT), hold: shortestOf('hold', APPROVAL_HOLD),
    forTool: rememberable && asking.every(({ remember }) => remember.tool),
    forArguments: rememberable && isPlain && asking.every(({ remember }) => remember.arguments),
    ask: asking[0].ask, // the outermost decides who is asked
    draft: isEditable(asking) ? draft : undefined,
    changed: undefined,
    digest: await Passkey.digestOf(text),
  };
}

/**
 * Returns the canonical text of a value of JSON (RFC 8785), which is the same for equal values, and the same as in Go: see
 * canonical.go of package hooks. A text that is not well-formed, which Go has not, is as JSON.stringify writes it.
 */
function canonical(value) {
  if (!isObject(value)) return JSON.stringify(value);
  if (isArray(value)) return `[${value.map(canonical)}]`;
  const names = Object.keys(value).filter((name) => value[name] !== undefined).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`)}}`;
}

/**
 * Returns how it is verified that a human approves: all that the policies demand, from the outside in, each once. A function
 * says how for the passkeys that policies further in demand, too.
 */
function verificationsOf(policies) {
  const all = [];
  for (const { verify } of policies) {
    if (verify !== undefined && !all.includes(verify) && (typeof verify === 'function' || all.length === 0)) all.push(verify);
  }
  return all;
}

/** Settles as a promise of the page does, or rejects where that takes too long. */
function inTime(value) {
  return new NativePromise((resolve, reject) => {
    const clock = startTimer(() => reject(new Error(`it has not answered within ${POLICY_WAIT} ms`)), POLICY_WAIT);
    const done = (settle) => (result) => {
      stopTimer(clock);
      settle(result);
    };
    follow(new NativePromise((settle) => settle(value)), done(resolve), done(reject));
  });
}
