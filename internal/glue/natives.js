// Built-in functions as they were when builtins.js was loaded: what every call needs, what
// Go calls, and what a call waits with. Touches nothing.

const [isArray, apply, mapGet, exec, decode, then, NativeRegExp, NativeTextDecoder, NativePromise, Bytes, NativeTextEncoder, encodeInto] = NATIVES;

class TextEncoder extends NativeTextEncoder {
  encodeInto = encodeInto;
}
