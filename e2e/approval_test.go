package e2e

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/driver"
	"github.com/webmcp-wasm/webmcp/webmcptest"
)

// approvalPage opens a page with window.make(approval, options), which registers the
// tool pay and notes in window.ran what it was called with.
func approvalPage(t *testing.T) *webmcptest.Page {
	t.Helper()
	p := libPage(t, withWebMCP)
	prepareApprovals(p)
	return p
}

func prepareApprovals(p *webmcptest.Page) {
	p.Do(`() => {
		window.ran = [];
		window.seen = [];
		window.make = async (approval, options = {}) => {
			const tool = webmcp(async input => { ran.push(input); return 'paid ' + input.amount; }, {
				name: 'pay', description: 'Pays an amount of money.', approval,
				schema: { type: 'object', properties: { amount: { type: 'number', maximum: 10000 } }, required: ['amount'] }, ...options,
			});
			await tool.register();
			return tool;
		};
		window.call = (input, how) => webmcp.invokeTool('pay', input, how);
		window.asked = async (count = 1) => {
			while (webmcp.approvals.pending().length < count) await new Promise(requestAnimationFrame);
			return webmcp.approvals.pending();
		};
		window.told = ({ isError, code, executed, content }) => ({ isError, code, executed, text: content[0].text });
	}`)
}

// answer is what an agent gets of a call that was not made.
type answer struct {
	IsError  bool   `json:"isError"`
	Code     string `json:"code"`
	Executed *bool  `json:"executed"`
	Text     string `json:"text"`
}

func answerOf(t *testing.T, r *driver.Result) (a answer) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(r.Output), &a))
	a.Text = r.Text()
	return a
}

func TestAHumanApprovesInTheDialog(t *testing.T) {
	t.Parallel()
	p := approvalPage(t)
	p.Do(`() => make({ title: 'Pay the shop?', describe: ({ amount }) => amount + ' EUR leave your account.' },
		{ hooks: { after: ({ metadata }) => { seen.push(metadata.approval); } } })`)
	call := p.Invoke("pay", map[string]any{"amount": 7})
	p.Find("heading", "Pay the shop?")
	require.Empty(t, webmcptest.Eval[[]any](p, `() => ran`), "nothing has run before the human says so")
	armed(p).Click()
	require.Equal(t, "paid 7", call.Text())
	p.AwaitGone("button", "Approve")
	require.Equal(t, []any{map[string]any{"amount": 7.0}}, webmcptest.Eval[[]any](p, `() => ran`))
	approval := webmcptest.Eval[map[string]any](p, `() => seen[0]`)
	require.Equal(t, "approve", approval["decision"])
	require.Equal(t, "dialog", approval["how"])
	require.Equal(t, false, approval["edited"])
	require.Len(t, approval["digest"], 64)
}

func TestAHumanDeniesAndSaysWhy(t *testing.T) {
	t.Parallel()
	p := approvalPage(t)
	p.Do(`() => make(true, { hooks: { denied: ({ reason, code, metadata }) => { seen.push({ reason, code, how: metadata.approval.how }); } } })`)
	call := p.Invoke("pay", map[string]any{"amount": 7})
	p.Click("button", "Deny")
	got := answerOf(t, call.Result())
	require.Equal(t, "USER_DENIED", got.Code)
	require.Equal(t, false, *got.Executed)
	require.Contains(t, got.Text, "Nothing was done")
	require.Equal(t, "dialog", webmcptest.Eval[string](p, `() => seen[0].how`))
	require.Empty(t, webmcptest.Eval[[]any](p, `() => ran`))

	p.Do(`() => { window.answered = call({ amount: 1 }); }`)
	said := webmcptest.Eval[answer](p, `async () => {
		const [{ id }] = await asked();
		webmcp.approvals.resolve(id, { decision: 'deny', reason: 'not before payday' });
		return told(await answered);
	}`)
	require.Contains(t, said.Text, "not before payday")
}

func TestEachEndOfAnApprovalHasItsCode(t *testing.T) {
	t.Parallel()
	p := approvalPage(t)
	for name, c := range map[string]struct{ approval, during, code, text string }{
		"the human says no":           {`true`, `([{ id }]) => webmcp.approvals.resolve(id, 'deny')`, "USER_DENIED", "Denied: "},
		"nobody decides":              {`{ timeout: 50 }`, ``, "APPROVAL_TIMEOUT", "not answered in time"},
		"the dialog is removed":       {`true`, `() => document.documentElement.lastElementChild.remove()`, "APPROVAL_UNAVAILABLE", "cannot be asked"},
		"the dialog is moved":         {`true`, `() => document.body.append(document.documentElement.lastElementChild)`, "APPROVAL_UNAVAILABLE", "cannot be asked"},
		"the dialog is hidden":        {`true`, `() => { document.documentElement.style.display = 'none' }`, "APPROVAL_UNAVAILABLE", "cannot be asked"},
		"the dialog is covered":       {`true`, `() => { const cover = document.body.appendChild(document.createElement('dialog')); cover.style.cssText = 'width: 90vw; height: 90vh'; cover.showModal() }`, "APPROVAL_UNAVAILABLE", "cannot be asked"},
		"the document is new":         {`true`, `() => { document.open(); document.append(document.createElement('html')); document.documentElement.append(document.createElement('body')); document.close() }`, "APPROVAL_UNAVAILABLE", "cannot be asked"},
		"the tool is taken away":      {`true`, `() => tool.unregister()`, "APPROVAL_UNAVAILABLE", "taken away"},
		"a policy throws":             {`() => { throw new Error('broken') }`, ``, "APPROVAL_POLICY_ERROR", "Nothing was done"},
		"a policy rejects":            {`async () => { throw new Error('broken') }`, ``, "APPROVAL_POLICY_ERROR", "Nothing was done"},
		"a policy says what it likes": {`() => 'yes'`, ``, "APPROVAL_POLICY_ERROR", "Nothing was done"},
		"a policy says nothing":       {`() => {}`, ``, "APPROVAL_POLICY_ERROR", "Nothing was done"},
		"a policy says true":          {`() => true`, ``, "APPROVAL_POLICY_ERROR", "Nothing was done"},
		"a description throws":        {`{ describe() { throw new Error('broken') } }`, ``, "APPROVAL_POLICY_ERROR", "Nothing was done"},
		"a policy denies":             {`() => 'deny'`, ``, "DENIED", "Denied: "},
		"a policy denies and says so": {`async () => ({ deny: 'only on weekdays', code: 'WEEKEND' })`, ``, "WEEKEND", "Denied: only on weekdays"},
		"the page's own way fails":    {`{ ask() { throw new Error('broken') } }`, ``, "APPROVAL_UNAVAILABLE", "cannot be asked"},
		"the page's own way says yes": {`{ ask: () => 'yes' }`, ``, "APPROVAL_UNAVAILABLE", "cannot be asked"},
		"the page's own way denies":   {`{ ask: () => ({ decision: 'deny', reason: 'too much' }) }`, ``, "USER_DENIED", "too much"},
		"a policy that changes its mind": {
			`{ when: ({ metadata }) => metadata.once ? 'deny' : (metadata.once = true, 'ask') }`,
			`([{ id }]) => webmcp.approvals.resolve(id, 'approve')`, "DENIED", "Denied: ",
		},
		"a policy that breaks meanwhile": {
			`{ when: ({ metadata }) => metadata.once ? 'maybe' : (metadata.once = true, 'ask') }`,
			`([{ id }]) => webmcp.approvals.resolve(id, 'approve')`, "APPROVAL_POLICY_ERROR", "Nothing was done",
		},
	} {
		p.About("%s", name)
		got := webmcptest.Eval[answer](p, `async () => {
			ran.length = 0;
			window.tool = await make(`+c.approval+`);
			const answered = call({ amount: 3 });
			const during = `+cmp.Or(c.during, "undefined")+`;
			if (during) {
				const questions = await asked();
				await new Promise(requestAnimationFrame);
				during(questions);
			}
			const answer = told(await answered);
			tool.unregister();
			document.querySelector('body > dialog')?.remove();
			document.documentElement.style.display = '';
			return answer;
		}`)
		require.Equal(t, c.code, got.Code, name)
		require.True(t, got.IsError, name)
		require.NotNil(t, got.Executed, name)
		require.False(t, *got.Executed, name)
		require.Contains(t, got.Text, c.text, name)
		require.Empty(t, webmcptest.Eval[[]any](p, `() => ran`), "%s: the function ran", name)
		require.Empty(t, webmcptest.Eval[[]any](p, `() => webmcp.approvals.pending()`), name)
	}
}

func TestAPolicyDeniesBeforeItAsksAndAsksBeforeItAllows(t *testing.T) {
	t.Parallel()
	p := approvalPage(t)
	for _, c := range []struct{ global, scope, tool, hints, want string }{
		{`false`, `false`, `false`, `{}`, "paid 1"},
		{`undefined`, `undefined`, `() => 'allow'`, `{}`, "paid 1"},
		{`'consequential'`, `false`, `false`, `{}`, "paid 1"},
		{`'writes'`, `false`, `false`, `{ readOnlyHint: true }`, "paid 1"},
		{`'consequential'`, `false`, `() => 'allow'`, `{ consequentialHint: true }`, "ask"},
		{`'writes'`, `() => 'allow'`, `false`, `{}`, "ask"},
		{`false`, `true`, `() => 'allow'`, `{}`, "ask"},
		{`() => 'allow'`, `false`, `true`, `{}`, "ask"},
		{`() => 'ask'`, `() => 'deny'`, `true`, `{}`, "Denied: the call was denied, and nothing was done"},
		{`true`, `false`, `() => ({ deny: 'never' })`, `{}`, "Denied: never"},
	} {
		p.About("%+v", c)
		got := webmcptest.Eval[string](p, `async () => {
			webmcp.configure({ approval: `+c.global+`, replace: true });
			const pay = webmcp(async ({ amount }) => 'paid ' + amount, { name: 'pay', description: 'Pays.', approval: `+c.tool+`, annotations: `+c.hints+` });
			await pay.register({ scope: webmcp.scope({ approval: `+c.scope+` }) });
			const answered = call({ amount: 1 }).then(result => result.content[0].text);
			const said = await Promise.race([answered, asked().then(() => 'ask')]);
			pay.unregister();
			await answered;
			return said;
		}`)
		require.Equal(t, c.want, got, "%+v", c)
	}
}

func TestWhatIsShownIsWhatRuns(t *testing.T) {
	t.Parallel()
	p := approvalPage(t)
	p.Do(`async () => {
		let kept;
		await make({ describe: input => { seen.push(Object.isFrozen(input), input.amount); return 'Pay ' + input.amount; } },
			{ hooks: { before: ({ input }) => { kept = input; } } });
		window.answered = call({ amount: 1, more: { deep: 1 } });
		const [{ input }] = await asked();
		kept.amount = 9999;
		kept.more.deep = 9999;
		seen.push(input.amount, input.more.deep, Object.isFrozen(input.more));
		const [{ id, sentence }] = webmcp.approvals.pending();
		seen.push(sentence);
		webmcp.approvals.resolve(id, 'approve');
		await answered;
	}`)
	require.Equal(t, []any{true, 1.0, 1.0, 1.0, true, "Pay 1"}, webmcptest.Eval[[]any](p, `() => seen`))
	require.Equal(t, []any{map[string]any{"amount": 1.0, "more": map[string]any{"deep": 1.0}}}, webmcptest.Eval[[]any](p, `() => ran`))
}

func TestNobodyIsAskedAboutACallThatCannotSucceed(t *testing.T) {
	t.Parallel()
	p := approvalPage(t)
	got := webmcptest.Eval[answer](p, `async () => { await make(true); return told(await call({ amount: 'much' })); }`)
	require.True(t, got.IsError)
	require.Contains(t, got.Text, "amount")
	require.Zero(t, p.Count("button", "Approve"))
}

func TestAClientThatGaveUpComesBackForTheResult(t *testing.T) {
	t.Parallel()
	p := approvalPage(t)
	p.Do(`async () => { webmcp.configure({ approval: { hold: 100 } }); await make(); }`) // which is about all tools but get_approval
	pending := answerOf(t, p.Invoke("pay", map[string]any{"amount": 5}).Result())
	require.Equal(t, "APPROVAL_PENDING", pending.Code)
	require.True(t, strings.HasPrefix(pending.Text, "Pending: "), pending.Text)
	require.False(t, *pending.Executed)
	id := webmcptest.Eval[string](p, `async () => (await asked())[0].id`)
	require.Contains(t, pending.Text, id)
	p.AwaitTools("get_approval", "pay")

	// It asks before the human has decided, and calls once more.
	require.Equal(t, "APPROVAL_PENDING", answerOf(t, p.Invoke("get_approval", map[string]any{"id": id}).Result()).Code)
	again := answerOf(t, p.Invoke("pay", map[string]any{"amount": 5}).Result())
	require.Contains(t, again.Text, id, "the same call joins the question")
	require.Len(t, webmcptest.Eval[[]any](p, `() => webmcp.approvals.pending()`), 1)

	waits := p.Invoke("get_approval", map[string]any{"id": id})
	joins := p.Invoke("pay", map[string]any{"amount": 5})
	require.True(t, webmcptest.Eval[bool](p, `id => webmcp.approvals.resolve(id, 'approve')`, id))
	require.False(t, webmcptest.Eval[bool](p, `id => webmcp.approvals.resolve(id, 'deny')`, id), "a decision counts once")
	require.Equal(t, "paid 5", waits.Text())
	require.Equal(t, "paid 5", joins.Text())
	require.Equal(t, "paid 5", p.Ask("get_approval", map[string]any{"id": id}), "the answer is kept")
	require.Len(t, webmcptest.Eval[[]any](p, `() => ran`), 1, "the function ran once")
	require.Equal(t, "APPROVAL_UNKNOWN", answerOf(t, p.Invoke("get_approval", map[string]any{"id": "none"}).Result()).Code)
}

func TestTwentyCallsAreDecidedInMixedOrder(t *testing.T) {
	t.Parallel()
	p := approvalPage(t)
	got := webmcptest.Eval[[]string](p, `async () => {
		await make(true);
		const calls = Array.from({ length: 20 }, (_, amount) => call({ amount }));
		const questions = await asked(20);
		const order = questions.map((question, i) => [question, i * 7 % 20]).sort((a, b) => a[1] - b[1]).map(([question]) => question);
		for (const { id, input } of order) webmcp.approvals.resolve(id, input.amount % 3 === 0 ? 'approve' : { decision: 'deny', reason: 'no ' + input.amount });
		return (await Promise.all(calls)).map(({ content }) => content[0].text);
	}`)
	for i, text := range got {
		if i%3 == 0 {
			require.Equal(t, fmt.Sprint("paid ", i), text)
		} else {
			require.Contains(t, text, fmt.Sprint("no ", i, "."))
		}
	}
	require.Len(t, webmcptest.Eval[[]any](p, `() => ran`), 7)
}

func TestADecisionForACallThatIsGoneIsNothing(t *testing.T) {
	t.Parallel()
	p := approvalPage(t)
	for name, gone := range map[string]string{
		"aborted":      `() => controller.abort()`,
		"unregistered": `() => tool.unregister()`,
		"timed out":    `() => {}`,
	} {
		got := webmcptest.Eval[bool](p, `async () => {
			const gone = `+gone+`;
			window.tool = await make({ timeout: 2000 });
			window.controller = new AbortController();
			const answered = call({ amount: 1 }, { signal: controller.signal }).catch(() => {});
			const [{ id }] = await asked();
			await gone();
			await answered;
			while (webmcp.approvals.pending().length) await new Promise(requestAnimationFrame); // the browser tells of an abort later
			const counts = webmcp.approvals.resolve(id, 'approve');
			tool.unregister();
			return counts;
		}`)
		require.False(t, got, name)
	}
	require.Empty(t, webmcptest.Eval[[]any](p, `() => ran`))
	p.AwaitGone("button", "Approve")
}

func TestADecisionIsRememberedForWhatTheHumanWasTold(t *testing.T) {
	t.Parallel()
	p := approvalPage(t)
	got := webmcptest.Eval[map[string]any](p, `async () => {
		const tool = await make({ remember: [{ by: ['/amount'] }, 'tool'] });
		const decide = async (input, decision) => {
			const answered = call(input);
			const [{ id }] = await asked();
			webmcp.approvals.resolve(id, decision);
			return (await answered).content[0].text;
		};
		const first = await decide({ amount: 1, note: 'a' }, { decision: 'approve', remember: 'arguments' });
		const same = (await call({ note: 'b', amount: 1 })).content[0].text; // nobody is asked
		const rules = webmcp.approvals.remembered();
		const other = await decide({ amount: 2 }, 'deny');
		webmcp.approvals.forget('pay');
		const forgotten = await decide({ amount: 1 }, { decision: 'deny', remember: 'tool' });
		const denied = (await call({ amount: 3 })).code;
		// However many others come meanwhile.
		webmcp.approvals.forget('pay');
		await decide({ amount: 77 }, { decision: 'approve', remember: 'arguments' });
		for (let amount = 100; amount < 300; amount++) await decide({ amount }, 'deny');
		const still = (await call({ amount: 77 })).content[0].text;
		webmcp.approvals.forget('pay');
		await decide({ amount: 1 }, { decision: 'deny', remember: 'tool' });
		return { first, same, rules, other, forgotten, denied, still, left: webmcp.approvals.remembered() };
	}`)
	require.Equal(t, "paid 1", got["first"])
	require.Equal(t, "paid 1", got["same"])
	require.Equal(t, []any{map[string]any{"tool": "pay", "decision": "approve", "for": "arguments", "arguments": map[string]any{"/amount": 1.0}, "by": []any{"/amount"}}}, got["rules"])
	require.Contains(t, got["other"], "did not approve")
	require.Contains(t, got["forgotten"], "did not approve")
	require.Equal(t, "USER_DENIED", got["denied"])
	require.Equal(t, "paid 77", got["still"])
	require.Equal(t, []any{map[string]any{"tool": "pay", "decision": "deny", "for": "tool"}}, got["left"])
}

func TestTheHumansTimeIsNotTheCalls(t *testing.T) {
	t.Parallel()
	p := approvalPage(t)
	require.Equal(t, []string{"APPROVAL_PENDING", "paid 1"}, webmcptest.Eval[[]string](p, `async () => {
		await make({ hold: 500 }, { timeout: 300 });
		const { code, approvalId } = await call({ amount: 1 }); // later than the call may take
		webmcp.approvals.resolve(approvalId, 'approve');
		return [code, (await call({ amount: 1 })).content[0].text]; // it joins
	}`))
}

func TestAnAgentHearsThatThePageIsLeft(t *testing.T) {
	t.Parallel()
	p := approvalPage(t)
	p.Do(`() => make({ hold: Infinity })`)
	call := p.Invoke("pay", map[string]any{"amount": 5})
	p.Do(`async () => { await asked(); }`)
	p.Open(site.url(t, "/blank/"))
	got := answerOf(t, call.Result())
	require.Equal(t, "APPROVAL_PENDING", got.Code)
	require.False(t, *got.Executed)
}

func TestThreeHundredCallsWaitAtOnce(t *testing.T) {
	t.Parallel()
	p := approvalPage(t)
	got := webmcptest.Eval[[]int](p, `async () => {
		await make({ timeout: Infinity });
		const calls = Array.from({ length: 300 }, (_, amount) => call({ amount }));
		const questions = await asked(300);
		for (const { id } of questions) webmcp.approvals.resolve(id, 'approve');
		const results = await Promise.all(calls);
		return [questions.length, ran.length, results.filter(({ content }, i) => content[0].text === 'paid ' + i).length, webmcp.approvals.pending().length];
	}`)
	require.Equal(t, []int{300, 300, 300, 0}, got)
	p.AwaitGone("button", "Approve")
	p.AwaitTools("pay")
}

func TestAQuestionThatIsOverMayAnswerAnother(t *testing.T) {
	t.Parallel()
	p := approvalPage(t)
	// The page decides about the second call from within the end of the first.
	got := webmcptest.Eval[[]string](p, `async () => {
		await make({ ask: ({ input, signal }) => new Promise(() => signal.addEventListener('abort', () => {
			for (const { id } of webmcp.approvals.pending()) webmcp.approvals.resolve(id, 'approve');
		})) });
		const calls = [1, 2, 3].map(amount => call({ amount }));
		const [{ id }] = await asked(3);
		webmcp.approvals.resolve(id, 'deny');
		return (await Promise.all(calls)).map(({ code, content }) => code ?? content[0].text);
	}`)
	require.Equal(t, []string{"USER_DENIED", "paid 2", "paid 3"}, got)
}

func TestToolsOfGoWaitForAHumanToo(t *testing.T) {
	t.Parallel()
	p := goPage(t, withWebMCP)
	got := webmcptest.Eval[[]string](p, `async () => {
		webmcp.configure({ approval: { when: 'writes', timeout: 60000 } });
		await goapp.registerForBench();
		const call = () => webmcp.invokeTool('go_handler', { productId: 'cup', quantity: 2, note: '' });
		const decide = async decision => {
			const answered = call();
			while (!webmcp.approvals.pending().length) await new Promise(requestAnimationFrame);
			webmcp.approvals.resolve(webmcp.approvals.pending()[0].id, decision);
			const { code, content } = await answered;
			return code ?? content[0].text;
		};
		return [await decide('deny'), await decide('approve')];
	}`)
	require.Equal(t, []string{"USER_DENIED", `{"text":"2 of cup are in the cart"}`}, got)
}

func TestAModuleThatDiesLeavesNoQuestion(t *testing.T) {
	t.Parallel()
	p := goPage(t, withWebMCP)
	got := webmcptest.Eval[[]any](p, `async () => {
		const ran = [];
		await webmcp(async () => { ran.push(1); }, { name: 'pay', description: 'Pays.', approval: true }).register();
		const answered = webmcp.invokeTool('pay', {});
		while (!webmcp.approvals.pending().length) await new Promise(requestAnimationFrame);
		const [{ id }] = webmcp.approvals.pending();
		goapp.die();
		const { isError } = await answered;
		return [isError, webmcp.approvals.pending().length, webmcp.approvals.resolve(id, 'approve'), ran.length];
	}`)
	require.Equal(t, []any{true, 0.0, false, 0.0}, got)
	p.AwaitGone("button", "Approve")
}

func TestTheDialogSpeaksThePagesLanguage(t *testing.T) {
	t.Parallel()
	p := approvalPage(t)
	p.Do(`async () => {
		webmcp.configure({ approvalDialog: { armDelay: 0, strings: {
			lang: 'de', title: 'Erlauben?', approve: 'Ja', deny: 'Nein', call: 'Nur diesmal', sameArguments: (tool, args) => tool + ' mit ' + args,
			wholeTool: () => { throw new Error('a mistake') }, waiting: (count) => ({ count }),
		} } });
		await make({ remember: [{ by: ['/amount'] }, 'tool'] });
	}`)
	call, second := p.Invoke("pay", map[string]any{"amount": 1}), p.Invoke("pay", map[string]any{"amount": 2})
	p.Find("button", "Nein")
	p.Find("heading", "Erlauben?")
	for _, rule := range []string{"Nur diesmal", `pay mit {"/amount":1}`, "All calls of pay, until this page is closed"} {
		p.Find("radio", rule)
	}
	yes := p.Find("button", "Ja")
	yes.Until(`!this.hasAttribute('aria-disabled')`)
	yes.Click()
	require.Equal(t, "paid 1", call.Text())
	// What is wanted otherwise meanwhile holds from the next change on.
	p.Do(`() => webmcp.configure({ approvalDialog: { strings: { approve: 'Sí', nope: 'x' } } })`)
	p.Do(`() => { webmcp.approvals.resolve(webmcp.approvals.pending()[0].id, 'deny') }`)
	require.Equal(t, "USER_DENIED", second.Result().Code)
	third := p.Invoke("pay", map[string]any{"amount": 3})
	p.Find("button", "Sí")
	awaitLine(p, "the dialog has no text nope")
	p.Do(`() => { webmcp.approvals.resolve(webmcp.approvals.pending()[0].id, 'approve') }`)
	require.Equal(t, "paid 3", third.Text())
}

func TestAPageMayShowTheQuestionsItself(t *testing.T) {
	t.Parallel()
	p := approvalPage(t)
	p.Do(`async () => {
		webmcp.configure({ approvalDialog: false });
		await make({ remember: ['arguments', { by: ['/amount'] }], describe: ({ amount }, { tool, metadata }) => amount + ' by ' + tool.tool.name + ' for ' + metadata.user },
			{ hooks: { before: [({ metadata }) => { metadata.user = 'Ada' }] } });
	}`)
	call := p.Invoke("pay", map[string]any{"amount": 1, "note": "x"})
	got := webmcptest.Eval[[]any](p, `async () => {
		const [{ id, remember, sentence }] = await asked();
		await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
		const shown = document.querySelectorAll(':modal').length + document.documentElement.childElementCount;
		return [remember, sentence, shown, webmcp.approvals.resolve(id, { decision: 'approve', remember: 'arguments' }), webmcp.approvals.remembered()];
	}`)
	require.Equal(t, []any{
		[]any{"call", "arguments"},
		"1 by pay for Ada", 2.0, true,
		[]any{map[string]any{"tool": "pay", "decision": "approve", "for": "arguments", "arguments": map[string]any{"/amount": 1.0}, "by": []any{"/amount"}}},
	}, got)
	require.Equal(t, "paid 1", call.Text())
	require.Equal(t, "paid 1", p.Ask("pay", map[string]any{"amount": 1, "note": "other"}))
}

func TestAMistakeInHowTheDialogIsToBeIsSaidAtOnce(t *testing.T) {
	t.Parallel()
	p := approvalPage(t)
	for option, want := range map[string]string{
		`true`: "must be an object", `{ texts: {} }`: "the options are strings, armDelay", `{ strings: 'de' }`: "must be an object with texts",
		`{ armDelay: -1 }`: "from 0 to 10000", `{ armDelay: 1e9 }`: "from 0 to 10000", `{ armDelay: '5' }`: "from 0 to 10000",
	} {
		require.Contains(t, webmcptest.Eval[string](p, `() => attempt(() => webmcp.configure({ approvalDialog: `+option+` })).message`), want, option)
	}
}
