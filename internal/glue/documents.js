// Part of class Glue: the policies that the HTML names, and those of the page's code. May
// touch the policies that there are. watching.js sees to it that no script takes one away;
// what becomes of them is in policy.js.

const NAMED = 'script[type="application/webmcp-policy+json"],link[rel~="webmcp-policy"]';

extend(Glue, class {
  /** Takes note of the policies that the HTML names, as soon as it is parsed. */
  readDocument() {
    const { document } = globalThis;
    if (document.readyState !== 'loading') {
      for (const element of document.querySelectorAll(NAMED)) this.note(element);
      return;
    }
    this.parsed = new Promise((resolve) => {
      document.addEventListener('DOMContentLoaded', () => {
        this.parsed = undefined;
        this.readDocument();
        resolve();
      });
    });
  }

  /** Takes note of an element that names a policy. */
  note({ href, integrity, crossOrigin, id, textContent: text }) {
    this.policies.push(href === undefined ? { label: id || 'policy', text } : { label: href, href, integrity, crossOrigin });
  }

  /** Puts a policy of the page's code in force. Resolves when it is, or without an agent that could call; rejects with what is wrong with it. */
  addPolicy(text) {
    const done = new Promise((resolve, reject) => this.policies.push({ label: 'webmcp.policy', text, resolve, reject }));
    if (this.flushed) this.bringPolicies();
    return this.isAlone() ? undefined : handled(done);
  }
});
