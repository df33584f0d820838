// Four custom elements that show a page what agents do on it:
//
//	import './elements.js';
//
//	<webmcp-hook-log></webmcp-hook-log>     every hook event, newest first
//	<webmcp-inspector></webmcp-inspector>   every tool, and a way to call it as an agent does
//	<webmcp-approvals></webmcp-approvals>   what waits for a human, and what a human's answers are remembered for
//	<webmcp-audit></webmcp-audit>           the audit log: each call that a policy has it for, newest first
//
// Put the file beside webmcp.js. All that agents and tools say is set as text. The elements work under
// require-trusted-types-for 'script' and a style-src without 'unsafe-inline'.
//
// They render into an open shadow root, where a page styles them by ::part() and by custom properties (listed at
// PALETTE below), or with the attribute light into the page itself, where its selectors reach [part~="..."]. Colours
// are light or dark as the page's color-scheme is.

import { webmcp, invokeTool, listTools, onToolsChanged } from './webmcp.js';

// ------------------------------------------------------------ hidden characters

// What takes no room, looks like a space, or turns the writing direction, by Unicode property; then signs that Unicode
// counts as visible although they are blank (Braille, a note head, Khitan, Egyptian). Space, tab and line feed stay.
const HIDDEN = /(?![ \t\n])[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{Zl}\p{Zp}\p{Zs}\u2800\u{1d159}\u{16fe4}\u{13441}\u{13442}]/gu;

/**
 * Text whose hidden characters show, as \u{202e}. An agent may have been made to send them, so that a person reads
 * another thing than what runs: use it for all that an agent or a tool says.
 */
export function revealed(text) {
  return String(text).replace(HIDDEN, (character) => `\\u{${character.codePointAt(0).toString(16)}}`);
}

/** JSON that means the same, with its hidden characters as escapes. */
function revealedJSON(text) {
  return text.replace(HIDDEN, (character) => [...Array(character.length).keys()]
    .map((i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`).join(''));
}

// ---------------------------------------------------------------- the hook log

const MOST_ENTRIES = 200;
const MOST_TEXT = 2000; // characters of a value that an entry shows

const logs = new Set(); // what shows an event, of each log in the page
const started = new WeakMap(); // the metadata of a call -> when its before hooks began

// One set of hooks for the page, however many logs it has. They return nothing: a log changes no call.
const hooks = {
  before: [({ tool, input, invocationId, metadata }) => {
    started.set(metadata, performance.now());
    record('before', tool, invocationId, { input });
  }],
  after: [({ tool, output, invocationId, metadata }) => {
    record('after', tool, invocationId, { output, approval: approvalText(metadata) }, performance.now() - started.get(metadata));
  }],
  error: [({ tool, error, invocationId, metadata }) => {
    record('error', tool, invocationId, { error, approval: approvalText(metadata) });
  }],
  denied: [({ tool, reason, code, rule, invocationId, metadata }) => {
    record('denied', tool, invocationId, { reason, code, rule, approval: approvalText(metadata) });
  }],
};

/** What a rule of a policy would have done that only reports. */
function recordReport({ detail: { tool, invocationId, rule, effect, code, message } }) {
  record('report', { tool: { name: tool } }, invocationId, {
    rule, effect, 'would have': code === undefined ? 'changed the result' : 'denied the call', code, message,
  });
}

/** Attaches the hooks, unless they are attached. A page may have dropped them since, with resetGlobalHooks. */
function attachHooks() {
  if (!webmcp.getGlobalHooks().before.includes(hooks.before[0])) webmcp.configure({ hooks });
  document.addEventListener('webmcp:policy', recordReport); // the same one once, however often
}

/** Shows an event in all logs. Whatever happens here, the call goes on. */
function record(phase, tool, invocationId, details, duration) {
  try {
    const event = { phase, tool: tool.tool.name, invocationId, duration, at: new Date(), facts: factsOf(details) };
    for (const show of logs) show(event);
  } catch (error) {
    try {
      console.error('[webmcp] the hook log failed:', error);
    } catch {
      // The console of a page may throw, as in test set-ups.
    }
  }
}

/** Values as texts: those of the moment, for objects may change later. */
function factsOf(details) {
  return Object.entries(details)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, revealed(shorten(name === 'error' ? errorText(value) : inWords(value)))]);
}

/** Who has decided about a call, and after how long; undefined: nobody was asked. What a hook of the page put there instead is shown as it is. */
function approvalText({ approval }) {
  const { decision, how, waited } = Object(approval);
  return typeof waited === 'number' ? `${decision} (${how}) after ${(waited / 1000).toFixed(1)} s` : approval;
}

/** What was thrown, as text: an error of any frame by its name and message, anything else as a value. */
function errorText(error) {
  const { name, message } = Object(error);
  if (typeof message !== 'string') return inWords(error);
  return typeof name !== 'string' || name === 'Error' ? message : `${name}: ${message}`;
}

/** A value on one line: a text as it is, the rest as JSON with room to break between its members. */
function inWords(value) {
  return typeof value === 'string' ? value : asText(value, 1).replace(/\n\s*/g, ' ');
}

function shorten(text) {
  return text.length <= MOST_TEXT ? text : `${text.slice(0, MOST_TEXT)}… (${text.length - MOST_TEXT} more characters)`;
}

// -------------------------------------------------------------- common to all

/** A class to extend: on a server, where there are no elements, importing this file must not throw. */
const Base = globalThis.HTMLElement ?? class {};

class View extends Base {
  #root;

  connectedCallback() {
    const light = this.#root === undefined ? this.hasAttribute('light') : this.#root === this;
    if (this.#root === undefined) {
      this.#root = light ? this : this.attachShadow({ mode: 'open' });
      this.#root.append(...this.build());
    }
    dress(light ? this.getRootNode() : this.#root, this.localName, light);
    this.enter();
  }

  disconnectedCallback() {
    this.leave();
  }
}

const sheets = new Map(); // by element name and place

/** Gives a document or shadow root the styles of an element. Such a sheet needs no 'unsafe-inline'. */
function dress(root, name, light) {
  const key = `${name} ${light}`;
  if (!sheets.has(key)) {
    const sheet = new CSSStyleSheet();
    // No specificity for the element in the page's own tree: what a page says of [part~="..."] there wins.
    const host = `:where(${name}[light])`;
    sheet.replaceSync(light
      ? `${host} { ${PALETTE} ${STYLES[name]} } ${host}[hidden] { display: none }`
      : `:host { ${PALETTE} } ${STYLES[name]} :host([hidden]) { display: none }`);
    sheets.set(key, sheet);
  }
  const sheet = sheets.get(key);
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);
}

/** Makes an element with attributes (false, null and undefined leave one out, true sets it empty) and children. */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(key, '');
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

/** A value as readable text, never throwing. */
function asText(value, indent) {
  try {
    return JSON.stringify(value, null, indent) ?? String(value);
  } catch {
    return Object.prototype.toString.call(value); // a cycle, a BigInt, a getter that throws
  }
}

/** <webmcp-hook-log label="Hook log" limit="200" light>: every hook event of the page's tools, newest first. */
export class WebMCPHookLog extends View {
  static observedAttributes = ['label', 'limit'];

  #clock = new Intl.DateTimeFormat(undefined, {
    hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3, hourCycle: 'h23',
  });

  #log;
  #empty;

  /** How many entries are kept; the oldest go first. */
  get limit() {
    const limit = Number(this.getAttribute('limit'));
    return Number.isInteger(limit) && limit > 0 ? limit : MOST_ENTRIES;
  }

  set limit(limit) {
    this.setAttribute('limit', limit);
  }

  /** Removes all entries. */
  clear() {
    this.#log?.replaceChildren();
    this.#tidy();
  }

  attributeChangedCallback() {
    this.#log?.setAttribute('aria-label', this.#label());
    this.#tidy();
  }

  build() {
    this.#log = element('div', { part: 'log', role: 'log', 'aria-label': this.#label(), tabindex: 0 });
    this.#empty = element('p', { part: 'empty' }, 'No agent has called a tool yet.');
    return [element('div', { part: 'frame' }, this.#log, this.#empty)];
  }

  enter() {
    logs.add(this.#show);
    try {
      attachHooks();
    } catch (error) {
      this.#fail(error);
    }
    webmcp.ready.catch((error) => this.#fail(error));
  }

  leave() {
    logs.delete(this.#show);
  }

  /** Adds an entry. */
  #show = ({ phase, tool, invocationId, duration, at, facts }) => {
    const shortId = invocationId.slice(0, 8);
    this.#log.prepend(element('div', { 'part': `entry entry-${phase}`, 'data-phase': phase, 'data-tool': tool, 'data-invocation': invocationId },
      element('p', { part: 'entry-head' },
        element('span', { part: 'phase' }, phase), ' ',
        element('code', { part: 'tool' }, tool), ' ',
        element('time', { part: 'time', datetime: at.toISOString() }, this.#clock.format(at))),
      element('p', { part: 'entry-mark' },
        element('span', { part: 'id', title: `Invocation ${invocationId}` }, `#${shortId}`), ' ',
        element('span', { part: 'duration' }, duration === undefined ? '' : `${duration.toFixed(1)} ms`)),
      ...facts.map(([name, text]) => element('p', { part: 'fact' },
        element('span', { part: 'fact-name' }, name), ' ',
        element('span', { part: 'fact-value' }, text)))));
    this.#tidy();
  };

  #label() {
    return this.getAttribute('label') || 'Hook log';
  }

  #tidy() {
    if (this.#log === undefined) return;
    while (this.#log.childElementCount > this.limit) this.#log.lastElementChild.remove();
    this.#empty.hidden = this.#log.childElementCount > 0;
  }

  #fail(error) {
    this.#empty.textContent = revealed(`Nothing to log: ${error.message}`);
  }
}

// --------------------------------------------------------------- the inspector

let inspectors = 0; // ever made; keeps ids apart

/** <webmcp-inspector light>: the page's tools, live, each with a form that calls it as an agent does. */
export class WebMCPInspector extends View {
  #id = `webmcp-inspector-${++inspectors}`;
  #cards = new Map(); // tool name -> {item, show}
  #list;
  #message;
  #turn = 0;
  #stop;

  build() {
    this.#list = element('ul', { part: 'tools', role: 'list' });
    this.#message = element('p', { part: 'empty', role: 'status' });
    return [this.#message, this.#list];
  }

  enter() {
    this.#stop = onToolsChanged(() => this.#refresh());
    this.#refresh();
  }

  leave() {
    this.#stop();
  }

  async #refresh() {
    this.#turn += 1;
    const turn = this.#turn;
    let tools = [];
    let message = 'No tool is registered yet.';
    try {
      tools = await listTools();
    } catch (error) {
      message = `There are no tools: ${error.message}`;
    }
    if (turn !== this.#turn) return; // an older answer came later
    this.#message.textContent = revealed(message);
    this.#message.hidden = tools.length > 0;
    this.#arrange(tools);
  }

  /** Shows these tools. A card that is there already keeps what was typed into it. */
  #arrange(tools) {
    for (const [name, { item }] of this.#cards) {
      if (!tools.some((tool) => tool.name === name)) {
        item.remove();
        this.#cards.delete(name);
      }
    }
    tools.forEach((tool, place) => {
      if (!this.#cards.has(tool.name)) this.#cards.set(tool.name, toolCard(tool, `${this.#id}-${tool.name}`));
      const { item, show } = this.#cards.get(tool.name);
      show(tool);
      if (this.#list.children[place] !== item) this.#list.insertBefore(item, this.#list.children[place] ?? null);
    });
  }
}

function toolCard({ name, inputSchema }, id) {
  const ids = { input: `${id}-input`, problem: `${id}-problem` };
  const title = element('p', { part: 'title' });
  const description = element('p', { part: 'description' });
  const badges = element('p', { part: 'badges' });
  const schema = element('code');
  const input = element('textarea', {
    'part': 'input', 'id': ids.input, 'spellcheck': 'false', 'autocomplete': 'off', 'autocapitalize': 'off', 'aria-describedby': ids.problem,
  });
  input.value = revealedJSON(asText(exampleFor(inputSchema), 2));
  input.rows = Math.min(8, Math.max(2, input.value.split('\n').length));
  const problem = element('p', { 'part': 'problem', 'id': ids.problem, 'aria-live': 'polite' });
  const invoke = element('button', { part: 'invoke', type: 'button' }, 'Invoke ', element('code', {}, name));
  const explain = element('button', { part: 'explain', type: 'button' }, 'Explain', element('span', { part: 'unseen' }, ` what the policy says of ${name}`));
  const pending = element('span', { part: 'pending', role: 'status' });
  const explanation = element('div', { 'part': 'explanation', 'aria-live': 'polite' });
  const output = element('output', { 'part': 'output', 'for': ids.input, 'aria-label': `Result of ${name}`, 'tabindex': 0, 'hidden': true });

  const item = element('li', { 'part': 'card', 'data-tool': name },
    element('h3', { part: 'name' }, element('code', {}, name)),
    badges,
    title,
    description,
    element('details', { part: 'details' },
      element('summary', { part: 'summary' }, 'Schema', element('span', { part: 'unseen' }, ` of ${name}`)),
      element('pre', { 'part': 'schema', 'tabindex': 0, 'role': 'group', 'aria-label': `Schema of ${name}` }, schema)),
    element('label', { part: 'label', for: ids.input }, 'Input', element('span', { part: 'unseen' }, ` for ${name}`)),
    input,
    problem,
    element('p', { part: 'actions' }, invoke, ' ', explain, ' ', pending),
    explanation,
    output,
  );

  function show(tool) {
    title.textContent = revealed(tool.title ?? '');
    title.hidden = !tool.title;
    description.textContent = revealed(tool.description);
    schema.textContent = revealed(asText(tool.inputSchema ?? {}, 2));
    explain.hidden = tool.source === 'page'; // another library's, which no policy is about
    const hints = tool.annotations ?? {};
    badges.replaceChildren(...[
      [`status status-${tool.status}`, tool.status],
      tool.source !== 'native' && ['source', tool.source === 'page' ? 'from the page' : 'registry only'],
      hints.readOnlyHint && ['read-only', 'read-only'],
      hints.consequentialHint && ['consequential', 'consequential'],
    ].filter(Boolean).map(([part, text]) => element('span', { part: `badge ${part}` }, text)));
  }

  /** Returns the input; undefined where it is none, and then says that nothing was done with it. */
  function parse(done) {
    try {
      const value = JSON.parse(input.value);
      if (value === null || typeof value !== 'object' || Array.isArray(value)) {
        throw new Error('an input is a JSON object, for example {}');
      }
      problem.textContent = '';
      input.removeAttribute('aria-invalid');
      return value;
    } catch (error) {
      problem.textContent = revealed(`Not ${done}: ${error.message}`);
      input.setAttribute('aria-invalid', 'true');
      input.focus();
      return undefined;
    }
  }

  let asked = 0;

  /** Takes an explanation away, of another input or another moment than now. */
  function forgetExplanation() {
    asked += 1;
    explanation.replaceChildren();
  }

  input.addEventListener('input', forgetExplanation);
  explain.addEventListener('click', async () => {
    const value = parse('explained');
    forgetExplanation();
    if (value === undefined) return;
    const turn = asked;
    let said;
    try {
      said = explained(await webmcp.explain(name, value));
    } catch (error) {
      said = [element('p', { part: 'problem' }, revealed(`Not explained: ${error?.message ?? error}`))];
    }
    if (turn === asked) explanation.replaceChildren(...said);
  });

  function showResult(result, isError) {
    output.textContent = revealed(asText(result, 2));
    output.dataset.error = String(isError);
    output.part = isError ? 'output output-error' : 'output';
    output.hidden = false;
  }

  invoke.addEventListener('click', async () => {
    if (invoke.getAttribute('aria-disabled') === 'true') return;
    const value = parse('invoked');
    forgetExplanation();
    if (value === undefined) return;
    // Not the disabled attribute: that would take the keyboard's focus away.
    invoke.setAttribute('aria-disabled', 'true');
    pending.textContent = 'Waiting for the result';
    output.hidden = true;
    output.textContent = '';
    delete output.dataset.error;
    try {
      const result = await invokeTool(name, value);
      showResult(result, result.isError === true);
    } catch (error) {
      showResult({ name: error?.name ?? 'Error', message: error?.message ?? String(error) }, true);
    } finally {
      pending.textContent = '';
      invoke.removeAttribute('aria-disabled');
    }
  });

  return { item, show };
}

const OUTCOMES = {
  allow: 'The policy lets this call through.',
  ask: 'The policy has a human asked first.',
  deny: 'The policy denies this call.',
};

/** An explanation in words: what would happen, and every rule that names the tool, with how its conditions stand. */
function explained({ outcome, refusal, rules }) {
  if (rules.length === 0 && refusal === undefined) return [element('p', { part: 'no-rules' }, 'No rule of a policy is about this tool.')];
  return [
    element('p', { part: `outcome outcome-${outcome}` }, OUTCOMES[outcome]),
    ...refusal === undefined ? [] : [element('p', { part: 'refusal' }, element('code', {}, revealed(refusal.code)), ' ', revealed(refusal.message))],
    element('ul', { part: 'rules', role: 'list' }, ...rules.map(explainedRule)),
  ];
}

function explainedRule({ rule, mode, applies, when, unless, effects }) {
  const state = [
    applies ? 'applies' : 'does not apply',
    when && `when: ${when}`,
    unless && `unless: ${unless}`,
    mode === 'report' && 'only reports',
  ].filter(Boolean).join(', ');
  return element('li', { part: `rule ${applies ? 'rule-applies' : 'rule-idle'}` },
    element('p', { part: 'rule-head' }, element('code', { part: 'rule-name' }, revealed(rule)), ' ', element('span', { part: 'rule-state' }, state)),
    ...effects.length === 0 ? [] : [element('ul', { part: 'rule-effects', role: 'list' }, ...effects.map((effect) => element('li', {}, revealed(effect))))]);
}

/** An input to start from, made of the examples and defaults in a schema. */
function exampleFor(schema) {
  const example = {};
  for (const [name, property] of Object.entries(schema?.properties ?? {})) {
    const value = property?.examples?.[0] ?? property?.default;
    if (value !== undefined) example[name] = value;
  }
  return example;
}

// --------------------------------------------------------------- the approvals

const ARM_DELAY = 500; // milliseconds until Approve works: time to see what it is about
const LAST_SECONDS = 10; // of which the time left is shown, not the time passed
const LONG_TEXT = 300; // characters from which on an argument scrolls

let approvalLists = 0; // ever made; keeps ids apart

/**
 * <webmcp-approvals light>: the calls that wait for a human, each with Deny and Approve, and the decisions that are
 * remembered, each tool's with Revoke. A question is decided by trusted events alone, and nothing of one is left in the
 * next.
 */
export class WebMCPApprovals extends View {
  #id = `webmcp-approvals-${++approvalLists}`;
  #cards = new Map(); // id of a question -> {item, approve, tick}
  #rules = new Map(); // name of a tool -> {item, show}
  #heads;
  #empty;
  #questions;
  #kept;
  #remembered;
  #status;
  #stop;
  #ticking;
  #arming;
  #armedAt = Infinity;

  build() {
    this.#heads = ['waiting', 'remembered'].map((name, i) => element('h3', { part: 'heading', id: `${this.#id}-${name}`, tabindex: -1 }, ['Waiting for you', 'Remembered'][i]));
    this.#empty = element('p', { part: 'empty' }, NOTHING_WAITS);
    this.#questions = element('ul', { 'part': 'questions', 'role': 'list', 'aria-labelledby': this.#heads[0].id });
    this.#remembered = element('ul', { 'part': 'rules', 'role': 'list', 'aria-labelledby': this.#heads[1].id });
    this.#kept = element('div', { part: 'remembered' }, this.#heads[1], this.#remembered);
    this.#status = element('p', { part: 'unseen', role: 'status' });
    return [this.#status, this.#heads[0], this.#empty, this.#questions, this.#kept];
  }

  enter() {
    this.#stop = webmcp.approvals.onChange(() => this.#refresh());
    document.addEventListener('visibilitychange', this.#arm);
    this.#refresh();
    webmcp.ready.catch((error) => {
      this.#empty.textContent = revealed(`Nobody can be asked: ${error.message}`);
    });
  }

  leave() {
    this.#stop();
    document.removeEventListener('visibilitychange', this.#arm);
    clearInterval(this.#ticking);
    clearTimeout(this.#arming);
    this.#armedAt = Infinity;
  }

  #refresh() {
    const pending = webmcp.approvals.pending();
    const before = this.#cards.size;
    const isChanged = this.#arrange(pending);
    this.#empty.hidden = pending.length > 0;
    this.#remember(webmcp.approvals.remembered());
    clearInterval(this.#ticking);
    if (pending.length > 0) this.#ticking = setInterval(() => this.#tick(), 1000);
    if (!isChanged) return;
    this.#arm();
    if (pending.length > before || (pending.length === 0 && before > 0)) this.#say(waitingText(pending.length));
  }

  /** Shows these questions. Returns whether they are others than before. What was typed into one that stays, stays. */
  #arrange(pending) {
    let isChanged = false;
    for (const [id, { item }] of this.#cards) {
      if (pending.some((question) => question.id === id)) continue;
      isChanged = true;
      this.#cards.delete(id);
      this.#take(item, this.#questions, '[part~="deny"]', this.#heads[0]);
    }
    for (const question of pending) {
      if (this.#cards.has(question.id)) continue;
      isChanged = true;
      const card = questionCard(question, `${this.#id}-${question.id}`, (event, answer) => this.#decide(event, question, answer));
      this.#cards.set(question.id, card);
      this.#questions.append(card.item);
    }
    this.#tick();
    return isChanged;
  }

  /** Takes an item out of a list. The focus, if it is there, goes to the next item, or to the heading. */
  #take(item, list, control, heading) {
    const next = item.matches(':focus-within') ? item.nextElementSibling ?? item.previousElementSibling ?? heading : undefined;
    item.remove();
    (next?.querySelector(control) ?? next)?.focus();
  }

  #tick() {
    for (const { tick } of this.#cards.values()) tick();
  }

  /** Approve begins to work a moment after the list has changed: what was under the pointer may have moved. */
  #arm = () => {
    clearTimeout(this.#arming);
    this.#armedAt = Infinity;
    for (const { approve } of this.#cards.values()) approve.setAttribute('aria-disabled', 'true');
    if (document.hidden) return;
    this.#arming = setTimeout(() => {
      this.#armedAt = performance.now();
      for (const { approve } of this.#cards.values()) approve.removeAttribute('aria-disabled');
    }, ARM_DELAY);
  };

  async #decide(event, { id, tool }, answer) {
    // Neither a script, nor the second click of a double click, nor a click that was meant for what stood there before.
    if (!event.isTrusted || event.detail > 1) return;
    if (answer.decision === 'approve' && !(event.timeStamp >= this.#armedAt)) return;
    const counts = await webmcp.approvals.resolve(id, answer);
    this.#refresh();
    if (!counts && webmcp.approvals.pending().some((question) => question.id === id)) this.#say(`${tool}: your approval was not confirmed. Try again, or deny.`);
    else if (!counts) this.#say(`${tool}: this question was closed before.`);
    else this.#say(`${answer.decision === 'approve' ? 'Approved' : 'Denied'}: ${tool}. ${waitingText(this.#cards.size)}`);
  }

  /** Shows what is remembered: by tool, for that is how it is revoked. */
  #remember(rules) {
    const byTool = Map.groupBy(rules, ({ tool }) => tool ?? '');
    for (const [tool, { item }] of this.#rules) {
      if (byTool.has(tool)) continue;
      this.#rules.delete(tool);
      this.#take(item, this.#remembered, '[part~="revoke"]', this.#heads[0]);
    }
    for (const [tool, ofTool] of byTool) {
      if (!this.#rules.has(tool)) {
        this.#rules.set(tool, ruleItem(tool, () => {
          webmcp.approvals.forget(tool);
          this.#refresh();
          this.#say(`Nothing is remembered for ${tool} any more.`);
        }));
        this.#remembered.append(this.#rules.get(tool).item);
      }
      this.#rules.get(tool).show(ofTool);
    }
    this.#kept.hidden = rules.length === 0;
  }

  #say(text) {
    this.#status.textContent = revealed(text);
  }
}

const NOTHING_WAITS = 'No call waits for you.';

function waitingText(count) {
  if (count === 0) return NOTHING_WAITS;
  return count === 1 ? 'A call waits for your decision.' : `${count} calls wait for your decision.`;
}

function questionCard({ tool, toolTitle, title, sentence, details, input, since, deadline }, id, decide) {
  const ids = { title: `${id}-title`, about: `${id}-about`, reason: `${id}-reason` };
  const reason = element('input', { part: 'reason', id: ids.reason, type: 'text', autocomplete: 'off', dir: 'auto' });
  const button = (part, text) => element('button', { 'part': part, 'type': 'button', 'aria-describedby': `${ids.title} ${ids.about}` }, text, element('span', { part: 'unseen' }, ` ${revealed(tool)}`));
  const deny = button('deny', 'Deny');
  const approve = button('approve', 'Approve');
  const time = element('p', { part: 'time' });
  const text = (part, value, attributes = {}) => (value ? [element('p', { part, dir: 'auto', ...attributes }, revealed(value))] : []);
  const item = element('li', { 'part': 'card question', 'data-tool': tool },
    element('p', { part: 'title', id: ids.title, dir: 'auto' }, revealed(title || 'Allow this call?')),
    element('p', { part: 'tool' }, ...(toolTitle ? [element('bdi', {}, revealed(toolTitle)), ' '] : []), element('code', { part: 'name' }, revealed(tool))),
    element('div', { part: 'about', id: ids.about }, ...text('sentence', sentence), ...text('details', details)),
    argumentList(input),
    time,
    element('label', { part: 'label', for: ids.reason }, 'Reason for denying', element('span', { part: 'unseen' }, ` ${revealed(tool)}`), ' (optional, the agent reads it)'),
    reason,
    element('p', { part: 'actions' }, deny, ' ', approve),
  );
  deny.addEventListener('click', (event) => decide(event, { decision: 'deny', reason: reason.value.trim() || undefined }));
  approve.addEventListener('click', (event) => decide(event, { decision: 'approve' }));
  for (const control of [deny, approve]) {
    control.addEventListener('keydown', (event) => {
      if (event.repeat && (event.key === 'Enter' || event.key === ' ')) event.preventDefault(); // a key that is held down says nothing
    });
  }

  function tick() {
    const left = Math.max(0, Math.ceil((deadline - Date.now()) / 1000));
    time.textContent = left <= LAST_SECONDS ? `${seconds(left)} left` : `Waiting for ${seconds(Math.max(0, Math.floor((Date.now() - since) / 1000)))}`;
    time.part = left <= LAST_SECONDS ? 'time time-last' : 'time';
  }

  return { item, approve, tick };
}

function seconds(count) {
  return count < 60 ? `${count} s` : `${Math.floor(count / 60)} min ${count % 60} s`;
}

/** Shows an input: a name and a value, as JSON, for each argument; nothing is cut. */
function argumentList(input) {
  const entries = Object.entries(Object(input));
  if (entries.length === 0) return element('p', { part: 'arguments no-arguments' }, 'No arguments');
  return element('dl', { part: 'arguments' }, ...entries.flatMap(([name, value]) => {
    const text = revealed(asText(value, 2));
    const isLong = text.length > LONG_TEXT;
    return [
      element('dt', { part: 'argument-name' }, revealed(name) || '""'),
      element('dd', { part: 'argument' }, element('pre', { 'part': 'value', 'tabindex': isLong && 0, 'role': isLong && 'group', 'aria-label': isLong && (revealed(name) || '""') }, text)),
    ];
  }));
}

/** The rules of one tool, and the button that revokes them. */
function ruleItem(tool, forget) {
  const list = element('ul', { part: 'rule-texts', role: 'list' });
  const revoke = element('button', { part: 'revoke', type: 'button' }, 'Revoke', element('span', { part: 'unseen' }, ` what is remembered for ${revealed(tool)}`));
  const item = element('li', { 'part': 'rule', 'data-tool': tool }, list, element('p', { part: 'actions' }, revoke));
  revoke.addEventListener('click', forget);
  return {
    item,
    show(rules) {
      list.replaceChildren(...rules.map((rule) => element('li', { 'part': `rule-text rule-${rule.decision}`, 'data-decision': rule.decision },
        element('b', { part: 'decision' }, rule.decision === 'approve' ? 'Approved' : 'Denied'), ` ${revealed(ruleText(rule))}`)));
    },
  };
}

/** Says which calls a remembered decision answers. */
function ruleText({ tool, for: what, arguments: args, by }) {
  const end = 'until this page is closed';
  if (what === 'tool') return `all calls of ${tool}, ${end}`;
  const entries = Object.entries(Object(args));
  if (entries.length === 0) return `calls of ${tool} without arguments, ${end}`;
  if (by !== undefined) {
    return `calls of ${tool} in which ${entries.map(([pointer, value]) => (value === undefined ? `there is no ${pointer}` : `${pointer} is ${asText(value)}`)).join(' and ')}, whatever else they say, ${end}`;
  }
  return `calls of ${tool} with exactly ${asText(args, 1).replace(/\n\s*/g, ' ')}, ${end}`;
}

// --------------------------------------------------------------- the audit log

const ENDS = { ok: 'OK', denied: 'Denied', error: 'Error', aborted: 'Aborted', pending: 'Left' };
const EVERYTHING = ''; // of a choice

let audits = 0; // ever made; keeps ids apart

/** <webmcp-audit label="Audit log" limit="200" light>: the audit log of the page, live, with filters, a pause and a download. */
export class WebMCPAudit extends View {
  static observedAttributes = ['label', 'limit'];

  #id = `webmcp-audit-${++audits}`;
  #items = new Map(); // entry -> its element, of those that are shown
  #entries = []; // that the filters are about, the oldest first
  #frame;
  #text;
  #choices;
  #pause;
  #download;
  #list;
  #empty;
  #count;
  #ends = [];
  #isDue = false;
  #problem;

  /** How many entries are shown; the newest are. */
  get limit() {
    const limit = Number(this.getAttribute('limit'));
    return Number.isInteger(limit) && limit > 0 ? limit : MOST_ENTRIES;
  }

  set limit(limit) {
    this.setAttribute('limit', limit);
  }

  /** Whether it stays as it is, whatever agents do. */
  get paused() {
    return this.#pause?.getAttribute('aria-pressed') === 'true';
  }

  set paused(paused) {
    if (this.#pause === undefined || this.paused === Boolean(paused)) return;
    this.#pause.setAttribute('aria-pressed', Boolean(paused));
    this.#refresh();
  }

  attributeChangedCallback() {
    this.#frame?.setAttribute('aria-label', this.#label());
    this.#show();
  }

  build() {
    const field = (name, text, control) => {
      control.id = `${this.#id}-${name}`;
      return element('div', { part: `field field-${name}` }, element('label', { part: 'label', for: control.id }, text), control);
    };
    this.#text = element('input', { part: 'filter', type: 'search', autocomplete: 'off', spellcheck: 'false', placeholder: 'Input, output, id, rule' });
    this.#choices = Object.fromEntries(['outcome', 'tool', 'code'].map((name) => [name, element('select', { part: 'filter choice' })]));
    this.#pause = element('button', { 'part': 'button pause', 'type': 'button', 'aria-pressed': 'false' }, 'Pause');
    this.#download = element('button', { part: 'button download', type: 'button' }, 'Download');
    this.#list = element('ul', { 'part': 'entries', 'role': 'list', 'aria-label': 'Calls' });
    this.#empty = element('p', { part: 'empty' });
    this.#count = element('p', { part: 'count' });
    const { outcome, tool, code } = this.#choices;
    this.#frame = element('section', { 'part': 'frame', 'aria-label': this.#label() },
      element('div', { part: 'bar' },
        field('text', 'Search', this.#text), field('outcome', 'Outcome', outcome), field('tool', 'Tool', tool), field('code', 'Code', code),
        element('div', { part: 'actions' }, this.#pause, this.#download)),
      element('div', { 'part': 'log', 'role': 'group', 'aria-label': 'Calls, the newest first', 'tabindex': 0 }, this.#list, this.#empty),
      this.#count);
    this.#text.addEventListener('input', () => this.#show());
    for (const choice of Object.values(this.#choices)) choice.addEventListener('change', () => this.#show());
    this.#pause.addEventListener('click', () => { this.paused = !this.paused; });
    this.#download.addEventListener('click', () => this.#save());
    return [this.#frame];
  }

  enter() {
    this.#ends = [webmcp.audit.onEntry(() => this.#expect())];
    webmcp.ready.then(() => this.#expect(), (error) => {
      this.#problem = `Nothing to show: ${error.message}`;
      this.#show();
    });
    this.#refresh();
  }

  leave() {
    for (const end of this.#ends.splice(0)) end();
  }

  /** Shows what is new, once for all calls of a moment. */
  #expect() {
    if (this.#isDue) return;
    this.#isDue = true;
    setTimeout(() => {
      this.#isDue = false;
      if (this.isConnected) this.#refresh();
    });
  }

  /** Reads the log, unless it is to stay. */
  #refresh() {
    if (!this.paused) this.#entries = webmcp.audit.entries();
    this.#show();
  }

  /** Shows the newest entries that the filters let through. */
  #show() {
    if (this.#list === undefined) return;
    this.#offer();
    const found = this.#found();
    const shown = found.slice(-this.limit).reverse();
    const items = new Map(shown.map((entry) => [entry, this.#items.get(entry) ?? auditItem(entry)]));
    for (const [entry, item] of this.#items) if (!items.has(entry)) item.remove();
    let at = this.#list.firstElementChild;
    for (const item of items.values()) {
      if (item === at) at = at.nextElementSibling;
      else this.#list.insertBefore(item, at);
    }
    this.#items = items;
    this.#list.hidden = shown.length === 0;
    this.#empty.hidden = shown.length > 0;
    this.#empty.textContent = revealed(this.#entries.length > 0 ? 'No call is like that.' : this.#problem ?? 'No call is in the audit log yet: rules of a policy with "audit" put them there.');
    this.#download.disabled = found.length === 0;
    this.#count.textContent = this.#counted(found.length, shown.length);
  }

  #found() {
    const text = this.#text.value.trim().toLowerCase();
    const wanted = Object.entries(this.#choices).map(([name, { value }]) => [name, value]).filter(([, value]) => value !== EVERYTHING);
    return this.#entries.filter((entry) => wanted.every(([name, value]) => entry[name] === value) && (text === '' || searched(entry).includes(text)));
  }

  /** Lets one choose of the tools, outcomes and codes that there are. */
  #offer() {
    for (const [name, choice] of Object.entries(this.#choices)) {
      const there = new Set(this.#entries.map((entry) => entry[name]).filter((value) => value !== undefined));
      if (choice.value) there.add(choice.value);
      const values = [EVERYTHING, ...[...there].sort()];
      if (values.length === choice.options.length && values.every((value, i) => value === choice.options[i].value)) continue;
      const { value: chosen } = choice;
      choice.replaceChildren(...values.map((value) => new Option(value === EVERYTHING ? 'All' : revealed(name === 'outcome' ? ENDS[value] ?? value : value), value)));
      choice.value = chosen;
    }
  }

  #counted(found, shown) {
    const { dropped } = webmcp.audit;
    const parts = [found === this.#entries.length ? `${calls(found)}` : `${found} of ${calls(this.#entries.length)}`];
    if (shown < found) parts.push(`the newest ${shown} are shown`);
    if (dropped > 0) parts.push(`${dropped} older ${dropped === 1 ? 'one is' : 'ones are'} not kept any more`);
    if (this.paused) {
      const last = this.#entries.at(-1);
      const entries = webmcp.audit.entries();
      const news = entries.length - (entries.indexOf(last) + 1);
      parts.push(news > 0 ? `paused, ${news} new` : 'paused');
    }
    return parts.join(' · ');
  }

  /** Has the browser save what the filters let through, as JSON lines. */
  #save() {
    const lines = this.#found().map((entry) => `${JSON.stringify(entry)}\n`).join('');
    const href = URL.createObjectURL(new Blob([lines], { type: 'application/x-ndjson' }));
    element('a', { href, download: `webmcp-audit-${new Date().toISOString().replace(/[:.]\d+Z$|:/g, '-').replace(/-$/, '')}.jsonl` }).click();
    setTimeout(() => URL.revokeObjectURL(href), 10_000);
  }

  #label() {
    return this.getAttribute('label') || 'Audit log';
  }
}

const texts = new WeakMap(); // entry -> what a search looks through

function searched(entry) {
  let text = texts.get(entry);
  if (text === undefined) texts.set(entry, text = JSON.stringify(entry).replaceAll('\\"', '"').toLowerCase());
  return text;
}

function calls(count) {
  return count === 1 ? '1 call' : `${count} calls`;
}

const auditClock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });

/** An entry: a line, which opens to all that it says. */
function auditItem(entry) {
  const { time, id, tool, outcome, code, rule, reports, approval, duration } = entry;
  const would = reports?.map(({ rule: name, effect }) => name ?? effect).join(', ');
  const about = [code, rule !== undefined && `by ${rule}`, approval !== undefined && approvalText({ approval }), would && `reported by ${would}`].filter(Boolean).join(', ');
  const details = element('details', { part: 'details' },
    element('summary', { part: 'summary' },
      element('span', { part: `outcome outcome-${outcome}` }, ENDS[outcome] ?? outcome), ' ',
      element('code', { part: 'tool' }, revealed(tool)), ' ',
      element('span', { part: 'about' }, revealed(about)), ' ',
      element('span', { part: 'when' },
        element('span', { part: 'duration' }, duration < 1000 ? `${duration} ms` : `${(duration / 1000).toFixed(1)} s`), ' ',
        element('time', { part: 'time', datetime: time }, auditClock.format(new Date(time))))));
  details.addEventListener('toggle', () => {
    if (details.open && details.childElementCount === 1) details.append(auditFacts(entry));
  });
  return element('li', { 'part': `entry entry-${outcome}`, 'data-outcome': outcome, 'data-tool': tool, 'data-code': code, 'data-invocation': id }, details);
}

/** All that an entry says, as a list of names and values. */
function auditFacts({ time, id, code, executed, rule, rules, reports, approval, inputBytes, outputBytes, input, changed, output, withheld = [] }) {
  const size = (bytes) => (bytes === undefined ? '' : ` (${bytes} ${bytes === 1 ? 'byte' : 'bytes'})`);
  const left = (name, value) => (withheld.includes(name) ? 'left out: what rules redact in it cannot be masked' : value);
  const facts = [
    ['Time', time], ['Invocation', id], ['Code', code], ['Ran', executed ? undefined : 'no, nothing was done'], ['Ended by', rule], ['Rules', rules.join('\n') || undefined],
    ['Would have', reports?.map(({ rule: name, effect, code: its }) => [effect, its, name && `(${name})`].filter(Boolean).join(' ')).join('\n')],
    ['Approval', approval && auditApproval(approval, withheld)],
    [`Input${size(inputBytes)}`, left('input', input && spread(input))],
    ['Changed to', left('changed', changed && spread(changed))],
    [`Output${size(outputBytes)}`, left('output', output && spread(output))],
  ];
  return element('dl', { part: 'facts' }, ...facts.filter(([, value]) => value !== undefined && value !== '').flatMap(([name, value]) => {
    const isLong = value.length > LONG_TEXT;
    return [
      element('dt', { part: 'fact-name' }, name),
      element('dd', { part: 'fact' }, element('pre', { 'part': 'value', 'tabindex': isLong && 0, 'role': isLong && 'group', 'aria-label': isLong && name }, revealed(value))),
    ];
  }));
}

function auditApproval(approval, withheld) {
  const { edited, digest, proof } = approval;
  const proven = proof === undefined ? undefined : withheld.includes('proof') ? 'the proof is left out' : `proof ${asText(proof, 2)}`;
  return [approvalText({ approval }), edited && 'with another input', digest && `digest ${digest}`, proven].filter(Boolean).join('\n');
}

/** JSON with a line for each member; any other text as it is. */
function spread(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

// --------------------------------------------------------------------- styles

// What a page may set: --webmcp-ink, -soft (lesser text), -surface, -well (behind code and entries), -line, -edge (of
// controls), -accent, -on-accent, -focus, -before, -after, -error, -denied (the phases), -radius, -mono, -log-height
// and -card-width (at least).
const PALETTE = `
  --_ink: var(--webmcp-ink, light-dark(#1c2429, #e9edf0));
  --_soft: var(--webmcp-soft, light-dark(#55616a, #a9b4bb));
  --_surface: var(--webmcp-surface, light-dark(#ffffff, #1d2327));
  --_well: var(--webmcp-well, light-dark(#f4f6f7, #151a1d));
  --_line: var(--webmcp-line, light-dark(#dce1e5, #323b41));
  --_edge: var(--webmcp-edge, light-dark(#84909a, #707d86));
  --_accent: var(--webmcp-accent, light-dark(#1d5fa8, #8cc2f5));
  --_on-accent: var(--webmcp-on-accent, light-dark(#ffffff, #10202f));
  --_focus: var(--webmcp-focus, light-dark(#b3470f, #ffab6b));
  --_before: var(--webmcp-before, light-dark(#1c5c94, #8fc3f2));
  --_after: var(--webmcp-after, light-dark(#11664c, #7fd1b9));
  --_error: var(--webmcp-error, light-dark(#ab2a26, #ff9d91));
  --_denied: var(--webmcp-denied, light-dark(#7a4f00, #f1c368));
  --_radius: var(--webmcp-radius, 12px);
  --_mono: var(--webmcp-mono, ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "Liberation Mono", monospace);
  display: block;
  line-height: 1.5;
`;

const COMMON = `
  p, h3, ul, pre { margin: 0; padding: 0; }
  code { font: inherit; overflow-wrap: anywhere; }
  [hidden] { display: none; }
  :focus-visible { outline: 3px solid var(--_focus); outline-offset: 2px; }
`;

const UNSEEN = '[part~="unseen"] { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }';

const STYLES = {
  'webmcp-hook-log': `
    ${COMMON}
    [part~="frame"] { border: 1px solid var(--_line); border-radius: var(--_radius); background: var(--_well); color: var(--_ink); overflow: hidden; }
    [part~="empty"] { padding: 1.25rem 1rem; color: var(--_soft); font-size: .9375rem; text-align: center; overflow-wrap: anywhere; }
    [part~="log"] { max-height: var(--webmcp-log-height, 27rem); overflow-y: auto; overscroll-behavior: contain; }
    [part~="log"]:focus-visible { outline-offset: -3px; border-radius: var(--_radius); }
    [part~="entry"] { padding: .6rem .8rem .65rem; border-left: 4px solid var(--_phase); font-size: .8125rem; }
    [part~="entry"] + [part~="entry"] { border-top: 1px solid var(--_line); }
    [part~="entry-before"] { --_phase: var(--_before); }
    [part~="entry-after"] { --_phase: var(--_after); }
    [part~="entry-error"] { --_phase: var(--_error); }
    [part~="entry-denied"], [part~="entry-report"] { --_phase: var(--_denied); }
    [part~="entry-report"] { border-left-style: dashed; }
    [part~="entry-head"] { display: flex; flex-wrap: wrap; align-items: baseline; gap: .1rem .55rem; }
    [part~="phase"] { padding: .05rem .5rem; border-radius: 999px; background: color-mix(in srgb, var(--_phase) 13%, var(--_surface)); color: var(--_phase); font-weight: 600; }
    [part~="tool"] { font-family: var(--_mono); font-weight: 600; }
    [part~="time"], [part~="id"], [part~="duration"] { color: var(--_soft); font-variant-numeric: tabular-nums; }
    [part~="time"] { margin-left: auto; }
    [part~="entry-mark"] { display: flex; align-items: baseline; gap: .75rem; margin-top: .15rem; }
    [part~="id"] { font: .75rem/1.5 var(--_mono); }
    [part~="fact"] { margin-top: .25rem; font: .75rem/1.45 var(--_mono); overflow-wrap: anywhere; white-space: pre-wrap; }
    [part~="fact-name"] { color: var(--_soft); }
    [part~="fact-value"] { unicode-bidi: isolate; }
  `,
  'webmcp-inspector': `
    ${COMMON}
    [part~="empty"] { padding: 1rem 0; }
    [part~="tools"] { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, var(--webmcp-card-width, 17.5rem)), 1fr)); gap: 1.25rem; list-style: none; }
    [part~="tools"]:has(output:not([hidden]), details[open], [part~="explanation"]:not(:empty)) { align-items: start; }
    [part~="card"] { display: flex; flex-direction: column; gap: .55rem; min-width: 0; padding: 1.1rem 1.2rem 1.2rem; border: 1px solid var(--_line); border-radius: var(--_radius); background: var(--_surface); color: var(--_ink); }
    [part~="name"] { font: 700 1rem/1.3 var(--_mono); }
    [part~="badges"] { display: flex; flex-wrap: wrap; gap: .35rem; }
    [part~="badge"] { padding: .1rem .55rem; border-radius: 999px; background: var(--_well); color: var(--_soft); font-size: .75rem; font-weight: 600; }
    [part~="status-registered"] { background: color-mix(in srgb, var(--_after) 13%, var(--_surface)); color: var(--_after); }
    [part~="status-error"] { background: color-mix(in srgb, var(--_error) 13%, var(--_surface)); color: var(--_error); }
    [part~="consequential"] { background: color-mix(in srgb, var(--_denied) 13%, var(--_surface)); color: var(--_denied); }
    [part~="title"] { font-weight: 600; }
    [part~="description"] { color: var(--_soft); font-size: .9375rem; overflow-wrap: anywhere; }
    [part~="summary"] { width: fit-content; padding-block: .15rem; color: var(--_accent); font-size: .875rem; font-weight: 600; cursor: pointer; }
    [part~="label"] { font-size: .875rem; font-weight: 600; }
    [part~="input"] { display: block; box-sizing: border-box; width: 100%; max-height: 20rem; margin: 0; padding: .55rem .85rem; border: 1px solid var(--_edge); border-radius: 10px; background: var(--_surface); color: var(--_ink); font: .8125rem/1.45 var(--_mono); field-sizing: content; resize: vertical; }
    [part~="input"][aria-invalid="true"] { border-color: var(--_error); }
    [part~="problem"] { color: var(--_error); font-size: .875rem; font-weight: 500; overflow-wrap: anywhere; }
    [part~="problem"]:empty, [part~="pending"]:empty { display: none; }
    [part~="actions"] { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; }
    [part~="invoke"] { min-height: 2.5rem; padding: .5rem 1.1rem; border: 1px solid transparent; border-radius: 999px; background: color-mix(in srgb, var(--_accent) 13%, var(--_surface)); color: var(--_accent); font: inherit; font-size: .875rem; font-weight: 600; line-height: 1.25; cursor: pointer; }
    [part~="invoke"]:hover { background: var(--_accent); color: var(--_on-accent); }
    [part~="invoke"][aria-disabled="true"] { background: var(--_well); color: var(--_soft); cursor: progress; }
    [part~="invoke"] code { font: 700 .8125rem/1.25 var(--_mono); }
    [part~="pending"] { color: var(--_soft); font-size: .875rem; }
    [part~="pending"]::after { content: "…"; }
    [part~="schema"], [part~="output"] { overflow: auto; padding: .8rem .9rem; border: 1px solid var(--_line); border-radius: 10px; background: var(--_well); font: .8125rem/1.5 var(--_mono); }
    [part~="schema"] { max-height: 18rem; margin-top: .5rem; }
    [part~="output"] { display: block; max-height: 24rem; border-left: 4px solid var(--_after); white-space: pre-wrap; overflow-wrap: anywhere; }
    [part~="output"][hidden] { display: none; }
    [part~="output-error"] { border-left-color: var(--_error); }
    [part~="explain"] { min-height: 2.5rem; padding: .5rem .25rem; border: 1px solid transparent; border-radius: 999px; background: none; color: var(--_accent); font: inherit; font-size: .875rem; font-weight: 600; line-height: 1.25; cursor: pointer; }
    [part~="explain"]:hover { text-decoration: underline; text-underline-offset: .18em; }
    [part~="explanation"] { display: grid; gap: .6rem; font-size: .875rem; overflow-wrap: anywhere; }
    [part~="explanation"]:empty { display: none; }
    [part~="outcome"] { display: flex; align-items: baseline; gap: .5rem; font-weight: 600; }
    [part~="outcome"]::before { content: ""; flex: none; width: .6rem; height: .6rem; border-radius: 50%; background: var(--_after); }
    [part~="outcome-ask"]::before { background: var(--_denied); }
    [part~="outcome-deny"]::before { background: var(--_error); }
    [part~="refusal"] code { color: var(--_error); font: 600 .8125rem/1.45 var(--_mono); }
    [part~="no-rules"], [part~="rule-state"], [part~="rule-idle"] { color: var(--_soft); }
    [part~="rules"] { display: grid; list-style: none; border: 1px solid var(--_line); border-radius: 10px; background: var(--_well); }
    [part~="rule"] { padding: .55rem .85rem; }
    [part~="rule"] + [part~="rule"] { border-top: 1px solid var(--_line); }
    [part~="rule-name"] { font: 600 .8125rem/1.45 var(--_mono); }
    [part~="rule-idle"] [part~="rule-name"] { font-weight: 400; }
    [part~="rule-effects"] { list-style: none; }
    ${UNSEEN}
    @media (forced-colors: active) { [part~="invoke"], [part~="explain"] { border-color: ButtonText; } [part~="outcome"]::before { background: CanvasText; } }
  `,
  'webmcp-approvals': `
    ${COMMON}
    dl, dd { margin: 0; padding: 0; }
    [part~="heading"] { font-size: 1rem; font-weight: 700; line-height: 1.4; }
    [part~="empty"] { margin-top: .6rem; padding: 1.1rem 1rem; border: 1px solid var(--_line); border-radius: var(--_radius); background: var(--_well); color: var(--_soft); font-size: .9375rem; text-align: center; overflow-wrap: anywhere; }
    [part~="questions"], [part~="rules"] { display: grid; gap: 1rem; margin-top: .6rem; list-style: none; }
    [part~="questions"]:empty { display: none; }
    [part~="remembered"] { margin-top: 1.5rem; }
    [part~="card"] { display: flex; flex-direction: column; gap: .55rem; min-width: 0; padding: 1.1rem 1.2rem 1.2rem; border: 1px solid var(--_line); border-left: 4px solid var(--_denied); border-radius: var(--_radius); background: var(--_surface); color: var(--_ink); }
    [part~="title"] { font-size: 1.0625rem; font-weight: 700; line-height: 1.35; overflow-wrap: anywhere; }
    [part~="tool"], [part~="details"], [part~="time"], [part~="no-arguments"] { color: var(--_soft); font-size: .9375rem; overflow-wrap: anywhere; }
    [part~="sentence"], [part~="details"] { white-space: pre-wrap; overflow-wrap: anywhere; }
    [part~="about"]:empty { display: none; }
    [part~="name"] { font-family: var(--_mono); font-weight: 600; }
    dl[part~="arguments"] { border: 1px solid var(--_line); border-radius: 10px; background: var(--_well); }
    [part~="argument-name"] { padding: .45rem .8rem 0; color: var(--_soft); font: 600 .8125rem/1.45 var(--_mono); overflow-wrap: anywhere; }
    [part~="argument"] + [part~="argument-name"] { border-top: 1px solid var(--_line); }
    [part~="value"] { max-height: 12rem; overflow: auto; padding: .1rem .8rem .45rem; font: .8125rem/1.5 var(--_mono); white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate; }
    [part~="value"]:focus-visible { outline-offset: -3px; }
    [part~="time"] { font-variant-numeric: tabular-nums; }
    [part~="time-last"] { color: var(--_error); font-weight: 600; }
    [part~="label"] { color: var(--_soft); font-size: .875rem; font-weight: 600; }
    [part~="reason"] { box-sizing: border-box; width: 100%; min-height: 2.75rem; margin: 0; padding: .4rem .85rem; border: 1px solid var(--_edge); border-radius: 10px; background: var(--_surface); color: var(--_ink); font: inherit; font-size: .9375rem; }
    [part~="actions"] { display: flex; flex-wrap: wrap; gap: .6rem; }
    [part~="deny"], [part~="approve"], [part~="revoke"] { min-height: 2.75rem; padding: .5rem 1.1rem; border: 1px solid var(--_edge); border-radius: 999px; background: var(--_surface); color: var(--_ink); font: inherit; font-size: .875rem; font-weight: 600; line-height: 1.25; cursor: pointer; }
    [part~="deny"], [part~="approve"] { flex: 1 1 8rem; }
    [part~="approve"] { border-color: var(--_accent); background: color-mix(in srgb, var(--_accent) 13%, var(--_surface)); color: var(--_accent); }
    [part~="approve"]:hover { background: var(--_accent); color: var(--_on-accent); }
    [part~="approve"][aria-disabled="true"] { border-style: dashed; border-color: var(--_edge); background: var(--_well); color: var(--_soft); cursor: default; }
    [part~="deny"]:hover, [part~="revoke"]:hover { background: var(--_well); }
    [part~="rule"] { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .5rem 1rem; padding: .8rem 1rem; border: 1px solid var(--_line); border-radius: var(--_radius); background: var(--_surface); color: var(--_ink); }
    [part~="rule-texts"] { flex: 1 1 14rem; min-width: 0; list-style: none; }
    [part~="rule-text"] { font-size: .9375rem; overflow-wrap: anywhere; }
    [part~="rule-approve"] [part~="decision"] { color: var(--_after); }
    [part~="rule-deny"] [part~="decision"] { color: var(--_denied); }
    ${UNSEEN}
    @media (forced-colors: active) { [part~="approve"][aria-disabled="true"] { color: GrayText; } }
  `,
  'webmcp-audit': `
    ${COMMON}
    dl, dd { margin: 0; padding: 0; }
    [part~="frame"] { border: 1px solid var(--_line); border-radius: var(--_radius); background: var(--_well); color: var(--_ink); overflow: hidden; }
    [part~="bar"] { display: flex; flex-wrap: wrap; align-items: end; gap: .65rem .75rem; padding: .85rem .9rem .95rem; border-bottom: 1px solid var(--_line); background: var(--_surface); }
    [part~="field"] { display: flex; flex: 1 1 5.5rem; flex-direction: column; gap: .2rem; min-width: 0; }
    [part~="field-text"] { flex: 2 1 13rem; }
    [part~="label"] { color: var(--_soft); font-size: .75rem; font-weight: 600; }
    [part~="filter"] { box-sizing: border-box; width: 100%; min-width: 0; height: 2.5rem; margin: 0; padding: 0 .75rem; border: 1px solid var(--_edge); border-radius: 10px; background: var(--_surface); color: var(--_ink); font: inherit; font-size: .875rem; text-overflow: ellipsis; }
    [part~="filter"]::placeholder { color: var(--_soft); opacity: 1; }
    [part~="choice"] { padding-inline: .55rem .35rem; }
    [part~="actions"] { display: flex; flex: 1 1 auto; gap: .5rem; }
    [part~="button"] { flex: 1 1 auto; box-sizing: border-box; min-height: 2.5rem; padding: .4rem 1rem; border: 1px solid var(--_edge); border-radius: 999px; background: var(--_surface); color: var(--_ink); font: inherit; font-size: .875rem; font-weight: 600; line-height: 1.25; cursor: pointer; }
    [part~="button"]:hover { background: var(--_well); }
    [part~="button"]:disabled { border-style: dashed; color: var(--_soft); cursor: default; }
    [part~="pause"][aria-pressed="true"] { border-color: var(--_accent); background: color-mix(in srgb, var(--_accent) 13%, var(--_surface)); color: var(--_accent); }
    [part~="log"] { max-height: var(--webmcp-log-height, 27rem); overflow-y: auto; overscroll-behavior: contain; }
    [part~="log"]:focus-visible { outline-offset: -3px; }
    [part~="empty"] { padding: 1.6rem 1rem; color: var(--_soft); font-size: .9375rem; text-align: center; overflow-wrap: anywhere; }
    [part~="entries"] { list-style: none; }
    [part~="entry"] { border-left: 4px solid var(--_phase); font-size: .8125rem; }
    [part~="entry"] + [part~="entry"] { border-top: 1px solid var(--_line); }
    [part~="entry"] { --_phase: var(--_after); }
    [part~="entry-error"] { --_phase: var(--_error); }
    [part~="entry-denied"] { --_phase: var(--_denied); }
    [part~="entry-aborted"], [part~="entry-pending"] { --_phase: var(--_before); }
    [part~="summary"] { display: flex; flex-wrap: wrap; align-items: baseline; gap: .15rem .6rem; padding: .55rem .85rem .6rem; cursor: pointer; list-style: none; }
    [part~="summary"]::-webkit-details-marker { display: none; }
    [part~="summary"]::before { content: ""; align-self: flex-start; width: .36rem; height: .36rem; margin: .48rem .1rem 0 0; border: solid var(--_soft); border-width: 0 1.5px 1.5px 0; rotate: -45deg; }
    [part~="details"][open] > [part~="summary"]::before { rotate: 45deg; }
    [part~="summary"]:hover { background: color-mix(in srgb, var(--_phase) 6%, transparent); }
    [part~="summary"]:focus-visible { outline-offset: -3px; }
    [part~="outcome"] { padding: .05rem .5rem; border-radius: 999px; background: color-mix(in srgb, var(--_phase) 13%, var(--_surface)); color: var(--_phase); font-weight: 600; }
    [part~="tool"] { font-family: var(--_mono); font-weight: 600; }
    [part~="about"] { flex: 1 1 8rem; min-width: 0; color: var(--_soft); overflow-wrap: anywhere; }
    [part~="about"]:empty { flex-basis: 0; }
    [part~="when"] { margin-left: auto; color: var(--_soft); font-variant-numeric: tabular-nums; white-space: nowrap; }
    [part~="time"] { margin-left: .4rem; }
    [part~="facts"] { display: grid; grid-template-columns: minmax(5.5rem, max-content) minmax(0, 1fr); gap: .3rem .9rem; padding: .1rem .9rem .8rem 2rem; }
    [part~="fact-name"] { color: var(--_soft); }
    [part~="value"] { max-height: 14rem; overflow: auto; font: .75rem/1.55 var(--_mono); white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate; }
    [part~="count"] { padding: .5rem .9rem .55rem; border-top: 1px solid var(--_line); background: var(--_surface); color: var(--_soft); font-size: .8125rem; font-variant-numeric: tabular-nums; }
    @media (max-width: 30rem) { [part~="facts"] { grid-template-columns: minmax(0, 1fr); gap: 0; padding-left: .9rem; } [part~="fact"] { margin-bottom: .45rem; } }
    @media (forced-colors: active) { [part~="pause"][aria-pressed="true"] { background: Highlight; color: HighlightText; forced-color-adjust: none; } }
  `,
};

// ----------------------------------------------------------------- definitions

for (const [name, type] of [['webmcp-hook-log', WebMCPHookLog], ['webmcp-inspector', WebMCPInspector], ['webmcp-approvals', WebMCPApprovals], ['webmcp-audit', WebMCPAudit]]) {
  // Loaded twice, as from two bundles, the first one stays.
  if (globalThis.customElements?.get(name) === undefined) globalThis.customElements?.define(name, type);
}
