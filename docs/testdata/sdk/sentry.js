import * as Sentry from '@sentry/browser';

export { report } from './recipe.js';

export function start() {
  Sentry.init({ dsn: `${location.protocol}//key@${location.host}/1`, defaultIntegrations: false });
}

/** What Sentry's server got: the exception, with its tag and context, and the breadcrumbs before it. */
export async function arrived() {
  const requests = await (await fetch('/arrived')).json();
  // An envelope is JSON by the line.
  const items = requests.flatMap(({ body }) => body.split('\n')).filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
  return items.filter(({ exception }) => exception).flatMap(({ exception, tags, contexts, breadcrumbs }) => [
    `${exception.values[0].type} ${exception.values[0].value} ${tags['webmcp.tool']} ${contexts.webmcp.id} ${contexts.webmcp.duration}`,
    ...breadcrumbs.map(({ category, message, level, data }) => [category, message, level, data.code].filter(Boolean).join(' ')),
  ]);
}
