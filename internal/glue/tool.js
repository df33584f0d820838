// A tool as the glue knows it. The contract is frozen and the hooks are never
// changed; its number, owners and state are for registration.js and life.js.

/** A tool. handle is what hooks get as tool. */
class Tool {
  constructor(contract, { fn, validate, validatesInGo, check, compile, open, replace, hooks, handle, exposedTo }) {
    this.name = contract.name;
    this.contract = contract;
    this.fn = fn;
    this.validate = validate; // the input: see schema.js
    this.validatesInGo = validatesInGo; // once more, afterwards
    this.check = check; // validates the output; undefined: it may be anything
    this.compile = compile; // what is left to do of the schemas before it can be called
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
    this.controller = undefined; // ends its registration in the browser
    this.ready = undefined; // settles with the browser's answer
    this.error = undefined; // why it could not be registered
  }
}

/** Does what is left to do of a tool's schemas. What throws stays to be done: no later attempt gets by without it. */
function compileAll(tool) {
  checkJSON();
  for (; tool.compile.length > 0; tool.compile.shift()) tool.compile[0]();
}

/** Throws where another script has changed what JSON says of every value: no schema, input or result would be right. */
function checkJSON() {
  for (const { name, prototype } of [Array, Object, String, Number, Boolean]) {
    if (Object.hasOwn(prototype, 'toJSON')) {
      throw new ConfigurationError(`another script, such as an old Prototype.js, has set ${name}.prototype.toJSON, which makes other JSON of each value: `
        + `delete ${name}.prototype.toJSON before tools are registered`);
    }
  }
}
