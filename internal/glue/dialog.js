// The built-in dialog that asks a human whether a call may run. Puts one element into the document while it asks, and
// takes it out again; marks the title of a hidden tab, and may show a notification. Decides nothing itself: its owner
// gets what the human chose, by trusted events alone. What it calls of the browser is as it was when this file loaded:
// a page that replaces a function later neither sees the inside of the dialog nor steers it.

/** All texts of the dialog. Those with numbers or names in them are functions. */
const DIALOG_STRINGS = Object.freeze({
  lang: 'en',
  dir: 'ltr',
  title: 'Allow this action?',
  tool: 'An agent asks to run',
  input: 'Arguments',
  noArguments: 'No arguments',
  untrusted: 'These arguments hold text from an untrusted source. Check them with care.',
  remember: 'How long does your answer count?',
  call: 'Only this call',
  sameArguments: (tool, args) => `Calls of ${tool} with ${args ?? 'the same arguments'}, until this page is closed`,
  wholeTool: (tool) => `All calls of ${tool}, until this page is closed`,
  reason: 'Reason for denying (optional, the agent reads it)',
  deny: 'Deny',
  approve: 'Approve',
  mark: '(!) ',
  notification: (tool) => `Approval needed: ${tool}`,
  waiting: (count) => `${count} more waiting`,
  position: (number, total) => `Question ${number} of ${total}`,
  since: (seconds) => `Waiting for ${seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`}`,
  left: (seconds) => `${seconds} ${seconds === 1 ? 'second' : 'seconds'} left`,
  same: (count) => `${count} more ${count === 1 ? 'call' : 'calls'} of this tool`,
  together: (count) => count === 1 ? 'Decide this call the same way' : `Decide these ${count} calls the same way`,
});

// What takes no room, looks like another space, or turns the writing direction; then halves of a character, and signs
// that are blank although Unicode counts them as visible.
const UNSEEN = /(?![ \t\n])[\p{Default_Ignorable_Code_Point}\p{C}\p{Z}\u2800\u{1d159}\u{16fe4}\u{13441}\u{13442}]/gu;

const LOOK_EVERY = 250; // milliseconds
const LAST_SECONDS = 10; // of which the dialog shows the time left, and the first of which it does not show the time passed
const LONG_TEXT = 300; // characters from which on a value scrolls in a box of its own
const DEEPEST_INDENT = 24; // levels of nesting
const COVERED = 'another element covers the dialog';

// ---------------------------------------------------- functions of the browser

/** Returns a method or getter of a type as a function of its object; undefined where there is no such thing. */
function bare(type, name, kind = 'get') {
  const found = Object.getOwnPropertyDescriptor(globalThis[type]?.prototype ?? {}, name);
  const method = found?.[kind] ?? found?.value;
  return method && Function.prototype.call.bind(method);
}

const documentElementOf = bare('Document', 'documentElement');
const createElement = bare('Document', 'createElement');
const createTextNode = bare('Document', 'createTextNode');
const isHidden = bare('Document', 'hidden');
const elementFromPoint = bare('Document', 'elementFromPoint');
const titleOf = bare('Document', 'title');
const setTitle = bare('Document', 'title', 'set');
const parentOf = bare('Node', 'parentNode');
const appendChild = bare('Node', 'appendChild');
const setText = bare('Node', 'textContent', 'set');
const replaceElement = bare('Element', 'replaceWith');
const removeElement = bare('Element', 'remove');
const attachShadow = bare('Element', 'attachShadow');
const setAttribute = bare('Element', 'setAttribute');
const removeAttribute = bare('Element', 'removeAttribute');
const toggleAttribute = bare('Element', 'toggleAttribute');
const matchesSelector = bare('Element', 'matches');
const boundsOf = bare('Element', 'getBoundingClientRect');
const checkVisibility = bare('Element', 'checkVisibility');
const leftOf = bare('DOMRectReadOnly', 'left');
const rightOf = bare('DOMRectReadOnly', 'right');
const topOf = bare('DOMRectReadOnly', 'top');
const bottomOf = bare('DOMRectReadOnly', 'bottom');
const findAll = bare('Document', 'querySelectorAll');
const countOf = bare('NodeList', 'length');
const focusOn = bare('HTMLElement', 'focus');
const showModal = bare('HTMLDialogElement', 'showModal');
const closeDialog = bare('HTMLDialogElement', 'close');
const isOpen = bare('HTMLDialogElement', 'open');
const isUnfolded = bare('HTMLDetailsElement', 'open');
const valueOf = bare('HTMLInputElement', 'value');
const isChecked = bare('HTMLInputElement', 'checked');
const setChecked = bare('HTMLInputElement', 'checked', 'set');
const replaceSync = bare('CSSStyleSheet', 'replaceSync');
const adopt = bare('ShadowRoot', 'adoptedStyleSheets', 'set') ?? bare('DocumentOrShadowRoot', 'adoptedStyleSheets', 'set');
const listen = bare('EventTarget', 'addEventListener');
const unlisten = bare('EventTarget', 'removeEventListener');
const preventDefault = bare('Event', 'preventDefault');
const momentOf = bare('Event', 'timeStamp');
const targetOf = bare('Event', 'target');
const clicksOf = bare('UIEvent', 'detail');
const keyOf = bare('KeyboardEvent', 'key');
const isRepeated = bare('KeyboardEvent', 'repeat');
const isComposing = bare('KeyboardEvent', 'isComposing');
const observeVisibility = bare('IntersectionObserver', 'observe');
const stopObserving = bare('IntersectionObserver', 'disconnect');
const isSeen = bare('IntersectionObserverEntry', 'isVisible');
const closeNotification = bare('Notification', 'close');
const millisecondsOf = bare('Performance', 'now');
const findNext = bare('RegExp', 'exec');
const sliceOf = bare('String', 'slice');
const trimmed = bare('String', 'trim');
const codeAt = bare('String', 'codePointAt');
const startsWith = bare('String', 'startsWith');
const replaceIn = bare('String', 'replaceAll');
const spaces = bare('String', 'repeat');
const digitsOf = bare('Number', 'toString');
const {
  document: page, performance: clock, CSSStyleSheet: NativeStyleSheet, IntersectionObserver: NativeObserver, Notification: NativeNotification,
  setTimeout: startTimer, clearTimeout: stopTimer, setInterval: startTicking, clearInterval: stopTicking,
  requestAnimationFrame: nextFrame, cancelAnimationFrame: skipFrame, focus: focusWindow, queueMicrotask: soon,
} = globalThis;
const { stringify: quoteText, parse: parseText } = JSON;
const namesOf = Object.keys;
const isItems = Array.isArray;
const hasItem = bare('Array', 'includes');

const now = () => millisecondsOf(clock);
const POPOVERS = bare('HTMLElement', 'popover') === undefined ? 'not-known' : ':popover-open';
const popoversNow = () => findAll(page, POPOVERS);

// ------------------------------------------------------------------ what it shows

/** Makes an element with attributes (undefined leaves one out) and children: elements, or texts of ours. */
function make(name, attributes = {}, ...children) {
  const made = createElement(page, name);
  const names = namesOf(attributes);
  for (let i = 0; i < names.length; i++) {
    if (attributes[names[i]] !== undefined) setAttribute(made, names[i], attributes[names[i]]);
  }
  for (let i = 0; i < children.length; i++) {
    if (typeof children[i] === 'string') addText(made, children[i]);
    else if (children[i]) appendChild(made, children[i]);
  }
  return made;
}

function addText(element, text) {
  appendChild(element, createTextNode(page, text));
}

/** Adds a text of others to an element, and returns the element. What a human would not see is marked, as \u{202e}. */
function reveal(element, text) {
  let from = 0;
  UNSEEN.lastIndex = 0;
  for (let found; (found = findNext(UNSEEN, text)) !== null; from = UNSEEN.lastIndex) {
    addText(element, sliceOf(text, from, found.index));
    appendChild(element, make('mark', {}, `\\u{${digitsOf(codeAt(found[0], 0), 16)}}`));
  }
  addText(element, sliceOf(text, from));
  return element;
}

/** Adds a value as JSON, nested ones with a line for each member. Each text stands for itself, whatever direction it is written in. */
function addJSON(element, value, depth) {
  if (typeof value === 'string') {
    // Not the escapes of JSON for what is unseen: that has one look in the whole dialog.
    const escaped = replaceIn(replaceIn(replaceIn(replaceIn(value, '\\', '\\\\'), '"', '\\"'), '\n', '\\n'), '\t', '\\t');
    appendChild(element, reveal(make('bdi'), `"${escaped}"`));
  } else if (typeof value === 'object' && value !== null) {
    const isList = isItems(value);
    const names = namesOf(value);
    const line = (level) => `\n${spaces('  ', level < DEEPEST_INDENT ? level : DEEPEST_INDENT)}`;
    addText(element, isList ? '[' : '{');
    for (let i = 0; i < names.length; i++) {
      addText(element, (i === 0 ? '' : ',') + line(depth + 1));
      if (!isList) {
        addJSON(element, names[i], 0);
        addText(element, ': ');
      }
      addJSON(element, value[names[i]], depth + 1);
    }
    addText(element, (names.length === 0 ? '' : line(depth)) + (isList ? ']' : '}'));
  } else {
    addText(element, quoteText(value) ?? `${value}`);
  }
}

/** Returns a text of the dialog as the page wants it; ours where that is none. A function of the page may fail. */
function textOf(name, given) {
  const ours = DIALOG_STRINGS[name];
  if (given === undefined || typeof ours === 'string') return typeof given === 'string' ? given : ours;
  return (...args) => {
    try {
      const said = typeof given === 'function' ? given(...args) : given;
      if (typeof said === 'string') return said;
    } catch {
      // It says nothing.
    }
    return ours(...args);
  };
}

function reportUnknown(given, known) {
  for (let i = 0; i < given.length; i++) {
    if (!hasItem(known, given[i])) console.error(`[webmcp] the dialog has no text ${given[i]}: its texts are ${known.join(', ')}`);
  }
}

/** Returns the box with a value: a text as it is, unless it could be taken for something else; all else as JSON. */
function boxOf(value, label) {
  const isPlain = typeof value === 'string' && !isLikeJSON(value);
  const isLong = typeof value === 'object' || (typeof value === 'string' && value.length > LONG_TEXT);
  const box = isLong ? make('pre', { 'class': 'long', 'tabindex': 0, 'role': 'group', 'aria-label': label }) : make('pre');
  if (!isPlain) {
    addJSON(box, value, 0);
    return box;
  }
  setAttribute(box, 'dir', 'auto');
  return reveal(box, value);
}

/** Whether a text would look as another value does, or as less than it is. */
function isLikeJSON(text) {
  if (text === '' || trimmed(text) !== text) return true;
  try {
    parseText(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns what shows an input: a name and a value for each argument. */
function argumentsOf(input, texts) {
  if (typeof input !== 'object' || input === null || isItems(input)) return boxOf(input, texts.input);
  const names = namesOf(input);
  if (names.length === 0) return make('p', { class: 'soft' }, texts.noArguments);
  const list = make('dl');
  for (let i = 0; i < names.length; i++) {
    appendChild(list, reveal(make('dt', { dir: 'auto' }), names[i] === '' ? '""' : names[i]));
    appendChild(list, make('dd', {}, boxOf(input[names[i]], names[i] || '""')));
  }
  return list;
}

// ------------------------------------------------------------------- the dialog

/** Asks one question at a time. */
class ApprovalDialog {
  #texts = {};
  #armDelay;
  #decide;
  #unavailable;

  // What is in the document, from the first question to close().
  #host;
  #dialog;
  #status; // says aloud what changes
  #content; // of the question
  #count = 0; // of questions since it opened
  #ticking;
  #observer;
  #below; // popovers that were open before

  // The question that is shown, and its parts.
  #question;
  #settled = true; // it was decided, or cannot be any more
  #deny;
  #approve;
  #bar; // the progress of arming
  #reason;
  #choices;
  #same;
  #listed;
  #together;
  #waiting;
  #time;
  #shownAt;
  #held = false; // a key on a button is, and repeats
  #escapes = false; // the human wants out
  #suspect = false; // it was covered when it was last looked at
  #occluded = false; // says the browser
  #marked = false; // the title is
  #notification;
  #warned = false; // of the last seconds

  #armed = false;
  #armedAt;
  #frame;
  #timer;

  constructor({ strings = {}, armDelay = 500, decide, unavailable }) {
    const names = namesOf(DIALOG_STRINGS);
    for (let i = 0; i < names.length; i++) this.#texts[names[i]] = textOf(names[i], strings[names[i]]);
    reportUnknown(namesOf(strings), names);
    this.#armDelay = armDelay;
    this.#decide = decide;
    this.#unavailable = unavailable;
  }

  /** The id of the question that is shown. */
  get shown() {
    return this.#question?.id;
  }

  /** Shows a question, in place of the one that is shown. */
  show(question) {
    this.#settle();
    this.#question = { ...question };
    this.#settled = false;
    this.#warned = this.#escapes = this.#suspect = this.#occluded = false;
    this.#notification = undefined;
    if (page === undefined || showModal === undefined || documentElementOf(page) === null) {
      soon(() => this.#fail('there is no document that could show a dialog', question.id));
      return;
    }
    try {
      if (this.#host !== undefined && this.#fault(true) !== undefined) this.#remove();
      if (this.#host === undefined) this.#open();
      this.#count++;
      this.#fill();
      if (!isOpen(this.#dialog)) {
        const popovers = popoversNow();
        this.#below = [];
        for (let i = 0; i < countOf(popovers); i++) this.#below[i] = popovers[i];
        showModal(this.#dialog);
      }
      focusOn(this.#deny);
      this.#shownAt = now();
      this.#ticking = startTicking(() => this.#look(), LOOK_EVERY);
      this.#showWaiting();
      this.#showTime();
      this.#turn();
    } catch (error) {
      soon(() => this.#fail(`the dialog could not be shown: ${error}`, question.id));
    }
  }

  /** Changes waiting, deadline or same of the question that is shown. */
  update({ waiting, deadline, same }) {
    const question = this.#question;
    if (question === undefined) return;
    question.waiting = waiting ?? question.waiting;
    question.deadline = deadline ?? question.deadline;
    question.same = same ?? question.same;
    if (this.#settled || this.#host === undefined) return;
    if (same !== undefined) this.#showSame();
    if (waiting !== undefined) this.#showWaiting();
    this.#showTime();
  }

  /** Asks nothing any more. */
  close() {
    this.#settle();
    this.#question = undefined;
    if (this.#host !== undefined) this.#remove();
    this.#count = 0;
  }

  // --------------------------------------------------------------- its elements

  #open() {
    // Not a custom element: one that a page defines is given its closed root.
    this.#host = make('div');
    const root = attachShadow(this.#host, { mode: 'closed' });
    const sheet = new NativeStyleSheet();
    replaceSync(sheet, stylesOf(this.#armDelay));
    let given = false; // not a list: in some browsers the page's own iterator would be handed the sheet
    adopt(root, { [Symbol.iterator]: () => ({ next: () => given ? { done: true } : (given = true, { value: sheet }) }) });
    const dialog = this.#dialog = make('dialog', { 'lang': this.#texts.lang, 'dir': this.#texts.dir, 'aria-labelledby': 'title', 'aria-describedby': 'about' });
    appendChild(dialog, this.#status = make('p', { role: 'status' }));
    appendChild(dialog, this.#content = make('div'));
    listen(dialog, 'keydown', (event) => this.#onKey(event));
    listen(dialog, 'keyup', () => {
      this.#held = false;
    });
    listen(dialog, 'cancel', (event) => {
      preventDefault(event);
      this.#answer(event, 'deny');
    });
    listen(dialog, 'close', (event) => {
      if (!event.isTrusted || isOpen(dialog) || dialog !== this.#dialog) return;
      if (this.#escapes) this.#answer(event, 'deny');
      else this.#fail('the dialog was closed by a script');
    });
    appendChild(root, dialog);
    appendChild(documentElementOf(page), this.#host);
    listen(page, 'visibilitychange', this.#turn);
    if (isSeen === undefined) return;
    this.#observer = new NativeObserver((entries) => {
      this.#occluded = !isSeen(entries[entries.length - 1]);
    }, { trackVisibility: true, delay: 100 });
    observeVisibility(this.#observer, dialog);
  }

  #remove() {
    const dialog = this.#dialog;
    this.#dialog = undefined;
    unlisten(page, 'visibilitychange', this.#turn);
    if (this.#observer !== undefined) stopObserving(this.#observer);
    if (isOpen(dialog)) closeDialog(dialog); // gives the focus back
    removeElement(this.#host);
    this.#host = this.#observer = this.#status = this.#content = this.#deny = this.#approve = this.#bar = this.#reason = undefined;
    this.#choices = this.#same = this.#listed = this.#together = this.#waiting = this.#time = undefined;
  }

  /** Builds all that belongs to the question anew, so that nothing of the last one is left. */
  #fill() {
    const { name, toolTitle, title, sentence, details, input, untrusted, remember } = this.#question;
    const texts = this.#texts;
    const tool = make('p', { class: 'tool' }, `${texts.tool} `);
    if (toolTitle) addText(reveal(appendChild(tool, make('b', { dir: 'auto' })), toolTitle), ' ');
    appendChild(tool, reveal(make('code'), name));
    const about = make('div', { id: 'about' }, tool);
    if (sentence) appendChild(about, reveal(make('p', { class: 'sentence', dir: 'auto' }), sentence));
    this.#waiting = make('p', { class: 'waiting' });
    this.#time = make('p', { class: 'time' });
    const scroller = make('div', { class: 'scroller' },
      make('header', {}, reveal(make('h2', { id: 'title', dir: 'auto' }), title || texts.title), this.#waiting),
      about,
      details && reveal(make('p', { class: 'details', dir: 'auto' }), details),
      untrusted && make('p', { class: 'warning' }, texts.untrusted),
      make('h3', {}, texts.input),
      argumentsOf(input, texts),
      this.#same = make('details', { hidden: '' }),
      this.#chooser(remember),
      make('label', { for: 'reason' }, texts.reason),
      this.#reason = make('input', { id: 'reason', type: 'text', autocomplete: 'off', dir: 'auto' }),
    );
    this.#listed = this.#together = undefined;
    this.#deny = make('button', { type: 'button', class: 'deny' }, texts.deny);
    this.#approve = make('button', { type: 'button', class: 'approve' }, texts.approve, this.#bar = make('i'));
    listen(this.#deny, 'click', (event) => this.#onClick(event, 'deny'));
    listen(this.#approve, 'click', (event) => this.#onClick(event, 'approve'));
    const content = make('div', { class: 'content' }, scroller, make('footer', {}, this.#time, this.#deny, this.#approve));
    replaceElement(this.#content, content);
    this.#content = content;
    this.#showSame();
  }

  /** Makes the radio buttons for what is remembered, where there is a choice. */
  #chooser(remember) {
    this.#choices = [];
    if (!(remember?.length > 1)) return undefined;
    const group = make('fieldset', {}, make('legend', {}, this.#texts.remember));
    for (let i = 0; i < remember.length; i++) {
      const input = make('input', { type: 'radio', name: 'remember', checked: i === 0 ? '' : undefined });
      this.#choices[i] = { input, value: remember[i].value };
      appendChild(group, make('label', {}, input, reveal(make('span', { dir: 'auto' }), this.#rule(remember[i]))));
    }
    return group;
  }

  /** Says for what a decision would be remembered: the very rule. */
  #rule({ value, args }) {
    const { call, sameArguments, wholeTool } = this.#texts;
    const { name } = this.#question;
    return value === 'call' ? call : value === 'tool' ? wholeTool(name) : sameArguments(name, args);
  }

  /** Shows the other calls of the tool. What the human unfolded or ticked stays, unless calls were added: those are not what was ticked. */
  #showSame() {
    const same = this.#question.same ?? [];
    const ids = [];
    let added = false;
    for (let i = 0; i < same.length; i++) {
      ids[i] = same[i].id;
      added ||= !hasItem(this.#listed ?? [], ids[i]);
    }
    if (!added && ids.length === (this.#listed ?? []).length) return;
    this.#listed = ids;
    const stays = !added && this.#together !== undefined && isChecked(this.#together);
    const label = make('label', {}, this.#together = make('input', { type: 'checkbox' }), make('span', {}, this.#texts.together(ids.length)));
    setChecked(this.#together, stays);
    const list = make('ol');
    for (let i = 0; i < same.length; i++) appendChild(list, make('li', {}, argumentsOf(same[i].input, this.#texts)));
    setText(this.#same, '');
    appendChild(this.#same, make('summary', {}, this.#texts.same(ids.length)));
    appendChild(this.#same, list);
    appendChild(this.#same, label);
    toggleAttribute(this.#same, 'hidden', ids.length === 0);
  }

  #showWaiting() {
    const { waiting = 0 } = this.#question;
    const text = waiting > 0 ? this.#texts.waiting(waiting) : '';
    setText(this.#waiting, text);
    const total = this.#count + waiting;
    this.#announce(total > 1 ? `${this.#texts.position(this.#count, total)}. ${text}` : text);
  }

  /** Shows how long it has been waiting and, in the end, how long it will. */
  #showTime() {
    const { since, deadline } = this.#question;
    const passed = Math.floor((now() - since) / 1000);
    const left = Math.max(0, Math.ceil((deadline - now()) / 1000));
    const isLast = left <= LAST_SECONDS;
    const text = isLast ? this.#texts.left(left) : passed >= LAST_SECONDS ? this.#texts.since(passed) : '';
    setText(this.#time, text);
    toggleAttribute(this.#time, 'data-last', isLast);
    if (isLast !== this.#warned) this.#announce(isLast ? text : '');
    this.#warned = isLast;
  }

  #announce(text) {
    setText(this.#status, text);
  }

  // -------------------------------------------------------------- its answers

  /** Approve begins to work when the human had the time to see the question. */
  #arm() {
    this.#armed = false;
    this.#disarm();
    setAttribute(this.#approve, 'aria-disabled', 'true');
    const bar = make('i');
    replaceElement(this.#bar, bar); // its animation begins anew
    this.#bar = bar;
    if (isHidden(page)) return;
    this.#frame = nextFrame(() => {
      this.#timer = startTimer(() => {
        if (isHidden(page)) return;
        this.#armed = true;
        this.#armedAt = now();
        removeAttribute(this.#approve, 'aria-disabled');
      }, this.#armDelay);
    });
  }

  #disarm() {
    skipFrame(this.#frame);
    stopTimer(this.#timer);
  }

  /** Escape is no. A key that is held down says nothing. */
  #onKey(event) {
    const key = keyOf(event);
    const target = targetOf(event);
    if (!event.isTrusted) return;
    this.#held = isRepeated(event) && (target === this.#deny || target === this.#approve);
    if (isRepeated(event)) {
      if (key === 'Escape' || this.#held) preventDefault(event);
    } else if (key === 'Escape' && !isComposing(event)) {
      this.#escapes = true;
      preventDefault(event);
      this.#answer(event, 'deny');
    }
  }

  /** Neither the second click of a double click nor a key that repeats is an answer to the next question. */
  #onClick(event, decision) {
    if (event.isTrusted && clicksOf(event) <= 1 && !this.#held) this.#answer(event, decision);
  }

  #answer(event, decision) {
    if (!event.isTrusted || this.#settled || momentOf(event) < this.#shownAt) return;
    const answer = { decision };
    if (decision === 'approve') {
      if (!this.#armed || momentOf(event) < this.#armedAt) return;
      const fault = this.#fault();
      if (fault !== undefined) {
        this.#fail(fault);
        return;
      }
    } else {
      const reason = trimmed(valueOf(this.#reason));
      if (reason !== '') answer.reason = reason;
    }
    for (let i = 0; i < this.#choices.length; i++) {
      if (isChecked(this.#choices[i].input)) answer.remember = this.#choices[i].value;
    }
    if (this.#listed?.length > 0 && isUnfolded(this.#same) && isChecked(this.#together)) answer.also = this.#listed;
    this.#settle();
    this.#decide(this.#question.id, answer);
  }

  #fail(reason, id = this.shown) {
    if (this.#settled || id !== this.shown) return;
    this.#settle();
    this.#unavailable(id, reason);
  }

  /** Ends what runs for a question. */
  #settle() {
    this.#settled = true;
    this.#armed = false;
    stopTicking(this.#ticking);
    this.#disarm();
    this.#unmark();
  }

  // ------------------------------------------------------ what others do to it

  /** Returns why a human cannot decide here, if so: quickly, or with all that can be seen. */
  #fault(quickly) {
    const dialog = this.#dialog;
    const root = documentElementOf(page);
    if (root === null || parentOf(this.#host) !== root) return 'the dialog was removed from the page';
    if (!isOpen(dialog)) return 'the dialog was closed by a script';
    if (!matchesSelector(dialog, ':modal')) return 'the dialog was moved in the page';
    if (quickly || isHidden(page)) return undefined;
    const bounds = boundsOf(dialog);
    const left = leftOf(bounds), right = rightOf(bounds), top = topOf(bounds), bottom = bottomOf(bounds);
    if (right - left < 90 || bottom - top < 90 || checkVisibility?.(dialog, { visibilityProperty: true, opacityProperty: true }) === false) return 'the dialog was hidden by the page';
    if (elementFromPoint(page, (left + right) / 2, (top + bottom) / 2) !== this.#host) return COVERED;
    // Clicks go through a popover above. To the browser each one covers all, by its backdrop: one beside the dialog may stay.
    let occluded = this.#occluded;
    const popovers = popoversNow();
    for (let i = 0; i < countOf(popovers); i++) {
      if (hasItem(this.#below, popovers[i])) continue;
      occluded = false;
      const other = boundsOf(popovers[i]);
      if (leftOf(other) < right && rightOf(other) > left && topOf(other) < bottom && bottomOf(other) > top) return COVERED;
    }
    return occluded ? COVERED : undefined;
  }

  /** Looks at the dialog now and then: nothing tells that another element covers it, and document.open() takes listeners and observers along. */
  #look() {
    const fault = this.#fault();
    if (fault === COVERED) {
      // A transition of the page may do that for a moment.
      if (!this.#suspect) {
        this.#suspect = true;
        this.#arm();
        return;
      }
    }
    if (fault !== undefined) {
      this.#fail(fault);
      return;
    }
    this.#suspect = false;
    this.#showTime();
    if (isHidden(page)) this.#mark();
  }

  /** The tab was shown or hidden, or the question is new. */
  #turn = () => {
    if (this.#settled) return;
    this.#arm();
    if (!isHidden(page)) {
      this.#unmark();
      return;
    }
    this.#mark();
    if (this.#notification !== undefined || NativeNotification?.permission !== 'granted') return;
    try {
      const { toolTitle, name, title } = this.#question;
      this.#notification = new NativeNotification(this.#texts.notification(toolTitle || name), { body: title || this.#texts.title, lang: this.#texts.lang, dir: this.#texts.dir });
      listen(this.#notification, 'click', () => focusWindow());
    } catch {
      // Where only a service worker may show one.
    }
  };

  #mark() {
    const title = titleOf(page);
    if (startsWith(title, trimmed(this.#texts.mark))) return;
    this.#marked = true;
    setTitle(page, this.#texts.mark + title);
  }

  /** Takes the mark off the title, whatever the page has made of the rest. */
  #unmark() {
    const mark = trimmed(this.#texts.mark);
    if (this.#marked && startsWith(titleOf(page), mark)) setTitle(page, trimmed(sliceOf(titleOf(page), mark.length)));
    this.#marked = false;
    if (this.#settled && this.#notification !== undefined) {
      closeNotification(this.#notification);
      this.#notification = undefined;
    }
  }
}

/** The look of the dialog. A page sets the --webmcp-dialog-* properties; nothing else of it gets in, for an important rule of the inside wins. */
function stylesOf(armDelay) {
  return `
:host { all: initial !important; position: fixed !important }
* { box-sizing: border-box; margin: 0; padding: 0 }
[hidden], p:empty { display: none !important }
dialog {
  color-scheme: light dark;
  --ink: var(--webmcp-dialog-color, light-dark(#1b2126, #e8ecef));
  --paper: var(--webmcp-dialog-background, light-dark(#fff, #1e2327));
  --accent: var(--webmcp-dialog-accent, light-dark(#1d5fa8, #8cc2f5));
  --radius: var(--webmcp-dialog-radius, 14px);
  --soft: color-mix(in srgb, var(--ink) 75%, var(--paper));
  --line: color-mix(in srgb, var(--ink) 16%, var(--paper));
  --edge: color-mix(in srgb, var(--ink) 55%, var(--paper));
  --well: color-mix(in srgb, var(--ink) 5%, var(--paper));
  --alarm: light-dark(#8a4b00, #f3bf6a);
  width: min(34em, 100% - 2em); max-width: none; max-height: min(100dvh - 2em, 48em); margin: auto; overflow: hidden;
  border: 1px solid var(--line); border-radius: var(--radius); background-color: var(--paper); color: var(--ink);
  font: 1em/1.5 var(--webmcp-dialog-font, system-ui, sans-serif); text-align: start; box-shadow: 0 20px 60px -12px #0008;
}
dialog[open], .content { display: flex; flex-direction: column; min-height: 0 }
dialog::backdrop { background: #12181c8c }
[role=status] { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
[role=status]:empty { display: block !important }
.scroller { flex: 1; min-height: 0; overflow: auto; overscroll-behavior: contain; padding: 1.4em 1.5em 1.2em }
header { display: flex; flex-wrap: wrap; align-items: center; gap: .4em 1em }
h2 { flex: 1 1 10em; font-size: 1.3em; line-height: 1.3 }
h2, p, dt, pre, label, summary { overflow-wrap: anywhere; white-space: pre-wrap }
.waiting { padding: .1em .7em; border: 1px solid var(--line); border-radius: 99px; color: var(--soft); font-size: .85em }
.tool, .details, .soft, .time { color: var(--soft) }
.tool { margin-top: .3em }
.tool b { color: var(--ink) }
code, pre, mark { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; font-size: .9em }
.sentence { margin-top: .8em; font-size: 1.05em }
.details { margin-top: .5em }
.warning { margin-top: 1em; padding: .6em .9em; border: 1px solid; border-inline-start-width: 5px; border-radius: 6px; color: var(--alarm); font-weight: 600 }
h3, legend, label[for], dt { color: var(--soft); font-size: .85em; font-weight: 600 }
h3 { margin-top: 1.3em }
dl, h3 + pre, h3 + p { margin-top: .4em }
dl { border: 1px solid var(--line); border-radius: 8px; background: var(--well) }
dt { padding: .5em .9em 0 }
dd { padding: 0 .8em .5em }
dd + dt { border-top: 1px solid var(--line) }
.long { max-height: 12em; overflow: auto; overscroll-behavior: contain }
pre:not([dir]) { direction: ltr; text-align: left }
mark { padding: 0 .15em; border: 1px solid; border-radius: 3px; background: none; color: var(--alarm); unicode-bidi: isolate }
details, fieldset { margin-top: 1.2em; border: 1px solid var(--line); border-radius: 8px; padding: .5em .9em }
summary { cursor: pointer; font-weight: 600 }
ol { margin: .6em 0; padding-inline-start: 1.6em }
li { margin-top: .5em }
legend { padding: 0 .3em; margin-inline-start: -.3em }
label { display: flex; gap: .6em; align-items: baseline; padding: .25em 0 }
label[for] { margin-top: 1.3em }
input { accent-color: var(--accent); flex: none }
#reason { display: block; width: 100%; min-height: 44px; padding: .4em .8em; border: 1px solid var(--edge); border-radius: 8px; background: transparent; color: inherit; font: inherit }
footer { display: flex; flex-wrap: wrap; align-items: center; gap: .7em; padding: .9em 1.5em; padding-bottom: max(.9em, env(safe-area-inset-bottom)); border-top: 1px solid var(--line) }
.time { flex: 1 1 100%; font-size: .85em; font-variant-numeric: tabular-nums }
[data-last] { color: var(--alarm); font-weight: 600 }
button { position: relative; flex: 1 1 6em; min-height: 44px; padding: .4em 1em; overflow: hidden; border: 1.5px solid var(--edge); border-radius: 8px; background: transparent; color: inherit; font: inherit; font-weight: 600; cursor: pointer }
button:hover { background: var(--well) }
.approve { border-color: var(--accent); background: color-mix(in srgb, var(--accent) 12%, var(--paper)); color: var(--accent) }
.approve:hover { background: color-mix(in srgb, var(--accent) 20%, var(--paper)) }
.approve[aria-disabled] { border-style: dashed; border-color: var(--edge); background: transparent; color: var(--soft); cursor: default }
i { display: none }
[aria-disabled] i { display: block; position: absolute; inset: auto 0 0; height: 4px; background: var(--accent); transform-origin: left; animation: arm ${armDelay}ms linear both }
[dir=rtl] i { transform-origin: right }
@keyframes arm { from { transform: scaleX(0) } }
:focus-visible, button:focus { outline: 3px solid var(--webmcp-dialog-focus, var(--accent)); outline-offset: 2px }
.long:focus-visible { outline-offset: -1px }
@media (pointer: coarse) { summary, label:has(input) { min-height: 44px; align-items: center } summary { line-height: 44px } }
@media (max-width: 480px) {
  dialog { width: 100%; max-height: calc(100dvh - 1em); margin: auto 0 0; border-width: 1px 0 0; border-radius: var(--radius) var(--radius) 0 0 }
  .scroller { padding: 1.1em 1em }
  footer { padding-inline: 1em }
}
@media (max-height: 300px) { dialog { max-height: 100dvh } footer { padding-block: .4em; gap: .2em .7em } }
@media (prefers-reduced-motion: reduce) { [aria-disabled] i { display: none } }
@media (forced-colors: active) { [aria-disabled] i { background: Highlight; forced-color-adjust: none } [aria-disabled] { color: GrayText !important } }
`;
}
