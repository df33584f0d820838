// Validation by the rules of schema.js. All of it has the form of a Standard Schema
// (standardschema.dev): a function that takes a value and returns, or resolves to,
// {value} or {issues: [{path, message}]}. May touch how a Tool validates.

extend(Glue, class {
  /** Makes the validations of a tool, once. Where that throws it stays to be done: no later attempt gets by without it. */
  compileAll(tool) {
    checkJSON();
    if (tool.validate !== undefined) return;
    const { name, rules: { input, output } } = tool;
    const inputLimit = () => tool.maxInputBytes ?? this.maxInputBytes;
    const outputText = (value) => sized(jsonOf, value, tool.maxOutputBytes ?? this.maxOutputBytes);
    const compile = [];
    const enforce = (what, how) => ({ enforced }) => this.validation(enforced, `${what} of the tool ${name}`, how, compile);
    const validate = inputValidation(input, inputLimit, enforce('the schema', { limit: inputLimit, say: inputText, fill: true }));
    const check = output && outputValidation(output, enforce('the outputSchema', { limit: () => Infinity, say: outputText, fill: false }));
    for (const step of compile) step();
    tool.check = check;
    tool.validate = validate;
    advise(tool);
  }
});

/** Throws where another script has changed what JSON says of every value: no schema, input or result would be right. */
function checkJSON() {
  for (const { name, prototype } of [Array, Object, String, Number, Boolean]) {
    if (Object.hasOwn(prototype, 'toJSON')) {
      throw new ConfigurationError(`another script, such as an old Prototype.js, has set ${name}.prototype.toJSON, which makes other JSON of each value: `
        + `delete ${name}.prototype.toJSON before tools are registered`);
    }
  }
}
/** Returns the validation of an input by its rules. enforce(rules) is that of the JSON Schema, and limit() how many bytes the JSON may have. */
function inputValidation(rules, limit, enforce) {
  const { enforced, whole, fields } = rules;
  const enforceJSON = enforce(rules);
  const lets = whatPasses(enforced);
  const checks = Object.keys(enforced).length > 0;
  // Members that Standard Schemas check, which see them as they are.
  const skip = (key) => fields.some(([name]) => name === key) || whole !== undefined && !Object.hasOwn(enforced.properties, key);
  const validations = [(input, bytes) => {
    if (lets(input) && bytes <= limit()) return { value: input };
    const result = enforceJSON(input);
    const odd = checks && bytes === Infinity ? oddInput(input, skip) : undefined; // enforceJSON has said that there is a JSON
    return odd === undefined ? result : { issues: [odd] };
  }];
  if (whole !== undefined) validations.push(standardOf(whole));
  if (fields.length > 0) validations.push(fieldsValidation(fields.map(([key, standard]) => [key, standardOf(standard)])));
  return chain(validations);
}

/** Returns the validation of an output, likewise. */
function outputValidation(rules, enforce) {
  if (rules.whole !== undefined) return standardOf(rules.whole);
  const enforceJSON = enforce(rules);
  return (output) => {
    const odd = oddOutput(output);
    return odd === undefined ? enforceJSON(output) : { issues: [odd] };
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

/** Returns the validation of a Standard Schema. */
function standardOf(standard) {
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
