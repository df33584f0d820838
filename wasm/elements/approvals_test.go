package elements_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/webmcptest"
)

// openApprovals opens the bare page with a tool pay, whose calls the page asks
// about in a way of its own, so that no dialog covers the elements. It notes in
// window.ran what has run, and in window.told what the calls have come to.
func openApprovals(t *testing.T) *webmcptest.Page {
	t.Helper()
	page := openBare(t)
	page.Do(`async () => {
		globalThis.ran = [];
		globalThis.told = [];
		globalThis.root = approvals.shadowRoot;
		globalThis.pay = webmcp(({ amount }) => { ran.push(amount); return 'paid ' + amount; }, {
			name: 'pay', title: 'Pay', description: 'Pays.', schema: { type: 'object', properties: { amount: { type: 'number' } } },
			approval: {
				title: 'Pay the shop?', describe: ({ amount }) => amount + ' EUR leave your account.', details: 'From the joint account.',
				remember: [{ by: ['/amount'] }, 'tool'], ask: () => new Promise(() => {}),
			},
		});
		await pay.register();
		globalThis.call = (input, how) => webmcp.invokeTool('pay', input, how).then(({ code, content }) => { told.push((code ?? '') + ' ' + content[0].text); }, () => {});
		globalThis.cards = () => [...root.querySelectorAll('[part~=card]')];
		globalThis.buttons = (part) => [...root.querySelectorAll('[part~=' + part + ']')];
	}`)
	return page
}

// armed waits until Approve works.
func armed(page *webmcptest.Page) {
	page.WaitFor(`buttons('approve').length > 0 && buttons('approve').every(button => !button.hasAttribute('aria-disabled'))`)
}

// clickOn clicks where the first button of that part is, as a mouse does.
func clickOn(page *webmcptest.Page, part string, times int) {
	at := webmcptest.Eval[[]float64](page, `part => {
		const [button] = buttons(part);
		button.scrollIntoView({ block: 'center' });
		const { left, top, width, height } = button.getBoundingClientRect();
		return [left + width / 2, top + height / 2];
	}`, part)
	page.ClickAt(at[0], at[1], times)
}

func TestTheApprovalsSayThatAProofHasFailed(t *testing.T) {
	t.Parallel()
	page := openApprovals(t)
	page.Do(`() => {
		globalThis.lets = false;
		webmcp.configure({ approval: { ask: () => new Promise(() => {}), verify: () => lets } });
		call({ amount: 1 });
	}`)
	armed(page)
	clickOn(page, "approve", 1)
	page.WaitFor(`root.textContent.includes('pay: your approval was not confirmed. Try again, or deny.')`)
	page.Do(`() => { lets = true; }`)
	armed(page)
	clickOn(page, "approve", 1)
	page.WaitFor(`told.length === 1 && told[0] === ' paid 1'`)
}

func TestTheApprovalsShowWhatWaitsAndAHumanDecides(t *testing.T) {
	t.Parallel()
	page := openApprovals(t)
	require.True(t, webmcptest.Eval[bool](page, `() => root.querySelector('[part=empty]').checkVisibility() && !root.querySelector('[part=remembered]').checkVisibility()`))
	page.Do(`() => { call({ amount: 1, note: 'a' + String.fromCodePoint(0x202e) + 'b', deep: { list: [1] } }); call({ amount: 2 }); }`)
	page.WaitFor(`cards().length === 2`)
	require.False(t, webmcptest.Eval[bool](page, `() => root.querySelector('[part=empty]').checkVisibility()`))
	text := webmcptest.Eval[string](page, `() => cards()[0].innerText`)
	for _, part := range []string{"Pay the shop?", "Pay pay", "1 EUR leave your account.", "From the joint account.", "amount\n1", `"a\u{202e}b"`, "\"list\": [\n    1", "Waiting for "} {
		require.Contains(t, text, part)
	}
	require.Contains(t, webmcptest.Eval[string](page, `() => root.querySelector('[role=status]').textContent`), "2 calls wait")

	page.Do(`() => { root.querySelectorAll('input')[0].value = ' not before payday '; root.querySelectorAll('input')[1].focus(); }`)
	page.Press("typed into the second")
	page.Do(`() => { globalThis.second = cards()[1]; }`)
	clickOn(page, "deny", 1)
	page.WaitFor(`told.length === 1 && cards().length === 1`)
	require.Contains(t, webmcptest.Eval[string](page, `() => told[0]`), "not before payday")
	require.True(t, webmcptest.Eval[bool](page, `() => cards()[0] === second`))
	require.Equal(t, "typed into the second", webmcptest.Eval[string](page, `() => root.querySelector('input').value`))
	require.Contains(t, webmcptest.Eval[string](page, `() => root.querySelector('[role=status]').textContent`), "Denied: pay")

	require.True(t, webmcptest.Eval[bool](page, `() => buttons('approve')[0].ariaDisabled === 'true'`), "the list has just changed")
	clickOn(page, "approve", 1)
	armed(page)
	require.Empty(t, webmcptest.Eval[[]any](page, `() => ran`))
	clickOn(page, "approve", 1)
	page.WaitFor(`told.length === 2 && cards().length === 0`)
	require.Equal(t, []any{2.0}, webmcptest.Eval[[]any](page, `() => ran`))
	require.True(t, webmcptest.Eval[bool](page, `() => root.querySelector('[part=empty]').checkVisibility()`))
}

func TestNoScriptPressesTheButtonsOfTheApprovals(t *testing.T) {
	t.Parallel()
	page := openApprovals(t)
	page.Do(`() => { call({ amount: 1 }); }`)
	page.WaitFor(`cards().length === 1`)
	armed(page)
	page.Do(`() => {
		for (const button of [...buttons('approve'), ...buttons('deny')]) {
			button.click();
			for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click']) button.dispatchEvent(new MouseEvent(type, { bubbles: true, composed: true }));
			for (const type of ['keydown', 'keyup']) button.dispatchEvent(new KeyboardEvent(type, { key: 'Enter', bubbles: true, composed: true }));
		}
	}`)
	require.Len(t, webmcptest.Eval[[]any](page, `() => webmcp.approvals.pending()`), 1)
	require.Empty(t, webmcptest.Eval[[]any](page, `() => [...ran, ...told]`))
}

func TestTheSecondClickOfADoubleClickDecidesNothingInTheApprovals(t *testing.T) {
	t.Parallel()
	page := openApprovals(t)
	page.Do(`() => { document.querySelector('main').replaceChildren(approvals); call({ amount: 1 }); call({ amount: 2 }); }`)
	page.WaitFor(`cards().length === 2`)
	clickOn(page, "deny", 2) // where the second question's is once the first has gone
	page.WaitFor(`told.length === 1`)
	require.Len(t, webmcptest.Eval[[]any](page, `() => webmcp.approvals.pending()`), 1)
}

func TestTheApprovalsAreUsedByKeyboard(t *testing.T) {
	t.Parallel()
	page := openApprovals(t)
	const focused = `() => { const { localName, textContent, parentElement } = root.activeElement; return localName + " " + textContent + ' ' + cards().findIndex(card => card.contains(parentElement)); }`
	page.Do(`() => { for (const amount of [1, 2]) call({ amount }); }`)
	page.WaitFor(`cards().length === 2`)
	armed(page)
	page.Do(`() => root.querySelector('input').focus()`)
	page.Press(kb.Tab)
	require.Equal(t, "button Deny pay 0", webmcptest.Eval[string](page, focused))
	page.Press(kb.Enter)
	page.WaitFor(`cards().length === 1`)
	require.Equal(t, "button Deny pay 0", webmcptest.Eval[string](page, focused), "the focus goes to the next question")
	armed(page)
	page.Press(kb.Tab)
	require.Equal(t, "button Approve pay 0", webmcptest.Eval[string](page, focused))
	page.Press(" ")
	page.WaitFor(`told.length === 2 && cards().length === 0`)
	require.Equal(t, "h3 Waiting for you -1", webmcptest.Eval[string](page, focused), "and in the end to the heading")
	require.Equal(t, []any{2.0}, webmcptest.Eval[[]any](page, `() => ran`))
}

func TestTheApprovalsSayWhatIsRememberedAndRevokeIt(t *testing.T) {
	t.Parallel()
	page := openApprovals(t)
	page.Do(`async () => {
		globalThis.look = webmcp(() => 'seen', { name: 'look', description: 'Looks.', approval: { remember: 'arguments', ask: () => new Promise(() => {}) } });
		await look.register();
		const decide = async (tool, input, decision, remember) => {
			const answered = webmcp.invokeTool(tool, input);
			while (webmcp.approvals.pending().length === 0) await new Promise(requestAnimationFrame);
			webmcp.approvals.resolve(webmcp.approvals.pending()[0].id, { decision, remember });
			return answered;
		};
		await decide('pay', { amount: 1, note: 'a' }, 'approve', 'arguments');
		await decide('look', { where: 'there', deep: [1] }, 'deny', 'arguments');
		await decide('look', {}, 'approve', 'arguments');
		await decide('pay', { amount: 2 }, 'deny', 'tool');
	}`)
	page.WaitFor(`root.querySelectorAll('[data-decision]').length === 4`)
	require.Equal(t, []string{
		"Approved calls of pay in which /amount is 1, whatever else they say, until this page is closed",
		"Denied all calls of pay, until this page is closed",
		`Denied calls of look with exactly { "where": "there", "deep": [ 1 ] }, until this page is closed`,
		"Approved calls of look without arguments, until this page is closed",
	}, webmcptest.Eval[[]string](page, `() => [...root.querySelectorAll('[data-decision]')].map(({ innerText }) => innerText)`))

	page.Click("button", "Revoke what is remembered for pay")
	page.WaitFor(`buttons('revoke').length === 1`)
	require.Equal(t, []string{"look", "look"}, webmcptest.Eval[[]string](page, `() => webmcp.approvals.remembered().map(({ tool }) => tool)`))
	require.Equal(t, "Revoke what is remembered for look", webmcptest.Eval[string](page, `() => root.activeElement.textContent`), "the focus goes on")
	require.Contains(t, webmcptest.Eval[string](page, `() => root.querySelector('[role=status]').textContent`), "Nothing is remembered for pay")
	page.Press(kb.Enter)
	page.WaitFor(`!root.querySelector('[part=remembered]').checkVisibility()`)
	require.Empty(t, webmcptest.Eval[[]any](page, `() => webmcp.approvals.remembered()`))
	page.Do(`() => { call({ amount: 2 }); }`)
	page.WaitFor(`cards().length === 1`) // somebody is asked again
}

func TestTheApprovalsForgetQuestionsThatAreGone(t *testing.T) {
	t.Parallel()
	page := openApprovals(t)
	page.Do(`() => {
		globalThis.controller = new AbortController();
		call({ amount: 1 }, { signal: controller.signal });
		call({ amount: 2 });
	}`)
	page.WaitFor(`cards().length === 2`)
	page.Do(`() => controller.abort()`)
	page.WaitFor(`cards().length === 1 && cards()[0].innerText.includes('2 EUR')`)
	page.Do(`() => { approvals.remove(); call({ amount: 3 }); }`)
	page.WaitFor(`webmcp.approvals.pending().length === 2`)
	require.Equal(t, 1, webmcptest.Eval[int](page, `() => cards().length`), "out of the page it does nothing")
	page.Do(`() => document.querySelector('main').append(approvals)`)
	require.Equal(t, 2, webmcptest.Eval[int](page, `() => cards().length`))
	page.Do(`() => pay.unregister()`)
	page.WaitFor(`cards().length === 0`)
}

func TestTheApprovalsAreAccessible(t *testing.T) {
	t.Parallel()
	page := openApprovals(t)
	page.Do(`async () => {
		call({ amount: 1 });
		while (webmcp.approvals.pending().length === 0) await new Promise(requestAnimationFrame);
		webmcp.approvals.resolve(webmcp.approvals.pending()[0].id, { decision: 'approve', remember: 'arguments' });
		call({ amount: 2, long: 'long '.repeat(400) });
		call({});
		const second = document.createElement('webmcp-approvals');
		second.setAttribute('light', '');
		document.querySelector('main').append(second);
	}`)
	page.WaitFor(`cards().length === 2 && buttons('revoke').length === 1 && document.querySelectorAll('main > [light] [part~=card]').length === 2`)
	for _, scheme := range []string{"light", "dark"} {
		page.ColorScheme(scheme)
		armed(page)
		require.Empty(t, violations(t, page), scheme)
	}
	page.Media(map[string]string{"forced-colors": "active"})
	require.Empty(t, violations(t, page), "forced colours")
	page.Phone(320, 640)
	require.Empty(t, violations(t, page), "phone")
	require.LessOrEqual(t, webmcptest.Eval[int](page, `() => document.documentElement.scrollWidth`), 320, "nothing is cut")
}

func TestHiddenCharactersShowInTheApprovals(t *testing.T) {
	t.Parallel()
	page := openApprovals(t)
	page.Do(`async hidden => {
		const odd = webmcp(() => {}, { name: 'odd', title: 'T' + hidden, description: 'Odd.', approval: { title: 't' + hidden, describe: () => hidden, details: hidden, remember: 'arguments', ask: () => new Promise(() => {}) } });
		await odd.register();
		const decide = webmcp.invokeTool('odd', { ['k' + hidden]: hidden });
		while (webmcp.approvals.pending().length === 0) await new Promise(requestAnimationFrame);
		webmcp.approvals.resolve(webmcp.approvals.pending()[0].id, { decision: 'approve', remember: 'arguments' });
		await decide;
		webmcp.invokeTool('odd', { other: hidden, ['k' + hidden]: '<img src=x>' });
	}`, hidden)
	page.WaitFor(`cards().length === 1 && buttons('revoke').length === 1`)
	text := webmcptest.Eval[string](page, `() => root.textContent`)
	require.False(t, strings.ContainsAny(text, hidden), "%+q", text)
	require.Zero(t, webmcptest.Eval[int](page, `() => root.querySelectorAll('img').length`))
}
