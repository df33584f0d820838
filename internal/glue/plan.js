// Part of class Glue: what Go knows of scopes, and the plan of a tool's calls, which it
// makes of that. May touch the numbers of scopes; their hooks it only reads.

const APPROVALS = PHASES.length; // where lists of hooks by phase have the approvals

extend(Glue, class {
  /** Tells Go how many hooks and approvals, and which timeout, are new in a scope, or all that it has. Those of Go in it stay. */
  tell({ number }, hooks, replace) {
    this.expectApprovals(hooks);
    this.exports.webmcp_hooks(number, ...hooks.map((list) => list.length), replace, hooks.timeout);
  }

  /** Returns the number of a scope in Go (undefined: of none), which is forgotten there together with its holder. */
  numberOf(scope) {
    if (scope === undefined) return GLOBAL_SCOPE;
    if (scope.number === NO_NUMBER) {
      scope.number = this.exports.webmcp_scope(this.numberOf(scope.parent));
      this.scopes.set(scope.number, scope);
      this.scopeEnds.register(scope.holder.deref(), scope.number); // it is there: whoever registers has it
      this.tell(scope, scope.hooks, true);
    }
    return scope.number;
  }

  /**
   * Returns the hooks of each phase that a call of a tool runs now, in order, and behind them what decides about approval;
   * the paces of those that are no observers, as timeout the milliseconds that it may take, or 0, as effects what rules
   * of a policy do to each call, undefined where none is about the tool, and whether calls may have to be in the audit log,
   * and masked there. number is that of the call for which it is new.
   */
  readPlan(tool, number) {
    const words = new Int32Array(this.exports.mem.buffer, this.exports.webmcp_plan() >>> 0);
    const [timeout, ruled, ...counts] = words.subarray(0, 3 + PHASES.length);
    let at = 3 + PHASES.length;
    const plan = [...PHASES, 'approval'].map((_, phase) => Array.from({ length: counts[phase] }, () => {
      const owner = words[at++], index = words[at++];
      if (owner === GO_OWNER) return IN_GO;
      return (owner === TOOL_OWNER ? tool : this.scopes.get(owner)).hooks[phase][index];
    }));
    plan.paces = [BEFORE, AFTER].map((phase) => new Uint8Array(counts[phase]));
    plan.timeout = timeout;
    plan.logs = (ruled & PLAN_LOGS) !== 0;
    plan.masks = (ruled & PLAN_MASKS) !== 0;
    // Last: Go may need more memory for what it says, and words are gone then.
    plan.effects = ruled & PLAN_RULED ? this.effectsOf(number) : undefined;
    plan[APPROVALS] = plan[APPROVALS].flatMap((policy, at) => (policy === IN_GO ? this.approvalsOfGo(tool, number, at) : policy));
    return plan;
  }

  /** Returns what rules without a condition do to each call of a tool. */
  effectsOf(number) {
    this.exports.webmcp_effects(number);
    const effects = JSON.parse(this.reply());
    return { ...effects, approvals: approvalsOfRules(effects) };
  }
});
