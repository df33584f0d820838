package react

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/webmcptest"
)

func TestADialogOfReactLetsTheHumanChangeTheInput(t *testing.T) {
	eachLab(t, func(t *testing.T, p *webmcptest.Page) {
		p.Do(asking)
		p.Do(`async () => {
			pay.unregister();
			await lab.webmcp(({ amount }) => { ran.push(amount); return 'paid ' + amount; }, {
				name: 'pay', description: 'Pays.', schema: { type: 'object', properties: { amount: { type: 'number', maximum: 100 } }, required: ['amount'] },
				approval: { edit: true, ask: lab.askInDialog }, hooks: { after: ({ metadata }) => { seen.push(metadata.approval.edited); } },
			}).register();
			mount({ armDelay: 10 });
			call({ amount: 1, note: 'a' + String.fromCodePoint(0x202e) });
		}`)
		const box = "Arguments as JSON"
		editor := p.Find("textbox", box)
		require.Equal(t, "{\n  \"amount\": 1,\n  \"note\": \"a\\u202e\"\n}", webmcptest.Read[string](editor, `function () { return this.value }`))
		p.WaitFor(`armed()`)
		said := func(text, want string) {
			t.Helper()
			editor.Fill(text)
			p.Click("button", "Approve")
			p.WaitFor(`dialog().querySelector('[role=alert]').textContent.startsWith(` + "`" + want + "`" + `) && armed()`)
			require.Equal(t, "true", editor.Attr("aria-invalid"))
		}
		said(`{"amount":`, "This is not JSON:")
		said(`{"amount": 500}`, "amount: must be <= 100, got 500")
		require.Empty(t, webmcptest.Eval[[]any](p, `() => told`))
		editor.Fill(`{"amount": 5}`)
		p.Click("button", "Approve")
		p.WaitFor(`told.length === 1 && dialog() === null`)
		require.Equal(t, []any{5.0}, webmcptest.Eval[[]any](p, `() => ran`))

		// Nothing of it is in the next question; and what nobody has changed is approved as it was.
		p.Do(`() => { call({ amount: 2 }); }`)
		p.WaitFor(`dialog()?.querySelector('textarea').value.includes('2') && armed()`)
		p.Click("button", "Approve")
		p.WaitFor(`told.length === 2 && dialog() === null`)
		require.Equal(t, []any{5.0, 2.0}, webmcptest.Eval[[]any](p, `() => ran`))
		require.Equal(t, []any{true, false}, webmcptest.Eval[[]any](p, `() => seen`))
	})
}

func TestUseApprovalsApprovesWithAnotherInput(t *testing.T) {
	eachLab(t, func(t *testing.T, p *webmcptest.Page) {
		p.Do(asking)
		require.Equal(t, []any{"ConfigurationError", false}, webmcptest.Eval[[]any](p, `async () => {
			const { h, useApprovals, show } = lab;
			function List() { window.latest = useApprovals(); return null; }
			window.askedElsewhere = true;
			show(h(List));
			call({ amount: 1 });
			while (!window.latest?.pending.length) await new Promise(requestAnimationFrame);
			const [{ id, edit }] = latest.pending;
			return [await latest.approve(id, { input: { amount: 2 } }).catch(({ name }) => name), edit];
		}`))
	})
}
