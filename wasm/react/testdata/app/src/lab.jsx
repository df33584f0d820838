// Everything that the tests need to build components of their own in the page.
import * as React from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { flushSync } from 'react-dom';
import { z } from 'zod';
import * as core from 'webmcp-wasm';
import * as adapter from 'webmcp-wasm/react';

z.config({ jitless: true }); // the pages have a strict Content-Security-Policy
const root = createRoot(document.getElementById('root'));

/** Catches what its children throw while they render, and shows it. */
class Boundary extends React.Component {
  state = {};

  static getDerivedStateFromError(error) {
    return { error };
  }

  render() {
    const { error } = this.state;
    return error ? `stopped: ${error.message}` : this.props.children;
  }
}

window.lab = {
  ...React, ...core, ...adapter, h: React.createElement, hydrateRoot, flushSync, z, Boundary,
  log: [],
  /** Renders, and returns when the result is in the page. */
  show: (element) => flushSync(() => root.render(element)),
  render: (element) => root.render(element),
  /** Returns a hook that adds a line to the log. */
  track: (line) => () => {
    window.lab.log.push(line);
  },
  /** A component that calls useWebMCP, and keeps what it returned last in lab.seen by its id. */
  Tool({ id, tool, options }) {
    const seen = adapter.useWebMCP(tool, options);
    React.useEffect(() => {
      window.lab.seen[id] = seen;
    });
    return React.createElement('output', { id }, seen.status);
  },
  seen: {},
  /** Calls a tool as an agent in the page does, and returns the text of the result. */
  async ask(name, input) {
    const { content } = await core.invokeTool(name, input);
    return content[0].text;
  },
};
