globalThis.told = []; // what the dialog has told its owner
globalThis.newDialog = (options) => new ApprovalDialog({
  armDelay: asked.has('late') ? 500 : 0,
  decide: (id, answer) => told.push({ id, ...answer }),
  unavailable: (id, reason) => told.push({ id, unavailable: reason }),
  ...options,
});
globalThis.dialog = newDialog();
globalThis.question = (changes) => ({
  id: 'q1',
  name: 'checkout',
  toolTitle: 'Check out',
  input: Object.freeze({ email: 'ada@example.com', express: true }),
  untrusted: false,
  since: performance.now(),
  deadline: Infinity,
  waiting: 0,
  same: [],
  remember: [],
  ...changes,
});
globalThis.ask = (changes) => dialog.show(question(changes));
globalThis.host = () => [...document.querySelectorAll('html > div')].at(-1);
