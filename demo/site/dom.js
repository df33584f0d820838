// Two small helpers that build the page's elements. Text always goes in as text: there is no way to pass markup.

/** Makes an element with attributes (false, null and undefined leave one out, true sets it empty) and children. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) {
      made.setAttribute(key, '');
    } else if (value !== false && value !== null && value !== undefined) {
      made.setAttribute(key, value);
    }
  }
  made.append(...children);
  return made;
}

/** A value as readable text, never throwing: what cannot be written as JSON is written as String writes it. */
export function asText(value, indent) {
  try {
    return JSON.stringify(value, null, indent) ?? String(value);
  } catch {
    return String(value);
  }
}
