// Values of the page as text, in what is said of them. Touches nothing but the value
// that it is given, and only reads that.

/** What is said of values, as far as it takes few words. The back of the glue, plain.js and guess.js, knows more. */
const Say = {
  /** Returns "did you mean ...? " where a name is nearly one that is known. */
  guess: () => '',
  /** Returns an object as JSON, where it has one. */
  json(value) {
    try {
      return JSON.stringify(value) ?? '';
    } catch {
      return typeof value;
    }
  },
};

/** Returns a text for any value: strings as they are, '' for nothing, else compact JSON. */
function textOf(value) {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  if (/^[bn]/.test(typeof value)) return String(value); // a boolean, a bigint or a number
  const text = Say.json(value);
  return text[0] === '"' ? JSON.parse(text) : text;
}

function isObject(value) {
  return typeof value === 'object' && value !== null;
}

/** Sets a member, also one called __proto__. */
function setOwn(object, key, value) {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}
