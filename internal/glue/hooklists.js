// Hooks by phase, as pages give them and as the glue keeps them: four arrays, in
// the order of PHASES, and a fifth of approvals; and as timeout how many milliseconds a
// call may take, 0 for no limit. Touches nothing: each list that is returned is new.

/** Which hooks and approvals there are, as Go wants to know it: five arrays. A timeout may be given in the hooks, too. */
function hookLists(hooks, approval, timeout) {
  const lists = [...phasesOf(hooks), approvalList(approval)];
  return limited(lists, timeLimit(timeout), hooks ? timeLimit(readable(hooks, 'timeout')) : 0);
}

/** Gives lists the shorter of two timeouts, of which 0 is none. */
function limited(lists, a, b = 0) {
  lists.timeout = a === 0 || b > 0 && b < a ? b : a;
  return lists;
}

/** Returns hooks by phase, in the order of PHASES. */
function phasesOf(hooks) {
  if (hooks === undefined || hooks === null) return [[], [], [], []];
  if (!isObject(hooks)) throw new ConfigurationError('hooks must be an object: {before: [], after: [], error: [], denied: []}');
  const known = [...PHASES, 'timeout'];
  const unknown = unknownMember(hooks, known);
  if (unknown !== undefined) throw new ConfigurationError(`hooks has no phase ${unknown}: ${Say.guess(unknown, known)}the phases are before, after, error and denied`);
  return PHASES.map((phase) => {
    const list = readable(hooks, phase) ?? [];
    const functions = [list].flat(); // of an array a copy
    if (!functions.every((hook) => typeof hook === 'function')) throw new ConfigurationError(`hooks.${phase} must be an array of functions`);
    return functions;
  });
}

/** Returns hooks by the names of their phases. */
function named(lists) {
  const hooks = Object.fromEntries(PHASES.map((phase, i) => [phase, [...lists[i]]]));
  if (lists.timeout > 0) hooks.timeout = lists.timeout;
  return hooks;
}

function joinLists(...parts) {
  const joined = [...PHASES, 'approval'].map((_, phase) => parts.flatMap((lists) => lists[phase]));
  return parts.reduce((all, { timeout }) => limited(all, timeout, all.timeout), limited(joined, 0));
}

/** Merges hooks in the order in which a call runs them. scopedHooks may be an array, outermost scope first. */
function mergeHooksOrdered(options) {
  const { globalHooks, scopedHooks, toolHooks } = checkOptions(options, ['globalHooks', 'scopedHooks', 'toolHooks'], 'mergeHooksOrdered');
  const scoped = [scopedHooks].flat();
  const sets = [globalHooks, ...scoped, toolHooks].map((hooks) => hookLists(hooks));
  const inward = joinLists(...sets);
  const outward = joinLists(...sets.reverse());
  return named(limited([inward[BEFORE], outward[AFTER], outward[ERROR], outward[DENIED]], inward.timeout));
}
