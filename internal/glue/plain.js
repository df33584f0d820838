// Values of the page as JSON. A value may be anything: have getters that throw, hold
// itself, be larger than memory. What says so never throws. Touches nothing but the
// value that it is given, and only reads that.

// A result may hold MAX_VALUES: few objects that share each other can stand for
// more text than there is memory.

/** Returns JSON for any value but undefined; what JSON cannot say becomes a text. It never throws. */
function jsonOf(value) {
  if (new Look().isPlain(value)) return JSON.stringify(value);
  return JSON.stringify(toPlain(value, new Set(), { values: MAX_VALUES }) ?? null);
}

/**
 * One look at a value: whether JSON says all of it, and how long that is at the most. Every call takes one or two, and a
 * large value has thousands of members, so both walks do without a call for what is no object, and count in variables.
 */
class Look {
  constructor() {
    this.values = 0; // that were seen so far: members and items
    this.characters = 0; // of texts and names
  }

  /** The most bytes that the JSON of what was seen can have. */
  get bytes() {
    return 6 * this.characters + 32 * (this.values + 1);
  }

  /** Reports whether JSON.stringify loses nothing of a value, and is done in good time. It never throws. */
  isPlain(value) {
    try {
      return this.holds(value, 0);
    } catch {
      return false; // a getter threw: toPlain says where
    }
  }

  /** Returns a copy of a value for which isPlain is true; undefined for another one. It never throws. */
  copyOf(value) {
    for (const inherited in ObjectPrototype) return undefined; // some script has given every object one more member
    try {
      return isObject(value) ? this.copy(value, 0) : this.holds(value, 0) ? value : undefined;
    } catch {
      return undefined;
    }
  }

  /** Is isPlain for a value inside. Throws where a getter does. */
  holds(value, depth) {
    if (typeof value === 'string') this.characters += value.length;
    if (!isObject(value)) return value === undefined || isSayable(value);
    if (depth >= MAX_DEPTH || this.values > MAX_VALUES || typeof value.toJSON === 'function') return false;
    let values = 1, characters = 0;
    if (isArray(value)) {
      this.values += value.length;
      if (this.values > MAX_VALUES) return false;
      for (let i = 0; i < value.length; i++) {
        const item = value[i];
        if (typeof item === 'string') characters += item.length;
        else if (isObject(item) ? !this.holds(item, depth + 1) : !isSayable(item)) return false;
      }
    } else {
      const prototype = getPrototypeOf(value);
      if (prototype !== ObjectPrototype && prototype !== null) return false;
      for (const key in value) {
        const item = value[key];
        values++;
        characters += key.length;
        if (typeof item === 'string') characters += item.length;
        else if (isObject(item) ? !this.holds(item, depth + 1) : item !== undefined && !isSayable(item)) return false;
      }
    }
    this.values += values;
    this.characters += characters;
    return true;
  }

  /** Is copyOf for an object inside. Throws where isPlain is false, and for an object without a prototype. */
  copy(value, depth) {
    if (depth >= MAX_DEPTH || this.values > MAX_VALUES) throw NOT_PLAIN;
    let values = 1, characters = 0;
    let copy;
    if (isArray(value)) {
      this.values += value.length;
      if (this.values > MAX_VALUES) throw NOT_PLAIN;
      copy = new Array(value.length);
      for (let i = 0; i < copy.length; i++) {
        const item = value[i];
        if (typeof item === 'string') characters += item.length;
        else if (!isObject(item) && !isSayable(item)) throw NOT_PLAIN;
        copy[i] = isObject(item) ? this.copy(item, depth + 1) : item;
      }
    } else {
      if (getPrototypeOf(value) !== ObjectPrototype) throw NOT_PLAIN;
      copy = { ...value };
      for (const key in copy) {
        const item = copy[key];
        values++;
        characters += key.length;
        if (typeof item === 'string') characters += item.length;
        else if (isObject(item)) copy[key] = this.copy(item, depth + 1);
        else if (item !== undefined && !isSayable(item)) throw NOT_PLAIN;
      }
    }
    this.values += values;
    this.characters += characters;
    return copy;
  }
}

const NOT_PLAIN = 'not plain';

/** Reports whether JSON says a value that is no object. */
function isSayable(value) {
  switch (typeof value) {
    case 'number': return value - value === 0; // is finite
    case 'string': case 'boolean': return true;
    default: return value === null;
  }
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
  if (value instanceof Error) return { name: value.name, message: value.message };
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '[invalid date]' : value.toISOString();
  if (typeof value.toJSON === 'function') return inner(value.toJSON());
  if (Array.isArray(value)) return copyItems(value, inner, left);
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

/** Returns the members of a bag that JSON can say, for Go. */
function sayable(bag) {
  const said = {};
  for (const key of Object.keys(bag)) {
    if (new Look().isPlain(bag[key])) Object.defineProperty(said, key, { value: bag[key], enumerable: true, configurable: true, writable: true });
  }
  return said;
}

function isThenable(value) {
  return value !== null && (typeof value === 'object' || typeof value === 'function') && typeof value.then === 'function';
}

/** Reports whether a value is a plain {}. */
function isEmpty(value) {
  const prototype = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && Object.keys(value).length === 0;
}

/** Reports whether a value is an error, also one of another frame. May throw for a Proxy. */
function isError(value) {
  return value instanceof Error || isObject(value) && Object.prototype.toString.call(value) === '[object Error]';
}

Say.json = jsonOf;
