// What the agent gets: {content: [...]}, whatever became of the call. Touches
// nothing but the value that it is given.

/**
 * Returns what the agent gets for an output: {content: [...]}; with structured, an output that is an object stands beside
 * its text. It throws where the text has more bytes than limit, and never else.
 */
function resultOf(output, limit = Infinity, structured = false) {
  if (isResultOrFalse(output)) return JSON.parse(sized(jsonOf, output, limit));
  const text = sized(textOf, output, limit);
  const result = { content: [{ type: 'text', text }] };
  if (structured && text[0] === '{' && isObject(output)) result.structuredContent = JSON.parse(text);
  return result;
}

/** Returns the text of an output, by say, which throws only where it would be longer than a text can be. */
function sized(say, output, limit) {
  let text;
  try {
    text = say(output);
  } catch {
    throw new OutputSizeError(MAX_TEXT, limit);
  }
  const bytes = bytesIn(text, limit);
  if (bytes > limit) throw new OutputSizeError(bytes, limit);
  return text;
}

// How long a text can be at the most; it depends on the browser.
const MAX_TEXT = 2 ** 29 - 24;

/** An output is too large. The message quotes nothing of it. */
class OutputSizeError extends RangeError {
  constructor(bytes, limit) {
    super(`${OUTPUT_TOO_LARGE} ${bytes} bytes or more, and the limit is ${limit}`);
  }
}

/** Reports whether an output is a result already: content items that each have a type. */
function isResult(output) {
  const content = isObject(output) ? readable(output, 'content') : undefined;
  return Array.isArray(content) && content.every((item) => {
    const type = isObject(item) ? readable(item, 'type') : undefined;
    return typeof type === 'string' && (type !== 'text' || typeof readable(item, 'text') === 'string');
  });
}

/** Is isResult for a value that may throw where it is looked at. */
function isResultOrFalse(output) {
  try {
    return isResult(output);
  } catch {
    return false;
  }
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
