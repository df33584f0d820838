import { webmcp, NotAllowedError, invokeTool } from './webmcp.js';

const name = location.hash.slice(1);
const tool = webmcp(() => 'fine', { name, description: 'Lives in a frame.' });
const report = { name };
try {
  await tool.register();
  report.answer = (await invokeTool(name, {})).content[0].text;
} catch (error) {
  Object.assign(report, { error: error.name, own: error instanceof NotAllowedError, message: error.message });
}
report.status = tool.status;
parent.postMessage(report, '*');
