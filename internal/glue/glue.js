// The JavaScript half of one Go instance: it owns every value of a call and does what Go decides; see "The
// way of one call" in internal/core/doc.go. Integers are all that crosses on the
// way of a call, unless Go code (a Go hook, a Go handler) takes part in it. This
// file holds the state of the instance, with what running.js adds when Go comes; the
// other parts of the class say what they may change of it.

/** The JavaScript half of one Go instance. */
class Glue {
  constructor() {
    this.exports = undefined; // of the wasm module
    this.running = false; // Go can be called
    this.flushed = false; // and knows all that has waited for it
    this.dead = undefined; // why Go is not there any more, or never will be
    this.absent = undefined; // what is to be registered, by name, where nothing is loaded: this is no page
    this.loader = undefined; // loads the module, where webmcp.js does that
    this.loading = false; // it is on its way, or there
    this.when = 'auto'; // it is loaded
    this.url = undefined; // where it is, if not beside webmcp.js
    this.integrity = undefined; // the hash that it must have
    this.expecting = false; // the page is to be idle
    this.awaited = false; // by the page
    this.promise();
    this.replace = false; // every tool replaces an earlier one of its name
    this.maxInputBytes = DEFAULT_MAX_INPUT_BYTES;
    this.maxOutputBytes = MAX_OUTPUT_BYTES;
    this.live = new Map(); // invocations by their number in Go
    this.tools = new Map(); // what has an owner, by name
    this.turns = new Set(); // registrations that wait for the module
    this.global = { number: GLOBAL_SCOPE, hooks: hookLists() };
    this.listeners = new Set(); // of changes to the tools
    this.desk = undefined; // where calls wait for a human, from the first one on
    this.dialog = {}; // how it asks there; false: the page shows the questions
    this.onApprovals = new Set(); // listeners of changes there
    this.policies = []; // that Go does not know yet
    this.missing = new Set(); // those that could not be fetched
    this.parsed = undefined; // settles when the HTML is; undefined: it is
    this.holding = undefined; // settles when all policies are in force that calls wait for; undefined: none waits
    this.closed = false; // a policy is wrong: no call passes
    this.user = undefined; // what policies know of them, as JSON
    this.waits = []; // what is to be done when the rest of the glue is there, which does it then as it comes
    this.audit = auditFor(this);
    this.checked = undefined; // the value whose JSON Go has read last
    this.questions = []; // to the browser, of one run of the page's code
    this.listens = false; // to the browser's own
    this.noticing = false; // they will be told
    if (typeof document !== 'undefined') this.readDocument();
  }
}
