// Contracts and their enforcement. All validation has the form of a Standard
// Schema (standardschema.dev): a function that takes a value and returns, or
// resolves to, {value} or {issues: [{path, message}]}.

const ANNOTATIONS = ['readOnlyHint', 'untrustedContentHint', 'consequentialHint', 'debugging'];

const TYPES = ['null', 'boolean', 'object', 'array', 'number', 'integer', 'string'];
const SAY_NOTHING = ['title', 'description', 'default'];

const warned = new Set(); // annotations that were warned of

/** Returns what a Tool is made of: the frozen contract of a function, and parts with how input and output are validated. */
function contractOf(glue, fn, options, parts) {
  const name = options.name ?? inferName(fn);
  if (name === '' && options.name === undefined) throw new ConfigurationError('the function has no name: give the tool one with {name}');
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw new ConfigurationError(`the tool name ${textOf(name)} ${INVALID_NAME}`);
  }
  if (options.name === undefined && name.length < 3) {
    console.warn(`[webmcp] the tool is called ${name}, after its function: a minifier may have shortened that; give the tool a name with {name}`);
  }
  if (name.includes('.')) console.warn(`[webmcp] the tool name ${name} has a dot, which some agents do not accept: use _ instead`);
  const contract = { name };
  if (options.title !== undefined) contract.title = wellFormed(options.title, name, 'title');
  contract.description = wellFormed(options.description, name, 'description');

  const maxInputBytes = byteLimit(options, 'maxInputBytes');
  const maxOutputBytes = byteLimit(options, 'maxOutputBytes');
  const compile = [];
  const validation = (what, how) => (schema) => glue.validation(schema, `${what} of the tool ${name}`, how, compile);
  const inputLimit = () => maxInputBytes ?? glue.maxInputBytes;
  const input = inputOf(fn, options, name, validation('the schema', { limit: inputLimit, say: inputText, fill: true }), inputLimit);
  contract.inputSchema = input.schema;
  const outputText = (value) => sized(jsonOf, value, maxOutputBytes ?? glue.maxOutputBytes);
  const output = options.outputSchema === undefined ? {}
    : outputOf(options.outputSchema, name, validation('the outputSchema', { limit: () => Infinity, say: outputText, fill: false }));
  if (output.schema !== undefined) contract.outputSchema = output.schema;
  warnOfAgents(contract);
  contract.annotations = options.annotations === undefined ? {} : annotationsOf(options.annotations, name);

  const { exposedTo } = options;
  if (exposedTo !== undefined && !(Array.isArray(exposedTo) && exposedTo.every((origin) => typeof origin === 'string'))) {
    throw new ConfigurationError(`exposedTo of the tool ${name} must be an array of origins`);
  }
  return [deepFreeze(contract), { ...parts, validate: input.validate, check: output.validate, maxInputBytes, maxOutputBytes, compile, open: input.open }];
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
  if (problems.length > 0) console.warn(`[webmcp] some agents cannot use the tool ${name}: ${problems.join('; ')}`);
}

/** Checks a text that agents read. Chrome drops a text with a lone surrogate without a word. */
function wellFormed(text, name, what) {
  if (typeof text !== 'string' || text.trim() === '') {
    throw new ConfigurationError(`the tool ${name} needs a ${what} ${EMPTY_TEXT}`);
  }
  if (/\p{Surrogate}/u.test(text)) throw new ConfigurationError(`the ${what} of the tool ${name} ${ILL_FORMED}`);
  return text;
}

/** Returns the number of bytes that options give under a name, if they do. */
function byteLimit(options, name) {
  const bytes = options[name];
  if (bytes !== undefined && (!Number.isSafeInteger(bytes) || bytes < 1)) throw new ConfigurationError(`${name} must be a positive whole number`);
  return bytes;
}

function annotationsOf(given, name) {
  const annotations = copyOf(given, `annotations of the tool ${name}`);
  for (const key of Object.keys(annotations)) {
    if (ANNOTATIONS.includes(key)) checkFlag(annotations[key], `the annotation ${key} of the tool ${name}`);
    if (ANNOTATIONS.includes(key) || warned.has(key)) continue;
    warned.add(key);
    console.warn(`[webmcp] browsers do not know the annotation ${key}; they know ${ANNOTATIONS.join(', ')}`);
  }
  return annotations;
}

/**
 * Returns the JSON Schema that agents are shown for the input, the validation, and whether the schema is open
 * because nothing better was to be had. enforce(schema) returns the validation for a JSON Schema, and limit() how many
 * bytes the JSON of an input may have.
 */
function inputOf(fn, { schema, fields, strict }, name, enforce, limit) {
  let shown; // to agents
  let enforced; // by Go, before Standard Schemas
  let open = false;
  let inferred = false;
  const validations = [];
  if (schema === undefined) {
    shown = inferSchema(fn);
    inferred = shown !== undefined;
    if (!inferred && !(isObject(fields) && Object.keys(fields).length > 0)) {
      const problem = `the parameters of the tool ${name} cannot be read from its source: it needs a schema`;
      if (strict) throw new ConfigurationError(problem);
      console.warn(`[webmcp] ${problem}; agents may send anything`);
      open = true;
    }
  } else if (isStandard(schema)) {
    shown = jsonSchemaOf(schema, 'input', `the schema of the tool ${name}`);
    enforced = {};
    open = shown === undefined;
    validations.push(standardOf(schema));
  } else {
    shown = copyOf(schema, `the schema of the tool ${name}`);
  }
  enforced ??= shown ?? {};
  if (!isOfObject(shown)) throw new ConfigurationError(`the schema of the tool ${name} ${NOT_OF_OBJECT}`);
  shown = { type: 'object', properties: {}, ...shown };

  const parsed = []; // [key, validation] of the fields that are Standard Schemas
  // Members that Standard Schemas check, which see them as they are.
  const checksAll = validations.length > 0;
  const skip = (key) => parsed.some(([name]) => name === key) || checksAll && !Object.hasOwn(enforced.properties, key);
  if (fields !== undefined) {
    if (!isObject(fields)) throw new ConfigurationError(`fields of the tool ${name} must be an object: {member: schema}`);
    const base = shown.properties ?? {};
    shown = { ...shown, properties: { ...base } };
    enforced = { type: 'object', ...enforced, properties: { ...enforced.properties } };
    for (const [key, field] of Object.entries(fields)) {
      if (field === undefined) continue;
      const standard = isStandard(field);
      const patch = standard ? jsonSchemaOf(field, 'input', `the field ${key} of the tool ${name}`) ?? {} : copyOf(field, `the field ${key} of the tool ${name}`);
      const old = Object.hasOwn(base, key) && isObject(base[key]) && !standard ? base[key] : {};
      setOwn(shown.properties, key, { ...old, ...patch });
      setOwn(enforced.properties, key, standard ? {} : { ...enforced.properties[key], ...patch });
      if (standard) parsed.push([key, standardOf(field)]);
    }
  }
  const untyped = inferred ? untypedIn(shown) : [];
  if (untyped.length > 0) {
    console.warn(`[webmcp] agents are not told what ${untyped.join(', ')} of the tool ${name} may be: say it with`
      + ` {fields: {${untyped[0]}: {type: 'string'}}}`);
  }
  const enforceJSON = enforce(enforced);
  const lets = whatPasses(enforced);
  const checks = Object.keys(enforced).length > 0;
  validations.unshift((input, bytes) => {
    if (lets(input) && bytes <= limit()) return { value: input };
    const result = enforceJSON(input);
    const odd = checks && bytes === Infinity ? oddInput(input, skip) : undefined; // enforceJSON has said that there is a JSON
    return odd === undefined ? result : { issues: [odd] };
  });
  if (parsed.length > 0) validations.push(fieldsValidation(parsed));
  return { schema: shown, validate: chain(validations), open };
}

/**
 * Returns whether a JSON Schema lets a value through, where that can be told without its rules: all that JSON can say
 * passes an empty one, and all objects one that says no more than that. Then no text of a value is needed.
 */
function whatPasses(schema) {
  const words = Object.keys(schema).filter((word) => word !== 'title' && word !== 'description');
  if (words.length === 0) return () => true;
  const ofObjects = words.every((word) => word === 'type' && schema.type === 'object' || word === 'properties' && isObject(schema.properties)
    && Object.keys(schema.properties).length === 0);
  return ofObjects && words.includes('type') ? (value) => isObject(value) && !isArray(value) : () => false;
}

/** Returns the JSON Schema that agents are shown for the output, if there is one, and the validation. */
function outputOf(schema, name, enforce) {
  if (isStandard(schema)) return { schema: jsonSchemaOf(schema, 'output', `the outputSchema of the tool ${name}`), validate: standardOf(schema) };
  const shown = copyOf(schema, `the outputSchema of the tool ${name}`);
  const enforceJSON = enforce(shown);
  return {
    schema: shown,
    validate: (output) => {
      const odd = oddOutput(output);
      return odd === undefined ? enforceJSON(output) : { issues: [odd] };
    },
  };
}

/** Returns the JSON of an input. Agents send JSON, but hooks may have added what is not. */
function inputText(input) {
  try {
    return JSON.stringify(input) ?? 'null';
  } catch (cause) {
    throw new TypeError(`the input cannot be checked, for it has no JSON: ${messageOf(cause)}`, { cause });
  }
}

/** Reports whether a schema is of an object: it says so, or names no type, or none that there is. */
function isOfObject(schema) {
  if (schema === undefined || !Object.hasOwn(schema, 'type') || schema.type === 'object') return true;
  return ![schema.type].flat().every((type) => TYPES.includes(type)); // where there is no such type, Go says so
}

// ------------------------------------------------------ Standard Schemas

/** Reports whether a schema is a Standard Schema: an object or, as arktype's are, a function. */
function isStandard(schema) {
  return (isObject(schema) || typeof schema === 'function') && isObject(schema['~standard']) && typeof schema['~standard'].validate === 'function';
}

function standardOf(schema) {
  const standard = schema['~standard'];
  return (value) => {
    const answer = standard.validate(value);
    return isThenable(answer) ? Promise.resolve(answer).then(resultOfSchema) : resultOfSchema(answer);
  };
}

/**
 * Returns the answer of a Standard Schema as {value} or {issues}. What is neither, as the answers of libraries with
 * other forms, says nothing of the value: it throws.
 */
function resultOfSchema(answer) {
  if (isObject(answer)) {
    const issues = readable(answer, 'issues') ?? undefined;
    if (typeof issues?.[Symbol.iterator] === 'function') {
      const list = [...issues];
      return { __proto__: null, issues: list.length > 0 ? list : [{ message: 'is not valid' }] };
    }
    if (issues === undefined && Object.hasOwn(answer, 'value')) return { __proto__: null, value: answer.value };
  }
  throw new TypeError('the schema must answer with {value} or {issues}, and has answered with neither: is its validate that of a Standard Schema?');
}

// What zod is asked for when there is something in a schema that JSON Schema cannot say: the rest. Others give that anyway.
const WHAT_CAN_BE_SAID = { unrepresentable: 'any' };

/** Returns the JSON Schema of a Standard Schema's input or output, where its library gives one; warns of what it lacks. */
function jsonSchemaOf(schema, side, what) {
  const ask = (options) => {
    const standard = schema['~standard'].jsonSchema;
    const given = typeof standard?.[side] === 'function' ? standard[side]({ target: 'draft-2020-12', libraryOptions: options })
      : typeof schema.toJSONSchema === 'function' ? schema.toJSONSchema({ io: side, ...options }) : undefined;
    return given === undefined ? undefined : copyOf(given, 'the JSON Schema');
  };
  try {
    return ask();
  } catch (cause) {
    let rest;
    try {
      rest = ask(WHAT_CAN_BE_SAID);
    } catch {
      // It has no JSON form at all.
    }
    const lost = untypedIn(rest ?? {}).join(', ') || 'all of it';
    console.warn(`[webmcp] ${what} cannot be shown to agents as it is: ${messageOf(cause)}; left out: ${lost}`);
    return rest;
  }
}

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

/** Validates members of an object each with its own validation, and returns the object with what they made of them. */
function fieldsValidation(fields) {
  return (input) => {
    const merge = (results) => {
      const issues = [];
      const value = { ...input };
      results.forEach((result, i) => {
        const [key] = fields[i];
        if (result.issues) issues.push(...Array.from(result.issues, ({ message, path }) => ({ message, path: [key, ...(path ?? [])] })));
        else if (result.value !== undefined || Object.hasOwn(input, key)) setOwn(value, key, result.value);
      });
      return issues.length > 0 ? { issues } : { value };
    };
    const results = fields.map(([key, validate]) => validate(Object.hasOwn(input, key) ? input[key] : undefined));
    return results.some(isThenable) ? Promise.all(results).then(merge) : merge(results);
  };
}

/** Returns the validation that does one after the other, each with the value of the one before; the first one also hears how large it is. */
function chain(validations) {
  return validations.reduce((first, second) => (input, bytes) => {
    const next = (result) => (result.issues ? result : second(result.value));
    const result = first(input, bytes);
    return isThenable(result) ? Promise.resolve(result).then(next) : next(result);
  });
}

/** Returns issues with their paths as text: items[2].id. */
function issuesAsText(issues) {
  return Array.from(issues, ({ message, path = '' }) => {
    if (typeof path === 'string') return { path, message: textOf(message) };
    let text = '';
    for (const segment of path) {
      const key = isObject(segment) ? segment.key : segment;
      text += typeof key === 'number' ? `[${key}]` : text ? `.${String(key)}` : String(key);
    }
    return { path: text, message: textOf(message) };
  });
}
