package e2e

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/heapprofiler"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/internal/npmtest"
	"github.com/webmcp-wasm/webmcp/webmcptest"
)

// What a human sees and does when the library asks. Of the dialog's insides a test
// knows what a human can perceive.

// dialogCSP is what a page allows that is careful; its second part would keep a test from document.write.
const (
	requireTrusted = "; require-trusted-types-for 'script'; trusted-types 'none'"
	dialogCSP      = "default-src 'self'" + requireTrusted
)

// told is what the dialog told its owner.
type told struct {
	ID          string
	Decision    string   `json:",omitempty"`
	Reason      string   `json:",omitempty"`
	Remember    string   `json:",omitempty"`
	Also        []string `json:",omitempty"`
	Unavailable string   `json:",omitempty"`
}

// dialogPage opens a page with a dialog that nobody else has to do with. Below
// /open/, a script can look into the dialog.
func dialogPage(t *testing.T, address string) *webmcptest.Page {
	t.Helper()
	source, err := os.ReadFile("../internal/glue/dialog.js")
	require.NoError(t, err)
	code := "(() => {" + string(source) + ";globalThis.ApprovalDialog = ApprovalDialog})()"
	files := http.FileServer(http.Dir("testdata/site/dialog"))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", strings.TrimSuffix(dialogCSP, map[bool]string{true: requireTrusted}[r.URL.RawQuery == "loose"]))
		w.Header().Set("Cache-Control", "no-store")
		path, opened := strings.CutPrefix(r.URL.Path, "/open")
		switch r.URL.Path = path; path {
		case "/dialog.js":
			served := code
			if opened {
				served = strings.Replace(code, "mode: 'closed'", "mode: 'open'", 1)
			}
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = w.Write([]byte(served))
		case "/favicon.ico":
			w.WriteHeader(http.StatusNoContent)
		default:
			files.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	p := webmcptest.New(t, withoutWebMCP)
	p.Open(server.URL + address)
	return p
}

// ask shows the usual question, with these changes in JavaScript.
func ask(p *webmcptest.Page, changes string) {
	p.Do(`() => ask(` + changes + `)`)
}

// armed waits until Approve works.
func armed(p *webmcptest.Page) *webmcptest.Element {
	approve := p.Find("button", "Approve")
	approve.Until(`!this.hasAttribute('aria-disabled')`)
	return approve
}

// awaitLine waits for a line on the console.
func awaitLine(p *webmcptest.Page, text string) {
	p.AwaitRecord(text, func(_, console []string) bool {
		return slices.ContainsFunc(console, func(line string) bool { return strings.Contains(line, text) })
	})
}

// awaitTold waits until the dialog has told its owner something, and returns all of it.
func awaitTold(p *webmcptest.Page) []told {
	p.WaitFor(`told.length > 0`)
	return toldOf(p)
}

func toldOf(p *webmcptest.Page) []told { return webmcptest.Eval[[]told](p, `() => told`) }

func TestDialogTellsWhatTheHumanDecides(t *testing.T) {
	t.Parallel()
	p := dialogPage(t, "/")
	ask(p, ``)
	armed(p).Click()
	require.Equal(t, []told{{ID: "q1", Decision: "approve"}}, awaitTold(p))
	p.Do(`() => ask({ id: 'q2' })`)
	p.Click("button", "Deny")
	require.Equal(t, []told{{ID: "q1", Decision: "approve"}, {ID: "q2", Decision: "deny"}}, toldOf(p))
	p.Do(`() => { told.length = 0; ask({ id: 'q3' }) }`)
	p.Find("textbox", "Reason for denying (optional, the agent reads it)").Fill("  too much ")
	p.Click("button", "Deny")
	require.Equal(t, []told{{ID: "q3", Decision: "deny", Reason: "too much"}}, toldOf(p))
	p.Click("button", "Deny")
	p.Press("\x1b")
	require.Len(t, toldOf(p), 1, "a question is decided once")
	require.Equal(t, "q3", webmcptest.Eval[string](p, `() => dialog.shown`))
	p.Do(`() => dialog.close()`)
	require.True(t, webmcptest.Eval[bool](p, `() => dialog.shown === undefined`))
}

func TestDialogStartsOnDenyAndKeepsTheKeyboard(t *testing.T) {
	t.Parallel()
	p := dialogPage(t, "/")
	p.Click("textbox", "Note")
	ask(p, ``)
	deny := p.Find("button", "Deny")
	require.True(t, deny.Focused())
	armed(p)
	p.Press("\t")
	require.True(t, p.Find("button", "Approve").Focused())
	for range 8 {
		p.Press("\t")
		require.NotEqual(t, "note", webmcptest.Eval[string](p, `() => document.activeElement.id`), "the focus leaves the dialog")
	}
	p.Do(`() => dialog.close()`)
	require.Equal(t, "note", webmcptest.Eval[string](p, `() => document.activeElement.id`))
	require.Zero(t, webmcptest.Eval[int](p, `() => document.querySelectorAll('html > div').length`))

	ask(p, ``)
	p.Press("\r")
	require.Equal(t, []told{{ID: "q1", Decision: "deny"}}, awaitTold(p), "Enter denies")
	p.Do(`() => { told.length = 0; ask() }`)
	armed(p)
	p.Press("\t")
	p.Press(" ")
	require.Equal(t, []told{{ID: "q1", Decision: "approve"}}, awaitTold(p), "Tab, Space approves")
}

func TestDialogDeniesByEscape(t *testing.T) {
	t.Parallel()
	p := dialogPage(t, "/")
	for range 3 {
		p.Do(`() => { told.length = 0; ask() }`)
		p.Press("\x1b")
		require.Equal(t, []told{{ID: "q1", Decision: "deny"}}, awaitTold(p))
		p.Press("\x1b")
		p.Press("\x1b") // this one closes a dialog, whatever it does
	}
	require.Len(t, toldOf(p), 1)
	p.Do(`() => { told.length = 0; ask({ id: 'q2' }) }`)
	armed(p).Click()
	require.Equal(t, []told{{ID: "q2", Decision: "approve"}}, awaitTold(p), "the next one can be seen")
}

// The keys of a page that keeps its own keyboard shortcuts do not reach the dialog; the browser's do.
func TestDialogDeniesByTheBrowsersOwnEscape(t *testing.T) {
	t.Parallel()
	p := dialogPage(t, "/")
	p.Do(`() => addEventListener('keydown', event => event.stopImmediatePropagation(), true)`)
	p.Click("button", "Buy")
	ask(p, ``)
	p.Press("\x1b")
	require.Equal(t, []told{{ID: "q1", Decision: "deny"}}, awaitTold(p))
}

func TestDialogTakesNoAnswerBeforeItIsArmed(t *testing.T) {
	t.Parallel()
	p := dialogPage(t, "/?late&hidden")
	disarmed := func(why string) {
		t.Helper()
		approve := p.Find("button", "Approve")
		approve.Until(`this.getAttribute('aria-disabled') === 'true'`)
		p.WaitFor(`arming.size === 1`)
		require.EqualValues(t, 1, webmcptest.Read[int](approve, `function () { return this.getAnimations({ subtree: true }).length }`), why)
		approve.Click()
		p.Press("\r")
		p.Press(" ")
		require.Empty(t, toldOf(p), why)
	}
	arm := func() { require.Equal(t, 1, webmcptest.Eval[int](p, `() => armNow()`)) }
	ask(p, ``)
	disarmed("at the start")
	arm()
	armed(p)
	ask(p, `{ id: 'q2' }`)
	disarmed("the next question")
	arm()
	armed(p)
	p.Do(`() => hide(true)`)
	require.Zero(t, webmcptest.Eval[int](p, `() => arming.size`), "it does not arm while nobody sees it")
	require.Equal(t, "true", p.Find("button", "Approve").Attr("aria-disabled"))
	p.Do(`() => hide(false)`)
	disarmed("the tab is shown again")
	arm()
	armed(p).Click()
	require.Equal(t, []told{{ID: "q2", Decision: "approve"}}, awaitTold(p))

	p.Media(map[string]string{"prefers-reduced-motion": "reduce"})
	ask(p, `{ id: 'q3' }`)
	require.Zero(t, webmcptest.Read[int](p.Find("button", "Approve"), `function () { return this.getAnimations({ subtree: true }).length }`))
}

func TestDialogTakesTrustedEventsOnly(t *testing.T) {
	t.Parallel()
	p := dialogPage(t, "/open/")
	ask(p, ``)
	armed(p)
	p.Do(`() => {
		const root = host().shadowRoot;
		for (const button of root.querySelectorAll('button')) {
			button.click();
			button.dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true }));
			for (const type of ['keydown', 'keypress', 'keyup']) button.dispatchEvent(new KeyboardEvent(type, { key: 'Enter', code: 'Enter', bubbles: true }));
			button.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
		}
		for (const type of ['cancel', 'close', 'submit']) root.querySelector('dialog').dispatchEvent(new Event(type, { cancelable: true }));
		const form = document.createElement('form');
		form.method = 'dialog';
		document.body.append(form);
		form.requestSubmit();
		host().click();
	}`)
	require.Empty(t, toldOf(p))
	armed(p).Click()
	require.Equal(t, []told{{ID: "q1", Decision: "approve"}}, awaitTold(p))
}

func TestDialogIgnoresDoubleClicksAndHeldKeys(t *testing.T) {
	t.Parallel()
	p := dialogPage(t, "/")
	// The owner shows the next question as soon as one is decided.
	p.Do(`() => {
		globalThis.count = 1;
		globalThis.dialog = newDialog({ decide: (id, answer) => { told.push({ id, ...answer }); ask({ id: 'q' + ++count }) } });
		ask();
	}`)
	armed(p).DoubleClick()
	p.Find("button", "Deny").DoubleClick()
	require.Equal(t, []told{{ID: "q1", Decision: "approve"}, {ID: "q2", Decision: "deny"}}, toldOf(p))
	for _, key := range []string{"\r", "\x1b"} {
		p.About("%q is held down", key)
		p.Do(`() => { told.length = 0 }`)
		hold(t, p, key, 5)
		require.Len(t, toldOf(p), 1)
	}
	p.Do(`() => { told.length = 0 }`)
	armed(p)
	p.Press("\t")
	hold(t, p, "\r", 5)
	require.Len(t, toldOf(p), 1)
	require.Equal(t, "approve", toldOf(p)[0].Decision)
}

func TestDialogKeepsNothingForTheNextQuestion(t *testing.T) {
	t.Parallel()
	p := dialogPage(t, "/")
	const reason = "Reason for denying (optional, the agent reads it)"
	remember := `remember: [{ value: 'call' }, { value: 'tool' }]`
	same := `same: [{ id: 's1', input: { email: 'bob@example.com' } }, { id: 's2', input: {} }]`
	choose := func() {
		p.Find("textbox", reason).Fill("never")
		p.Click("radio", "All calls of checkout, until this page is closed")
		p.Click("DisclosureTriangle", "2 more calls of this tool")
		p.Click("checkbox", "Decide these 2 calls the same way")
	}
	ask(p, `{ `+remember+`, `+same+` }`)
	choose()
	ask(p, `{ id: 'q2', `+remember+`, `+same+` }`)
	require.Zero(t, p.Count("checkbox", ""), "the calls are folded again")
	require.Empty(t, webmcptest.Read[string](p.Find("textbox", reason), `function () { return this.value }`))
	require.True(t, p.Find("radio", "Only this call").Checked())
	p.Click("button", "Deny")
	require.Equal(t, []told{{ID: "q2", Decision: "deny", Remember: "call"}}, toldOf(p))

	p.Do(`() => { told.length = 0 }`)
	ask(p, `{ id: 'q3', `+remember+`, `+same+` }`)
	choose()
	p.Do(`() => dialog.update({ waiting: 3, same: [{ id: 's2', input: {} }] })`)
	require.Equal(t, "never", webmcptest.Read[string](p.Find("textbox", reason), `function () { return this.value }`), "an update keeps what was typed")
	require.True(t, p.Find("checkbox", "Decide this call the same way").Checked(), "fewer calls than those that were ticked")
	p.Click("button", "Deny")
	require.Equal(t, []told{{ID: "q3", Decision: "deny", Reason: "never", Remember: "tool", Also: []string{"s2"}}}, toldOf(p))

	p.Do(`() => { told.length = 0 }`)
	ask(p, `{ id: 'q4', remember: [{ value: 'tool' }], `+same+` }`)
	require.Zero(t, p.Count("radio", ""), "one choice is none")
	p.Click("DisclosureTriangle", "2 more calls of this tool")
	p.Click("checkbox", "Decide these 2 calls the same way")
	p.Do(`() => dialog.update({ same: [{ id: 's1', input: { email: 'bob@example.com' } }, { id: 's2', input: {} }, { id: 's3', input: { email: 'eve@example.com' } }] })`)
	require.False(t, p.Find("checkbox", "Decide these 3 calls the same way").Checked(), "one more call than those that were ticked")
	armed(p).Click()
	require.Equal(t, []told{{ID: "q4", Decision: "approve"}}, toldOf(p))

	p.Do(`() => { told.length = 0 }`)
	ask(p, `{ id: 'q5', `+same+` }`)
	p.Click("DisclosureTriangle", "2 more calls of this tool")
	p.Click("checkbox", "Decide these 2 calls the same way")
	p.Click("DisclosureTriangle", "2 more calls of this tool")
	p.Click("button", "Deny")
	require.Equal(t, []told{{ID: "q5", Decision: "deny"}}, toldOf(p), "what is folded is not seen")
}

// hold presses a key, and lets it repeat so often.
func hold(t *testing.T, p *webmcptest.Page, key string, times int) {
	t.Helper()
	p.Press(key)
	for range times {
		require.NoError(t, chromedp.Do(p.Driver().Context(), chromedp.KeyEvent(key, func(k *input.DispatchKeyEventParams) { k.AutoRepeat = new(true) })))
	}
}

func TestDialogNoticesWhatAPageDoesToIt(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct{ does, reason string }{
		"removed":                               {`host().remove()`, "the dialog was removed from the page"},
		"moved":                                 {`document.body.append(host())`, "the dialog was removed from the page"},
		"moved and back":                        {`document.documentElement.append(host())`, "the dialog was moved in the page"},
		"all removed":                           {`document.documentElement.replaceChildren()`, "the dialog was removed from the page"},
		"document.open":                         {`document.open()`, "the dialog was removed from the page"},
		"written anew":                          {`document.open(), document.write('<p>New'), document.close()`, "the dialog was removed from the page"},
		"in another frame":                      {`document.body.append(document.createElement('iframe')), frames[0].document.body.append(host())`, "the dialog was removed from the page"},
		"closed":                                {`host().shadowRoot.querySelector('dialog').close()`, "the dialog was closed by a script"},
		"hidden with all":                       {`document.documentElement.style.display = 'none'`, "the dialog was hidden by the page"},
		"skipped with all":                      {`document.documentElement.style.contentVisibility = 'hidden'`, "the dialog was hidden by the page"},
		"made tiny":                             {`document.documentElement.style.zoom = '0.05'`, "the dialog was hidden by the page"},
		"another dialog":                        {`document.querySelector('dialog').showModal()`, "another element covers the dialog"},
		"its own dialog":                        {`opener2.attachShadow({ mode: 'closed' }).append(cover), cover.showModal()`, "another element covers the dialog"},
		"a popover":                             {`cover.remove(), decoy.showPopover()`, "another element covers the dialog"},
		"a popover that nobody finds":           {`opener2.attachShadow({ mode: 'closed' }).append(decoy), decoy.showPopover()`, "another element covers the dialog"},
		"a popover from below":                  {`decoy.hidePopover(), decoy.showPopover()`, "another element covers the dialog"},
		"a popover that is closed for a moment": {`decoy.showPopover(), setTimeout(() => { decoy.hidePopover(); decoy.showPopover() }, 260)`, "another element covers the dialog"},
		"a popover that lets clicks through":    {`decoy.style.pointerEvents = 'none', decoy.showPopover()`, "another element covers the dialog"},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			p := dialogPage(t, "/open/?loose")
			p.Do(`() => {
				
				globalThis.cover = document.createElement('dialog');
				cover.textContent = 'Something else';
				globalThis.decoy = document.createElement('div');
				decoy.popover = 'manual';
				decoy.textContent = 'Win a prize';
				globalThis.opener2 = document.createElement('div');
				document.body.append(cover, decoy, opener2);
				ask({ waiting: 1 });
			}`)
			armed(p)
			if what == "a popover from below" {
				p.Do(`() => { dialog.close(); decoy.showPopover(); ask() }`)
			}
			p.Do(`() => { ` + c.does + ` }`)
			require.Equal(t, []told{{ID: "q1", Unavailable: c.reason}}, awaitTold(p))
			// What comes next can be asked, if the page lets it.
			p.Do(`() => {
				if (document.documentElement === null) document.append(document.createElement('html'));
				document.documentElement.removeAttribute('style');
				told.length = 0;
				ask({ id: 'q2' });
			}`)
			p.Press("\x1b")
			require.Equal(t, []told{{ID: "q2", Decision: "deny"}}, awaitTold(p))
			p.Do(`() => dialog.close()`)
		})
	}
}

func TestDialogDoesNotTakeWhatIsBesideOrBelowItForACover(t *testing.T) {
	t.Parallel()
	p := dialogPage(t, "/?late")
	p.Do(`() => {
		const below = document.createElement('dialog');
		const toast = document.createElement('div');
		toast.popover = 'manual';
		toast.textContent = 'Saved';
		toast.style.inset = '0 auto auto 0';
		const fixed = document.createElement('div');
		fixed.style.cssText = 'position: fixed; inset: 0; z-index: 2147483647; background: red';
		document.body.append(below, toast, fixed);
		below.showModal();
		ask({ since: performance.now() - 9000 });
		toast.showPopover();
	}`)
	// It has looked several times when it says that ten seconds have passed.
	p.Find("dialog", "Allow this action?").Until(`this.innerText.includes('Waiting for 11 s')`)
	require.Empty(t, toldOf(p))
	p.WaitFor(`armNow() > 0`)
	armed(p).Click()
	require.Equal(t, []told{{ID: "q1", Decision: "approve"}}, toldOf(p))
}

// The page's own styles and scripts, as hostile as they come.
func TestDialogIsOutOfThePagesReach(t *testing.T) {
	t.Parallel()
	p := dialogPage(t, "/")
	p.Do(`() => {
		const sheet = new CSSStyleSheet();
		sheet.replaceSync('body, body *, div, html > div, div::before { display: none !important; opacity: 0 !important; visibility: hidden !important; filter: opacity(0); transform: scale(0) !important; clip-path: inset(50%) !important; pointer-events: none !important; color: red !important; font-size: 1px !important }'
			+ 'dialog { opacity: 0 } * { animation: none !important; direction: rtl !important } button { display: none !important }');
		document.adoptedStyleSheets.push(sheet);
		globalThis.caught = [];
		const spy = (type, name) => {
			const descriptor = Object.getOwnPropertyDescriptor(type.prototype, name);
			for (const key of ['value', 'get', 'set']) {
				const real = descriptor[key];
				if (typeof real === 'function') descriptor[key] = function (...rest) { caught.push(type.name + '.' + String(name)); return real.apply(this, rest) };
			}
			Object.defineProperty(type.prototype, name, descriptor);
		};
		for (const type of [Document, DocumentFragment, Node, Element, HTMLElement, HTMLDialogElement, HTMLInputElement, HTMLDetailsElement, ShadowRoot, CSSStyleSheet, Event, UIEvent, KeyboardEvent, EventTarget, IntersectionObserver, IntersectionObserverEntry, DOMRectReadOnly, RegExp, Performance]) {
			for (const name of Reflect.ownKeys(type.prototype)) if (name !== 'constructor' && Object.getOwnPropertyDescriptor(type.prototype, name).configurable) spy(type, name);
		}
		for (const name of ['setTimeout', 'setInterval', 'requestAnimationFrame', 'clearTimeout', 'clearInterval', 'cancelAnimationFrame', 'CSSStyleSheet', 'IntersectionObserver']) {
			const real = globalThis[name];
			globalThis[name] = function (...rest) { caught.push(name); return new.target ? Reflect.construct(real, rest) : real(...rest) };
		}
		spy(Array, Symbol.iterator);
		globalThis.shownTo = [];
		Array.prototype.toJSON = Object.prototype.toJSON = function () { caught.push('toJSON') };
		addEventListener('click', event => shownTo.push(...event.composedPath()), true);
		caught.length = 0;
		const { dialog, question } = globalThis;
		const asked = question({ input: { a: 'x\u200b', b: { c: [1, 'x'] } }, same: [{ id: 's', input: { b: { c: 2 } } }], remember: [{ value: 'call' }, { value: 'tool' }] });
		caught.length = 0;
		dialog.show(asked);
		globalThis.seen = caught.slice();
		host().inert = true;
	}`)
	armed(p).Click()
	require.Equal(t, []told{{ID: "q1", Decision: "approve", Remember: "call"}}, toldOf(p))
	require.Equal(t, []string{}, webmcptest.Eval[[]string](p, `() => seen`), "the dialog calls what the page has put in place")
	require.Empty(t, webmcptest.Eval[[]string](p, `() => shownTo.filter(target => target.localName).map(target => target.localName).filter(name => name !== 'html' && name !== 'div')`))
	require.True(t, webmcptest.Eval[bool](p, `() => host().shadowRoot === null`))
	require.Equal(t, "NotSupportedError", webmcptest.Eval[string](p, `() => { try { return String(host().attachInternals().shadowRoot) } catch (error) { return error.name } }`))
}

func TestDialogThatCannotBeShownSaysSo(t *testing.T) {
	t.Parallel()
	p := dialogPage(t, "/")
	p.Do(`() => { document.documentElement.remove(); ask() }`)
	require.Equal(t, []told{{ID: "q1", Unavailable: "there is no document that could show a dialog"}}, awaitTold(p))
	p.Do(`() => { told.length = 0; document.append(document.createElement('html')); ask({ id: 'q2' }) }`)
	p.Click("button", "Deny")
	require.Equal(t, []told{{ID: "q2", Decision: "deny"}}, awaitTold(p), "a document without a body will do")
}

// shownText returns the text of the whole dialog.
func shownText(p *webmcptest.Page) string { return p.Find("dialog", "").Text() }

func TestDialogShowsEveryArgumentWhole(t *testing.T) {
	t.Parallel()
	p := dialogPage(t, "/")
	ask(p, `{
		name: 'pay', toolTitle: 'Pay a bill', title: 'Pay 12 €?', sentence: 'To the account of Ada.', details: 'Fee: none',
		untrusted: true, waiting: 2,
		input: { text: 'plain', n: 1.5, yes: false, none: null, number: '5', empty: '', padded: ' x ', lines: 'a\n  b', nested: { a: [1, { b: 'say "hi"\n\\' }], e: {}, l: [] }, long: 'word '.repeat(20000) + 'end', '': 'unnamed', __proto__: { inherited: 1 }, ['__proto__']: 'own' },
		same: [{ id: 's', input: { text: 'other' } }],
	}`)
	p.Find("dialog", "Pay 12 €?")
	p.Find("heading", "Pay 12 €?")
	text := shownText(p)
	for _, want := range []string{
		"An agent asks to run Pay a bill pay", "To the account of Ada.", "Fee: none", "2 more waiting", "These arguments hold text from an untrusted source.",
		"text\nplain\n", "n\n1.5\n", "yes\nfalse\n", "none\nnull\n", "number\n\"5\"\n", "empty\n\"\"\n", "padded\n\" x \"\n", "lines\na\n  b\n",
		"nested\n{\n  \"a\": [\n    1,\n    {\n      \"b\": \"say \\\"hi\\\"\\n\\\\\"\n    }\n  ],\n  \"e\": {},\n  \"l\": []\n}\n",
		strings.Repeat("word ", 20000) + "end\n", "\"\"\nunnamed\n", "__proto__\nown\n",
	} {
		require.Contains(t, text, want)
	}
	require.NotContains(t, text, "inherited")
	long := p.Find("group", "long")
	require.True(t, webmcptest.Read[bool](long, `function () { return this.scrollHeight > 2 * this.clientHeight && this.clientHeight < 400 }`), "it scrolls in its own box")
	p.Click("DisclosureTriangle", "1 more call of this tool")
	require.Contains(t, shownText(p), "other")
	for input, want := range map[string]string{`{}`: "No arguments", `[]`: "[]", `[1, 'a']`: "[\n  1,\n  \"a\"\n]", `'text'`: "text", `null`: "null"} {
		ask(p, `{ input: `+input+` }`)
		require.Contains(t, strings.ReplaceAll(shownText(p), "\n\n", "\n"), "Arguments\n"+want+"\n", input)
	}
	require.NotContains(t, shownText(p), "untrusted")
	// Deeper than any page goes.
	p.Do(`() => { const deep = []; let at = deep; for (let i = 0; i < 2000; i++) { at.push([]); at = at[0] } at.push('core'); ask({ input: { deep } }) }`)
	require.Contains(t, shownText(p), "core")
}

func TestDialogShowsWhatCannotBeSeen(t *testing.T) {
	t.Parallel()
	p := dialogPage(t, "/open/")
	const raw = `a\u202eb\u200bc\u00a0d\u0000e\u{e0041}f\ufe0fg\u2028h\ud800i\u3164j\u0085k\u{1d159}`
	const seen = `a\u{202e}b\u{200b}c\u{a0}d\u{0}e\u{e0041}f\u{fe0f}g\u{2028}h\u{d800}i\u{3164}j\u{85}k\u{1d159}`
	ask(p, `{ title: 'T`+raw+`', sentence: 'S`+raw+`', details: 'D`+raw+`', name: 'N`+raw+`', toolTitle: 'O`+raw+`',
		input: { 'K`+raw+`': 'V`+raw+`', nested: { 'M`+raw+`': 'W`+raw+`' }, kept: 'tab\t.\nline' },
		remember: [{ value: 'arguments', args: 'R`+raw+`' }, { value: 'call' }], same: [{ id: 's', input: { 'L`+raw+`': 1 } }] }`)
	p.Click("DisclosureTriangle", "1 more call of this tool")
	text := shownText(p)
	for _, at := range []string{"T", "S", "D", "N", "O", "K", "V", "M", "W", "R", "L"} {
		require.Contains(t, text, at+seen)
	}
	require.Contains(t, text, "tab\t.\nline")
	require.Equal(t, []string{`\u{202e}`, "1px"}, webmcptest.Eval[[]string](p, `() => { const mark = host().shadowRoot.querySelector('mark'); return [mark.textContent, getComputedStyle(mark).borderTopWidth] }`), "marked")
	// An agent may write such a text itself: that is not marked.
	ask(p, `{ input: { a: '\\u{202e}' } }`)
	require.Contains(t, shownText(p), `\u{202e}`)
	require.Zero(t, webmcptest.Eval[int](p, `() => host().shadowRoot.querySelectorAll('mark').length`))
}

func TestDialogSpeaksTheLanguageOfThePage(t *testing.T) {
	t.Parallel()
	p := dialogPage(t, "/open/")
	p.Do(`() => {
		globalThis.dialog = newDialog({ strings: { lang: 'he', dir: 'rtl', title: 'לאשר?', approve: 'אישור', deny: 'דחייה', waiting: count => 'ועוד ' + count, unknown: 1, reason: undefined } });
		ask({ waiting: 4 });
	}`)
	awaitLine(p, "the dialog has no text unknown")
	p.Find("dialog", "לאשר?")
	deny, _ := p.Find("button", "דחייה").Spot()
	approve, _ := p.Find("button", "אישור").Spot()
	require.Greater(t, deny, approve, "from right to left")
	require.Contains(t, shownText(p), "ועוד 4")
	require.Contains(t, shownText(p), "Reason for denying", "what is not translated is in English")
	require.Equal(t, "he", p.Find("dialog", "").Attr("lang"))
}

func TestDialogCallsAHumanWhoIsElsewhere(t *testing.T) {
	t.Parallel()
	p := dialogPage(t, "/?hidden=granted")
	title := func() string { return webmcptest.Eval[string](p, `() => document.title`) }
	type note struct {
		Title, Body string
		Open        bool
	}
	notes := func() []note { return webmcptest.Eval[[]note](p, `() => notes.map(note => note.about)`) }
	ask(p, ``)
	require.Equal(t, "Shop", title(), "the human is here")
	p.Do(`() => hide(true)`)
	require.Equal(t, "(!) Shop", title())
	require.Equal(t, []note{{"Approval needed: Check out", "Allow this action?", true}}, notes())
	p.Do(`() => { document.title = 'Shop (2 new)' }`)
	p.WaitFor(`document.title === '(!) Shop (2 new)'`)
	p.Do(`() => hide(false)`)
	require.Equal(t, "Shop (2 new)", title())
	p.Do(`() => hide(true)`)
	require.Len(t, notes(), 1, "one notification for each question")
	ask(p, `{ id: 'q2', toolTitle: undefined, title: 'Really?' }`)
	require.Equal(t, []note{{"Approval needed: Check out", "Allow this action?", false}, {"Approval needed: checkout", "Really?", true}}, notes())
	require.Equal(t, "(!) Shop (2 new)", title())
	p.Do(`() => { document.title = 'Shop' }`)
	p.Do(`() => dialog.close()`)
	require.Equal(t, "Shop", title(), "the page's own title, even if it has changed just now")
	require.False(t, notes()[1].Open)
	p.Do(`() => { document.title = ''; ask() }`)
	require.Equal(t, "(!)", title())
	p.Do(`() => dialog.close()`)
	require.Empty(t, title())
	p.Do(`() => {
		Notification.permission = 'denied';
		notes.length = 0;
		ask();
	}`)
	require.Empty(t, notes())
	p.Do(`() => hide(false)`)
	p.Click("button", "Deny")
	require.Len(t, toldOf(p), 1)
}

func TestDialogTellsTheTime(t *testing.T) {
	t.Parallel()
	p := dialogPage(t, "/")
	status := func(want string) {
		t.Helper()
		p.Find("status", "").Until(`this.textContent === ` + strconv.Quote(want))
	}
	ask(p, ``)
	require.NotContains(t, shownText(p), "Waiting for")
	require.NotContains(t, shownText(p), "left")
	ask(p, `{ since: performance.now() - 11000, waiting: 1 }`)
	status("Question 2 of 3. 1 more waiting")
	p.Find("dialog", "").Until(`this.innerText.includes('Waiting for 12 s')`)
	p.Find("dialog", "").Until(`this.innerText.includes('Waiting for 13 s')`)
	p.Do(`() => dialog.update({ waiting: 2 })`)
	status("Question 2 of 4. 2 more waiting")
	p.Do(`() => dialog.update({ deadline: performance.now() + 5500 })`)
	status("6 seconds left")
	p.Find("dialog", "").Until(`this.innerText.includes('5 seconds left')`)
	p.Find("dialog", "").Until(`this.innerText.includes('4 seconds left')`)
	status("6 seconds left") // said once
	require.NotContains(t, shownText(p), "Waiting for")
	p.Do(`() => dialog.update({ deadline: Infinity })`)
	require.NotContains(t, shownText(p), " left\n")
	p.Do(`() => dialog.close()`)
	ask(p, `{ waiting: 1 }`)
	status("Question 1 of 2. 1 more waiting")
	ask(p, `{ since: performance.now() - 130000 }`)
	require.Contains(t, shownText(p), "Waiting for 2 min 10 s")
}

func TestDialogLeavesNothing(t *testing.T) {
	t.Parallel()
	p := dialogPage(t, "/?timers&hidden=granted")
	p.Click("textbox", "Note")
	left := webmcptest.Eval[map[string]any](p, `async () => {
		const before = document.documentElement.outerHTML;
		globalThis.hosts = [];
		for (let i = 0; i < 200; i++) {
			ask({ id: 'q' + i });
			hosts.push(new WeakRef(host()));
			if (i % 3 === 0) ask({ id: 'again' + i });
			if (i % 5 === 0) { hide(true); hide(false) }
			if (i % 7 === 0) {
				host().remove();
				note.focus();
			}
			if (i % 20 === 0) await new Promise(requestAnimationFrame);
			dialog.close();
		}
		dialog.close();
		await new Promise(done => setTimeout(done));
		return { same: before === document.documentElement.outerHTML, running: running.size, listening: listening.size, title: document.title, focus: document.activeElement.id, open: notes.filter(note => note.about.open).length, told: told.length };
	}`)
	require.Equal(t, map[string]any{"same": true, "running": 0.0, "listening": 0.0, "title": "Shop", "focus": "note", "open": 0.0, "told": 0.0}, left)
	// Not even a listener keeps what was there.
	tab := p.Driver().Context()
	_, err := cdp.Call(tab, chromedp.FromContext(tab).Target, heapprofiler.CollectGarbage, cdp.Empty{})
	require.NoError(t, err)
	require.Less(t, webmcptest.Eval[int](p, `() => hosts.filter(ref => ref.deref()).length`), 10)
	p.Do(`() => hide(true)`)
	require.Equal(t, "Shop", webmcptest.Eval[string](p, `() => document.title`))
}

// fullQuestion has all that a question can have.
const fullQuestion = `{
	title: 'Place this order?', sentence: '2 × Mechanical keyboard, 258.00 €, to Ada Lovelace.', details: 'Paid by the card that ends in 4242.', untrusted: true, waiting: 2,
	since: performance.now() - 25000, deadline: performance.now() + 1e6,
	input: { email: 'ada@exam\u200bple.com', express: true, items: [{ productId: 'keyboard', quantity: 2 }], note: 'Please leave it with the neighbours. '.repeat(30) },
	same: [{ id: 's1', input: { email: 'bob@example.com', express: false } }],
	remember: [{ value: 'call' }, { value: 'arguments', args: undefined }],
}`

func TestDialogIsAccessible(t *testing.T) {
	t.Parallel()
	axe, err := os.ReadFile(filepath.Join(npmtest.Install(t, "axe-core@4.14.1"), "node_modules", "axe-core", "axe.min.js"))
	require.NoError(t, err)
	p := dialogPage(t, "/open/?late")
	p.Do("() => {" + string(axe) + "\n}")
	violations := func() []string {
		return webmcptest.Eval[[]string](p, `async () => {
			const { violations } = await axe.run(document);
			return violations.flatMap(({ id, help, nodes }) => nodes.map(({ target, failureSummary }) => id + ': ' + help + ' at ' + target.join(' ') + '\n' + failureSummary));
		}`)
	}
	ask(p, fullQuestion)
	for _, media := range []map[string]string{{"prefers-color-scheme": "light"}, {"prefers-color-scheme": "dark"}, {"forced-colors": "active"}} {
		p.Media(media)
		ask(p, fullQuestion)
		require.Empty(t, violations(), "%v, not armed", media)
		p.Do(`() => { host().shadowRoot.querySelector('details').open = true; dialog.update({ deadline: performance.now() + 9000 }) }`)
		p.WaitFor(`armNow() > 0`)
		armed(p)
		require.Empty(t, violations(), "%v, armed", media)
		ask(p, `{ input: {} }`)
		require.Empty(t, violations(), "%v, no arguments", media)
	}
	p.Do(`() => { host().shadowRoot.querySelector('#reason').removeAttribute('id') }`)
	require.NotEmpty(t, violations(), "axe looks into the dialog")
}

func TestDialogFitsEveryScreen(t *testing.T) {
	t.Parallel()
	p := dialogPage(t, "/open/")
	for _, size := range [][2]int{{1280, 900}, {390, 844}, {320, 256}, {844, 390}} {
		p.About("%d by %d", size[0], size[1])
		p.Viewport(size[0], size[1])
		p.WaitFor(fmt.Sprintf(`innerWidth === %d && innerHeight === %d`, size[0], size[1]))
		ask(p, fullQuestion)
		p.Do(`() => {
			const root = host().shadowRoot;
			root.querySelector('details').open = true;
			const inside = (outer, inner) => inner.left >= outer.left - .5 && inner.right <= outer.right + .5 && inner.top >= outer.top - .5 && inner.bottom <= outer.bottom + .5;
			const view = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
			const bounds = element => element.getBoundingClientRect();
			if (!inside(view, bounds(root.querySelector('dialog')))) throw new Error('the dialog is larger than the window');
			const [deny, approve] = [...root.querySelectorAll('button')].map(bounds);
			if (!inside(view, deny) || !inside(view, approve)) throw new Error('the buttons are out of sight');
			if (Math.abs(deny.width - approve.width) > .5 || deny.height !== approve.height || deny.height < 44) throw new Error('the buttons differ');
			const scroller = root.querySelector('.scroller');
			if (scroller.scrollWidth > scroller.clientWidth) throw new Error('it scrolls sideways');
			for (const element of scroller.querySelectorAll('h2, p:not(:empty), dt, dd, summary, input, legend')) {
				element.scrollIntoView({ block: 'nearest' });
				const it = bounds(element), room = bounds(scroller);
				if (it.height > room.height ? it.bottom < room.top + 20 : !inside(room, it)) throw new Error('cannot be reached: ' + element.outerHTML);
			}
		}`)
	}
	p.Phone(390, 844)
	ask(p, fullQuestion)
	sizes := webmcptest.Eval[[]float64](p, `() => [...host().shadowRoot.querySelectorAll('button, summary, label:has(input), #reason')].filter(element => element.checkVisibility()).map(element => element.getBoundingClientRect().height)`)
	require.Len(t, sizes, 6)
	for _, size := range sizes {
		require.GreaterOrEqual(t, size, 44.0, "a finger hits it")
	}
}

func TestDialogTakesItsColoursFromThePage(t *testing.T) {
	t.Parallel()
	p := dialogPage(t, "/open/")
	p.Do(`() => {
		const sheet = new CSSStyleSheet();
		sheet.replaceSync(':root { --webmcp-dialog-background: rgb(1, 2, 3); --webmcp-dialog-color: rgb(250, 251, 252); --webmcp-dialog-radius: 3px; --webmcp-dialog-font: serif; --webmcp-dialog-accent: rgb(9, 200, 9) }');
		document.adoptedStyleSheets.push(sheet);
		ask();
	}`)
	armed(p)
	require.Equal(t, []string{"rgb(1, 2, 3)", "rgb(250, 251, 252)", "3px", "serif", "rgb(9, 200, 9)"}, webmcptest.Eval[[]string](p, `() => {
		const style = getComputedStyle(host().shadowRoot.querySelector('dialog'));
		return [style.backgroundColor, style.color, style.borderTopLeftRadius, style.fontFamily, getComputedStyle(host().shadowRoot.querySelector('.approve')).color];
	}`))
}
