// Part of class Glue: the page's own way to the tools, which is an agent's, through
// the browser where it has WebMCP. Only reads what tools there are.

extend(Glue, class {
  /** Calls a tool as an agent does. Resolves to the result; input is a copy that nobody else has. */
  async invokeAsAgent(name, input, signal) {
    this.checkAlive();
    const tool = this.tools.get(name);
    await tool?.ready;
    if (signal?.aborted) throw abortError(signal);
    const native = await this.findNative(name);
    if (native !== undefined) {
      return resultOfText(await untilAborted(modelContext().executeTool(native, inputFor(native, input), signal ? { signal } : {}), signal));
    }
    if (tool === undefined || this.state(tool) !== 'registered') {
      throw new RegistrationError(`there is no tool ${name}; registered are: ${[...this.tools.keys()].sort().join(', ') || 'none'}`);
    }
    return untilAborted(this.invoke(tool, input, signal), signal);
  }

  /** Returns the browser's own record of a tool, that of this frame first; undefined where it has none. */
  async findNative(name) {
    if (this.dead || !isSupported()) return undefined;
    const named = Array.from(await modelContext().getTools()).filter((tool) => tool.name === name);
    const { window } = globalThis;
    return named.find((tool) => (tool.window ?? tool.source ?? window) === window) ?? named[0];
  }

  /** Returns a list of our tools with those that the browser has from others, by name. */
  async addOthers(ours) {
    const entries = new Map(ours.map((entry) => [entry.name, entry]));
    if (!this.dead && isSupported()) {
      for (const tool of await modelContext().getTools()) {
        if (!entries.has(tool.name)) entries.set(tool.name, { ...describe(tool), inputSchema: schemaOf(tool.inputSchema), openSchema: false, status: 'registered', source: 'page' });
      }
    }
    return [...entries.values()].sort(byName);
  }
});

/**
 * Returns the input for the browser's executeTool. Browsers that show schemas as text take text. Others take an object;
 * polyfills that want text all the same read it from the object, as JSON.parse does. So nobody is called to find out.
 */
function inputFor({ inputSchema }, input) {
  const text = JSON.stringify(input);
  if (typeof inputSchema === 'string') return text;
  return Object.defineProperty(input, Symbol.toPrimitive, { value: () => text });
}

/** Returns the input schema of a browser's record, which some have as text. */
function schemaOf(inputSchema) {
  const schema = typeof inputSchema === 'string' ? inputOfText(inputSchema) : inputSchema;
  return isObject(schema) ? schema : {};
}
