/** The address of the module, where a bundler is told that a `.wasm` file is an asset. webmcp.js finds it by itself. */
declare const url: string;
export default url;
