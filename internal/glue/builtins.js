// Built-in functions as they were when the page loaded this file: what a script puts
// in their place later decides nothing here, nor where Go calls one while it is on
// the stack, where code of the page must not run. The rest of the glue may come later
// than this file. Touches nothing.

const JSON = kept(globalThis.JSON);
const Reflect = kept(globalThis.Reflect);
const Object = kept(globalThis.Object);
const { getPrototypeOf, hasOwn, prototype: ObjectPrototype } = Object;

// What only the rest needs: see natives.js.
const NATIVES = [
  Array.isArray, Reflect.apply, Map.prototype.get, RegExp.prototype.exec, globalThis.TextDecoder?.prototype.decode, Promise.prototype.then,
  RegExp, globalThis.TextDecoder, Promise, Uint8Array, globalThis.TextEncoder, globalThis.TextEncoder?.prototype.encodeInto, FinalizationRegistry,
];

/** Returns an object with what a built-in one has now. */
function kept(builtin) {
  const { create, getOwnPropertyDescriptors } = globalThis.Object;
  return create(null, getOwnPropertyDescriptors(builtin));
}
