// The toolchain's class Go, with a glue for each instance: the usual snippet is all
// a page needs. The only file that touches what the toolchain's file has set.

// The toolchain's file gives pages a process without an env, and libraries that
// find a process read that.
try {
  globalThis.process.env ??= {};
} catch {
  // Another script has a process of its own, and has frozen it.
}

globalThis.Go = class Go extends globalThis.Go {
  constructor() {
    super();
    const glue = new Glue();
    this.glue = glue;
    this.importObject.webmcp = glue.patterns.imports();
    const { gojs } = this.importObject;
    const exit = gojs['runtime.wasmExit'];
    gojs['runtime.wasmExit'] = (sp) => {
      exit(sp);
      glue.die(new Error('the Go program has exited'));
    };
  }

  /** The JavaScript API of this instance, also before it runs. */
  get webmcp() {
    return this.glue.webmcp;
  }

  run(instance) {
    this.glue.exports = instance.exports;
    Go.glue = this.glue; // findGlue in glue.go reads it, before run returns
    const ended = super.run(instance);
    Go.glue = undefined;
    return ended;
  }
};
