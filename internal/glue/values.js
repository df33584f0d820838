// Values of the page as JSON and as text. A value may be anything: have getters
// that throw, hold itself, be larger than memory. What says so never throws.
// Touches nothing but the value that it is given, and only reads that.

/** Returns a text for any value: strings as they are, '' for nothing, else compact JSON. */
function textOf(value) {
  switch (typeof value) {
    case 'string': return value;
    case 'undefined': return '';
    case 'number': case 'boolean': case 'bigint': return String(value);
  }
  if (value === null) return '';
  const text = jsonOf(value);
  return text[0] === '"' ? JSON.parse(text) : text;
}

// A result may hold MAX_VALUES: few objects that share each other can stand for
// more text than there is memory.

/** Returns JSON for any value but undefined; what JSON cannot say becomes a text. It never throws. */
function jsonOf(value) {
  try {
    if (isPlain(value, 0, { values: MAX_VALUES })) return JSON.stringify(value);
  } catch {
    // A getter threw: toPlain says where.
  }
  return JSON.stringify(toPlain(value, new Set(), { values: MAX_VALUES }) ?? null);
}

/** Reports whether JSON.stringify loses nothing of a value, and is done in good time. May throw where a getter does. */
function isPlain(value, depth, left) {
  switch (typeof value) {
    case 'string': case 'number': case 'boolean': case 'undefined': return true;
    case 'object': break;
    default: return false;
  }
  if (value === null) return true;
  if (depth > MAX_DEPTH || left.values-- <= 0) return false;
  if (Array.isArray(value)) return (left.values -= value.length) >= 0 && value.every((item) => isPlain(item, depth + 1, left));
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  for (const key in value) if (!isPlain(value[key], depth + 1, left)) return false;
  return true;
}

/** Returns a copy of a value that JSON can say. It never throws. */
function toPlain(value, ancestors, left) {
  try {
    switch (typeof value) {
      case 'bigint': return String(value);
      case 'symbol': return `[${value.toString()}]`;
      case 'function': return `[function ${value.name || 'anonymous'}]`;
      case 'object': break;
      default: return value;
    }
    if (value === null) return null;
    if (ancestors.has(value)) return '[cycle]';
    if (ancestors.size >= MAX_DEPTH) return '[nested too deeply]';
    if (left.values-- <= 0) return '[too much]';
    ancestors.add(value);
    try {
      return toPlainObject(value, (item) => toPlain(item, ancestors, left), left);
    } finally {
      ancestors.delete(value);
    }
  } catch (error) {
    return `[unreadable: ${messageOf(error)}]`;
  }
}

/** Is toPlain for an object; inner is toPlain for what it holds. May throw. */
function toPlainObject(value, inner, left) {
  if (Array.isArray(value)) return copyItems(value, inner, left);
  if (value instanceof Error) return { name: value.name, message: value.message };
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '[invalid date]' : value.toISOString();
  if (typeof value.toJSON === 'function') return inner(value.toJSON());
  if (value instanceof Map) return copyEntries([...value].map(([key, item]) => [textOf(key), () => inner(item)]));
  if (value instanceof Set) return copyItems([...value], inner, left);
  if (ArrayBuffer.isView(value) && typeof value.length === 'number') return copyItems(value, inner, left);
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  const keys = Object.keys(value);
  if (keys.length === 0 && tag !== 'Object') return tag === 'RegExp' ? String(value) : `[${tag}]`;
  return copyEntries(keys.map((key) => [key, () => inner(readOrSay(value, key))]));
}

/** Returns a plain array. What there is no room for is left out, and said. */
function copyItems(items, copy, left) {
  const room = Math.max(Math.min(items.length, left.values), 0);
  left.values -= room;
  const plain = Array.from({ length: room }, (_, i) => copy(readOrSay(items, i)) ?? null);
  if (room < items.length) plain.push('[too much]');
  return plain;
}

/** Returns a plain object, also for a key such as __proto__; undefined is left out. */
function copyEntries(entries) {
  const copy = Object.create(null);
  for (const [key, value] of entries) copy[key] = value();
  return copy;
}

/** Returns a member, or a text where its getter throws. */
function readOrSay(object, key) {
  try {
    return object[key];
  } catch (error) {
    return `[unreadable: ${messageOf(error)}]`;
  }
}

function isPlainOrFalse(value) {
  try {
    return isPlain(value, 0, { values: MAX_VALUES });
  } catch {
    return false;
  }
}

/** Returns the members of a bag that JSON can say, for Go. */
function sayable(bag) {
  const said = {};
  for (const key of Object.keys(bag)) {
    if (isPlainOrFalse(bag[key])) Object.defineProperty(said, key, { value: bag[key], enumerable: true, configurable: true, writable: true });
  }
  return said;
}

function isObject(value) {
  return typeof value === 'object' && value !== null;
}

function isThenable(value) {
  return value !== null && (typeof value === 'object' || typeof value === 'function') && typeof value.then === 'function';
}

/** Reports whether a value is a plain {}. */
function isEmpty(value) {
  const prototype = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && Object.keys(value).length === 0;
}

/** Sets a member, also one called __proto__. */
function setOwn(object, key, value) {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}
