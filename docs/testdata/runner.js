// Runs the examples of a guide in a page. Each is the code block of the guide, to the letter, as a module; what it
// takes for granted (globals) and what must come out (check) is in checks/<guide>.js.

import { webmcp, invokeTool, registry, resetGlobalHooks } from 'webmcp-wasm';

const checks = (guide) => import(`/checks/${guide}.js`).then((module) => module.default);

/** The names of the examples that a guide has checks for. */
globalThis.checked = async (guide) => Object.keys(await checks(guide));

/** A place that a person shall click at; the test does it. */
globalThis.wanted = undefined;

/** Runs an example and its check. Starts and ends without tools, global hooks and globals. */
globalThis.runExample = async (guide, name, address = `/examples/${guide}/${name}.js`) => {
  const { globals = {}, setup = () => {}, check } = (await checks(guide))[name];
  await webmcp.ready;
  Object.assign(globalThis, globals);
  try {
    await setup();
    await check(await import(address), tools);
  } finally {
    registry.clear();
    resetGlobalHooks();
    for (const key of Object.keys(globals)) delete globalThis[key];
    document.body.replaceChildren();
  }
};

/** What checks work with. */
const tools = {
  call: invokeTool,

  /** The text of the agent's answer. */
  async text(name, input = {}, how = undefined) {
    const { content } = await invokeTool(name, input, how);
    return content[0].text;
  },

  /** Fails unless both are the same as JSON; the order of members does not matter. */
  equal(actual, expected, about = '') {
    if (stable(actual) !== stable(expected)) {
      throw new Error(`${about} expected ${stable(expected)}, got ${stable(actual)}`);
    }
  },

  /** Has a person click an element; resolves when it was clicked. */
  async click(element) {
    const frame = () => new Promise((next) => { requestAnimationFrame(next); setTimeout(next, 100); });
    await frame(); // what has just been opened is on screen
    await frame();
    const box = element.getBoundingClientRect();
    const clicked = new Promise((done) => { element.addEventListener('click', done, { once: true }); });
    globalThis.wanted = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    await clicked;
  },

  /** Waits, frame by frame, until a function returns something truthy, and returns that. */
  async until(condition) {
    for (;;) {
      const value = await condition();
      if (value) return value;
      await new Promise((next) => { requestAnimationFrame(next); setTimeout(next, 100); });
    }
  },
};

function stable(value) {
  return JSON.stringify(value, (_, item) => (item && typeof item === 'object' && !Array.isArray(item)
    ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
    : item)) ?? String(value);
}

globalThis.runnerReady = true;
