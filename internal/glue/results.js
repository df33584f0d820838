// What the agent gets: {content: [...]}, whatever became of the call. Touches
// nothing but the value that it is given.

/**
 * Returns what the agent gets for an output: {content: [...]}; with structured, an output that is an object stands beside
 * its text. It never throws.
 */
function resultOf(output, structured = false) {
  try {
    if (isResult(output)) return JSON.parse(jsonOf(output));
  } catch {
    // A value that cannot even be looked at gets a text below.
  }
  const text = textOf(output);
  const result = { content: [{ type: 'text', text }] };
  if (structured && text[0] === '{' && isObject(output)) result.structuredContent = JSON.parse(text);
  return result;
}

/** Reports whether an output is a result already: content items that each have a type. */
function isResult(output) {
  const content = isObject(output) ? readable(output, 'content') : undefined;
  return Array.isArray(content) && content.every((item) => {
    const type = isObject(item) ? readable(item, 'type') : undefined;
    return typeof type === 'string' && (type !== 'text' || typeof readable(item, 'text') === 'string');
  });
}

/** Returns the result of a call that was denied or has failed. */
function refusal(text, code) {
  const result = { isError: true, content: [{ type: 'text', text }] };
  if (code !== undefined) result.code = code;
  return result;
}

/** Returns the result of a call that has failed. */
function failure(message) {
  return refusal(ERROR_PREFIX + message);
}

/** Returns the result that a text of the browser stands for; other people's tools may answer with any text. */
function resultOfText(text) {
  try {
    const value = JSON.parse(text);
    if (isResult(value)) return value;
  } catch {
    // not JSON: a text
  }
  return resultOf(text);
}
