// A tool as the glue knows it. The contract is frozen and the hooks are never
// changed; its number, owners and state are for tools.js, registration.js and life.js.

// How a function of the page returns: nobody has seen it yet, always at once, or at
// times with a promise. What has returned at once needs no copies.
const Pace = Object.freeze({ unknown: 0, prompt: 1, slow: 2 });

/** A tool. handle is what hooks get as tool. */
class Tool {
  constructor(contract, { fn, rules, hints, validatesInGo, maxInputBytes, maxOutputBytes, open, replace, hooks, handle, exposedTo }) {
    this.name = contract.name;
    this.contract = contract;
    this.fn = fn;
    this.rules = rules; // for input and output: see schema.js
    this.hints = hints; // for advice.js
    this.validate = undefined; // the input, as soon as Go is there: see validation.js
    this.validatesInGo = validatesInGo; // once more, afterwards
    this.check = undefined; // validates the output, likewise; undefined where it may be anything
    this.maxInputBytes = maxInputBytes; // undefined: as for all tools
    this.maxOutputBytes = maxOutputBytes; // likewise
    this.replace = replace; // an earlier tool of the same name goes
    this.open = open; // the schema says nothing, for want of a better one
    this.hooks = hooks ?? hookLists();
    this.handle = handle ?? Object.freeze({ tool: contract, definition: contract });
    this.exposedTo = exposedTo;
    this.id = NO_NUMBER; // in Go, while it has an owner
    this.plan = undefined; // of its newest call
    this.paces = { validate: Pace.unknown, fn: Pace.unknown, check: Pace.unknown }; // see ownership.js
    this.owners = new Map(); // with their scopes
    this.waiting = new Set(); // registrations that wait for the module
    this.asked = undefined; // settles with what the browser says to one who has asked before Go was there
    this.controller = undefined; // ends its registration in the browser
    this.ready = undefined; // settles with the browser's answer
    this.error = undefined; // why it could not be registered
  }
}
