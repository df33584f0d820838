import posthog from 'posthog-js';

export { report } from './recipe.js';

export function start() {
  posthog.init('phc_test', {
    api_host: location.origin,
    autocapture: false,
    capture_pageview: false,
    disable_compression: true,
    disable_external_dependency_loading: true,
    disable_session_recording: true,
    disable_surveys: true,
    advanced_disable_flags: true,
    opt_out_useragent_filter: true, // it drops what a headless browser sends
    persistence: 'memory',
    request_batching: false,
  });
}

/** What PostHog's server got, as lines. */
export async function arrived() {
  const requests = await (await fetch('/arrived')).json();
  const events = requests.filter(({ body }) => body.startsWith('{')).flatMap(({ body }) => JSON.parse(body).batch ?? []);
  return events.map(({ event, properties: { tool, id, outcome, code, duration, $exception_list: [exception] = [] } }) => (
    [event, tool, id, outcome, duration, code, exception?.type, exception?.value].filter(Boolean).join(' ')
  )).sort();
}
