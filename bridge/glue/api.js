// The JavaScript surface: globalThis.webmcp. See the package comment of wasm/.

const OPTIONS = [
  'name', 'title', 'description', 'schema', 'fields', 'strict', 'maxInputBytes', 'outputSchema', 'annotations',
  'hooks', 'enabled', 'global', 'exposedTo',
];
const NAME = /^[A-Za-z0-9_.-]{1,128}$/;

/** Publishes the API of a Go instance on this page. */
function publish(glue, version) {
  const webmcp = createAPI(glue, version);
  globalThis.webmcp = webmcp;
  globalThis.document?.dispatchEvent(new CustomEvent('webmcp:ready', { detail: webmcp }));
}

function createAPI(glue, version) {
  const made = new WeakMap(); // callable tool -> {fn, options, tool}
  const scopes = new WeakMap(); // Scope -> number

  /** A place with hooks of its own, which tools are registered in; see webmcp.scope. */
  class Scope {
    constructor(parent) {
      this.parent = parent;
      scopes.set(this, glue.scope(this, parent === undefined ? 0 : numberOf(parent)));
      Object.freeze(this);
    }

    /** A copy of the hooks of this scope, without its parents'. */
    get hooks() {
      return named(glue.scopes.get(scopes.get(this)));
    }

    /** Adds hooks, or sets them with {replace: true}. Calls that run are not affected. */
    configure(options) {
      configureScope(scopes.get(this), options);
    }
  }

  function numberOf(scope) {
    if (scope === undefined || scope === null) return 0;
    const number = scopes.get(scope);
    if (number === undefined) throw new ConfigurationError('a scope must come from webmcp.scope({hooks}, parent)');
    return number;
  }

  function configureScope(number, options) {
    const { hooks, replace = false } = checkOptions(options, ['hooks', 'replace'], 'configure');
    glue.configure(number, hookLists(hooks), Boolean(replace));
  }

  /** Turns a function into a tool that agents can call once it is registered. Calling it is calling the function. */
  function webmcp(fn, options = {}) {
    checkOptions(options, OPTIONS, 'webmcp');
    const inner = made.get(fn);
    if (inner !== undefined) {
      const hooks = named(joinLists(hookLists(inner.options.hooks), hookLists(options.hooks)));
      return webmcp(inner.fn, { ...inner.options, ...options, hooks });
    }
    if (typeof fn !== 'function') throw new ConfigurationError(`webmcp needs a function, not ${fn === null ? 'null' : typeof fn}`);
    const { contract, validate, check, open } = contractOf(glue, fn, options);
    const callable = function (...args) {
      return Reflect.apply(fn, this, args);
    };
    const tool = new Tool(contract, {
      fn, validate, check, open, hooks: hookLists(options.hooks), handle: callable, exposedTo: options.exposedTo,
    });
    const enabled = options.enabled !== false;

    Object.defineProperties(callable, {
      name: { value: fn.name },
      length: { value: fn.length },
      tool: { value: contract, enumerable: true },
      definition: { value: contract, enumerable: true },
      status: { get: () => (enabled ? statusOf(tool) : 'disabled'), enumerable: true },
      isRegistered: { value: () => glue.state(tool) === 'registered' },
      register: { value: (how) => register(tool, enabled, how) },
      unregister: { value: () => glue.unregister(tool) },
    });
    made.set(callable, { fn, options, tool });
    if (options.global === true) callable.register();
    return callable;
  }

  function statusOf(tool) {
    const state = glue.state(tool);
    return state === 'idle' && tool.error !== undefined ? 'error' : state;
  }

  /** Resolves to the function that ends this registration. The rejection counts as handled: the console has it too. */
  function register(tool, enabled, how) {
    const registered = (async () => {
      const { signal, scope } = checkOptions(how, ['signal', 'scope'], 'register');
      if (!enabled || signal?.aborted) return () => {};
      const { release, ready } = glue.acquire(tool, numberOf(scope), scope);
      signal?.addEventListener('abort', release, { once: true });
      await ready;
      return () => {
        signal?.removeEventListener('abort', release);
        release();
      };
    })();
    registered.catch((error) => console.error(`[webmcp] ${messageOf(error)}`));
    return registered;
  }

  /** Calls a tool as an agent does, through the browser where it has WebMCP. Resolves to the result. */
  async function invokeTool(name, input = {}, how = {}) {
    glue.checkAlive();
    const { signal } = checkOptions(how, ['signal'], 'invokeTool');
    if (signal?.aborted) throw abortError(signal);
    const tool = glue.tools.get(name);
    const copy = copyOf(input, 'the input of a tool');
    await tool?.ready;
    const native = await findNative(name);
    if (native !== undefined) {
      return resultOfText(await glue.native(EXECUTE_TOOL, native, copy, signal ? { signal } : {}));
    }
    if (tool === undefined || glue.state(tool) !== 'registered') {
      throw new RegistrationError(`there is no tool ${name}; registered are: ${[...glue.tools.keys()].sort().join(', ') || 'none'}`);
    }
    return untilAborted(glue.invoke(tool, copy, signal), signal);
  }

  /** Returns the browser's own record of a tool, that of this frame first; undefined where it has none. */
  async function findNative(name) {
    if (!glue.native(SUPPORTED)) return undefined;
    const named = Array.from(await glue.native(GET_TOOLS)).filter((tool) => tool.name === name);
    return named.find((tool) => (tool.window ?? tool.source ?? window) === window) ?? named[0];
  }

  /** Lists all tools of the page by name: ours, and those that the browser has from others. */
  async function listTools() {
    const entries = new Map(registry.list().map((entry) => [entry.name, entry]));
    if (!glue.dead && glue.native(SUPPORTED)) {
      for (const tool of await glue.native(GET_TOOLS)) {
        if (!entries.has(tool.name)) entries.set(tool.name, { ...describe(tool), openSchema: false, status: 'registered', source: 'page' });
      }
    }
    return [...entries.values()].sort(byName);
  }

  const registry = Object.freeze({
    /** Our tools, by name. */
    list() {
      const source = !glue.dead && glue.native(SUPPORTED) ? 'native' : 'registry';
      return [...glue.tools.values()].map((tool) => ({ ...describe(tool.contract), openSchema: tool.open, status: statusOf(tool), source })).sort(byName);
    },
    /** Ends all registrations of all our tools. */
    clear() {
      for (const tool of [...glue.tools.values()]) glue.unregister(tool);
    },
    isRegistered: (name) => registry.getStatus(name) === 'registered',
    /** The status of the tool under a name: 'idle' where there is none. */
    getStatus(name) {
      const tool = glue.tools.get(name);
      return tool === undefined ? 'idle' : statusOf(tool);
    },
  });

  const functions = {
    /** The same as webmcp, and registers at once. */
    global: (fn, options) => webmcp(fn, { ...options, global: true }),
    /** Adds hooks for every tool, or sets them with {replace: true}; sets how long an input may be. */
    configure(options) {
      const { maxInputBytes, ...rest } = checkOptions(options, ['hooks', 'replace', 'maxInputBytes'], 'configure');
      if (maxInputBytes !== undefined) glue.maxInputBytes = byteLimit(maxInputBytes);
      configureScope(0, rest);
    },
    scope(options = {}, parent = undefined) {
      const lists = hookLists(checkOptions(options, ['hooks'], 'scope').hooks);
      const scope = new Scope(parent);
      glue.configure(scopes.get(scope), lists, false);
      return scope;
    },
    invokeTool,
    listTools,
    getTool: async (name) => (await listTools()).find((tool) => tool.name === name),
    /** Calls back after tools came or went. Returns a function that ends it. */
    onToolsChanged(callback) {
      if (typeof callback !== 'function') throw new ConfigurationError('onToolsChanged needs a function');
      const listener = () => callback();
      glue.listeners.add(listener);
      return () => glue.listeners.delete(listener);
    },
    isWebMCPSupported: () => !glue.dead && glue.native(SUPPORTED),
    registry,
    getGlobalHooks: () => named(glue.scopes.get(0)),
    resetGlobalHooks: () => glue.configure(0, hookLists(), true),
    mergeHooks: (a, b) => named(joinLists(hookLists(a), hookLists(b))),
    mergeHooksOrdered,
    version,
    NotSupportedError, NotAllowedError, RegistrationError, ValidationError, ConfigurationError,
  };
  return Object.assign(webmcp, functions);
}

// --------------------------------------------------------------- helpers

/** Checks that options have no members but these: a mistyped one must not drop a policy. */
function checkOptions(options, known, what) {
  if (options === undefined || options === null) return {};
  if (!isObject(options)) throw new ConfigurationError(`the options of ${what} must be an object`);
  const unknown = Object.keys(options).find((key) => !known.includes(key));
  if (unknown !== undefined) throw new ConfigurationError(`${what} has no option ${unknown}: the options are ${known.join(', ')}`);
  return options;
}

/** Returns a copy of an object as an agent would send it: what JSON carries. */
function copyOf(value, what) {
  if (!isObject(value)) throw new ConfigurationError(`${what} must be an object`);
  try {
    return JSON.parse(JSON.stringify(value));
  } catch (cause) {
    throw new ConfigurationError(`${what} cannot be written as JSON: ${messageOf(cause)}`, { cause });
  }
}

function deepFreeze(value) {
  if (!isObject(value)) return value;
  Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}

/** Returns the members that a contract of ours and a browser's record share. */
function describe({ name, title, description, inputSchema, outputSchema, annotations }) {
  const entry = { name, title: title ?? '', description, inputSchema, annotations: annotations ?? {} };
  if (outputSchema) entry.outputSchema = outputSchema;
  return entry;
}

function byName(a, b) {
  return a.name < b.name ? -1 : 1;
}

/** Returns hooks by the names of their phases. */
function named(lists) {
  return Object.fromEntries(PHASES.map((phase, i) => [phase, [...lists[i]]]));
}

function joinLists(...parts) {
  return PHASES.map((_, phase) => parts.flatMap((lists) => lists[phase]));
}

/** Merges hooks in the order in which a call runs them. scopedHooks may be an array, outermost scope first. */
function mergeHooksOrdered({ globalHooks, scopedHooks, toolHooks } = {}) {
  const scoped = Array.isArray(scopedHooks) ? scopedHooks : [scopedHooks];
  const sets = [globalHooks, ...scoped, toolHooks].map(hookLists);
  const inward = joinLists(...sets);
  const outward = joinLists(...sets.reverse());
  return named([inward[BEFORE], outward[AFTER], outward[ERROR], outward[DENIED]]);
}

/** Returns the result that a text of the browser stands for; other people's tools may answer with any text. */
function resultOfText(text) {
  try {
    const value = JSON.parse(text);
    if (isResult(value)) return value;
  } catch {
    // not JSON: a text
  }
  return resultOf(text);
}

/** Settles as a promise does, but rejects as soon as the signal aborts, as the browser does. */
function untilAborted(promise, signal) {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(abortError(signal));
    if (signal.aborted) abort(); // a hook that ran already did it
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
