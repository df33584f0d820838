// The errors of the API, and what can be said of anything that was thrown.
// Nothing here throws: a thrown value may be of any kind. Touches nothing but
// the error that it is given.

class WebMCPError extends Error {}

/** This page or browser cannot do what was asked. */
class NotSupportedError extends WebMCPError {}

/** The page may not register tools, by its permissions policy. */
class NotAllowedError extends WebMCPError {}

/** A tool could not be registered, or there is none of that name. */
class RegistrationError extends WebMCPError {}

/** An option, a contract or a hook is not what it must be. */
class ConfigurationError extends WebMCPError {}

/** An input or output breaks the tool's schema; issues lists where and how. */
class ValidationError extends WebMCPError {
  constructor(message, issues = []) {
    const listed = issues.map(({ path, message }) => (path ? `${path}: ${message}` : message));
    super([message, listed.join('; ')].filter(Boolean).join(': '));
    this.issues = issues;
  }
}

// Agents and hooks see these names: a minifier must not shorten them.
const ERRORS = { NotSupportedError, NotAllowedError, RegistrationError, ConfigurationError, ValidationError };
for (const [name, error] of Object.entries(ERRORS)) {
  Object.defineProperty(error.prototype, 'name', { value: name, writable: true, configurable: true });
}

/** Reports whether an abort has no reason but the browser's generic one, as when an agent cancels. */
function isGeneric(reason) {
  return reason === undefined || (reason instanceof DOMException && reason.name === 'AbortError');
}

/** Returns the AbortError that error hooks see for an aborted signal; its cause is the signal's reason. */
function abortError({ reason }) {
  const text = isGeneric(reason) ? ABORT_MESSAGE : `${ABORT_MESSAGE}: ${messageOf(reason)}`;
  return Object.assign(new DOMException(text, 'AbortError'), { cause: reason });
}

// How long a message may be that goes into a text: two that fill a string each
// do not fit into one.
const MAX_MESSAGE = 1e6;

/** Returns a text, cut where it is too long to be a message. */
function shorten(text) {
  return text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE)}… (${text.length - MAX_MESSAGE} characters more)` : text;
}

/** Returns the text of anything that was thrown, at a length that is a message. It never throws itself. */
function messageOf(error) {
  return shorten(thrownText(error));
}

function thrownText(error) {
  try {
    if (typeof error === 'object' && error !== null) {
      if (typeof error.message === 'string' && error.message !== '') return error.message;
      if (error instanceof Error) return nameOf(error) === 'Error' ? NO_MESSAGE : error.name;
    }
    return textOf(error) || (error === undefined || error === null ? `${error} was thrown` : NO_MESSAGE);
  } catch {
    return UNREADABLE;
  }
}

function nameOf(error) {
  try {
    return isObject(error) && typeof error.name === 'string' && error.name !== '' ? error.name : 'Error';
  } catch {
    return 'Error';
  }
}

/** Returns the result of a call that was denied or has failed; executed says whether its function was called, where that is known. */
function refusal(text, code, executed) {
  const result = { isError: true, content: [{ type: 'text', text }] };
  if (code !== undefined) result.code = code;
  if (executed !== undefined) result.executed = executed;
  return result;
}

/** Returns the result of a call that has failed: before its function was called, unless executed says otherwise. */
function failure(message, executed = false) {
  return refusal(ERROR_PREFIX + message, undefined, executed);
}

/** The console, for all files of the glue. That of the page may be another one, which throws. */
const console = Object.fromEntries(['error', 'warn'].map((level) => [level, (...what) => {
  try {
    // Advice is for whoever looks at a page: on a server and in a worker the same code gives it once more.
    if (level === 'error' || typeof document !== 'undefined') globalThis.console[level](...what);
  } catch {
    // Nobody is left to be told.
  }
}]));
