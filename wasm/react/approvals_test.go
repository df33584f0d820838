package react

import (
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/webmcptest"
)

// asking has a tool pay, whose calls are asked about by window.approval. The page
// notes in window.ran what has run, and in window.told what calls have come to.
const asking = `async () => {
	const { h, webmcp, invokeTool, StrictMode, ApprovalDialog, show, askInDialog } = lab;
	window.ran = [];
	window.told = [];
	window.seen = [];
	window.pay = webmcp(({ amount }) => { ran.push(amount); return 'paid ' + amount; }, {
		name: 'pay', title: 'Pay', description: 'Pays.', schema: { type: 'object', properties: { amount: { type: 'number' } } },
		approval: { title: 'Pay the shop?', describe: ({ amount }) => amount + ' EUR leave your account.', remember: ['arguments', 'tool'], ask: (question) => (window.askedElsewhere ? new Promise(() => {}) : askInDialog(question)) },
		hooks: { after: ({ metadata }) => { seen.push(metadata.approval.how); }, denied: ({ metadata }) => { seen.push(metadata.approval.how); } },
	});
	await pay.register();
	window.call = (input, how) => invokeTool('pay', input, how).then(({ code, content }) => { told.push((code ?? '') + ' ' + content[0].text); }, () => {});
	window.mount = (props = {}, ...children) => show(h(StrictMode, null, h(ApprovalDialog, props, ...children)));
	window.dialog = () => document.querySelector('dialog');
	window.button = (name) => [...document.querySelectorAll('dialog button')].find(({ textContent }) => textContent === name);
	window.armed = () => button('Approve')?.getAttribute('aria-disabled') === null;
}`

func TestADialogOfReactAsksOneQuestionAfterTheOther(t *testing.T) {
	eachLab(t, func(t *testing.T, p *webmcptest.Page) {
		p.Do(asking)
		p.Do(`() => { mount(); call({ amount: 1, note: 'a' + String.fromCodePoint(0x202e) }); call({ amount: 2 }); call({ amount: 3 }); }`)
		p.WaitFor(`dialog()?.innerText.includes('2 more waiting')`)
		text := webmcptest.Eval[string](p, `() => dialog().innerText`)
		for _, part := range []string{"Pay the shop?", "Pay (pay)", "1 EUR leave your account.", "amount", `"a\u{202e}"`, "Waiting for "} {
			require.Contains(t, text, part)
		}
		require.Equal(t, 1, webmcptest.Eval[int](p, `() => document.querySelectorAll('dialog').length`))
		require.Equal(t, 1, p.Count("dialog", "Pay the shop?"), "the built-in dialog stays away, and ours has a name")
		require.True(t, webmcptest.Eval[bool](p, `() => dialog().matches(':modal') && document.activeElement === button('Deny')`))

		p.Do(`() => document.querySelector('dialog input').focus()`)
		p.Press("not before payday")
		p.Click("button", "Deny")
		p.WaitFor(`told.length === 1 && dialog().innerText.includes('2 EUR')`)
		require.Contains(t, webmcptest.Eval[string](p, `() => told[0]`), "not before payday")
		require.Equal(t, "", webmcptest.Eval[string](p, `() => document.querySelector('dialog input').value`), "nothing of one question is left in the next")
		require.False(t, webmcptest.Eval[bool](p, `() => armed()`))
		p.Click("button", "Approve")
		p.WaitFor(`armed()`)
		require.Empty(t, webmcptest.Eval[[]any](p, `() => ran`), "pressed too early")
		p.Click("button", "Approve")
		p.WaitFor(`told.length === 2 && dialog().innerText.includes('3 EUR')`)
		require.Equal(t, []any{2.0}, webmcptest.Eval[[]any](p, `() => ran`))
		p.Press(kb.Escape)
		p.WaitFor(`told.length === 3 && dialog() === null`)
		require.Equal(t, []string{"ask", "ask", "ask"}, webmcptest.Eval[[]string](p, `() => seen`))
		require.Contains(t, webmcptest.Eval[string](p, `() => told[2]`), "USER_DENIED")
	})
}

func TestADialogOfReactWaitsForAProof(t *testing.T) {
	eachLab(t, func(t *testing.T, p *webmcptest.Page) {
		p.Do(asking)
		p.Do(`() => {
			window.proofs = [];
			lab.webmcp.configure({ approval: { ask: lab.askInDialog, verify: () => new Promise((resolve) => { proofs.push(resolve); }) } });
			mount({ armDelay: 10 });
			call({ amount: 1 });
		}`)
		approve := func() {
			p.WaitFor(`button('Approve with passkey')?.getAttribute('aria-disabled') === null`)
			p.Click("button", "Approve with passkey")
		}
		approve()
		p.WaitFor(`proofs.length === 1 && dialog().innerText.includes('Confirm with your passkey')`)
		p.Click("button", "Approve with passkey") // once more does nothing
		p.Expect("was not verified")
		p.Do(`() => proofs[0](false)`)
		p.WaitFor(`dialog().innerText.includes('not confirmed')`)
		approve()
		p.WaitFor(`proofs.length === 2`)
		p.Do(`() => proofs[1]('yes')`)
		p.WaitFor(`told.length === 1 && dialog() === null`)
		require.Equal(t, []any{1.0}, webmcptest.Eval[[]any](p, `() => ran`))
		require.Equal(t, []string{"passkey"}, webmcptest.Eval[[]string](p, `() => seen`))

		p.Do(`() => { call({ amount: 2 }); }`)
		approve()
		p.WaitFor(`proofs.length === 3`)
		p.Click("button", "Deny") // that works all the while
		p.WaitFor(`told.length === 2 && dialog() === null`)
		require.Contains(t, webmcptest.Eval[string](p, `() => told[1]`), "USER_DENIED")
	})
}

func TestNoScriptPressesTheButtonsOfADialogOfReact(t *testing.T) {
	eachLab(t, func(t *testing.T, p *webmcptest.Page) {
		p.Do(asking)
		p.Do(`() => { mount({ armDelay: 10 }); call({ amount: 1 }); }`)
		p.WaitFor(`dialog() && armed()`)
		p.Do(`() => {
			for (const target of [button('Approve'), button('Deny')]) {
				target.click();
				target.dispatchEvent(new MouseEvent('click', { bubbles: true }));
				target.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
			}
			dialog().dispatchEvent(new Event('cancel', { cancelable: true }));
			dialog().dispatchEvent(new Event('close'));
		}`)
		require.Len(t, webmcptest.Eval[[]any](p, `() => webmcp.approvals.pending()`), 1)
		p.Do(`() => dialog().close()`)
		p.WaitFor(`told.length === 1`) // closed, nobody sees the question: that is no
		require.Empty(t, webmcptest.Eval[[]any](p, `() => ran`))
	})
}

func TestTheSecondClickOfADoubleClickDecidesNothingInADialogOfReact(t *testing.T) {
	eachLab(t, func(t *testing.T, p *webmcptest.Page) {
		p.Do(asking)
		p.Do(`() => { mount(); call({ amount: 1 }); call({ amount: 2 }); }`)
		p.WaitFor(`dialog()?.innerText.includes('1 more waiting')`)
		at := webmcptest.Eval[[]float64](p, `() => { const { left, top, width, height } = button('Deny').getBoundingClientRect(); return [left + width / 2, top + height / 2]; }`)
		p.ClickAt(at[0], at[1], 2)
		p.WaitFor(`told.length === 1 && dialog().innerText.includes('2 EUR')`)
		require.Len(t, webmcptest.Eval[[]any](p, `() => webmcp.approvals.pending()`), 1)
	})
}

func TestADialogOfReactThatIsUnmountedLeavesTheQuestionOpen(t *testing.T) {
	eachLab(t, func(t *testing.T, p *webmcptest.Page) {
		p.Do(asking)
		p.Do(`() => { mount(); call({ amount: 1 }); }`)
		p.WaitFor(`dialog() !== null`)
		p.Do(`async () => {
			lab.show(null);
			await new Promise(resolve => setTimeout(resolve)); // the event close would have come
		}`)
		require.Len(t, webmcptest.Eval[[]any](p, `() => webmcp.approvals.pending()`), 1)
		require.Empty(t, webmcptest.Eval[[]any](p, `() => told`))
		p.Do(`() => mount()`)
		p.WaitFor(`dialog()?.innerText.includes('1 EUR')`)
		p.Click("button", "Deny")
		p.WaitFor(`told.length === 1 && dialog() === null`)

		p.Do(`() => { window.controller = new AbortController(); call({ amount: 2 }, { signal: controller.signal }); }`)
		p.WaitFor(`dialog() !== null`)
		p.Do(`() => controller.abort()`)
		p.WaitFor(`dialog() === null`) // the question is gone, and its dialog
	})
}

func TestADialogOfReactThatIsHiddenLeavesTheQuestionOpen(t *testing.T) {
	eachLab(t, func(t *testing.T, p *webmcptest.Page) {
		p.Do(asking)
		p.Do(`() => {
			const { h, StrictMode, Suspense, ApprovalDialog, show } = lab;
			const never = new Promise(() => {});
			const Sibling = ({ waits }) => { if (waits) throw never; return 'here'; };
			window.hide = (waits) => show(h(StrictMode, null, h(Suspense, { fallback: 'waiting' }, h(ApprovalDialog), h(Sibling, { waits }))));
			hide(false);
			call({ amount: 1 });
		}`)
		p.WaitFor(`dialog()?.open`)
		p.Do(`async () => {
			const closed = new Promise(resolve => dialog().addEventListener('close', resolve));
			hide(true);
			await closed;
		}`)
		require.Len(t, webmcptest.Eval[[]any](p, `() => webmcp.approvals.pending()`), 1)
		require.Empty(t, webmcptest.Eval[[]any](p, `() => told`))
		p.Do(`() => hide(false)`)
		p.WaitFor(`dialog().matches(':modal') && document.activeElement === button('Deny')`)
		p.Click("button", "Deny")
		p.WaitFor(`told.length === 1 && dialog() === null`)
	})
}

func TestWithoutADialogOfReactNobodyCanBeAsked(t *testing.T) {
	eachLab(t, func(t *testing.T, p *webmcptest.Page) {
		p.Do(asking)
		p.ExpectSome("no <ApprovalDialog> is mounted")
		p.Do(`() => { mount(); lab.show(null); }`)
		require.Contains(t, webmcptest.Eval[string](p, `async () => { await call({ amount: 1 }); return told[0]; }`), "APPROVAL_UNAVAILABLE")
		require.Empty(t, webmcptest.Eval[[]any](p, `() => ran`))
	})
}

func TestADialogOfReactIsComposedOfParts(t *testing.T) {
	eachLab(t, func(t *testing.T, p *webmcptest.Page) {
		p.Do(asking)
		p.Do(`() => {
			const { h, ApprovalTitle, ApprovalArguments, DenyButton, ApproveButton } = lab;
			mount({ armDelay: 10, className: 'mine', 'aria-labelledby': 'title' }, ({ question, armed }) => h('section', null,
				h(ApprovalTitle, { id: 'title', className: 'big' }), h('p', { id: 'own' }, question.sentence + ' ' + armed), h(ApprovalArguments),
				h(DenyButton, null, 'No'), h(ApproveButton, { remember: 'tool' }, 'Always'), h(ApproveButton, { onClick: (event) => event.preventDefault() }, 'Never')));
			call({ amount: 1 });
		}`)
		p.WaitFor(`document.querySelector('dialog.mine h2.big#title') && own.textContent === '1 EUR leave your account. true'`)
		p.Click("button", "Never")
		require.Len(t, webmcptest.Eval[[]any](p, `() => webmcp.approvals.pending()`), 1, "the page has prevented it")
		p.Click("button", "Always")
		p.WaitFor(`told.length === 1`)
		require.Equal(t, []any{"tool"}, webmcptest.Eval[[]any](p, `() => webmcp.approvals.remembered().map((rule) => rule.for)`))

		p.Do(`() => { const { h, Boundary, DenyButton, show } = lab; show(h(Boundary, null, h(DenyButton))); }`)
		p.WaitFor(`document.body.innerText.includes('stopped: DenyButton belongs inside')`)
		require.NotEmpty(t, p.Problems(), "React says so, too")
	})
}

func TestUseApprovalsReturnsTheSameWhileNothingChanges(t *testing.T) {
	eachLab(t, func(t *testing.T, p *webmcptest.Page) {
		p.Do(asking)
		p.Do(`() => {
			const { h, StrictMode, useApprovals, useState, useEffect, show } = lab;
			window.states = [];
			function List() {
				const approvals = useApprovals();
				window.again = useState(0)[1];
				useEffect(() => { states.push(approvals); });
				return h('output', { id: 'list' }, approvals.pending.map(({ input }) => input.amount).join() + ' ' + approvals.remembered.map((rule) => rule.decision + ' ' + rule.for).join());
			}
			window.askedElsewhere = true;
			show(h(StrictMode, null, h(List)));
			window.latest = () => states.at(-1);
			call({ amount: 1 });
		}`)
		p.WaitFor(`list.textContent === '1 '`)
		require.Equal(t, true, webmcptest.Eval[bool](p, `() => {
			const before = latest();
			for (let i = 1; i < 5; i++) lab.flushSync(() => again(i));
			return latest() === before && Object.isFrozen(before.pending);
		}`))
		p.Do(`() => { window.before = latest(); call({ amount: 2 }); }`)
		p.WaitFor(`list.textContent === '1,2 '`)
		require.Equal(t, []bool{false, true, true, true}, webmcptest.Eval[[]bool](p, `() => [
			latest() === before, latest().pending[0] === before.pending[0], latest().remembered === before.remembered, latest().approve === before.approve,
		]`))

		require.Equal(t, []bool{true, false, false}, webmcptest.Eval[[]bool](p, `() => {
			const { pending: [{ id }], approve, deny } = latest();
			return [approve(id, { remember: 'arguments' }), deny(id), approve('none')];
		}`))
		p.WaitFor(`list.textContent === '2 approve arguments' && told.length === 1`)
		require.True(t, webmcptest.Eval[bool](p, `() => latest().deny(latest().pending[0].id, 'too much', { remember: 'tool' })`))
		p.WaitFor(`list.textContent === ' approve arguments,deny tool' && told.length === 2`)
		require.Contains(t, webmcptest.Eval[string](p, `() => told[1]`), "too much")
		p.Do(`() => latest().forget('other')`)
		require.Len(t, webmcptest.Eval[[]any](p, `() => latest().remembered`), 2)
		p.Do(`() => latest().forget('pay')`)
		p.WaitFor(`list.textContent === ' '`)

		p.Do(`() => { lab.show(null); window.count = states.length; call({ amount: 3 }); }`)
		p.WaitFor(`lab.webmcp.approvals.pending().length === 1`)
		p.Do(`() => { lab.webmcp.approvals.resolve(lab.webmcp.approvals.pending()[0].id, 'deny'); }`)
		p.WaitFor(`told.length === 3`)
		require.Zero(t, webmcptest.Eval[int](p, `() => states.length - count`), "unmounted, it listens no more")
	})
}

func TestADialogOfReactAsksTheQuestionThatItIsGiven(t *testing.T) {
	eachLab(t, func(t *testing.T, p *webmcptest.Page) {
		p.Do(asking)
		p.Do(`async () => {
			const { h, webmcp, StrictMode, useApprovals, ApprovalDialog, show } = lab;
			pay.unregister();
			await webmcp(({ amount }) => { ran.push(amount); return 'paid'; }, { name: 'pay', description: 'Pays.', approval: { ask: () => new Promise(() => {}) } }).register();
			function Mine() {
				const { pending } = useApprovals();
				return h(ApprovalDialog, { armDelay: 10, question: pending.at(-1) }); // the newest first
			}
			show(h(StrictMode, null, h(Mine)));
			call({ amount: 1 });
		}`)
		p.WaitFor(`dialog()?.innerText.includes('amount\n1') && armed()`)
		p.Click("button", "Approve")
		p.WaitFor(`ran.length === 1 && told.length === 1 && dialog() === null`)
	})
}
