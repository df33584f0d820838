package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/webmcptest"
)

// goPayPage opens the page of testdata/goapp with goapp.registerPay(approval, ofTheScope),
// as registerPay of testdata/goapp/approvals.go has it, and helpers for calls of go_pay.
func goPayPage(t *testing.T) *webmcptest.Page {
	t.Helper()
	p := goPage(t, withWebMCP)
	p.Do(`() => {
		window.call = (input, how) => webmcp.invokeTool('go_pay', input, how);
		window.asked = async (count = 1) => {
			while (webmcp.approvals.pending().length < count) await new Promise(requestAnimationFrame);
			return webmcp.approvals.pending();
		};
		window.told = ({ isError, code, executed, content }) => ({ isError, code, executed, text: content[0].text });
		window.again = async (tool, scope) => {
			goapp.release('go_pay');
			await goapp.registerPay(tool, scope);
		};
	}`)
	return p
}

func ranOf(p *webmcptest.Page) []string {
	return webmcptest.Eval[[]string](p, `() => ran.splice(0)`)
}

func TestAHumanDecidesAboutAToolOfGo(t *testing.T) {
	t.Parallel()
	p := goPayPage(t)
	p.Do(`() => goapp.registerPay({ title: 'Pay the shop?', describe: 'This pays', details: 'For good:' })`)
	call := p.Invoke("go_pay", map[string]any{"amount": 7})
	dialog := p.Find("dialog", "")
	p.Find("heading", "Pay the shop?")
	for _, text := range []string{"This pays 7", "For good: 7", "the shop"} {
		require.Contains(t, dialog.Text(), text)
	}
	require.Empty(t, ranOf(p), "nothing has run before the human says so")
	armed(p).Click()
	require.Equal(t, "paid 7", call.Text())
	require.Equal(t, []string{"fn dialog"}, ranOf(p))

	call = p.Invoke("go_pay", map[string]any{"amount": 7})
	p.Click("button", "Deny")
	got := answerOf(t, call.Result())
	require.Equal(t, "USER_DENIED", got.Code)
	require.Equal(t, false, *got.Executed)
	require.Equal(t, []string{"false dialog"}, ranOf(p))

	require.True(t, p.Invoke("go_pay", map[string]any{"amount": 10001}).Result().IsError, "nobody is asked about what the schema refuses")
}

func TestEachVerdictOfGoHasItsEnd(t *testing.T) {
	t.Parallel()
	p := goPayPage(t)
	for name, c := range map[string]struct {
		approval, scope, decision string
		code, text                string // of the answer
		ran                       []string
	}{
		"it asks":     {`{ when: 'ask' }`, `null`, "approve", "", "paid 60", []string{"when", "when", "fn script"}},
		"it allows":   {`{ when: 'allow' }`, `{ when: 'allow' }`, "", "", "paid 60", []string{"when", "when", "fn nobody"}},
		"it denies":   {`{ when: 'deny' }`, `null`, "", "DENIED", "Denied: ", []string{"when"}},
		"it blocks":   {`{ when: 'sleep' }`, `null`, "approve", "", "paid 60", []string{"when", "when", "fn script"}},
		"the amount":  {`{ when: 'by amount' }`, `null`, "deny", "USER_DENIED", "Denied: ", []string{"when", "false script"}},
		"it says why": {`{ when: 'deny with code' }`, `null`, "", "TOO_MUCH", "Denied: That is too much.", []string{"when"}},
		"it changes its mind": {
			`{ when: 'deny later' }`, `null`, "approve", "TOO_LATE", "Denied: It has changed.",
			[]string{"when", "when", "true script"},
		},
		"it is laxer once it was approved": {`{ when: 'allow later' }`, `null`, "approve", "", "paid 60", []string{"when", "when", "fn script"}},
		"the scope asks":                   {`{ when: 'allow' }`, `{ title: 'Of the scope' }`, "approve", "", "paid 60", []string{"when", "when", "fn script"}},
		"the scope denies before the tool is heard": {
			`{ when: 'panic' }`, `{ when: 'deny with code' }`, "", "TOO_MUCH", "Denied: That is too much.", []string{"when"},
		},
		"the tool denies what the scope asks about": {`{ when: 'deny' }`, `{}`, "", "DENIED", "Denied: ", []string{"when"}},
		"it is about others":                        {`{ when: 'deny', only: 'consequential' }`, `{ only: 'writes' }`, "approve", "", "paid 60", []string{"fn script"}},
		"nobody decides": {
			`{ timeout: 50 }`, `null`, "", "APPROVAL_TIMEOUT", "has not answered in time",
			[]string{"APPROVAL_TIMEOUT: <nil>"},
		},
		"it fails": {
			`{ when: 'fail' }`, `null`, "", "APPROVAL_POLICY_ERROR", "Nothing was done",
			[]string{"when", "APPROVAL_POLICY_ERROR: out of order"},
		},
		"it panics": {
			`{ when: 'panic' }`, `null`, "", "APPROVAL_POLICY_ERROR", "Nothing was done",
			[]string{"when", "APPROVAL_POLICY_ERROR: internal error: the tool's Go code panicked"},
		},
		"it ends its goroutine": {
			`{ when: 'goexit' }`, `null`, "", "APPROVAL_POLICY_ERROR", "Nothing was done",
			[]string{"when", "APPROVAL_POLICY_ERROR: internal error: the tool's Go code ended its goroutine"},
		},
		"it returns no verdict": {
			`{ when: 'wrong' }`, `null`, "", "APPROVAL_POLICY_ERROR", "Nothing was done",
			[]string{"when", "APPROVAL_POLICY_ERROR: When of an approval returned the verdict 7, which there is not"},
		},
		"a description panics": {
			`{ describe: 'panic' }`, `{ describe: 'fine' }`, "", "APPROVAL_POLICY_ERROR", "Nothing was done",
			[]string{"APPROVAL_POLICY_ERROR: internal error: the tool's Go code panicked"},
		},
		"a description that nobody sees panics": {`{ describe: 'fine' }`, `{ describe: 'panic' }`, "approve", "", "paid 60", []string{"fn script"}},
		"details panic": {
			`{ details: 'panic' }`, `null`, "", "APPROVAL_POLICY_ERROR", "Nothing was done",
			[]string{"APPROVAL_POLICY_ERROR: internal error: the tool's Go code panicked"},
		},
		"it has a mistake in it": {
			`null`, `{ only: 'unknown' }`, "", "APPROVAL_POLICY_ERROR", "Nothing was done",
			[]string{"APPROVAL_POLICY_ERROR: an approval has an Only that is no hint that there is"},
		},
		"what is remembered has a mistake in it": {
			`null`, `{ remember: 'amount' }`, "", "APPROVAL_POLICY_ERROR", "Nothing was done",
			[]string{`APPROVAL_POLICY_ERROR: an approval has a Remember.By with amount: it must be a list of JSON Pointers, such as "/productId"`},
		},
	} {
		p.About("%s", name)
		got := webmcptest.Eval[answer](p, `async decision => {
			ran.length = 0;
			await goapp.registerPay(`+c.approval+`, `+c.scope+`);
			const answered = call({ amount: 60 });
			if (decision) {
				const [{ id }] = await asked();
				webmcp.approvals.resolve(id, decision);
			}
			const answer = told(await answered);
			goapp.release('go_pay');
			return answer;
		}`, c.decision)
		require.Equal(t, c.code, got.Code, name)
		require.Contains(t, got.Text, c.text, name)
		require.Equal(t, c.code != "", got.IsError, name)
		if c.code != "" {
			require.NotNil(t, got.Executed, name)
			require.False(t, *got.Executed, name)
		}
		require.Equal(t, c.ran, ranOf(p), name)
		require.Empty(t, webmcptest.Eval[[]any](p, `() => webmcp.approvals.pending()`), name)
	}
	require.Equal(t, "paid 1", webmcptest.Eval[string](p, `async () => {
		await goapp.registerPay({ when: 'by amount' });
		return told(await call({ amount: 1 })).text;
	}`), "the program lives")
}

func TestAWhenOfGoThatHangsHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	p := goPayPage(t)
	p.Do(`() => { // ten seconds are soon over
		const { setTimeout } = window;
		window.setTimeout = (done, ms, ...more) => setTimeout(done, ms === 10_000 ? 20 : ms, ...more);
	}`)
	for _, how := range []string{"hang", "block"} {
		got := webmcptest.Eval[answer](p, `async how => {
			await goapp.registerPay({ when: how });
			const answer = told(await call({ amount: 60 }));
			goapp.release('go_pay');
			return answer;
		}`, how)
		require.Equal(t, "APPROVAL_POLICY_ERROR", got.Code, how)
		require.Equal(t, []string{"when", "APPROVAL_POLICY_ERROR: it has not answered within 10000 ms"}, ranOf(p), how)
	}
}

func TestAnAbortReachesAWhenOfGo(t *testing.T) {
	t.Parallel()
	p := goPayPage(t)
	p.Do(`() => { // its own ten seconds are never over: only the abort tells it
		const { setTimeout } = window;
		window.setTimeout = (done, ms, ...more) => (ms > 9000 && ms < 11_000 ? 0 : setTimeout(done, ms, ...more));
		goapp.approval({ when: 'hang' }); // and no observer of Go lets it go on
		return webmcp(({ amount }) => amount, { name: 'script', description: 'Pays.' }).register();
	}`)
	call := p.Invoke("script", map[string]any{"amount": 60})
	p.WaitFor(`ran.includes('when')`)
	call.Cancel()
	p.WaitFor(`ran.includes('told to stop')`)
	require.Empty(t, webmcptest.Eval[[]any](p, `() => webmcp.approvals.pending()`))

	p.Do(`() => {
		goapp.reset();
		webmcp.configure({ timeout: 50 });
		ran.length = 0;
		return goapp.registerPay({ when: 'hang' });
	}`)
	require.Equal(t, "TIMEOUT", webmcptest.Eval[answer](p, `async () => told(await call({ amount: 60 }))`).Code)
	p.WaitFor(`ran.includes('told to stop')`)
}

func TestWhatAnApprovalOfGoDoesToTheCallHasNoEffect(t *testing.T) {
	t.Parallel()
	p := goPayPage(t)
	got := webmcptest.Eval[[]any](p, `async () => {
		const seen = [];
		webmcp.configure({ hooks: {
			before: [({ metadata }) => { metadata.js = 'hello'; }],
			after: [({ metadata, input }) => { seen.push(metadata.go, input); }],
		} });
		await goapp.registerPay({ when: 'meddle', describe: 'meddle', details: 'meddle' });
		const answered = call({ amount: 60 });
		const [{ id, sentence, details, input, tool }] = await asked();
		webmcp.approvals.resolve(id, 'approve');
		return [told(await answered).text, ...seen, tool, sentence, details, input];
	}`)
	same := map[string]any{"amount": 60.0, "to": "the shop"}
	require.Equal(t, []any{"paid 60", "was here", same, "go_pay", "meddle 9999", "meddle 9999", same}, got)
	require.Equal(t, []string{"when", "js says hello", "when", "js says hello", "fn script"}, ranOf(p))
}

func TestPoliciesOfGoAndOfThePageAreOne(t *testing.T) {
	t.Parallel()
	p := goPayPage(t)
	for name, c := range map[string]struct {
		script, approval string
		want             string // title, sentence and details of the question, or the code
	}{
		"JavaScript denies what Go allows":      {`() => 'deny'`, `{ when: 'allow' }`, "DENIED"},
		"Go denies what JavaScript allows":      {`() => 'allow'`, `{ when: 'deny with code' }`, "TOO_MUCH"},
		"Go denies what JavaScript asks about":  {`true`, `{ when: 'deny with code' }`, "TOO_MUCH"},
		"Go asks where JavaScript allows":       {`() => 'allow'`, `{ title: 'Go', describe: 'says' }`, "Go|says 60|"},
		"JavaScript asks where Go allows":       {`{ title: 'JS', details: 'more' }`, `{ when: 'allow', title: 'Go' }`, "JS||more"},
		"the innermost word counts, each apart": {`{ title: 'JS', describe: 'JS', details: 'more' }`, `{ describe: 'Go' }`, "JS|Go 60|more"},
	} {
		p.About("%s", name)
		got := webmcptest.Eval[string](p, `async () => {
			webmcp.configure({ approval: `+c.script+`, replace: true });
			await goapp.registerPay(`+c.approval+`);
			const answered = call({ amount: 60 });
			const question = await Promise.race([asked().then(([first]) => first), answered]);
			if (question.id) webmcp.approvals.resolve(question.id, 'approve');
			const answer = told(await answered);
			goapp.release('go_pay');
			return question.id ? [question.title, question.sentence, question.details].join('|') : answer.code;
		}`)
		require.Equal(t, c.want, got, name)
		p.Do(`() => webmcp.resetGlobalHooks()`)
	}
	// Of Go for every tool, about a tool of JavaScript.
	denied := webmcptest.Eval[[]string](p, `async () => {
		goapp.approval({ only: 'writes', describe: 'A change for' });
		webmcp.resetGlobalHooks(); // Go's stay
		const make = (name, readOnlyHint) => webmcp(async ({ amount }) => 'script ' + amount, { name, description: 'Pays.', annotations: { readOnlyHint } }).register();
		await make('script', false);
		await make('reader', true);
		const answered = webmcp.invokeTool('script', { amount: 3 });
		const [{ id, sentence }] = await asked();
		webmcp.approvals.resolve(id, 'deny');
		const texts = [sentence, told(await answered).code, told(await webmcp.invokeTool('reader', { amount: 4 })).text];
		goapp.reset();
		return [...texts, told(await webmcp.invokeTool('script', { amount: 5 })).text];
	}`)
	require.Equal(t, []string{"A change for 3", "USER_DENIED", "script 4", "script 5"}, denied)

	// The outermost that asks decides who is asked.
	hows := webmcptest.Eval[[]string](p, `async () => {
		const ask = () => 'approve';
		await goapp.registerPay({});
		webmcp.configure({ approval: { ask } });
		ran.length = 0;
		await call({ amount: 1 });
		webmcp.resetGlobalHooks();
		goapp.approval({});
		webmcp.configure({ approval: { ask } });
		const answered = call({ amount: 1 });
		const [{ id }] = await asked();
		webmcp.approvals.resolve(id, 'approve');
		await answered;
		return ran;
	}`)
	require.Equal(t, []string{"fn ask", "fn script"}, hows)
}

func TestDecisionsAboutToolsOfGoAreRememberedAndShared(t *testing.T) {
	t.Parallel()
	p := goPayPage(t)
	got := webmcptest.Eval[map[string]any](p, `async () => {
		const texts = async answers => (await Promise.all(answers)).map(a => told(a).code ?? told(a).text);
		const decide = async (answered, decision) => {
			const [{ id }] = await asked();
			webmcp.approvals.resolve(id, decision);
			return texts([answered]);
		};
		const out = {};
		await goapp.registerPay({ remember: '/to' });
		await decide(call({ amount: 1, to: 'Ada' }), { decision: 'approve', remember: 'arguments' });
		out.remembered = webmcp.approvals.remembered();
		out.same = await texts([call({ amount: 2, to: 'Ada' })]);
		out.other = await decide(call({ amount: 3, to: 'Bob' }), 'deny');

		await again({ when: 'ask', remember: 'tool' }, { remember: 'tool' });
		await decide(call({ amount: 4 }), { decision: 'approve', remember: 'tool' });
		out.when = await decide(call({ amount: 5 }), 'deny');

		await again({});
		ran.length = 0;
		let heard = 0; // of calls at the desk
		const end = webmcp.approvals.onChange(() => heard++);
		const hears = async count => {
			while (heard < count) await new Promise(requestAnimationFrame);
		};
		const joined = [call({ amount: 6 })];
		await hears(1);
		joined.push(call({ amount: 6 }));
		await hears(2);
		end();
		out.questions = webmcp.approvals.pending().length;
		webmcp.approvals.resolve(webmcp.approvals.pending()[0].id, 'approve');
		out.joined = await texts(joined);
		out.ran = ran.splice(0);

		const two = [call({ amount: 7 }), call({ amount: 8 })];
		const [first, second] = await asked(2);
		webmcp.approvals.resolve(second.id, 'approve');
		webmcp.approvals.resolve(first.id, 'deny');
		out.two = await texts(two);

		const gone = call({ amount: 9 });
		await asked();
		goapp.release('go_pay');
		out.gone = await texts([gone]);
		out.left = webmcp.approvals.pending();
		return out;
	}`)
	require.Equal(t, map[string]any{
		"remembered": []any{map[string]any{"tool": "go_pay", "decision": "approve", "for": "arguments", "arguments": map[string]any{"/to": "Ada"}, "by": []any{"/to"}}},
		"same":       []any{"paid 2"},
		"other":      []any{"USER_DENIED"},
		"when":       []any{"USER_DENIED"},
		"questions":  1.0,
		"joined":     []any{"paid 6", "paid 6"},
		"ran":        []any{"fn script"},
		"two":        []any{"USER_DENIED", "paid 8"},
		"gone":       []any{"APPROVAL_UNAVAILABLE"},
		"left":       []any{},
	}, got)
}

func TestAnApprovalOfGoIsToldOncePerPlan(t *testing.T) {
	t.Parallel()
	p := goPayPage(t)
	got := webmcptest.Eval[[]string](p, `async () => {
		const deadlines = [];
		const ask = async () => {
			const answered = call({ amount: 1 });
			const [{ id, since, deadline, title }] = await asked();
			deadlines.push(title + ' ' + (deadline - since));
			webmcp.approvals.resolve(id, 'deny');
			await answered;
		};
		await goapp.registerPay({ title: 'tool', timeout: 90000 }, { title: 'scope', timeout: -1 });
		await ask();
		goapp.approval({ title: 'all', timeout: 30000 });
		await ask();
		goapp.reset();
		await again(null, { title: 'scope', timeout: -1 });
		await ask();
		await again({});
		await ask();
		return deadlines;
	}`)
	require.Equal(t, []string{"tool 90000", "tool 30000", "scope Infinity", "undefined 120000"}, got)
}

func TestRunInAPageAsksAnApproverOfGo(t *testing.T) {
	t.Parallel()
	p := goPage(t, withWebMCP)
	p.Do(`async () => {
		ran.length = 0;
		await goapp.run('approve');
		await goapp.run('not today');
	}`)
	ran := ranOf(p)
	require.Equal(t, []string{"asked in Go", "run", "asked in Go"}, ran[:3])
	require.Contains(t, ran[3], "not today")
}

func TestThePageAsksAboutToolsOfGo(t *testing.T) {
	t.Parallel()
	p := goPage(t, withWebMCP)
	p.Do(`async () => {
		goapp.seeApproval();
		await goapp.register('go');
		webmcp.configure({ approval: { ask: ({ input }) => input.yes ? 'approve' : { decision: 'deny', reason: 'not now' } } });
		ran.splice(0);
	}`)
	require.Equal(t, "plain text", p.Ask("go", map[string]any{"do": "text", "yes": true}))
	require.Equal(t, []string{"true ask 64 true"}, webmcptest.Eval[[]string](p, `() => ran.splice(0).filter(line => line.includes('ask'))`))
	denied := answerOf(t, p.Invoke("go", map[string]any{"do": "text"}).Result())
	require.Equal(t, "USER_DENIED", denied.Code)
	require.Contains(t, denied.Text, "not now")
	ran := webmcptest.Eval[[]string](p, `() => ran`)
	require.NotContains(t, ran, "fn")
	require.Contains(t, ran, "false ask 64 true")
}
