// What a plain function says of its contract: a name, and the names of what it
// takes. Nothing is guessed beyond what its source text says.

/** Returns the name of a function in snake case: searchProducts is search_products; '' where it has none. */
function inferName(fn) {
  return fn.name.replace(/^(bound |get |set |#)+/, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
}

/**
 * Returns the JSON Schema of a function whose one parameter is destructured: its members by name, required
 * unless they have a default, which tells the type if it is a literal. Returns undefined where the source does not say it.
 */
function inferSchema(fn) {
  const parameters = parametersOf(Function.prototype.toString.call(fn));
  if (parameters === undefined || parameters.length > 1) return undefined;
  const schema = { type: 'object', properties: Object.create(null) };
  if (parameters.length === 0) return schema;
  const members = /^\{([^]*)\}$/.exec(splitTop(parameters[0], '=')[0]);
  if (members === null) return undefined;
  const required = [];
  for (const member of splitTop(members[1])) {
    if (member.startsWith('...')) continue;
    const name = /^(?:([\p{ID_Start}$_][\p{ID_Continue}$]*)|'([^'\\]*)'|"([^"\\]*)")\s*(?:[:=]|$)/u.exec(member);
    if (name === null) return undefined; // a computed or escaped name
    const key = name[1] ?? name[2] ?? name[3];
    const [, ...fallback] = splitTop(member, '=');
    const type = fallback.length === 1 ? typeOfLiteral(fallback[0]) : undefined;
    schema.properties[key] = type === undefined ? {} : { type };
    if (fallback.length === 0) required.push(key);
  }
  if (required.length > 0) schema.required = required;
  return schema;
}

/** Returns the type of a literal in source text, as a minifier may have written it; undefined where it is none. */
function typeOfLiteral(text) {
  const last = text.length - 1;
  if (/^-?(?:\d[\d_]*\.?\d*|\.\d+|0x[\da-f]+)(?:e[+-]?\d+)?$/i.test(text)) return 'number';
  if (/^(?:true|false|!0|!1)$/.test(text)) return 'boolean';
  if (stringEnd(text, 0) === last && last > 0) return 'string';
  if ('[{'.includes(text[0]) && closing(text, 0) === last) return text[0] === '[' ? 'array' : 'object';
  return undefined;
}

/** Returns the texts of a function's parameters, or undefined where its source is not to be had. */
function parametersOf(source) {
  const text = withoutComments(source).trim();
  if (text.endsWith('{ [native code] }') || text.startsWith('class')) return undefined;
  const arrow = /^(?:async\s+)?([\p{ID_Start}$_][\p{ID_Continue}$]*)\s*=>/u.exec(text);
  if (arrow !== null) return [arrow[1]];
  const open = text.indexOf('(');
  const close = open < 0 ? -1 : closing(text, open);
  return close < 0 ? undefined : splitTop(text.slice(open + 1, close));
}

/** Returns source with its comments as blanks; strings and templates stay as they are. */
function withoutComments(source) {
  let text = '';
  for (let i = 0; i < source.length; i++) {
    if (source.startsWith('//', i)) {
      const end = source.indexOf('\n', i);
      i = end < 0 ? source.length : end;
      text += ' ';
    } else if (source.startsWith('/*', i)) {
      i = source.indexOf('*/', i) + 1;
      text += ' ';
    } else {
      const end = stringEnd(source, i);
      text += source.slice(i, end + 1);
      i = end;
    }
  }
  return text;
}

/** Returns where the string that begins at i ends; i where none does. */
function stringEnd(text, i) {
  const quote = text[i];
  if (quote !== "'" && quote !== '"' && quote !== '`') return i;
  for (let j = i + 1; j < text.length; j++) {
    if (text[j] === '\\') j++;
    else if (text[j] === quote) return j;
  }
  return text.length - 1;
}

/** Returns where the bracket that opens at i closes, or -1. */
function closing(text, i) {
  let depth = 0;
  for (let j = i; j < text.length; j++) {
    j = stringEnd(text, j);
    if ('([{'.includes(text[j])) depth++;
    else if (')]}'.includes(text[j]) && --depth === 0) return j;
  }
  return -1;
}

/** Splits a list at its outermost separators, and trims the parts; an empty last part is none. */
function splitTop(text, separator = ',') {
  const parts = [''];
  for (let i = 0; i < text.length; i++) {
    const end = '([{'.includes(text[i]) ? closing(text, i) : stringEnd(text, i);
    if (text[i] === separator && end === i) parts.push('');
    else parts[parts.length - 1] += text.slice(i, (end < 0 ? text.length : end) + 1);
    if (end < 0) break;
    i = end;
  }
  const trimmed = parts.map((part) => part.trim());
  if (trimmed.at(-1) === '') trimmed.pop();
  return trimmed;
}
