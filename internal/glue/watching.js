// Part of class Glue: watches the HTML while it is parsed, where this file has come before it
// has been: what it names counts from when the parser has read it, whatever a script does
// to it afterwards. May touch the policies that there are.

extend(Glue, class {
  watchDocument() {
    if (this.parsed === undefined) return;
    const { document, Document, Element } = globalThis;
    const matches = (node) => node instanceof Element && apply(Element.prototype.matches, node, [NAMED]);
    const named = () => apply(Document.prototype.querySelectorAll, document, [NAMED]);
    const noted = new WeakSet();
    const open = new Set(); // elements of which the parser may not have read all
    const look = (nodes, isParsed) => {
      for (const node of nodes) if (matches(node) && !noted.has(node)) open.add(node);
      for (const element of open) {
        if (!isParsed && element.href === undefined && !isWhole(element.textContent)) continue;
        open.delete(element);
        noted.add(element);
        this.note(element);
      }
    };
    const observer = new MutationObserver((records) => {
      for (const { addedNodes } of records) look(addedNodes);
    });
    look(named());
    observer.observe(document, { childList: true, subtree: true });
    this.readDocument = () => { // once it is parsed
      observer.disconnect();
      look(named(), true);
    };
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
