// Starts the page: first the shop, which needs nothing, then the tools, which need the WebMCP module.

import './shopview.js';
import './source.js';
import { showProblem, showStatus, showToolCount } from './status.js';
import { showTools } from './inspect.js';

async function startTools() {
  let module;
  try {
    module = await import('../dist/webmcp.js');
  } catch (error) {
    showProblem('The WebMCP module did not load', error);
    return;
  }
  const { webmcp, invokeTool, listTools, onToolsChanged } = module;
  showStatus(webmcp);

  let newest = 0;
  async function refresh() {
    newest += 1;
    const turn = newest;
    const tools = await listTools();
    if (turn === newest) { // an older answer may come later
      showToolCount(tools.length);
      showTools(tools, invokeTool);
    }
  }
  onToolsChanged(refresh);

  try {
    await import('./tools.js');
    await refresh();
  } catch (error) {
    showProblem('The tools could not be registered', error);
  }
}

await startTools();
