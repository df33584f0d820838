package elements_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/internal/npmtest"
	"github.com/webmcp-wasm/webmcp/webmcptest"
)

// axe is the source of axe-core, installed by the first test that needs it.
var axe struct {
	once   sync.Once
	source string
}

// axeCore returns the script; without npm it skips the test.
func axeCore(t *testing.T) string {
	t.Helper()
	axe.once.Do(func() {
		code, err := os.ReadFile(filepath.Join(npmtest.Install(t, "axe-core@4.14.1"), "node_modules", "axe-core", "axe.min.js"))
		require.NoError(t, err)
		axe.source = string(code)
	})
	if axe.source == "" {
		t.Skip("axe-core could not be installed: see the first test that needs it")
	}
	return axe.source
}

// violations lists what axe-core finds wrong with the page as it is now, every
// rule and best practice included.
func violations(t *testing.T, page *webmcptest.Page) []string {
	t.Helper()
	page.Do("() => {" + axeCore(t) + "\n}")
	return webmcptest.Eval[[]string](page, `async () => {
		const { violations } = await axe.run(document);
		return violations.flatMap(({ id, help, nodes }) => nodes.map(({ target, failureSummary }) => id + ': ' + help + ' at ' + target.join(' ') + '\n' + failureSummary));
	}`)
}

func TestAxeFindsFaults(t *testing.T) {
	t.Parallel()
	page := openBare(t)
	page.Do(`() => { log.shadowRoot.querySelector('[role=log]').removeAttribute('aria-label'); inspector.shadowRoot.append(document.createElement('button')); }`)
	require.Contains(t, strings.Join(violations(t, page), "\n"), "button-name", "it looks into the elements")
}

func TestTheElementsAreAccessible(t *testing.T) {
	t.Parallel()
	page := openBare(t)
	page.WaitFor(`inspector.shadowRoot.querySelector('[data-tool=greet]')`)
	require.Empty(t, violations(t, page), "empty")
	page.Do(`async () => {
		for (const name of ['Ada', 'nobody', 'trouble']) await webmcp.invokeTool('greet', { name });
		const card = inspector.shadowRoot.querySelector('[data-tool=greet]');
		card.querySelector('details').open = true;
		card.querySelector('button').click();
	}`)
	page.WaitFor(`inspector.shadowRoot.querySelector('output').dataset.error === 'false'`)
	page.Do(`async () => {
		await webmcp.policy({ webmcp: 1, rules: [
			{ tools: 'greet', rate: '9/min' },
			{ tools: 'greet', when: { properties: { name: { const: 'Eve' } } }, deny: 'No.' },
			{ tools: 'greet', deny: true, mode: 'report' },
		] });
		await webmcp.invokeTool('greet', { name: 'Eve' });
		await webmcp.invokeTool('greet', { name: 'Ada' });
		inspector.shadowRoot.querySelector('[part=explain]').click();
	}`)
	page.WaitFor(`inspector.shadowRoot.querySelector('[part=rules]')`)
	for _, scheme := range []string{"light", "dark"} {
		page.ColorScheme(scheme)
		require.Empty(t, violations(t, page), scheme)
	}
	page.Do(`() => {
		inspector.shadowRoot.querySelector('textarea').value = '{';
		inspector.shadowRoot.querySelector('button').click();
	}`)
	require.Empty(t, violations(t, page), "with a mistake in the input")
}

func TestTheDemoIsAccessible(t *testing.T) {
	t.Parallel()
	page := openDemo(t)
	page.Do(`async () => {
		await webmcp.invokeTool('add_to_cart', { productId: 'keyboard' });
		await webmcp.invokeTool('get_product', { productId: 'unicorn' });
		document.querySelector('webmcp-inspector [data-tool=get_cart] details').open = true;
		document.querySelector('webmcp-inspector [data-tool=get_cart] button').click();
		document.querySelector('webmcp-inspector [data-tool=get_product] [part=explain]').click();
		document.querySelector('#six-searches').click();
		document.querySelector('#wired').open = true;
	}`)
	page.WaitFor(`document.querySelector('[data-rule=look-ups][data-hit=denied]') && document.querySelector('[data-tool=get_product] [part=rules]')`)
	page.WaitFor(`document.querySelector('webmcp-inspector [data-tool=get_cart] output').dataset.error && document.querySelector('#wired').dataset.state === 'shown'`)
	for _, scheme := range []string{"light", "dark"} {
		page.ColorScheme(scheme)
		require.Empty(t, violations(t, page), scheme)
	}
	page.Do(`async () => {
		const decide = async (decision) => {
			while (webmcp.approvals.pending().length === 0) await new Promise(requestAnimationFrame);
			webmcp.approvals.resolve(webmcp.approvals.pending()[0].id, decision);
		};
		const ordered = webmcp.invokeTool('checkout', { email: 'ada@example.com' });
		await decide('approve');
		const { id } = JSON.parse((await ordered).content[0].text);
		globalThis.answer = webmcp.invokeTool('cancel_order', { orderId: id });
		await decide({ decision: 'deny', remember: 'arguments' });
		await answer;
	}`)
	page.WaitFor(`document.querySelector('webmcp-approvals [part~="revoke"]')`)
	for _, scheme := range []string{"light", "dark"} {
		page.ColorScheme(scheme)
		require.Empty(t, violations(t, page), "with a remembered decision, "+scheme)
	}
	page.Do(`async () => {
		await webmcp.invokeTool('add_to_cart', { productId: 'keyboard' });
		globalThis.answer = webmcp.invokeTool('checkout', { email: 'ada@example.com' });
	}`)
	page.Find("dialog", "Place this order?") // axe looks into it in e2e, where its root is open
	require.Empty(t, violations(t, page), "with the question on screen")
	page.Press("\x1b")
	require.Equal(t, "USER_DENIED", webmcptest.Eval[string](page, `async () => (await answer).code`))
}
