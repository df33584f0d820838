// "How it is wired" shows tools.js itself, fetched when someone looks, with a touch of colour.

const details = document.querySelector('#wired');
const code = details.querySelector('code');
const file = 'tools.js';

details.addEventListener('toggle', async () => {
  if (!details.open || details.dataset.state === 'shown') {
    return;
  }
  try {
    const response = await fetch(file);
    if (!response.ok) {
      throw new Error(`the server answered ${response.status}`);
    }
    code.replaceChildren(...colour(await response.text()));
    details.dataset.state = 'shown';
  } catch (error) {
    code.textContent = `${file} could not be read: ${error.message}. Close and open this to try again.`;
  }
});

const pieces = new RegExp([
  /(?<comment>\/\/[^\n]*)/,
  /(?<string>'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)/,
  /(?<keyword>\b(?:async|await|const|export|from|function|if|import|let|return)\b)/,
].map(({ source }) => source).join('|'), 'g');

/** Cuts JavaScript into nodes, coloured by class. Joined, their text is the text that went in, to the letter. */
function colour(text) {
  const nodes = [];
  let end = 0;
  for (const match of text.matchAll(pieces)) {
    const [kind] = Object.entries(match.groups).find(([, matched]) => matched !== undefined);
    const span = document.createElement('span');
    span.className = `code-${kind}`;
    span.textContent = match[0];
    nodes.push(text.slice(end, match.index), span);
    end = match.index + match[0].length;
  }
  return [...nodes, text.slice(end)];
}
