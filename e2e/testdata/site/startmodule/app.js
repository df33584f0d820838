import './begin.js';
import { webmcp } from './webmcp.js';

times.front = performance.now() - begun;

async function start() {
  const registered = registerSeven(webmcp);
  await webmcp.ready;
  times.run = performance.now() - instantiated; // with what it is told of the seven tools
  await registered;
  return callOne(webmcp);
}

window.started = start();
