// How entries of the audit log are written: one JSON object for each line, or as the log
// records of OpenTelemetry, in the form in which its collector takes them. Touches nothing.

/** Returns what writes entries in a format: line is one of them with its line end, all is the body of a request. */
function writerOf(format = 'json', service = globalThis.location?.host) {
  if (format === 'json') {
    const line = (entry) => `${JSON.stringify(entry)}\n`;
    return { line, all: (entries) => entries.map(line).join(''), type: 'text/plain;charset=UTF-8' };
  }
  if (format !== 'otlp') throw new ConfigurationError("format must be 'json' or 'otlp'");
  const resource = { attributes: attributesOf({ 'service.name': textOf(service) }) };
  const all = (entries) => JSON.stringify({ resourceLogs: [{ resource, scopeLogs: [{ scope: { name: 'webmcp', version: '{{version}}' }, logRecords: entries.map(recordOf) }] }] });
  return { line: (entry) => `${all([entry])}\n`, all, type: 'application/json' };
}

const SEVERITIES = { ok: [9, 'INFO'], aborted: [9, 'INFO'], denied: [13, 'WARN'], pending: [13, 'WARN'], error: [17, 'ERROR'] };

/** Returns an entry as a log record. Names are those of the conventions for GenAI, where these have one. */
function recordOf(entry) {
  const { time, id, tool, outcome, code, executed, rule, rules, reports, approval, duration, inputBytes, outputBytes, input, changed, output, withheld } = entry;
  const [severityNumber, severityText] = SEVERITIES[outcome];
  const { decision, how, at, waited, edited, digest, proof } = approval ?? {};
  const timeUnixNano = `${Date.parse(time)}000000`;
  return {
    timeUnixNano, observedTimeUnixNano: timeUnixNano, severityNumber, severityText, eventName: 'webmcp.tool.call', body: { stringValue: `${tool}: ${code ?? outcome}` },
    attributes: attributesOf({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool,
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': id,
      'gen_ai.tool.call.arguments': valueOfText(input),
      'gen_ai.tool.call.result': outcome === 'ok' ? valueOfText(output) : undefined,
      'webmcp.message': outcome === 'ok' ? undefined : output,
      'error.type': outcome === 'ok' ? undefined : code ?? (outcome === 'error' ? 'tool_error' : outcome),
      'webmcp.outcome': outcome,
      'webmcp.code': code,
      'webmcp.executed': executed,
      'webmcp.rule': rule,
      'webmcp.rules': rules,
      'webmcp.reports': reports,
      'webmcp.duration': duration / 1000,
      'webmcp.input.size': inputBytes,
      'webmcp.output.size': outputBytes,
      'webmcp.changed': valueOfText(changed),
      'webmcp.withheld': withheld,
      'webmcp.approval.decision': decision,
      'webmcp.approval.how': how,
      'webmcp.approval.at': at,
      'webmcp.approval.waited': waited === undefined ? undefined : waited / 1000,
      'webmcp.approval.edited': edited,
      'webmcp.approval.digest': digest,
      'webmcp.approval.proof': proof,
    }),
  };
}

/** Returns what a text stands for, where it is an object or a list in JSON; the text otherwise. */
function valueOfText(text) {
  try {
    const value = JSON.parse(text);
    return isObject(value) ? value : text;
  } catch {
    return text;
  }
}

/** Returns attributes as OTLP has them; undefined and null are none. */
function attributesOf(values) {
  return Object.entries(values).filter(([, value]) => (value ?? undefined) !== undefined).map(([key, value]) => ({ key, value: anyValueOf(value) }));
}

function anyValueOf(value) {
  switch (typeof value) {
    case 'string': return { stringValue: value };
    case 'boolean': return { boolValue: value };
    case 'number': return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  }
  if (value === null) return {};
  return isArray(value) ? { arrayValue: { values: value.map(anyValueOf) } } : { kvlistValue: { values: attributesOf(value) } };
}
