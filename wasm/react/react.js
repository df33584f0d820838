'use client';
// Tools, hooks and approvals for React 18 and 19, without a build step:
//
//	import { WebMCPProvider, Scope, useWebMCP, useWebMCPHooksContext } from './react.js';
//
// Rendering does nothing that another rendering could see: what happens in the
// page happens in effects, so React may render as often as it likes, drop what it
// rendered, or render on a server. Hooks take effect in insertion effects, which
// run in the moment of the commit: the next call of an agent sees them. Tools are
// registered in passive effects, which come after all of these.
import {
  createContext, createElement, useContext, useEffect, useId, useInsertionEffect, useLayoutEffect, useRef, useState, useSyncExternalStore,
} from 'react';
import { webmcp, mergeHooks, isWebMCPSupported, onToolsChanged, ConfigurationError } from './webmcp.js';

const PHASES = ['before', 'after', 'error', 'denied'];

/** What is around a component: the Place of the nearest provider, and the hooks of all providers. */
const PlaceContext = createContext(undefined);
const HooksContext = createContext(mergeHooks());

/**
 * Gives hooks to the tools that are registered inside it, by Scope and useWebMCP. Inside another provider they come
 * after, around its own after, that one's hooks. The hooks may change at any time, with no tool being registered
 * again. A ConfigurationError is thrown for what are no hooks.
 */
export function WebMCPProvider({ hooks, children }) {
  const outer = useContext(HooksContext);
  const own = useStable(mergeHooks(hooks), sameHooks);
  const all = useStable(mergeHooks(outer, own), sameHooks);
  const place = usePlace(own);
  return createElement(PlaceContext.Provider, { value: place }, createElement(HooksContext.Provider, { value: all, children }));
}

/**
 * Registers tools while it is mounted, with the hooks of the providers around it. A tool that another Scope
 * registers too is there once, with the hooks of both.
 */
export function Scope({ tools = [], children }) {
  const place = useContext(PlaceContext);
  if (!Array.isArray(tools) || !tools.every(isTool)) throw new ConfigurationError('Scope needs tools={[...]}: an array of what webmcp(fn, options) returned');
  const list = useStable(tools, sameItems);
  useEffect(() => {
    const ends = list.map((tool) => enter(tool, place, () => {})); // a failure is in the console already
    return () => ends.forEach((end) => end());
  }, [list, place]);
  return children;
}

/**
 * Registers a tool while the component is mounted. Given a function, it makes the tool, with the options of webmcp.
 * Function, hooks and validation may change at every rendering: a call runs the newest ones. Only when what the agent
 * sees changes, such as the name, the description or the JSON Schema, the tool is registered again. The hooks of a
 * tool that is given apply while this component is mounted, inside those of the providers and around the tool's own.
 *
 * Returns {supported, registered, source, status, error, tool}: registered is true in a browser without WebMCP too,
 * where only the page can call the tool, and source tells the two apart (native or registry). What cannot be made into a
 * tool does not break the page: the status is error, and tool is the function alone.
 */
export function useWebMCP(toolOrFn, options) {
  const { hooks, enabled = true, ...contract } = options ?? {};
  const committed = useRef(undefined);
  let made = committed.current;
  let own;
  let problem;
  try {
    own = mergeHooks(hooks);
    if (!made?.fits(toolOrFn, contract)) made = new Made(toolOrFn, contract);
  } catch (error) {
    problem = error;
  }
  useInsertionEffect(() => {
    if (problem !== undefined) return;
    made.latest = { fn: toolOrFn, contract };
    committed.current = made;
  });

  const stable = useStable(own, sameHooks);
  const place = usePlace(stable);
  const tool = problem === undefined ? made.tool : undefined;
  const wanted = enabled ? tool : undefined; // what is to be registered
  const [failure, setFailure] = useState(undefined); // {tool, error} of the last registration
  useEffect(() => {
    if (wanted === undefined) return undefined;
    return enter(wanted, place, (error) => setFailure(error && { tool: wanted, error }));
  }, [wanted, place]);

  const message = problem?.message;
  useEffect(() => {
    if (message === undefined) return;
    try {
      console.error(`[webmcp] ${message}`);
    } catch {
      // The console of a page may throw, as in test set-ups. The error is returned, too.
    }
  }, [message]);

  // Behind the effect that registers: their own effects look again, and see what it did.
  const supported = useSyncExternalStore(onToolsChanged, isSupported, () => false);
  const current = useSyncExternalStore(onToolsChanged, () => tool?.status ?? 'idle', () => 'idle');
  const error = problem ?? (wanted !== undefined && failure?.tool === wanted ? failure.error : undefined);
  let status = current;
  if (error !== undefined) status = 'error';
  else if (current === 'error' && wanted !== undefined) status = 'registering'; // why it failed is known in a moment
  else if (!enabled) status = 'disabled';
  const registered = status === 'registered';
  let source;
  if (registered) source = supported ? 'native' : 'registry';
  return { supported, registered, source, status, error, tool: tool ?? toolOrFn };
}

/**
 * Returns {hooks, scope} of the providers around a component: their hooks by phase, from the outermost provider to the
 * innermost, and the scope of the innermost, for tool.register({scope}). Without a provider, no hooks and undefined.
 */
export function useWebMCPHooksContext() {
  const place = useContext(PlaceContext);
  const hooks = useContext(HooksContext);
  return { hooks, get scope() { return place?.scope(); } };
}

// ------------------------------------------------------------- approvals

/**
 * Decides a question, by its id. Returns whether the decision counts: false for one that is not open any more. Of an approval
 * that has to be verified it is a promise of that; with an input, a promise of that or of what is wrong with it.
 */
const approve = (id, { remember, input } = {}) => webmcp.approvals.resolve(id, { decision: 'approve', remember, input });
const deny = (id, reason, { remember } = {}) => webmcp.approvals.resolve(id, { decision: 'deny', reason, remember });
const forget = (tool) => webmcp.approvals.forget(tool);

const NO_APPROVALS = Object.freeze({ pending: Object.freeze([]), remembered: Object.freeze([]), approve, deny, forget });
let approvals = NO_APPROVALS; // as they were when somebody looked last

/**
 * Returns {pending, remembered, approve, deny, forget}: the questions that wait for a human, the decisions that are
 * remembered, and what decides and revokes them. What has not changed is the same object at every rendering.
 */
export function useApprovals() {
  return useSyncExternalStore(webmcp.approvals.onChange, currentApprovals, () => NO_APPROVALS);
}

function currentApprovals() {
  const pending = kept(approvals.pending, webmcp.approvals.pending(), ({ id }) => id);
  const remembered = kept(approvals.remembered, webmcp.approvals.remembered(), (rule) => JSON.stringify(rule));
  if (pending !== approvals.pending || remembered !== approvals.remembered) approvals = Object.freeze({ ...NO_APPROVALS, pending, remembered });
  return approvals;
}

/** Returns the items, each as the object that it was, and the list as it was where that holds for all of it. */
function kept(before, items, keyOf) {
  const known = new Map(before.map((item) => [keyOf(item), item]));
  const list = items.map((item) => known.get(keyOf(item)) ?? Object.freeze(item));
  return sameItems(before, list) ? before : Object.freeze(list);
}

// The questions that askInDialog was asked: id -> function that answers it.
const asks = new Map();
const askListeners = new Set();
const NO_IDS = Object.freeze([]);
let askedIds = NO_IDS;
let dialogs = 0; // that are mounted

/** The function for the option ask of approval that has <ApprovalDialog> ask. Where none is mounted nobody can be asked, and the call fails. */
export function askInDialog({ id, signal }) {
  return new Promise((resolve) => {
    if (dialogs === 0) throw new Error('no <ApprovalDialog> is mounted that could ask');
    asks.set(id, resolve);
    signal.addEventListener('abort', () => {
      asks.delete(id);
      tellAsked();
    }, { once: true });
    tellAsked();
  });
}

function tellAsked() {
  askedIds = [...asks.keys()];
  for (const listener of [...askListeners]) listener();
}

function onAsked(listener) {
  askListeners.add(listener);
  return () => askListeners.delete(listener);
}

/** The question that the parts of a dialog are about. */
const QuestionContext = createContext(undefined);

/**
 * Asks the questions that come by askInDialog, one at a time, the oldest first; or the one that is given. Renders nothing
 * while there is none. It is a modal <dialog> without style; children are its parts, or a function that returns them.
 * Escape denies. Nothing of one question is left in the next.
 */
export function ApprovalDialog(given) {
  const { question, ...props } = given;
  const { pending } = useApprovals();
  const asked = useSyncExternalStore(onAsked, () => askedIds, () => NO_IDS);
  useEffect(() => {
    dialogs += 1;
    return () => {
      dialogs -= 1;
    };
  }, []);
  const queue = 'question' in given ? pending : pending.filter(({ id }) => asked.includes(id));
  const shown = 'question' in given ? queue.find(({ id }) => id === question?.id) : queue[0];
  if (shown === undefined) return null;
  return createElement(QuestionDialog, { ...props, key: shown.id, question: shown, waiting: queue.length - 1 });
}

function QuestionDialog({ question, waiting, armDelay = 500, children = defaultParts, ...props }) {
  const dialog = useRef(null);
  const denyButton = useRef(null);
  const reason = useRef(null);
  const shownAt = useRef(Infinity);
  const isDecided = useRef(false);
  const [verification, setVerification] = useState(undefined);
  const editor = useRef(null);
  const [issues, setIssues] = useState(NO_ISSUES); // of what was typed there
  const [isChecking, setChecking] = useState(false);
  const sentenceId = useId();
  const armedAt = useArmed(armDelay);

  useLayoutEffect(() => {
    dialog.current.showModal();
    denyButton.current?.focus();
    shownAt.current = performance.now();
    const { current } = dialog;
    return () => current.close(); // gives the focus back
  }, []);

  function decide(decision) {
    if (isDecided.current) return;
    const { id } = question;
    if (question.verify && decision.decision === 'approve') { // they may try again, and deny all the while
      if (verification === 'asked') return;
      setVerification('asked');
      Promise.resolve(webmcp.approvals.resolve(id, decision)).then((counts) => setVerification(counts ? 'asked' : 'failed'));
      return;
    }
    isDecided.current = true;
    const answer = asks.get(id) ?? ((said) => webmcp.approvals.resolve(id, said));
    answer(decision);
  }
  /** Approves with another input. What is wrong with that is shown, and the question stays open. */
  async function decideEdit(input) {
    if (isDecided.current || isChecking || verification === 'asked') return;
    setChecking(true);
    if (question.verify) setVerification('asked');
    setIssues(NO_ISSUES);
    let answer;
    try {
      answer = await webmcp.approvals.resolve(question.id, { decision: 'approve', input });
    } catch (error) {
      answer = [{ path: '', message: error.message }];
    }
    setChecking(false);
    if (Array.isArray(answer)) setIssues(answer);
    if (question.verify) setVerification(Array.isArray(answer) ? undefined : answer ? 'asked' : 'failed');
  }
  /** Approves what stands in the editor, where somebody has changed it. */
  function approveTyped({ remember }) {
    const text = editor.current?.value;
    if (text === undefined || text === draftText(question)) {
      about.approve({ remember });
      return;
    }
    let input;
    try {
      input = JSON.parse(text);
    } catch (error) {
      setIssues([{ path: '', message: `This is not JSON: ${error.message}` }]);
      return;
    }
    about.approve({ input });
  }
  const typed = () => reason.current?.value.trim() || undefined;
  const about = {
    question, waiting, verification, issues, armed: armedAt !== undefined && !isChecking && verification !== 'asked',
    approve: ({ remember, input } = {}) => (input === undefined ? decide({ decision: 'approve', remember }) : decideEdit(input)),
    deny: (why = typed(), { remember } = {}) => decide({ decision: 'deny', reason: why, remember }),
  };
  // Neither a script, nor the second click of a double click, nor what a human did before the question was there.
  const isMeant = ({ isTrusted, timeStamp, detail }) => isTrusted && detail <= 1 && timeStamp >= shownAt.current;
  const parts = {
    ...about, denyButton, reason, editor, sentenceId,
    onDeny: (event, remember) => isMeant(event) && about.deny(undefined, { remember }),
    onApprove: (event, remember) => isMeant(event) && event.timeStamp >= armedAt && !isChecking && approveTyped({ remember }),
  };
  return createElement('dialog', {
    'aria-label': props['aria-labelledby'] === undefined ? revealed(titleOf(question)) : undefined,
    'aria-describedby': sentenceId,
    ...props,
    ref: dialog,
    // A key that is held down says nothing: it may be the answer to the question before.
    onKeyDown(event) {
      props.onKeyDown?.(event);
      const isOnButton = event.target.closest('button') !== null && (event.key === 'Enter' || event.key === ' ');
      if (event.nativeEvent.repeat && (isOnButton || event.key === 'Escape')) event.preventDefault();
    },
    onCancel(event) {
      if (event.target !== dialog.current) return; // that of a file input
      event.preventDefault();
      if (event.isTrusted) about.deny();
    },
    // The browser may close it without asking, and so may a script. Hidden or unmounted there is none: the question stays.
    onClose(event) {
      if (event.target === dialog.current && !dialog.current.open && event.isTrusted) about.deny();
    },
  }, createElement(QuestionContext.Provider, { value: parts }, typeof children === 'function' ? children(about) : children));
}

/** Returns since when Approve works: not before the human had the time to see what it is about, again and again when the tab is shown. */
function useArmed(delay) {
  const [armedAt, setArmedAt] = useState(undefined);
  useEffect(() => {
    let timer;
    const arm = () => {
      clearTimeout(timer);
      setArmedAt(undefined);
      if (!document.hidden) timer = setTimeout(() => setArmedAt(performance.now()), delay);
    };
    arm();
    document.addEventListener('visibilitychange', arm);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', arm);
    };
  }, [delay]);
  return armedAt;
}

const titleOf = ({ title }) => title || 'Allow this action?';

/** Makes a part of the dialog that shows a text, unless it has children of its own; nothing where there is no text. */
function textPart(name, type, textOf, attributesOf = () => undefined) {
  return function Part({ children, ...props }) {
    const parts = useQuestion(name);
    const text = textOf(parts);
    if (children === undefined && !text) return null;
    return createElement(type, { dir: 'auto', ...attributesOf(parts), ...props }, children ?? revealed(text));
  };
}

function useQuestion(name) {
  const parts = useContext(QuestionContext);
  if (parts === undefined) throw new ConfigurationError(`${name} belongs inside <ApprovalDialog>`);
  return parts;
}

/** The title that the approval has, or a general one. */
export const ApprovalTitle = /* @__PURE__ */ textPart('ApprovalTitle', 'h2', ({ question }) => titleOf(question));
/** The tool, by its title and name. */
export const ApprovalTool = /* @__PURE__ */ textPart('ApprovalTool', 'p', ({ question: { tool, toolTitle } }) => (toolTitle ? `${toolTitle} (${tool})` : tool));
/** What describe of the approval has said; nothing without. */
export const ApprovalSentence = /* @__PURE__ */ textPart('ApprovalSentence', 'p', ({ question }) => question.sentence, ({ sentenceId }) => ({ id: sentenceId }));
/** What details of the approval has said; nothing without. */
export const ApprovalDetails = /* @__PURE__ */ textPart('ApprovalDetails', 'p', ({ question }) => question.details);
/** How many questions wait behind this one; nothing if none does. */
export const ApprovalWaiting = /* @__PURE__ */ textPart('ApprovalWaiting', 'p', ({ waiting }) => waiting > 0 && `${waiting} more waiting`, () => ({ role: 'status' }));

/** That the human has to prove that they are there, by a passkey for instance, and whether that has failed; nothing before they have approved. */
export const ApprovalVerification = /* @__PURE__ */ textPart('ApprovalVerification', 'p', ({ verification }) => VERIFICATIONS[verification], () => ({ role: 'alert' }));
const VERIFICATIONS = {
  asked: 'Confirm with your passkey, as your device asks you to.',
  failed: 'That was not confirmed, and nothing is approved. Try again, or deny.',
};

/** Every argument, by name and as JSON. */
export function ApprovalArguments(props) {
  const { question: { input } } = useQuestion('ApprovalArguments');
  return createElement('dl', props, Object.entries(Object(input)).map(([name, value]) => createElement('div', { key: name },
    createElement('dt', { dir: 'auto' }, revealed(name) || '""'),
    createElement('dd', null, createElement('pre', { style: VALUE_STYLE }, revealed(inJSON(value)))))));
}

/**
 * A text area with the arguments as JSON, where the approval lets the human change them, and below it what is wrong with
 * what they have typed; nothing where it does not. ApproveButton approves what stands there.
 */
export function ApprovalEditor(props) {
  const { question, issues, editor } = useQuestion('ApprovalEditor');
  const id = useId();
  if (!question.edit) return null;
  return [
    createElement('textarea', {
      'key': 'text', 'aria-label': 'Arguments as JSON', 'aria-invalid': issues.length > 0 || undefined, 'aria-describedby': id, 'dir': 'ltr', 'rows': 8,
      'spellCheck': false, 'autoComplete': 'off', 'defaultValue': draftText(question), ...props, 'ref': editor,
    }),
    createElement('ul', { key: 'issues', id, role: 'alert', hidden: issues.length === 0 }, issues.map(({ path, message }, key) => createElement('li', { key }, revealed(path ? `${path}: ${message}` : message)))),
  ];
}

const NO_ISSUES = Object.freeze([]);

/** Returns what somebody starts from who changes the arguments. What cannot be seen is escaped, as JSON has it. */
function draftText({ draft }) {
  const escape = (character) => Array.from({ length: character.length }, (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`).join('');
  return inJSON(draft).replace(HIDDEN, escape);
}

const VALUE_STYLE = { margin: 0, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', unicodeBidi: 'isolate' }; // nothing is cut, none moves another

/** A text field for the reason of a denial, which the agent reads. */
export function ApprovalReason(props) {
  const { reason } = useQuestion('ApprovalReason');
  return createElement('input', { 'type': 'text', 'autoComplete': 'off', 'dir': 'auto', 'aria-label': 'Reason for denying', ...props, ref: reason });
}

/** How long the question has been waiting, in its last ten seconds how long it still will. */
export function ApprovalTime(props) {
  const { question: { since, deadline } } = useQuestion('ApprovalTime');
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const clock = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(clock);
  }, []);
  const left = Math.max(0, Math.ceil((deadline - now) / 1000));
  const text = left <= 10 ? `${left} s left` : `Waiting for ${Math.max(0, Math.floor((now - since) / 1000))} s`;
  return createElement('p', { 'data-last': left <= 10 || undefined, ...props }, text);
}

/** Denies, by trusted events alone. remember: what the answer is remembered for. */
export function DenyButton({ remember, children = 'Deny', ...props }) {
  const { denyButton, onDeny } = useQuestion('DenyButton');
  return createElement('button', { type: 'button', ...props, ref: denyButton, onClick: (event) => press(event, props, onDeny, remember) }, children);
}

/** Approves, by trusted events alone, once the human had the time to see the question. remember: what the answer is remembered for. */
export function ApproveButton({ remember, children, ...props }) {
  const { armed, onApprove, question } = useQuestion('ApproveButton');
  return createElement('button', { 'type': 'button', ...props, 'aria-disabled': !armed || undefined, 'onClick': (event) => press(event, props, onApprove, remember) },
    children ?? (question.verify ? 'Approve with passkey' : 'Approve'));
}

function press(event, { onClick }, decide, remember) {
  onClick?.(event);
  if (!event.defaultPrevented) decide(event.nativeEvent, remember);
}

function defaultParts() {
  return [ApprovalTitle, ApprovalTool, ApprovalSentence, ApprovalDetails, ApprovalArguments, ApprovalEditor, ApprovalTime, ApprovalReason, ApprovalVerification, DenyButton, ApproveButton, ApprovalWaiting]
    .map((part, key) => createElement(part, { key }));
}

function inJSON(value) {
  try {
    return JSON.stringify(value, null, 2) ?? String(value);
  } catch {
    return Object.prototype.toString.call(value); // the value of a schema may be no JSON
  }
}

// What a human would not see, as in elements.js, which a page without elements does not load.
const HIDDEN = /(?![ \t\n])[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{Zl}\p{Zp}\p{Zs}\u2800\u{1d159}\u{16fe4}\u{13441}\u{13442}]/gu;

function revealed(text) {
  return String(text).replace(HIDDEN, (character) => `\\u{${character.codePointAt(0).toString(16)}}`);
}

// ---------------------------------------------------------------- places

/** The scope of one mounted component. It is made when a tool needs it, which is never during rendering. */
class Place {
  constructor(parent) {
    this.parent = parent;
    this.hooks = undefined; // what was committed last
    this.made = undefined;
  }

  scope() {
    this.made ??= webmcp.scope({ hooks: this.hooks }, this.parent?.scope());
    return this.made;
  }

  /** Replaces the hooks, in one step: no call ever sees none. */
  configure(hooks) {
    this.hooks = hooks;
    try {
      this.made?.configure({ hooks, replace: true });
    } catch {
      // The module has stopped, and with it all calls: nothing is left to guard, and the page goes on.
    }
  }
}

/** Returns the place of this component inside the nearest provider's, with hooks; undefined keeps those it has. */
function usePlace(hooks) {
  const parent = useContext(PlaceContext);
  const [place] = useState(() => new Place(parent)); // the parent outlives this component
  useInsertionEffect(() => {
    if (hooks !== undefined) place.configure(hooks);
  }, [place, hooks]);
  return place;
}

// --------------------------------------------------------- registrations

// Registrations whose component has gone: name of the tool -> Map of AbortController -> tool.
const leaving = new Map();

/**
 * Registers a tool in a place, and calls settled with the error, or without. Returns a function that ends the
 * registration, in a moment: a component that is mounted again at once, as in StrictMode, takes the tool over, and the
 * browser hears nothing of it.
 */
function enter(tool, place, settled) {
  const { name } = tool.tool;
  for (const [controller, other] of leaving.get(name) ?? []) {
    if (other !== tool) leave(name, controller); // the name is needed now
  }
  const controller = new AbortController();
  const { signal } = controller;
  const registration = (async () => tool.register({ signal, scope: place?.scope() }))();
  registration.then(() => settled(undefined), (error) => {
    if (!signal.aborted) settled(error);
  });
  return () => {
    if (!leaving.has(name)) leaving.set(name, new Map());
    leaving.get(name).set(controller, tool);
    queueMicrotask(() => leave(name, controller));
  };
}

function leave(name, controller) {
  const registrations = leaving.get(name);
  if (registrations?.delete(controller) && registrations.size === 0) leaving.delete(name);
  controller.abort();
}

let answer; // of isWebMCPSupported, as long as one run of code lasts

/** Reports whether the browser has WebMCP. All components that look in one run of code ask once. */
function isSupported() {
  if (answer === undefined) {
    answer = isWebMCPSupported();
    queueMicrotask(() => {
      answer = undefined;
    });
  }
  return answer;
}

// ----------------------------------------------------------------- tools

/** A tool that useWebMCP has made, or was given, and what it was made of. */
class Made {
  constructor(given, contract) {
    if (contract.global) throw new ConfigurationError('useWebMCP registers the tool while the component is mounted: leave the option global out');
    this.given = given;
    this.contract = contract;
    this.latest = { fn: given, contract }; // what was committed last
    this.tool = this.make();
  }

  make() {
    const { given, contract } = this;
    const options = { ...contract };
    for (const key of ['schema', 'outputSchema']) {
      if (isStandard(contract[key])) options[key] = following(contract[key], () => this.latest.contract[key]);
    }
    if (isStandard(contract.fields)) throw new ConfigurationError('fields must be an object: {member: schema}');
    options.fields = contract.fields && Object.fromEntries(Object.entries(contract.fields).map(([key, field]) => (
      [key, isStandard(field) ? following(field, () => this.latest.contract.fields[key]) : field])));
    if (isTool(given)) return Object.values(contract).every((value) => value === undefined) ? given : webmcp(given, options);
    if (typeof given !== 'function') return webmcp(given, options); // says what is wrong

    const self = this;
    const follower = function (...args) {
      return Reflect.apply(self.latest.fn, this, args);
    };
    Object.defineProperties(follower, { name: { value: given.name }, length: { value: given.length } });
    options.schema ??= inferred(given); // from its own source, which that of follower does not show
    return webmcp(follower, options);
  }

  /** Reports whether what an agent sees is the same for this function or tool, and these options. */
  fits(given, contract) {
    if (given !== this.given) {
      if (typeof given !== 'function' || isTool(given) || isTool(this.given)) return false;
      if (contract.name === undefined && given.name !== this.given.name) return false;
      if (contract.schema === undefined && sourceOf(given) !== sourceOf(this.given)) return false;
    }
    return same(contract, this.contract);
  }
}

function isTool(value) {
  return typeof value === 'function' && typeof value.register === 'function' && value.tool !== undefined;
}

function sourceOf(fn) {
  return Function.prototype.toString.call(fn);
}

/** Returns the schema that webmcp reads from a function; undefined where it can read none. */
function inferred(fn) {
  try {
    return webmcp(fn, { name: 'inferred', description: 'inferred', strict: true }).tool.inputSchema;
  } catch {
    return undefined;
  }
}

// --------------------------------------------------------------- schemas

const texts = new WeakMap(); // Standard Schema -> what agents see of it

function isStandard(schema) {
  return typeof schema?.['~standard']?.validate === 'function';
}

/** Returns a Standard Schema that agents see as first, and that validates as the newest one does. */
function following(first, newest) {
  const { version, vendor, jsonSchema } = first['~standard'];
  return {
    '~standard': { version, vendor, jsonSchema, validate: (value) => newest()['~standard'].validate(value) },
    toJSONSchema: first.toJSONSchema?.bind(first),
  };
}

/** Returns what agents see of a Standard Schema, as text. */
function textOf(schema) {
  let text = texts.get(schema);
  if (text === undefined) {
    text = JSON.stringify(['input', 'output'].map((side) => {
      try {
        return schema['~standard'].jsonSchema?.[side]({ target: 'draft-2020-12' }) ?? schema.toJSONSchema?.({ io: side });
      } catch {
        return undefined; // it has no JSON form
      }
    }));
    texts.set(schema, text);
  }
  return text;
}

// ------------------------------------------------------------ comparison

/** Returns the value that was committed last, where the new one is the same by what it holds; undefined keeps that. */
function useStable(value, isSame) {
  const committed = useRef(undefined);
  const last = committed.current;
  const stable = value === undefined || (last !== undefined && isSame(last, value)) ? last : value;
  useInsertionEffect(() => {
    committed.current = stable;
  }, [stable]);
  return stable;
}

function sameItems(a, b) {
  return a.length === b.length && a.every((item, i) => item === b[i]);
}

function sameHooks(a, b) {
  return a.timeout === b.timeout && PHASES.every((phase) => sameItems(a[phase], b[phase]));
}

/** Reports whether agents see the same of two options: equal by value, Standard Schemas by what agents see of them. */
function same(a, b) {
  if (Object.is(a, b)) return true;
  if (isStandard(a) || isStandard(b)) return isStandard(a) && isStandard(b) && textOf(a) === textOf(b);
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || Array.isArray(a) !== Array.isArray(b)) return false;
  return Object.keys({ ...a, ...b }).every((key) => same(a[key], b[key]));
}
