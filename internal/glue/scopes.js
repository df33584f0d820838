// Part of class Glue: scopes and their hooks. The functions stay here; Go counts them
// and puts them in order, once it is there. May touch scopes, and the hooks of each:
// a list is replaced, never changed.

extend(Glue, class {
  /** Sets or adds the JavaScript hooks of a scope. */
  configure(scope, hooks, replace) {
    this.checkAlive();
    scope.hooks = replace ? hooks : joinLists(scope.hooks, hooks);
    if (this.flushed && scope.number !== NO_NUMBER) this.tell(scope, hooks, replace);
  }

  /** Makes a scope inside another; holder is the page's own object for it, which keeps it. Go hears of it with the first registration in it. */
  scope(parent, holder) {
    this.checkAlive();
    return { number: NO_NUMBER, hooks: hookLists(), parent, holder: new WeakRef(holder) };
  }
});
