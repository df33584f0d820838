// Asking the human: one modal dialog at a time, and no event that a script makes decides. An agent that drives the
// browser itself can press the buttons all the same, and such a click is trusted: see docs/security.md.

import { revealed } from '../dist/elements.js';
import { asText } from './dom.js';
import { getCart, onShopChanged } from './shop.js';
import { cartSummary } from './money.js';

const dialog = document.querySelector('#approval');
const toolTitle = dialog.querySelector('#approval-title');
const toolName = dialog.querySelector('#approval-tool');
const inputText = dialog.querySelector('#approval-input');
const cartText = dialog.querySelector('#approval-cart');
const waitingText = dialog.querySelector('#approval-waiting');
const approve = dialog.querySelector('#approve');
const deny = dialog.querySelector('#deny');
const toggle = document.querySelector('#require-approval');

const queue = []; // questions, oldest first; the first one is on screen

/** Whether the human wants to be asked at all. */
export function approvalRequired() {
  return toggle.checked;
}

/**
 * Shows a tool call to the human and resolves to true (approved) or false (denied). Several questions are asked one
 * after the other. When signal aborts, the question goes away and the promise rejects with the signal's reason.
 */
export function askHuman({ tool, input, signal }) {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const question = { tool, input, resolve, forget: new AbortController() };
    signal.addEventListener('abort', () => {
      reject(signal.reason);
      leave(question);
    }, { signal: question.forget.signal });
    queue.push(question);
    show();
  });
}

// Every question leaves through here, once, and takes its chance to be answered with it.
function leave(question) {
  const at = queue.indexOf(question);
  queue.splice(at, 1);
  question.forget.abort();
  if (at === 0 && dialog.open) {
    dialog.close();
  }
  show();
}

function show() {
  waitingText.textContent = queue.length > 1 ? `${queue.length - 1} more waiting` : '';
  if (queue.length === 0 || dialog.open) {
    return;
  }
  const { tool, input } = queue[0];
  toolTitle.textContent = revealed(tool.title || tool.name);
  toolName.textContent = tool.name;
  inputText.textContent = revealed(asText(input, 2));
  showCart();
  dialog.showModal();
  inputText.parentElement.scrollTop = 0;
  deny.focus(); // the safe answer is the one that a stray Enter gives
}

function showCart() {
  cartText.textContent = cartSummary(getCart());
}

function answer(approved) {
  const question = queue[0];
  if (question) {
    question.resolve(approved);
    leave(question);
  }
}

approve.addEventListener('click', (event) => {
  // A script's click decides nothing. Nor is the second click of a double click an answer to the next question.
  if (event.isTrusted && event.detail <= 1) {
    answer(true);
  }
});

deny.addEventListener('click', (event) => {
  if (event.isTrusted && event.detail <= 1) {
    answer(false);
  }
});

// Holding Enter down must not answer question after question.
dialog.addEventListener('keydown', (event) => {
  if (event.repeat && (event.key === 'Enter' || event.key === ' ')) {
    event.preventDefault();
  }
});

// Escape, the back gesture of phones and dialog.close() all end here, and all mean no.
dialog.addEventListener('close', (event) => {
  if (event.isTrusted && !dialog.open) {
    answer(false);
  }
});

onShopChanged(showCart); // what is approved is what is on screen
