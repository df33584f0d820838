import { forms } from '/dist/webmcp_forms.js';
import { webmcp } from '/dist/webmcp.js';

Object.assign(globalThis, { forms, webmcp, ran: [] });
const { gate } = Object.fromEntries(new URLSearchParams(location.search));
const note = (phase) => (call) => { ran.push(`${phase} ${call.tool.tool.name} ${JSON.stringify(phase === 'after' ? call.output : phase === 'error' ? call.message : phase === 'denied' ? call.reason : call.input)}`); };
const hooks = { before: [note('before')], after: [note('after')], error: [note('error')], denied: [note('denied')] };
if (gate !== 'none') globalThis.end = forms({ hooks });
globalThis.gateReady = true;
