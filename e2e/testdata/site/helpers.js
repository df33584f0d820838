// A few helpers for tests that bring their own tools and hooks to a page.

/** What ran, in order. */
const ran = [];
globalThis.ran = ran; // for Go

/** A hook or a function that writes its label down and returns result, or what result returns when called. */
function note(label, result) {
  return function (...args) {
    ran.push(label);
    return typeof result === 'function' ? result.apply(this, args) : result;
  };
}

/** Like note, but asynchronous in one of several ways; the label is written down when the waiting is over. */
function noteLater(label, result, turn = 0) {
  const waits = [
    () => Promise.resolve(),
    () => new Promise(done => setTimeout(done)),
    () => new Promise(done => queueMicrotask(() => queueMicrotask(done))),
  ];
  return async function (...args) {
    await waits[turn % waits.length]();
    return note(label, result).apply(this, args);
  };
}

const gates = new Map();

/** A promise that release(name, value) resolves. */
function gate(name) {
  if (!gates.has(name)) gates.set(name, Promise.withResolvers());
  return gates.get(name).promise;
}

function release(name, value) {
  gate(name);
  gates.get(name).resolve(value);
}

/** What a promise comes to, as something that can be compared: {value} or {name, message}. */
async function settled(promise) {
  try {
    return { value: await promise };
  } catch (error) {
    return { name: error?.name, message: error?.message, own: error instanceof Error };
  }
}

/** What a function does when it is called: {value} or {name, message}. */
function attempt(fn) {
  try {
    return { value: fn() };
  } catch (error) {
    return { name: error?.name, message: error?.message, own: error instanceof Error };
  }
}
