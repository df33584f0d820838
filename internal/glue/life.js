// Part of class Glue: before Go is there, and where it never comes. May touch all
// state of the glue. running.js has what comes later.

extend(Glue, class {
  /** The JavaScript API. It may be used before the module has arrived. */
  get webmcp() {
    return (this.api ??= createAPI(this));
  }

  checkAlive() {
    if (this.dead) throw this.dead;
  }

  /** Makes the promise that the module runs. */
  promise() {
    this.ready = handled(new Promise((resolve, reject) => Object.assign(this, { resolveReady: resolve, rejectReady: reject })));
  }

  /** The module cannot be loaded. Where there is no WebMCP only who asked for it hears of that, and may ask again. */
  fail(error) {
    if (this.running) {
      this.die(error);
    } else if (this.isAlone()) {
      this.loading = undefined;
      this.rejectReady(error);
      this.promise();
    } else {
      this.stop(error);
    }
  }

  /** Drops all tools, answers the calls, refuses what comes later with this error. It never throws. */
  stop(error) {
    if (this.dead) return;
    this.running = false;
    this.dead = error;
    for (const { tool } of this.turns) quietly(() => this.refuse(tool, error));
    for (const tool of this.tools.values()) {
      tool.error = error;
      quietly(() => this.forget(tool));
    }
    for (const invocation of this.live.values()) {
      invocation.ticket = undefined; // nothing that is under way comes back
      invocation.answer(failure(messageOf(error), invocation.executed));
    }
    this.live.clear();
    quietly(() => this.desk?.stop());
    this.rejectReady(error); // if it never was
    console.error(`[webmcp] ${messageOf(error)}`, ...(error.cause === undefined ? [] : [error.cause]));
  }
});

/** Does one of several things that are all to be done, whatever the page has made of what one of them calls. */
function quietly(act) {
  try {
    act();
  } catch (error) {
    console.error('[webmcp]', error);
  }
}

/** Returns a promise whose rejection is no unhandled one, even if nobody looks at it. */
function handled(promise) {
  promise.catch(() => {});
  return promise;
}

const RUNS = Symbol.for('github.com/webmcp-wasm/webmcp runs');
