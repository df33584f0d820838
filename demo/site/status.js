// The status card: is WebMCP there, how many tools, which version; and what to do when something did not load.

const card = document.querySelector('#status');
const mode = card.querySelector('#status-webmcp');
const tools = card.querySelector('#status-tools');
const version = card.querySelector('#status-version');
const note = card.querySelector('#status-note');
const howTo = card.querySelector('#status-how-to');
const problem = card.querySelector('#status-problem');

export function showStatus(webmcp) {
  const native = webmcp.isWebMCPSupported();
  card.dataset.state = native ? 'native' : 'registry';
  mode.textContent = native ? 'Native WebMCP' : 'Registry only';
  version.textContent = webmcp.version;
  note.textContent = native
    ? 'An agent in this browser can see these tools and call them.'
    : 'This browser offers no WebMCP to this page. All of it works, Inspect too; only an agent of the browser cannot reach the tools.';
  howTo.hidden = native;
}

export function showToolCount(count) {
  tools.textContent = count;
}

/** Says what went wrong and what the reader can do about it. The shop goes on without. */
export function showProblem(what, error) {
  card.dataset.state = 'failed';
  mode.textContent = 'Not available';
  version.textContent = 'none';
  note.textContent = '';
  problem.textContent = `${what}: ${error?.message ?? error}. The shop works all the same, but agents cannot use it. `
    + 'Restart the demo server (go run ./demo builds what is missing), then reload this page.';
}
