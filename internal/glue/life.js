// Part of class Glue: from before the module has arrived to after it has died.
// May touch all state of the glue: whoever depends on Go asks here whether, and
// when, it is there.

extend(Glue, class {
  attach(native) {
    this.native = native;
    this.observerWait = this.exports.webmcp_observer_wait();
    if (native(SUPPORTED)) native(LISTEN, () => this.changed());
  }

  /**
   * The program is ready for calls of the page, and its API is published. Only one is: a second program that published
   * its own would take over a page whose policies are with the first.
   */
  publish() {
    if (isRunning(globalThis.webmcp) && globalThis.webmcp !== this.webmcp) {
      this.stop(new ConfigurationError('this page has a WebMCP module that runs, which stays: load one, once'));
      return;
    }
    this.running = true;
    globalThis.webmcp = this.webmcp;
    queueMicrotask(() => { // when Go is not on the stack any more
      this.flush();
      this.changed();
      const { document } = globalThis;
      // Not document.dispatchEvent: <form name="dispatchEvent"> would be that.
      if (document) EventTarget.prototype.dispatchEvent.call(document, new CustomEvent('webmcp:ready', { detail: this.webmcp }));
    });
  }

  /** The JavaScript API. It may be used before the module has arrived. */
  get webmcp() {
    return (this.api ??= createAPI(this));
  }

  /** Does something that needs Go: now, or as soon as Go can be called; never, where nothing is loaded. */
  whenRunning(act) {
    this.checkAlive();
    if (this.absent) return;
    if (!this.running) {
      this.queue.push(act);
      return;
    }
    this.flush();
    act();
  }

  /** Does what has waited for Go, in order. */
  flush() {
    for (const act of this.queue.splice(0)) act();
    this.resolveReady();
  }

  /** Gives up: the module cannot be loaded. */
  fail(error) {
    if (this.running) this.die(error);
    else this.stop(error);
  }

  /** Nothing is loaded here, as on a server or in a worker: tools are their functions, and nothing else. */
  stayAbsent() {
    this.absent = true;
    this.resolveReady();
  }

  checkAlive() {
    if (this.dead) throw this.dead;
  }

  /** Go has exited or trapped. It never throws. */
  die(cause) {
    if (this.exports !== undefined) this.stop(new NotSupportedError('the WebMCP module has stopped and its tools are gone: reload the page', { cause }));
  }

  /** Drops all tools, answers the calls, refuses what comes later with this error. It never throws. */
  stop(error) {
    if (this.dead) return;
    this.running = false;
    this.dead = error;
    this.queue = [];
    for (const tool of [...this.tools.values()]) {
      tool.error = error;
      quietly(() => this.forget(tool));
    }
    for (const invocation of this.live.values()) {
      invocation.ticket = undefined; // nothing that is under way comes back
      invocation.answer(failure(messageOf(error)));
    }
    this.live.clear();
    this.rejectReady(error); // if it never was
    console.error(`[webmcp] ${messageOf(error)}`, ...(error.cause === undefined ? [] : [error.cause]));
  }
});

/** Does one of several things that are all to be done, whatever the page has made of what one of them calls. */
function quietly(act) {
  try {
    act();
  } catch (error) {
    console.error('[webmcp]', error);
  }
}

/** Reports whether a value is the API of a module that runs, of whatever build. */
function isRunning(api) {
  return typeof api === 'function' && api[RUNS] === true;
}

const RUNS = Symbol.for('github.com/webmcp-wasm/webmcp runs');
