// An engine in plain JavaScript: hooks that may change the input and the output or deny, in the same order as ours, and
// nothing else. It is what one would write by hand, and the least that hooks can cost.

/** Returns the execute function of a tool; hooks is a list of {before, after}, from the outside in. */
export function wrap(fn, hooks, parse = (input) => input) {
  return async (input, { signal } = {}) => {
    const call = { invocationId: crypto.randomUUID(), signal, metadata: Object.create(null) };
    for (const { before = [] } of hooks) {
      for (const hook of before) {
        const answer = await hook({ ...call, input });
        if (answer?.action === 'deny') return { isError: true, content: [{ type: 'text', text: `Denied: ${answer.message}` }], code: answer.code };
        if (answer && 'input' in answer) input = answer.input;
      }
    }
    input = parse(input);
    let output = await fn(input, call);
    for (const { after = [] } of [...hooks].reverse()) {
      for (const hook of after) {
        const answer = await hook({ ...call, input, output });
        if (answer && 'output' in answer) output = answer.output;
      }
    }
    return { content: [{ type: 'text', text: JSON.stringify(output) }] };
  };
}
