import { webmcp } from './webmcp.js';

window.early = webmcp; // globalThis.webmcp is there when the module runs
