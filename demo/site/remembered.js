// The decisions that are remembered until the page is closed, and a button for each tool that revokes them.

import { revealed } from '../dist/elements.js';
import { webmcp } from '../dist/webmcp.js';
import { asText, element } from './dom.js';

const heading = document.querySelector('#remembered-heading');
const none = document.querySelector('#remembered-none');
const list = document.querySelector('#remembered');

function rule({ decision, arguments: given }) {
  const what = decision === 'approve' ? 'Approve' : 'Deny';
  return given === undefined ? element('li', {}, `${what} all calls`) : element('li', {}, `${what} `, element('code', {}, revealed(asText(given))));
}

// What is remembered for a tool is revoked in one go.
function toolItem(tool, rules) {
  const revoke = element('button', { 'type': 'button', 'class': 'quiet' }, 'Revoke', element('span', { 'class': 'unseen' }, ` for ${tool}`));
  revoke.addEventListener('click', () => webmcp.approvals.forget(tool));
  return element('li', { 'class': 'remembered-tool' }, element('code', {}, tool), element('ul', { role: 'list' }, ...rules.map(rule)), revoke);
}

function show() {
  const remembered = Map.groupBy(webmcp.approvals.remembered(), ({ tool }) => tool);
  const hadFocus = list.contains(document.activeElement);
  none.hidden = remembered.size > 0;
  list.replaceChildren(...[...remembered].map(([tool, rules]) => toolItem(tool, rules)));
  if (hadFocus) {
    heading.focus(); // or the keyboard would start again at the top of the page
  }
}

webmcp.approvals.onChange(show);
show();
