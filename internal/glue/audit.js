// The audit log: what agents have called, and what has become of it. It holds nothing that
// the agent does not know, and of that only what the policy lets be seen: noting.js says of a
// call what comes here. May touch its own entries, those who hear of them, and beacon.js.

const LOG_SIZE = 1000; // entries
const LOG_TEXT = 2000; // characters of an input or output
const MAX_LOG_SIZE = 100_000;
const MAX_LOG_TEXT = 8000;

const FILTERS = ['since', 'tool', 'outcome', 'code'];

class AuditLog {
  constructor() {
    this.size = LOG_SIZE;
    this.text = LOG_TEXT;
    this.notes = []; // a ring, once it is full
    this.oldest = 0; // in it
    this.dropped = 0;
    this.listeners = new Set();
    this.beacons = new Set();
    this.unheard = []; // notes of which no listener has heard
  }

  configure(options) {
    const { size = this.size, text = this.text } = checkOptions(options, ['size', 'text'], 'audit.configure');
    checkCount(size, 1, MAX_LOG_SIZE, 'size of audit.configure');
    checkCount(text, 0, MAX_LOG_TEXT, 'text of audit.configure');
    const notes = this.inOrder();
    this.notes = notes.slice(-size);
    this.dropped += notes.length - this.notes.length;
    this.oldest = 0;
    this.size = size;
    this.text = text;
  }

  /** Adds a call. The values are the log's own: texts, numbers, and lists that nobody changes. */
  add(note) {
    note.at = timeNow();
    if (this.notes.length < this.size) {
      this.notes[this.notes.length] = note;
    } else {
      this.notes[this.oldest] = note;
      this.oldest = (this.oldest + 1) % this.size;
      this.dropped++;
    }
    for (const beacon of this.beacons) beacon.add(note);
    if (this.listeners.size > 0 && this.unheard.push(note) === 1) soon(() => this.tell());
  }

  /** Tells listeners, when the agents have their answers. What they do changes no call. */
  tell() {
    for (const note of this.unheard.splice(0)) {
      for (const listener of [...this.listeners]) {
        const failed = (error) => console.error('[webmcp] a listener of audit.onEntry failed:', error);
        try {
          const returned = listener(entryOf(note));
          if (isThenable(returned)) follow(returned, () => {}, failed);
        } catch (error) {
          failed(error);
        }
      }
    }
  }

  onEntry(callback) {
    if (typeof callback !== 'function') throw new ConfigurationError('onEntry needs a function');
    const listener = (entry) => callback(entry);
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  send(url, options) {
    const beacon = new Beacon(url, options);
    for (const note of this.inOrder()) if (!note.isTaken) beacon.add(note);
    this.beacons.add(beacon);
    return () => {
      if (this.beacons.delete(beacon)) beacon.end();
    };
  }

  /** Sends what waits, for nobody may be here later; with isGone, nobody is. */
  flush(isGone) {
    for (const beacon of this.beacons) beacon.flush(true, isGone);
  }

  inOrder() {
    return [...this.notes.slice(this.oldest), ...this.notes.slice(0, this.oldest)];
  }

  entries(filter) {
    const { since, ...wanted } = checkOptions(filter, FILTERS, 'audit.entries');
    const from = since === undefined ? -Infinity : typeof since === 'string' ? Date.parse(since) : Number(since);
    if (Number.isNaN(from)) throw new ConfigurationError('since of audit.entries must be a time: a Date, its milliseconds, or as ISO 8601 writes it');
    const names = Object.keys(wanted);
    return Object.freeze(this.inOrder().filter((note) => note.at >= from && names.every((name) => note[name] === wanted[name])).map(entryOf));
  }

  lines(options) {
    const { format, service, ...filter } = checkOptions(options, [...FILTERS, 'format', 'service'], 'audit.lines');
    return this.entries(filter).map(writerOf(format, service).line).join('');
  }
}

/** Returns webmcp.audit. */
function auditOf(log) {
  return {
    configure: (options) => log.configure(options),
    entries: (filter) => log.entries(filter),
    lines: (options) => log.lines(options),
    onEntry: (callback) => log.onEntry(callback),
    send: (url, options) => log.send(url, options),
    get dropped() {
      return log.dropped;
    },
  };
}

function checkCount(value, least, most, what) {
  if (!Number.isSafeInteger(value) || value < least || value > most) throw new ConfigurationError(`${what} must be a whole number, from ${least} to ${most}`);
}

/** Returns the entry of a note, frozen. It is made when somebody reads it. */
function entryOf(note) {
  return (note.entry ??= deepFreeze(madeOf(note)));
}

function madeOf({ at, id, tool, outcome, code, executed, rule, rules, reports, approval, proof, took, input, output, changed, withheld }) {
  const entry = { time: new Date(at).toISOString(), id, tool, outcome, code, executed, rule, rules, reports };
  if (approval !== undefined) entry.approval = { ...approval, at: new Date(approval.at).toISOString(), proof: proof && JSON.parse(proof) };
  Object.assign(entry, { duration: Math.round(took * 10) / 10, inputBytes: sizeOf(input), outputBytes: sizeOf(output), input: input?.text, changed: changed?.text, output: output?.text, withheld });
  for (const name of Object.keys(entry)) if (entry[name] === undefined) delete entry[name];
  return entry;
}

/** Returns how many bytes a text had. One that is whole is measured when somebody wants to know. */
function sizeOf(kept) {
  return kept && (kept.bytes ?? bytesIn(kept.text));
}

/** Returns what is kept of a text: of a long one the beginning, which does not keep all of it in memory. shown is what may be seen of it. */
function keep(text, most, shown = text) {
  if (most === 0) return { text: undefined, bytes: bytesIn(text) };
  if (shown.length <= most) return { text: shown, bytes: shown === text ? undefined : bytesIn(text) };
  const begin = JSON.parse(JSON.stringify(shown.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')));
  return { text: `${begin}… (${shown.length - most} characters more)`, bytes: bytesIn(text) };
}
