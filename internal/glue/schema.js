// Contracts: what agents are shown of a function, and the rules that an input and an
// output must keep to. What validates by them is in validation.js. Touches nothing but
// what it is given, and only reads that.

const ANNOTATIONS = ['readOnlyHint', 'untrustedContentHint', 'consequentialHint', 'debugging'];

const TYPES = ['null', 'boolean', 'object', 'array', 'number', 'integer', 'string'];

/** Returns what a Tool is made of: the frozen contract of a function, and parts with the rules for input and output. */
function contractOf(fn, options, parts) {
  const name = options.name ?? inferName(fn);
  if (name === '' && options.name === undefined) throw new ConfigurationError('the function has no name: give the tool one with {name}');
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw new ConfigurationError(`the tool name ${textOf(name)} ${INVALID_NAME}`);
  }
  const hints = { unnamed: options.name === undefined, lost: [] }; // for advice.js
  const contract = { name };
  if (options.title !== undefined) contract.title = wellFormed(options.title, name, 'title');
  contract.description = wellFormed(options.description, name, 'description');

  const maxInputBytes = byteLimit(options, 'maxInputBytes');
  const maxOutputBytes = byteLimit(options, 'maxOutputBytes');
  const input = inputOf(fn, options, name, hints);
  contract.inputSchema = input.schema;
  const output = options.outputSchema === undefined ? {} : outputOf(options.outputSchema, name, hints);
  if (output.schema !== undefined) contract.outputSchema = output.schema;
  contract.annotations = options.annotations === undefined ? {} : annotationsOf(options.annotations, name);

  const { exposedTo } = options;
  if (exposedTo !== undefined && !(Array.isArray(exposedTo) && exposedTo.every((origin) => typeof origin === 'string'))) {
    throw new ConfigurationError(`exposedTo of the tool ${name} must be an array of origins`);
  }
  return [deepFreeze(contract), { ...parts, rules: { input: input.rules, output: output.rules }, hints, maxInputBytes, maxOutputBytes, open: input.open }];
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
  }
  return annotations;
}

/**
 * Returns the JSON Schema that agents are shown for the input, whether it is open because nothing better was to be had,
 * and the rules: the JSON Schema that is enforced, then the Standard Schema of all, then those of single fields.
 */
function inputOf(fn, { schema, fields, strict }, name, hints) {
  let shown; // to agents
  let enforced; // by Go, before Standard Schemas
  let open = false;
  let whole; // the Standard Schema of all
  if (schema === undefined) {
    shown = inferSchema(fn);
    hints.inferred = shown !== undefined;
    if (!hints.inferred && !(isObject(fields) && Object.keys(fields).length > 0)) {
      if (strict) throw new ConfigurationError(`the parameters of the tool ${name} ${UNREAD}`);
      hints.unread = open = true;
    }
  } else if (isStandard(schema)) {
    shown = jsonSchemaOf(schema, 'input', 'the schema', hints);
    enforced = {};
    open = shown === undefined;
    whole = schema['~standard'];
  } else {
    shown = copyOf(schema, `the schema of the tool ${name}`);
  }
  enforced ??= shown ?? {};
  if (!isOfObject(shown)) throw new ConfigurationError(`the schema of the tool ${name} ${NOT_OF_OBJECT}`);
  shown = { type: 'object', properties: {}, ...shown };

  const parsed = []; // [key, Standard Schema] of fields
  if (fields !== undefined) {
    if (!isObject(fields)) throw new ConfigurationError(`fields of the tool ${name} must be an object: {member: schema}`);
    const base = shown.properties ?? {};
    shown = { ...shown, properties: { ...base } };
    enforced = { type: 'object', ...enforced, properties: { ...enforced.properties } };
    for (const [key, field] of Object.entries(fields)) {
      if (field === undefined) continue;
      const standard = isStandard(field);
      const patch = standard ? jsonSchemaOf(field, 'input', `the field ${key}`, hints) ?? {} : copyOf(field, `the field ${key} of the tool ${name}`);
      const old = hasOwn(base, key) && isObject(base[key]) && !standard ? base[key] : {};
      setOwn(shown.properties, key, { ...old, ...patch });
      setOwn(enforced.properties, key, standard ? {} : { ...enforced.properties[key], ...patch });
      if (standard) parsed.push([key, field['~standard']]);
    }
  }
  return { schema: shown, open, rules: { enforced, whole, fields: parsed } };
}

/** Returns the JSON Schema that agents are shown for the output, if there is one, and the rules: one of both kinds of schema. */
function outputOf(schema, name, hints) {
  if (isStandard(schema)) return { schema: jsonSchemaOf(schema, 'output', 'the outputSchema', hints), rules: { whole: schema['~standard'] } };
  const enforced = copyOf(schema, `the outputSchema of the tool ${name}`);
  return { schema: enforced, rules: { enforced } };
}

/** Reports whether a schema is of an object: it says so, or names no type, or none that there is. */
function isOfObject(schema) {
  if (schema === undefined || !hasOwn(schema, 'type') || schema.type === 'object') return true;
  return ![schema.type].flat().every((type) => TYPES.includes(type)); // where there is no such type, Go says so
}

const UNREAD = 'cannot be read from its source: it needs a schema';

// ------------------------------------------------------ Standard Schemas

/** Reports whether a schema is a Standard Schema: an object or, as arktype's are, a function. */
function isStandard(schema) {
  return typeof schema?.['~standard']?.validate === 'function';
}

// What zod is asked for when there is something in a schema that JSON Schema cannot say: the rest. Others give that anyway.
const WHAT_CAN_BE_SAID = { unrepresentable: 'any' };

/** Returns the JSON Schema of a Standard Schema's input or output, where its library gives one; hints get what it lacks. */
function jsonSchemaOf(schema, side, what, { lost }) {
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
    lost.push({ what, cause, rest });
    return rest;
  }
}
