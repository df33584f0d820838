// Part of class Glue: JSON Schemas, which Go compiles and enforces. May touch what
// is remembered of compiled schemas. A page's Standard Schemas are in schema.js.

extend(Glue, class {
  /**
   * Returns the validation for a JSON Schema, and adds to compile what has to be done before the tool is registered;
   * that throws where the schema cannot be enforced. A schema that surely can is compiled when it is first used. limit()
   * is how many bytes the text of a value, by say, may have; fill says whether defaults are filled in.
   */
  validation(schema, what, { limit, say, fill }, compile) {
    let number = NO_NUMBER;
    const prepare = () => {
      number = this.compile(schema, what, fill, validate);
    };
    const validate = (value) => {
      if (number === NO_NUMBER) prepare();
      const text = this.said !== undefined && this.said.value === value ? this.said.text : say(value ?? null);
      return this.enforce(number, value, text, limit());
    };
    if (!isSound(schema)) compile.push(prepare);
    return validate;
  }

  /** Compiles a JSON Schema for a validation, and returns its number. */
  compile(schema, what, fill, validate) {
    this.checkAlive();
    checkJSON();
    const firstPattern = this.patterns.last + 1;
    const number = this.exports.webmcp_schema(this.write(JSON.stringify(schema)), fill);
    const patterns = Array.from({ length: this.patterns.last + 1 - firstPattern }, (_, i) => firstPattern + i);
    if (number === NO_NUMBER) {
      this.patterns.forget(patterns);
      throw new ConfigurationError(`${what} ${UNENFORCED}: ${this.reply()}`);
    }
    const warnings = this.reply().split('\n').filter(Boolean);
    for (const { source } of patterns.map((pattern) => this.patterns.byNumber[pattern])) {
      if (backtracks(source)) {
        warnings.push(`the pattern ${source} repeats what can be divided in more than one way: a text that just misses it may keep the page`
          + ' busy for good; write it so that no text fits in two ways, and limit maxLength');
      }
    }
    for (const warning of warnings) console.warn(`[webmcp] ${what}: ${warning}`);
    this.schemaEnds.register(validate, { number, patterns });
    return number;
  }

  /** Checks a value against a schema, by its JSON text. */
  enforce(number, value, text, limit) {
    const length = bytesIn(text, limit);
    if (length > limit) return { issues: [tooLong(length, limit)] };
    switch (this.exports.webmcp_validate(number, this.write(text))) {
      case VALID: return this.read(value, text);
      case FILLED: {
        const filled = this.reply();
        return this.read(fillIn(value, JSON.parse(filled)), filled);
      }
      default: return { issues: JSON.parse(this.reply()) };
    }
  }

  /** Takes note of the value whose JSON Go has read last, which it has until it gets another text. */
  read(value, text) {
    this.checked = value;
    this.checkedText = text;
    return { value };
  }
});

/** Returns the issue of a text that Go does not get: the memory that it would take, Go would keep. */
function tooLong(length, limit) {
  return { path: '', message: `it has ${length} bytes or more, and the limit is ${limit}` };
}

/**
 * Returns value with what a schema's defaults have added to its JSON form. What is in value stays the same, also
 * where JSON cannot say it; value itself is not changed.
 */
function fillIn(value, filled) {
  if (Array.isArray(value) && Array.isArray(filled)) return value.map((item, i) => fillIn(item, filled[i]));
  if (!isObject(value) || !isObject(filled)) return value;
  const copy = { ...value };
  for (const key of Object.keys(filled)) {
    const missing = !Object.hasOwn(copy, key) || copy[key] === undefined;
    setOwn(copy, key, missing ? filled[key] : fillIn(copy[key], filled[key]));
  }
  return copy;
}
