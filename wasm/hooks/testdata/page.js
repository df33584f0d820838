import * as made from '/dist/webmcp_hooks.js';
import { webmcp } from '/dist/webmcp.js';

globalThis.made = made;
globalThis.webmcp = webmcp;

/** The message of what a function throws, or 'nothing'. */
globalThis.thrown = async (act) => {
  try {
    await act();
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
  return 'nothing';
};

/** Makes a tool, and calls it as an agent does: with each input, one after the other. Returns the results. */
globalThis.calls = async (hooks, inputs, fn = (input) => input, options = {}) => {
  const tool = webmcp(fn, { name: 'tool', description: 'A tool.', schema: { type: 'object' }, replace: true, hooks, ...options });
  const release = await tool.register();
  const results = [];
  for (const input of inputs) results.push(await webmcp.invokeTool('tool', input));
  release();
  return results;
};

globalThis.pageReady = true;
