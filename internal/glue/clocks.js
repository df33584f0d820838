// Part of class Glue: has calls expire whose time is used up. All of them share one timer: to
// set and clear one for each takes the browser longer than all else that a limit costs.
// May touch the deadlines of calls.

extend(Glue, class {
  /** Has a call expire at a time of the page's clock, unless stopClock is called before. */
  startClock(invocation, deadline) {
    this.deadlines.set(invocation, deadline);
    if (deadline < this.nextDeadline) this.awaitDeadline(deadline);
  }

  stopClock(invocation) {
    this.deadlines.delete(invocation);
  }

  awaitDeadline(deadline) {
    stopTimer(this.timer);
    this.nextDeadline = deadline;
    this.timer = startTimer(() => this.expireCalls(), Math.min(deadline - clock(), MAX_TIMER));
  }

  /** Has the calls expire whose time is used up, and waits for the next one. */
  expireCalls() {
    const now = clock();
    let next = Infinity;
    for (const [invocation, deadline] of [...this.deadlines]) {
      if (deadline > now) next = Math.min(next, deadline);
      else if (this.deadlines.delete(invocation)) invocation.expire(); // else one that has expired before it has ended it
    }
    this.nextDeadline = Infinity;
    for (const deadline of this.deadlines.values()) next = Math.min(next, deadline); // those that have come meanwhile
    if (next < Infinity) this.awaitDeadline(next);
  }
});

const MAX_TIMER = 2 ** 31 - 1; // milliseconds, that a timer of the browser takes

// All that takes time takes it from here: time is the page's globalThis, or what webmcp-wasm/testing has in its place.
const startTimer = (act, ms) => time.setTimeout(act, ms);
const stopTimer = (timer) => time.clearTimeout(timer);

// As they were when this file was loaded: no script makes the time of limits go faster.
const { performance } = time;
const { now: nowOf } = performance;
const { now: timeNow } = time.Date;

/** The page's clock, which never goes back, in milliseconds. */
const clock = () => apply(nowOf, performance, []);
