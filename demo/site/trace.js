// Hook events as lines on the console.

import { revealed } from '../dist/elements.js';
import { asText } from './dom.js';

/**
 * Writes one hook event. phase is before, after, error or denied; details holds what that phase has to tell: input,
 * output and duration (in ms), error, or reason and code; and approval, where somebody has decided.
 */
export function trace(phase, toolName, invocationId, { duration, approval, ...details }) {
  const line = [`[webmcp:hook] ${phase} ${toolName} #${invocationId.slice(0, 8)}`];
  if (duration !== undefined) {
    line.push(`${duration.toFixed(1)} ms`);
  }
  for (const [name, value] of Object.entries(details)) {
    if (value !== undefined) {
      line.push(`${name} ${inWords(value)}`);
    }
  }
  if (approval !== undefined) {
    line.push(`approval ${approval.decision} (${approval.how}) after ${(approval.waited / 1000).toFixed(1)} s`);
  }
  const write = phase === 'error' || phase === 'denied' ? console.warn : console.info;
  write(revealed(line.join(' ')));
}

/** A value on one line: a text and an error as they are, the rest as JSON with room between its members. */
function inWords(value) {
  if (value instanceof Error || value instanceof DOMException) {
    return value.name === 'Error' ? value.message : `${value.name}: ${value.message}`;
  }
  return typeof value === 'string' ? value : asText(value, 1).replace(/\n\s*/g, ' ');
}
