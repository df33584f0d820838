// Puts the forms of a page that the browser offers to agents, <form toolname="…" tooldescription="…">, behind the same gate as
// its tools: hooks, policies, approvals and the audit log. Put it beside webmcp.js, and call forms() before the page's own
// scripts listen for submits:
//
//	import { forms } from './webmcp_forms.js';
//
//	forms({ hooks: { before: [...] }, approval: 'consequential' });
//
// What a human sends themselves is not touched. Where the browser makes no tools of forms, nothing happens.

import { mergeHooks, registry, webmcp } from './webmcp.js';

const OPTIONS = ['root', 'selector', 'scope', 'hooks', 'approval', 'timeout', 'annotations', 'maxInputBytes', 'maxOutputBytes'];

const gates = new Set(); // of each call of forms(): its options
const roots = new Map(); // where submits are listened to -> the functions that end that
const kept = new WeakMap(); // form -> {key, tool, now, execute}: the tool that stands for it, as it was last looked at
const ours = new Map(); // name -> the form whose tool has it
const lines = new WeakMap(); // form -> {calls: the controllers of its calls, newest of them, last: settles behind them}
const own = new WeakSet(); // events that are made for the page's handlers
let sending; // a form that is handed to the browser now

/**
 * Puts forms behind the gate, as long as the function that it returns is not called: those in root (the document, one of a
 * frame, a shadow root or an element) that selector matches. A form that several calls are about is behind all of them.
 */
export function forms(options = {}) {
  for (const key of Object.keys(options)) {
    if (!OPTIONS.includes(key)) throw new webmcp.ConfigurationError(`forms has no option ${key}; there are ${OPTIONS.join(', ')}`);
  }
  if (typeof document === 'undefined') return () => {}; // a server: there are no forms
  const { root = document, selector = 'form', ...rest } = options;
  if (typeof root?.querySelectorAll !== 'function') throw new webmcp.ConfigurationError('root of forms must be a document, a shadow root or an element');
  root.querySelector(selector); // throws for what is no selector
  webmcp(() => {}, { ...optionsFor([rest]), name: 'form', description: 'Checks the options.', schema: {} }); // throws for what is wrong with them
  const gate = { root, selector, rest };
  gates.add(gate);
  for (const at of [root, ...shadowsIn(root)]) listen(at);
  survey(documentOf(root));
  return () => {
    gates.delete(gate);
    for (const [at, end] of roots) if (![...gates].some((other) => holds(other.root, at))) end();
    survey(documentOf(root));
  };
}

// ------------------------------------------------------ what the browser does

// This part alone knows how Chromium 156 does it: a form with toolname is a tool, whose agent fills in the fields, which
// tells of input and change, and then sends it, or with toolautosubmit absent leaves that to the human. The event is a submit
// with agentInvoked; of several answers by respondWith the last one counts. A field is a parameter under its name.

const isOffered = (form) => form.hasAttribute('toolname');
const isSentByItself = (form) => form.hasAttribute('toolautosubmit');
const IN_PAGE = ['hidden', 'submit', 'image', 'reset', 'button']; // types of fields that are no parameters

/** Returns the document.modelContext of a document, also where an element has that name. */
function contextOf({ defaultView }) {
  if (!defaultView) return undefined;
  const { Document, document } = defaultView;
  const context = Reflect.get(Document.prototype, 'modelContext', document);
  return typeof context?.getTools === 'function' ? context : undefined;
}

/** Returns the browser's record of a form as a tool; undefined where it has none. */
async function recordOf(form) {
  const { defaultView } = form.ownerDocument;
  const name = form.getAttribute('toolname');
  const records = Array.from(await contextOf(form.ownerDocument)?.getTools() ?? []);
  return records.find((record) => record.name === name && record.window === defaultView);
}

/** Returns the schema of a record, which some browsers have as text. */
function schemaOf({ inputSchema }) {
  return typeof inputSchema === 'string' ? JSON.parse(inputSchema) : inputSchema;
}

/** Reports whether a field is a parameter of the tool. */
function isParameter(field) {
  return field.name !== '' && !field.matches(':disabled') && !field.readOnly && !IN_PAGE.includes(field.type) && field.type !== 'file' && field.tagName !== 'OUTPUT';
}

/** Returns the parameters of a form as agents know them, without those that are empty. */
function read(form) {
  const input = {};
  const fields = fieldsOf(form).filter(isParameter);
  for (const name of new Set(fields.map((field) => field.name))) {
    const value = valueOf(fields.filter((field) => field.name === name));
    if (value !== undefined && value !== '') Object.defineProperty(input, name, { value, enumerable: true, configurable: true, writable: true });
  }
  return input;
}

/** Returns the value of the fields of one name; undefined where it is empty. */
function valueOf(fields) {
  const [field] = fields;
  switch (field.type) {
    case 'checkbox':
      return fields.length === 1 ? field.checked : fields.filter(({ checked }) => checked).map(({ value }) => value);
    case 'radio':
      return fields.find(({ checked }) => checked)?.value;
    case 'select-multiple':
      return Array.from(field.selectedOptions, ({ value }) => value);
    case 'number': case 'range':
      return field.value === '' ? undefined : Number(field.value);
    default:
      return field.value;
  }
}

// ------------------------------------------------------------------ the fields

function fieldsOf(form) {
  return Array.from(form.elements).filter(({ tagName }) => tagName !== 'FIELDSET' && tagName !== 'OBJECT');
}

/**
 * Has the form show an input that hooks or a human have changed, as if somebody had filled it in. Throws where it cannot, or
 * where the form itself refuses it.
 */
function show(form, input) {
  const shown = read(form);
  const names = new Set([...Object.keys(shown), ...Object.keys(input)]);
  for (const name of names) {
    const wanted = Object.hasOwn(input, name) ? input[name] : undefined;
    if (!isSame(wanted, shown[name])) fill(form, name, wanted);
  }
  if (form.noValidate) return;
  const problems = fieldsOf(form).filter((field) => field.willValidate && !field.validity.valid);
  if (problems.length > 0) {
    throw new webmcp.ValidationError(`the form refuses it: ${problems.map(({ name, validationMessage }) => `${name}: ${validationMessage.replace(/\.?$/, '.')}`).join(' ')}`);
  }
}

/** Fills in the fields of a name; undefined empties them. */
function fill(form, name, wanted) {
  const fields = fieldsOf(form).filter((field) => field.name === name && field.type !== 'submit' && field.type !== 'button');
  const [field] = fields;
  if (field === undefined) throw new webmcp.ValidationError(`the form ${form.getAttribute('toolname')} has no field ${name}`);
  if (field.type === 'file') throw new webmcp.ValidationError(`${name} is for a file, and only a human can choose one`);
  if (field.matches(':disabled')) throw new webmcp.ValidationError(`the field ${name} is disabled, and is not sent`);
  const list = Array.isArray(wanted) ? wanted.map(String) : wanted === undefined ? [] : [String(wanted)];
  switch (field.type) {
    case 'checkbox':
      for (const box of fields) press(box, fields.length === 1 && typeof wanted === 'boolean' ? wanted : list.includes(box.value));
      break;
    case 'radio':
      for (const radio of fields) press(radio, list.includes(radio.value));
      break;
    case 'select-multiple':
      for (const option of field.options) option.selected = list.includes(option.value);
      tell(field);
      break;
    default:
      setterOf(field).call(field, wanted === undefined ? '' : String(wanted)); // past what a framework has put there
      tell(field);
  }
  const now = field.type === 'hidden' || field.readOnly ? field.value : valueOf(fields);
  if (!isSame(now === '' ? undefined : now, wanted) && String(now) !== String(wanted ?? '')) throw new webmcp.ValidationError(`the field ${name} does not take ${JSON.stringify(wanted)}`);
}

/** Checks a box or a radio button, or not: by a click, which is what frameworks listen to. */
function press(box, checked) {
  if (box.checked === checked) return;
  box.click();
  if (box.checked === checked) return;
  box.checked = checked; // a radio button, which no click takes back
  tell(box);
}

function setterOf(field) {
  return Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set ?? function (value) { this.value = value; };
}

function tell(field) {
  for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true, composed: type === 'input' }));
}

/** Reports whether two values say the same: nothing, false and an empty list do. */
function isSame(a, b) {
  const text = (value) => (value === undefined || value === null || value === false || value === '' || (Array.isArray(value) && value.length === 0) ? '' : JSON.stringify(value));
  return text(a) === text(b);
}

// ------------------------------------------------------------------- the calls

function listen(at) {
  if (roots.has(at)) return;
  const target = at.defaultView ?? at; // of a document the window, before all others
  const context = contextOf(documentOf(at));
  const changed = () => survey(documentOf(at));
  const cancelled = ({ toolName }) => cancel(toolName, documentOf(at));
  target.addEventListener('submit', submitted, true);
  context?.addEventListener('toolchange', changed);
  context?.addEventListener('toolcancel', cancelled);
  roots.set(at, () => {
    roots.delete(at);
    target.removeEventListener('submit', submitted, true);
    context?.removeEventListener('toolchange', changed);
    context?.removeEventListener('toolcancel', cancelled);
  });
}

/** Takes a submit. That of a human goes its way. */
function submitted(event) {
  const [form] = event.composedPath();
  if (own.has(event)) return; // it is for the page
  if (form === sending) {
    event.stopImmediatePropagation(); // the page's handlers have run
    return;
  }
  if (!event.agentInvoked || !event.isTrusted || gatesOf(form).length === 0) return;
  event.stopImmediatePropagation();
  event.preventDefault();
  event.respondWith(answered(form, event));
}

/**
 * Runs a call of an agent through the gate. Resolves to the result, unless the agent has called the form again meanwhile: a form has
 * one state, the browser gives the newest call the first answer that comes, and earlier ones none. What has not run of them does not run.
 */
async function answered(form, event) {
  const input = read(form);
  const isPressed = !isSentByItself(form) && navigator.userActivation?.isActive === true;
  const controller = new AbortController();
  const line = lines.get(form) ?? { calls: new Set(), last: Promise.resolve() };
  lines.set(form, line);
  for (const earlier of line.calls) earlier.abort(new DOMException('the agent has called the form again', 'AbortError'));
  line.calls.add(controller);
  line.newest = controller;
  const run = async () => {
    const { execute, now } = await toolOf(form);
    now.submitter = event.submitter;
    now.answered = execute(structuredClone(input), { signal: controller.signal, submit: event, sent: isPressed ? input : undefined });
    return now.answered;
  };
  const result = line.last.then(run).catch(({ message }) => ({ isError: true, content: [{ type: 'text', text: `Error: ${message}` }], executed: false }));
  line.last = result.finally(() => line.calls.delete(controller));
  return new Promise((resolve) => line.last.then((answer) => { if (line.newest === controller) resolve(answer); }));
}

/** Has the browser send a form with an input, as if nothing had been between. */
function send(form, submitter, input) {
  try {
    show(form, input); // whatever has happened to it since
    sending = form;
    form.requestSubmit(submitter?.form === form ? submitter : null);
  } catch (error) {
    console.error(`[webmcp] the form ${form.getAttribute('toolname')} was not sent:`, error);
  } finally {
    sending = undefined;
  }
}

function cancel(name, document) {
  for (const [at] of roots) {
    if (documentOf(at) !== document) continue;
    for (const form of at.querySelectorAll('form[toolname]')) {
      if (form.getAttribute('toolname') !== name) continue;
      for (const controller of lines.get(form)?.calls ?? []) controller.abort(new DOMException('the agent has cancelled the call', 'AbortError'));
    }
  }
}

/**
 * Has the page's own handlers take a form, and the browser, where none of them prevents that, once the agent has its answer: the
 * page may be left then. Returns what the agent is told, or a promise of it.
 */
function hand(form, input, { submitter, answered }) {
  if (!form.isConnected) throw new Error(`the form ${form.getAttribute('toolname')} has gone from the page`);
  const { SubmitEvent } = form.ownerDocument.defaultView;
  const event = new SubmitEvent('submit', { bubbles: true, cancelable: true, submitter: submitter?.form === form ? submitter : null, agentInvoked: true });
  const answers = [];
  Object.defineProperty(event, 'agentInvoked', { value: true });
  Object.defineProperty(event, 'respondWith', {
    value: (answer) => {
      if (!event.defaultPrevented) throw new DOMException('To call respondWith, you must first call preventDefault.', 'InvalidStateError');
      answers.push(Promise.resolve(answer));
      answers.at(-1).catch(() => {}); // of several the last one counts
    },
  });
  own.add(event);
  form.dispatchEvent(event);
  if (answers.length > 0) return answers.at(-1);
  if (event.defaultPrevented) return 'The page has taken the form, and does not say what became of it.';
  answered.then(() => setTimeout(() => send(form, submitter, input)));
  return `The form is sent to ${placeOf(form, submitter)}. The page may be left for what comes back.`;
}

function placeOf(form, submitter) {
  const { origin, pathname } = new URL(submitter?.hasAttribute('formaction') ? submitter.formAction : form.getAttribute('action') ?? '', form.ownerDocument.baseURI);
  return origin === form.ownerDocument.defaultView.location.origin ? pathname : origin + pathname;
}

// ------------------------------------------------------------------- the tools

/** Returns the options of all calls of forms() that a form is in. */
function gatesOf(form) {
  return [...gates].filter(({ root, selector }) => holds(root, form) && form.matches(selector));
}

/** Reports whether a node is in a root, or is it; what is in an open shadow root counts. */
function holds(root, node) {
  for (let at = node; at; at = at.getRootNode().host) {
    if (root === at || root.contains?.(at)) return true;
    if (at.getRootNode() === at) return root === at;
  }
  return false;
}

function documentOf(node) {
  return node.ownerDocument ?? node;
}

/** Returns the open shadow roots in a node. */
function shadowsIn(node) {
  return Array.from(node.querySelectorAll('*')).flatMap(({ shadowRoot }) => (shadowRoot ? [shadowRoot, ...shadowsIn(shadowRoot)] : []));
}

/** Returns the options of a tool that is behind several gates: each can only tighten what the others say. */
function optionsFor(all) {
  const least = (name) => {
    const given = all.map((options) => options[name]).filter((value) => value !== undefined);
    return given.length === 0 ? undefined : given.length === 1 ? given[0] : Math.min(...given);
  };
  const hints = all.map(({ annotations = {} }) => annotations);
  return {
    hooks: all.reduce((merged, { hooks }) => (hooks === undefined ? merged : mergeHooks(merged, hooks)), undefined),
    approval: all.flatMap(({ approval = [] }) => approval),
    annotations: hints.length === 1 ? hints[0] : Object.assign({}, ...hints),
    timeout: least('timeout'), maxInputBytes: least('maxInputBytes'), maxOutputBytes: least('maxOutputBytes'),
  };
}

/** Returns the tool that stands for a form, registered with this file instead of the browser, which has it already. */
async function toolOf(form) {
  const all = gatesOf(form).map(({ rest }) => rest);
  const record = await recordOf(form);
  if (record === undefined || all.length === 0) throw new Error(`the form ${form.getAttribute('toolname')} is no tool any more`);
  const { name, description, title } = record;
  const schema = schemaOf(record);
  const key = JSON.stringify([name, description, title, schema, all.map((rest) => identityOf(rest))]);
  const known = kept.get(form);
  if (known?.key === key && known.tool.status !== 'idle') return known.registered;
  const holder = ours.get(name);
  if (holder !== undefined && documentOf(holder) !== documentOf(form) && isOurs(name, holder)) throw new Error(`a form of another document is the tool ${name} already: give them different names`);
  known?.tool.unregister();
  const now = { submitter: null, answered: Promise.resolve() }; // the call that runs
  const { hooks, ...options } = optionsFor(all);
  const fit = ({ input }) => { show(form, input); };
  const tool = webmcp((input) => {
    show(form, input);
    return hand(form, input, now);
  }, { ...options, hooks: mergeHooks(hooks, { before: [fit] }), name, description, ...(title && { title }), schema, replace: ours.has(name) });
  let execute;
  const made = { key, tool, now, execute: (...args) => execute(...args) };
  kept.set(form, made);
  ours.set(name, form);
  const scope = all.find((rest) => rest.scope !== undefined)?.scope;
  made.registered = tool.register({ scope, context: { registerTool: async (offered) => { ({ execute } = offered); } } }).then(() => made);
  return made.registered;
}

/** Reports whether a form is still the tool of a name. */
function isOurs(name, form) {
  return form.isConnected && form.getAttribute('toolname') === name && gatesOf(form).length > 0;
}

const identities = new WeakMap();
let identity = 0;

function identityOf(options) {
  return identities.get(options) ?? identities.set(options, ++identity).get(options);
}

let surveyed = Promise.resolve();

/** Makes tools of the forms that there are, so that policies, the registry and the inspector know them before an agent calls. */
function survey(document) {
  surveyed = surveyed.then(() => look(document));
}

async function look(document) {
  const context = contextOf(document);
  if (context === undefined) return;
  try {
    const names = new Set(Array.from(await context.getTools()).filter(({ window }) => window === document.defaultView).map(({ name }) => name));
    for (const { root } of gates) if (documentOf(root) === document) for (const shadow of shadowsIn(root)) listen(shadow);
    const found = [...roots.keys()].filter((at) => documentOf(at) === document).flatMap((at) => Array.from(at.querySelectorAll('form'))).filter(isOffered);
    for (const form of new Set(found)) {
      const name = form.getAttribute('toolname');
      const holder = ours.get(name);
      const isAnothers = holder === undefined ? registry.getStatus(name) !== 'idle' : holder !== form && isOurs(name, holder);
      if (names.has(name) && !isAnothers && gatesOf(form).length > 0) await toolOf(form);
    }
    for (const [name, form] of ours) {
      if (documentOf(form) !== document || isOurs(name, form)) continue;
      ours.delete(name);
      kept.get(form)?.tool.unregister();
      kept.delete(form);
    }
  } catch (error) {
    console.error('[webmcp] a form cannot be put behind the gate, and agents cannot call it:', error);
  }
}
