// The card that shows the policy: every rule as it stands in policy.json, which index.html links, and what it has done to
// the calls of agents. The library applies it; nothing here decides about a call.

import { revealed } from '../dist/elements.js';
import { webmcp } from '../dist/webmcp.js';
import { asText, element } from './dom.js';

const card = document.querySelector('#policy');
const list = card.querySelector('#policy-rules');
const last = card.querySelector('#policy-last');
const enforce = card.querySelector('#enforce-policy');
const { href } = document.querySelector('link[rel="webmcp-policy"]');

// ---- The rules -------------------------------------------------------------------------------------------------

const shown = new Map(); // name of a rule -> its item, and what it has done how often

/** A rule: what it is for, as people say it, and the rest as it stands in the document. */
function ruleItem({ name, description, ...members }) {
  const hits = element('span', { 'class': 'hits' });
  const item = element('li', { 'data-rule': name },
    element('div', { 'class': 'rule-head' }, element('h3', {}, name), hits),
    element('p', {}, description),
    element('pre', { 'tabindex': 0, 'role': 'group', 'aria-label': `Rule ${name}` }, element('code', {}, inLines(members))),
  );
  shown.set(name, { item, hits, counts: new Map() });
  return item;
}

/** Members of a rule as JSON, a line for each. */
function inLines(members) {
  return Object.entries(members)
    .map(([name, value]) => `"${name}": ${asText(value, 1).replace(/\n\s*/g, ' ')}`)
    .join(',\n');
}

// ---- The last call ---------------------------------------------------------------------------------------------

const [APPLIES, DENIED, TRIED] = ['applies', 'denied', 'tried']; // what a rule has to do with the last call

let newest;

/** Begins to show a call, unless it is the one that is shown. hit is the worst that a rule has to do with it. */
function show(invocationId, hit, sentence) {
  if (invocationId !== newest) {
    newest = invocationId;
    for (const { item } of shown.values()) delete item.dataset.hit;
  }
  last.dataset.hit = hit;
  last.textContent = revealed(sentence);
}

/** Lights up a rule, unless another call is shown by now. */
function light(invocationId, rule, hit) {
  const { item } = shown.get(rule) ?? {};
  if (item === undefined || invocationId !== newest || (hit === APPLIES && item.dataset.hit)) return;
  item.dataset.hit = hit;
}

function count(rule, what) {
  const { hits, counts } = shown.get(rule) ?? {};
  if (counts === undefined) return; // a rule of another document
  counts.set(what, (counts.get(what) ?? 0) + 1);
  hits.textContent = [...counts].map(([text, times]) => `${text} ${times}×`).join(', ');
}

/** Lights up the rules that apply to a call. An input that the schema refuses has no explanation. */
async function explain({ tool, input, invocationId }) {
  const { rules } = await webmcp.explain(tool, input).catch(() => ({ rules: [] }));
  for (const { rule, applies } of rules) if (applies) light(invocationId, rule, APPLIES);
}

webmcp.configure({
  hooks: {
    before: [(call) => {
      show(call.invocationId, APPLIES, `The last call, of ${call.tool.tool.name}, was let through to the hooks.`);
      explain(call); // not awaited: it has nothing to say about the call
    }],
    denied: [(call) => {
      const { tool, rule, reason, invocationId } = call;
      if (rule === undefined) return; // a hook or a human
      show(invocationId, DENIED, `The last call, of ${tool.tool.name}, was denied by ${rule}: ${reason}`);
      light(invocationId, rule, DENIED);
      count(rule, 'denied');
      explain(call); // before hooks do not run where a rate decides
    }],
  },
});

document.addEventListener('webmcp:policy', ({ detail: { tool, invocationId, rule, message } }) => {
  show(invocationId, TRIED, `The last call, of ${tool}, would have been stopped by ${rule}, which only reports: ${message}`);
  light(invocationId, rule, TRIED);
  count(rule, 'would have denied');
});

// ---- What a visitor can do -------------------------------------------------------------------------------------

// For a visitor without an agent: six searches, called as an agent calls them. The sixth is one too many.
card.querySelector('#six-searches').addEventListener('click', async () => {
  for (let i = 0; i < 6; i += 1) await webmcp.invokeTool('search_products', { query: 'cable' });
});

// What is in force stays in force, so the switch loads the page anew. demo/server/reporting.go serves both.
const reports = new URLSearchParams(location.search).get('policy') === 'report';
enforce.checked = !reports;
enforce.addEventListener('change', () => {
  location.search = enforce.checked ? '' : '?policy=report';
});

async function showRules() {
  try {
    const response = await fetch(href);
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    const { rules } = await response.json();
    list.append(...rules.map(ruleItem));
  } catch (error) {
    last.textContent = `policy.json could not be read: ${error.message}. Without it, no call of an agent passes.`;
  }
}

showRules(); // not awaited: the tools need not wait for what is only shown
