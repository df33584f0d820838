package e2e

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/webmcptest"
)

// audited is an entry of the audit log.
type audited struct {
	Time        string           `json:"time"`
	ID          string           `json:"id"`
	Tool        string           `json:"tool"`
	Outcome     string           `json:"outcome"`
	Code        string           `json:"code"`
	Executed    *bool            `json:"executed"`
	Rule        string           `json:"rule"`
	Rules       []string         `json:"rules"`
	Reports     []map[string]any `json:"reports"`
	Approval    map[string]any   `json:"approval"`
	Duration    *float64         `json:"duration"`
	InputBytes  int              `json:"inputBytes"`
	OutputBytes int              `json:"outputBytes"`
	Input       *string          `json:"input"`
	Changed     *string          `json:"changed"`
	Output      *string          `json:"output"`
	Withheld    []string         `json:"withheld"`
}

func auditLog(p *webmcptest.Page) []audited {
	return webmcptest.Eval[[]audited](p, `() => webmcp.audit.entries()`)
}

// newest returns the newest entry.
func newest(t *testing.T, p *webmcptest.Page) audited {
	t.Helper()
	entries := auditLog(p)
	require.NotEmpty(t, entries)
	return entries[len(entries)-1]
}

const auditAll = `{"webmcp": 1, "rules": [{"name": "log", "tools": "*", "audit": true}]}`

func TestEveryOutcomeOfACallIsInTheAuditLog(t *testing.T) {
	t.Parallel()
	for _, form := range []string{twoFiles, esModule} {
		p := withTools(policed(t, withWebMCP, form+block(`{"webmcp": 1, "rules": [
			{"name": "log", "tools": "*", "audit": true},
			{"name": "no deleting", "tools": "delete_*", "deny": "No.", "code": "NEVER"},
			{"name": "ask", "tools": "checkout", "approval": {"edit": true}},
			{"name": "slow", "tools": "get_text", "timeout": "50ms"},
			{"name": "no reading", "tools": "read", "deny": true, "mode": "report"}]}`), nil))
		p.Do(`() => {
			make('fails', {}, () => { throw new TypeError('no such thing'); });
			make('says_no', {}, () => ({ isError: true, content: [{ type: 'text', text: 'not today' }], code: 'LATER' }));
			make('structured', { outputSchema: { type: 'object' } }, () => ({ a: 'ä' }));
		}`)
		p.AwaitTools("checkout", "delete_user", "echo", "export_all", "fails", "get_text", "get_user", "read", "says_no", "structured", "wait")
		before := time.Now().Add(-time.Second)

		p.About("ok")
		p.Ask("echo", map[string]any{"a": "ä"})
		e := newest(t, p)
		require.Equal(t, "ok", e.Outcome)
		require.Equal(t, "echo", e.Tool)
		require.Len(t, e.ID, 36)
		require.True(t, *e.Executed)
		require.Equal(t, []string{"log"}, e.Rules)
		require.Equal(t, `{"a":"ä"}`, *e.Input)
		require.Equal(t, `{"a":"ä"}`, *e.Output)
		require.Equal(t, 10, e.InputBytes)
		require.Equal(t, 10, e.OutputBytes)
		require.GreaterOrEqual(t, *e.Duration, 0.0)
		require.Empty(t, e.Code+e.Rule)
		require.Nil(t, e.Withheld)
		at, err := time.Parse(time.RFC3339, e.Time)
		require.NoError(t, err)
		require.WithinRange(t, at, before, time.Now().Add(time.Second))
		p.Invoke("structured", nil).Result()
		require.Equal(t, `{"content":[{"type":"text","text":"{\"a\":\"ä\"}"}],"structuredContent":{"a":"ä"}}`, *newest(t, p).Output)

		p.About("denied")
		p.Invoke("delete_user", map[string]any{"id": 1}).Result()
		e = newest(t, p)
		require.Equal(t, []any{"denied", "NEVER", "no deleting", false, `{"id":1}`, "Denied: No."}, []any{e.Outcome, e.Code, e.Rule, *e.Executed, *e.Input, *e.Output})
		require.Equal(t, []string{"log", "no deleting"}, e.Rules)

		p.About("error")
		p.Invoke("fails", nil).Result()
		e = newest(t, p)
		require.Equal(t, []any{"error", "", true, "Error: no such thing"}, []any{e.Outcome, e.Code, *e.Executed, *e.Output})
		p.Invoke("says_no", nil).Result()
		e = newest(t, p)
		require.Equal(t, []any{"error", "LATER", true}, []any{e.Outcome, e.Code, *e.Executed})
		p.Invoke("checkout", map[string]any{"total": "x"}).Result()
		e = newest(t, p)
		require.Equal(t, []any{"error", false, `{"total":"x"}`}, []any{e.Outcome, *e.Executed, *e.Input})
		require.Contains(t, *e.Output, "invalid input")

		p.About("timeout")
		p.Do(`() => webmcp.configure({ hooks: { before: [({ tool, signal }) => (tool.tool.name === 'get_text' ? new Promise(() => {}) : undefined)] } })`)
		p.Invoke("get_text", nil).Result()
		e = newest(t, p)
		require.Equal(t, []any{"error", "TIMEOUT", false}, []any{e.Outcome, e.Code, *e.Executed})
		require.GreaterOrEqual(t, *e.Duration, 49.0)

		p.About("aborted")
		p.Do(`async () => {
			const controller = new AbortController();
			webmcp.configure({ hooks: { before: [({ tool }) => { if (tool.tool.name === 'export_all') { controller.abort(); return new Promise(() => {}); } }] } });
			await webmcp.invokeTool('export_all', {}, { signal: controller.signal }).catch(() => {});
		}`)
		p.WaitFor(`webmcp.audit.entries({ tool: 'export_all' }).length`)
		e = newest(t, p)
		require.Equal(t, []any{"aborted", false}, []any{e.Outcome, *e.Executed})

		p.About("approved, as the human has changed it")
		call := p.Invoke("checkout", map[string]any{"total": 200})
		p.WaitFor(`webmcp.approvals.pending().length`)
		p.Do(`() => webmcp.approvals.resolve(webmcp.approvals.pending()[0].id, { decision: 'approve', input: { total: 90 } })`)
		require.Contains(t, call.Text(), "paid 90")
		e = newest(t, p)
		require.Equal(t, []any{"ok", `{"total":200}`, `{"total":90}`, "paid 90"}, []any{e.Outcome, *e.Input, *e.Changed, *e.Output})
		require.Equal(t, []any{"approve", "script", true}, []any{e.Approval["decision"], e.Approval["how"], e.Approval["edited"]})
		require.Len(t, e.Approval["digest"], 64)
		require.Regexp(t, `^\d{4}-\d\d-\d\dT.*Z$`, e.Approval["at"])
		require.Contains(t, e.Approval, "waited")

		p.About("not approved")
		call = p.Invoke("checkout", map[string]any{"total": 3})
		p.WaitFor(`webmcp.approvals.pending().length`)
		p.Do(`() => webmcp.approvals.resolve(webmcp.approvals.pending()[0].id, 'deny')`)
		call.Result()
		e = newest(t, p)
		require.Equal(t, []any{"denied", "USER_DENIED", false, "deny"}, []any{e.Outcome, e.Code, *e.Executed, e.Approval["decision"]})

		p.About("report")
		p.Ask("read", nil)
		e = newest(t, p)
		require.Equal(t, "ok", e.Outcome)
		require.Len(t, e.Reports, 1)
		require.Equal(t, []any{"no reading", "deny"}, []any{e.Reports[0]["rule"], e.Reports[0]["effect"]})

		p.About("filters")
		require.Len(t, webmcptest.Eval[[]audited](p, `() => webmcp.audit.entries({ tool: 'checkout', outcome: 'denied' })`), 1)
		require.Len(t, webmcptest.Eval[[]audited](p, `() => webmcp.audit.entries({ code: 'NEVER' })`), 1)
		require.Equal(t, []any{true, true, true}, webmcptest.Eval[[]any](p, `() => {
			const all = webmcp.audit.entries(), { time } = all.at(-1);
			const ids = (list) => list.map(({ id }) => id).join();
			const late = ids(all.filter((entry) => entry.time >= time));
			return [time, Date.parse(time), new Date(time)].map((since) => ids(webmcp.audit.entries({ since })) === late);
		}`))
		require.Equal(t, []string{"ConfigurationError", "ConfigurationError"}, webmcptest.Eval[[]string](p, `() => ['{"sinc": 1}', '{"since": "yesterday"}'].map((filter) => {
			try { webmcp.audit.entries(JSON.parse(filter)); return ''; } catch ({ name }) { return name; }
		})`))
	}
}

func TestOneCallIsOneEntry(t *testing.T) {
	t.Parallel()
	p := withTools(policed(t, withWebMCP, twoFiles+block(`{"webmcp": 1, "rules": [{"tools": "*", "audit": true}, {"tools": "checkout", "approval": {"hold": "10ms"}}]}`), nil))
	call := p.Invoke("checkout", map[string]any{"total": 7})
	require.Equal(t, "APPROVAL_PENDING", ruled(t, call.Result()).Code)
	require.Empty(t, auditLog(p), "it has not ended")
	p.Do(`() => webmcp.approvals.resolve(webmcp.approvals.pending()[0].id, 'approve')`)
	p.WaitFor(`webmcp.audit.entries().length`)
	p.Ask("echo", nil)
	entries := auditLog(p)
	require.Len(t, entries, 2)
	require.Equal(t, []any{"checkout", "ok", "paid 7"}, []any{entries[0].Tool, entries[0].Outcome, *entries[0].Output})
}

func TestOnlyCallsThatARuleNamesAreInTheAuditLog(t *testing.T) {
	t.Parallel()
	p := withTools(policed(t, withWebMCP, twoFiles+block(`{"webmcp": 1, "rules": [
		{"tools": "echo", "audit": true, "when": {"required": ["secret"]}},
		{"tools": "read", "rate": "1/h"},
		{"tools": "get_user", "audit": true, "mode": "report"}]}`), nil))
	p.Ask("echo", nil)
	p.Ask("read", nil)
	p.Invoke("read", nil).Result()
	require.Empty(t, auditLog(p))
	p.Ask("echo", map[string]any{"secret": 1})
	p.Ask("get_user", nil)
	entries := auditLog(p)
	require.Len(t, entries, 2)
	require.Equal(t, "get_user", entries[1].Tool, "a log stops nothing, so it is kept in report mode, too")
}

func TestCallsThatNoPolicyLetsThroughAreInTheAuditLog(t *testing.T) {
	t.Parallel()
	p := newPage(t, withWebMCP)
	p.ExpectSome("404")
	p.Open(policedSite(t, twoFiles+`<link rel="webmcp-policy" href="nothing.json">`, nil))
	withTools(p)
	p.Invoke("echo", map[string]any{"card": "4111"}).Result()
	e := newest(t, p)
	require.Equal(t, []any{"error", "POLICY_UNAVAILABLE", false, "echo"}, []any{e.Outcome, e.Code, *e.Executed, e.Tool})
	require.Nil(t, e.Input, "nobody knows what is to be masked")
	require.Equal(t, []string{"input"}, e.Withheld)

	p.About("the module has died")
	p = policed(t, withWebMCP, twoFiles+block(`{"webmcp": 1, "rules": [{"tools": "*", "audit": true}, {"tools": "get_*", "redact": {"/email": "full"}}]}`), nil)
	p.WaitFor(`globalThis.webmcp?.version`)
	p.Do(`() => {
		window.kept = {};
		const { registerTool } = document.modelContext;
		document.modelContext.registerTool = function (tool, options) {
			kept[tool.name] = tool.execute;
			return registerTool.call(this, tool, options);
		};
	}`)
	withTools(p)
	p.Do(`async () => {
		make('get_more', {}, () => new Promise(() => {}));
		await new Promise(setTimeout);
		const calls = [kept.wait({ a: 1 }, {}), kept.get_more({ email: 'x' }, {})];
		go.importObject.gojs['runtime.wasmExit'](0);
		await Promise.all(calls);
		await kept.echo({ a: 2 }, {});
	}`)
	entries := auditLog(p)
	require.Len(t, entries, 3)
	require.Equal(t, []any{"wait", "error", true, `{"a":1}`}, []any{entries[0].Tool, entries[0].Outcome, *entries[0].Executed, *entries[0].Input})
	require.Equal(t, []any{"get_more", "error", true, []string{"input", "output"}}, []any{entries[1].Tool, entries[1].Outcome, *entries[1].Executed, entries[1].Withheld})
	require.Equal(t, []any{"echo", "error", false, []string{"input"}}, []any{entries[2].Tool, entries[2].Outcome, *entries[2].Executed, entries[2].Withheld})
	require.Contains(t, *entries[2].Output, "the WebMCP module has stopped")
}

// secrets are what no entry may hold: they are where redactions lead to.
var secrets = []string{"ada@secret.example", "4242424242424242", "s3cr3t", "hidden note"}

func TestNoEntryHoldsASecretThatARedactionNames(t *testing.T) {
	t.Parallel()
	for name, policy := range map[string]string{
		"always":      `{"tools": "*", "redact": {"/email": "email", "/cards/*/number": "last4", "/key": "hash", "/notes": "remove", "/deep/*/*": "full"}}`,
		"by input":    `{"tools": "*", "when": {"required": ["email"]}, "redact": {"/email": "full", "/cards/*/number": "full", "/key": "full", "/notes": "full", "/deep/*/*": "full"}}`,
		"unknown":     `{"tools": "*", "unless": {"input": {"properties": {"no": {"const": 1}}}, "context": {"required": ["role"]}}, "redact": {"/email": "full", "/cards/*/number": "full", "/key": "full", "/notes": "full", "/deep/*/*": "full"}}`,
		"report mode": `{"tools": "*", "mode": "report", "redact": {"/email": "full", "/cards/*/number": "full", "/key": "full", "/notes": "full", "/deep/*/*": "full"}}`,
	} {
		p := withTools(policed(t, withWebMCP, twoFiles+block(`{"webmcp": 1, "rules": [{"tools": "*", "audit": true}, {"tools": "export_all", "rate": "1/h"},
			{"tools": "checkout", "approval": {"edit": true}}, {"tools": "delete_user", "approval": {"verify": "passkey"}}, `+policy+`]}`), nil))
		p.About("%s", name)
		got := webmcptest.Eval[struct {
			Entries int
			Texts   []string
		}](p, `async () => {
			const secret = { email: 'ada@secret.example', cards: [{ number: '4242424242424242' }], key: 's3cr3t', notes: 'hidden note', deep: { a: { b: 's3cr3t' } }, plain: 'seen' };
			const told = [];
			webmcp.audit.onEntry((entry) => { told.push(JSON.stringify(entry)); });
			make('nested', {}, () => JSON.stringify(secret));
			make('twice', {}, () => JSON.stringify(JSON.stringify(secret)));
			make('result', {}, () => ({ content: [{ type: 'text', text: JSON.stringify(secret) }], structuredContent: secret }));
			make('structured', { outputSchema: { type: 'object' } }, () => secret);
			make('throws', {}, ({ email }) => { throw new Error('no user ' + email + ' with ' + secret.key); });
			make('says', {}, () => ({ isError: true, content: [{ type: 'text', text: JSON.stringify(secret) }] }));
			make('checks', { schema: { type: 'object', properties: { email: { const: 'x' }, key: { type: 'integer' } } } }, () => 'never');
			make('denies', { hooks: { before: [({ input }) => ({ action: 'deny', message: 'not ' + input.email + ', ' + input.key })] } }, () => 'never');
			make('hooked', { hooks: { before: [({ input }) => { input.key = 'changed'; }], after: [() => { throw new Error('hidden note'); }] } }, () => secret);
			make('aborts', { hooks: { before: [() => { window.began = true; return new Promise(() => {}); }] } }, () => 'never');
			for (const tool of ['echo', 'nested', 'twice', 'result', 'structured', 'throws', 'says', 'checks', 'denies', 'hooked', 'get_user', 'get_text', 'export_all', 'export_all']) {
				await webmcp.invokeTool(tool, secret);
			}
			const controller = new AbortController();
			const aborted = webmcp.invokeTool('aborts', secret, { signal: controller.signal }).catch(() => {});
			while (!window.began) await new Promise(setTimeout);
			controller.abort(new Error('hidden note'));
			await aborted;
			while (webmcp.audit.entries({ tool: 'aborts' }).length === 0) await new Promise(setTimeout);
			const pending = async () => {
				while (webmcp.approvals.pending().length === 0) await new Promise(setTimeout);
				return webmcp.approvals.pending()[0].id;
			};
			let call = webmcp.invokeTool('checkout', { ...secret, total: 1 });
			webmcp.approvals.resolve(await pending(), { decision: 'deny', reason: 'ada@secret.example may not' });
			await call;
			call = webmcp.invokeTool('checkout', { ...secret, total: 2 });
			webmcp.approvals.resolve(await pending(), { decision: 'approve', input: { ...secret, total: 3 } });
			await call;
			await new Promise(setTimeout);
			const entries = webmcp.audit.entries();
			window.tools = entries.map(({ tool, outcome }) => tool + outcome).join();
			return { entries: entries.length, texts: [JSON.stringify(entries), webmcp.audit.lines(), webmcp.audit.lines({ format: 'otlp' }), ...told] };
		}`)
		require.Equal(t, 17, got.Entries, webmcptest.Eval[string](p, `() => tools`))
		require.Len(t, got.Texts, 20)
		for _, text := range got.Texts {
			for _, secret := range secrets {
				require.NotContains(t, text, secret, name)
			}
		}
		require.Contains(t, got.Texts[0], "seen", "what is no secret is there")
	}
}

func TestTheAuditLogIsBoundedAndCountsWhatItDrops(t *testing.T) {
	t.Parallel()
	p := withTools(policed(t, withWebMCP, twoFiles+block(auditAll), nil))
	got := webmcptest.Eval[[]any](p, `async () => {
		for (let i = 0; i < 5000; i += 100) await Promise.all(Array.from({ length: 100 }, (_, n) => webmcp.invokeTool('echo', { n: i + n })));
		const entries = webmcp.audit.entries();
		const numbers = entries.map(({ input }) => JSON.parse(input).n);
		return [entries.length, webmcp.audit.dropped, numbers.every((n, i) => n === 4000 + i)];
	}`)
	require.Equal(t, []any{1000.0, 4000.0, true}, got)

	p.About("smaller and larger")
	require.Equal(t, []any{10.0, 4990.0, 4990.0, 12.0, 4990.0, 15.0}, webmcptest.Eval[[]any](p, `async () => {
		const { audit } = webmcp;
		audit.configure({ size: 10 });
		const seen = [audit.entries().length, audit.dropped, JSON.parse(audit.entries()[0].input).n];
		audit.configure({ size: 15 });
		for (let n = 0; n < 2; n++) await webmcp.invokeTool('echo', { n });
		seen.push(audit.entries().length, audit.dropped);
		for (let n = 0; n < 9; n++) await webmcp.invokeTool('echo', { n });
		return [...seen, audit.entries().length];
	}`))

	p.About("long texts")
	require.Equal(t, []any{"a… (1000 characters more)", 1016.0, 1016.0, "x… (1 characters more)", true, 8.0}, webmcptest.Eval[[]any](p, `async () => {
		const { audit } = webmcp;
		make('long', {}, () => 'ä'.repeat(508));
		audit.configure({ text: 8 });
		await webmcp.invokeTool('echo', { n: 'a'.repeat(1008 - 8 ) });
		const [{ input, inputBytes }] = audit.entries().slice(-1);
		await webmcp.invokeTool('long', {});
		const [{ outputBytes }] = audit.entries().slice(-1);
		make('face', {}, () => '1234567😀');
		await webmcp.invokeTool('face', {});
		const face = audit.entries().at(-1).output;
		audit.configure({ text: 0 });
		await webmcp.invokeTool('echo', { n: 1 });
		const last = audit.entries().at(-1);
		return ['a' + input.slice(8), inputBytes + 8, outputBytes, 'x' + face.slice(7), !('input' in last) && !('output' in last) && !('withheld' in last), last.inputBytes + 1];
	}`))
	require.Equal(t, "ConfigurationError", webmcptest.Eval[string](p, `() => { try { webmcp.audit.configure({ size: 0 }); } catch ({ name }) { return name; } }`))
}

func TestNobodyChangesAnEntry(t *testing.T) {
	t.Parallel()
	p := withTools(policed(t, withWebMCP, twoFiles+block(`{"webmcp": 1, "rules": [{"tools": "*", "audit": true}, {"tools": "checkout", "approval": true}, {"tools": "echo", "deny": true, "mode": "report"}]}`), nil))
	require.Equal(t, []any{true, "", `{"list":[1]}`, `{"kept":1}`}, webmcptest.Eval[[]any](p, `async () => {
		const kept = { kept: 1 };
		make('keeps', {}, (input) => { kept.input = input; input.list.push(2); return { kept: 1 }; });
		make('same', {}, () => kept);
		const call = webmcp.invokeTool('checkout', {});
		while (webmcp.approvals.pending().length === 0) await new Promise(setTimeout);
		webmcp.approvals.resolve(webmcp.approvals.pending()[0].id, 'approve');
		await call;
		await webmcp.invokeTool('echo', {});
		await webmcp.invokeTool('keeps', { list: [1] });
		const result = await webmcp.invokeTool('same', {});
		kept.kept = 2;
		result.content[0].text = 'changed';
		const deep = (value) => typeof value !== 'object' || value === null || Object.isFrozen(value) && Object.values(value).every(deep);
		const entries = webmcp.audit.entries();
		let changed = '';
		try { entries[0].outcome = 'x'; entries.push({}); changed = 'changed'; } catch { }
		return [deep(entries), changed, entries[2].input, webmcp.audit.entries()[3].output === '{"kept":1,"input":{"list":[1,2]}}' ? '{"kept":1}' : entries[3].output];
	}`))
}

func TestListenersOfTheAuditLogChangeNoCall(t *testing.T) {
	t.Parallel()
	p := newPage(t, withWebMCP)
	p.OnNewDocument(`window.logged = []; console.error = (...what) => logged.push(what.join(' '));`)
	p.Open(policedSite(t, twoFiles+block(auditAll), nil))
	withTools(p)
	got := webmcptest.Eval[[]any](p, `async () => {
		const heard = [];
		webmcp.audit.onEntry(() => { throw new Error('first'); });
		webmcp.audit.onEntry(async () => { throw new Error('second'); });
		const end = webmcp.audit.onEntry(({ tool, input }) => { heard.push(tool + ' ' + input); });
		webmcp.audit.onEntry(({ input }) => { if (input === '{"n":1}') webmcp.invokeTool('read'); });
		const { content } = await webmcp.invokeTool('echo', { n: 1 });
		while (heard.length < 2) await new Promise(setTimeout);
		end();
		await webmcp.invokeTool('echo', { n: 2 });
		await new Promise(setTimeout);
		return [content[0].text, heard.join(), logged.filter(text => text.includes('a listener of audit.onEntry failed')).length];
	}`)
	require.Equal(t, []any{`{"n":1}`, `echo {"n":1},read {}`, 6.0}, got)
	require.Equal(t, "ConfigurationError", webmcptest.Eval[string](p, `() => { try { webmcp.audit.onEntry({}); } catch ({ name }) { return name; } }`))
}

func TestNoScriptEndsTheAuditLog(t *testing.T) {
	t.Parallel()
	p := withTools(policed(t, withWebMCP, twoFiles+block(auditAll), nil))
	p.Do(`async () => {
		webmcp.resetGlobalHooks();
		webmcp.configure({ replace: true, hooks: {} });
		await webmcp.policy({ webmcp: 1, rules: [{ tools: 'read', deny: true }] });
		try { webmcp.audit.entries = () => []; } catch { }
		JSON.stringify = () => '"forged"';
		Date.now = () => 0;
		Array.prototype.push = () => 0;
	}`)
	p.Invoke("echo", map[string]any{"a": 1}).Result()
	e := newest(t, p)
	require.Equal(t, `{"a":1}`, *e.Input)
	require.NotContains(t, e.Time, "1970")
}

func TestGoReadsTheAuditLogOfThePage(t *testing.T) {
	t.Parallel()
	p := goPage(t, withWebMCP)
	require.Empty(t, webmcptest.Eval[string](p, `() => goapp.enforce('{"webmcp": 1, "rules": [{"name": "log", "tools": "*", "audit": true}, {"tools": "handler", "redact": {"/id": "remove"}}]}')`))
	p.Do(`async () => {
		await goapp.register('handler');
		await webmcp(({ n }) => 'said ' + n, { name: 'script', description: 'Of JavaScript.', schema: { type: 'object' } }).register();
		goapp.audit();
	}`)
	for n := range 4 {
		p.Ask("script", map[string]any{"n": n})
	}
	p.Invoke("handler", map[string]any{"do": "fail"}).Result()
	p.WaitFor(`ran.some(line => line.startsWith('heard'))`)
	require.Empty(t, webmcptest.Eval[string](p, `() => { ran.splice(0, ran.length, ...ran.filter(line => line.startsWith('heard'))); return goapp.auditLog(); }`))
	require.Equal(t, []any{
		`heard script ok {"n":1} [log] true`, // of the first one it has panicked, and then it has ended
		"script said 0", "script said 1", "script said 2", "script said 3", "handler ",
	}, webmcptest.Eval[[]any](p, `() => ran`))
}

// collector takes what pages send to /audit.
type collector struct {
	mu     sync.Mutex
	bodies []string
	types  []string
}

func (c *collector) take(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	c.mu.Lock()
	c.bodies = append(c.bodies, string(body))
	c.types = append(c.types, r.Header.Get("Content-Type"))
	c.mu.Unlock()
	w.WriteHeader(http.StatusNoContent)
}

// entries returns the entries that have come.
func (c *collector) entries(t *testing.T) (all []audited) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, body := range c.bodies {
		for line := range strings.Lines(body) {
			var e audited
			require.NoError(t, json.Unmarshal([]byte(line), &e), line)
			all = append(all, e)
		}
	}
	return all
}

// await returns the entries once so many have come.
func (c *collector) await(t *testing.T, count int) (all []audited) {
	t.Helper()
	require.Eventually(t, func() bool {
		all = c.entries(t)
		return len(all) >= count
	}, 30*time.Second, 20*time.Millisecond)
	return all
}

func TestAServerGetsEachEntryOnce(t *testing.T) {
	t.Parallel()
	for _, form := range []string{twoFiles, esModule} {
		var c collector
		p := policed(t, withWebMCP, form+block(auditAll), map[string]http.HandlerFunc{"/audit": c.take})
		p.WaitFor(`globalThis.webmcp?.version`)
		p.Do(`() => { window.end = webmcp.audit.send('/audit', { wait: 100 }); }`) // before the module has come, in one form
		withTools(p)
		p.Do(`async () => { for (let n = 0; n < 300; n += 10) await Promise.all(Array.from({ length: 10 }, (_, i) => webmcp.invokeTool('echo', { n: n + i, text: 'x'.repeat(500) }))); }`)
		var got []int
		for _, e := range c.await(t, 300) {
			var input struct{ N int }
			require.NoError(t, json.Unmarshal([]byte(*e.Input), &input))
			got = append(got, input.N)
		}
		require.Len(t, got, 300)
		slices.Sort(got)
		require.Len(t, slices.Compact(got), 300)
		c.mu.Lock()
		require.Less(t, len(c.bodies), 300, "in batches")
		for _, body := range c.bodies {
			require.Less(t, len(body), 64<<10)
		}
		require.Equal(t, "text/plain;charset=utf-8", c.types[0])
		c.mu.Unlock()

		p.About("what was there before, and what is left when the page goes, the call that leaves it included")
		p.Do(`() => {
			make('leave', {}, () => { location.href = 'about:blank'; return new Promise(() => {}); });
		}`)
		p.Ask("echo", map[string]any{"n": 300})
		p.Invoke("leave", nil)
		entries := c.await(t, 302)
		require.Len(t, entries, 302)
		require.Equal(t, []any{"leave", "pending", true}, []any{entries[301].Tool, entries[301].Outcome, *entries[301].Executed})
	}
}

func TestWhatABrowserDoesNotTakeIsSentLater(t *testing.T) {
	t.Parallel()
	var c collector
	p := newPage(t, withWebMCP)
	p.OnNewDocument(`
		window.sizes = [];
		window.refuses = true;
		const { sendBeacon } = Navigator.prototype;
		Navigator.prototype.sendBeacon = function (url, blob) {
			sizes.push(blob.size);
			return refuses ? false : sendBeacon.call(this, url, blob);
		};
	`)
	p.Open(policedSite(t, twoFiles+block(auditAll), map[string]http.HandlerFunc{"/audit": c.take}))
	withTools(p)
	p.Do(`async () => {
		for (let n = 0; n < 60; n++) await webmcp.invokeTool('echo', { n, text: 'x'.repeat(1900) }); // before anybody asks for it
		webmcp.audit.send('/audit', { wait: 10 });
	}`)
	p.WaitFor(`sizes.length >= 2`)
	require.Empty(t, c.entries(t))
	p.Do(`() => { refuses = false; }`)
	require.Len(t, c.await(t, 60), 60)
	require.LessOrEqual(t, webmcptest.Eval[int](p, `() => Math.max(...sizes)`), 64<<10, "split")

	p.About("no more room")
	p.Do(`async () => {
		window.logged = [];
		console.error = (...what) => logged.push(what.join(' '));
		refuses = true;
		window.end = webmcp.audit.send('/audit', { wait: 10, room: 5 });
		for (let n = 100; n < 110; n++) await webmcp.invokeTool('read', { n });
	}`)
	require.Equal(t, 1, webmcptest.Eval[int](p, `() => logged.filter(text => text.includes('no room for more than 5')).length`))
	p.Do(`() => { refuses = false; end(); }`)
	require.Len(t, c.await(t, 65), 65)
	for _, wrong := range []string{``, `'http://['`, `'/audit', { format: 'xml' }`, `'/audit', { room: 0 }`, `'/audit', { wate: 1 }`} {
		require.Equal(t, "ConfigurationError", webmcptest.Eval[string](p, `() => { try { webmcp.audit.send(`+wrong+`); return 'sent'; } catch ({ name }) { return name; } }`), wrong)
	}
}

func TestACollectorOfOpenTelemetryTakesTheAuditLog(t *testing.T) {
	t.Parallel()
	var c collector
	p := withTools(policed(t, withWebMCP, twoFiles+block(`{"webmcp": 1, "rules": [{"name": "log", "tools": "*", "audit": true}, {"tools": "read", "deny": true}]}`), map[string]http.HandlerFunc{"/v1/logs": c.take}))
	p.Do(`async () => {
		const end = webmcp.audit.send('/v1/logs', { format: 'otlp', service: 'shop' });
		await webmcp.invokeTool('echo', { a: [1, 1.5, true, null, 'x'] });
		await webmcp.invokeTool('read', {});
		end();
	}`)
	require.Eventually(t, func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		return len(c.bodies) > 0
	}, 30*time.Second, 20*time.Millisecond)
	require.Equal(t, []string{"application/json"}, c.types)
	type attributes []struct {
		Key   string
		Value map[string]any
	}
	var got struct {
		ResourceLogs []struct {
			Resource  struct{ Attributes attributes }
			ScopeLogs []struct {
				Scope      struct{ Name, Version string }
				LogRecords []struct {
					TimeUnixNano, EventName, SeverityText string
					SeverityNumber                        int
					Attributes                            attributes
				}
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(c.bodies[0]), &got))
	require.Equal(t, "shop", got.ResourceLogs[0].Resource.Attributes[0].Value["stringValue"])
	records := got.ResourceLogs[0].ScopeLogs[0].LogRecords
	require.Len(t, records, 2)
	require.Equal(t, []any{"webmcp.tool.call", "INFO", 9}, []any{records[0].EventName, records[0].SeverityText, records[0].SeverityNumber})
	require.Regexp(t, `^\d{19}$`, records[0].TimeUnixNano)
	of := func(i int) map[string]any {
		all := map[string]any{}
		for _, a := range records[i].Attributes {
			for _, value := range a.Value {
				all[a.Key] = value
			}
		}
		return all
	}
	ok, denied := of(0), of(1)
	require.Equal(t, []any{"execute_tool", "echo", "ok"}, []any{ok["gen_ai.operation.name"], ok["gen_ai.tool.name"], ok["webmcp.outcome"]})
	require.NotContains(t, ok, "error.type")
	text, err := json.Marshal(ok["gen_ai.tool.call.arguments"])
	require.NoError(t, err)
	require.JSONEq(t, `{"values":[{"key":"a","value":{"arrayValue":{"values":[{"intValue":"1"},{"doubleValue":1.5},{"boolValue":true},{},{"stringValue":"x"}]}}}]}`, string(text))
	require.Equal(t, []any{"POLICY_DENIED", "denied", "Denied: the policy does not allow this call"}, []any{denied["error.type"], denied["webmcp.outcome"], denied["webmcp.message"]})
	require.NotContains(t, denied, "gen_ai.tool.call.result")
}
