// Hooks by phase, as pages give them and as the glue keeps them: four arrays, in
// the order of PHASES, and a fifth of approvals. Touches nothing: each list that is
// returned is new.

/** Which hooks and approvals there are, as Go wants to know it: five arrays. */
function hookLists(hooks, approval) {
  return [...phasesOf(hooks), approvalList(approval)];
}

/** Returns hooks by phase, in the order of PHASES. */
function phasesOf(hooks) {
  if (hooks === undefined || hooks === null) return [[], [], [], []];
  if (!isObject(hooks)) throw new ConfigurationError('hooks must be an object: {before: [], after: [], error: [], denied: []}');
  const unknown = unknownMember(hooks, PHASES);
  if (unknown !== undefined) throw new ConfigurationError(`hooks has no phase ${unknown}: ${Say.guess(unknown, PHASES)}the phases are before, after, error and denied`);
  return PHASES.map((phase) => {
    const list = readable(hooks, phase) ?? [];
    const functions = typeof list === 'function' ? [list] : Array.isArray(list) ? [...list] : undefined;
    if (!functions?.every((hook) => typeof hook === 'function')) throw new ConfigurationError(`hooks.${phase} must be an array of functions`);
    return functions;
  });
}

/** Returns hooks by the names of their phases. */
function named(lists) {
  return Object.fromEntries(PHASES.map((phase, i) => [phase, [...lists[i]]]));
}

function joinLists(...parts) {
  return [...PHASES, 'approval'].map((_, phase) => parts.flatMap((lists) => lists[phase]));
}

/** Merges hooks in the order in which a call runs them. scopedHooks may be an array, outermost scope first. */
function mergeHooksOrdered(options) {
  const { globalHooks, scopedHooks, toolHooks } = checkOptions(options, ['globalHooks', 'scopedHooks', 'toolHooks'], 'mergeHooksOrdered');
  const scoped = Array.isArray(scopedHooks) ? scopedHooks : [scopedHooks];
  const sets = [globalHooks, ...scoped, toolHooks].map((hooks) => hookLists(hooks));
  const inward = joinLists(...sets);
  const outward = joinLists(...sets.reverse());
  return named([inward[BEFORE], outward[AFTER], outward[ERROR], outward[DENIED]]);
}
