// A tool as the glue knows it. The contract is frozen and the hooks are never
// changed; its number, owners and state are for tools.js, registration.js and life.js.

// How a function of the page returns: nobody has seen it yet, always at once, or at
// times with a promise. What has returned at once needs no copies.
const Pace = Object.freeze({ unknown: 0, prompt: 1, slow: 2 });

/** A tool. handle is what hooks get as tool. */
class Tool {
  id = NO_NUMBER; // in Go, while it has an owner
  validate; // the input, as soon as Go is there: see validation.js
  check; // validates the output, likewise; undefined where it may be anything
  plan; // of its newest call
  paces = { validate: Pace.unknown, fn: Pace.unknown, check: Pace.unknown }; // see ownership.js
  owners = new Map(); // with their scopes
  waiting = new Set(); // registrations that wait for the module
  asked; // settles with what the browser says to one who has asked before Go was there
  controller; // ends its registration in the browser
  ready; // settles with the browser's answer
  error; // why it could not be registered

  constructor(contract, { fn, rules, hints, validatesInGo, maxInputBytes, maxOutputBytes, open, replace, hooks, handle, exposedTo }) {
    this.name = contract.name;
    this.contract = contract;
    this.fn = fn;
    this.rules = rules; // for input and output: see schema.js
    this.hints = hints; // for advice.js
    this.validatesInGo = validatesInGo; // once more, afterwards
    this.maxInputBytes = maxInputBytes; // undefined: as for all tools
    this.maxOutputBytes = maxOutputBytes; // likewise
    this.replace = replace; // an earlier tool of the same name goes
    this.open = open; // the schema says nothing, for want of a better one
    this.hooks = hooks ?? hookLists();
    this.handle = handle ?? Object.freeze({ tool: contract, definition: contract });
    this.exposedTo = exposedTo;
  }
}
