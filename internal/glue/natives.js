// Built-in functions as they were when builtins.js was loaded: what every call needs, what
// Go calls, and what a call waits with. Touches nothing.

const [isArray, apply, mapGet, exec, decode, then, NativeRegExp, NativeTextDecoder, NativePromise, Bytes, NativeTextEncoder, encodeInto, NativeRegistry] = NATIVES;

const { get: agentInvokedOf } = Object.getOwnPropertyDescriptor(globalThis.SubmitEvent?.prototype ?? {}, 'agentInvoked') ?? {};

/** Reports whether the browser has told of a form that an agent has filled in, by this event. */
function isAgents(submit) {
  try {
    return submit.isTrusted && apply(agentInvokedOf, submit, []);
  } catch {
    return false; // it is something else
  }
}

/** Does something behind the present run of the page's code, whatever a script has put in the place of queueMicrotask. */
function soon(act) {
  apply(then, NativePromise.resolve(), [act]);
}

class TextEncoder extends NativeTextEncoder {
  encodeInto = encodeInto;
}
