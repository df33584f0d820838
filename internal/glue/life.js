// Part of class Glue: from before the module has arrived to after it has died.
// May touch all state of the glue: whoever depends on Go asks here whether, and
// when, it is there.

extend(Glue, class {
  attach(native) {
    this.native = native;
    this.observerWait = this.exports.webmcp_observer_wait();
    if (native(SUPPORTED)) native(LISTEN, () => this.changed());
  }

  /** The program is ready for calls of the page, and its API is published. */
  publish() {
    this.running = true;
    globalThis.webmcp = this.webmcp;
    queueMicrotask(() => { // when Go is not on the stack any more
      this.flush();
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
    this.changed();
  }

  /** Gives up: the module cannot be loaded. */
  fail(error) {
    if (this.running) {
      this.die(error);
      return;
    }
    this.dead = error;
    this.queue = [];
    this.rejectReady(error);
    console.error(`[webmcp] ${messageOf(error)}`);
  }

  /** Nothing is loaded here, as on a server or in a worker: tools are their functions, and nothing else. */
  stayAbsent() {
    this.absent = true;
    this.resolveReady();
  }

  checkAlive() {
    if (this.dead) throw this.dead;
  }

  /** Go has exited or trapped: drops its tools, answers its calls, refuses what comes later. */
  die(cause) {
    if (this.dead || this.exports === undefined) return;
    this.running = false;
    this.dead = new NotSupportedError('the WebMCP module has stopped and its tools are gone: reload the page', { cause });
    console.error(`[webmcp] ${this.dead.message}:`, cause);
    this.rejectReady(this.dead); // if it never was
    for (const tool of [...this.tools.values()]) {
      tool.error = this.dead;
      this.forget(tool);
    }
    for (const invocation of this.live.values()) {
      invocation.ticket = undefined; // nothing that is under way comes back
      invocation.parked = false;
      invocation.answer(failure(this.dead.message));
    }
    this.live.clear();
  }
});
