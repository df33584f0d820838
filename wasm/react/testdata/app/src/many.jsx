// Many components with a tool each: registered by hand (raw), by useWebMCP of this library (ours), and by the one of the
// package usewebmcp (theirs).
import React, { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { webmcp } from 'webmcp-wasm';
import { useWebMCP } from 'webmcp-wasm/react';
import { useWebMCP as useTheirs } from 'usewebmcp';

const root = createRoot(document.getElementById('root'));
const schema = { type: 'object', properties: { id: { type: 'integer', minimum: 1 } }, required: ['id'] };
const description = 'One of many.';

const asked = []; // what the browser has answered to registrations
const context = document.modelContext;
const { registerTool } = context;
context.registerTool = function (...args) {
  const answer = registerTool.apply(this, args);
  asked.push(answer);
  return answer;
};

let renderings = 0;

function Raw({ name }) {
  const [registered, setRegistered] = useState(false);
  useEffect(() => {
    const controller = new AbortController();
    const answer = document.modelContext.registerTool({ name, description, inputSchema: schema, execute: async ({ id }) => id }, { signal: controller.signal });
    answer.then(() => setRegistered(true), () => {});
    return () => controller.abort();
  }, [name]);
  renderings++;
  return <i>{registered ? 'registered' : 'registering'}</i>;
}

function Ours({ name }) {
  const { status } = useWebMCP(async ({ id }) => id, { name, description, schema });
  renderings++;
  return <i>{status}</i>;
}

function Theirs({ name }) {
  useTheirs({ name, description, inputSchema: schema, execute: async ({ id }) => id });
  renderings++;
  return <i>registered</i>;
}

const KINDS = { raw: Raw, ours: Ours, theirs: Theirs };

const condition = async (holds) => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve));
};

/** Mounts so many components of a kind, and unmounts them. Returns the milliseconds of both, and how often they were rendered. */
window.mount = async (kind, count) => {
  await webmcp.load();
  const Kind = KINDS[kind];
  asked.length = renderings = 0;
  const start = performance.now();
  root.render(Array.from({ length: count }, (_, i) => <Kind key={kind + i} name={`${kind}_${i}`} />));
  await condition(() => asked.length === count);
  await Promise.all(asked);
  await condition(() => !document.getElementById('root').textContent.includes('registering'));
  const mounted = performance.now();
  root.render(null);
  await condition(() => document.getElementById('root').childElementCount === 0);
  while ((await context.getTools()).length > 0);
  return { mount: mounted - start, unmount: performance.now() - mounted, renderings };
};
