// Values of a call that somebody else may look at differently: what JSON does not
// say of them, and copies that nobody else holds. Touches nothing but the value that
// it is given, and only reads that.

/**
 * Returns, as an issue, where an input is not what its JSON says, for a schema checks that; undefined where it is.
 * The members that skip names are not looked at. The input must have a JSON.
 */
function oddInput(input, skip) {
  if (!isObject(input) || Array.isArray(input) || skip === undefined) return oddityOf(input, false, 0);
  for (const key of Object.keys(input)) {
    const found = skip(key) ? undefined : oddityOf(input[key], false, 1);
    if (found !== undefined) return within(key, found);
  }
  return undefined;
}

/** Returns, as an issue, where an output has what JSON has not and only a made-up text can say; undefined where it has not. */
function oddOutput(output) {
  return oddityOf(output, true, 0, { values: MAX_VALUES });
}

/** Is oddInput and oddOutput for a value inside. Of an output, what has a form in JSON of its own will be that. */
function oddityOf(value, isOutput, depth, left) {
  switch (typeof value) {
    case 'string': case 'boolean': case 'undefined': return undefined;
    case 'number': return Number.isFinite(value) ? undefined : oddity(`must be a finite number, got ${value}`);
    case 'object': break;
    default: return oddity(`is a ${typeof value}, which JSON has not`);
  }
  if (value === null) return undefined;
  if (isOutput && (depth > MAX_DEPTH || left.values-- <= 0)) return endless;
  if (depth > MAX_DEPTH) return undefined; // whoever reads the JSON refuses it
  try {
    if (typeof value.toJSON === 'function') {
      return isOutput ? oddityOf(value.toJSON(), isOutput, depth + 1, left) : oddity(`${kindOf(value)} with a toJSON, so that its schema would check something else: use what that returns`);
    }
  } catch (error) {
    return oddity(`cannot be read: ${messageOf(error)}`);
  }
  if (Array.isArray(value)) return oddItem(value, isOutput, depth, left);
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null && kindOf(value) !== 'is an Object') {
    if (isOutput && value instanceof Map) return oddItem([...value.values()], isOutput, depth, left);
    if (isOutput && value instanceof Set) return oddItem([...value], isOutput, depth, left);
    if (!isOutput || !ArrayBuffer.isView(value)) return oddity(`${kindOf(value)}, which JSON has not`);
  }
  for (const key of Object.keys(value)) {
    let found;
    try {
      found = oddityOf(value[key], isOutput, depth + 1, left);
    } catch (error) {
      found = oddity(`cannot be read: ${messageOf(error)}`);
    }
    if (found !== undefined) return within(key, found);
  }
  return undefined;
}

function oddItem(items, isOutput, depth, left) {
  for (let i = 0; i < items.length; i++) {
    const found = items[i] === undefined && !isOutput ? oddity('is undefined, which JSON has not: use null') : oddityOf(items[i], isOutput, depth + 1, left);
    if (found !== undefined) return within(i, found);
  }
  return undefined;
}

function oddity(message) {
  return { path: [], message };
}

const endless = oddity('holds itself, or too much'); // the path to it would say nothing

function within(key, found) {
  return found === endless ? found : { path: [key, ...found.path], message: found.message };
}

/** Returns what built-in kind of object a value is, as a part of a sentence. */
function kindOf(value) {
  const kind = Object.prototype.toString.call(value).slice(8, -1);
  return `is ${'AEIOU'.includes(kind[0]) ? 'an' : 'a'} ${kind}`;
}

/**
 * Returns a copy of a value, as deep as that consists of plain objects and arrays; all else in it is the same. Returns
 * the value itself where that cannot be read: whoever needs it then fails.
 */
function ownCopy(value) {
  const copy = new Look().copyOf(value);
  if (copy !== undefined) return copy;
  try {
    return copyPlain(value, new Map());
  } catch {
    return value;
  }
}

function copyPlain(value, copies) {
  if (!isObject(value)) return value;
  const known = copies.get(value);
  if (known !== undefined) return known;
  if (Array.isArray(value)) {
    const copy = new Array(value.length);
    copies.set(value, copy);
    for (let i = 0; i < copy.length; i++) if (i in value) copy[i] = copyPlain(value[i], copies);
    return copy;
  }
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  const copy = prototype === null ? { __proto__: null, ...value } : { ...value };
  copies.set(value, copy);
  for (const key of Object.keys(copy)) if (isObject(copy[key])) setOwn(copy, key, copyPlain(copy[key], copies));
  return copy;
}
