package elements_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/demo/server"
	"github.com/webmcp-wasm/webmcp/internal/dist"
	"github.com/webmcp-wasm/webmcp/webmcptest"
)

func TestMain(m *testing.M) { os.Exit(webmcptest.Run(m)) }

// policy is the strictest that the elements have to work under.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; style-src 'self'; " +
	"require-trusted-types-for 'script'; trusted-types 'none'"

// buildDist builds the library once per run, if it is not up to date, and
// returns the module's root.
var buildDist = sync.OnceValues(func() (string, error) {
	root, err := dist.Root()
	if err != nil {
		return "", err
	}
	cmd := exec.Command("go", "run", "./cmd/dist")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the library: %w\n%s", err, out)
	}
	return root, nil
})

// open serves handler for as long as the test takes, and opens a page of it.
func open(t *testing.T, handler http.Handler, path string) *webmcptest.Page {
	t.Helper()
	site := httptest.NewServer(handler)
	t.Cleanup(site.Close)
	return webmcptest.Open(t, site.URL+path)
}

// openBare opens testdata/bare.html, whose script waits for window.begin to be
// called; setup runs before that.
func openBare(t *testing.T) *webmcptest.Page {
	t.Helper()
	return openTestdata(t, "/bare.html")
}

// openTestdata opens a page of testdata, under the strict policy, that sets bareReady.
func openTestdata(t *testing.T, path string) *webmcptest.Page {
	t.Helper()
	return openTestdataIn(t, webmcptest.Options{}, path)
}

func openTestdataIn(t *testing.T, o webmcptest.Options, path string) *webmcptest.Page {
	t.Helper()
	root, err := buildDist()
	require.NoError(t, err)
	mux := http.NewServeMux()
	mux.Handle("/dist/", http.StripPrefix("/dist/", http.FileServer(http.Dir(filepath.Join(root, "dist")))))
	mux.Handle("/", http.FileServer(http.Dir("testdata")))
	mux.HandleFunc("/favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", policy)
		w.Header().Set("Cache-Control", "no-store")
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(site.Close)
	page := webmcptest.New(t, o)
	page.Open(site.URL + path)
	page.WaitFor(`globalThis.bareReady`)
	return page
}

// openDemo opens the demo and waits for its tools.
func openDemo(t *testing.T) *webmcptest.Page {
	t.Helper()
	root, err := buildDist()
	require.NoError(t, err)
	handler, err := server.New(root)
	require.NoError(t, err)
	page := open(t, handler, server.Home)
	page.WaitFor(`document.querySelectorAll('webmcp-inspector [data-tool]').length === 9`)
	return page
}

// entries are the events that the first log of the bare page shows.
const entries = `[...log.shadowRoot.querySelectorAll('[data-phase]')]`

func TestTheLogShowsEveryEventNewestFirst(t *testing.T) {
	t.Parallel()
	page := openBare(t)
	page.Do(`async () => {
		await webmcp.invokeTool('greet', { name: 'Ada' });
		await webmcp.invokeTool('greet', { name: 'nobody' });
		await webmcp.invokeTool('greet', { name: 'trouble' });
	}`)
	type entry struct{ Phase, Tool, Text string }
	got := webmcptest.Eval[[]entry](page, `() => `+entries+`.map(e => ({ Phase: e.dataset.phase, Tool: e.dataset.tool, Text: e.innerText }))`)
	var phases []string
	for _, e := range got {
		require.Equal(t, "greet", e.Tool)
		require.Regexp(t, `\d\d:\d\d:\d\d`, e.Text)
		phases = append(phases, e.Phase)
	}
	require.Equal(t, []string{"error", "before", "denied", "before", "after", "before"}, phases)
	require.Contains(t, got[0].Text, "TypeError: no trouble", "the error")
	require.Contains(t, got[2].Text, "Say who.", "the reason")
	require.Contains(t, got[2].Text, "NOBODY", "the code")
	require.Contains(t, got[4].Text, "Hello, Ada", "the output")
	require.Regexp(t, `\d ms`, got[4].Text, "the duration")
	require.Contains(t, got[5].Text, `"name": "Ada"`, "the input")

	ids := webmcptest.Eval[[]string](page, `() => `+entries+`.map(e => e.dataset.invocation)`)
	require.Equal(t, ids[4], ids[5])
	require.NotEqual(t, ids[3], ids[5])
	require.Contains(t, got[4].Text, "#"+ids[4][:8])
}

func TestTheLogKeepsAsManyEntriesAsItsLimitAllows(t *testing.T) {
	t.Parallel()
	page := openBare(t)
	require.Equal(t, 200, webmcptest.Eval[int](page, `() => log.limit`))
	page.Do(`async () => {
		for (let i = 0; i < 102; i++) await webmcp.invokeTool('greet', { name: 'n' + i });
	}`)
	require.Equal(t, 200, webmcptest.Eval[int](page, `() => `+entries+`.length`))
	require.Contains(t, webmcptest.Eval[string](page, `() => `+entries+`[0].innerText`), "n101")
	page.Do(`() => { log.limit = 3; }`)
	require.Equal(t, 3, webmcptest.Eval[int](page, `() => `+entries+`.length`))
	for _, wrong := range []string{"0", "-1", "many", ""} {
		require.Equal(t, 200, webmcptest.Eval[int](page, `limit => { log.setAttribute('limit', limit); return log.limit; }`, wrong), wrong)
	}
	require.False(t, webmcptest.Eval[bool](page, `() => log.shadowRoot.querySelector('[part=empty]').checkVisibility()`))
	page.Do(`() => log.clear()`)
	require.Zero(t, webmcptest.Eval[int](page, `() => `+entries+`.length`))
	require.True(t, webmcptest.Eval[bool](page, `() => log.shadowRoot.querySelector('[part=empty]').checkVisibility()`))
}

func TestHooksAreAttachedOnceHoweverManyLogsThereAre(t *testing.T) {
	t.Parallel()
	page := openBare(t)
	hooks := func() int { return webmcptest.Eval[int](page, `() => webmcp.getGlobalHooks().before.length`) }
	require.Equal(t, 1, hooks())
	page.Do(`async () => {
		globalThis.second = document.createElement('webmcp-hook-log');
		document.body.append(second);
		log.remove();
		document.body.append(log);
		await webmcp.invokeTool('greet', { name: 'Ada' });
	}`)
	require.Equal(t, 1, hooks())
	require.Equal(t, 2, webmcptest.Eval[int](page, `() => `+entries+`.length`))
	require.Equal(t, 2, webmcptest.Eval[int](page, `() => second.shadowRoot.querySelectorAll('[data-phase]').length`))

	page.Do(`async () => {
		second.remove(); // sees no more
		webmcp.resetGlobalHooks();
		log.remove();
		document.body.append(log); // attaches them again
		await webmcp.invokeTool('greet', { name: 'Ada' });
	}`)
	require.Equal(t, 1, hooks())
	require.Equal(t, 4, webmcptest.Eval[int](page, `() => `+entries+`.length`))
	require.Equal(t, 2, webmcptest.Eval[int](page, `() => second.shadowRoot.querySelectorAll('[data-phase]').length`))
}

func TestTheLogChangesNoCall(t *testing.T) {
	t.Parallel()
	page := openBare(t)
	require.Equal(t, "Hello, Ada", webmcptest.Eval[string](page, `async () => {
		const { content } = await webmcp.invokeTool('greet', { name: 'Ada' });
		return content[0].text;
	}`))
	// Values that are hard to show: a cycle, a BigInt, a getter that throws, and an object that is no text at all.
	got := webmcptest.Eval[[]string](page, `async () => {
		const cycle = {}; cycle.self = cycle;
		const values = { cycle, bigint: { n: 1n }, getter: { get x() { throw new Error('no'); } }, bare: Object.assign(Object.create(null), { toJSON() { throw 1; } }) };
		const answers = [];
		for (const [name, value] of Object.entries(values)) {
			const tool = webmcp(() => value, { name: 'odd_' + name, description: 'Odd' });
			await tool.register();
			const { isError } = await webmcp.invokeTool('odd_' + name, {});
			answers.push(name + ' ' + Boolean(isError) + ' ' + log.shadowRoot.querySelector('[data-phase]').dataset.phase);
			tool.unregister();
		}
		return answers;
	}`)
	require.Equal(t, []string{"cycle false after", "bigint false after", "getter false after", "bare false after"}, got)
}

func TestTextIsText(t *testing.T) {
	t.Parallel()
	page := openBare(t)
	const hostile = `<img src=x onerror="globalThis.hacked = true">`
	require.Zero(t, webmcptest.Eval[int](page, `async hostile => {
		const tool = webmcp(({ text }) => text, { name: 'echo', title: hostile, description: hostile, schema: { type: 'object', title: hostile } });
		await tool.register();
		await webmcp.invokeTool('echo', { text: hostile });
		inspector.shadowRoot.querySelector('[data-tool=greet] textarea').value = JSON.stringify({ name: hostile });
		await new Promise(next => requestAnimationFrame(next));
		return [log, inspector].reduce((count, e) => count + e.shadowRoot.querySelectorAll('img').length, 0);
	}`, hostile))
	page.WaitFor(`inspector.shadowRoot.querySelector('[data-tool=echo]')`)
	require.Contains(t, webmcptest.Eval[string](page, `() => inspector.shadowRoot.querySelector('[data-tool=echo]').innerText`), hostile)
	require.Contains(t, webmcptest.Eval[string](page, `() => log.shadowRoot.querySelector('[role=log]').innerText`), hostile)
	require.False(t, webmcptest.Eval[bool](page, `() => Boolean(globalThis.hacked)`))
}

func TestTheInspectorListsToolsLive(t *testing.T) {
	t.Parallel()
	page := openBare(t)
	const names = `[...inspector.shadowRoot.querySelectorAll('[data-tool]')].map(e => e.dataset.tool).join()`
	page.WaitFor(names + ` === 'greet'`)
	page.Do(`async () => {
		inspector.shadowRoot.querySelector('textarea').value = '{"name": "typed"}';
		globalThis.more = ['alpha', 'zulu'].map(name => webmcp(() => name, { name, description: name, annotations: { readOnlyHint: true } }));
		for (const tool of more) await tool.register();
	}`)
	page.WaitFor(names + ` === 'alpha,greet,zulu'`)
	require.Equal(t, `{"name": "typed"}`, webmcptest.Eval[string](page, `() => inspector.shadowRoot.querySelector('[data-tool=greet] textarea').value`), "what was typed stays")
	require.Contains(t, webmcptest.Eval[string](page, `() => inspector.shadowRoot.querySelector('[data-tool=zulu]').innerText`), "read-only")
	page.Do(`() => webmcp.registry.clear()`)
	page.WaitFor(names + ` === '' && inspector.shadowRoot.querySelector('[part=empty]').checkVisibility()`)
}

func TestTheInspectorCallsAToolAsAnAgentDoes(t *testing.T) {
	t.Parallel()
	page := openBare(t)
	page.WaitFor(`inspector.shadowRoot.querySelector('[data-tool=greet]')`)
	const card = `inspector.shadowRoot.querySelector('[data-tool=greet]')`
	require.Equal(t, `{"name":"Ada"}`, webmcptest.Eval[string](page, `() => JSON.stringify(JSON.parse(`+card+`.querySelector('textarea').value))`), "the schema's example")

	// With the keyboard: from the text area, Tab leads to the button.
	page.Do(`() => ` + card + `.querySelector('textarea').focus()`)
	page.Press(kb.Tab)
	require.Equal(t, "Invoke greet", webmcptest.Eval[string](page, `() => inspector.shadowRoot.activeElement.innerText`))
	page.Press(kb.Enter)
	page.WaitFor(card + `.querySelector('output').dataset.error === 'false'`)
	require.Contains(t, webmcptest.Eval[string](page, `() => `+card+`.querySelector('output').innerText`), "Hello, Ada")
	require.Equal(t, "after", webmcptest.Eval[string](page, `() => `+entries+`[0].dataset.phase`), "hooks have run")

	page.Do(`() => { ` + card + `.querySelector('textarea').value = '{"name": "nobody"}'; }`)
	page.Press(kb.Enter)
	page.WaitFor(card + `.querySelector('output').dataset.error === 'true'`)
	require.Contains(t, webmcptest.Eval[string](page, `() => `+card+`.querySelector('output').innerText`), "NOBODY")

	count := webmcptest.Eval[int](page, `() => `+entries+`.length`)
	for _, wrong := range []string{`{"not json`, `[1]`, `null`, `"text"`} {
		page.Do(`wrong => { `+card+`.querySelector('textarea').value = wrong; `+card+`.querySelector('button').focus(); }`, wrong)
		page.Press(kb.Enter)
		page.WaitFor(card + `.querySelector('textarea').ariaInvalid === 'true' || ` + card + `.querySelector('textarea').getAttribute('aria-invalid') === 'true'`)
		require.Contains(t, webmcptest.Eval[string](page, `() => `+card+`.querySelector('[part=problem]').innerText`), "Not invoked", wrong)
		require.Equal(t, "textarea", webmcptest.Eval[string](page, `() => inspector.shadowRoot.activeElement.localName`), "the focus goes where the mistake is")
	}
	require.Equal(t, count, webmcptest.Eval[int](page, `() => `+entries+`.length`), "nothing was invoked")
}

// asked presses Explain beside greet, with an input, and returns what is shown then.
func asked(page *webmcptest.Page, input string) string {
	page.Do(`input => {
		const card = inspector.shadowRoot.querySelector('[data-tool=greet]');
		Object.assign(card.querySelector('textarea'), { value: input }).dispatchEvent(new InputEvent('input'));
		card.querySelector('[part=explain]').click();
	}`, input)
	page.WaitFor(explanation + `.childElementCount || inspector.shadowRoot.querySelector('[data-tool=greet] textarea').ariaInvalid`)
	return webmcptest.Eval[string](page, `() => `+explanation+`.innerText`)
}

const explanation = `inspector.shadowRoot.querySelector('[data-tool=greet] [part=explanation]')`

func TestTheInspectorSaysWhatThePolicyWouldDo(t *testing.T) {
	t.Parallel()
	page := openBare(t)
	page.WaitFor(`inspector.shadowRoot.querySelector('[data-tool=greet]')`)
	require.Empty(t, webmcptest.Eval[string](page, `() => `+explanation+`.innerHTML`), "nothing before somebody asks")
	require.Equal(t, "No rule of a policy is about this tool.", asked(page, `{"name": "Ada"}`))

	page.Do(`() => webmcp.policy({ webmcp: 1, rules: [
		{ name: 'no strangers', tools: 'greet', when: { properties: { name: { const: 'stranger' } } }, deny: 'Not to strangers.', code: 'STRANGER' },
		{ name: 'seldom', tools: 'greet', rate: '1/h', mode: 'report' },
		{ name: 'kings', tools: 'greet', when: { properties: { name: { const: 'king' } } }, approval: true },
		{ name: 'others', tools: 'other', deny: true },
	] })`)
	said := asked(page, `{"name": "Ada"}`)
	require.Contains(t, said, "The policy lets this call through.")
	require.Regexp(t, `no strangers does not apply, when: not met\s+deny "Not to strangers\."\s+code "STRANGER"`, said)
	require.Regexp(t, `seldom applies, only reports\s+rate "1/h"`, said)
	require.NotContains(t, said, "others")
	require.Contains(t, asked(page, `{"name": "king"}`), "The policy has a human asked first.")
	said = asked(page, `{"name": "stranger"}`)
	require.Contains(t, said, "The policy denies this call.")
	require.Contains(t, said, "STRANGER Not to strangers.")
	require.Empty(t, webmcptest.Eval[[]any](page, `() => `+entries), "nothing has run")

	page.About("an explanation of what is no more is not shown")
	page.Do(`() => inspector.shadowRoot.querySelector('[data-tool=greet] textarea').dispatchEvent(new InputEvent('input'))`)
	require.Empty(t, webmcptest.Eval[string](page, `() => `+explanation+`.innerText`))
	asked(page, `{"name": "Ada"}`)
	page.Do(`() => inspector.shadowRoot.querySelector('[data-tool=greet] [part=invoke]').click()`)
	require.Empty(t, webmcptest.Eval[string](page, `() => `+explanation+`.innerText`))
	page.WaitFor(`inspector.shadowRoot.querySelector('[data-tool=greet] output').dataset.error === 'false'`)

	page.About("nor is one of an input that has changed meanwhile")
	page.Do(`async () => {
		const card = inspector.shadowRoot.querySelector('[data-tool=greet]');
		card.querySelector('[part=explain]').click();
		card.querySelector('textarea').dispatchEvent(new InputEvent('input'));
		await webmcp.explain('greet', { name: 'Ada' }); // its answer comes after that of the button
	}`)
	require.Empty(t, webmcptest.Eval[string](page, `() => `+explanation+`.innerText`))
}

func TestTheInspectorSaysWhyItCannotExplain(t *testing.T) {
	t.Parallel()
	page := openBare(t)
	page.WaitFor(`inspector.shadowRoot.querySelector('[data-tool=greet]')`)
	require.Regexp(t, `^Not explained: .*name`, asked(page, `{}`), "an input that the schema refuses")
	require.Empty(t, asked(page, `{"not json`))
	require.Contains(t, webmcptest.Eval[string](page, `() => inspector.shadowRoot.querySelector('[data-tool=greet] [part=problem]').innerText`), "Not explained")
	require.Equal(t, "textarea", webmcptest.Eval[string](page, `() => inspector.shadowRoot.activeElement.localName`), "the focus goes where the mistake is")

	page.About("a page whose policy is wrong")
	page.Do(`() => webmcp.policy({ webmcp: 2 }).catch(() => {})`)
	said := asked(page, `{"name": "Ada"}`)
	require.Contains(t, said, "The policy denies this call.")
	require.Contains(t, said, "POLICY_UNAVAILABLE")
}

func TestTheInspectorExplainsNoToolOfOthers(t *testing.T) {
	t.Parallel()
	page := openBare(t)
	page.Do(`() => document.modelContext.registerTool({ name: 'foreign', description: 'Of another library.', execute: () => 'x' })`)
	page.WaitFor(`inspector.shadowRoot.querySelector('[data-tool=foreign]')`)
	require.Equal(t, []bool{false, true}, webmcptest.Eval[[]bool](page, `() => ['foreign', 'greet'].map(name => inspector.shadowRoot.querySelector('[data-tool=' + name + '] [part=explain]').checkVisibility())`))
}

func TestTheLogSaysWhichRuleHasEndedACallOrWouldHave(t *testing.T) {
	t.Parallel()
	page := openBare(t)
	page.Do(`async () => {
		await webmcp.policy({ webmcp: 1, rules: [
			{ name: 'no strangers', tools: 'greet', when: { properties: { name: { const: 'stranger' } } }, deny: 'Not to strangers.' },
			{ name: 'no Ada', tools: 'greet', when: { properties: { name: { const: 'Ada' } } }, deny: 'Not to \u202eAda.', mode: 'report' },
		] });
		await webmcp.invokeTool('greet', { name: 'stranger' });
		await webmcp.invokeTool('greet', { name: 'nobody' });
		await webmcp.invokeTool('greet', { name: 'Ada' });
	}`)
	type entry struct{ Phase, Text, ID string }
	got := webmcptest.Eval[[]entry](page, `() => `+entries+`.map(e => ({ Phase: e.dataset.phase, Text: e.innerText, ID: e.dataset.invocation }))`)
	phase := func(name, text string) entry {
		for _, e := range got {
			if e.Phase == name && strings.Contains(e.Text, text) {
				return e
			}
		}
		require.Fail(t, "no such entry", "%s %s in %v", name, text, got)
		return entry{}
	}
	require.Contains(t, phase("denied", "Not to strangers.").Text, "no strangers")
	require.NotRegexp(t, `(?m)^rule`, phase("denied", "NOBODY").Text, "that was a hook")
	report := phase("report", "no Ada")
	require.Contains(t, report.Text, `Not to \u{202e}Ada.`, "with its hidden characters")
	require.Contains(t, report.Text, "denied the call")
	require.Equal(t, phase("after", "Hello, Ada").ID, report.ID)
}

// hidden are characters that take no room, look like a space, or turn the
// writing direction, one of each kind.
const hidden = "\u3164\u2800\u115f\u034f\ufe0f\u00a0\u0085\u009b\u007f\u202e\u2066\u200b\u00ad\u180e\u2028\u2003\u3000\ufeff\U000e0041\U000e0101\U0001d159"

// shown is what hidden becomes.
func shown() string {
	var b strings.Builder
	for _, r := range hidden {
		fmt.Fprintf(&b, `\u{%x}`, r)
	}
	return b.String()
}

func TestHiddenCharactersShowInTheLogAndTheInspector(t *testing.T) {
	t.Parallel()
	page := openBare(t)
	page.Do(`async hidden => {
		const tool = webmcp(({ text }) => text, {
			name: 'odd', title: 'T' + hidden, description: 'D' + hidden, hooks: { before: [({ input }) => (input.text === 'no' ? { action: 'deny', message: 'no' + hidden } : undefined)] },
			schema: { type: 'object', properties: { text: { type: 'string', description: hidden, examples: [hidden] } } },
		});
		await tool.register();
		await webmcp.invokeTool('odd', { text: hidden });
		await webmcp.invokeTool('odd', { text: 'no' });
	}`, hidden)
	const card = `inspector.shadowRoot.querySelector('[data-tool=odd]')`
	page.WaitFor(card)
	for what, text := range map[string]string{
		"before":      `() => ` + entries + `[3].textContent`,
		"after":       `() => ` + entries + `[2].textContent`,
		"denied":      `() => ` + entries + `[0].textContent`,
		"title":       `() => ` + card + `.querySelector('[part=title]').textContent`,
		"description": `() => ` + card + `.querySelector('[part=description]').textContent`,
		"schema":      `() => ` + card + `.querySelector('[part=schema]').textContent`,
	} {
		require.Contains(t, webmcptest.Eval[string](page, text), shown(), what)
	}
	// In the field they are escapes of JSON: what is sent is what the schema's example says.
	require.Equal(t, hidden, webmcptest.Eval[string](page, `() => JSON.parse(`+card+`.querySelector('textarea').value).text`))
	page.Do(`() => ` + card + `.querySelector('[part=invoke]').click()`)
	page.WaitFor(card + `.querySelector('output').dataset.error === 'false'`)
	require.Contains(t, webmcptest.Eval[string](page, `() => `+card+`.querySelector('output').textContent`), shown())
	page.Do(`hidden => { `+card+`.querySelector('textarea').value = hidden; `+card+`.querySelector('[part=invoke]').click(); }`, hidden)
	left := webmcptest.Eval[string](page, `() => {
		const texts = [...[log, inspector].map(({ shadowRoot }) => shadowRoot.textContent), `+card+`.querySelector('[part=problem]').textContent];
		return texts.join('') + [...inspector.shadowRoot.querySelectorAll('[data-tool=greet] textarea')].map(({ value }) => value).join('');
	}`)
	require.False(t, strings.ContainsAny(left, hidden), "%+q", left)
}

func TestWhatIsNoHiddenCharacterStays(t *testing.T) {
	t.Parallel()
	page := openBare(t)
	require.Empty(t, webmcptest.Eval[string](page, `async () => {
		const { revealed } = await import('./dist/elements.js');
		const plain = 'Grüße, a\tb\nc 日本語 עברית العربية \u0065\u0301 😀 <b> "quoted" \\\\u{202e}';
		return revealed(plain) === plain ? '' : revealed(plain);
	}`))
}

func TestAPageStylesTheElements(t *testing.T) {
	t.Parallel()
	page := openBare(t)
	page.Do(`() => webmcp.invokeTool('greet', { name: 'Ada' })`)
	color := func(element, property string) string {
		return webmcptest.Eval[string](page, `(selector, property) => getComputedStyle(log.shadowRoot.querySelector(selector))[property]`, element, property)
	}
	// bare.css says so, by part and by custom property.
	require.Equal(t, "rgb(1, 2, 3)", color(`[part~="tool"]`, "color"))
	require.Equal(t, "rgb(10, 90, 30)", color(`[data-phase=after]`, "borderLeftColor"))

	// With the attribute light, selectors of the page win over those of the element.
	got := webmcptest.Eval[string](page, `async () => {
		const light = document.createElement('webmcp-hook-log');
		light.setAttribute('light', '');
		document.body.append(light);
		await webmcp.invokeTool('greet', { name: 'Ada' });
		const entry = document.querySelector('webmcp-hook-log[light] [role=log] > [data-phase=after]');
		return [light.shadowRoot, getComputedStyle(entry.querySelector('[part~="tool"]')).color, getComputedStyle(entry).borderLeftWidth].join(' ');
	}`)
	require.Equal(t, " rgb(4, 5, 6) 4px", got)
}

func TestColoursFollowThePagesColorScheme(t *testing.T) {
	t.Parallel()
	page := openBare(t)
	background := func() string {
		return webmcptest.Eval[string](page, `() => getComputedStyle(log.shadowRoot.querySelector('[part=frame]')).backgroundColor`)
	}
	page.ColorScheme("light")
	light := background()
	page.ColorScheme("dark")
	require.NotEqual(t, light, background())
	page.Do(`() => { document.documentElement.classList.add('only-light'); }`)
	require.Equal(t, light, background(), "the page is light, whatever its reader prefers")
}

func TestALoadThatFailsIsSaid(t *testing.T) {
	t.Parallel()
	root, err := buildDist()
	require.NoError(t, err)
	files := http.FileServer(http.Dir(filepath.Join(root, "dist")))
	mux := http.NewServeMux()
	mux.HandleFunc("/dist/webmcp.wasm", http.NotFound)
	mux.Handle("/dist/", http.StripPrefix("/dist/", files))
	mux.HandleFunc("/favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.Handle("/", http.FileServer(http.Dir("testdata")))
	page := open(t, mux, "/failing.html")
	for _, name := range []string{"webmcp-hook-log", "webmcp-inspector", "webmcp-approvals"} {
		page.WaitFor(`document.querySelector('` + name + `').shadowRoot?.querySelector('[part=empty]').innerText.includes('404')`)
	}
	for _, problem := range page.Problems() {
		require.Contains(t, problem, "404", "the browser's own report of the request, and no uncaught error")
	}
}

func TestOnAServerImportingIsHarmless(t *testing.T) {
	t.Parallel()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("Node.js is missing")
	}
	root, err := buildDist()
	require.NoError(t, err)
	// As a module of a package, which says that .js is one.
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"type":"module"}`), 0o644))
	for _, name := range []string{"elements.js", "webmcp.js", "webmcp_exec.js"} {
		code, err := os.ReadFile(filepath.Join(root, "dist", name))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), code, 0o644))
	}
	cmd := exec.CommandContext(t.Context(), node, "--input-type=module", "-e",
		`const { WebMCPHookLog } = await import('./elements.js'); console.log(typeof WebMCPHookLog)`)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Equal(t, "function\n", string(out))
}
