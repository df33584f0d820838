// Part of class Invocation: which values are the call's own. A hook may keep what it
// has seen, and change it while something else takes its time; then what was checked
// or redacted would not be what runs or goes out. May touch the call's input and
// output, and whether a hook has seen the input.

extend(Invocation, class {
  /** Gives the call an input of its own, before a function of that pace gets it. */
  ownInput(pace) {
    if (pace === Pace.prompt || !this.seen) return;
    this.input = ownCopy(this.input);
    this.seen = false;
  }

  /**
   * Takes a look at the input before it is validated, and returns how many bytes its JSON has at the most; Infinity where
   * JSON does not say all of it. Along the way the call gets an input of its own, where validation or function need that.
   */
  lookAtInput({ paces, fn }) {
    const look = new Look();
    if (!this.seen || paces.validate === Pace.prompt && paces.fn === Pace.prompt && fn !== IN_GO) {
      return look.isPlain(this.input) ? look.bytes : Infinity;
    }
    const copy = look.copyOf(this.input);
    this.input = copy ?? ownCopy(this.input);
    this.seen = false;
    return copy === undefined ? Infinity : look.bytes;
  }

  /** Gives the call an output of its own. The function may have kept the one that there is. */
  ownOutput() {
    this.output = ownCopy(this.output);
  }

  /** Does that for a hook of a phase. Of after hooks, only one that waits needs it: the others see what the function returned. */
  ownFor(phase, hook, pace) {
    if (phase === BEFORE) this.ownInput(pace);
    else if (pace === Pace.slow || pace === Pace.unknown && isAsync(hook)) this.ownOutput();
  }
});

/** Returns the pace of a function that has returned once more. */
function paceOf(waits, pace) {
  return waits ? Pace.slow : pace || Pace.prompt;
}

function isAsync(fn) {
  return Object.prototype.toString.call(fn) === '[object AsyncFunction]';
}
