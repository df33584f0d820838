// The hook log: every hook event as a line on the page, newest first, and as a line on the console.

import { asText, element } from './dom.js';

const mostEntries = 200;
const mostText = 2000; // characters of input or output shown per entry; the console has all of it

const log = document.querySelector('#hook-log');
const empty = document.querySelector('#hook-log-empty');
const clock = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3, hourCycle: 'h23',
});

document.querySelector('#clear-hook-log').addEventListener('click', () => {
  log.replaceChildren();
  empty.hidden = false;
});

/**
 * Records one hook event. phase is before, after, error or denied; details holds what that phase has to tell:
 * input, output and duration (in ms), error, or reason and code.
 */
export function logHook(phase, toolName, invocationId, { duration, ...details }) {
  const shortId = invocationId.slice(0, 8);
  const took = duration === undefined ? '' : `${duration.toFixed(1)} ms`;
  const now = new Date();

  const facts = Object.entries(details)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, inWords(value)]);

  const report = phase === 'error' || phase === 'denied' ? console.warn : console.info;
  report([`[webmcp:hook] ${phase} ${toolName} #${shortId}`, took, ...facts.map((fact) => fact.join(' '))].filter(Boolean).join(' '));

  log.prepend(element('div', { 'class': 'entry', 'data-phase': phase, 'data-tool': toolName, 'data-invocation': invocationId },
    element('p', { 'class': 'entry-head' },
      element('span', { 'class': 'phase' }, phase), ' ',
      element('code', { 'class': 'entry-tool' }, toolName), ' ',
      element('time', { datetime: now.toISOString() }, clock.format(now)),
    ),
    element('p', { 'class': 'entry-mark' },
      element('span', { 'class': 'entry-id', title: `Invocation ${invocationId}` }, `#${shortId}`), ' ',
      element('span', { 'class': 'entry-took' }, took),
    ),
    ...facts.map(([name, text]) => element('p', { 'class': 'entry-fact' },
      element('span', { 'class': 'fact-name' }, name), ' ',
      element('span', { 'class': 'fact-value' }, shorten(text)),
    )),
  ));
  while (log.childElementCount > mostEntries) {
    log.lastElementChild.remove();
  }
  empty.hidden = true;
}

/** A value on one line: a text and an error as they are, the rest as JSON with room to break between its members. */
function inWords(value) {
  if (value instanceof Error || value instanceof DOMException) {
    return value.name === 'Error' ? value.message : `${value.name}: ${value.message}`;
  }
  return typeof value === 'string' ? value : asText(value, 1).replace(/\n\s*/g, ' ');
}

function shorten(text) {
  return text.length <= mostText ? text : `${text.slice(0, mostText)}… (${text.length - mostText} more characters)`;
}
