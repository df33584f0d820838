// Part of class Glue: watches the HTML while it is parsed, where this file has come before it
// has been: what it names counts from when the parser has read it, whatever a script does
// to it afterwards. May touch the policies that there are.

extend(Glue, class {
  watchDocument() {
    if (this.parsed === undefined) return;
    const { document } = globalThis;
    const open = new Set(); // elements of which the parser may not have read all
    const look = (nodes) => {
      for (const node of nodes) if (node.matches?.(NAMED)) open.add(node);
      for (const element of open) if (element.href !== undefined || isWhole(element.textContent)) this.note(element);
    };
    const observer = new MutationObserver((records) => {
      for (const { addedNodes } of records) look(addedNodes);
    });
    look(document.querySelectorAll(NAMED));
    observer.observe(document, { childList: true, subtree: true });
    document.addEventListener('DOMContentLoaded', () => {
      observer.disconnect();
      for (const element of open) this.note(element);
    });
  }
});

/** Reports whether a text is all of a document: no beginning of one is JSON. */
function isWhole(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
