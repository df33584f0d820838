// The JavaScript surface: globalThis.webmcp. See the package comment of wasm/.

const OPTIONS = [
  'name', 'title', 'description', 'schema', 'fields', 'strict', 'maxInputBytes', 'maxOutputBytes', 'outputSchema', 'annotations',
  'hooks', 'approval', 'timeout', 'enabled', 'global', 'exposedTo', 'replace',
];
const CONFIGURATION = ['hooks', 'approval', 'timeout', 'replace', 'maxInputBytes', 'maxOutputBytes', 'load', 'url', 'integrity', 'approvalDialog'];
const NAME = /^[A-Za-z0-9_.-]{1,128}$/;

const VERSION = '{{version}}'; // of internal/core/version.go

/** Makes the API of a Go instance, which may not have arrived yet. */
function createAPI(glue) {
  const made = new WeakMap(); // callable tool -> {fn, options, tool}
  const scopes = new WeakMap(); // Scope -> scope of the glue

  /** A place with hooks of its own, which tools are registered in; see webmcp.scope. */
  class Scope {
    constructor(parent) {
      this.parent = parent;
      scopes.set(this, glue.scope(parent && scopeOf(parent), this));
      Object.freeze(this);
    }

    /** A copy of the hooks of this scope, without its parents'. */
    get hooks() {
      return named(scopes.get(this).hooks);
    }

    /** Adds hooks, or sets them with {replace: true}. Calls that run are not affected. */
    configure(options) {
      configureScope(scopes.get(this), options);
    }
  }

  function scopeOf(scope) {
    const known = scopes.get(scope);
    if (known === undefined) throw new ConfigurationError('a scope must come from webmcp.scope({hooks}, parent)');
    return known;
  }

  function configureScope(scope, options) {
    const { hooks, approval, timeout, replace = false } = checkOptions(options, ['hooks', 'approval', 'timeout', 'replace'], 'configure');
    glue.configure(scope, hookLists(hooks, approval, timeout), replace);
  }

  /** Turns a function into a tool that agents can call once it is registered. Calling it is calling the function. */
  function webmcp(fn, given = {}) {
    const options = checkOptions(given, OPTIONS, 'webmcp');
    const inner = made.get(fn);
    if (inner !== undefined) {
      const hooks = named(joinLists(...[inner.options, options].map((given) => hookLists(given.hooks, undefined, given.timeout))));
      const approval = [...approvalList(inner.options.approval), ...approvalList(options.approval)];
      return webmcp(inner.fn, { ...inner.options, ...options, hooks, approval, timeout: undefined });
    }
    if (typeof fn !== 'function') throw new ConfigurationError(`webmcp needs a function, not ${fn === null ? 'null' : typeof fn}`);
    const callable = function (...args) {
      return Reflect.apply(fn, this, args);
    };
    const tool = new Tool(...contractOf(fn, options, {
      fn, hooks: hookLists(options.hooks, options.approval, options.timeout), handle: callable, exposedTo: options.exposedTo, replace: options.replace,
    }));
    const { contract } = tool;
    const enabled = options.enabled !== false;
    if (glue.running) glue.compileAll(tool);

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

  /**
   * Resolves to the function that ends this registration. Rejects with the signal's reason when that aborts before the
   * tool is registered, as the browser does. The rejection counts as handled: the console has it too, unless it is an
   * abort.
   */
  function register(tool, enabled, how) {
    const registered = (async () => {
      const { signal, scope, context } = checkOptions(how, ['signal', 'scope', 'context'], 'register');
      const around = scope === undefined || scope === null ? undefined : scopeOf(scope);
      tool.context = context;
      const nothing = () => {};
      if (signal?.aborted) throw signal.reason;
      if (!enabled || glue.absent?.set(tool.name, { tool, scope: around, holder: scope })) return nothing;
      const { release, ready } = glue.enter(tool, around, scope);
      signal?.addEventListener('abort', release, { once: true });
      await ready;
      if (signal?.aborted) throw signal.reason;
      glue.checkAlive(); // it may have died before the browser was asked
      return () => {
        signal?.removeEventListener('abort', release);
        release();
      };
    })();
    registered.catch((error) => {
      if (error !== glue.dead && !how?.signal?.aborted) console.error(`[webmcp] ${messageOf(error)}`);
    });
    return registered;
  }

  /** Calls a tool as an agent does, through the browser where it has WebMCP. Resolves to the result. */
  async function invokeTool(name, input = {}, how = {}) {
    const { signal } = checkOptions(how, ['signal'], 'invokeTool');
    const copy = copyOf(input, 'the input of a tool');
    await untilAborted(glue.need(), signal);
    if (glue.absent) throw new NotSupportedError(NO_BROWSER);
    return glue.invokeAsAgent(name, copy, signal);
  }

  /** Lists all tools of the page by name: ours, and those that the browser has from others. */
  async function listTools() {
    await glue.need();
    const ours = registry.list();
    return glue.absent ? ours : glue.addOthers(ours);
  }

  /** Our tools: those that are registered, and those that wait for the module. */
  function all() {
    return [...new Set([...glue.tools.values(), ...Array.from(glue.turns, ({ tool }) => tool)])];
  }

  const registry = Object.freeze({
    /** Our tools, by name. */
    list() {
      const source = isSupported() ? 'native' : 'registry';
      return all().map((tool) => ({ ...describe(tool.contract), openSchema: tool.open, status: statusOf(tool), source })).sort(byName);
    },
    /** Ends all registrations of all our tools. */
    clear() {
      for (const tool of all()) glue.unregister(tool);
    },
    isRegistered: (name) => registry.getStatus(name) === 'registered',
    /** The status of the tool under a name: 'idle' where there is none. */
    getStatus(name) {
      const tool = all().find((candidate) => candidate.name === name);
      return tool === undefined ? 'idle' : statusOf(tool);
    },
  });

  const functions = {
    /** The same as webmcp, and registers at once. */
    global: (fn, options) => webmcp(fn, { ...checkOptions(options, OPTIONS, 'webmcp.global'), global: true }),
    /** Adds hooks for every tool, or sets them with {replace: true}; sets how long an input and a result may be, when the module is loaded, and from where. */
    configure(options) {
      const { maxInputBytes, maxOutputBytes, load, url, integrity, approvalDialog, ...rest } = checkOptions(options, CONFIGURATION, 'configure');
      const limits = { maxInputBytes, maxOutputBytes };
      for (const name of Object.keys(limits)) limits[name] = byteLimit(limits, name) ?? glue[name];
      const dialog = dialogOf(approvalDialog);
      configureScope(glue.global, rest);
      Object.assign(glue, limits);
      glue.dialog = dialog ?? glue.dialog;
      glue.place({ load, url, integrity });
    },
    scope(options = {}, parent = undefined) {
      const { hooks, approval, timeout } = checkOptions(options, ['hooks', 'approval', 'timeout'], 'scope');
      const lists = hookLists(hooks, approval, timeout);
      const scope = new Scope(parent ?? undefined);
      glue.configure(scopes.get(scope), lists, false);
      return scope;
    },
    /** Loads the module now, and says where it is. Resolves to webmcp when it runs. */
    async load(options) {
      glue.place(checkOptions(options, ['url', 'integrity'], 'load'));
      await glue.load();
      return webmcp;
    },
    invokeTool,
    listTools,
    getTool: async (name) => (await listTools()).find((tool) => tool.name === name),
    /** Calls back after tools came or went. Returns a function that ends it. */
    onToolsChanged(callback) {
      if (typeof callback !== 'function') throw new ConfigurationError('onToolsChanged needs a function');
      const listener = () => callback();
      glue.listeners.add(listener);
      glue.listen();
      return () => glue.listeners.delete(listener);
    },
    /** Whether the browser has WebMCP. */
    isWebMCPSupported: isSupported,
    registry,
    approvals: approvalsOf(glue),
    audit: glue.audit,
    /** Puts a policy in force, besides those that are: it can tighten what they say, never loosen it. */
    policy: (document) => handled(glue.addPolicy(document)),
    /** Sets what the conditions of policies know of the user. */
    context(values) {
      const copy = copyOf(values, 'the context');
      glue.user = JSON.stringify(copy);
      if (glue.flushed) glue.tellContext();
      return deepFreeze(copy);
    },
    /** Says what the policy would do to a call. */
    async explain(tool, input = {}) {
      const copy = copyOf(input, 'the input of a tool');
      await glue.need();
      return glue.explain(tool?.tool?.name ?? tool, copy);
    },
    getGlobalHooks: () => named(glue.global.hooks),
    resetGlobalHooks: () => glue.configure(glue.global, hookLists(), true),
    mergeHooks: (a, b) => named(joinLists(hookLists(a), hookLists(b))),
    mergeHooksOrdered,
    version: VERSION,
    ...ERRORS,
  };
  /** Whether tools replace earlier ones of their name, as hot reloading wants it. */
  Object.defineProperty(webmcp, 'replace', {
    get: () => glue.replace,
    set: (value) => {
      checkFlag(value, 'webmcp.replace');
      glue.replace = value;
    },
    enumerable: true,
  });
  /** Resolves to webmcp when the module runs, and at once where nobody needs it; rejects, saying what to change, when it cannot be loaded. */
  Object.defineProperty(webmcp, 'ready', { get: () => handled(glue.works().then(() => webmcp)), enumerable: true });
  Object.defineProperty(webmcp, RUNS, { get: () => glue.running });
  return Object.assign(webmcp, functions);
}

// --------------------------------------------------------------- helpers

/** Returns webmcp.audit as it is as long as the rest of the glue is not there: nobody has called a tool then. See audit.js. */
function auditFor(glue) {
  const later = (name) => (...args) => {
    let end;
    glue.waits.push(() => { end = glue.audit[name](...args); });
    return () => glue.waits.push(() => end());
  };
  return { configure: later('configure'), onEntry: later('onEntry'), send: later('send'), entries: () => [], lines: () => '', dropped: 0 };
}

/** Returns a timeout in milliseconds; 0 where there is none. */
function timeLimit(ms) {
  if (ms === undefined) return 0;
  if (!Number.isSafeInteger(ms) || ms < 1 || ms >= 2 ** 31) {
    throw new ConfigurationError('timeout must be a whole number of milliseconds, from 1 to 2147483647; leave it out for none');
  }
  return ms;
}

/** Returns a copy of an object as an agent would send it: what JSON carries. */
function copyOf(value, what) {
  if (!isObject(value)) throw new ConfigurationError(`${what} ${NO_OBJECT}`);
  try {
    return JSON.parse(JSON.stringify(value));
  } catch (cause) {
    throw new ConfigurationError(`${what} cannot be written as JSON: ${messageOf(cause)}`, { cause });
  }
}

/** Freezes a value and all that it holds, as far as that can be frozen. */
function deepFreeze(value, frozen = new Set()) {
  if (!isObject(value) || ArrayBuffer.isView(value) || frozen.has(value)) return value;
  frozen.add(value);
  for (const item of Object.values(value)) deepFreeze(item, frozen);
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

/** Settles as a promise does, but rejects with an AbortError, whose cause is the reason, as soon as the signal aborts. */
function untilAborted(promise, signal) {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(abortError(signal));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    // What the browser rejects with for an abort, the bare reason, may come before the event.
    promise.then(resolve, (error) => reject(signal.aborted ? abortError(signal) : error)).finally(() => signal.removeEventListener('abort', abort));
  });
}
