// The JavaScript half of one Go instance, appended to the toolchain's
// wasm_exec.js: it owns every value of a call and does what Go decides; see "The
// way of one call" in internal/core/doc.go. Integers are all that crosses on the
// way of a call, unless Go code (a Go hook, a Go handler) takes part in it. This
// file holds the state of the instance; what may change it is in memory.js,
// enforce.js, scopes.js, registration.js, crossing.js and life.js.

/** The JavaScript half of one Go instance. */
class Glue {
  constructor() {
    this.exports = undefined; // of the wasm module
    this.native = undefined; // (operation, ...arguments), in modelcontext.go
    this.wake = undefined; // lets goroutines run, until all of them wait
    this.finding = undefined; // a promise of the browser's function that registers tools
    this.running = false; // Go can be called
    this.dead = undefined; // why Go is not there any more, or never will be
    this.absent = false; // nothing is loaded here: this is no page
    this.queue = []; // what to do when Go can be called
    this.ready = new Promise((resolve, reject) => Object.assign(this, { resolveReady: resolve, rejectReady: reject }));
    this.ready.catch(() => {}); // whoever waits for it hears of it
    this.replace = false; // every tool replaces an earlier one of its name
    this.observerWait = 0;
    this.maxInputBytes = DEFAULT_MAX_INPUT_BYTES;
    this.maxOutputBytes = MAX_OUTPUT_BYTES;
    this.patterns = new Patterns(this);
    this.live = new Map(); // invocations by their number in Go
    this.tools = new Map(); // what has an owner, by name
    this.expected = new Set(); // tools that wait for the module
    this.global = { number: GLOBAL_SCOPE, hooks: hookLists() };
    this.scopes = new Map([[GLOBAL_SCOPE, this.global]]); // by number
    this.listeners = new Set(); // of changes to the tools
    this.noticing = false;
    // Forgets a scope in Go when no page code and no registration has it any more.
    this.scopeEnds = new FinalizationRegistry((number) => {
      this.scopes.delete(number);
      if (!this.dead) this.exports.webmcp_scope_free(number);
    });
    // Forgets a schema, likewise, with the validation that stands for it.
    this.schemaEnds = new FinalizationRegistry(({ number, patterns }) => {
      this.patterns.forget(patterns);
      if (!this.dead) this.exports.webmcp_schema_free(number);
    });
  }
}
