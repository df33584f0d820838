// Part of class Glue: registrations of tools with Go and with the browser, and the
// agent's way in. Go decides who may have a name; native asks the browser. May
// touch the tools that there are, and of a Tool its number, owners and state.

extend(Glue, class {
  /**
   * Registers a tool of Go under the number that Go gave it. Resolves, always, to {release} or {error}, for Go
   * cannot catch everything that JavaScript may throw at it.
   */
  async registerGo(id, options, validates, scope) {
    try {
      const tool = new Tool(...contractOf(this, undefined, { __proto__: null, ...JSON.parse(options) }, { fn: IN_GO, validatesInGo: validates }));
      tool.id = id;
      const { release, ready } = this.acquire(tool, { number: scope });
      await ready;
      return { release };
    } catch (error) {
      return { error: { name: nameOf(error), message: messageOf(error) } };
    }
  }

  /**
   * Registers a tool once more, in a scope (undefined: in none; holder, the page's object for it, is kept, so that its
   * number stays good). Returns a function that ends this registration, and a promise that settles with the browser's
   * answer. Throws a RegistrationError when another tool has the name.
   */
  acquire(tool, scope, holder) {
    this.checkAlive();
    this.flush();
    try {
      compileAll(tool);
      const answer = this.own(tool, scope?.number ?? GLOBAL_SCOPE); // a scope that waited has its number only now
      const owner = Math.abs(answer);
      tool.owners.set(owner, holder);
      this.tools.set(tool.name, tool);
      if (answer < 0) this.ask(tool, owner);
      this.changed();
      return { release: () => this.release(tool, owner), ready: tool.ready };
    } catch (error) {
      tool.error = error;
      throw error;
    }
  }

  /** Gives a tool one more owner, and returns it; the negative of it where the browser has to be asked. */
  own(tool, number) {
    const { exports } = this;
    const rival = this.tools.get(tool.name);
    if (rival !== undefined && rival !== tool && (tool.replace ?? this.replace)) this.unregister(rival);
    if (tool.id === NO_NUMBER) {
      const [before, after, error, denied] = tool.hooks;
      tool.id = exports.webmcp_tool(this.write(tool.name), before.length, after.length, error.length, denied.length, tool.timeout);
    }
    const answer = exports.webmcp_acquire(tool.id, number);
    if (answer !== TAKEN) return answer;
    tool.id = NO_NUMBER;
    throw registrationError(tool, new DOMException('Duplicate tool name', 'InvalidStateError'), ON_A_TAKEN_NAME);
  }

  /** Asks the browser to register a tool. Without WebMCP the tool is there all the same, for invokeTool. */
  ask(tool, owner) {
    const controller = new AbortController();
    const { id } = tool;
    tool.controller = controller;
    tool.error = undefined;
    tool.ready = this.inBrowser(tool, controller.signal).then(() => {
      if (controller.signal.aborted) return; // it was given up meanwhile
      this.exports.webmcp_settled(id, owner, true);
      this.changed();
    }, (error) => {
      if (controller.signal.aborted) return;
      this.exports.webmcp_settled(id, owner, false);
      this.forget(tool);
      tool.error = registrationError(tool, error);
      throw tool.error;
    });
    tool.ready.catch(() => {}); // whoever registered hears of it
  }

  /** Has the browser register a tool, unless it was given up by then. Resolves without WebMCP, too. */
  async inBrowser(tool, signal) {
    const register = await this.registrar();
    if (register === null || signal.aborted) return;
    const answer = register(this.forBrowser(tool), registerOptions(tool, signal));
    this.dropWith(signal, tool, answer);
    await answer;
  }

  /**
   * Resolves to the browser's function that registers a tool; null without WebMCP. Go finds it, once for all tools that
   * one run of the page's code registers, and behind it: Go's code and the browser's, by turns, would make each other slow.
   */
  registrar() {
    this.finding ??= Promise.resolve().then(() => {
      this.finding = undefined;
      return this.native(REGISTRAR);
    });
    return this.finding;
  }

  /** Has a browser that takes no signal, and answers with no promise, drop the tool when the signal aborts. */
  dropWith(signal, tool, answer) {
    if (isObject(answer) && typeof answer.then === 'function') return;
    signal.addEventListener('abort', () => {
      try {
        if (isObject(answer) && typeof answer.unregister === 'function') answer.unregister();
        else this.native(UNREGISTER_TOOL, tool.name);
      } catch {
        // It has gone already, by the signal.
      }
    }, { once: true });
  }

  /** Ends one registration of a tool. The browser drops it with the last one. */
  release(tool, owner) {
    if (!tool.owners.delete(owner) || this.dead) return;
    if (this.exports.webmcp_release(tool.id, owner)) this.forget(tool);
    else this.changed();
  }

  /** Ends all registrations of a tool, and those that wait. */
  unregister(tool) {
    tool.waiting.clear();
    this.expected.delete(tool);
    for (const owner of [...tool.owners.keys()]) this.release(tool, owner);
  }

  /** Makes a tool one that nobody owns. Its calls that run go on. */
  forget(tool) {
    tool.id = NO_NUMBER;
    tool.owners.clear();
    if (this.tools.get(tool.name) === tool) this.tools.delete(tool.name);
    tool.controller.abort();
    this.changed();
  }

  /** Returns the state of a tool: idle, registering or registered. */
  state(tool) {
    if (this.dead || tool.id === NO_NUMBER) return 'idle';
    return STATES[this.exports.webmcp_state(tool.id)];
  }

  /** Returns what the browser gets: a contract of its own, for some write into it, and the agent's way in. */
  forBrowser(tool) {
    return { ...thawed(tool.contract), execute: (input, extra) => this.invoke(tool, inputOfText(input), extra?.signal) };
  }

  /** Runs a call through the pipeline. Resolves to its result, always. */
  invoke(tool, input, signal) {
    return new Promise((resolve) => {
      if (this.dead) resolve(failure(messageOf(this.dead)));
      else new Invocation(this, tool, input, signal ?? new AbortController().signal, resolve).begin();
    });
  }

  /** Tells listeners, once for all changes of a task. */
  changed() {
    if (this.noticing || this.listeners.size === 0) return;
    this.noticing = true;
    afterTask(() => {
      this.noticing = false;
      for (const listener of [...this.listeners]) {
        try {
          listener();
        } catch (error) {
          console.error('[webmcp] a listener of onToolsChanged failed:', error);
        }
      }
    });
  }
});

/** Does something in a task of its own, also while nobody sees the page, where timers take long. */
function afterTask(act) {
  if (typeof MessageChannel !== 'function') { // as in jsdom
    setTimeout(act);
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
  return exposedTo === undefined ? { signal } : { signal, exposedTo };
}

const ON_A_TAKEN_NAME = '. Another tool of this page has the name and stays, with the hooks it has: unregister() it first, '
  + 'or give this one replace: true; for hot reloading, set webmcp.replace = true while you develop';

/** Returns the error for what the browser answered to a registration; it keeps the browser's name and message. */
function registrationError(tool, cause, advice = '') {
  const said = `cannot register the tool ${tool.name}: ${nameOf(cause)}: ${messageOf(cause)}${advice}`;
  if (nameOf(cause) === 'NotAllowedError') {
    return new NotAllowedError(`${said}. The page that frames this one must allow it: <iframe allow="tools">`, { cause });
  }
  return new RegistrationError(said, { cause });
}
