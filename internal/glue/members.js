// Members of what the page gives: the answers of hooks, options, results. What it
// has of its own or of its class counts; what some script has put on
// Object.prototype, and so on every object of the page, never does. Touches nothing
// but the object that it is given, and only reads that.

/** Reads a member; undefined where there is none. Throws where a getter does. */
function readable(object, key) {
  const value = object[key];
  if (value === undefined || hasOwn(object, key) || !hasOwn(ObjectPrototype, key)) return value;
  for (let holder = object; holder !== null && holder !== ObjectPrototype; holder = getPrototypeOf(holder)) {
    if (hasOwn(holder, key)) return value;
  }
  return undefined;
}

/** Returns the first member, by name, that is not among those that are known; undefined where there is none. */
function unknownMember(object, known) {
  for (const key in object) {
    if (!known.includes(key) && (hasOwn(object, key) || !hasOwn(ObjectPrototype, key))) return key;
  }
  return undefined;
}

const FLAGS = ['strict', 'enabled', 'global', 'replace'];

/**
 * Returns options as an object without prototype, with what is given of those that are known; undefined is not given.
 * A mistyped one must not drop a policy.
 */
function checkOptions(options, known, what) {
  const given = Object.create(null);
  if (options === undefined || options === null) return given;
  if (!isObject(options)) throw new ConfigurationError(`the options of ${what} must be an object`);
  const unknown = unknownMember(options, known);
  if (unknown !== undefined) throw new ConfigurationError(`${what} has no option ${unknown}: ${Say.guess(unknown, known)}the options are ${known.join(', ')}`);
  for (const key of known) {
    const value = readable(options, key);
    if (value === undefined) continue;
    if (FLAGS.includes(key)) checkFlag(value, `${key} of ${what}`);
    given[key] = value;
  }
  return given;
}

/** Checks an option that is on or off: a text such as 'false' is neither. */
function checkFlag(value, what) {
  if (typeof value !== 'boolean') throw new ConfigurationError(`${what} must be true or false, not ${textOf(value) || typeof value}`);
}
