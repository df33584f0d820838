package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/internal/npmtest"
	"github.com/webmcp-wasm/webmcp/webmcptest"
)

// What a human does in the dialog who changes the input of a call.

// orderSchema has a property of each kind that a form has a field for.
const orderSchema = `{ type: 'object', required: ['email', 'quantity', 'gift', 'size'], properties: {
	email: { type: 'string', format: 'email', description: 'Where the receipt goes' },
	note: { type: 'string', maxLength: 500, description: 'For whoever delivers it' },
	quantity: { type: 'integer', minimum: 1 },
	tip: { type: 'number' },
	gift: { type: 'boolean', description: 'Wrap it' },
	express: { type: 'boolean' },
	size: { enum: ['S', 'M', 'L'] },
	rate: { enum: [1, 2.5] },
	code: { type: 'string' },
} }`

const orderDraft = `{ email: 'ada@example.com', quantity: 2, gift: true, size: 'M', code: 'X' }`

// editable is a question whose input a human may change.
func editable(schema, draft string) string {
	return `{ input: ` + draft + `, edit: { schema: ` + schema + `, draft: ` + draft + ` } }`
}

// edits begins to change the input.
func edits(p *webmcptest.Page, schema, draft string) {
	p.Do(`() => { told.length = 0 }`)
	ask(p, editable(schema, draft))
	p.Click("button", "Edit")
}

// typed approves, and returns what the dialog has told of the input, as JSON.
func typed(p *webmcptest.Page) string {
	armed(p).Click()
	p.WaitFor(`told.length > 0`)
	return webmcptest.Eval[string](p, `() => JSON.stringify(told[0].edited)`)
}

func fill(p *webmcptest.Page, name, text string) { p.Find("textbox", name).Fill(text) }

// choose selects an option as somebody with a keyboard does.
func choose(p *webmcptest.Page, name, first string) {
	p.Find("combobox", name).Click()
	p.Press(first)
	p.Press("\r")
}

func TestAFormHasAFieldForEachKindOfProperty(t *testing.T) {
	t.Parallel()
	p := dialogPage(t, "/")
	edits(p, orderSchema, orderDraft)
	require.True(t, p.Find("textbox", "email").Focused())
	require.Equal(t, "ada@example.com", webmcptest.Read[string](p.Find("textbox", "email"), `function () { return this.value }`))
	require.True(t, p.Find("checkbox", "gift").Checked())
	for name, kind := range map[string]string{"email": "INPUT", "note (optional)": "TEXTAREA", "quantity": "INPUT", "tip (optional)": "INPUT", "code (optional)": "INPUT"} {
		require.Equal(t, kind, webmcptest.Read[string](p.Find("textbox", name), `function () { return this.tagName }`), name)
	}
	require.Contains(t, shownText(p), "Where the receipt goes")
	require.Contains(t, shownText(p), "Wrap it")

	fill(p, "email", "bob@example.com")
	fill(p, "note (optional)", "a\nb")
	fill(p, "quantity", " 3 ")
	fill(p, "tip (optional)", "-0.5")
	fill(p, "code (optional)", "")
	p.Click("checkbox", "gift")
	choose(p, "express (optional)", "N")
	choose(p, "size", "L")
	choose(p, "rate (optional)", "2")
	require.JSONEq(t, `{"input":{"email":"bob@example.com","quantity":3,"gift":false,"size":"L","note":"a\nb","tip":-0.5,"express":false,"rate":2.5},"isExact":true}`, typed(p))
	require.Equal(t, "q1", toldOf(p)[0].ID)
	require.Equal(t, "approve", toldOf(p)[0].Decision)
}

func TestAFormLosesNothing(t *testing.T) {
	t.Parallel()
	p := dialogPage(t, "/")
	// What nobody has touched stays as it was, also what a field could not say.
	edits(p, `{ properties: { a: { type: 'string' }, b: { type: 'number' }, c: { type: 'string' }, d: { type: 'boolean' }, ['__proto__']: { type: 'string' } } }`,
		`{ b: 1e300, a: '', d: false, ['__proto__']: 'own' }`)
	fill(p, "c (optional)", "x")
	require.Equal(t, `{"input":{"b":1e+300,"a":"","d":false,"__proto__":"own","c":"x"},"isExact":true}`, typed(p))

	for what, c := range map[string][2]string{
		"a member that the schema does not name": {`{ properties: { a: { type: 'string' } } }`, `{ a: 'x', more: 1 }`},
		"a nested one":                           {`{ properties: { a: { type: 'object' } } }`, `{ a: {} }`},
		"a list":                                 {`{ properties: { a: { type: 'array' } } }`, `{ a: [] }`},
		"several types":                          {`{ properties: { a: { type: ['string', 'null'] } } }`, `{ a: 'x' }`},
		"a union":                                {`{ properties: { a: { type: 'string', anyOf: [{}] } } }`, `{ a: 'x' }`},
		"a reference":                            {`{ properties: { a: { $ref: '#/$defs/a' } } }`, `{ a: 'x' }`},
		"an enum of something else":              {`{ properties: { a: { enum: ['x', null] } } }`, `{ a: 'x' }`},
		"a value that is not in it":              {`{ properties: { a: { enum: ['x'] } } }`, `{ a: 'y' }`},
		"a value of another type":                {`{ properties: { a: { type: 'string' } } }`, `{ a: null }`},
		"a schema that says nothing":             {`{ type: 'object', properties: {} }`, `{}`},
		"a text that cannot be seen":             {`{ properties: { a: { type: 'string' } } }`, `{ a: 'x\u202ey' }`},
		"a property without a schema":            {`{ properties: { a: true } }`, `{ a: 1 }`},
		"properties that are inherited":          {`Object.create({ properties: { a: { type: 'string' } } })`, `{ a: 'x' }`},
	} {
		p.About("%s", what)
		edits(p, c[0], c[1])
		require.Equal(t, 1, p.Count("textbox", "Arguments as JSON"), what)
		text := webmcptest.Read[string](p.Find("textbox", "Arguments as JSON"), `function () { return this.value }`)
		require.JSONEq(t, webmcptest.Eval[string](p, `() => JSON.stringify(`+c[1]+`)`), text, what)
		require.NotContains(t, text, "\u202e")
	}
}

func TestAnInputIsEditedAsJSON(t *testing.T) {
	t.Parallel()
	p := dialogPage(t, "/")
	const box = "Arguments as JSON"
	draft := `{ items: [{ id: 'a\u200bb', n: 1.5 }, []], e: {}, t: 'say "hi"\n\\' }`
	edits(p, `{}`, draft)
	require.True(t, p.Find("textbox", box).Focused())
	require.Equal(t, "{\n  \"items\": [\n    {\n      \"id\": \"a\\u200bb\",\n      \"n\": 1.5\n    },\n    []\n  ],\n  \"e\": {},\n  \"t\": \"say \\\"hi\\\"\\n\\\\\"\n}",
		webmcptest.Read[string](p.Find("textbox", box), `function () { return this.value }`))
	for text, want := range map[string]string{
		`{"a": [1,  2]}`:                `{"input":{"a":[1,2]},"isExact":true}`,
		` {"__proto__": {"a": "x y"}} `: `{"input":{"__proto__":{"a":"x y"}},"isExact":true}`,
		`{"a": 1, "a": 2}`:              `{"input":{"a":2},"isExact":false}`,
		`{"a": 12345678901234567890}`:   `{"input":{"a":12345678901234567000},"isExact":false}`,
		`[]`:                            `{"input":[],"isExact":true}`,
		`{"a": "x\u202e"}`:              `{"input":{"a":"x` + "\u202e" + `"},"isExact":true}`,
	} {
		edits(p, `{}`, draft)
		fill(p, box, text)
		require.Equal(t, want, typed(p), text)
	}
	edits(p, `{}`, draft)
	fill(p, box, `{"a": }`)
	armed(p).Click()
	p.Find("textbox", box).Until(`this.getAttribute('aria-invalid') === 'true'`)
	require.Contains(t, shownText(p), "This is not JSON: ")
	require.True(t, p.Find("textbox", box).Focused())
	require.Empty(t, toldOf(p))
	fill(p, box, `{"a": 1}`)
	require.Empty(t, p.Find("textbox", box).Attr("aria-invalid"))
	require.JSONEq(t, `{"input":{"a":1},"isExact":true}`, typed(p))
}

func TestAFieldThatIsNoNumberIsNotSent(t *testing.T) {
	t.Parallel()
	p := dialogPage(t, "/")
	for _, text := range []string{"two", "", "1,5", "0x10", "1e999", "9007199254740993", "true", "--1"} {
		edits(p, orderSchema, orderDraft)
		fill(p, "quantity", text)
		armed(p).Click()
		quantity := p.Find("textbox", "quantity")
		quantity.Until(`this.getAttribute('aria-invalid') === 'true'`)
		require.Equal(t, "Enter a number, such as 12 or 0.5.", webmcptest.Read[string](quantity, `function () { return this.getAttribute('aria-describedby').split(' ').map(id => this.getRootNode().getElementById(id).textContent).join('') }`), text)
		require.True(t, quantity.Focused())
		require.Empty(t, toldOf(p), text)
	}
	fill(p, "quantity", "7")
	require.Contains(t, typed(p), `"quantity":7`)
}

func TestIssuesStandBesideTheirFields(t *testing.T) {
	t.Parallel()
	p := dialogPage(t, "/")
	edits(p, orderSchema, orderDraft)
	fill(p, "email", "nobody")
	require.NotEmpty(t, typed(p))
	// While the owner finds out, nothing but a denial counts.
	approve := p.Find("button", "Approve")
	require.Equal(t, "true", approve.Attr("aria-disabled"))
	approve.Click()
	p.Click("button", "Discard changes")
	p.Find("status", "").Until(`this.textContent === 'Checking your changes'`)
	require.Len(t, toldOf(p), 1)
	require.Zero(t, p.Count("textbox", "email"), "what is checked is not changed meanwhile")

	p.Do(`() => dialog.refuse([{ path: 'email', message: 'must be an e-mail address' }, { path: 'size', message: 'is sold out' }, { path: '', message: 'too much \u202e' }, { path: 'other.x', message: 'is unknown' }, { path: 'note[0]', message: 'is odd' }])`)
	said := func(role, name string) string {
		return webmcptest.Read[string](p.Find(role, name), `function () { return this.getAttribute('aria-invalid') + ' ' + this.getAttribute('aria-describedby').split(' ').map(id => this.getRootNode().getElementById(id).textContent).join('|') }`)
	}
	require.Equal(t, "true Where the receipt goes|must be an e-mail address", said("textbox", "email"))
	require.Equal(t, "true is sold out", said("combobox", "size"))
	require.Equal(t, "true For whoever delivers it|note[0]: is odd", said("textbox", "note (optional)"))
	require.Equal(t, "null ", said("textbox", "quantity"))
	require.Equal(t, `too much \u{202e}`+"\n"+`other.x: is unknown`, strings.TrimSpace(p.Find("alert", "").Text()))
	require.True(t, p.Find("textbox", "email").Focused())

	// It is approved once it is right.
	p.Do(`() => { told.length = 0 }`)
	fill(p, "email", "bob@example.com")
	require.Contains(t, typed(p), `"email":"bob@example.com"`)
	p.Press("\x1b")
	require.Equal(t, "deny", toldOf(p)[1].Decision, "a human can deny while it is checked")
	p.Do(`() => { dialog.refuse([{ path: '', message: 'late' }]); dialog.review({}) }`)
	require.NotContains(t, shownText(p), "late")
}

func TestWhatASchemaMakesOfAnEditIsShownBeforeItRuns(t *testing.T) {
	t.Parallel()
	p := dialogPage(t, "/")
	edits(p, orderSchema, orderDraft)
	fill(p, "quantity", "5")
	require.Contains(t, typed(p), `"quantity":5`)
	p.Do(`() => { told.length = 0; dialog.review({ cents: 500 }) }`)
	require.Contains(t, strings.ReplaceAll(shownText(p), "\n\n", "\n"), "cents\n500")
	require.Contains(t, p.Find("alert", "").Text(), "The tool makes this of your changes")
	p.Click("button", "Edit")
	require.Equal(t, "5", webmcptest.Read[string](p.Find("textbox", "quantity"), `function () { return this.value }`), "what was typed is still there")
	require.Contains(t, typed(p), `"quantity":5`)
	p.Do(`() => { told.length = 0; dialog.review({ cents: 500 }) }`)
	require.Equal(t, `{}`, typed(p))
	require.Len(t, toldOf(p), 1)
	p.Click("button", "Deny")
	require.Len(t, toldOf(p), 1, "a question is decided once")
}

func TestWhatIsNotChangedIsApprovedAsItWas(t *testing.T) {
	t.Parallel()
	p := dialogPage(t, "/")
	edits(p, orderSchema, orderDraft)
	fill(p, "email", "bob@example.com")
	fill(p, "email", "ada@example.com")
	armed(p).Click()
	require.Equal(t, []told{{ID: "q1", Decision: "approve"}}, awaitTold(p))
	require.False(t, webmcptest.Eval[bool](p, `() => 'edited' in told[0]`))

	edits(p, orderSchema, orderDraft)
	fill(p, "email", "bob@example.com")
	p.Click("button", "Discard changes")
	require.Zero(t, p.Count("textbox", "email"))
	require.Contains(t, shownText(p), "ada@example.com")
	p.Click("button", "Edit")
	require.Equal(t, "ada@example.com", webmcptest.Read[string](p.Find("textbox", "email"), `function () { return this.value }`))
	fill(p, "email", "bob@example.com")
	p.Press("\x1b")
	require.Equal(t, []told{{ID: "q1", Decision: "deny"}}, awaitTold(p), "Escape denies")
	require.Zero(t, webmcptest.Eval[int](p, `() => { ask(); return 0 }`))
	require.Zero(t, p.Count("button", "Edit"), "not where it is not allowed")
}

func TestNothingOfAnEditIsInTheNextQuestion(t *testing.T) {
	t.Parallel()
	p := dialogPage(t, "/")
	edits(p, orderSchema, orderDraft)
	fill(p, "email", "bob@example.com")
	ask(p, `{ id: 'q2', input: { email: 'eve@example.com' } }`)
	require.Zero(t, p.Count("textbox", "email"))
	require.NotContains(t, shownText(p), "bob@example.com")
	armed(p).Click()
	require.Equal(t, []told{{ID: "q2", Decision: "approve"}}, awaitTold(p))

	edits(p, orderSchema, orderDraft)
	fill(p, "email", "bob@example.com")
	require.NotEmpty(t, typed(p))
	p.Do(`() => { told.length = 0; ask({ id: 'q3' }); dialog.refuse([{ path: 'email', message: 'late' }]); dialog.review({ late: 1 }) }`)
	require.NotContains(t, shownText(p), "late")
	armed(p).Click()
	require.Equal(t, []told{{ID: "q3", Decision: "approve"}}, awaitTold(p), "what was checked for another question holds nothing up")
}

func TestAnEditIsForOneCallAndRememberedForNothing(t *testing.T) {
	t.Parallel()
	p := dialogPage(t, "/")
	full := strings.TrimSuffix(editable(orderSchema, orderDraft), "}") + `, remember: [{ value: 'call' }, { value: 'tool' }], same: [{ id: 's1', input: {} }] }`
	ask(p, full)
	p.Click("radio", "All calls of checkout, until this page is closed")
	p.Click("DisclosureTriangle", "1 more call of this tool")
	p.Click("checkbox", "Decide this call the same way")
	p.Click("button", "Edit")
	require.Zero(t, p.Count("radio", ""))
	require.Zero(t, p.Count("DisclosureTriangle", ""))
	p.Do(`() => dialog.update({ same: [{ id: 's1', input: {} }, { id: 's2', input: {} }] })`)
	require.Zero(t, p.Count("DisclosureTriangle", ""), "one more does not bring them back")
	fill(p, "email", "bob@example.com")
	require.NotEmpty(t, typed(p))
	require.Equal(t, []told{{ID: "q1", Decision: "approve"}}, toldOf(p))
	p.Do(`() => dialog.refuse([])`)
	p.Click("button", "Discard changes")
	require.True(t, p.Find("radio", "Only this call").Checked())
	p.Do(`() => { told.length = 0 }`)
	armed(p).Click()
	require.Equal(t, []told{{ID: "q1", Decision: "approve", Remember: "call"}}, awaitTold(p), "what was chosen before is not")
}

func TestAScriptTypesNothing(t *testing.T) {
	t.Parallel()
	p := dialogPage(t, "/open/")
	edits(p, orderSchema, orderDraft)
	p.Do(`() => {
		for (const box of host().shadowRoot.querySelectorAll('input, textarea, select')) for (const type of ['beforeinput', 'input', 'change']) box.dispatchEvent(new InputEvent(type, { bubbles: true, data: 'x' }));
		host().shadowRoot.querySelector('.head button').click();
	}`)
	require.Equal(t, 1, p.Count("textbox", "email"), "nor does it discard")
	fill(p, "email", "bob@example.com")
	require.JSONEq(t, `{"input":{"email":"bob@example.com","quantity":2,"gift":true,"size":"M","code":"X"},"isExact":true}`, typed(p))

	// The root is closed to it. Where it gets in all the same, what it writes is not approved.
	for _, does := range []string{
		`root.querySelector('input').value = 'eve@example.com'`,
		`root.querySelector('[type=checkbox]').checked = false`,
		`root.querySelector('select').selectedIndex = 2`,
		`root.querySelector('textarea').value = 'x'`,
	} {
		edits(p, orderSchema, orderDraft)
		p.Do(`() => { const root = host().shadowRoot; ` + does + `; for (const box of root.querySelectorAll('input, textarea, select')) box.dispatchEvent(new Event('input')) }`)
		armed(p).Click()
		require.Equal(t, []told{{ID: "q1", Unavailable: "the form was changed by a script"}}, awaitTold(p), does)
	}
	ask(p, editable(orderSchema, orderDraft))
	p.Do(`() => host().shadowRoot.querySelector('.head button').click()`)
	require.Zero(t, p.Count("textbox", "email"), "nor does it begin to edit")
}

// As TestDialogIsOutOfThePagesReach, for the form.
func TestAFormIsOutOfThePagesReach(t *testing.T) {
	t.Parallel()
	p := dialogPage(t, "/")
	p.Do(`() => {
		globalThis.caught = [];
		const asked = [question({ input: { a: 'x' }, edit: { draft: { a: 'x', n: 1 }, schema: { properties: { a: { type: 'string' }, n: { type: 'number' }, s: { enum: ['S', 'M'] }, b: { type: 'boolean' }, t: { type: 'string', maxLength: 999 } }, required: ['a'] } } }), question({ id: 'q2', edit: { draft: { a: [{ b: 'x\u200b' }] }, schema: {} } })];
		const spy = (type, name) => {
			const descriptor = Object.getOwnPropertyDescriptor(type.prototype, name);
			for (const key of ['value', 'get', 'set']) {
				const real = descriptor[key];
				if (typeof real === 'function') descriptor[key] = function (...rest) { if (globalThis.listen) caught.push(type.name + '.' + String(name)); return real.apply(this, rest) };
			}
			Object.defineProperty(type.prototype, name, descriptor);
		};
		for (const type of [Document, DocumentFragment, Node, Element, HTMLElement, HTMLDialogElement, HTMLInputElement, HTMLTextAreaElement, HTMLSelectElement, HTMLOptionElement, ShadowRoot, Event, UIEvent, EventTarget, RegExp]) {
			for (const name of Reflect.ownKeys(type.prototype)) if (name !== 'constructor' && Object.getOwnPropertyDescriptor(type.prototype, name).configurable) spy(type, name);
		}
		spy(Array, Symbol.iterator);
		spy(String, Symbol.iterator);
		Array.prototype.toJSON = Object.prototype.toJSON = String.prototype.toJSON = function () { if (globalThis.listen) caught.push('toJSON') };
		// A test's own steps call some of it: only what happens inside an event of the dialog is looked at.
		globalThis.next = () => { globalThis.listen = true; dialog.show(asked.shift()); globalThis.listen = false };
		addEventListener('click', () => { globalThis.listen = true; queueMicrotask(() => { globalThis.listen = false }) }, true);
	}`)
	p.Do(`() => next()`)
	p.Click("button", "Edit")
	p.Find("textbox", "a").Fill("y")
	armed(p).Click()
	require.Contains(t, webmcptest.Eval[string](p, `() => { delete Object.prototype.toJSON; delete Array.prototype.toJSON; delete String.prototype.toJSON; return JSON.stringify(told[0].edited) }`), `"a":"y"`)
	p.Do(`() => { told.length = 0; next() }`)
	p.Click("button", "Edit")
	p.Find("textbox", "Arguments as JSON").Fill("{}")
	require.Contains(t, typed(p), `"input":{}`)
	require.Equal(t, []string{}, webmcptest.Eval[[]string](p, `() => caught`), "the form calls what the page has put in place")
}

func TestAFormIsAccessible(t *testing.T) {
	t.Parallel()
	axe, err := os.ReadFile(filepath.Join(npmtest.Install(t, "axe-core@4.14.1"), "node_modules", "axe-core", "axe.min.js"))
	require.NoError(t, err)
	p := dialogPage(t, "/open/")
	p.Do("() => {" + string(axe) + "\n}")
	clean := func(what string) {
		t.Helper()
		require.Empty(t, webmcptest.Eval[[]string](p, `async () => {
			const { violations } = await axe.run(document);
			return violations.flatMap(({ id, help, nodes }) => nodes.map(({ target, failureSummary }) => id + ': ' + help + ' at ' + target.join(' ') + '\n' + failureSummary));
		}`), what)
	}
	issues := `[{ path: 'email', message: 'must be an e-mail address' }, { path: '', message: 'too much' }]`
	for _, media := range []map[string]string{{"prefers-color-scheme": "light"}, {"prefers-color-scheme": "dark"}, {"forced-colors": "active"}} {
		p.Media(media)
		for schema, draft := range map[string]string{orderSchema: orderDraft, `{}`: `{ items: [1] }`} {
			what, _ := json.Marshal(media)
			edits(p, schema, draft)
			clean(string(what) + " form")
			if schema == `{}` {
				fill(p, "Arguments as JSON", "{}")
			} else {
				fill(p, "email", "x")
			}
			require.NotEmpty(t, typed(p))
			clean(string(what) + " checking")
			p.Do(`() => dialog.refuse(` + issues + `)`)
			armed(p)
			clean(string(what) + " refused")
			if schema != `{}` {
				p.Do(`() => { told.length = 0 }`)
				require.NotEmpty(t, typed(p))
				p.Do(`() => dialog.review({ a: 1 })`)
				armed(p)
				clean(string(what) + " reviewed")
			}
		}
	}
}

func TestAFormFitsEveryScreenAndIsUsedByKeyboard(t *testing.T) {
	t.Parallel()
	p := dialogPage(t, "/open/")
	for _, size := range [][2]int{{1280, 900}, {390, 844}, {320, 256}} {
		p.About("%d by %d", size[0], size[1])
		p.Viewport(size[0], size[1])
		edits(p, orderSchema, orderDraft)
		p.Do(`() => {
			const scroller = host().shadowRoot.querySelector('.scroller');
			if (scroller.scrollWidth > scroller.clientWidth) throw new Error('it scrolls sideways');
			for (const box of scroller.querySelectorAll('input, select, textarea, .head button')) {
				box.scrollIntoView({ block: 'nearest' });
				const it = box.getBoundingClientRect(), room = scroller.getBoundingClientRect();
				if (it.left < room.left || it.right > room.right || it.bottom > room.bottom + .5) throw new Error('cannot be reached: ' + box.outerHTML);
			}
		}`)
	}
	p.Phone(390, 844)
	edits(p, orderSchema, orderDraft)
	for _, height := range webmcptest.Eval[[]float64](p, `() => [...host().shadowRoot.querySelectorAll('.field :is(select, textarea, [type=text]), .field label:has(input), button')].map(box => box.getBoundingClientRect().height)`) {
		require.GreaterOrEqual(t, height, 44.0, "a finger hits it")
	}

	// From Deny, where the dialog starts, by Tab and Shift+Tab alone.
	ask(p, editable(`{ properties: { a: { type: 'string' } } }`, `{ a: 'x' }`))
	for range 6 {
		p.Press("\t")
		if p.Find("button", "Edit").Focused() {
			break
		}
	}
	p.Do(`() => { told.length = 0 }`)
	p.Press("\r")
	require.True(t, p.Find("textbox", "a (optional)").Focused())
	p.Press("y")
	armed(p)
	for range 6 {
		p.Press("\t")
		if p.Find("button", "Approve").Focused() {
			break
		}
	}
	p.Press("\r")
	p.WaitFor(`told.length > 0`)
	require.Contains(t, webmcptest.Eval[string](p, `() => told[0].edited.input.a`), "y")
}
