// The card that shows the policy: every rule as it stands in policy.json, which index.html links, with what it has done so
// far. The library applies it; nothing here decides about a call.

import { webmcp } from '../dist/webmcp.js';

const card = document.querySelector('#policy');
const list = card.querySelector('#policy-rules');
const enforced = card.querySelector('#enforce-policy');
const { href } = document.querySelector('link[rel="webmcp-policy"]');

const shown = new Map(); // name of a rule -> what counts its calls

/** One rule: what it is for, as people say it, and as the document does. */
function ruleItem({ name, description, ...members }) {
  const item = document.createElement('li');
  const head = document.createElement('p');
  const hits = document.createElement('span');
  const source = document.createElement('code');
  const title = document.createElement('strong');
  title.textContent = name;
  hits.className = 'hits';
  head.append(title, ' ', description, ' ', hits);
  source.textContent = JSON.stringify(members, null, 1).replace(/\n\s*/g, ' ');
  item.append(head, source);
  let count = 0;
  shown.set(name, (what) => {
    count += 1;
    hits.textContent = `${what} ${count}\u00d7`;
    item.classList.remove('hit');
    requestAnimationFrame(() => item.classList.add('hit')); // so that it lights up once more
  });
  return item;
}

// A denied hook learns which rule has ended a call, and an event of the document what a rule would have done that reports.
webmcp.configure({ hooks: { denied: [({ rule }) => shown.get(rule)?.('denied')] } });
document.addEventListener('webmcp:policy', ({ detail: { rule } }) => shown.get(rule)?.('would have acted'));

// What is in force stays in force: another mode is another page.
const reports = new URLSearchParams(location.search).get('policy') === 'report';
enforced.checked = !reports;
enforced.addEventListener('change', () => {
  location.search = enforced.checked ? '' : '?policy=report';
});

const { rules } = await (await fetch(href)).json();
list.append(...rules.map(ruleItem));
