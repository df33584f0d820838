package forms_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/webmcptest"
)

// What Chromium makes of an input, the gate lets through, as it is: random forms, each once with it and once without, get random
// inputs, and do alike.
func TestWhatTheBrowserAcceptsTheGateAccepts(t *testing.T) {
	t.Parallel()
	page := open(t, "?gate=none")
	seed := rand.Uint32()
	got := webmcptest.Eval[struct {
		Accepted, Refused int
		Problems          []string
	}](page, `async (seed) => {
		const random = () => { // mulberry32
			seed = seed + 0x6D2B79F5 | 0;
			let t = Math.imul(seed ^ seed >>> 15, 1 | seed);
			t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
			return ((t ^ t >>> 14) >>> 0) / 2 ** 32;
		};
		const pick = (...list) => list[Math.floor(random() * list.length)];
		const maybe = (text) => (random() < 0.4 ? text : '');
		const texts = ['', 'a', 'ab c', 'ABC', '5', '-1.5', 'ada@example.com', 'a@b,c@d', 'https://example.com/', '2026-12-04', '10:30', '2026-12-04T10:30', '2026-12', '2026-W49', '#a1b2c3', 'é "<&', 'x'.repeat(30), 'line\nbreak'];
		const quoted = (text) => text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;');
		function field(name) {
			const required = maybe(' required'), n = 'name="' + name + '"' + required;
			switch (pick('text', 'number', 'range', 'checkbox', 'boxes', 'radio', 'select', 'multiple', 'textarea', 'other', 'special')) {
				case 'text': return '<input ' + n + maybe(' maxlength="20"') + maybe(' minlength="2"') + maybe(' pattern="[a-z ]+"') + maybe(' value="' + quoted(pick(...texts)) + '"') + '>';
				case 'number': return '<input type="number" ' + n + maybe(' min="' + pick(-3, 0, 1) + '"') + maybe(' max="10"') + maybe(' step="' + pick('any', 0.1, 0.5, 2, 3) + '"') + maybe(' value="' + pick(1, 2.5, 7) + '"') + '>';
				case 'range': return '<input type="range" ' + n + maybe(' min="1"') + maybe(' max="10"') + maybe(' step="' + pick(0.5, 2, 3) + '"') + '>';
				case 'checkbox': return '<input type="checkbox" ' + n + maybe(' value="yes"') + maybe(' checked') + '>';
				case 'boxes': return ['1', '2', 'c'].map((value) => '<input type="checkbox" name="' + name + '" value="' + value + '"' + maybe(' checked') + '>').join('');
				case 'radio': return ['1', '2', 'c'].map((value) => '<input type="radio" ' + n + ' value="' + value + '"' + maybe(' checked') + '>').join('');
				case 'select': return '<select ' + n + '>' + maybe('<option value="">None</option>') + '<option>a</option><option value="b">B</option><option' + maybe(' disabled') + '>c</option></select>';
				case 'multiple': return '<select multiple ' + n + '><option>a</option><option value="b" ' + maybe('selected') + '>B</option><option>c</option></select>';
				case 'textarea': return '<textarea ' + n + maybe(' maxlength="10"') + '>' + quoted(pick(...texts)) + '</textarea>';
				case 'other': return '<input type="' + pick('date', 'time', 'datetime-local', 'month', 'week', 'email', 'url', 'tel', 'color', 'password', 'search') + '" ' + n + maybe(' value="' + quoted(pick(...texts)) + '"') + '>';
				default: return '<input ' + pick('type="hidden"', 'disabled', 'readonly', 'type="submit"', 'type="file"') + ' name="' + name + '" value="' + 1 + '">';
			}
		}
		const valueFor = (schema) => {
			switch (random() < 0.1 ? 'odd' : schema.type) {
				case 'number': return pick(1, 2, 3, 5, 7, 10, 0.5, 0.1, 0.30000000000000004, -1, 1e3);
				case 'boolean': return pick(true, false);
				case 'array': return (schema.items.enum ?? ['a']).filter(() => random() < 0.5);
				case 'string': return schema.enum ? pick(...schema.enum) : pick(...texts);
				default: return pick('', 'a', 5, true, [], null);
			}
		};
		const sent = {};
		const make = (name, html) => {
			const form = document.createElement('form');
			form.id = name;
			form.setAttribute('toolname', name);
			form.setAttribute('tooldescription', 'Is random.');
			form.setAttribute('toolautosubmit', '');
			form.innerHTML = html + '<button>Send</button>';
			form.addEventListener('submit', (event) => {
				event.preventDefault();
				sent[name] = JSON.stringify([...new FormData(form)].map(([key, value]) => [key, typeof value === 'string' ? value : 'file']));
				event.respondWith('sent');
			});
			document.body.append(form);
			return form;
		};
		const end = forms({ selector: '[id^=gated]' });
		const problems = [];
		let accepted = 0, refused = 0;
		for (let i = 0; i < 60; i++) {
			const html = Array.from({ length: 1 + Math.floor(random() * 5) }, (_, at) => field('p' + at)).join('');
			const names = ['plain' + i, 'gated' + i];
			const both = names.map((name) => make(name, html));
			let plain, gated;
			while (gated === undefined || plain === undefined) { // the browser takes its time
				await new Promise((next) => setTimeout(next));
				const tools = await document.modelContext.getTools();
				[plain, gated] = names.map((name) => tools.find((tool) => tool.name === name));
			}
			for (let round = 0; round < 6; round++) {
				const schema = plain.inputSchema;
				const input = {};
				for (const [name, property] of Object.entries(schema.properties)) if (schema.required.includes(name) || random() < 0.6) input[name] = valueFor(property);
				delete sent[names[0]];
				delete sent[names[1]];
				const call = (tool) => document.modelContext.executeTool(tool, structuredClone(input)).then((answer) => JSON.parse(answer).content?.[0].text ?? answer, ({ name }) => name);
				const want = await document.modelContext.executeTool(plain, structuredClone(input)).then(String, ({ name }) => name);
				const got = await call(gated);
				if (want === 'sent') accepted++;
				else refused++;
				if (got !== want || sent[names[0]] !== sent[names[1]]) problems.push([html, JSON.stringify(input), 'got ' + got + ' ' + sent[names[1]], 'want ' + want + ' ' + sent[names[0]], JSON.stringify(schema)].join('\n'));
			}
			for (const form of both) form.remove();
		}
		end();
		return { accepted, refused, problems: problems.slice(0, 4) };
	}`, seed)
	require.Empty(t, got.Problems, "seed %d", seed)
	require.Greater(t, got.Accepted, 50)
	require.Greater(t, got.Refused, 20)
}
