import { InMemorySpanExporter, SimpleSpanProcessor, WebTracerProvider } from '@opentelemetry/sdk-trace-web';

export { report } from './recipe.js';

const exporter = new InMemorySpanExporter();

export function start() {
  new WebTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register();
}

/** What the exporter got. */
export function arrived() {
  return exporter.getFinishedSpans().map(({ name, attributes, status, events, duration: [seconds, nanos] }) => [
    name, attributes['gen_ai.operation.name'], attributes['gen_ai.tool.name'], attributes['gen_ai.tool.call.id'],
    attributes['webmcp.outcome'], attributes['error.type'], status.code, status.message,
    ...events.map((event) => event.name), seconds >= 0 && nanos >= 0 ? 'took time' : 'ended before it began',
  ].filter((value) => value !== undefined).join(' '));
}
