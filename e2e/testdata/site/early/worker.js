import { webmcp } from './webmcp.js';

const tool = webmcp(({ id }) => id, { name: 'work', description: 'Works.' });
webmcp.configure({ hooks: { before: [() => {}] } });
const release = await tool.register({ scope: webmcp.scope({ hooks: {} }) });
release();
postMessage([tool({ id: 7 }), tool.status, webmcp.isWebMCPSupported(), await webmcp.ready === webmcp, await webmcp.listTools()]);
