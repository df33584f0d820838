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

/** Returns the AbortError that error hooks see for an aborted signal; its cause is the signal's reason. */
function abortError({ reason }) {
  // An agent that cancels gives no reason but the browser's generic one.
  const generic = reason === undefined || (reason instanceof DOMException && reason.name === 'AbortError');
  const text = generic ? 'the agent cancelled the call' : `the call was aborted: ${messageOf(reason)}`;
  return Object.assign(new DOMException(text, 'AbortError'), { cause: reason });
}

/** Returns the text of anything that was thrown. It never throws itself. */
function messageOf(error) {
  try {
    if (typeof error === 'object' && error !== null) {
      if (typeof error.message === 'string' && error.message !== '') return error.message;
      if (typeof error.name === 'string' && error instanceof Error) return error.name;
    }
    return error === undefined || error === null ? `${error} was thrown` : textOf(error);
  } catch {
    return 'an error that cannot be read';
  }
}

function nameOf(error) {
  try {
    return isObject(error) && typeof error.name === 'string' ? error.name : 'Error';
  } catch {
    return 'Error';
  }
}
