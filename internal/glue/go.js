// The toolchain's class Go, with a glue for each instance: the usual snippet is all
// a page needs. The only file that touches what the toolchain's file has set.

// The toolchain's file gives pages a process without an env, and libraries that
// find a process read that.
try {
  globalThis.process.env ??= {};
} catch {
  // Another script has a process of its own, and has frozen it.
}

class Go extends ToolchainGo {
  constructor(glue = new Glue()) {
    super();
    this.glue = glue;
    this.brought = false; // to the program
    glue.arm();
    glue.watchDocument();
    this.importObject.webmcp = { ...glue.patterns.imports(), ...glue.answers() };
    glue.wake = () => this._resume(); // as a timer of Go does
    const { gojs } = this.importObject;
    // Both write to the page's console, which may throw.
    const { 'runtime.wasmWrite': write, 'runtime.wasmExit': exit } = gojs;
    gojs['runtime.wasmWrite'] = (sp) => quietly(() => write(sp));
    gojs['runtime.wasmExit'] = (sp) => {
      quietly(() => exit(sp));
      glue.die(new Error('the Go program has exited'));
    };
  }

  /** The JavaScript API of this instance, also before it runs. */
  get webmcp() {
    return this.glue.webmcp;
  }

  /** Runs the module that has been asked for: a promise of a response. Rejects with what to change. */
  async load(asked, url) {
    const module = await compiled(asked, url);
    this.check(module);
    this.run(await WebAssembly.instantiate(module, this.importObject));
  }

  /** Throws where a compiled module is not webmcp.wasm, or of another build than this file; it says which file is wrong. */
  check(module) {
    const problem = mismatch(WebAssembly.Module.exports(module).map(({ name }) => name), true);
    if (problem !== undefined) throw new ConfigurationError(problem);
  }

  /** Runs a program, as the toolchain's run does. One of another build than this file is not run: the console says why. */
  run(instance) {
    const problem = mismatch(Object.keys(instance.exports), false);
    if (problem !== undefined) {
      this.glue.fail(new ConfigurationError(problem));
      return Promise.resolve();
    }
    this.glue.exports = instance.exports;
    return super.run(instance);
  }

  /**
   * Makes a function of Go. The module's first one brings it the glue of this very instance, whatever has become of the
   * global Go meanwhile: see findGlue in glue.go.
   */
  _makeFuncWrapper(id) {
    const made = super._makeFuncWrapper(id);
    if (!this.brought) made.glue = this.glue;
    this.brought = true;
    return made;
  }
}

const INTERFACE_NAME = 'webmcp_interface_'; // of an export, before the number

/**
 * Says what is wrong with a module that exports these names; undefined where nothing is. Other programs of Go may run,
 * too, unless it has to be webmcp.wasm.
 */
function mismatch(names, required) {
  const found = names.find((name) => name.startsWith(INTERFACE_NAME));
  if (found === undefined && !names.some((name) => name.startsWith('webmcp_'))) {
    return required ? 'webmcp.wasm is another program than that of WebMCP: put the one beside webmcp.js that was built with it' : undefined;
  }
  const number = found === undefined ? 0 : Number(found.slice(INTERFACE_NAME.length));
  if (number === INTERFACE) return undefined;
  return `the module and ${THIS_FILE} are of different builds, and ${number < INTERFACE ? 'the module (webmcp.wasm)' : THIS_FILE} is the older one: `
    + ONE_BUILD;
}

const ONE_BUILD = 'serve both from one build, and let no cache keep one of them longer than the other';
