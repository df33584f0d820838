// Importing all of the package says nothing, and leaves nothing behind that holds up the process.

import assert from 'node:assert/strict';

/** @param {(name: string, run: () => Promise<void>) => void} test */
export function quiet(test) {
  test('without webmcp-wasm/testing the package is quiet', async () => {
    const said = [];
    const { log, warn, error } = console;
    Object.assign(console, { log: (...what) => said.push(what), warn: (...what) => said.push(what), error: (...what) => said.push(what) });
    try {
      const { invokeTool, listTools, webmcp } = await import('webmcp-wasm');
      await import('webmcp-wasm/hooks');
      await import('webmcp-wasm/elements');
      const tool = webmcp(({ id }) => id, { name: 'get', description: 'Gets', global: true });
      await webmcp.policy({ webmcp: 1, rules: [] });
      await webmcp.ready;
      (await tool.register())();
      assert.equal(tool({ id: 7 }), 7);
      await assert.rejects(invokeTool('get', { id: 7 }), { name: 'NotSupportedError', message: "this is no browser: in a test, import 'webmcp-wasm/testing'" });
      if (typeof document === 'undefined') assert.deepEqual(await listTools(), []);
      await new Promise((resolve) => setTimeout(resolve, 0));
    } finally {
      Object.assign(console, { log, warn, error });
    }
    assert.deepEqual(said, []);
  });
}
