// The browser's RegExp, for the patterns of JSON Schemas that Go enforces: the only
// functions that Go calls while it is on the stack. So nothing here may throw, and
// nothing that the page can change may be called.

/** The browser's RegExp, for the patterns of schemas that Go enforces. Nothing here throws. */
class Patterns {
  constructor(glue) {
    this.glue = glue;
    this.byNumber = Object.create(null); // no Map: its methods could be the page's by now
    this.last = 0;
    this.decoder = new NativeTextDecoder();
  }

  /** The functions that the module imports. */
  imports() {
    return {
      regexp_new: (address, length) => {
        const pattern = this.text(address, length);
        const compiled = tryRegExp(pattern, 'u') ?? tryRegExp(pattern, ''); // many patterns escape more than u allows
        if (compiled === undefined) return NO_NUMBER;
        this.byNumber[++this.last] = compiled;
        return this.last;
      },
      regexp_check: (address, length) => tryRegExp(this.text(address, length), 'u') !== undefined,
      regexp_test: (number, address, length) => {
        try {
          return apply(exec, this.byNumber[number], [this.text(address, length)]) === null ? 0 : 1;
        } catch {
          return -1; // the browser gave up on this text: it neither matches nor does not
        }
      },
    };
  }

  forget(numbers) {
    for (const number of numbers) delete this.byNumber[number];
  }

  text(address, length) {
    return apply(decode, this.decoder, [new Bytes(this.glue.exports.mem.buffer, address >>> 0, length)]);
  }
}

function tryRegExp(pattern, flags) {
  try {
    return new NativeRegExp(pattern, flags);
  } catch {
    return undefined;
  }
}
