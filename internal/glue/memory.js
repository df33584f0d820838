// Part of class Glue: texts in Go's linear memory. The only file that writes
// there; scopes.js and patterns.js read there too. May touch the view of it.

const encoder = new TextEncoder();

// Up to which length a text gets room for the most that it can need. Memory never
// shrinks: a longer one is measured.
const SMALL = 1 << 14;

// Up to which length a text is written here, where it is ASCII: to call the browser takes longer.
const SHORT = 256;

/** Returns how many bytes a text has in UTF-8; only roughly where its length says which side of limit that is on. */
function bytesIn(text, limit = 0) {
  if (text.length * 3 <= limit || text.length > limit && limit > 0) return text.length;
  const piece = new Uint8Array(SMALL);
  let bytes = 0;
  for (let at = 0; at < text.length;) {
    const { read, written } = encoder.encodeInto(text.slice(at, at + SMALL), piece);
    at += read;
    bytes += written;
    if (at < text.length && text.codePointAt(at - 1) > 0xFFFF) { // the piece has ended within a character
      at--;
      bytes -= 3;
    }
  }
  return bytes;
}

extend(Glue, class {
  /** Writes a text where Go reads it, and returns its length in bytes. */
  write(text) {
    const { length } = text;
    this.checked = undefined;
    if (length <= SHORT) {
      const at = this.exports.webmcp_buffer(length) >>> 0;
      const memory = this.memory();
      let i = 0;
      for (let c; i < length && (c = text.charCodeAt(i)) < 0x80; i++) memory[at + i] = c;
      if (i === length) return length;
    }
    // Most texts are ASCII. Memory never shrinks: take more only for one that is not.
    const { read, written } = encoder.encodeInto(text, this.room(length));
    if (read === length) return written;
    return encoder.encodeInto(text, this.room(length <= SMALL ? length * 3 : bytesIn(text))).written;
  }

  /** Returns room for a text in Go. */
  room(length) {
    const address = this.exports.webmcp_buffer(length) >>> 0; // before the view is taken: memory may grow
    return this.memory().subarray(address, address + length);
  }

  /** Returns Go's memory. The view of it ends when memory grows. */
  memory() {
    if (this.view.length === 0) this.view = new Uint8Array(this.exports.mem.buffer);
    return this.view;
  }

  /** Returns the text of Go's last answer. */
  reply() {
    return this.patterns.text(this.exports.webmcp_reply(), this.exports.webmcp_reply_length());
  }
});
