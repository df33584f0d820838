package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/webmcptest"
)

const ranWith = "The user changed the input before they approved this call. It ran with this, and not with what you sent: "

// editPage is approvalPage with window.edit(approval, options), which makes the tool pay
// with an approval that lets the human change the input.
func editPage(t *testing.T) *webmcptest.Page {
	t.Helper()
	p := approvalPage(t)
	p.Do(`() => {
		window.edit = (approval, options) => make({ edit: true, ...approval }, options);
		window.texts = ({ content }) => content.map(({ text }) => text);
		window.said = async answered => { const { isError, code, executed, content } = await answered; return { isError, code, executed, text: content.map(({ text }) => text).join('|') } };
		window.standard = validate => ({ '~standard': { version: 1, vendor: 'test', validate, jsonSchema: { input: () => ({ type: 'object', properties: { amount: { type: 'number' }, day: { type: 'string' } }, required: ['amount'] }) } } });
	}`)
	return p
}

func TestAHumanChangesTheInputAndTheAgentReadsSo(t *testing.T) {
	t.Parallel()
	p := editPage(t)
	p.Do(`() => edit({}, { hooks: { after: ({ input, metadata }) => { seen.push(input, metadata.approval); } } })`)
	call := p.Invoke("pay", map[string]any{"amount": 7})
	p.Click("button", "Edit")
	p.Find("textbox", "amount").Fill("99999")
	armed(p).Click()
	amount := p.Find("textbox", "amount")
	amount.Until(`this.getAttribute('aria-invalid') === 'true'`)
	require.Contains(t, shownText(p), "must be <= 10000", "the schema is applied again")
	require.Empty(t, webmcptest.Eval[[]any](p, `() => ran`))
	amount.Fill("5")
	armed(p).Click()
	require.Equal(t, "paid 5\n"+ranWith+`{"amount":5}`, call.Text())
	p.AwaitGone("button", "Approve")
	require.Equal(t, []any{map[string]any{"amount": 5.0}}, webmcptest.Eval[[]any](p, `() => ran`))
	approval := webmcptest.Eval[map[string]any](p, `() => ({ ...seen[1], same: seen[0].amount === 5, frozen: Object.isFrozen(ran[0]) })`)
	require.Equal(t, []any{"approve", "dialog", true, true, true}, []any{approval["decision"], approval["how"], approval["edited"], approval["same"], approval["frozen"]})
	require.Equal(t, approval["digest"], webmcptest.Eval[string](p, `async () => [...new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode('{"amount":5}')))].map(byte => byte.toString(16).padStart(2, '0')).join('')`), "of what ran")
}

func TestEditingIsOfferedWhereAllThatAskAllowIt(t *testing.T) {
	t.Parallel()
	p := editPage(t)
	for _, c := range []struct {
		global, tool string
		want         bool
	}{
		{`false`, `{}`, false},
		{`false`, `{ edit: false }`, false},
		{`false`, `{ edit: true }`, true},
		{`true`, `{ edit: true }`, false},
		{`{ edit: true }`, `{}`, false},
		{`{ edit: true }`, `{ edit: true }`, true},
		{`{ when: () => 'allow' }`, `{ edit: true }`, true},
		{`{ when: () => 'ask' }`, `{ edit: true }`, false},
	} {
		got := webmcptest.Eval[[]any](p, `async () => {
			webmcp.configure({ approval: `+c.global+`, replace: true });
			const pay = await make(`+c.tool+`);
			const answered = call({ amount: 1 });
			const [{ id, edit }] = await asked();
			const error = await webmcp.approvals.resolve(id, { decision: 'approve', input: { amount: 2 } }).catch(error => error.name);
			if (error !== true) webmcp.approvals.resolve(id, 'deny');
			await answered;
			pay.unregister();
			return [edit, error];
		}`)
		want := []any{false, "ConfigurationError"}
		if c.want {
			want = []any{true, true}
		}
		require.Equal(t, want, got, "%+v", c)
	}
}

func TestAScriptApprovesWithAnotherInput(t *testing.T) {
	t.Parallel()
	p := editPage(t)
	got := webmcptest.Eval[map[string]any](p, `async () => {
		await edit({ remember: ['arguments', 'tool'] }, { hooks: { after: ({ metadata }) => { seen.push(metadata.approval.edited); } } });
		const answered = call({ amount: 1 });
		const [{ id, draft }] = await asked();
		const { resolve } = webmcp.approvals;
		const input = { amount: 'much', more: { deep: 1 } };
		const issues = await resolve(id, { decision: 'approve', input });
		const open = webmcp.approvals.pending().length;
		input.amount = 3;
		const counts = resolve(id, { decision: 'approve', input, remember: 'tool' });
		input.amount = 9999;
		input.more.deep = 9999;
		const late = [await counts, await resolve(id, { decision: 'approve', input: { amount: 4 } }), resolve(id, 'deny')];
		const result = await answered;
		const same = call({ amount: 2 });
		const [{ id: second }] = await asked();
		resolve(second, 'approve');
		await same;
		const unchanged = call({ amount: 8 });
		const [{ id: third }] = await asked();
		await resolve(third, { decision: 'approve', input: { amount: 8 } });
		return {
			draft, issues, open, late, texts: texts(result), ran, remembered: webmcp.approvals.remembered().length, unchanged: texts(await unchanged), seen,
			wrong: [() => resolve(id, { decision: 'deny', input: {} }), () => resolve(id, { decision: 'approve', inputs: {} })].map(f => { try { f() } catch (error) { return error.name } }),
		};
	}`)
	require.Equal(t, map[string]any{"amount": 1.0}, got["draft"])
	require.Equal(t, []any{map[string]any{"path": "amount", "message": `must be a number, got "much"`}}, got["issues"])
	require.Equal(t, 1.0, got["open"])
	require.Equal(t, []any{true, false, false}, got["late"])
	require.Equal(t, []any{"paid 3", ranWith + `{"amount":3,"more":{"deep":1}}`}, got["texts"])
	require.Len(t, got["ran"], 3)
	require.Zero(t, got["remembered"])
	require.Equal(t, []any{"paid 8"}, got["unchanged"])
	require.Equal(t, []any{true, false, false}, got["seen"])
	require.Equal(t, []any{"ConfigurationError", "ConfigurationError"}, got["wrong"])
}

func TestEachEndOfAnEditHasItsCode(t *testing.T) {
	t.Parallel()
	p := editPage(t)
	for name, c := range map[string]struct{ approval, input, code, text string }{
		"a policy denies the new input":        {`[{ edit: true }, { when: ({ input }) => input.amount > 50 ? { deny: 'Less.', code: 'TOO_MUCH' } : 'allow' }]`, `{ amount: 60 }`, "TOO_MUCH", "Denied: Less."},
		"a policy fails of the new input":      {`[{ edit: true }, { when: ({ input }) => input.amount > 50 ? 'maybe' : 'allow' }]`, `{ amount: 60 }`, "APPROVAL_POLICY_ERROR", "Nothing was done"},
		"one asks that does not let it change": {`[{ edit: true }, { when: ({ input }) => input.amount > 50 ? 'ask' : 'allow' }]`, `{ amount: 60 }`, "APPROVAL_POLICY_ERROR", "Nothing was done"},
		"one asks that lets it change":         {`[{ edit: true }, { edit: true, when: ({ input }) => input.amount > 50 ? 'ask' : 'allow' }]`, `{ amount: 60 }`, "", "paid 60|" + ranWith + `{"amount":60}`},
		"ask of the page changes it":           {`{ edit: true, ask: ({ edit, draft }) => ({ decision: 'approve', input: { amount: edit ? draft.amount + 1 : 0 } }) }`, ``, "", "paid 2|" + ranWith + `{"amount":2}`},
		"ask returns what is not valid":        {`{ edit: true, ask: () => ({ decision: 'approve', input: {} }) }`, ``, "APPROVAL_POLICY_ERROR", "Nothing was done"},
		"ask may not change it":                {`{ ask: () => ({ decision: 'approve', input: { amount: 2 } }) }`, ``, "APPROVAL_POLICY_ERROR", "Nothing was done"},
		"ask returns what JSON has not":        {`{ edit: true, ask: () => ({ decision: 'approve', input: { amount: 2, f() {} } }) }`, ``, "APPROVAL_POLICY_ERROR", "Nothing was done"},
	} {
		p.About("%s", name)
		got := webmcptest.Eval[answer](p, `async () => {
			ran.length = 0;
			const tool = await make(`+c.approval+`);
			const answered = said(call({ amount: 1 }));
			const input = `+map[bool]string{true: "undefined", false: c.input}[c.input == ""]+`;
			if (input) await webmcp.approvals.resolve((await asked())[0].id, { decision: 'approve', input });
			const answer = await answered;
			tool.unregister();
			return answer;
		}`)
		require.Equal(t, c.code, got.Code, name)
		require.Contains(t, got.Text, c.text, name)
		if c.code != "" {
			require.False(t, *got.Executed, name)
			require.NotContains(t, got.Text, ranWith, name)
			require.Empty(t, webmcptest.Eval[[]any](p, `() => ran`), "%s: the function ran", name)
		}
	}
}

func TestAFunctionOfThePageThatFailsTellsOfTheEditToo(t *testing.T) {
	t.Parallel()
	p := editPage(t)
	require.Equal(t, []string{"Error: sold out", ranWith + `{"amount":2}`}, webmcptest.Eval[[]string](p, `async () => {
		await webmcp(() => { throw new Error('sold out') }, { name: 'pay', description: 'Pays.', schema: { type: 'object' }, approval: { edit: true } }).register();
		const answered = call({ amount: 1 });
		await webmcp.approvals.resolve((await asked())[0].id, { decision: 'approve', input: { amount: 2 } });
		return texts(await answered);
	}`))
}

func TestAStandardSchemaValidatesTheEdit(t *testing.T) {
	t.Parallel()
	p := editPage(t)
	// It makes cents of the amount, and takes its time.
	p.Do(`() => {
		window.validated = [];
		window.gate = undefined;
		return edit({}, { schema: standard(async value => {
			validated.push(value);
			await gate;
			return value.amount > 100 ? { issues: [{ path: ['amount'], message: 'too much' }] } : { value: { amount: value.amount * 100, day: value.day && new Date(value.day) } };
		}) });
	}`)
	call := p.Invoke("pay", map[string]any{"amount": 7})
	p.Find("button", "Edit")
	require.Contains(t, shownText(p), "700", "what would run")
	p.Click("button", "Edit")
	require.Equal(t, "7", webmcptest.Read[string](p.Find("textbox", "amount"), `function () { return this.value }`), "what the schema takes")
	p.Do(`() => { gate = new Promise(open => { window.open = open }) }`)
	p.Find("textbox", "amount").Fill("101")
	armed(p).Click()
	p.Find("status", "").Until(`this.textContent === 'Checking your changes'`)
	p.Do(`() => open()`)
	p.Find("textbox", "amount").Until(`this.getAttribute('aria-invalid') === 'true'`)
	p.Find("textbox", "amount").Fill("8")
	armed(p).Click()
	p.Find("alert", "").Until(`this.textContent.includes('The tool makes this')`)
	require.Contains(t, shownText(p), "800")
	require.Empty(t, webmcptest.Eval[[]any](p, `() => ran`), "what a schema makes of it is shown before it runs")
	armed(p).Click()
	require.Equal(t, "paid 800\n"+ranWith+`{"amount":800}`, call.Text())
	require.Equal(t, 3, webmcptest.Eval[int](p, `() => validated.length`))
}

func TestAnEditThatIsCheckedEndsWithItsQuestion(t *testing.T) {
	t.Parallel()
	p := editPage(t)
	for name, c := range map[string]struct{ does, code string }{
		"aborted":            {`controller.abort()`, ""},
		"unregistered":       {`tool.unregister()`, "APPROVAL_UNAVAILABLE"},
		"timed out":          {``, "APPROVAL_TIMEOUT"},
		"denied":             {`webmcp.approvals.resolve(id, 'deny')`, "USER_DENIED"},
		"approved as it was": {`webmcp.approvals.resolve(id, 'approve')`, "ok"},
	} {
		p.About("%s", name)
		got := webmcptest.Eval[[]any](p, `async () => {
			ran.length = 0;
			let open, isSecond = false;
			const gate = new Promise(resolve => { open = resolve });
			const checks = new Promise(resolve => { window.checking = resolve });
			const tool = await edit({ timeout: `+map[bool]string{true: "1000", false: "60000"}[name == "timed out"]+` }, { schema: standard(async value => { if (isSecond) { checking(); await gate } isSecond = true; return { value } }) });
			const controller = new AbortController();
			const answered = call({ amount: 1 }, { signal: controller.signal }).then(({ code = 'ok' }) => code, () => '');
			const [{ id }] = await asked();
			const counts = webmcp.approvals.resolve(id, { decision: 'approve', input: { amount: 2 } });
			await checks;
			`+c.does+`;
			const code = await answered;
			while (webmcp.approvals.pending().length) await new Promise(requestAnimationFrame);
			open();
			const result = [code, await counts, ran.map(({ amount }) => amount)];
			tool.unregister();
			return result;
		}`)
		want := []any{c.code, false, []any{}}
		if c.code == "ok" {
			want[2] = []any{1.0}
		}
		require.Equal(t, want, got, name)
	}
	p.AwaitGone("button", "Approve")
}

// The dialog is gone with its question, though a schema is thinking still.
func TestADialogThatChecksClosesWithItsQuestion(t *testing.T) {
	t.Parallel()
	p := editPage(t)
	p.Do(`async () => {
		let isSecond = false;
		window.tool = await edit({}, { schema: standard(value => { if (isSecond) return new Promise(() => {}); isSecond = true; return { value } }) });
		window.answered = call({ amount: 1 });
	}`)
	p.Click("button", "Edit")
	p.Find("textbox", "amount").Fill("2")
	armed(p).Click()
	p.Find("status", "").Until(`this.textContent === 'Checking your changes'`)
	p.Do(`() => { tool.unregister() }`)
	p.AwaitGone("button", "Approve")
	require.Equal(t, "APPROVAL_UNAVAILABLE", webmcptest.Eval[string](p, `async () => (await answered).code`))
}

// The next question knows nothing of it.
func TestTheNextCallIsAskedAboutAsItCame(t *testing.T) {
	t.Parallel()
	p := editPage(t)
	p.Do(`() => edit({})`)
	first := p.Invoke("pay", map[string]any{"amount": 1})
	p.Click("button", "Edit")
	p.Find("textbox", "amount").Fill("5")
	second := p.Invoke("pay", map[string]any{"amount": 2})
	p.Find("dialog", "").Until(`this.innerText.includes('1 more waiting')`)
	require.Equal(t, "5", webmcptest.Read[string](p.Find("textbox", "amount"), `function () { return this.value }`), "a call that comes meanwhile takes nothing away")
	armed(p).Click()
	require.Equal(t, "paid 5\n"+ranWith+`{"amount":5}`, first.Text())
	p.Find("button", "Edit")
	armed(p).Click()
	require.Equal(t, "paid 2", second.Text())
}

// What is pending is fetched with the edit.
func TestAPendingCallIsFetchedWithItsEdit(t *testing.T) {
	t.Parallel()
	p := editPage(t)
	changed := []any{"paid 5", ranWith + `{"amount":5}`}
	require.Equal(t, []any{"APPROVAL_PENDING", true, changed, changed, 1.0}, webmcptest.Eval[[]any](p, `async () => {
		await edit({ hold: 50 });
		const { code, approvalId } = await call({ amount: 1 });
		const joined = await call({ amount: 1 });
		await webmcp.approvals.resolve(approvalId, { decision: 'approve', input: { amount: 5 } });
		const again = await call({ amount: 1 }); // it joins, too
		return [code, joined.approvalId === approvalId, texts(again), texts(await webmcp.invokeTool('get_approval', { id: approvalId })), ran.length];
	}`))
}

// The validation of a tool in Go blocks at times, and runs while the call waits for the human.
func TestToolsOfGoValidateTheEdit(t *testing.T) {
	t.Parallel()
	p := goPage(t, withWebMCP)
	got := webmcptest.Eval[[]any](p, `async () => {
		webmcp.configure({ approval: { edit: true } });
		await goapp.registerPost();
		const controller = new AbortController();
		const begin = async signal => {
			const answered = webmcp.invokeTool('post', { text: 'hello' }, { signal }).catch(({ name }) => name);
			while (!webmcp.approvals.pending().length) await new Promise(requestAnimationFrame);
			const [{ id }] = webmcp.approvals.pending();
			return { answered, resolve: text => webmcp.approvals.resolve(id, { decision: 'approve', input: { text } }), approve: () => webmcp.approvals.resolve(id, 'approve') };
		};
		const texts = ({ content }) => content.map(({ text }) => text);
		const first = await begin();
		const said = [];
		for (const text of ['much too long for the schema', 'rude', 'panic']) said.push((await first.resolve(text)).map(({ path, message }) => path + ' ' + message).join());
		const counts = await first.resolve('  bye ');
		const one = texts(await first.answered);
		const second = await begin();
		await second.resolve('rude');
		second.approve();
		const two = texts(await second.answered);
		const third = await begin(controller.signal);
		const slow = third.resolve('slow');
		await new Promise(requestAnimationFrame);
		controller.abort();
		await third.answered;
		while (webmcp.approvals.pending().length) await new Promise(requestAnimationFrame); // the browser tells of an abort later
		const fourth = await begin();
		await fourth.resolve('again');
		return [said, counts, one, two, await slow, texts(await fourth.answered)];
	}`)
	said := got[0].([]any)
	require.Contains(t, said[0], "text must have at most 20 characters")
	require.Contains(t, said[1], "must be kind")
	require.Contains(t, said[2], "panicked")
	require.Equal(t, true, got[1])
	require.Equal(t, []any{"bye true", ranWith + `{"text":"bye"}`}, got[2])
	require.Equal(t, []any{"hello false"}, got[3], "what was tried before is gone")
	require.Equal(t, false, got[4])
	require.Equal(t, []any{"again true", ranWith + `{"text":"again"}`}, got[5])
}
