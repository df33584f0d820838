// Part of class Glue: brings the policies of the page to Go, which has them from then on,
// and holds calls back until they are there; without one of them, no call passes. May
// touch the policies that there are, and what holds calls back.

// As they were when this file was loaded, before another script's.
const { fetch: nativeFetch } = globalThis;
const { text: textOfResponse } = globalThis.Response?.prototype ?? {};

extend(Glue, class {
  /** Has Go know the policies that there are so far, and those to come: until then, and without them, no call passes. */
  bringPolicies() {
    const held = [];
    for (const policy of this.policies.splice(0)) {
      if (policy.href === undefined) this.enforcePolicy(policy);
      else held.push(this.fetchPolicy(policy));
    }
    if (this.parsed !== undefined) held.push(this.parsed.then(() => this.bringPolicies()));
    if (held.length === 0) return;
    const holding = Promise.all([this.holding, ...held]).then(() => {
      if (this.holding === holding) this.holding = undefined;
    });
    this.holding = holding;
  }

  /** Puts a document in force. One that is wrong closes the gate for good: it may be the one that says what is forbidden. */
  enforcePolicy({ label, text, resolve, reject }) {
    const problem = this.policyProblem(label, text);
    if (problem === undefined) {
      if (text.includes('"approval"')) this.bringApprovals(); // a human is not to wait for it
      resolve?.();
      return;
    }
    this.refuseCalls(label, problem);
    reject?.(new ConfigurationError(`${label}: ${problem}`));
  }

  /** Returns why a document cannot be put in force; undefined where it is. */
  policyProblem(label, text) {
    if (this.dead) return messageOf(this.dead);
    if (!this.hasKey) this.exports.webmcp_policy_key(this.write(secret()));
    this.hasKey = true;
    const length = bytesIn(label);
    return this.exports.webmcp_policy(length, this.write(label + text) - length) ? undefined : this.reply();
  }

  /** From now on, no call passes. */
  refuseCalls(label, problem) {
    this.closed = true;
    console.error(`[webmcp] no call of an agent passes, for the policy ${label} cannot be put in force: ${problem}`);
  }

  /** Fetches a document and puts it in force. Resolves, always. */
  async fetchPolicy(policy) {
    const { label, href, integrity, crossOrigin } = policy;
    let problem;
    try {
      const credentials = crossOrigin === 'use-credentials' ? 'include' : 'same-origin';
      const response = await nativeFetch(href, { integrity, credentials, signal: AbortSignal.timeout(FETCH_WAIT) });
      if (response.ok) {
        this.missing.delete(policy);
        this.enforcePolicy({ label, text: await apply(textOfResponse, response, []) });
        return;
      }
      problem = `it answered ${response.status}`;
    } catch (error) {
      problem = `it cannot be fetched: ${messageOf(error)}`;
    }
    if (this.missing.has(policy)) return;
    this.missing.add(policy); // the next call tries again
    console.error(`[webmcp] no call of an agent passes until the policy ${label} is there: ${problem}`);
  }

  /** Has a call of a tool wait for the policies. Resolves to its result. */
  async holdBack(tool, call) {
    if (this.holding === undefined) {
      this.policies.push(...this.missing);
      this.bringPolicies();
    }
    await this.holding;
    if (this.closed || this.missing.size > 0) return this.noteRefused(tool, refusal(ERROR_PREFIX + POLICY_UNAVAILABLE, POLICY_UNAVAILABLE_CODE, false));
    return call();
  }

  /** Tells Go what is known of the user. */
  tellContext() {
    if (this.user === undefined || this.exports.webmcp_context(this.write(this.user))) return;
    console.error('[webmcp] webmcp.context has no effect: the Go program of this page says what is known of the user');
  }

  /** Says what the policy would do to a call, which is not made. */
  async explain(name, input) {
    if (this.holding !== undefined) await this.holding;
    const tool = this.tools.get(name);
    if (tool === undefined) throw new RegistrationError(`there is no tool ${name}`);
    const size = bytesIn(JSON.stringify(input));
    const result = await tool.validate(input, Infinity);
    if (result.issues) throw new ValidationError(INVALID_INPUT, issuesAsText(result.issues));
    this.checkAlive();
    if (tool.id === NO_NUMBER) throw new RegistrationError(`the tool ${name} is not registered any more`);
    const text = this.write(JSON.stringify(result.value) ?? 'null');
    this.exports.webmcp_explain(tool.id, clock(), size, text);
    const explanation = explanationOf(JSON.parse(this.reply()));
    if (!this.closed && this.missing.size === 0) return explanation;
    return { ...explanation, outcome: 'deny', refusal: { code: POLICY_UNAVAILABLE_CODE, message: POLICY_UNAVAILABLE } };
  }
});

const FETCH_WAIT = 30_000; // for how many milliseconds a policy may be on its way

/** Returns an explanation of Go in words: of what rules say, those that do something, and what is redacted. */
function explanationOf({ rules, ...explanation }) {
  return {
    ...explanation,
    rules: rules.map(({ says, ...rule }) => {
      const { name, description, tools, except, when, unless, mode, ...effects } = says;
      return { ...rule, effects: Object.entries(effects).map(([effect, value]) => `${effect} ${JSON.stringify(value)}`) };
    }),
    redact: rules.filter(({ applies, mode }) => applies && mode === 'enforce')
      .flatMap(({ says: { redact = {} } }) => Object.entries(redact).map(([pointer, mask]) => `${pointer}: ${mask}`)),
  };
}

/** Returns a text of the length of a key that nobody can know. */
function secret() {
  return String.fromCharCode(...globalThis.crypto.getRandomValues(new Uint8Array(16)).map((byte) => byte & 0x7F));
}

/** Returns the hints of a contract as Go has them. */
function hintsOf({ annotations }) {
  const bits = { readOnlyHint: READ_ONLY, untrustedContentHint: UNTRUSTED_CONTENT, consequentialHint: CONSEQUENTIAL, debugging: DEBUGGING };
  return Object.keys(bits).reduce((hints, name) => (annotations[name] === true ? hints | bits[name] : hints), 0);
}
