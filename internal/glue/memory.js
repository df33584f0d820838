// Part of class Glue: texts in Go's linear memory. The only file that writes
// there; scopes.js and patterns.js read there too. Touches no state of the glue.

extend(Glue, class {
  /** Writes a text where Go reads it, and returns its length in bytes. */
  write(text) {
    // Most texts are ASCII. Memory never shrinks: take more only for one that is not.
    const { read, written } = this.encoder.encodeInto(text, this.room(text.length));
    if (read === text.length) return written;
    return this.encoder.encodeInto(text, this.room(text.length * 3)).written;
  }

  /** Returns room for a text in Go. */
  room(length) {
    const address = this.exports.webmcp_buffer(length) >>> 0; // before the view is made: memory may grow
    return new Uint8Array(this.exports.mem.buffer, address, length);
  }

  /** Returns the text of Go's last answer. */
  reply() {
    return this.patterns.text(this.exports.webmcp_reply(), this.exports.webmcp_reply_length());
  }
});
