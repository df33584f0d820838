// Runs the tables of package cases in this page, with hooks of Go and of
// JavaScript. What a case says is in internal/cases/cases.go; here is how
// JavaScript does it.

/** An error of the program's own. */
class OwnError extends Error {
  name = 'OwnError';

  constructor(number) {
    super('out of stock');
    this.number = number;
  }
}

/** A value that JSON cannot say. */
class Own {
  constructor(number) {
    this.number = number;
  }
}

/** What Chrome would call: the tool that was registered last, so that a call can have a signal of ours. */
let registered;
const { modelContext } = document;
if (modelContext) { // other tests open this page without
  const { registerTool } = modelContext;
  modelContext.registerTool = (tool, options) => {
    registered = tool;
    return registerTool.call(modelContext, tool, options);
  };
}

/**
 * Runs all cases with tools that register(number, case, play) makes: (ran, saw, abort) is what a play is told. Resolves
 * to what came out of each: {result, ran, saw}.
 */
async function playAll(cases, register, release) {
  const outcomes = [];
  for (const c of cases) {
    const ran = [], saw = [];
    const controller = new AbortController();
    const abort = () => controller.abort(c.reason ? new Error(c.reason) : undefined);
    if (c.aborted) abort();
    const endHuman = human(c, saw);
    const problem = await register(c, { ran, saw, abort });
    if (problem) {
      endHuman();
      outcomes.push({ result: JSON.stringify(problem), ran: '', saw: '' });
      continue;
    }
    const input = JSON.parse(c.input);
    // An agent's signal reaches the page in a task of its own, when synchronous hooks are long done; ours at once.
    const call = c.aborts ? registered.execute(input, { signal: controller.signal }) : webmcp.invokeTool('probe', input);
    const result = await Promise.race([call, late()]);
    outcomes.push({ result: JSON.stringify(result), ran: ran.join(' '), saw: saw.join('; ') });
    endHuman();
    await release(c);
  }
  return outcomes;
}

/** Decides, as a case has it, what the human is asked. Returns a function that ends it. */
function human(c, saw) {
  const said = new Set();
  return webmcp.approvals.onChange(() => {
    for (const { id, title, sentence, details, input } of webmcp.approvals.pending()) {
      if (!said.has(id)) saw.push(`asked ${title ?? ''}|${sentence ?? ''}|${details ?? ''} ${JSON.stringify(input)}`);
      said.add(id);
      webmcp.approvals.resolve(id, c.human === 'approve' ? 'approve' : { decision: 'deny', reason: c.human });
    }
  });
}

/** Resolves when a case has not settled in time: the others are played all the same. */
function late() {
  return new Promise((resolve) => setTimeout(resolve, 5000, 'the call has not settled'));
}

/** Runs the cases with hooks and handlers of Go. */
function playGo(cases) {
  return playAll(cases, ({ number }, { ran, saw, abort }) => goapp.registerCase(number, ran, saw, abort), () => goapp.release('case'));
}

/** Runs the cases with hooks and functions of JavaScript. asynchronous says whether they return promises. */
function playScript(cases, asynchronous) {
  let tool;
  const register = async (c, play) => {
    const make = (run) => (asynchronous ? async (...args) => { await null; return run(...args); } : run);
    const outer = webmcp.scope({ hooks: hooksOf('outer', c.outer, play, make), approval: approvalsOf('outer', c.outer, play, make) });
    const inner = webmcp.scope({ hooks: hooksOf('inner', c.inner, play, make), approval: approvalsOf('inner', c.inner, play, make) }, outer);
    tool = webmcp(make((input, { metadata }) => {
      play.ran.push('fn');
      return act(c.fn, play, metadata, (value) => value, input);
    }), {
      name: 'probe', description: 'Shows its input.', schema: c.schema ?? {}, outputSchema: c.outputSchema,
      hooks: hooksOf('tool', c.tool, play, make), approval: approvalsOf('tool', c.tool, play, make),
    });
    await tool.register({ scope: inner });
  };
  return playAll(cases, register, () => tool.unregister());
}

/** The hooks of a place, behind one in each phase that writes down that it ran. */
function hooksOf(place, acts, play, make) {
  const list = (phase) => [
    make((context) => {
      play.ran.push(`${place}.${phase}`);
      if (place === 'tool') see(context, play);
    }),
    ...(acts[phase] ?? []).map((one) => make((context) => act(one, play, context.metadata, (value) => (phase === 'before' ? { input: value } : { output: value }), undefined, context))),
  ];
  return { before: list('before'), after: list('after'), error: list('error'), denied: list('denied') };
}

/** The approvals of a place. */
function approvalsOf(place, { approval }, play, make) {
  const say = (name, one) => (one.does === '' ? undefined : make(() => {
    play.ran.push(`${place}.${name}`);
    return one.does === 'judge' ? one.text : act(one, play);
  }));
  return approval.map(({ only, title, when, describe, details }) => ({
    when: when.does === '' ? only || true : make(({ metadata }) => {
      play.ran.push(`${place}.when`);
      switch (when.does) {
        case 'judge': return when.text;
        case 'deny': return { deny: when.text, code: when.code };
        default: return act(when, play, metadata, undefined, 'ask');
      }
    }),
    title: title || undefined, describe: say('describe', describe), details: say('details', details),
  }));
}

/** Writes down what an observer was told. */
function see(context, { saw }) {
  if ('error' in context) {
    const { error } = context;
    saw.push(`${nameOf(error)}: ${textOf(error)}`);
  }
  if ('reason' in context) saw.push(`${context.code}: ${context.reason} ${JSON.stringify(context.input)}`);
}

function nameOf(error) {
  return error instanceof OwnError ? `OwnError ${error.number}` : error?.name ?? 'Error';
}

/** The message of anything that was thrown, as an agent reads it. */
function textOf(error) {
  try {
    if (error === undefined) return 'undefined was thrown';
    if (typeof error === 'string') return error;
    if (error.message !== '') return error.message;
    return error.name === 'Error' ? 'an error without a message' : error.name;
  } catch {
    return 'an error that cannot be read';
  }
}

/** Does what a hook or the function does; set makes of a value what is returned, and otherwise is what is returned else. */
function act({ does, value, code, text }, play, metadata, set, otherwise, context) {
  switch (does) {
    case 'set': return set(value());
    case 'return': return value();
    case 'deny': return { action: 'deny', message: text, code, ...(value && { input: value() }) };
    case 'fail': throw value ? value() : new Error(text);
    case 'abort': {
      play.abort();
      return act({ does: code ? 'deny' : text ? 'fail' : value ? 'set' : '', value: text ? undefined : value, code, text }, play, metadata, set, otherwise);
    }
    case 'say': return { message: text };
    case 'blurt': throw new Error(context.message);
    case 'put': metadata[text] = value(); return otherwise;
    case 'drop': delete metadata[text]; return otherwise;
    case 'take': {
      const taken = metadata[text];
      return set(taken instanceof Own ? `own ${taken.number}` : taken ?? null);
    }
    default: return otherwise;
  }
}

/** Registers tools with the contracts, and resolves to the text of the error of each, or ''. */
async function contractErrors(contracts, register, release) {
  const texts = [];
  for (const c of contracts) {
    const text = await register(c);
    texts.push(text);
    if (text === '') await release();
  }
  return texts;
}

function goContractErrors(contracts) {
  return contractErrors(contracts, async ({ number }) => (await goapp.registerContract(number)).replace(/^ConfigurationError: /, ''), () => goapp.release('case'));
}

function scriptContractErrors(contracts) {
  let tool;
  return contractErrors(contracts, async ({ options, nothing }) => {
    try {
      tool = webmcp(nothing ? undefined : (input) => input, options);
      await tool.register();
      return '';
    } catch (error) {
      return error.name === 'ConfigurationError' ? error.message : String(error);
    }
  }, () => tool.unregister());
}
