// The hooks that are made by webmcp-wasm/hooks.

import { mergeHooks, webmcp } from 'webmcp-wasm';
import { audit, enrich, rateLimit, redact, require, timeout, timing } from 'webmcp-wasm/hooks';
import type { Duration, Mask, Measurement, Rate } from 'webmcp-wasm/hooks';
import { same } from './expect';
import { checkout } from './shop';

declare const session: { role: string; allows(tool: string): Promise<boolean> };

const masks: Record<'/order/email', Mask> = { '/order/email': 'email' };
const tool = webmcp(checkout, {
  description: 'Check out',
  hooks: mergeHooks(
    mergeHooks(rateLimit('30/min'), timeout('20s')),
    mergeHooks(redact(masks), require<typeof checkout>(({ input, tool: { tool: { name } } }) => typeof input.email === 'string' && session.allows(name))),
  ),
});
webmcp.scope({ hooks: rateLimit('2/s', { of: 'all' }) });
webmcp.configure({ hooks: { ...require({ role: ['admin', 'clerk'] }, { context: () => session, code: 'NO', message: 'No' }), ...timeout(500) } });
webmcp.configure({ hooks: enrich({ locale: 'en' }) });
webmcp.configure({ hooks: enrich(async ({ metadata }) => ({ tenant: metadata.tenant })) });
webmcp.configure({ hooks: enrich(({ input }) => { if (input.a) return { b: 1 }; }) });
webmcp.configure({ hooks: timing(({ tool: { tool: { name } }, ms, phase, code }) => console.info(name, ms.toFixed(), phase, code?.trim())) });
webmcp.configure({ hooks: { timeout: 500 } });
same<Measurement['phase'], 'after' | 'error' | 'denied'>(true);
const rates: Rate[] = ['1/s', '1/min', '1/h'];
const durations: Duration[] = ['1ms', '1s', '1min', '1h'];

// Of a call that has failed, what was thrown comes with its entry.
webmcp.configure({ hooks: audit(({ tool, duration, code }, error) => { console.log(tool, duration, code, error); }, { text: 0, redact: { '/email': 'email' } }) });

// @ts-expect-error a rate has a unit
rateLimit('30');
// @ts-expect-error no such unit
rateLimit('30/day');
// @ts-expect-error no such option
rateLimit('30/min', { per: 'tool' });
// @ts-expect-error no such unit
timeout('20 seconds');
// @ts-expect-error no such mask
redact({ '/email': 'stars' });
// @ts-expect-error a pointer begins with a slash
redact({ email: 'full' });
// @ts-expect-error without a context, nobody knows the role
require({ role: 'admin' });
// @ts-expect-error no such option
require(() => true, { reason: 'No' });
// @ts-expect-error neither an object nor a function
enrich('locale');
// @ts-expect-error a text is nothing to add
enrich(() => 'locale');
// @ts-expect-error it measures milliseconds, in ms
timing(({ duration }) => duration);
// @ts-expect-error no such option
audit(() => {}, { size: 10 });
// @ts-expect-error hooks know nothing of the rules of a policy
audit(({ rules }) => rules);
// @ts-expect-error a text
webmcp.configure({ hooks: { timeout: '20s' } });

export { durations, rates, tool };
