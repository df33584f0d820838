package e2e

import (
	"encoding/json"
	"testing"

	"github.com/chromedp/cdproto/webmcp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// The tests of this file show, on a page without our library, that the harness
// drives Chromium right: whatever fails elsewhere is then not its fault.

func TestHarnessSeesToolsComeAndGo(t *testing.T) {
	t.Parallel()
	p := newPage(t, withWebMCP)
	p.open(site.url(t, "/raw/"))
	p.awaitTools()
	p.do(`async () => {
		window.stop = new AbortController();
		await document.modelContext.registerTool({
			name: 'add', description: 'Adds.', inputSchema: { type: 'object' },
			annotations: { readOnlyHint: true }, execute: ({ a, b }) => ({ sum: a + b }),
		}, { signal: stop.signal });
	}`)
	p.awaitTools("add")
	tool := p.tool("add")
	require.Equal(t, "Adds.", tool.Description)
	require.JSONEq(t, `{"type":"object"}`, string(tool.InputSchema))
	require.True(t, tool.Annotations.ReadOnly)
	p.do(`() => stop.abort()`)
	p.awaitTools()
}

func TestHarnessInvokesCancelsAndSeesErrors(t *testing.T) {
	t.Parallel()
	p := newPage(t, withWebMCP)
	p.open(site.url(t, "/raw/"))
	p.do(`async () => {
		const add = (name, execute) => document.modelContext.registerTool({ name, description: name, execute });
		await add('add', ({ a, b }) => ({ sum: a + b }));
		await add('hang', (input, { signal }) => new Promise(() => signal.addEventListener('abort', () => console.log('told to stop'))));
		await add('fail', () => { throw new Error('no') });
	}`)
	p.awaitTools("add", "fail", "hang")

	hang := p.invoke("hang", struct{}{})
	sum := p.invoke("add", map[string]int{"a": 1, "b": 2}).wait()
	require.Equal(t, webmcp.InvocationStatusCompleted, sum.Status)
	require.JSONEq(t, `{"sum":3}`, sum.Output)
	require.False(t, hang.settled())

	hang.cancel()
	require.Equal(t, webmcp.InvocationStatusCanceled, hang.wait().Status)
	p.await("the page to hear of it", func() bool { return len(p.console) == 1 })
	require.Equal(t, []string{"log: told to stop"}, p.consoleLines())

	p.expectProblem("WebMCP tool execution failed")
	require.Equal(t, webmcp.InvocationStatusError, p.invoke("fail", struct{}{}).wait().Status)
}

func TestHarnessIsATrustedHuman(t *testing.T) {
	t.Parallel()
	p := newPage(t, withWebMCP)
	p.open(site.url(t, "/raw/"))

	p.click("button", "Go")
	p.do(`() => document.getElementById('go').click()`)
	p.waitFor(`log.textContent === 'go:true go:false '`)

	box := p.find("checkbox", "Agree")
	require.False(t, box.checked())
	box.click()
	require.True(t, box.checked())

	name := p.find("textbox", "Name")
	name.fill("Ada Lovelace")
	name.fill("Grace")
	require.Equal(t, "Grace", read[string](name, `function () { return this.value }`))

	p.click("button", "Open")
	dialog := p.find("dialog", "Sure?")
	require.Zero(t, p.count("button", "Go"), "what lies behind a modal dialog cannot be perceived")
	require.True(t, dialog.find("button", "Yes").focused())
	p.press(kb.Enter)
	p.waitFor(`log.textContent.endsWith('yes:true ')`)
	p.press(kb.Escape)
	p.gone("dialog", "Sure?")
	require.Equal(t, 1, p.count("button", "Go"))
}

func TestHarnessFailsATestWhosePageMisbehaves(t *testing.T) {
	t.Parallel()
	p := newPage(t, withWebMCP)
	p.open(site.url(t, "/raw/"))
	for script, problem := range map[string]string{
		`() => { setTimeout(() => { throw new Error('thrown late') }) }`:                              "thrown late",
		`() => { Promise.reject(new Error('nobody listens')) }`:                                       "nobody listens",
		`() => { const s = document.createElement('script'); s.text = '1'; document.body.append(s) }`: "TrustedScript",
		`() => { setTimeout('1') }`:                                   "TrustedScript",
		`() => { document.body.setAttribute('style', 'color: red') }`: "style-src",
		`async () => { await fetch('/raw/none') }`:                    "404",
		`() => document.modelContext.registerTool({ name: 'bad', description: 'x', execute: () => null.x })
			.then(() => document.modelContext.getTools()).then(([bad]) => document.modelContext.executeTool(bad, {}))`: "tool execution failed",
	} {
		p.about("%s", script)
		_, _ = tryRun[json.RawMessage](p, script)
		p.await("the problem", func() bool { return len(p.problems) > 0 })
		problems, _ := p.verdict()
		require.Contains(t, problems[0], problem)
		p.do(`() => new Promise(done => setTimeout(done))`)
		p.forgive("")
	}
	problems, _ := p.verdict()
	require.Empty(t, problems)
}

func TestHarnessForgivesARejectionThatIsHandledInTime(t *testing.T) {
	t.Parallel()
	p := newPage(t, withWebMCP)
	p.open(site.url(t, "/raw/"))
	p.do(`async () => {
		const late = Promise.reject(new Error('handled later'));
		await new Promise(next => addEventListener('unhandledrejection', () => setTimeout(next), { once: true }));
		late.catch(() => {});
	}`)
	p.await("Chrome to take it back", func() bool { return len(p.console) > 0 && len(p.problems) == 0 })
}

func TestHarnessPlaysTheBrowserWithoutWebMCP(t *testing.T) {
	t.Parallel()
	p := newPage(t, withoutWebMCP)
	p.open(site.url(t, "/raw/"))
	require.False(t, run[bool](p, `() => 'modelContext' in document && document.modelContext !== undefined`))
}
