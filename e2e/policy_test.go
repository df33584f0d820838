package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/driver"
	"github.com/webmcp-wasm/webmcp/webmcptest"
)

// The two forms of the library, as a page has them in its head.
const (
	twoFiles = `<script src="/lib/wasm_exec.js"></script><script src="/lib/app.js"></script>`
	esModule = `<script type="module" src="/policed.js"></script>`
)

const policedModule = `import { webmcp } from '/lib/webmcp.js'; window.webmcp = webmcp;`

// policedTools registers tools for policies: they note in window.ran that they ran.
const policedTools = `async () => {
	window.ran = [];
	window.reports = [];
	EventTarget.prototype.addEventListener.call(document, 'webmcp:policy', ({ detail }) => reports.push(detail));
	const make = (name, options, returns) => webmcp(input => { ran.push(name); return returns(input); }, {
		name, description: 'Does what a policy is about.', schema: { type: 'object' }, global: true, ...options,
	});
	window.make = make;
	make('get_user', { annotations: { readOnlyHint: true } }, () => ({ email: 'ada@example.com', cards: [{ number: '4111111111111111' }], notes: 'secret', id: 7 }));
	make('get_text', {}, () => 'ada@example.com likes tea');
	make('checkout', { schema: { type: 'object', properties: { total: { type: 'number', default: 1 } } } }, ({ total }) => 'paid ' + total);
	make('delete_user', { annotations: { consequentialHint: true } }, () => 'deleted');
	make('export_all', {}, () => 'x'.repeat(50));
	make('wait', {}, () => new Promise(resolve => { window.finish = resolve; }));
	make('echo', {}, input => input);
	make('read', { annotations: { readOnlyHint: true } }, () => 'read');
}`

// policed serves a page with this head, beside the fixtures and other paths, and opens it.
func policed(t *testing.T, b webmcptest.Options, head string, paths map[string]http.HandlerFunc) *webmcptest.Page {
	t.Helper()
	p := newPage(t, b)
	p.Open(policedSite(t, head, paths))
	return p
}

func policedSite(t *testing.T, head string, paths map[string]http.HandlerFunc) string {
	t.Helper()
	site.url(t, "/")
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		switch handler := paths[r.URL.Path]; {
		case handler != nil:
			handler(w, r)
		case r.URL.Path == "/":
			fmt.Fprintf(w, "<!doctype html><html lang=en><meta charset=utf-8><title>Policed</title>%s<h1>Policed</h1>", head)
		case r.URL.Path == "/policed.js":
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprint(w, policedModule)
		default:
			site.web.Config.Handler.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(func() {
		web.CloseClientConnections()
		web.Close()
	})
	return web.URL
}

func block(policy string) string {
	return `<script type="application/webmcp-policy+json">` + policy + `</script>`
}

// withTools makes the tools of policedTools, in a page that has the library.
func withTools(p *webmcptest.Page) *webmcptest.Page {
	p.WaitFor(`globalThis.webmcp?.version`)
	p.Do(policedTools)
	p.AwaitTools("checkout", "delete_user", "echo", "export_all", "get_text", "get_user", "read", "wait")
	return p
}

// ruledAnswer is what an agent gets of a call that rules may have ended.
type ruledAnswer struct {
	IsError    bool   `json:"isError"`
	Code       string `json:"code"`
	Executed   *bool  `json:"executed"`
	RetryAfter int    `json:"retryAfter"`
	Text       string `json:"-"`
}

func ruled(t *testing.T, r *driver.Result) (a ruledAnswer) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(r.Output), &a), r.Output)
	a.Text = r.Text()
	return a
}

// allEffects is a policy with each effect on a tool of its own.
const allEffects = `{
	"webmcp": 1,
	"rules": [
		{ "tools": { "name": "delete_*", "hint": "consequential" }, "unless": { "context": { "properties": { "role": { "const": "admin" } } } }, "deny": "Only admins delete." },
		{ "tools": "checkout", "when": { "properties": { "total": { "exclusiveMinimum": 500 } } }, "deny": "Orders over 500 EUR are placed by people.", "code": "TOO_MUCH" },
		{ "tools": "checkout", "when": { "properties": { "total": { "minimum": 100 } } }, "approval": { "title": "Spend that much?" } },
		{ "tools": "get_*", "redact": { "/email": "email", "/cards/*/number": "last4", "/notes": "remove" } },
		{ "tools": "export_*", "maxOutputBytes": 49 },
		{ "tools": "echo", "maxInputBytes": 20, "maxOutputBytes": 100 },
		{ "tools": "wait", "concurrency": 1 },
		{ "name": "no reading", "tools": "read", "deny": true, "mode": "report" },
		{ "tools": "read", "rate": "2/h" }
	]
}`

func TestEachEffectOfAPolicyHoldsForAgents(t *testing.T) {
	t.Parallel()
	for _, form := range []string{twoFiles, esModule} {
		p := withTools(policed(t, withWebMCP, form+block(allEffects), nil))
		refused := func(r *driver.Result, code, text string) {
			t.Helper()
			a := ruled(t, r)
			require.Equal(t, code, a.Code, "%+v", a)
			require.True(t, a.IsError)
			require.Contains(t, a.Text, text)
			if code != "OUTPUT_TOO_LARGE" && code != "REDACTION_FAILED" {
				require.False(t, *a.Executed)
			}
		}
		p.About("deny")
		refused(p.Invoke("delete_user", nil).Result(), "POLICY_DENIED", "Denied: Only admins delete.")
		p.Do(`() => webmcp.context({ role: 'admin' })`)
		require.Equal(t, "deleted", p.Ask("delete_user", nil))
		p.Do(`() => webmcp.context({ role: 'guest' })`)
		refused(p.Invoke("delete_user", nil).Result(), "POLICY_DENIED", "Only admins delete.")

		p.About("conditions on the input")
		require.Equal(t, "paid 1", p.Ask("checkout", map[string]any{}))
		refused(p.Invoke("checkout", map[string]any{"total": 501}).Result(), "TOO_MUCH", "placed by people")

		p.About("approval")
		call := p.Invoke("checkout", map[string]any{"total": 200})
		p.Find("heading", "Spend that much?")
		armed(p).Click()
		require.Equal(t, "paid 200", call.Text())

		p.About("redact")
		require.JSONEq(t, `{"email": "a***@example.com", "cards": [{"number": "***1111"}], "id": 7}`, p.Ask("get_user", nil))
		refused(p.Invoke("get_text", nil).Result(), "REDACTION_FAILED", "cannot be passed on")

		p.About("sizes")
		refused(p.Invoke("export_all", nil).Result(), "OUTPUT_TOO_LARGE", "50 bytes")
		require.Equal(t, `{"a":"12345678901"}`, p.Ask("echo", map[string]any{"a": "12345678901"}))
		refused(p.Invoke("echo", map[string]any{"a": "1234567890123"}).Result(), "INPUT_TOO_LARGE", "20 bytes")

		p.About("concurrency")
		first := p.Invoke("wait", nil)
		p.WaitFor(`globalThis.finish`)
		refused(p.Invoke("wait", nil).Result(), "CONCURRENCY_LIMITED", "under way")
		p.Do(`() => { finish('done'); delete window.finish; }`)
		require.Equal(t, "done", first.Text())
		first = p.Invoke("wait", nil)
		p.WaitFor(`globalThis.finish`)
		p.Do(`() => finish('again')`)
		require.Equal(t, "again", first.Text())

		p.About("rate, and report")
		require.Equal(t, "read", p.Ask("read", nil))
		require.Equal(t, "read", p.Ask("read", nil))
		a := ruled(t, p.Invoke("read", nil).Result())
		require.Equal(t, "RATE_LIMITED", a.Code)
		require.InDelta(t, 3600, a.RetryAfter, 60)
		require.Contains(t, a.Text, fmt.Sprint("Try again in ", a.RetryAfter, " s"))
		reports := webmcptest.Eval[[]map[string]any](p, `() => reports`)
		require.Len(t, reports, 3)
		require.Equal(t, "no reading", reports[0]["rule"])
		require.Equal(t, "deny", reports[0]["effect"])
		require.Equal(t, "read", reports[0]["tool"])
		require.Len(t, reports[0]["invocationId"], 36)
	}
}

func TestARateLetsExactlySoManyCallsThrough(t *testing.T) {
	t.Parallel()
	p := withTools(policed(t, withWebMCP, twoFiles+block(`{"webmcp": 1, "rules": [{"tools": "*", "rate": "100/min"}]}`), nil))
	type outcome struct {
		Through, Ran int
		Refused      []ruledAnswer
		Texts        []string
	}
	got := webmcptest.Eval[outcome](p, `async () => {
		const results = await Promise.all(Array.from({ length: 1000 }, (_, i) => webmcp.invokeTool('echo', { i })));
		const refused = results.filter(({ isError }) => isError);
		return { through: 1000 - refused.length, ran: ran.length, refused, texts: [...new Set(refused.map(({ content }) => content[0].text))] };
	}`)
	require.Equal(t, 100, got.Through)
	require.Equal(t, 100, got.Ran)
	for _, a := range got.Refused {
		require.Equal(t, "RATE_LIMITED", a.Code)
		require.LessOrEqual(t, a.RetryAfter, 60)
		require.Positive(t, a.RetryAfter)
	}
	for _, text := range got.Texts {
		require.Regexp(t, `^Denied: the limit is 100 calls a minute of this tool\. Try again in \d+ s$`, text)
	}
}

func TestAPolicyTimeoutEndsACall(t *testing.T) {
	t.Parallel()
	p := withTools(policed(t, withWebMCP, twoFiles+block(`{"webmcp": 1, "rules": [
		{"tools": "wait", "timeout": "50ms"}, {"tools": "echo", "timeout": "20s"},
		{"tools": "echo", "when": {"required": ["slow"]}, "timeout": "60ms"}]}`), nil))
	a := ruled(t, p.Invoke("wait", nil).Result())
	require.Equal(t, "TIMEOUT", a.Code)
	require.Contains(t, a.Text, "has not finished within 50 ms")
	require.Equal(t, `{"a":1}`, p.Ask("echo", map[string]any{"a": 1}))
	p.Do(`() => webmcp.configure({ hooks: { after: [({ tool, signal }) => new Promise(resolve => signal.addEventListener('abort', resolve))] } })`)
	p.About("a condition lowers it")
	a = ruled(t, p.Invoke("echo", map[string]any{"slow": true}).Result())
	require.Equal(t, "TIMEOUT", a.Code)
	require.Contains(t, a.Text, "has not finished within 60 ms")
}

func TestALinkedPolicyHoldsTheFirstCallBack(t *testing.T) {
	t.Parallel()
	for _, form := range []string{twoFiles, esModule} {
		asked, answer := make(chan struct{}, 1), make(chan struct{})
		p := withTools(policed(t, withWebMCP, form+`<link rel="webmcp-policy" href="late.json">`, map[string]http.HandlerFunc{
			"/late.json": func(w http.ResponseWriter, _ *http.Request) {
				asked <- struct{}{}
				<-answer
				fmt.Fprint(w, `{"webmcp": 1, "rules": [{"tools": "echo", "deny": "No."}]}`)
			},
		}))
		denied, read := p.Invoke("echo", nil), p.Invoke("read", nil)
		<-asked
		p.Do(`async () => { for (let i = 0; i < 5; i++) await new Promise(requestAnimationFrame); }`)
		require.Empty(t, webmcptest.Eval[[]any](p, `() => ran`), "no call passes before the policy is there")
		close(answer)
		require.Equal(t, "Denied: No.", denied.Result().Text())
		require.Equal(t, "read", read.Text())
		require.Equal(t, []any{"read"}, webmcptest.Eval[[]any](p, `() => ran`))
	}
}

func TestNoCallPassesWithoutThePolicyThatTheHTMLNames(t *testing.T) {
	t.Parallel()
	text := func(s string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, s) }
	}
	for name, c := range map[string]struct {
		head     string
		path     http.HandlerFunc
		wrong    string
		problems []string // that the browser reports
	}{
		"missing":     {`<link rel="webmcp-policy" href="p.json">`, func(w http.ResponseWriter, _ *http.Request) { http.NotFound(w, nil) }, `it answered 404`, []string{"404"}},
		"unreachable": {`<link rel="webmcp-policy" href="http://localhost:1/p.json">`, nil, `cannot be fetched`, []string{"ERR_"}},
		"integrity":   {`<link rel="webmcp-policy" href="p.json" integrity="sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=">`, text(`{"webmcp": 1, "rules": []}`), `cannot be fetched`, []string{"valid digest", "integrity checks failed"}},
		"no JSON":     {`<link rel="webmcp-policy" href="p.json">`, text(`<!doctype html><p>Not found</p>`), `invalid JSON`, nil},
		"wrong":       {`<link rel="webmcp-policy" href="p.json">`, text(`{"webmcp": 1, "rules": [{"tools": "*", "denny": true}]}`), `/rules/0/denny`, nil},
		"block":       {block(`{"webmcp": 1, "rules": [{"tols": "*", "deny": true}]}`), nil, `/rules/0`, nil},
		"cut off":     {block(`{"webmcp": 1, "rules": [`), nil, `invalid JSON`, nil},
		"empty":       {block(``), nil, `invalid JSON`, nil},
	} {
		paths := map[string]http.HandlerFunc{}
		if c.path != nil {
			paths["/p.json"] = c.path
		}
		p := newPage(t, withWebMCP)
		p.About("%s", name)
		for _, problem := range c.problems {
			p.ExpectSome(problem)
		}
		p.OnNewDocument(`window.logged = []; console.error = (...what) => logged.push(what.join(' '));`)
		p.Open(policedSite(t, twoFiles+c.head, paths))
		withTools(p)
		for range 2 {
			a := ruled(t, p.Invoke("echo", nil).Result())
			require.Equal(t, "POLICY_UNAVAILABLE", a.Code, name)
			require.False(t, *a.Executed)
			require.Contains(t, a.Text, "Nothing was done")
		}
		require.Empty(t, webmcptest.Eval[[]any](p, `() => ran`))
		logged := webmcptest.Eval[[]string](p, `() => logged`)
		require.Regexp(t, `^\[webmcp\] no call of an agent passes.*`+c.wrong, logged[0])
		require.Equal(t, "direct", webmcptest.Eval[string](p, `() => webmcp(() => 'direct', { name: 'direct', description: 'A function.' })()`), "a human's call is the plain function")
	}
}

func TestAPolicyThatCouldNotBeFetchedIsAskedForAgain(t *testing.T) {
	t.Parallel()
	there := false
	p := newPage(t, withWebMCP)
	p.ExpectSome("503")
	p.Open(policedSite(t, twoFiles+`<link rel="webmcp-policy" href="p.json">`, map[string]http.HandlerFunc{
		"/p.json": func(w http.ResponseWriter, _ *http.Request) {
			if !there {
				http.Error(w, "later", http.StatusServiceUnavailable)
				return
			}
			fmt.Fprint(w, `{"webmcp": 1, "rules": [{"tools": "echo", "deny": "No."}]}`)
		},
	}))
	withTools(p)
	require.Equal(t, "POLICY_UNAVAILABLE", ruled(t, p.Invoke("read", nil).Result()).Code)
	there = true
	require.Equal(t, "read", p.Ask("read", nil))
	require.Equal(t, "Denied: No.", p.Invoke("echo", nil).Result().Text())
}

func TestNoScriptOfThePageGetsRidOfAPolicy(t *testing.T) {
	t.Parallel()
	policy := block(`{"webmcp": 1, "rules": [{"tools": "echo", "deny": "No."}]}`)
	remove := `<script>
		for (const e of document.querySelectorAll('script[type*=policy],link')) { e.textContent = '{"webmcp": 1, "rules": []}'; e.removeAttribute('href'); e.remove(); }
		JSON.parse = () => ({}); JSON.stringify = () => '{}'; performance.now = () => 1e9; Response.prototype.text = async () => '{"webmcp": 1, "rules": []}';
	</script>`
	linked := map[string]http.HandlerFunc{"/p.json": func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"webmcp": 1, "rules": [{"tools": "echo", "deny": "No."}]}`)
	}}
	for _, head := range []string{
		twoFiles + policy + remove, policy + twoFiles + remove, twoFiles + `<link rel="webmcp-policy" href="p.json">` + remove,
		policy + esModule, esModule + policy,
	} {
		p := withTools(policed(t, withWebMCP, head, linked))
		require.Equal(t, "Denied: No.", p.Invoke("echo", nil).Result().Text(), head)
		p.Do(`async () => {
			document.querySelectorAll('script, link').forEach(e => e.remove());
			webmcp.resetGlobalHooks();
			webmcp.configure({ replace: true, hooks: {} });
			await webmcp.policy({ webmcp: 1, rules: [] });
			await webmcp.policy({ webmcp: 1, rules: [{ tools: 'echo', deny: true, mode: 'report' }] });
			if (globalThis.Go === undefined) {
				const script = Object.assign(document.createElement('script'), { src: '/lib/wasm_exec.js' });
				await new Promise(resolve => { script.onload = resolve; document.head.append(script); });
			}
			const go = new Go();
			go.run((await WebAssembly.instantiateStreaming(fetch('/lib/webmcp.wasm'), go.importObject)).instance);
		}`)
		require.Equal(t, "Denied: No.", p.Invoke("echo", nil).Result().Text())
		require.NotContains(t, webmcptest.Eval[[]any](p, `() => ran`), "echo")
	}
}

func TestFurtherPoliciesOnlyTighten(t *testing.T) {
	t.Parallel()
	p := withTools(policed(t, withWebMCP, twoFiles, nil))
	require.Equal(t, `{}`, p.Ask("echo", nil))
	p.Do(`() => webmcp.policy({ webmcp: 1, rules: [{ tools: 'echo', rate: '3/h' }] })`)
	require.Equal(t, `{}`, p.Ask("echo", nil))
	p.Do(`() => webmcp.policy({ webmcp: 1, rules: [{ tools: 'echo', rate: '9/h' }, { tools: 'read', deny: 'No.' }] })`)
	require.Equal(t, `{}`, p.Ask("echo", nil))
	require.Equal(t, `{}`, p.Ask("echo", nil))
	require.Equal(t, "RATE_LIMITED", ruled(t, p.Invoke("echo", nil).Result()).Code)
	require.Equal(t, "Denied: No.", p.Invoke("read", nil).Result().Text())

	p.About("one that is wrong closes the gate")
	said := webmcptest.Eval[string](p, `() => webmcp.policy({ webmcp: 1, rules: [{ tools: 'wait' }] }).then(() => 'in force', ({ name, message }) => name + ': ' + message)`)
	require.Regexp(t, `^ConfigurationError: webmcp.policy: .*/rules/0`, said)
	require.Equal(t, "POLICY_UNAVAILABLE", ruled(t, p.Invoke("get_user", nil).Result()).Code)
}

func TestAContextIsACopyThatNobodyChanges(t *testing.T) {
	t.Parallel()
	p := withTools(policed(t, withWebMCP, twoFiles+block(`{"webmcp": 1, "rules": [
		{"tools": "echo", "unless": {"context": {"properties": {"user": {"properties": {"role": {"const": "admin"}}}}}}, "deny": "No."}]}`), nil))
	require.Equal(t, "Denied: No.", p.Invoke("echo", nil).Result().Text(), "nothing is known")
	p.Do(`() => {
		window.values = { user: { role: 'guest' } };
		window.kept = webmcp.context(values);
		values.user.role = 'admin';
	}`)
	require.Equal(t, "Denied: No.", p.Invoke("echo", nil).Result().Text())
	require.Equal(t, []any{true, true, "guest"}, webmcptest.Eval[[]any](p, `() => [Object.isFrozen(kept), Object.isFrozen(kept.user), kept.user.role]`))
	for _, wrong := range []string{`1`, `null`, `'admin'`, `undefined`, `(() => { const a = {}; a.a = a; return a; })()`} {
		require.Equal(t, "ConfigurationError", webmcptest.Eval[string](p, `() => { try { webmcp.context(`+wrong+`); return ''; } catch ({ name }) { return name; } }`), wrong)
	}
	p.Do(`() => { webmcp.context(values); }`)
	require.Equal(t, `{}`, p.Ask("echo", nil))
}

func TestAnExplanationSaysWhatWouldHappen(t *testing.T) {
	t.Parallel()
	for _, form := range []string{twoFiles, esModule} {
		p := withTools(policed(t, withWebMCP, form+block(allEffects), nil))
		explain := func(call string) map[string]any {
			return webmcptest.Eval[map[string]any](p, `() => webmcp.explain(`+call+`)`)
		}
		require.Equal(t, "allow", explain(`'echo'`)["outcome"])
		require.Equal(t, "ask", explain(`'checkout', { total: 200 }`)["outcome"])
		denied := explain(`'checkout', { total: 501 }`)
		require.Equal(t, "deny", denied["outcome"])
		require.Equal(t, "TOO_MUCH", denied["refusal"].(map[string]any)["code"])
		require.Len(t, denied["rules"], 2)
		require.Equal(t, []any{`deny "Orders over 500 EUR are placed by people."`, `code "TOO_MUCH"`}, denied["rules"].([]any)[0].(map[string]any)["effects"])
		require.Equal(t, []any{"/email: email", "/cards/*/number: last4", "/notes: remove"}, explain(`'get_user'`)["redact"])
		for range 5 {
			require.Equal(t, "allow", explain(`'read'`)["outcome"], "an explanation counts nowhere")
		}
		require.Equal(t, "ValidationError", webmcptest.Eval[string](p, `() => webmcp.explain('checkout', { total: 'x' }).then(() => '', ({ name }) => name)`))
		require.Equal(t, "RegistrationError", webmcptest.Eval[string](p, `() => webmcp.explain('nothing').then(() => '', ({ name }) => name)`))
		require.Empty(t, webmcptest.Eval[[]any](p, `() => ran`))
	}
}

func TestRulesSeeTheInputThatAHumanHasChanged(t *testing.T) {
	t.Parallel()
	p := withTools(policed(t, withWebMCP, twoFiles+block(`{"webmcp": 1, "rules": [
		{"tools": "checkout", "approval": {"edit": true}},
		{"tools": "checkout", "when": {"properties": {"total": {"exclusiveMinimum": 500}}}, "deny": "Too much.", "code": "TOO_MUCH"}]}`), nil))
	decide := func(total int) ruledAnswer {
		call := p.Invoke("checkout", map[string]any{"total": 5})
		p.WaitFor(`webmcp.approvals.pending().length`)
		p.Do(fmt.Sprintf(`() => webmcp.approvals.resolve(webmcp.approvals.pending()[0].id, { decision: 'approve', input: { total: %d } })`, total))
		return ruled(t, call.Result())
	}
	require.True(t, strings.HasPrefix(decide(400).Text, "paid 400"))
	require.Equal(t, "TOO_MUCH", decide(600).Code)
	require.Equal(t, []any{"checkout"}, webmcptest.Eval[[]any](p, `() => ran`))
}

func TestAHumanIsAskedOnceByAllRulesWhateverTheirOrder(t *testing.T) {
	t.Parallel()
	rules := []string{
		`{"tools": "checkout", "approval": {"title": "b", "timeout": "1min", "edit": true, "remember": ["tool", {"by": ["/total"]}]}}`,
		`{"tools": "checkout", "approval": {"title": "a", "timeout": "never", "remember": {"by": ["/total"]}}}`,
		`{"tools": "checkout", "approval": true, "when": {"properties": {"total": {"minimum": 100}}}}`,
		`{"tools": "checkout", "mode": "report", "approval": {"title": "0", "timeout": "1s"}}`,
	}
	for range 2 {
		p := withTools(policed(t, withWebMCP, twoFiles+block(`{"webmcp": 1, "rules": [`+strings.Join(rules, ",")+`]}`), nil))
		asked := func(total int, decision string) []any {
			call := p.Invoke("checkout", map[string]any{"total": total})
			p.WaitFor(`webmcp.approvals.pending().length`)
			question := webmcptest.Eval[[]any](p, `() => webmcp.approvals.pending().map(({ title, remember, edit, since, deadline }) => [title, remember, edit, Math.round((deadline - since) / 1000)]).flat()`)
			p.Do(`() => webmcp.approvals.resolve(webmcp.approvals.pending()[0].id, ` + decision + `)`)
			require.NotEmpty(t, call.Result())
			return question
		}
		require.Equal(t, []any{"a", []any{"call", "arguments"}, false, 60.0}, asked(5, `{ decision: 'approve' }`))
		require.Equal(t, []any{"a", []any{"call"}, false, 60.0}, asked(100, `'deny'`), "a rule of which nothing may be remembered")
		require.Equal(t, []any{"checkout"}, webmcptest.Eval[[]any](p, `() => ran`))
		slices.Reverse(rules)
	}
}

func TestADeniedHookLearnsWhichRuleHasEndedACall(t *testing.T) {
	t.Parallel()
	p := withTools(policed(t, withWebMCP, twoFiles+block(`{"webmcp": 1, "default": "deny", "rules": [{"tools": "echo", "name": "quiet", "deny": "No."}, {"tools": "read", "deny": true}]}`), nil))
	p.Do(`() => { window.seen = []; webmcp.configure({ hooks: { before: [() => { seen.push('before'); }], denied: [({ code, rule, reason }) => { seen.push([code, rule, reason]); }] } }); }`)
	for _, tool := range []string{"echo", "read", "wait"} {
		p.Invoke(tool, nil).Result()
	}
	require.Equal(t, []any{
		[]any{"POLICY_DENIED", "quiet", "No."},
		[]any{"POLICY_DENIED", "policy#/rules/1", "the policy does not allow this call"},
		[]any{"POLICY_DENIED", "default", "the policy does not name this tool, and so allows no calls of it"},
	}, webmcptest.Eval[[]any](p, `() => seen`), "what needs no input decides before the first hook")
}

func TestAPolicyOfGoHoldsForToolsOfGoAndJavaScript(t *testing.T) {
	t.Parallel()
	p := goPage(t, withWebMCP)
	require.Empty(t, webmcptest.Eval[string](p, `() => goapp.register('go_tool')`))
	p.Do(`() => { webmcp(({ do: what }) => what, { name: 'js_tool', description: 'Says what it is told.', global: true }); }`)
	p.AwaitTools("go_tool", "js_tool")
	p.About("its patterns are the browser's RegExp")
	require.Empty(t, webmcptest.Eval[string](p, `() => goapp.enforce('{"webmcp": 1, "rules": [' +
		'{"tools": {"name": "*_tool", "hint": "readOnly"}, "when": {"properties": {"do": {"pattern": "^x(?=y)"}}}, "deny": "Not that."},' +
		'{"tools": "js_tool", "unless": {"context": {"properties": {"role": {"const": "admin"}}}}, "deny": "Only admins.", "code": "ADMINS"}]}')`))
	require.Equal(t, "Denied: Not that.", p.Invoke("go_tool", map[string]any{"do": "xy"}).Result().Text())
	require.NotContains(t, p.Invoke("go_tool", map[string]any{"do": "x"}).Result().Text(), "Denied")
	require.Equal(t, "ADMINS", ruled(t, p.Invoke("js_tool", map[string]any{"do": "a"}).Result()).Code)

	p.About("what the program knows of the user")
	require.Empty(t, webmcptest.Eval[string](p, `() => goapp.context('{"role": "admin"}')`))
	require.Equal(t, "a", p.Ask("js_tool", map[string]any{"do": "a"}))
	require.NotEmpty(t, webmcptest.Eval[string](p, `() => goapp.context('')`), "JSON cannot say that")
	require.Equal(t, "ADMINS", ruled(t, p.Invoke("js_tool", map[string]any{"do": "a"}).Result()).Code)

	p.About("JavaScript does not get rid of it, and does not say who the user is")
	p.Do(`async () => { webmcp.context({ role: 'admin' }); webmcp.resetGlobalHooks(); webmcp.configure({ replace: true }); await webmcp.policy({ webmcp: 1, rules: [] }); goapp.reset(); }`)
	require.Equal(t, "ADMINS", ruled(t, p.Invoke("js_tool", map[string]any{"do": "a"}).Result()).Code)
	require.Empty(t, webmcptest.Eval[string](p, `() => goapp.context('{"role": "admin"}')`))
	require.Equal(t, "Denied: Not that.", p.Invoke("go_tool", map[string]any{"do": "xy"}).Result().Text())

	p.About("a wrong one is an error, and changes nothing")
	require.Contains(t, webmcptest.Eval[string](p, `() => goapp.enforce('{"webmcp": 1, "rules": [{"tools": "js_tool", "denny": true}]}')`), "/rules/0/denny")
	require.Equal(t, "a", p.Ask("js_tool", map[string]any{"do": "a"}))
}

func TestTheHTMLOfTheGuideIsAPolicy(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile("../docs/policy.md")
	require.NoError(t, err)
	block := func(pattern string) string {
		found := regexp.MustCompile(pattern).FindSubmatch(guide)
		require.NotNil(t, found, pattern)
		return string(found[1])
	}
	html := block("(?s)<!-- example: page -->\n```html\n(.*?)```")
	document := block("(?s)<!-- policy: first -->\n```json\n(.*?)```")
	p := withTools(policed(t, withWebMCP, twoFiles+html, map[string]http.HandlerFunc{
		"/policy.json": func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, document) },
	}))
	require.Equal(t, "TOO_MUCH", ruled(t, p.Invoke("checkout", map[string]any{"total": 501}).Result()).Code)
	p.Do(`() => { webmcp.context({ role: 'admin' }); make('delete_all', { annotations: { consequentialHint: true }, }, () => 'deleted'); }`)
	explained := webmcptest.Eval[struct{ Rules []struct{ Rule string } }](p, `() => webmcp.explain('delete_all')`)
	var rules []string
	for _, r := range explained.Rules {
		rules = append(rules, r.Rule[strings.LastIndex(r.Rule, "/policy.json")+1:])
	}
	require.ElementsMatch(t, []string{"policy.json#/rules/0", "policy.json#/rules/1", "policy.json#/rules/3", "house rules#/rules/0"}, rules)
}

func TestNoElementOfThePageHidesAPolicy(t *testing.T) {
	t.Parallel()
	hiding := `<img name="querySelectorAll"><img name="readyState"><form name="addEventListener"></form><form><input name="matches"></form>`
	policy := block(`{"webmcp": 1, "rules": [{"tools": "echo", "deny": "No."}]}`)
	for _, head := range []string{hiding + twoFiles + policy, twoFiles + hiding + policy, hiding + policy + esModule} {
		p := withTools(policed(t, withWebMCP, head, nil))
		require.Equal(t, "Denied: No.", p.Invoke("echo", nil).Result().Text(), head)
	}
}

func TestAPolicyIsInForceBeforeThereIsATool(t *testing.T) {
	t.Parallel()
	for _, form := range []string{twoFiles, esModule} {
		p := policed(t, withWebMCP, form, nil)
		p.WaitFor(`globalThis.webmcp?.version`)
		require.Equal(t, "Denied: Not today.", webmcptest.Eval[string](p, `async () => {
			await webmcp.policy({ webmcp: 1, rules: [{ tools: '*', deny: 'Not today.' }] }); // the module has to come for it
			await webmcp(() => 'done', { name: 'late', description: 'Comes later.' }).register();
			return (await webmcp.invokeTool('late')).content[0].text;
		}`), form)
	}
}
