// Functions of the browser as they are when this file loads, to be called whatever a
// page puts in their place later. Touches nothing.

/** Returns a method or getter of a type as a function of its object; undefined where there is no such thing. */
function bare(type, name, kind = 'get') {
  const found = Object.getOwnPropertyDescriptor(globalThis[type]?.prototype ?? {}, name);
  const method = found?.[kind] ?? found?.value;
  return method && Function.prototype.call.bind(method);
}
