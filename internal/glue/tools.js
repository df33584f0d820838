// Part of class Glue: registrations of tools, as long as Go is not there, and what the
// browser is told of a tool. Where there is WebMCP, agents see a tool at once, and
// their calls wait; where there is none, nothing waits. Go takes over with take. May
// touch the tools that wait, and of a Tool what it waits for, its state and what it
// has asked the browser.

extend(Glue, class {
  /**
   * Registers a tool once more, in a scope (undefined: in none; holder is the page's object for it). Returns a function
   * that ends this registration, and a promise that settles when the tool is registered. Throws a RegistrationError when
   * another tool has the name.
   */
  enter(tool, scope, holder) {
    try {
      this.checkAlive();
      if (this.running) return this.acquire(tool, scope, holder);
      return this.wait(tool, scope, holder);
    } catch (error) {
      tool.error = error;
      throw error;
    }
  }

  /** Has a registration wait for Go. */
  wait(tool, scope, holder) {
    for (const { tool: rival } of this.turns) {
      if (rival === tool || rival.name !== tool.name) continue;
      if (!(tool.replace ?? this.replace)) throw nameTaken(tool);
      this.unregister(rival);
    }
    const turn = { tool, scope, holder };
    let ready = new Promise((resolve, reject) => Object.assign(turn, { resolve, reject }));
    if (this.isAlone()) {
      ready = Promise.resolve();
      turn.reject = (error) => console.error(`[webmcp] ${messageOf(error)}`); // nobody waits for it
    }
    tool.error = undefined;
    tool.waiting.add(turn);
    this.turns.add(turn);
    this.show(tool);
    this.changed();
    this.expect();
    return { release: () => this.leave(turn), ready };
  }

  /** Whether nobody but the page can call tools, and Go comes when it does. */
  isAlone() {
    return this.loader !== undefined && !this.running && !isSupported();
  }

  /** Lets agents see a tool that waits for Go, unless the page wants to say when that comes. */
  show(tool) {
    if (tool.asked !== undefined || this.loader === undefined || this.when === 'manual' && !this.loading || !isSupported()) return;
    this.request(tool);
    const { signal } = tool.controller;
    tool.asked.catch((error) => {
      if (!signal.aborted && !this.running) this.refuse(tool, registrationError(tool, error));
    });
  }

  /**
   * Asks the browser for a tool, behind the present run of the page's code: one question behind the other, for our code and the
   * browser's, by turns, would make each other slow. tool.asked settles with the answer, and resolves without WebMCP, too.
   */
  request(tool) {
    tool.controller = new AbortController();
    tool.asked = new Promise((resolve, reject) => {
      if (this.questions.push({ tool, signal: tool.controller.signal, resolve, reject }) === 1) Promise.resolve().then(() => this.askBrowser());
    });
  }

  /** Has the browser register the tools that it was asked for and that were not given up meanwhile. */
  askBrowser() {
    const browser = modelContext();
    const questions = this.questions.filter(({ tool, signal, resolve }) => !signal.aborted && (tool.context ?? browser) || resolve());
    this.questions = [];
    for (const question of questions) {
      question.given = this.forBrowser(question.tool);
      question.how = registerOptions(question.tool, question.signal);
    }
    for (const { tool, signal, given, how, resolve, reject } of questions) {
      try {
        const answer = (tool.context ?? browser).registerTool(given, how);
        this.dropWith(signal, tool, answer);
        resolve(answer);
      } catch (error) {
        reject(error);
      }
    }
  }

  /** Ends a registration, whether it still waits or not. */
  leave(turn) {
    const { tool } = turn;
    if (!this.turns.delete(turn)) {
      turn.release?.();
      return;
    }
    tool.waiting.delete(turn);
    if (tool.waiting.size === 0 && tool.owners.size === 0) this.withdraw(tool);
    turn.resolve();
    this.changed();
  }

  /** Ends all registrations of a tool that wait: they cannot be had. */
  refuse(tool, error) {
    tool.error = error;
    for (const turn of tool.waiting) {
      this.turns.delete(turn);
      turn.reject(error);
    }
    tool.waiting.clear();
    this.withdraw(tool);
    this.changed();
  }

  /** Takes a tool from the browser. */
  withdraw(tool) {
    tool.asked = undefined;
    tool.controller?.abort(WITHDRAWN);
  }

  /** Ends all registrations of a tool, and those that wait. */
  unregister(tool) {
    for (const turn of [...tool.waiting]) this.leave(turn);
    for (const owner of [...tool.owners.keys()]) this.release(tool, owner);
  }

  /** Returns the state of a tool: idle, registering or registered. */
  state(tool) {
    if (this.dead) return 'idle';
    if (tool.id !== NO_NUMBER) return STATES[this.exports.webmcp_state(tool.id)];
    if (tool.waiting.size === 0) return 'idle';
    return this.isAlone() ? 'registered' : 'registering';
  }

  /** Returns what the browser gets: a contract of its own, for some write into it, and the agent's way in. */
  forBrowser(tool) {
    const call = (input, client) => this.invoke(tool, inputOfText(input), client?.signal, client);
    return {
      ...thawed(tool.contract),
      execute: (input, client) => (this.running ? call(input, client) : this.callLater(() => call(input, client))),
    };
  }

  /** Has an agent's call wait for Go, and for all hooks that there are by then. Resolves to its result, always. */
  async callLater(call) {
    try {
      await this.need();
    } catch (error) {
      if (!this.dead || !this.records) return failure(messageOf(error)); // else the call says it, and the audit log has it
    }
    return call();
  }

  /** Has a browser that takes no signal, and answers with no promise, drop the tool when the signal aborts. */
  dropWith(signal, { name }, answer) {
    if (typeof answer?.then === 'function') return;
    signal.addEventListener('abort', () => {
      try {
        if (typeof answer?.unregister === 'function') answer.unregister();
        else modelContext()?.unregisterTool?.(name); // of browsers that took no signal yet
      } catch {
        // It has gone already, by the signal.
      }
    }, { once: true });
  }

  /** Has the browser say when its tools change. */
  listen() {
    if (this.listens || this.listeners.size === 0 || !isSupported()) return;
    this.listens = true;
    modelContext().addEventListener?.('toolchange', () => this.changed());
  }

  /** Tells listeners, once for all changes of a task. */
  changed() {
    if (this.noticing || this.listeners.size === 0) return;
    this.noticing = true;
    afterTask(() => {
      this.noticing = false;
      for (const listener of [...this.listeners]) {
        if (!this.listeners.has(listener)) continue; // one before it has ended it
        try {
          listener();
        } catch (error) {
          console.error('[webmcp] a listener of onToolsChanged failed:', error);
        }
      }
    });
  }
});

// The reason is the same for all tools: the browser would make one for each, with a stack.
const WITHDRAWN = new DOMException('the tool was unregistered', 'AbortError');

/** Does something in a task of its own, also while nobody sees the page, where timers take long. */
function afterTask(act) {
  if (typeof MessageChannel !== 'function') { // as in jsdom: nobody sees a page there
    Promise.resolve().then(act);
    return;
  }
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    act();
  };
  port2.postMessage(undefined);
}

/** Returns a copy of a frozen value of JSON. */
function thawed(value) {
  const copy = Array.isArray(value) ? [...value] : { ...value };
  for (const key of Object.keys(copy)) if (isObject(copy[key])) copy[key] = thawed(copy[key]);
  return copy;
}

/** Returns the input of a call, which some browsers and polyfills pass as JSON text. */
function inputOfText(input) {
  if (typeof input !== 'string') return input;
  try {
    return JSON.parse(input);
  } catch {
    return input; // no JSON: the schema says what is wrong
  }
}

function registerOptions({ exposedTo }, signal) {
  return { signal, ...(exposedTo && { exposedTo }) };
}

const ON_A_TAKEN_NAME = '. Another tool of this page has the name: unregister() it, or give '
  + 'this one replace: true; for hot reloading, set webmcp.replace';

/** Returns the error for what the browser answered to a registration; it keeps the browser's name and message. */
function registrationError(tool, cause, advice = '') {
  const said = `cannot register the tool ${tool.name}: ${nameOf(cause)}: ${messageOf(cause)}${advice}`;
  if (nameOf(cause) === 'NotAllowedError') {
    return new NotAllowedError(`${said}. The page that frames this one must allow it: <iframe allow="tools">`, { cause });
  }
  return new RegistrationError(said, { cause });
}

/** Returns the error for a tool whose name another one of this page has. */
function nameTaken(tool) {
  return registrationError(tool, new DOMException('Duplicate tool name', 'InvalidStateError'), ON_A_TAKEN_NAME);
}
