// Part of class Glue: from when the module runs to after it has died. May touch all
// state of the glue.

extend(Glue, class {
  /** Adds the state that Go needs, before it runs. */
  arm() {
    this.wake = undefined; // lets goroutines run, until all of them wait
    this.deadlines = new Map(); // by the calls that have one
    this.nextDeadline = Infinity; // that is waited for
    this.timer = undefined; // which does that
    this.hasKey = false; // for what is redacted with the mask hash
    this.said = undefined; // a value that is validated now, with its JSON
    this.view = new Uint8Array(); // of Go's memory: see memory.js
    this.checkedText = ''; // of what Go has checked last, as long as there is that
    this.patterns = new Patterns(this);
    this.scopes = new Map([[GLOBAL_SCOPE, this.global]]); // by number
    // Forgets a scope in Go when no page code and no registration has it any more.
    this.scopeEnds = new NativeRegistry((number) => {
      this.scopes.delete(number);
      if (!this.dead) this.exports.webmcp_scope_free(number);
    });
    // Forgets a schema, likewise, with the validation that stands for it.
    this.schemaEnds = new NativeRegistry(({ number, patterns }) => {
      this.patterns.forget(patterns);
      if (!this.dead) this.exports.webmcp_schema_free(number);
    });
    if (this.records === undefined) this.keepLog(); // else an earlier module could not be had
  }

  /** Has the log kept that webmcp.audit shows, from now on. */
  keepLog() {
    this.records = new AuditLog();
    Object.freeze(Object.defineProperties(this.audit, Object.getOwnPropertyDescriptors(auditOf(this.records))));
    const { waits } = this;
    this.waits = { push: (act) => act() };
    waits.forEach(quietly);
    this.watchEnd();
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
    soon(() => { // when Go is not on the stack any more
      this.flush();
      dispatch('webmcp:ready', this.webmcp);
    });
  }

  /** Tells Go what has waited for it, in order. */
  flush() {
    if (this.flushed) return;
    this.flushed = true;
    this.tellContext();
    this.bringPolicies();
    this.tell(this.global, this.global.hooks, true);
    for (const turn of [...this.turns]) this.take(turn);
    this.resolveReady();
    this.listen(); // a polyfill may have come meanwhile
    this.changed();
  }

  /** Go has exited or trapped. It never throws. */
  die(cause) {
    if (this.exports !== undefined) this.stop(new NotSupportedError('the WebMCP module has stopped and its tools are gone: reload the page', { cause }));
  }
});

/** Tells the page of something. */
function dispatch(event, detail) {
  const { document } = globalThis;
  // Not document.dispatchEvent: <form name="dispatchEvent"> would be that.
  if (document) quietly(() => EventTarget.prototype.dispatchEvent.call(document, new CustomEvent(event, { detail })));
}

/** Reports whether a value is the API of a module that runs, of whatever build. */
function isRunning(api) {
  return typeof api === 'function' && api[RUNS] === true;
}
