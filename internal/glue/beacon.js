// Sends entries of the audit log to a server, by navigator.sendBeacon, which works also when
// the page is left, and never lets anybody wait. May touch what waits to be sent.

const BEACON_ENTRIES = 50; // in one beacon, at the most
const BEACON_BYTES = 60_000; // browsers take 64 KiB, in all beacons that are under way
const BEACON_WAIT = 2000; // milliseconds in which entries gather
const BEACON_ROOM = 1000; // entries that may wait
const MAX_BEACON_WAIT = 60_000;

// As it was when this file was loaded.
const { sendBeacon } = globalThis.Navigator?.prototype ?? {};

class Beacon {
  constructor(url, options) {
    const { format, service, wait = BEACON_WAIT, room = BEACON_ROOM } = checkOptions(options, ['format', 'service', 'wait', 'room'], 'audit.send');
    checkCount(wait, 0, MAX_BEACON_WAIT, 'wait of audit.send');
    checkCount(room, 1, MAX_LOG_SIZE, 'room of audit.send');
    try {
      if (typeof url !== 'string' && !(url instanceof URL)) throw new TypeError('it is no text');
      this.url = new URL(url, document.baseURI).href;
    } catch (cause) {
      throw new ConfigurationError(`audit.send needs an address, not ${textOf(url) || typeof url}`, { cause });
    }
    this.writer = writerOf(format, service);
    this.wait = wait;
    this.room = room;
    this.notes = []; // that wait
    this.lost = 0; // for which there was no room
    this.pause = wait; // until the next attempt
    this.clock = undefined;
    this.isDue = false; // at once
    this.hasEnded = false;
  }

  add(note) {
    note.isTaken = true;
    this.notes.push(note);
    if (this.notes.length > this.room) {
      this.notes.shift();
      if (++this.lost === 1) console.error(`[webmcp] audit.send has no room for more than ${this.room} entries, and loses the oldest: ${this.url} takes none`);
    }
    this.expect(this.notes.length >= BEACON_ENTRIES && this.pause === this.wait ? 0 : this.pause);
  }

  /** Sends after a while, when the page has nothing else to do. */
  expect(wait) {
    if (this.clock !== undefined && (wait > 0 || this.isDue)) return;
    stopTimer(this.clock);
    this.isDue = wait === 0;
    this.clock = startTimer(() => {
      const send = () => {
        this.clock = undefined;
        this.flush();
      };
      if (typeof requestIdleCallback === 'function') requestIdleCallback(send, { timeout: 1000 });
      else send();
    }, wait);
  }

  /** Sends what waits, as far as the browser takes it: what it has taken is not sent again. isLast: there may be no later attempt; isGone: there is none. */
  flush(isLast = false, isGone = false) {
    let most = BEACON_ENTRIES;
    while (this.notes.length > 0) {
      const { count, body } = this.batch(most);
      if (this.post(body, isGone)) {
        this.notes.splice(0, count);
        this.pause = this.wait;
        continue;
      }
      // Others may have filled what the browser lets be under way: when the page ends, less of it may still fit.
      if (!isLast || count === 1) {
        this.pause = Math.min(Math.max(this.pause * 2, BEACON_WAIT), MAX_BEACON_WAIT);
        if (!this.hasEnded) this.expect(this.pause);
        return;
      }
      most = Math.ceil(count / 2);
    }
  }

  /** Returns the oldest entries, as many as fit into one beacon, and its body. */
  batch(most) {
    let count = 0, bytes = 0;
    const entries = [];
    for (const note of this.notes.slice(0, most)) {
      let entry = entryOf(note);
      let length = this.lengthOf(entry);
      if (length > BEACON_BYTES) {
        entry = withoutTexts(entry);
        length = this.lengthOf(entry);
      }
      bytes += length;
      if (count > 0 && bytes > BEACON_BYTES) break;
      entries.push(entry);
      count++;
    }
    return { count, body: this.writer.all(entries) };
  }

  lengthOf(entry) {
    return bytesIn(this.writer.line(entry));
  }

  post(body, isGone) {
    const { navigator } = globalThis;
    if (navigator.onLine === false && !isGone) return false;
    try {
      return apply(sendBeacon, navigator, [this.url, new Blob([body], { type: this.writer.type })]);
    } catch (error) {
      console.error(`[webmcp] audit.send cannot send to ${this.url}:`, error);
      return false;
    }
  }

  end() {
    this.hasEnded = true;
    this.flush(true, true);
    stopTimer(this.clock);
  }
}

/** Returns an entry without what makes it too large to be sent. */
function withoutTexts({ input, output, changed, approval, withheld = [], ...entry }) {
  const left = Object.entries({ input, output, changed, proof: approval?.proof }).filter(([, value]) => value !== undefined).map(([name]) => name);
  return { ...entry, ...(approval && { approval: { ...approval, proof: undefined } }), withheld: [...withheld, ...left] };
}
