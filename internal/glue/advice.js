// Advice for who makes tools, in the console: what is no error, and agents may not
// understand. Touches nothing.

const warned = new Set(); // annotations that were warned of

/** Says what may be better about a tool. */
function advise({ name, contract, hints: { unnamed, unread, inferred, lost } }) {
  if (unnamed && name.length < 3) {
    warn(`the tool is called ${name}, after its function: a minifier may have shortened that; give the tool a name with {name}`);
  }
  if (name.includes('.')) warn(`the tool name ${name} has a dot, which some agents do not accept: use _ instead`);
  if (unread) warn(`the parameters of the tool ${name} ${UNREAD}; agents may send anything`);
  for (const { what, cause, rest } of lost) {
    warn(`${what} of the tool ${name} cannot be shown to agents as it is: ${messageOf(cause)}; left out: ${untypedIn(rest ?? {}).join(', ') || 'all of it'}`);
  }
  const untyped = inferred ? untypedIn(contract.inputSchema) : [];
  if (untyped.length > 0) {
    warn(`agents are not told what ${untyped.join(', ')} of the tool ${name} may be: say it with {fields: {${untyped[0]}: {type: 'string'}}}`);
  }
  warnOfAgents(contract);
  for (const key of Object.keys(contract.annotations)) {
    if (ANNOTATIONS.includes(key) || warned.has(key)) continue;
    warned.add(key);
    warn(`browsers do not know the annotation ${key}; they know ${ANNOTATIONS.join(', ')}`);
  }
}

function warn(text) {
  console.warn(`[webmcp] ${text}`);
}

/** Says which agents refuse a contract that a browser takes. */
function warnOfAgents({ name, inputSchema, outputSchema }) {
  const problems = [];
  if (name.length > 64) problems.push('the OpenAI and Gemini APIs refuse a name of more than 64 characters');
  const combined = ['anyOf', 'oneOf', 'allOf'].filter((keyword) => Object.hasOwn(inputSchema, keyword));
  if (combined.length > 0) {
    problems.push(`the OpenAI and Anthropic APIs refuse ${combined.join(' and ')} at the top of a schema: use it inside of a property`);
  }
  if (outputSchema !== undefined && outputSchema.type !== 'object') {
    problems.push('clients of the MCP SDK refuse an outputSchema without type: \'object\'');
  }
  if (problems.length > 0) warn(`some agents cannot use the tool ${name}: ${problems.join('; ')}`);
}

const SAY_NOTHING = ['title', 'description', 'default'];

/** Returns the paths of the members of which a schema says nothing but what they are for. */
function untypedIn({ properties, items }, path = '') {
  const paths = [];
  for (const [key, member] of Object.entries(properties ?? {})) {
    const at = path ? `${path}.${key}` : key;
    if (Object.keys(member).every((keyword) => SAY_NOTHING.includes(keyword))) paths.push(at);
    else paths.push(...untypedIn(member, at));
  }
  return isObject(items) ? [...paths, ...untypedIn(items, `${path}[]`)] : paths;
}
