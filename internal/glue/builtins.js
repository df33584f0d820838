// Built-in functions as they were when the page loaded this file, under the names
// that they have everywhere: what a script puts in their place later decides
// nothing here. Touches nothing.

const { encodeInto } = globalThis.TextEncoder.prototype;
const JSON = kept(globalThis.JSON), Reflect = kept(globalThis.Reflect), Object = kept(globalThis.Object);

// Those that every call needs, and what they are called with.
const { getPrototypeOf, hasOwn, keys, prototype: ObjectPrototype } = Object;
const { isArray } = Array;
const { get: mapGet } = Map.prototype;

class TextEncoder extends globalThis.TextEncoder {
  encodeInto = encodeInto;
}

/** Returns an object with what a built-in one has now. */
function kept(builtin) {
  const { create, getOwnPropertyDescriptors } = globalThis.Object;
  return create(null, getOwnPropertyDescriptors(builtin));
}
