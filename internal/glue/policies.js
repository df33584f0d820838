// What a page says about approval, as options give it and as the glue keeps it, and
// webmcp.approvals. Touches nothing but the listeners of approvals.

const APPROVAL_OPTIONS = ['when', 'title', 'describe', 'details', 'timeout', 'hold', 'remember', 'ask', 'edit', 'verify'];

/** Returns the approvals that an option stands for; each has all members of APPROVAL_OPTIONS. false is none: it allows, and that overrides nothing. */
function approvalList(approval) {
  if (approval === undefined || approval === null || approval === false) return [];
  if (Array.isArray(approval)) return approval.flatMap(approvalList);
  return [Object.freeze(approvalOf(isObject(approval) ? checkOptions(approval, APPROVAL_OPTIONS, 'approval') : { when: approval }))];
}

/** Checks one approval. A mistake in it must not become a call without a question. */
function approvalOf({ when = true, title, describe, details, timeout, hold, remember, ask, edit = false, verify }) {
  if (!(typeof when === 'boolean' || typeof when === 'function' || when === 'consequential' || when === 'writes')) {
    throw new ConfigurationError(`approval is ${textOf(when) || typeof when}: it must be true, 'consequential', 'writes', a function, or an object with such a when`);
  }
  for (const [name, value, ...types] of [['title', title, 'string'], ['describe', describe, 'string', 'function'], ['details', details, 'string', 'function'], ['ask', ask, 'function']]) {
    if (value !== undefined && !types.includes(typeof value)) throw new ConfigurationError(`${name} of approval must be a ${types.join(' or a ')}`);
  }
  checkFlag(edit, 'edit of approval');
  if (verify !== undefined && verify !== 'passkey' && typeof verify !== 'function') throw new ConfigurationError("verify of approval must be 'passkey' or a function");
  return { when, title, describe, details, timeout: waitOf(timeout, 'timeout'), hold: waitOf(hold, 'hold'), remember: rememberOf(remember), ask, edit, verify };
}

/** Returns how long somebody waits, in milliseconds; undefined where nothing is said. */
function waitOf(ms, what) {
  if (ms === undefined || ms === Infinity || Number.isSafeInteger(ms) && ms > 0 && ms < 2 ** 31) return ms;
  throw new ConfigurationError(`${what} of approval must be a whole number of milliseconds, from 1 to 2147483647, or Infinity`);
}

/** Returns what a decision may be remembered for: the tool; and the arguments, of which by are the pointers that count (undefined: all do). */
function rememberOf(remember) {
  const offers = { tool: false, arguments: false, by: undefined };
  for (const offer of [remember === undefined ? [] : remember].flat()) {
    if (offer === 'tool' || offer === 'arguments') {
      offers[offer] = true;
    } else if (isObject(offer)) {
      const { by } = checkOptions(offer, ['by'], 'remember');
      if (!Array.isArray(by) || by.length === 0 || !by.every((pointer) => typeof pointer === 'string' && pointer[0] === '/')) {
        throw new ConfigurationError("by of remember must be an array of JSON Pointers, such as ['/productId']");
      }
      offers.arguments = true;
      offers.by = [...by];
    } else if (offer !== 'call') {
      throw new ConfigurationError("remember must be 'call', 'arguments', 'tool' or {by: ['/productId']}, or an array of them");
    }
  }
  return Object.freeze(offers);
}

/** Checks how the dialog is to be: {strings, armDelay}, or false, where the page shows what waits itself; undefined where nothing is said. */
function dialogOf(given) {
  if (given === false || given === undefined) return given;
  const { strings, armDelay } = checkOptions(given, ['strings', 'armDelay'], 'approvalDialog');
  if (strings !== undefined && !isObject(strings)) throw new ConfigurationError('strings of approvalDialog must be an object with texts');
  if (armDelay !== undefined && !(Number.isSafeInteger(armDelay) && armDelay >= 0 && armDelay <= 10000)) {
    throw new ConfigurationError('armDelay of approvalDialog must be a whole number of milliseconds, from 0 to 10000');
  }
  return { strings, armDelay };
}

/** Returns webmcp.approvals. */
function approvalsOf(glue) {
  return Object.freeze({
    /** The questions that nobody has decided, the oldest first. */
    pending: () => glue.desk?.pending() ?? [],
    /** The decisions that are remembered, the oldest first. */
    remembered: () => glue.desk?.remembered() ?? [],
    /**
     * Decides a question; false: it is not open any more, and the decision counts for nothing. An approval that has to be
     * verified is a promise of that; with an input, a promise of that, or of what is wrong with the input.
     */
    resolve: (id, decision) => glue.desk?.resolveByScript(id, decision) ?? (decision?.input === undefined ? false : Promise.resolve(false)),
    /** Has the human make a passkey, with which they approve from then on. */
    async enrol(options) {
      await glue.need();
      return glue.enrolPasskey(options);
    },
    /** Forgets what is remembered for a tool, by name; without one, all of it. */
    forget(tool) {
      glue.desk?.forgetRules(tool);
    },
    /** Calls back after questions or what is remembered have changed. Returns a function that ends it. */
    onChange(callback) {
      if (typeof callback !== 'function') throw new ConfigurationError('onChange needs a function');
      const listener = () => callback();
      glue.onApprovals.add(listener);
      return () => glue.onApprovals.delete(listener);
    },
  });
}
