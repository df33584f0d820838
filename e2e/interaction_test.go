package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/webmcptest"
)

// interactingPage opens a page whose browser is a stand-in that gives execute a client
// as requests names it, with window.asAgent(input, client) as its agent.
func interactingPage(t *testing.T) *webmcptest.Page {
	t.Helper()
	p := newPage(t, withoutWebMCP)
	p.OnNewDocument(`
		const tools = new Map();
		const context = Object.assign(new EventTarget(), {
			async registerTool(tool) { tools.set(tool.name, tool); },
			async getTools() { return []; },
			async executeTool() {},
		});
		Object.defineProperty(document, 'modelContext', { value: context });
		window.asAgent = (client, input = { amount: 1 }) => tools.get('pay').execute(input, client);
		window.state = { called: 0, ended: 0 };
		// client returns one of earlier browsers, or as it is proposed; act says what it does with the callback.
		window.clientOf = (kind, act) => {
			const take = (callback, options) => {
				state.called++;
				state.options = options;
				state.go = async () => {
					await callback();
					state.ended++;
				};
				return act(state.go);
			};
			return kind === 'input' ? { requestUserInput: (options, callback) => take(callback, options) } : { requestUserInteraction: (callback) => take(callback) };
		};
		window.called = async () => {
			while (!state.called) await new Promise(requestAnimationFrame);
		};
		window.settled = () => new Promise((done) => setTimeout(() => requestAnimationFrame(() => setTimeout(done))));
		window.isShown = () => document.documentElement.lastElementChild !== document.body;
	`)
	p.Open(site.url(t, "/lib/"))
	p.WaitFor(`globalThis.webmcp?.version`)
	prepareApprovals(p)
	return p
}

func TestTheQuestionIsShownInsideTheBrowsersInteraction(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"interaction", "input"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			p := interactingPage(t)
			got := webmcptest.Eval[[]any](p, `async (kind) => {
				await make(true);
				window.answered = asAgent(clientOf(kind, () => new Promise(() => {})));
				await asked();
				await called();
				const before = isShown();
				state.go();
				while (!isShown()) await new Promise(requestAnimationFrame);
				return [before, state.called, state.ended, ran.length];
			}`, kind)
			require.Equal(t, []any{false, 1.0, 0.0, 0.0}, got)
			armed(p).Click()
			require.Equal(t, "paid 1", webmcptest.Eval[answer](p, `async () => told(await answered)`).Text)
			p.WaitFor(`state.ended === 1`)
			require.Equal(t, kind == "input", webmcptest.Eval[bool](p, `() => state.options?.mode === 'interactive' && state.options.signal.aborted`))
		})
	}
}

func TestAnInteractionThatTheBrowserRefusesIsTheEnd(t *testing.T) {
	t.Parallel()
	p := interactingPage(t)
	for name, c := range map[string]struct{ kind, act, code string }{
		"it throws":                    {"interaction", `() => { throw new Error('no') }`, "APPROVAL_UNAVAILABLE"},
		"it rejects":                   {"interaction", `async () => { throw new Error('no') }`, "APPROVAL_UNAVAILABLE"},
		"it does not call back":        {"interaction", `async () => {}`, "APPROVAL_UNAVAILABLE"},
		"the human declines":           {"input", `async () => ({ action: 'decline' })`, "APPROVAL_UNAVAILABLE"},
		"it rejects once it is shown":  {"interaction", `async (go) => { go(); throw new Error('no') }`, "APPROVAL_UNAVAILABLE"},
		"it is cancelled once shown":   {"input", `async (go) => { go(); return { action: 'cancel' } }`, "APPROVAL_UNAVAILABLE"},
		"it calls back, and is done":   {"interaction", `(go) => { go() }`, "USER_DENIED"},
		"it calls back twice":          {"interaction", `(go) => { go(); return go() }`, "USER_DENIED"},
		"it is over with the question": {"input", `(go) => go().then(() => ({ action: 'accept' }))`, "USER_DENIED"},
	} {
		for _, ask := range []string{"", `ask: () => new Promise(() => {}),`} {
			got := webmcptest.Eval[answer](p, `async (kind) => {
				state.called = 0;
				const tool = await make({ `+ask+` });
				const answered = asAgent(clientOf(kind, `+c.act+`));
				await called();
				await settled();
				for (const { id } of webmcp.approvals.pending()) webmcp.approvals.resolve(id, 'deny');
				const answer = told(await answered);
				tool.unregister();
				await settled();
				return answer;
			}`, c.kind)
			require.Equal(t, c.code, got.Code, "%s %s", name, ask)
		}
	}
	require.Empty(t, webmcptest.Eval[[]any](p, `() => ran`))
	require.False(t, webmcptest.Eval[bool](p, `() => isShown()`))
}

func TestAnInteractionThatNeverBeginsHangsNothing(t *testing.T) {
	t.Parallel()
	p := interactingPage(t)
	got := webmcptest.Eval[[]any](p, `async () => {
		await make({ timeout: 1000 });
		const late = told(await asAgent(clientOf('interaction', () => new Promise(() => {}))));
		const shownLate = isShown();
		await state.go(); // too late: it is over at once, and shows nothing
		await settled();
		return [late.code, shownLate, isShown(), ran.length];
	}`)
	require.Equal(t, []any{"APPROVAL_TIMEOUT", false, false, 0.0}, got)
}

func TestAClientThatHasItsAnswerHasNoPartInTheQuestion(t *testing.T) {
	t.Parallel()
	p := interactingPage(t)
	got := webmcptest.Eval[[]any](p, `async () => {
		await make({ hold: 100 });
		let refuse;
		const pending = await asAgent(clientOf('interaction', () => new Promise((_, reject) => { refuse = reject; })));
		while (!isShown()) await new Promise(requestAnimationFrame); // without it
		refuse(new Error('the call is over'));
		await settled();
		const [{ id }] = webmcp.approvals.pending();
		const counts = webmcp.approvals.resolve(id, 'approve');
		while (!ran.length) await new Promise(requestAnimationFrame);
		return [pending.code, counts];
	}`)
	require.Equal(t, []any{"APPROVAL_PENDING", true}, got)
}
