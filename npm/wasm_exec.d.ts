/**
 * The Go runtime's half in JavaScript, with that of webmcp.wasm behind it. webmcp.js imports it. A page that loads the
 * module by itself takes it as a plain script, and needs the class {@link Go}.
 *
 * @packageDocumentation
 */

export {};

declare global {
  /**
   * Runs a Go program: `const go = new Go()`, then
   * `WebAssembly.instantiateStreaming(fetch('webmcp.wasm'), go.importObject)`, then `go.run(instance)`.
   */
  class Go {
    /** The command line of the program. */
    argv: string[];
    /** The environment of the program. */
    env: { [name: string]: string };
    /** Called with the exit code when the program ends. */
    exit: (code: number) => void;
    /** What the module imports. */
    importObject: WebAssembly.Imports;
    /** Starts the program. Resolves when it ends, which webmcp.wasm does not. */
    run(instance: WebAssembly.Instance): Promise<void>;
  }
}
