// Runs before the dialog's file, which keeps what it finds. What the query asks for is in the hands of the test.
const asked = new URLSearchParams(location.search);

// hidden: the tab is hidden or not as the test says.
globalThis.hide = (hidden) => {
  Object.defineProperty(Document.prototype, 'hidden', { configurable: true, get: () => hidden });
};
if (asked.has('hidden')) {
  let hidden = false;
  Object.defineProperty(Document.prototype, 'hidden', { configurable: true, get: () => hidden });
  globalThis.hide = (now) => {
    hidden = now;
    document.dispatchEvent(new Event('visibilitychange'));
  };
  globalThis.notes = [];
  globalThis.Notification = class extends EventTarget {
    static permission = asked.get('hidden') || 'default';
    constructor(title, options) {
      super();
      this.about = { title, body: options.body, open: true };
      notes.push(this);
    }

    close() {
      this.about.open = false;
    }
  };
}

// late: nothing is armed before the test says so.
if (asked.has('late')) {
  const real = globalThis.setTimeout;
  const waiting = new Map();
  globalThis.setTimeout = (then, delay) => {
    if (delay !== 500) return real(then, delay);
    waiting.set(-waiting.size - 1, then);
    return -waiting.size;
  };
  const { clearTimeout } = globalThis;
  globalThis.clearTimeout = (id) => {
    if (!waiting.delete(id)) clearTimeout(id);
  };
  globalThis.arming = waiting;
  globalThis.armNow = () => {
    const all = [...waiting.values()];
    waiting.clear();
    for (const then of all) then();
    return all.length;
  };
}

// timers: counts what runs, and what listens to the document.
globalThis.running = new Set();
globalThis.listening = new Set();
if (asked.has('timers')) {
  for (const [name, note] of [['addEventListener', 'add'], ['removeEventListener', 'delete']]) {
    const real = EventTarget.prototype[name];
    EventTarget.prototype[name] = function (type, listener) {
      if (this === document || this === globalThis) listening[note](listener);
      real.call(this, type, listener);
    };
  }
}
for (const [start, stop] of [['setInterval', 'clearInterval'], ['setTimeout', 'clearTimeout'], ['requestAnimationFrame', 'cancelAnimationFrame']]) {
  if (!asked.has('timers')) break;
  const begin = globalThis[start], end = globalThis[stop];
  globalThis[start] = (then, delay) => {
    const id = begin((time) => {
      if (start !== 'setInterval') running.delete(start + id);
      then(time);
    }, delay);
    running.add(start + id);
    return id;
  };
  globalThis[stop] = (id) => {
    running.delete(start + id);
    end(id);
  };
}
