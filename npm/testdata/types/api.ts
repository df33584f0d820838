// The rest of the API: calls, lists, errors, loading, and globalThis.webmcp.

import standard, * as all from 'webmcp-wasm';
import { getTool, invokeTool, isWebMCPSupported, listTools, onToolsChanged, registry, ValidationError, webmcp } from 'webmcp-wasm';
import type { AuditEntry, Explanation, Issue, JSONSchema, PolicyDocument, ToolEntry, ToolResult, ToolSource, ToolStatus, WebMCP } from 'webmcp-wasm';
import { forms } from 'webmcp-wasm/forms';
import { same } from './expect';
import { checkout } from './shop';

same<typeof standard, WebMCP>(true);
same<typeof all.webmcp, WebMCP>(true);

// Loading.

same<typeof webmcp.ready, Promise<WebMCP>>(true);
same<typeof webmcp.version, string>(true);
webmcp.replace = true;
webmcp.configure({ load: 'manual', url: new URL('https://cdn.example/webmcp.wasm'), integrity: 'sha384-x' });
same<ReturnType<typeof webmcp.load>, Promise<WebMCP>>(true);
webmcp.load({ url: '/files/webmcp.wasm' });
// @ts-expect-error it is auto, eager or manual
webmcp.configure({ load: 'lazy' });
// @ts-expect-error the version is what it is
webmcp.version = '2';
// @ts-expect-error a promise, not a function
webmcp.ready();

// Calls.

const result: ToolResult = await invokeTool('delete_user', { id: '7' }, { signal: AbortSignal.timeout(1) });
await webmcp.invokeTool('list_users');
if (result.isError && result.code === 'USER_DENIED') console.log(result.content[0]);
for (const item of result.content) {
  if (item.type === 'text') same<typeof item.text, string>(true);
  else if (item.type === 'image') console.log(item.mimeType);
}
// @ts-expect-error an input is an object
invokeTool('delete_user', '7');
// @ts-expect-error a signal, not a timeout
invokeTool('delete_user', {}, { timeout: 1000 });

// Lists.

const entries: ToolEntry[] = await listTools();
const entry: ToolEntry | undefined = await getTool('delete_user');
// @ts-expect-error there may be no such tool
entry.name;
if (entry) {
  same<typeof entry.source, ToolSource>(true);
  same<typeof entry.status, ToolStatus>(true);
  same<typeof entry.inputSchema, JSONSchema>(true);
  same<typeof entry.openSchema, boolean>(true);
}
same<ReturnType<typeof registry.list>, ToolEntry[]>(true);
same<ReturnType<typeof registry.getStatus>, ToolStatus>(true);
registry.clear();
const supported: boolean = isWebMCPSupported();
const end: () => void = onToolsChanged(() => console.log(entries));
end();
// @ts-expect-error a callback gets nothing: it lists the tools itself
onToolsChanged((tools: ToolEntry[]) => tools.length);

// Forms, and where tools are registered.
const endForms: () => void = forms({ selector: '#contact', hooks: { before: [({ input }) => ({ input: { ...input, source: 'agent' } })] }, approval: ['writes', { title: 'Send?' }], timeout: 5000, annotations: { consequentialHint: true } });
forms({ root: document.createElement('div').attachShadow({ mode: 'open' }) });
// @ts-expect-error no such option
forms({ form: '#contact' });
await webmcp(checkout, { description: 'Check out' }).register({ context: { registerTool: async ({ name, execute }, { signal }) => { if (!signal.aborted) console.log(name, (await execute({})).content); } } });
console.log(endForms);

// The audit log.

const audited: readonly AuditEntry[] = webmcp.audit.entries({ since: new Date(), tool: 'delete_user', outcome: 'denied' });
for (const { approval, withheld } of audited) {
  if (approval) same<typeof approval.at, string>(true);
  same<typeof withheld, readonly ('input' | 'changed' | 'output' | 'proof')[] | undefined>(true);
}
// @ts-expect-error nobody changes an entry
audited[0].outcome = 'ok';
// @ts-expect-error there is no such outcome
webmcp.audit.entries({ outcome: 'fine' });
const quiet: () => void = webmcp.audit.onEntry(async ({ id }) => { console.log(id); });
const stop: () => void = webmcp.audit.send(new URL('https://example.com/v1/logs'), { format: 'otlp', service: 'shop', wait: 500 });
// @ts-expect-error there is no such format
webmcp.audit.send('/audit', { format: 'xml' });
webmcp.audit.configure({ size: 100, text: 0 });
same<typeof webmcp.audit.dropped, number>(true);
console.log(webmcp.audit.lines({ code: 'RATE_LIMITED', format: 'json' }), quiet, stop);

// Errors.

try {
  await invokeTool('none');
} catch (error) {
  if (error instanceof ValidationError) same<typeof error.issues, readonly Issue[]>(true);
  if (error instanceof webmcp.RegistrationError) same<typeof error.cause, unknown>(true);
  if (error instanceof all.NotSupportedError || error instanceof all.NotAllowedError) console.log(error.message);
}

new ValidationError();
new ValidationError('no such cart', [{ path: 'cart', message: 'must be open' }]);
// @ts-expect-error an issue has a path, '' for the value itself
new ValidationError('no such cart', [{ message: 'must be open' }]);

// Policies.

const policy: PolicyDocument = {
  webmcp: 1,
  default: 'deny',
  rules: [
    { tools: '*', rate: '30/min', concurrency: { limit: 2, of: 'rule' }, timeout: '20s', maxInputBytes: 1000, audit: true },
    { tools: ['a', { name: 'b_*', hint: 'writes' }], except: { hint: 'readOnly' }, approval: { timeout: 'never', remember: ['tool', { by: ['/id'] }], verify: 'passkey' } },
    { name: 'large', tools: 'pay', when: { properties: { total: { minimum: 5 } } }, unless: { context: { required: ['role'] } }, deny: 'No.', code: 'NO' },
    { tools: 'get_*', rate: { limit: 5, per: 'h' }, redact: { '/email': 'email', '/cards/*/number': 'last4' }, mode: 'report' },
  ],
};
same<ReturnType<typeof webmcp.policy>, Promise<void>>(true);
await webmcp.policy(policy);
await webmcp.policy({ webmcp: 1, rules: [] } as const);
// @ts-expect-error the version of the form is 1
webmcp.policy({ webmcp: 2, rules: [] });
// @ts-expect-error it is deny
webmcp.policy({ webmcp: 1, rules: [{ tools: '*', denny: true }] });
// @ts-expect-error a rule is about tools
webmcp.policy({ webmcp: 1, rules: [{ deny: true }] });
// @ts-expect-error a time has a unit
webmcp.policy({ webmcp: 1, rules: [{ tools: '*', timeout: '20' }] });
// @ts-expect-error a rate is for a second, a minute or an hour
webmcp.policy({ webmcp: 1, rules: [{ tools: '*', rate: '5/day' }] });
// @ts-expect-error there is no such mask
webmcp.policy({ webmcp: 1, rules: [{ tools: '*', redact: { '/email': 'blur' } }] });
// @ts-expect-error a pointer begins with a slash
webmcp.policy({ webmcp: 1, rules: [{ tools: '*', redact: { email: 'email' } }] });

const known = webmcp.context({ role: 'admin' });
same<typeof known, Readonly<{ role: string }>>(true);
// @ts-expect-error it is frozen
known.role = 'guest';
// @ts-expect-error values have names
webmcp.context('admin');

const explanation: Explanation = await webmcp.explain('pay', { total: 5 });
await webmcp.explain(webmcp(({ total }: { total: number }) => total, { description: 'Pay' }));
same<typeof explanation.outcome, 'allow' | 'ask' | 'deny'>(true);
for (const { rule, applies, when, effects } of explanation.rules) console.log(rule.trim(), !applies, when?.trim(), effects.join());
// @ts-expect-error only a denial has one
explanation.refusal.code;
// @ts-expect-error an input is an object
webmcp.explain('pay', '5');

document.addEventListener('webmcp:policy', ({ detail }) => {
  same<typeof detail.tool, string>(true);
  same<typeof detail.invocationId, string>(true);
  console.log(detail.rule?.trim(), detail.effect?.trim(), detail.code?.trim(), detail.message?.trim());
});
webmcp.configure({ hooks: { denied: [({ rule }) => { same<typeof rule, string | undefined>(true); }] } });

// A page that loads the module by a plain script.

same<typeof globalThis.webmcp, WebMCP | undefined>(true);
document.addEventListener('webmcp:ready', ({ detail }) => {
  same<typeof detail, WebMCP>(true);
});

export { supported };
