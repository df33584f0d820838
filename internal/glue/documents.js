// Part of class Glue: the policies that the HTML names, and those of the page's code. May
// touch the policies that there are. watching.js sees to it that no script takes one away;
// what becomes of them is in policy.js.

const NAMED = 'script[type="application/webmcp-policy+json"],link[rel~="webmcp-policy"]';

extend(Glue, class {
  /** Takes note of the policies that the HTML names, as soon as it is parsed. */
  readDocument() {
    const { document, Document } = globalThis;
    const own = Document?.prototype; // which no element of the page hides
    if (own && Reflect.get(own, 'readyState', document) === 'loading') {
      this.parsed = new Promise((resolve) => own.addEventListener.call(document, 'DOMContentLoaded', () => {
        this.parsed = undefined;
        this.readDocument();
        resolve();
      }));
    } else if (own) {
      for (const element of own.querySelectorAll.call(document, NAMED)) this.note(element);
    }
  }

  /** Takes note of an element that names a policy. */
  note({ href, integrity, crossOrigin, id, textContent: text }) {
    this.policies.push(href === undefined ? { label: id || 'policy', text } : { label: href, href, integrity, crossOrigin });
  }

  /** Puts a policy of the page's code in force. Resolves when it is, or without an agent that could call; rejects with what is wrong with it. */
  async addPolicy(document) {
    const text = JSON.stringify(copyOf(document, 'the policy'));
    const done = handled(new Promise((resolve, reject) => this.policies.push({ label: 'webmcp.policy', text, resolve, reject })));
    if (this.flushed) this.bringPolicies();
    if (this.absent || this.isAlone()) return;
    this.works(); // which is what comes before
    await done;
  }
});
