// Starts the page: first the shop, which needs nothing, then the tools, which need the WebMCP module.

import './shopview.js';
import './source.js';
import { showProblem, showStatus, showToolCount } from './status.js';

async function startTools() {
  let module;
  try {
    module = await import('../dist/webmcp.js');
    await import('../dist/elements.js'); // the hook log, the approvals and the Inspect card
    await module.webmcp.ready;
  } catch (error) {
    showProblem('The WebMCP module did not load', error);
    return;
  }
  const { webmcp, listTools, onToolsChanged } = module;
  showStatus(webmcp);

  const log = document.querySelector('webmcp-hook-log');
  document.querySelector('#clear-hook-log').addEventListener('click', () => log.clear());

  let newest = 0;
  async function count() {
    newest += 1;
    const turn = newest;
    const tools = await listTools();
    if (turn === newest) { // an older answer may come later
      showToolCount(tools.length);
    }
  }
  onToolsChanged(count);

  try {
    await import('./policyview.js'); // before the tools: it counts their calls
    await import('./tools.js');
    await import('./twocalls.js');
    await count();
  } catch (error) {
    showProblem('The tools could not be registered', error);
  }
}

await startTools();
