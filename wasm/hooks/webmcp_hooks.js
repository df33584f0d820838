// Hooks for what pages do again and again. Each function returns hooks, for the option `hooks` of a tool, of a scope or of
// webmcp.configure, and for mergeHooks. The file needs no other: it works beside both forms of the library, does nothing
// when it is imported, and a bundler keeps only what is used. hooks in Go has the same, under the same names.

// --------------------------------------------------------------------- limits

const SPANS = { s: [1000, 'a second'], min: [60_000, 'a minute'], h: [3_600_000, 'an hour'] };

/**
 * Lets so many calls through in any second, minute or hour, wherever that begins: '30/min'. Each tool is counted alone, or
 * with {of: 'all'} all of them together. A call that is refused does not count, and one that comes here twice counts once.
 */
export function rateLimit(rate, options) {
  const { of = 'tool' } = checked(options, ['of'], 'rateLimit');
  if (of !== 'tool' && of !== 'all') throw new TypeError("of must be 'tool' or 'all'");
  const [, digits, unit] = typeof rate === 'string' && /^([1-9]\d{0,4})\/(s|min|h)$/.exec(rate) || [];
  if (unit === undefined) throw new TypeError("a rate must be a text such as '30/min', with s, min or h and up to five digits");
  const limit = Number(digits);
  const [span, within] = SPANS[unit];
  const allowed = `${limit} ${limit === 1 ? 'call' : 'calls'} ${within} ${of === 'all' ? 'of these tools' : 'of this tool'}`;

  const windows = new Map(); // by tool: when the calls were that count
  let room = 64; // for so many windows, until those are forgotten in which nothing counts
  let now = 0;
  const counted = new WeakSet(); // the metadata of calls

  const limitRate = ({ tool, metadata }) => {
    if (counted.has(metadata)) return undefined;
    const time = performance.now();
    if (time > now && time < Infinity) now = time; // a clock that goes back lets nothing through twice
    const name = of === 'all' ? '' : tool.tool.name;
    let window = windows.get(name);
    if (window === undefined) {
      if (windows.size >= room) {
        for (const [other, { last }] of windows) if (last + span <= now) windows.delete(other);
        room = 2 * windows.size + 64;
      }
      window = { times: [], oldest: 0, last: 0 };
      windows.set(name, window);
    }
    const { times, oldest } = window;
    if (times.length === limit) { // from here on, a ring
      const wait = times[oldest] + span - now;
      if (wait > 0) {
        return { action: 'deny', code: 'RATE_LIMITED', message: `the limit is ${allowed}. Try again in ${Math.ceil(wait / 1000)} s` };
      }
      times[oldest] = now;
      window.oldest = (oldest + 1) % limit;
    } else {
      times.push(now);
    }
    window.last = now;
    if (isObject(metadata)) counted.add(metadata);
    return undefined;
  };
  return { before: [limitRate] };
}

/**
 * Ends calls that take longer: a number of milliseconds, or a text such as '20s', with ms, s, min or h. Of several
 * time-outs the shortest holds, and so it is when hooks are merged.
 */
export function timeout(limit) {
  let ms = limit;
  if (typeof limit === 'string') {
    const [, digits, unit] = /^([1-9]\d{0,5})(ms|s|min|h)$/.exec(limit) ?? [];
    ms = unit === 'ms' ? Number(digits) : digits * SPANS[unit]?.[0];
  }
  if (!Number.isSafeInteger(ms) || ms < 1 || ms >= 2 ** 31) {
    throw new TypeError("a time-out must be a whole number of milliseconds from 1 to 2147483647, or a text such as '20s', with ms, s, min or h");
  }
  return { timeout: ms };
}

// -------------------------------------------------------------- authorisation

/**
 * Denies calls unless a function says true of them: anything else denies, and so does a throw. The function gets what
 * hooks get. {role: 'admin'} instead is about the option `context`, an object or a function that returns one: each
 * member must be that value or one of several, {role: ['admin', 'clerk']}; or it is an array, and has one.
 */
export function require(allowed, options) {
  const {
    code = 'FORBIDDEN', message = 'this user may not do that. Trying again will not help: tell the user', context,
  } = checked(options, ['code', 'message', 'context'], 'require');
  for (const text of [code, message]) if (typeof text !== 'string' || text === '') throw new TypeError('code and message must be texts');
  let allows = allowed;
  if (typeof allowed !== 'function') {
    const wanted = wantedOf(allowed);
    if (!isObject(context) && typeof context !== 'function') throw new TypeError('require needs the option context: an object, or a function that returns one');
    allows = typeof context === 'function'
      ? (call) => whenSettled(context(call), (found) => fits(found, wanted))
      : () => fits(context, wanted);
  } else if (context !== undefined) {
    throw new TypeError('context is for require({role: ...}), and not for a function');
  }
  const judge = (said) => (said === true ? undefined : { action: 'deny', code, message });

  const requireAllowed = (call) => {
    const fail = (error) => {
      if (!call.signal?.aborted) complain('what require asks has failed, and so the call is denied:', error);
      return judge(false);
    };
    try {
      const said = allows(call);
      return isThenable(said) ? Promise.resolve(said).then(judge).catch(fail) : judge(said);
    } catch (error) {
      return fail(error);
    }
  };
  return { before: [requireAllowed] };
}

/** Returns what is wanted of a context: [member, [one of these]]. */
function wantedOf(members) {
  const wanted = isPlain(members) ? Object.entries(members).map(([name, value]) => [name, Array.isArray(value) ? [...value] : [value]]) : [];
  const isWanted = (value) => typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
  if (wanted.length === 0 || !wanted.every(([, values]) => values.length > 0 && values.every(isWanted))) {
    throw new TypeError("require needs a function, or an object such as {role: 'admin'}, of texts, numbers, true and false, or arrays of these");
  }
  return wanted;
}

function fits(context, wanted) {
  return isObject(context) && wanted.every(([name, values]) => {
    if (name in Object.prototype && !Object.hasOwn(context, name)) return false; // every object has that
    const value = context[name];
    return Array.isArray(value) ? value.some((item) => values.includes(item)) : values.includes(value);
  });
}

// ----------------------------------------------------------------- enrichment

/**
 * Adds members to the input, in place of what the agent has sent under their names: an object, or a function that gets
 * what hooks get and returns one, or nothing. The call fails where the input is no plain object. Plain objects and arrays
 * are copied, each time: what a tool does to its input changes nothing here.
 */
export function enrich(values) {
  if (typeof values !== 'function' && !isPlain(values)) throw new TypeError('enrich needs a plain object, or a function that returns one');
  const kept = typeof values === 'function' ? undefined : copyOf(values);
  const enrichInput = (call) => whenSettled(kept ?? values(call), (more) => {
    if (more === undefined || more === null) return undefined;
    if (!isPlain(more)) throw new TypeError('the function of enrich must return a plain object, or nothing');
    if (!isPlain(call.input)) throw new TypeError('enrich cannot add to an input that is no plain object');
    return { input: { ...call.input, ...copyOf(more) } };
  });
  return { before: [enrichInput] };
}

/** Returns a copy of a value, as deep as that consists of plain objects and arrays; all else in it is the same. */
function copyOf(value, copies = new Map()) {
  const isList = Array.isArray(value);
  if (!isList && !isPlain(value)) return value;
  if (copies.has(value)) return copies.get(value);
  const copy = isList ? [] : {};
  copies.set(value, copy);
  for (const name of Object.keys(value)) {
    Object.defineProperty(copy, name, { value: copyOf(value[name], copies), enumerable: true, configurable: true, writable: true });
  }
  return copy;
}

// --------------------------------------------------------------------- timing

/**
 * Calls back with how long each call took, from this before hook on: {tool, invocationId, phase, ms, code}. phase is where
 * it was measured: 'after', 'error' or 'denied', of which the last has the code of the denial, too. What ended before it
 * got here has taken 0. Nobody waits for the callback, and what it throws is only logged. Each call is told once.
 */
export function timing(callback) {
  if (typeof callback !== 'function') throw new TypeError('timing needs a function');
  const begun = new WeakMap(); // the metadata of a call -> when it came here, or undefined: it was told
  const failed = (error) => complain('the callback of timing has failed:', error);
  const tell = (phase, { tool, invocationId, metadata, code }) => {
    const start = begun.get(metadata);
    if (start === undefined && begun.has(metadata)) return;
    begun.set(metadata, undefined);
    const ms = performance.now() - start;
    try {
      const told = callback({ tool, invocationId, phase, ms: ms > 0 && ms < Infinity ? ms : 0, code });
      if (isThenable(told)) Promise.resolve(told).catch(failed);
    } catch (error) {
      failed(error);
    }
  };
  return {
    before: [({ metadata }) => { if (!begun.has(metadata)) begun.set(metadata, performance.now()); }],
    after: [(call) => tell('after', call)],
    error: [(call) => tell('error', call)],
    denied: [(call) => tell('denied', call)],
  };
}

// ---------------------------------------------------------------------- audit

/**
 * Calls back with an entry for each call once it has ended, in the form of webmcp.audit: what the agent has sent, as this
 * before hook sees it, and what this after hook sees of the output, or the text of the denial or failure. redact masks both,
 * as the function of that name does; what it cannot read is left out and listed in withheld. Of each text, so many characters
 * are kept as the option text says; 0 is none. The callback's second argument is what was thrown, of a call that has failed,
 * and masked nowhere. Nobody waits for it, and what it throws is only logged. Each call is told once.
 */
export function audit(callback, options) {
  if (typeof callback !== 'function') throw new TypeError('audit needs a function');
  const { redact: rules, text: most = 2000 } = checked(options, ['redact', 'text'], 'audit');
  if (!Number.isSafeInteger(most) || most < 0) throw new TypeError('text of audit must be a whole number of characters');
  const root = rules === undefined ? undefined : rootOf(rules, 'redact of audit');
  const begun = new WeakMap(); // the metadata of a call -> {start, sent}, or undefined: it was told
  const failed = (error) => complain('the callback of audit has failed:', error);
  const tell = (call, ended, answer) => {
    const { tool, invocationId, metadata } = call;
    const { start = performance.now(), sent } = begun.get(metadata) ?? {};
    if (begun.has(metadata) && begun.get(metadata) === undefined) return;
    begun.set(metadata, undefined);
    try {
      const withheld = [];
      const input = kept('input', () => sent ?? jsonOf(call.input), (text) => redactedOutermost(treeOf(text), [root]));
      const output = kept('output', answer.say, answer.mask);
      const entry = {
        time: new Date().toISOString(), id: invocationId, tool: tool.tool.name, ...ended, ...decidedBy(metadata), duration: Math.round(10 * (performance.now() - start)) / 10,
        inputBytes: input.bytes, outputBytes: output.bytes, input: input.text, output: output.text,
      };
      if (withheld.length > 0) entry.withheld = Object.freeze(withheld);
      for (const name of Object.keys(entry)) if (entry[name] === undefined) delete entry[name];
      const told = callback(Object.freeze(entry), call.error);
      if (isThenable(told)) Promise.resolve(told).catch(failed);

      function kept(what, say, mask) {
        let bytes;
        try {
          const text = say();
          bytes = new TextEncoder().encode(text).length;
          return { bytes, text: most === 0 ? undefined : cut(root === undefined ? text : mask(text), most) };
        } catch {
          withheld.push(what);
          return { bytes };
        }
      }
    } catch (error) {
      failed(error);
    }
  };
  const unread = () => { throw unreadable(); }; // it may quote what is to be masked
  return {
    before: [({ input, metadata }) => {
      if (begun.has(metadata)) return;
      let sent;
      try {
        sent = JSON.stringify(input);
      } catch {
        // It has no JSON, and is left out.
      }
      begun.set(metadata, { start: performance.now(), sent });
    }],
    after: [(call) => tell(call, { outcome: 'ok', executed: true }, {
      say: () => answerOf(call.output),
      mask: () => answerOf(call.output === undefined ? undefined : redactedOutput(call.output, root)),
    })],
    error: [(call) => {
      const name = call.error?.name;
      tell(call, { outcome: name === 'AbortError' ? 'aborted' : 'error', code: name === 'TimeoutError' ? 'TIMEOUT' : undefined }, { say: () => `Error: ${call.message}`, mask: unread });
    }],
    denied: [(call) => {
      const { reason, code, rule } = call;
      tell(call, { outcome: 'denied', code, executed: false, rule }, { say: () => `Denied: ${reason}`, mask: rule === undefined ? unread : (text) => text });
    }],
  };
}

/** Returns who has decided about a call, and how, where somebody has. */
function decidedBy({ approval }) {
  const { decision, how, at, waited, edited, digest } = Object(approval);
  return typeof at === 'number' ? { approval: Object.freeze({ decision, how, at: new Date(at).toISOString(), waited, edited, digest }) } : {};
}

/** Returns what an agent reads of an output: of a result that is one text that, of another one its JSON. */
function answerOf(output) {
  if (output === undefined || output === null) return '';
  if (typeof output === 'string') return output;
  const { content, ...more } = output;
  const isText = Array.isArray(content) && content.length === 1 && typeof content[0]?.text === 'string' && Object.keys(more).length === 0;
  return isText ? content[0].text : jsonOf(output);
}

/** Returns a text of so many characters at the most, with a mark where it is cut. */
function cut(text, most) {
  return text.length <= most ? text : `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')}… (${text.length - most} characters more)`;
}

// ------------------------------------------------------------------ redaction

const MASKS = ['remove', 'full', 'email', 'last4', 'hash'];
const STARS = '***';
const DEEPEST = 1000; // levels of lists and objects, as in Go

/**
 * Masks what agents are not to read of an output: {'/email': 'email', '/cards/*': 'last4', '/notes': 'remove'}. The names
 * are JSON Pointers, in which * is every member or item; the masks are those of policies. Output, structuredContent and
 * text that is JSON are masked alike. An output that cannot be read as JSON fails the call.
 */
export function redact(rules) {
  const root = rootOf(rules, 'redact');
  return { after: [({ output }) => (output === undefined ? undefined : { output: redactedOutput(output, root) })] };
}

/** Returns a copy of an output, masked. Throws for what cannot be read. */
function redactedOutput(output, root) {
  const tree = treeOf(jsonOf(output));
  if (isResult(tree)) return JSON.parse(redactedResult(tree, root));
  const text = redactedOutermost(tree, [root]);
  const becomesResult = tree instanceof Map && tree.has('content') && isResult(treeOf(text));
  return becomesResult ? text : JSON.parse(text); // what was no result does not become one
}

/** Returns where the pointers of rules begin. */
function rootOf(rules, what) {
  const branch = () => ({ named: new Map(), each: undefined, mask: undefined }); // where pointers have come
  const root = branch();
  const given = isPlain(rules) ? Object.entries(rules) : [];
  if (given.length === 0) throw new TypeError(`${what} needs an object such as {'/email': 'email'}`);
  for (const [pointer, mask] of given) {
    if (!/^\/(?:[^~]|~[01])*$/.test(pointer)) throw new TypeError(`${pointer} is no JSON Pointer: write '/email', or '/cards/*/number' for each of a list`);
    if (!MASKS.includes(mask)) throw new TypeError(`the mask of ${pointer} must be one of ${MASKS.join(', ')}`);
    let at = root;
    for (const token of pointer.slice(1).split('/')) {
      const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
      const next = (token === '*' ? at.each : at.named.get(name)) ?? branch();
      if (token === '*') at.each = next;
      else at.named.set(name, next);
      at = next;
    }
    at.mask = stricter(at.mask, mask);
  }
  return root;
}

/** Returns the mask that hides what either of two hides. */
function stricter(a, b) {
  if (a === b || b === undefined) return a;
  if (a === undefined) return b;
  return a === 'remove' || b === 'remove' ? 'remove' : 'full';
}

/** Returns where pointers have come behind a token, and how the value there is masked. */
function descend(at, token) {
  const next = [];
  let mask;
  for (const { named, each } of at) {
    for (const branch of [named.get(token), each]) {
      if (branch === undefined) continue;
      next.push(branch);
      mask = stricter(mask, branch.mask);
    }
  }
  return { next, mask };
}

// JSON is read as a tree: an object is a Map, which keeps the order of its members, an array is one, and all else is the
// text that stands for it, since JavaScript would round numbers. Nothing is passed on as it was written: there may be two
// members of one name, of which the last counts.

/** Returns the tree of a JSON text. Throws for what is none. */
function treeOf(text) {
  try {
    JSON.parse(text);
  } catch {
    throw unreadable(); // that error would quote the text
  }
  let holder = [];
  let name; // that has been read, and its value not
  const outer = []; // what is open around the holder
  const put = (node) => {
    if (Array.isArray(holder)) {
      holder.push(node);
    } else if (name === undefined) {
      name = textOf(node);
    } else {
      holder.delete(name);
      holder.set(name, node);
      name = undefined;
    }
  };
  for (let i = 0; i < text.length;) {
    const from = i++;
    switch (text[from]) {
      case ' ': case '\t': case '\n': case '\r': case ',': case ':':
        break;
      case '{': case '[': {
        const inner = text[from] === '{' ? new Map() : [];
        put(inner);
        if (outer.push(holder) > DEEPEST) throw unreadable();
        holder = inner;
        break;
      }
      case '}': case ']':
        holder = outer.pop();
        break;
      case '"': {
        let slashes;
        do { // up to a quote that is none of the text
          i = text.indexOf('"', i) + 1;
          slashes = i - 2;
          while (text[slashes] === '\\') slashes--;
        } while ((i - slashes) % 2 === 1);
        put(text.slice(from, i));
        break;
      }
      default:
        while (i < text.length && !' \t\n\r,]}'.includes(text[i])) i++;
        put(finite(text.slice(from, i)));
    }
  }
  return holder[0];
}

/** Returns a number, as it is written, or what is none. Throws where it is larger than numbers can be. */
function finite(node) {
  if (Math.abs(node) === Infinity) throw unreadable();
  return node;
}

/** Returns the JSON of an output. Throws for what has none, or one that says something else. */
function jsonOf(output) {
  const text = JSON.stringify(output, (_, value) => {
    if (isObject(value) && !Array.isArray(value) && Object.prototype.toString.call(value) !== '[object Object]') throw unreadable(); // a Map, say
    return value;
  });
  if (text === undefined) throw unreadable();
  return text;
}

function unreadable() {
  return new TypeError('the output is not JSON, and so cannot be redacted');
}

function isText(node) {
  return node?.[0] === '"';
}

/** Returns what a JSON text stands for. */
function textOf(node) {
  return node.includes('\\') ? wellFormed(JSON.parse(node)) : node.slice(1, -1);
}

/** Returns a text that UTF-8 can say. */
function wellFormed(text) {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}

/** Reports whether an output is a result already: content items that each have a type. */
function isResult(tree) {
  const content = tree instanceof Map ? tree.get('content') : undefined;
  return Array.isArray(content) && content.every((item) => item instanceof Map && isText(item.get('type'))
    && (textOf(item.get('type')) !== 'text' || isText(item.get('text'))));
}

/** Returns the JSON of a result, of which the texts of its content, and all else that it has for programs, are masked alike. */
function redactedResult(result, root) {
  return written(result, (name, node) => {
    switch (name) {
      case 'isError': case 'code': case 'executed': // how the call has ended
        return plain(node);
      case 'content':
        return written(node, (_, item) => redactedItem(item, root));
      case 'structuredContent':
        return redactedOutermost(node, [root]);
    }
    const { next, mask } = descend([root], name); // pointers may begin at the result, or at what is in it
    return mask === undefined ? redactedOutermost(node, [...next, root]) : masked(node, mask);
  });
}

/** Returns the JSON of an item of a content. Only texts can be read. */
function redactedItem(item, root) {
  if (textOf(item.get('type')) !== 'text') throw unreadable();
  return written(item, (name, node) => (name === 'type' ? plain(node) : redactedOutermost(node, [root])));
}

/** Returns the JSON of a value with which pointers begin. A text there is JSON again, and an empty one is nothing. */
function redactedOutermost(node, at) {
  if (!isText(node)) return redacted(node, at);
  const text = textOf(node);
  return text === '' ? node : JSON.stringify(redactedOutermost(treeOf(text), at));
}

/** Returns the JSON of a value, masked where pointers lead that have come here. */
function redacted(node, at) {
  return at.length === 0 ? plain(node) : written(node, (token, value) => {
    const { next, mask } = descend(at, token);
    return mask === undefined ? redacted(value, next) : masked(value, mask);
  });
}

/** Returns the JSON of a value as it is. */
function plain(node) {
  return written(node, (_, value) => plain(value));
}

/** Returns the JSON of a value, with its members and items as inner writes them; undefined leaves one out. */
function written(node, inner) {
  let all = '';
  if (Array.isArray(node)) {
    for (let i = 0; i < node.length; i++) {
      const text = inner(String(i), node[i]);
      if (text !== undefined) all += all === '' ? text : `,${text}`;
    }
    return `[${all}]`;
  }
  if (!(node instanceof Map)) return node.includes('\\') ? JSON.stringify(textOf(node)) : node;
  for (const [name, value] of node) {
    const text = inner(name, value);
    if (text !== undefined) all += `${all === '' ? '' : ','}${JSON.stringify(name)}:${text}`;
  }
  return `{${all}}`;
}

/** Returns the JSON of what stands in place of a value; undefined for nothing. */
function masked(node, mask) {
  if (mask === 'remove') return undefined;
  return JSON.stringify(mask === 'hash' ? hashed(plain(node)) : instead(node, mask));
}

function instead(node, mask) {
  let text = '';
  if (isText(node)) text = textOf(node);
  else if (mask === 'last4' && typeof node === 'string' && /^[-\d]/.test(node)) text = node; // a list of numbers begins like one
  if (mask === 'email') {
    const at = text.lastIndexOf('@');
    if (at < 1 || at + 1 === text.length || /[ \t\r\n<>,;]/.test(text)) return STARS; // no address
    const [first] = text;
    return (first.length < at ? first : '') + STARS + text.slice(at);
  }
  const characters = mask === 'last4' ? [...text] : [];
  return characters.length < 8 ? STARS : STARS + characters.slice(-4).join('');
}

let key; // of hashes: nobody knows it, and so nobody finds a value by trying

/** Returns a short text that is the same for the same text as long as the page is there: SipHash-2-4 (Aumasson and Bernstein, 2012). */
function hashed(text) {
  key ??= new DataView(crypto.getRandomValues(new Uint8Array(16)).buffer);
  const bytes = new TextEncoder().encode(text);
  const words = new DataView(new ArrayBuffer((bytes.length >> 3) * 8 + 8));
  new Uint8Array(words.buffer).set(bytes);
  words.setUint8(words.byteLength - 1, bytes.length);
  const v = Uint32Array.of( // four words of 64 bits, the lower half of each first
    0x70736575, 0x736f6d65, 0x6e646f6d, 0x646f7261, 0x6e657261, 0x6c796765, 0x79746573, 0x74656462,
  ).map((half, i) => half ^ key.getUint32((i & 3) * 4, true));
  for (let i = 0; i < words.byteLength; i += 8) {
    const low = words.getUint32(i, true), high = words.getUint32(i + 4, true);
    v[6] ^= low;
    v[7] ^= high;
    sipRounds(v, 2);
    v[0] ^= low;
    v[1] ^= high;
  }
  v[4] ^= 0xff;
  sipRounds(v, 4);
  const half = (i) => (v[i] ^ v[i + 2] ^ v[i + 4] ^ v[i + 6]) >>> 0;
  return `#${[half(1), half(0)].map((n) => n.toString(16).padStart(8, '0')).join('')}`;
}

function sipRounds(v, count) {
  const add = (a, b) => {
    const low = v[a] + v[b];
    v[a] = low;
    v[a + 1] += v[b + 1] + (low > 0xffffffff ? 1 : 0);
  };
  const turn = (a, bits) => { // by fewer than 32
    const low = v[a];
    v[a] = low << bits | v[a + 1] >>> (32 - bits);
    v[a + 1] = v[a + 1] << bits | low >>> (32 - bits);
  };
  const swap = (a) => { // which turns by 32
    const low = v[a];
    v[a] = v[a + 1];
    v[a + 1] = low;
  };
  const step = (a, b, bits) => {
    add(a, b);
    turn(b, bits);
    v[b] ^= v[a];
    v[b + 1] ^= v[a + 1];
  };
  for (let i = 0; i < count; i++) {
    step(0, 2, 13);
    swap(0);
    step(4, 6, 16);
    step(0, 6, 21);
    step(4, 2, 17);
    swap(4);
  }
}

// --------------------------------------------------------------------- shared

/** Returns options. One that is not known is an error: it may have been meant to restrict something. */
function checked(options, known, what) {
  const given = options ?? {};
  if (!isObject(given)) throw new TypeError(`the options of ${what} must be an object`);
  for (const name of Object.keys(given)) {
    if (!known.includes(name)) throw new TypeError(`${what} has no option ${name}: there is ${known.join(', ')}`);
  }
  return given;
}

function isObject(value) {
  return typeof value === 'object' && value !== null;
}

/** Reports whether a value is an object of no class. */
function isPlain(value) {
  if (!isObject(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function isThenable(value) {
  return typeof value?.then === 'function';
}

/** Uses a value, or what it settles to. */
function whenSettled(value, use) {
  return isThenable(value) ? Promise.resolve(value).then(use) : use(value);
}

function complain(text, error) {
  try {
    console.error(`[webmcp] ${text}`, error);
  } catch {
    // The console of a page may throw, as in test set-ups.
  }
}
