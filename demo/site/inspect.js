// The Inspect card: each tool with its contract, and a way to invoke it as an agent would, hooks and all.

import { asText, element } from './dom.js';

const list = document.querySelector('#inspect-tools');
const empty = document.querySelector('#inspect-empty');
const cards = new Map(); // tool name -> { item, show }

/**
 * Shows these tools (entries of listTools), and invokes them with invokeTool. A card that is there already keeps what
 * was typed into it.
 */
export function showTools(tools, invokeTool) {
  empty.hidden = tools.length > 0;
  for (const [name, { item }] of cards) {
    if (!tools.some((tool) => tool.name === name)) {
      item.remove();
      cards.delete(name);
    }
  }
  tools.forEach((tool, place) => {
    if (!cards.has(tool.name)) {
      cards.set(tool.name, toolCard(tool, invokeTool));
    }
    const { item, show } = cards.get(tool.name);
    show(tool);
    if (list.children[place] !== item) {
      list.insertBefore(item, list.children[place] ?? null);
    }
  });
}

function toolCard({ name, inputSchema }, invokeTool) {
  const ids = { input: `input-${name}`, problem: `problem-${name}` };
  const title = element('p', { 'class': 'tool-title' });
  const description = element('p', { 'class': 'tool-description' });
  const badges = element('p', { 'class': 'badges' });
  const schema = element('code');
  const input = element('textarea', {
    'id': ids.input, 'rows': 3, 'spellcheck': 'false', 'autocomplete': 'off', 'autocapitalize': 'off', 'aria-describedby': ids.problem,
  });
  input.value = asText(exampleFor(inputSchema), 2);
  input.rows = Math.min(8, Math.max(2, input.value.split('\n').length));
  const problem = element('p', { 'class': 'problem', 'id': ids.problem, 'aria-live': 'polite' });
  const invoke = element('button', { 'type': 'button', 'class': 'button' }, 'Invoke ', element('code', {}, name));
  const pending = element('span', { 'class': 'pending', 'role': 'status' });
  const output = element('output', { 'for': ids.input, 'aria-label': `Result of ${name}`, 'tabindex': 0, 'hidden': true });

  const item = element('li', { 'class': 'tool', 'data-tool': name },
    element('h3', {}, element('code', {}, name)),
    badges,
    title,
    description,
    element('details', {}, element('summary', {}, 'Schema', element('span', { 'class': 'unseen' }, ` of ${name}`)),
      element('pre', { 'tabindex': 0, 'role': 'group', 'aria-label': `Schema of ${name}` }, schema)),
    element('label', { for: ids.input }, 'Input', element('span', { 'class': 'unseen' }, ` for ${name}`)),
    input,
    problem,
    element('p', { 'class': 'actions' }, invoke, ' ', pending),
    output,
  );

  function show(tool) {
    title.textContent = tool.title;
    title.hidden = !tool.title;
    description.textContent = tool.description;
    schema.textContent = asText(tool.inputSchema ?? {}, 2);
    const hints = tool.annotations ?? {};
    badges.replaceChildren(
      element('span', { 'class': 'badge', 'data-status': tool.status }, tool.status ?? 'registered'),
      ...(tool.source === 'native' ? [] : [element('span', { 'class': 'badge' }, tool.source === 'page' ? 'from the page' : 'registry only')]),
      ...(hints.readOnlyHint ? [element('span', { 'class': 'badge' }, 'read-only')] : []),
      ...(hints.consequentialHint ? [element('span', { 'class': 'badge', 'data-weight': 'consequential' }, 'consequential')] : []),
    );
  }

  function parse() {
    try {
      const value = JSON.parse(input.value);
      if (value === null || typeof value !== 'object' || Array.isArray(value)) {
        throw new Error('an input is a JSON object, for example {}');
      }
      problem.textContent = '';
      input.removeAttribute('aria-invalid');
      return value;
    } catch (error) {
      problem.textContent = `Not invoked: ${error.message}`;
      input.setAttribute('aria-invalid', 'true');
      return undefined;
    }
  }

  function showResult(result, isError) {
    output.textContent = asText(result, 2);
    output.dataset.error = String(isError);
    output.hidden = false;
  }

  invoke.addEventListener('click', async () => {
    if (invoke.getAttribute('aria-disabled') === 'true') {
      return;
    }
    const value = parse();
    if (value === undefined) {
      input.focus();
      return;
    }
    // Not the disabled attribute: that would take the keyboard's focus away.
    invoke.setAttribute('aria-disabled', 'true');
    pending.textContent = 'Waiting for the result';
    output.hidden = true;
    output.textContent = '';
    delete output.dataset.error;
    try {
      const result = await invokeTool(name, value);
      showResult(result, result?.isError === true);
    } catch (error) {
      showResult({ name: error?.name ?? 'Error', message: error?.message ?? String(error) }, true);
    } finally {
      pending.textContent = '';
      invoke.removeAttribute('aria-disabled');
    }
  });

  return { item, show };
}

/** An input to start from, made of the examples and defaults in a schema. */
function exampleFor(schema) {
  const example = {};
  for (const [name, property] of Object.entries(schema?.properties ?? {})) {
    const value = property?.examples?.[0] ?? property?.default;
    if (value !== undefined) {
      example[name] = value;
    }
  }
  return example;
}
