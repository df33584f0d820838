// The desk at which calls wait for a human. Go decides who is asked, in which order
// and until when (package approval); this file has what is asked and answered, shows
// it, and tells those who wait. May touch its own state and the seats of calls.

/** What a call has at the desk while it waits, or somebody who fetches an answer. */
class Seat {
  constructor(desk, resolve, invocation) {
    this.desk = desk;
    this.resolve = resolve; // with how the wait has ended
    this.invocation = invocation; // undefined: somebody fetches
    this.number = 0; // in Go
    this.key = 0; // of the question that its call waits for
    this.leads = undefined; // the entry of the question whose answer this call's result is, once it is decided
  }

  /** The call has ended. */
  leave(result) {
    const { desk, leads } = this;
    if (leads === undefined) desk.abort(this.number);
    else desk.ended(leads, result);
  }
}

class Desk {
  constructor(glue) {
    this.glue = glue;
    this.seats = new Map(); // by their number in Go
    this.entries = new Map(); // questions and kept answers, by their number in Go
    this.keys = new Map(); // numbers of texts
    this.rules = []; // what is remembered: {tool, args, approve}
    this.open = []; // numbers of questions
    this.lastKey = 0;
    this.clock = undefined;
    this.tool = undefined; // get_approval, which agents see while there may be an answer to fetch
    this.isOffered = false;
    this.dialog = undefined;
    this.wanted = undefined; // how it was wanted to be
    this.front = 0; // the number of the question that the human is asked
    this.behind = 0; // how many wait behind it
    this.arranging = false;
    this.leaves = () => this.report(DESK_LEAVE);
  }

  /** Takes in a call. Resolves to how its wait has ended. */
  ask(invocation, question) {
    return new NativePromise((resolve) => {
      const { number, text, forArguments, forTool, timeout, hold, ask, verify } = question;
      const seat = invocation.seat = new Seat(this, resolve, invocation);
      const entry = { ...question, seat, since: clock(), at: timeNow(), controller: new AbortController(), result: undefined, said: undefined };
      const key = this.key(text === undefined ? undefined : `${number} ${verify.length > 0 ? 'verified ' : ''}${text}`);
      const args = forArguments ? this.key(argumentsOf(entry), entry) : 0;
      entry.keys = [key, args];
      seat.key = key;
      this.take((now) => this.glue.exports.webmcp_desk_ask(now, number, key, args, forTool, ask !== undefined, bounded(timeout), bounded(hold)), (call, isNew) => {
        seat.number = call;
        this.seats.set(call, seat);
        if (isNew) this.entries.set(call, entry);
      });
      if (ask !== undefined && this.entries.get(seat.number) === entry && entry.said === undefined) this.askPage(seat.number, entry);
    });
  }

  /** Returns the number of a text; undefined: one that nothing else has. */
  key(text, entry) {
    let key = text === undefined ? undefined : this.keys.get(text);
    if (key !== undefined) return key.number;
    key = { number: ++this.lastKey, entry };
    if (text !== undefined) this.keys.set(text, key);
    return key.number;
  }

  /** Has the page ask in its own way, once. */
  async askPage(number, entry) {
    if (entry.asked || !this.isThere(number, entry)) return;
    entry.asked = true;
    const { id, name, input, draft, ask, controller } = entry;
    try {
      const deadline = entry.timeout === Infinity ? Infinity : entry.at + entry.timeout;
      const said = decisionOf(await ask({ id, tool: name, input, draft, edit: draft !== undefined, signal: controller.signal, deadline }));
      const counts = await (said.input === undefined ? this.resolve(id, said, 'ask') : this.takeFromPage(number, entry, said.input));
      if (!counts && !entry.proving) this.fail(number); // where it is open still, for it was not verified
    } catch (error) {
      if (!controller.signal.aborted) console.error(`[webmcp] ask of approval of ${name} failed:`, error);
      this.fail(number);
    }
  }

  /**
   * Takes a decision about a question, by its id. Returns whether it counts, of an approval that has to be verified a promise
   * of that; with an input, a promise of that, or of the issues of the input.
   */
  resolve(id, { decision, reason, remember, input }, how) {
    if (input !== undefined) return this.edit(id, input, how);
    const number = this.numberOf(id, this.open);
    if (number === undefined) return false;
    const entry = this.entries.get(number);
    if (decision === 'approve' && entry.verify.length > 0) return this.verify(number, entry, entry, (said) => this.decide(number, entry, true, FOR_CALL, said));
    return this.decide(number, entry, decision === 'approve', KEEPS[remember], { how, reason });
  }

  resolveByScript(id, decision) {
    return this.resolve(id, decisionOf(decision), 'script');
  }

  decide(number, entry, approve, keep, said) {
    entry.said = said;
    return this.report(DESK_DECIDE, number, approve, keep) === 1;
  }

  /**
   * Has the human prove that they are there, before their approval of just this input counts: count takes the decision then.
   * Resolves, always, to whether it counts. Where they do not, the question stays open; where nobody can, that is its end.
   */
  async verify(number, entry, { input, digest }, count) {
    if (entry.proving) return false;
    entry.proving = true;
    if (this.dialog?.shown === entry.id) this.dialog.verifying();
    let proof, failure;
    try {
      proof = await Passkey.proofOf({ ...entry, input, digest });
    } catch (error) {
      failure = error;
    }
    entry.proving = false;
    if (!this.open.includes(number)) return false;
    if (proof !== undefined) return count({ how: 'passkey', proof });
    // That a human cancels is no fault.
    console[nameOf(failure) === 'NotAllowedError' ? 'warn' : 'error'](`[webmcp] an approval of ${entry.name} was not verified:`, failure);
    if (failure instanceof NotSupportedError) this.fail(number);
    else if (this.dialog?.shown === entry.id) this.dialog.unverified();
    return false;
  }

  /** Whether the human is there to be asked a question: where the browser has a way to bring them, that is once it has. */
  isThere(number, entry) {
    const { seat, controller } = entry;
    // A client that has its answer, or has given up, has no part in the question any more.
    const isWaiting = () => this.seats.get(seat.number) === seat && seat.invocation.client !== undefined;
    const bring = entry.isThere || !isWaiting() ? undefined : interactionOf(seat.invocation.client);
    if (bring === undefined) return true;
    if (entry.bringing) return false;
    entry.bringing = true;
    const lost = (error) => {
      if (!isWaiting() || !this.open.includes(number)) return;
      console.error(`[webmcp] nobody can be asked about ${entry.name}, for the browser does not bring them:`, error);
      this.fail(number);
    };
    follow(bringHuman(bring, controller.signal, lost), () => {
      entry.isThere = true;
      this.show();
    }, lost);
    return false;
  }

  /** Returns the number of the question with an id, among some numbers; undefined where there is none. */
  numberOf(id, numbers) {
    return numbers.find((number) => this.entries.get(number).id === id);
  }

  /** Nobody can be asked. */
  fail(number) {
    this.report(DESK_FAIL, number);
  }

  /** Has somebody wait for the answer to a question that is pending. Resolves to the result for the agent. */
  fetch(id, signal) {
    return new NativePromise((resolve) => {
      const number = this.numberOf(id, [...this.entries.keys()]);
      if (number === undefined) {
        resolve(unknownApproval(id));
        return;
      }
      const seat = new Seat(this, ({ shared }) => resolve(shared ?? unknownApproval(id)));
      const { hold } = this.entries.get(number);
      this.take((now) => this.glue.exports.webmcp_desk(DESK_FETCH, now, number, bounded(hold)), (wait) => {
        seat.number = wait;
        this.seats.set(wait, seat);
      });
      signal.addEventListener('abort', () => this.abort(seat.number), { once: true });
    });
  }

  /** Whether a tool is the one that fetches answers. */
  isFetching({ handle }) {
    return this.tool !== undefined && handle === this.tool;
  }

  abort(number) {
    if (this.seats.delete(number)) this.report(DESK_ABORT, number);
  }

  ended(entry, result) {
    entry.result = result;
    this.report(DESK_ENDED, entry.question);
  }

  /** A tool is not registered any more. */
  close(tool) {
    if (tool !== NO_NUMBER) this.report(DESK_CLOSE, tool);
  }

  /** Forgets what is remembered for tools of a name; undefined: all of it. */
  forgetRules(name) {
    if (name === undefined) this.report(DESK_FORGET_ALL);
    const tool = this.glue.tools.get(name);
    if (tool !== undefined) this.report(DESK_FORGET, tool.id);
  }

  /** The module has gone: its calls are answered, and nobody is asked any more. */
  stop() {
    for (const entry of this.entries.values()) this.over(entry);
    this.seats.clear();
    this.entries.clear();
    this.open = [];
    this.rules = [];
    this.arrange(NEVER, 0, 0, false);
  }

  /** Tells Go of an event, and does what it says. Returns its answer. */
  report(event, ...values) {
    return this.take((now) => this.glue.exports.webmcp_desk(event, now, ...values));
  }

  /** Does what Go says to what tell tells it. Returns its answer; taken gets that first, and whether it is a new question. */
  take(tell, taken) {
    const { glue } = this;
    if (glue.dead) return 0;
    let words;
    try {
      const address = tell(clock()) >>> 0;
      words = new Int32Array(glue.exports.mem.buffer, address);
      words = words.slice(0, 8 + words[5] + words[6] * 3 + words[7] * 6);
    } catch (error) {
      glue.die(error);
      return 0;
    }
    const [answer, wait, front, behind, promised, open, rules, effects] = words;
    let at = 8;
    this.open = [...words.subarray(at, at += open)];
    this.rules = Array.from({ length: rules }, () => ({ tool: words[at++], args: words[at++], approve: words[at++] === 1 }));
    const todo = Array.from({ length: effects }, () => words.subarray(at, at += 6));
    taken?.(answer, this.open.includes(answer) || todo.some(([op, call, question]) => op === DESK_SETTLE && call === answer && question === answer));
    for (const effect of todo) this.perform(...effect);
    this.arrange(wait, front, behind, promised === 1);
    return answer;
  }

  perform(op, call, question, end, remembered, leads) {
    const seat = this.seats.get(call), entry = this.entries.get(question);
    switch (op) {
      case DESK_SETTLE: {
        this.seats.delete(call);
        entry.question = question;
        this.over(entry);
        seat.leads = entry;
        entry.said = remembered ? { how: 'remembered' } : entry.said ?? {};
        seat.resolve({ question: entry, end, ...entry.said, at: timeNow(), waited: Math.round(clock() - entry.since) });
        return;
      }
      case DESK_PEND: {
        const result = pendingResult(entry.id);
        if (leads) {
          seat.invocation.answerPending(result);
        } else {
          this.seats.delete(call);
          seat.resolve({ shared: result });
        }
        return;
      }
      case DESK_ANSWER:
        this.seats.delete(call);
        seat.resolve({ shared: entry?.result && JSON.parse(JSON.stringify(entry.result)) });
        return;
      case DESK_DROP:
        if (entry !== undefined) this.over(entry);
        this.entries.delete(question);
    }
  }

  /** Tells the page that a question is over, which may do anything then: when the desk is done. */
  over({ controller }) {
    soon(() => controller.abort());
  }

  /** Brings everything around the desk in line with it; what many calls would do again and again, once for a task. */
  arrange(wait, front, behind, promised) {
    stopTimer(this.clock);
    this.clock = wait === NEVER ? undefined : startTimer(() => this.report(DESK_TICK), wait + 1);
    const isBusy = this.seats.size > 0;
    // Only while somebody waits: such a listener keeps some browsers from keeping the page.
    if (isBusy) globalThis.addEventListener?.('beforeunload', this.leaves);
    else globalThis.removeEventListener?.('beforeunload', this.leaves);
    if (this.keys.size > 2 * (this.entries.size + this.rules.length) + 64) this.sweep();
    this.offer(promised || this.open.some((number) => this.entries.get(number).hold !== Infinity));
    this.front = front;
    this.behind = behind;
    if (this.arranging) return;
    this.arranging = true;
    afterTask(() => {
      this.arranging = false;
      this.show();
      for (const listener of [...this.glue.onApprovals]) quietly(listener);
    });
  }

  /** Forgets the numbers of texts that no question and no rule goes by. */
  sweep() {
    const kept = new Set(this.rules.map(({ args }) => args));
    for (const { keys } of this.entries.values()) for (const key of keys) kept.add(key);
    for (const [text, { number }] of this.keys) if (!kept.has(number)) this.keys.delete(text);
  }

  /** Lets agents fetch answers, or not any more. */
  offer(isNeeded) {
    if (isNeeded === this.isOffered) return;
    this.isOffered = isNeeded;
    this.tool ??= this.glue.webmcp(({ id }, { signal }) => this.fetch(id, signal), {
      name: GET_APPROVAL, description: GET_APPROVAL_TEXT, annotations: { readOnlyHint: true },
      schema: { type: 'object', properties: { id: { type: 'string', description: 'The approvalId of the answer' } }, required: ['id'] },
    });
    afterTask(() => { // one question follows the other
      const { tool, isOffered, glue } = this;
      if (isOffered === (tool.status !== 'idle') || glue.dead) return;
      if (isOffered) tool.register(); // where the page has a tool of that name, the console says so
      else tool.unregister();
    });
  }

  /** Shows the question that is in front, and has the page show those that it asks itself. */
  show() {
    for (const number of this.open) if (this.entries.get(number).ask !== undefined) this.askPage(number, this.entries.get(number));
    const { front, behind } = this;
    const { dead, dialog } = this.glue;
    const entry = this.entries.get(front);
    const isWaiting = front !== 0 && !dead && this.isThere(front, entry);
    if (!isWaiting || this.wanted !== dialog) {
      this.dialog?.close();
      this.dialog = undefined;
      this.wanted = dialog;
    }
    if (!isWaiting || dialog === false) return;
    // Each question that has to be verified is decided by itself.
    const isLike = ({ number, ask, verify }) => number === entry.number && ask === undefined && verify.length + entry.verify.length === 0;
    const same = this.open.map((number) => this.entries.get(number)).filter((other) => other !== entry && isLike(other)).map(({ id, input }) => ({ id, input }));
    this.dialog ??= new ApprovalDialog({
      ...dialog,
      decide: (id, { also = [], ...said }) => {
        if (hasOwn(said, 'edited')) {
          this.editInDialog(id, said.edited);
          return;
        }
        const { remember = 'call' } = said; // the others are decided, and nothing is remembered of them
        for (const each of [id, ...also]) this.resolve(each, { ...said, remember: each === id ? remember : 'call' }, 'dialog');
      },
      unavailable: (id, why) => soon(() => {
        console.error(`[webmcp] nobody can be asked: ${why}`);
        const number = this.numberOf(id, this.open);
        if (number !== undefined) this.fail(number);
      }),
    });
    if (this.dialog.shown === entry.id) {
      this.dialog.update({ waiting: behind, same });
      return;
    }
    const { id, name, contract, title, sentence, details, input, since, timeout } = entry;
    this.dialog.show({
      id, name, toolTitle: contract.title, title, sentence, details, input, untrusted: contract.annotations?.untrustedContentHint === true,
      since, deadline: since + timeout, waiting: behind, same, remember: choicesOf(entry), verify: entry.verify.length > 0,
      edit: entry.draft === undefined ? undefined : { draft: entry.draft, schema: contract.inputSchema },
    });
    if (entry.proving) this.dialog.verifying();
  }

  pending() {
    return this.open.map((number) => {
      const entry = this.entries.get(number);
      const { id, name, contract, title, sentence, details, input, draft, at, timeout, verify } = entry;
      return {
        id, tool: name, toolTitle: contract.title, title, sentence, details, input, edit: draft !== undefined, draft, verify: verify.length > 0, since: at,
        deadline: timeout === Infinity ? Infinity : at + timeout, remember: choicesOf(entry).map(({ value }) => value),
      };
    });
  }

  remembered() {
    return this.rules.map(({ tool, args, approve }) => {
      const rule = { tool: this.nameOf(tool), decision: approve ? 'approve' : 'deny', for: args === 0 ? 'tool' : 'arguments' };
      if (args !== 0) Object.assign(rule, this.keyed(args));
      return rule;
    });
  }

  nameOf(number) {
    return [...this.glue.tools.values()].find(({ id }) => id === number)?.name;
  }

  /** Returns the arguments that a number stands for, and as by the pointers, where they are not all. */
  keyed(number) {
    const { entry } = [...this.keys.values()].find((key) => key.number === number);
    return { arguments: argumentsIn(entry), ...(entry.by && { by: entry.by }) };
  }
}

const DECISIONS = ['approve', 'deny'];
const KEEPS = { call: FOR_CALL, arguments: FOR_ARGUMENTS, tool: FOR_TOOL };

/** Checks a decision: 'approve', 'deny', or an object that says more. */
function decisionOf(given) {
  const { decision, reason, remember = 'call', input } = typeof given === 'string' ? { decision: given } : checkOptions(given, ['decision', 'reason', 'remember', 'input'], 'a decision');
  if (!DECISIONS.includes(decision)) throw new ConfigurationError("a decision must be 'approve' or 'deny'");
  if (reason !== undefined && typeof reason !== 'string') throw new ConfigurationError('the reason of a decision must be a text');
  if (!hasOwn(KEEPS, remember)) throw new ConfigurationError("remember of a decision must be 'call', 'arguments' or 'tool'");
  if (input !== undefined && decision === 'deny') throw new ConfigurationError('a decision that denies has no input');
  return { decision, reason, remember, input };
}

/** Returns milliseconds as Go has them: 0 for Infinity. */
function bounded(ms) {
  return ms === Infinity ? 0 : ms;
}

extend(Glue, class {
  deskOf() {
    return (this.desk ??= new Desk(this));
  }

  enrol(name) {
    return Passkey.enrol(name);
  }
});

/** Returns the arguments that count for what is remembered: by pointer, or all of them. */
function argumentsIn({ input, by }) {
  return by === undefined ? input : Object.fromEntries(by.map((pointer) => [pointer, valueAt(input, pointer)]));
}

function argumentsOf(entry) {
  return `arguments ${entry.number} ${canonical(argumentsIn(entry))}`;
}

/** Returns what a JSON Pointer (RFC 6901) points to; undefined where that is nothing. */
function valueAt(value, pointer) {
  for (const token of pointer.slice(1).split('/').map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))) {
    if (!isObject(value) || !hasOwn(value, token)) return undefined;
    value = value[token];
  }
  return value;
}

/** Returns what a human may have remembered; args is the text of the arguments that count, where they are not all. */
function choicesOf(entry) {
  const choices = [{ value: 'call' }];
  if (entry.forArguments) choices.push({ value: 'arguments', args: entry.by && canonical(argumentsIn(entry)) });
  if (entry.forTool) choices.push({ value: 'tool' });
  return choices;
}

function pendingResult(id) {
  return { ...refusal(`${PENDING_PREFIX}${APPROVAL_PENDING}${id}`, APPROVAL_PENDING_CODE, false), approvalId: id };
}

function unknownApproval(id) {
  return refusal(`${ERROR_PREFIX}${APPROVAL_UNKNOWN}${shorten(textOf(id))}`, APPROVAL_UNKNOWN_CODE);
}
