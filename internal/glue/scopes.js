// Part of class Glue: scopes and their hooks. The functions stay here; Go counts them
// and puts them in order, once it is there. May touch scopes, and the hooks of each:
// a list is replaced, never changed.

extend(Glue, class {
  /** Sets or adds the JavaScript hooks of a scope, and a timeout in milliseconds (0: none is new). */
  configure(scope, hooks, replace, timeout = 0) {
    this.checkAlive();
    const had = replace ? hookLists() : scope.hooks;
    scope.hooks = had.map((list, phase) => [...list, ...hooks[phase]]);
    scope.timeout = replace || scope.timeout === 0 ? timeout : shortest(timeout || undefined, scope.timeout);
    if (this.flushed && scope.number !== NO_NUMBER) this.tell(scope, hooks, replace, timeout);
  }

  /** Makes a scope inside another; holder is the page's own object for it, which keeps it. Go hears of it with the first registration in it. */
  scope(parent, holder) {
    this.checkAlive();
    return { number: NO_NUMBER, hooks: hookLists(), timeout: 0, parent, holder: new WeakRef(holder) };
  }
});
