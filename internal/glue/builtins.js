// Built-in functions as they were when the page loaded this file: what a script puts
// in their place later decides nothing here, nor where Go calls one while it is on
// the stack, where code of the page must not run. The rest of the glue may come later
// than this file. Touches nothing.

const { encodeInto } = globalThis.TextEncoder.prototype;
const JSON = kept(globalThis.JSON);
const Reflect = kept(globalThis.Reflect);
const Object = kept(globalThis.Object);

// Those that every call needs, and what they are called with.
const { getPrototypeOf, hasOwn, keys, prototype: ObjectPrototype } = Object;
const { isArray } = Array;
const { get: mapGet } = Map.prototype;

// Those that Go calls, and that a call waits with.
const { apply } = Reflect;
const { exec } = RegExp.prototype;
const { decode } = TextDecoder.prototype;
const { then } = Promise.prototype;
const NativeRegExp = RegExp;
const NativeTextDecoder = TextDecoder;
const NativePromise = Promise;
const Bytes = Uint8Array;

class TextEncoder extends globalThis.TextEncoder {
  encodeInto = encodeInto;
}

/** Returns an object with what a built-in one has now. */
function kept(builtin) {
  const { create, getOwnPropertyDescriptors } = globalThis.Object;
  return create(null, getOwnPropertyDescriptors(builtin));
}
