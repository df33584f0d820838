// Part of class Glue: when the module is loaded, and from where, where webmcp.js does
// that (loader). In a page that loads it by itself nothing here does anything. May
// touch what says so.

const WHEN = ['auto', 'eager', 'manual'];

extend(Glue, class {
  /** Sets when the module is loaded, its address, and the hash that it must have; undefined: as it was. */
  place({ load, url, integrity }) {
    if (load !== undefined && !WHEN.includes(load)) throw new ConfigurationError(`load must be one of ${WHEN.join(', ')}, not ${textOf(load) || typeof load}`);
    for (const [what, value] of Object.entries({ integrity, url: url instanceof URL ? url.href : url })) {
      if (value !== undefined && (typeof value !== 'string' || value === '')) throw new ConfigurationError(`${what} of the module must be a text that is not empty`);
    }
    if (this.loading && (url ?? integrity) !== undefined) throw new ConfigurationError('the module is being loaded already');
    this.when = load ?? this.when;
    this.url = url ?? this.url;
    this.integrity = integrity ?? this.integrity;
    if (load === 'eager') this.load();
    else if (load === 'auto' && this.turns.size > 0) this.expect();
  }

  /** Loads the module, unless it is there or on its way. Returns the promise that it runs. */
  load() {
    const { ready } = this;
    if (this.loader !== undefined && !this.loading) {
      this.loading = true;
      this.loader(this);
      for (const { tool } of this.turns) this.show(tool);
    }
    return ready;
  }

  /** Somebody needs the module now. The page may want to say when it comes. */
  need() {
    return this.when === 'manual' ? this.ready : this.load();
  }

  /** A tool waits for the module: where agents can see it the module is loaded, as soon as the page has nothing else to do. */
  expect() {
    if (this.expecting || this.loading || this.loader === undefined) return;
    this.expecting = true;
    whenIdle(() => {
      this.expecting = false;
      const wanted = this.turns.size > 0 || this.awaited;
      if (wanted && this.when === 'auto' && isSupported()) this.load(); // a polyfill may have come meanwhile
    });
  }

  /** Returns the promise that all works that works here: that the module runs, where it will without being asked for. */
  works() {
    if (this.isAlone() && !this.loading) return Promise.resolve();
    this.awaited = true;
    this.expect();
    return this.ready;
  }
});

// How long a page that is never idle may take, in milliseconds.
const MAX_IDLE = 2000;

/** Calls back when the page has loaded and has nothing to do. */
function whenIdle(act) {
  const { readyState } = globalThis.document;
  const idle = () => (globalThis.requestIdleCallback ?? setTimeout)(act, { timeout: MAX_IDLE }); // which is no delay to setTimeout
  if (readyState === 'loading' || readyState === 'interactive') globalThis.addEventListener('load', idle, { once: true });
  else idle();
}
