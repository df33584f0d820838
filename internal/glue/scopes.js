// Part of class Glue: scopes and their hooks, and the plan of a tool's calls. Go
// counts hooks and puts them in order; the functions stay here. May touch scopes,
// and the hooks of each: a list is replaced, never changed.

extend(Glue, class {
  /** Sets or adds the JavaScript hooks of a scope. */
  configure(scope, hooks, replace) {
    const had = replace ? hookLists() : scope.hooks;
    scope.hooks = had.map((list, phase) => [...list, ...hooks[phase]]);
    const counts = hooks.map((list) => list.length);
    this.whenRunning(() => this.exports.webmcp_hooks(scope.number, ...counts, replace));
  }

  /** Makes a scope inside another. It is forgotten in Go together with holder, the page's own object for it. */
  scope(parent, holder) {
    const scope = { number: NO_NUMBER, hooks: hookLists(), parent };
    this.whenRunning(() => {
      scope.number = this.exports.webmcp_scope(parent?.number ?? GLOBAL_SCOPE);
      this.scopes.set(scope.number, scope);
      this.scopeEnds.register(holder, scope.number);
    });
    return scope;
  }

  /** Returns the hooks of each phase that a call of a tool runs now, in order, and the paces of those that are no observers. */
  readPlan(tool) {
    const words = new Int32Array(this.exports.mem.buffer, this.exports.webmcp_plan() >>> 0);
    let at = PHASES.length;
    const plan = PHASES.map((_, phase) => Array.from({ length: words[phase] }, () => {
      const owner = words[at++], index = words[at++];
      if (owner === GO_OWNER) return IN_GO;
      return (owner === TOOL_OWNER ? tool : this.scopes.get(owner)).hooks[phase][index];
    }));
    plan.paces = [BEFORE, AFTER].map((phase) => new Uint8Array(words[phase]));
    return plan;
  }
});
