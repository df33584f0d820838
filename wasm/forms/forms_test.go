package forms_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/driver"
	"github.com/webmcp-wasm/webmcp/internal/dist"
	"github.com/webmcp-wasm/webmcp/webmcptest"
)

func TestMain(m *testing.M) { os.Exit(webmcptest.Run(m)) }

// buildDist builds the library once per run, if it is not up to date, and
// returns the module's root.
var buildDist = sync.OnceValues(func() (root string, err error) {
	root, err = dist.Root()
	if err == nil {
		err = dist.Build(context.Background(), filepath.Join(root, "dist"))
	}
	return root, err
})

// open opens testdata/page.html, in a browser that makes tools of forms, behind the gate.
func open(t *testing.T, query string) *webmcptest.Page {
	t.Helper()
	return openIn(t, webmcptest.Options{}, query)
}

func openIn(t *testing.T, options webmcptest.Options, query string) *webmcptest.Page {
	t.Helper()
	root, err := buildDist()
	require.NoError(t, err)
	mux := http.NewServeMux()
	mux.Handle("/dist/", http.StripPrefix("/dist/", http.FileServer(http.Dir(filepath.Join(root, "dist")))))
	mux.Handle("/", http.FileServer(http.Dir("testdata")))
	answer := func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<!doctype html><html lang=en><title>Thanks</title><p id=sent>%s %s</p></html>", r.Method, r.Form.Encode())
	}
	mux.HandleFunc("/found", answer)
	mux.HandleFunc("/ordered", answer)
	mux.HandleFunc("/favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	site := httptest.NewServer(mux)
	t.Cleanup(site.Close)
	page := webmcptest.New(t, options)
	page.Open(site.URL + "/page.html" + query)
	page.WaitFor(`globalThis.gateReady && globalThis.handled`)
	return page
}

func lines(page *webmcptest.Page, name string) []string {
	return webmcptest.Eval[[]string](page, `(name) => globalThis[name].splice(0)`, name)
}

func TestAnAgentsSearchGoesThroughTheGate(t *testing.T) {
	t.Parallel()
	page := open(t, "")
	call := page.Invoke("search_site", map[string]any{"q": "green tea", "n": 3, "kind": "tea", "fresh": true, "size": []string{"s", "l"}, "milk": "oat", "tags": []string{"hot"}})
	require.Equal(t, `{"found":3,"email":"ada@example.com"}`, call.Text())
	require.Equal(t, []string{
		`before search_site {"q":"green tea","n":3,"kind":"tea","fresh":true,"size":["s","l"],"milk":"oat","tags":["hot"]}`,
		`after search_site {"found":3,"email":"ada@example.com"}`,
	}, lines(page, "ran"))
	require.Equal(t, []string{
		`search true Search {"q":"green tea","n":"3","kind":"tea","fresh":"yes","size":"l","milk":"oat","tags":"hot","tenant":"page"}`,
	}, lines(page, "handled"), "the page's handler runs once")
}

func TestWhatAHumanSendsIsNotTouched(t *testing.T) {
	t.Parallel()
	for name, options := range map[string]webmcptest.Options{"with WebMCP": {}, "without": {Browser: driver.Options{WithoutWebMCP: true}}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			page := openIn(t, options, "")
			page.Find("textbox", "What").Fill("cake")
			page.Click("button", "Search")
			page.Find("textbox", "Message").Fill("Hello")
			page.Click("button", "Send message")
			page.WaitFor(`handled.length === 2`)
			require.Empty(t, lines(page, "ran"))
			for i, line := range lines(page, "handled") {
				require.Contains(t, line, []string{`Search {"q":"cake"`, `button {"message":"Hello"`}[i])
				require.NotContains(t, line, " true ")
			}
			page.Find("textbox", "E-mail").Fill("ada@example.com")
			page.Click("button", "Order")
			page.WaitFor(`document.querySelector('#sent')?.textContent === 'POST coupon=&email=ada%40example.com&pay=later'`, `document.body.innerHTML`)
		})
	}
}

func TestWhatHooksMakeOfTheFieldsIsInTheForm(t *testing.T) {
	t.Parallel()
	page := open(t, "?gate=none")
	page.Do(`() => {
		globalThis.changed = [];
		addEventListener('input', ({ target }) => changed.push(target.name));
		forms({ hooks: { before: [({ input }) => ({ input: { q: input.q + ' and cake', n: 7, kind: 'cake', fresh: false, size: ['l'], milk: 'no', tags: ['hot', 'cold'], tenant: 'acme' } })] } });
	}`)
	require.Contains(t, page.Ask("search_site", map[string]any{"q": "tea", "n": 3, "fresh": true, "size": []string{"s"}, "milk": "oat"}), "found")
	require.Equal(t, []string{
		`search true Search {"q":"tea and cake","n":"7","kind":"cake","size":"l","milk":"no","tags":"cold","tenant":"acme"}`,
	}, lines(page, "handled"))
	changed := lines(page, "changed")
	for _, name := range []string{"q", "n", "kind", "fresh", "size", "milk", "tags", "tenant"} {
		require.Contains(t, changed, name, "frameworks hear of it")
	}

	page.Do(`() => forms({ hooks: { before: [({ input }) => { const { n, milk, ...rest } = input; return { input: rest }; }] } })`)
	page.Ask("search_site", map[string]any{"q": "tea", "n": 3, "milk": "oat"})
	require.NotContains(t, lines(page, "handled")[0], "oat", "what a hook has taken out is taken out of the form")
}

func TestADenialKeepsTheForm(t *testing.T) {
	t.Parallel()
	page := open(t, "")
	page.Do(`() => webmcp.configure({ hooks: { before: [({ input }) => (input.coupon === 'FREE' ? { action: 'deny', message: 'Agents bring no coupons.', code: 'NO_COUPON' } : undefined)] } })`)
	result := page.Invoke("checkout", map[string]string{"email": "ada@example.com", "coupon": "FREE"}).Result()
	require.True(t, result.IsError)
	require.Equal(t, "NO_COUPON", result.Code)
	require.Equal(t, "Denied: Agents bring no coupons.", result.Text())
	require.Contains(t, lines(page, "ran"), `denied checkout "Agents bring no coupons."`)
	require.Equal(t, "/page.html", webmcptest.Eval[string](page, `() => location.pathname`))
}

func TestAFormThatIsTheBrowsersIsSentOnceTheAgentHasItsAnswer(t *testing.T) {
	t.Parallel()
	page := open(t, "?gate=none")
	page.Do(`() => { forms({ hooks: { before: [({ input }) => ({ input: { ...input, coupon: 'AGENT' } })] } }); addEventListener('submit', ({ agentInvoked }) => handled.push('seen ' + agentInvoked), true); }`)
	require.Equal(t, "The form is sent to /ordered. The page may be left for what comes back.", page.Ask("checkout", map[string]string{"email": "ada@example.com"}))
	page.WaitFor(`document.querySelector('#sent')?.textContent === 'POST coupon=AGENT&email=ada%40example.com&pay=later'`, `document.body.innerHTML`)
}

func TestWhatTheFormRefusesIsAnError(t *testing.T) {
	t.Parallel()
	page := open(t, "?gate=none")
	page.Do(`() => { globalThis.makes = {}; forms({ hooks: { before: [({ input }) => ({ input: { ...input, ...makes } })] } }); }`)
	for text, makes := range map[string]string{
		"Error: the form refuses it: q: Please match the requested format.": `{"q":"TEA"}`,
		"n: Value must be less than or equal to 50.":                        `{"n":51}`,
		"the form search_site has no field admin":                           `{"admin":true}`,
		"the field kind does not take \"gold\"":                             `{"kind":"gold"}`,
		"the field milk does not take \"gold\"":                             `{"milk":"gold"}`,
		"the field size does not take [\"xl\"]":                             `{"size":["xl"]}`,
		"the field n does not take \"many\"":                                `{"n":"many"}`,
	} {
		page.Do(`(makes) => { globalThis.makes = JSON.parse(makes); document.querySelector('#search').reset(); }`, makes)
		result := page.Invoke("search_site", map[string]any{"q": "tea"}).Result()
		require.True(t, result.IsError, makes)
		require.Contains(t, result.Text(), text, makes)
	}
	page.Do(`() => { makes = { photo: 'x.png' }; }`)
	call := page.Invoke("contact", map[string]any{"message": "Hi"})
	page.WaitFor(`document.querySelector('#contact').matches(':tool-form-active')`)
	page.Click("button", "Send message")
	require.Contains(t, call.Result().Text(), "photo is for a file, and only a human can choose one")
	require.Empty(t, lines(page, "handled"), "the page hears of none of it")
}

func TestAHumanWhoSendsAFormHasApprovedIt(t *testing.T) {
	t.Parallel()
	page := open(t, "?gate=none")
	page.Do(`() => {
		globalThis.records = [];
		forms({ approval: true, hooks: { before: [({ input }) => (globalThis.adds ? { input: { ...input, ...adds } } : undefined)], after: [({ metadata: { approval } }) => { records.push(approval.how + ' ' + approval.decision); }] } });
	}`)
	call := page.Invoke("contact", map[string]any{"message": "Hello"})
	page.WaitFor(`document.querySelector('#contact').matches(':tool-form-active')`)
	page.Find("textbox", "Message").Fill("Hello there, edited")
	page.Click("button", "Send message")
	require.Equal(t, "The page has taken the form, and does not say what became of it.", call.Text())
	require.Equal(t, []string{"form approve"}, lines(page, "records"))
	require.Equal(t, []string{`contact true button {"message":"Hello there, edited","photo":""}`}, lines(page, "handled"))

	page.About("what hooks have made of it since, the human has not seen")
	page.Do(`() => { globalThis.adds = { message: 'Hello from a hook' }; }`)
	call = page.Invoke("contact", map[string]any{"message": "Hello"})
	page.WaitFor(`document.querySelector('#contact').matches(':tool-form-active')`)
	page.Click("button", "Send message")
	page.WaitFor(`webmcp.approvals.pending().length === 1`)
	require.Equal(t, []string{"Hello from a hook"}, webmcptest.Eval[[]string](page, `() => webmcp.approvals.pending().map(({ input }) => input.message)`))
	page.Do(`() => { globalThis.adds = undefined; webmcp.approvals.resolve(webmcp.approvals.pending()[0].id, { decision: 'deny', reason: 'No.' }); }`)
	require.Equal(t, "USER_DENIED", call.Result().Code)

	page.About("where no human sends it, one is asked")
	call = page.Invoke("search_site", map[string]any{"q": "tea"})
	page.WaitFor(`webmcp.approvals.pending().length === 1`)
	require.Empty(t, lines(page, "handled"))
	page.Do(`() => webmcp.approvals.resolve(webmcp.approvals.pending()[0].id, 'approve')`)
	require.Contains(t, call.Text(), "found")

	page.About("a script that sends it is no human")
	call = page.Invoke("contact", map[string]any{"message": "Hello"})
	page.WaitFor(`document.querySelector('#contact').matches(':tool-form-active') && !navigator.userActivation.isActive`)
	page.Do(`() => document.querySelector('#contact').requestSubmit()`)
	page.WaitFor(`webmcp.approvals.pending().length === 1`)
	page.Do(`() => webmcp.approvals.resolve(webmcp.approvals.pending()[0].id, 'approve')`)
	require.Contains(t, call.Text(), "taken the form")
	require.Equal(t, []string{"script approve", "script approve"}, lines(page, "records"))
}

func TestAnAgentThatCancelsEndsItsCall(t *testing.T) {
	t.Parallel()
	page := open(t, "?gate=none")
	page.Do(`() => {
		globalThis.aborted = 0;
		forms({ hooks: { before: [({ signal }) => new Promise(() => { globalThis.waits = true; signal.addEventListener('abort', () => { aborted++; }); })] } });
	}`)
	call := page.Invoke("search_site", map[string]any{"q": "tea"})
	page.WaitFor(`globalThis.waits`)
	call.Cancel()
	require.ErrorIs(t, call.Err(), driver.ErrCanceled)
	page.WaitFor(`aborted === 1`)
	require.Empty(t, lines(page, "handled"))
}

func TestPoliciesAndTheRegistryKnowForms(t *testing.T) {
	t.Parallel()
	page := open(t, "?gate=none")
	require.Equal(t, []string{"checkout native registered", "contact native registered", "search_site native registered"}, webmcptest.Eval[[]string](page, `async () => {
		await webmcp.policy({ webmcp: 1, rules: [
			{ tools: 'search_site', redact: { '/email': 'email' } },
			{ tools: { hint: 'consequential' }, deny: 'Not by agents.', code: 'NOT_BY_AGENTS' },
			{ tools: '*', audit: true },
		] });
		forms({ selector: '#checkout', annotations: { consequentialHint: true } });
		forms({ selector: '#search, #contact' });
		while (webmcp.registry.list().length < 3) await new Promise((next) => setTimeout(next, 20));
		await webmcp.ready;
		while (webmcp.registry.list().some(({ status }) => status !== 'registered')) await new Promise((next) => setTimeout(next, 20));
		return (await webmcp.listTools()).map(({ name, source, status }) => [name, source, status].join(' '));
	}`))
	require.Equal(t, `{"found":3,"email":"a***@example.com"}`, page.Ask("search_site", map[string]any{"q": "tea"}))
	require.Equal(t, "NOT_BY_AGENTS", page.Invoke("checkout", map[string]string{"email": "ada@example.com"}).Result().Code)
	require.Equal(t, []string{"search_site ok", "checkout denied"}, webmcptest.Eval[[]string](page, `() => webmcp.audit.entries().map(({ tool, outcome }) => tool + ' ' + outcome)`))
	require.Equal(t, "deny", webmcptest.Eval[string](page, `async () => (await webmcp.explain('checkout', { email: 'a@b' })).outcome`))
}

func TestFormsThatComeGoAndChange(t *testing.T) {
	t.Parallel()
	page := open(t, "")
	page.Do(`() => {
		globalThis.make = (name, where = document.body) => {
			const form = document.createElement('form');
			form.setAttribute('toolname', name);
			form.setAttribute('tooldescription', 'Comes later.');
			form.setAttribute('toolautosubmit', '');
			form.innerHTML = '<input name="a">';
			form.addEventListener('submit', (event) => { event.preventDefault(); handled.push(name); event.respondWith('from ' + name); });
			where.append(form);
			return form;
		};
		globalThis.late = make('late');
		const host = document.createElement('div');
		make('shadowed', host.attachShadow({ mode: 'open' }));
		document.body.append(host);
	}`)
	for _, name := range []string{"late", "shadowed"} {
		page.WaitFor(`webmcp.registry.getStatus('` + name + `') === 'registered'`)
		require.Equal(t, "from "+name, page.Ask(name, map[string]string{"a": "1"}))
		require.Equal(t, []string{"before " + name + ` {"a":"1"}`, "after " + name + ` "from ` + name + `"`}, lines(page, "ran"))
	}
	page.About("another field, another name")
	page.Do(`() => { late.insertAdjacentHTML('beforeend', '<input name="b" required>'); late.setAttribute('toolname', 'later'); }`)
	page.AwaitTools("checkout", "contact", "later", "search_site", "shadowed")
	require.Equal(t, "from late", page.Ask("later", map[string]string{"b": "2"}))
	require.Equal(t, `before later {"a":"1","b":"2"}`, lines(page, "ran")[0])
	page.About("gone")
	page.Do(`() => late.remove()`)
	page.WaitFor(`webmcp.registry.getStatus('later') === 'idle' && webmcp.registry.getStatus('late') === 'idle'`)
	page.About("the gate ends")
	page.Do(`() => { end(); }`)
	page.WaitFor(`webmcp.registry.list().length === 0`)
	require.Contains(t, page.Ask("search_site", map[string]any{"q": "tea"}), "found")
	require.Empty(t, lines(page, "ran"))
}

func TestAFormInAFrame(t *testing.T) {
	t.Parallel()
	page := open(t, "?gate=none")
	require.Equal(t, `{"content":[{"type":"text","text":"{\"found\":3,\"email\":\"ada@example.com\"}"}]} before search_site {"q":"in a frame","fresh":false,"size":[],"tags":[]}`, webmcptest.Eval[string](page, `async () => {
		const frame = document.createElement('iframe');
		frame.src = 'page.html?gate=none';
		await new Promise((loaded) => { frame.onload = loaded; document.body.append(frame); });
		forms({ root: frame.contentDocument, hooks: { before: [({ tool, input }) => { ran.push('before ' + tool.tool.name + ' ' + JSON.stringify(input)); }] } });
		const context = frame.contentWindow.document.modelContext;
		const tool = (await context.getTools()).find(({ name, window }) => name === 'search_site' && window === frame.contentWindow);
		return await context.executeTool(tool, { q: 'in a frame' }) + ' ' + ran.join();
	}`))
}

// Of several calls of one form Chromium 156 answers the newest, with the first answer that comes.
func TestTheNewestCallOfAFormGetsItsOwnAnswer(t *testing.T) {
	t.Parallel()
	page := open(t, "?gate=none")
	page.Do(`() => {
		forms({ hooks: {
			before: [async ({ input: { q }, signal }) => { ran.push('asked ' + q); if (q === 'one') await new Promise((resolve) => { signal.onabort = resolve; }); }],
			after: [({ output }) => ({ output: 'two, ' + output.found })],
			error: [({ error }) => { ran.push(error.name); }],
		} });
	}`)
	page.Invoke("search_site", map[string]any{"q": "one"})
	page.WaitFor(`ran.includes('asked one')`)
	require.Equal(t, "two, 3", page.Ask("search_site", map[string]any{"q": "two"}))
	require.Equal(t, []string{"asked one", "AbortError", "asked two"}, lines(page, "ran"))
	handled := lines(page, "handled")
	require.Len(t, handled, 1, "what has not run does not run")
	require.Contains(t, handled[0], `"q":"two"`)

	page.About("one that runs is awaited, and the other one comes behind it")
	page.Do(`() => {
		globalThis.hold = true;
		document.querySelector('#search').addEventListener('submit', (event) => {
			if (!hold) return;
			hold = false;
			event.respondWith(new Promise((resolve) => { globalThis.release = () => resolve({ found: 1 }); }));
		});
	}`)
	page.Invoke("search_site", map[string]any{"q": "slow"})
	page.WaitFor(`globalThis.release`)
	call := page.Invoke("search_site", map[string]any{"q": "two"})
	page.WaitFor(`document.querySelector('#search').elements.q.value === 'two'`)
	page.Do(`() => release()`)
	require.Equal(t, "two, 3", call.Text())
}

func TestFormsRefusesWhatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	page := open(t, "?gate=none")
	got := webmcptest.Eval[[]string](page, `() => [{ hook: {} }, { root: 5 }, { root: null }, { selector: '!' }, { hooks: { befor: [] } }, { approval: 'always' }, { timeout: -1 }, { annotations: 5 }].map((options) => {
		try { forms(options); return 'nothing'; } catch ({ name, message }) { return name + ': ' + message; }
	})`)
	for i, line := range got {
		require.NotEqual(t, "nothing", line, "case %d", i)
	}
	require.Contains(t, strings.Join(got, "\n"), "ConfigurationError: forms has no option hook; there are root")
	require.Contains(t, page.Ask("search_site", map[string]any{"q": "tea"}), "found", "and is not there")
}
