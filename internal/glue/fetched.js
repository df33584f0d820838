// The module as it arrives, for webmcp.js, which has asked for it: what goes wrong is
// said with what to change. Touches nothing.

/** Returns the module that was asked for at an address: a promise of a response. */
async function compiled(asked, url) {
  let response;
  try {
    response = await asked;
  } catch (cause) {
    throw new Error(`${url} cannot be fetched: ${unfetched(url)}`, { cause });
  }
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${PLACE}`);
  if (/^text\/html\b/.test(response.headers.get('Content-Type'))) throw new Error(`${url} is a page and not webmcp.wasm: ${PLACE}`);
  try {
    return await WebAssembly.compileStreaming(response.clone());
  } catch {
    // Served with another type than application/wasm: compile it when it is all there.
  }
  try {
    return await WebAssembly.compile(await response.arrayBuffer());
  } catch (cause) {
    const advice = /Content Security Policy|unsafe-eval/.test(cause.message)
      ? "the Content-Security-Policy must have script-src 'wasm-unsafe-eval'"
      : 'it is no WebAssembly, or not all of it has arrived';
    throw new Error(`${url} cannot be compiled: ${advice}`, { cause });
  }
}

const PLACE = 'webmcp.wasm must be beside webmcp.js, or where webmcp.configure({ url }) says; where a bundler has moved webmcp.js, '
  + "tell it to leave the package: in Vite, optimizeDeps: { exclude: ['webmcp-wasm'] }";

/** Says what a fetch that failed may want. */
function unfetched(url) {
  if (/^file:/.test(url)) return 'a page that was opened as a file cannot load it: serve the page over http';
  return "the server must answer (another one with Access-Control-Allow-Origin), an integrity must be that of the file, and a Content-Security-Policy must allow it: connect-src 'self'";
}
