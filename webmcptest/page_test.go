package webmcptest_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/driver"
	"github.com/webmcp-wasm/webmcp/webmcptest"
)

func TestToolsComeAndGo(t *testing.T) {
	t.Parallel()
	p := open(t)
	p.AwaitTools()
	p.Do(`async () => {
		window.stop = new AbortController();
		await document.modelContext.registerTool({
			name: 'add', title: 'Add', description: 'Adds.', inputSchema: { type: 'object' },
			annotations: { readOnlyHint: true }, execute: ({ a, b }) => ({ sum: a + b }),
		}, { signal: stop.signal });
	}`)
	tools := p.AwaitTools("add")
	require.Len(t, tools, 1)
	require.Equal(t, "Add", tools[0].Title)
	require.Equal(t, "Adds.", tools[0].Description)
	require.JSONEq(t, `{"type":"object"}`, string(tools[0].InputSchema))
	require.Equal(t, driver.Annotations{ReadOnly: true}, tools[0].Annotations)
	require.True(t, tools[0].Frame.Main())
	require.Equal(t, tools, p.Tools())
	p.Do(`() => stop.abort()`)
	p.AwaitTools()
}

func TestCallsAreAnsweredCancelledAndFail(t *testing.T) {
	t.Parallel()
	p := open(t)
	p.Do(`async () => {
		const add = (name, execute) => document.modelContext.registerTool({ name, description: name, execute });
		await add('add', ({ a, b }) => ({ sum: a + b }));
		await add('hang', (input, { signal }) => new Promise(() => signal.addEventListener('abort', () => console.log('told to stop'))));
		await add('fail', () => { throw new Error('no') });
	}`)
	p.AwaitTools("add", "fail", "hang")

	hang := p.Invoke("hang", nil)
	sum := webmcptest.Decode[struct{ Sum int }](p.Invoke("add", map[string]int{"a": 1, "b": 2}))
	require.Equal(t, 3, sum.Sum)
	require.False(t, hang.Done())

	hang.Cancel()
	require.ErrorIs(t, hang.Err(), driver.ErrCanceled)
	p.AwaitRecord("the page to hear of it", func(_, console []string) bool { return slices.Contains(console, "log: told to stop") })
	hang.Cancel() // which changes nothing any more

	p.Expect("WebMCP tool execution failed")
	var failed *driver.ToolError
	require.ErrorAs(t, p.Invoke("fail", nil).Err(), &failed)
	require.Equal(t, "fail", failed.Tool)
}

func TestTheHumanIsTrusted(t *testing.T) {
	t.Parallel()
	p := open(t)

	p.Click("button", "Go")
	p.Do(`() => document.getElementById('go').click()`)
	p.WaitFor(`log.textContent === 'go:true go:false '`)

	box := p.Find("checkbox", "Agree")
	require.False(t, box.Checked())
	box.Click()
	require.True(t, box.Checked())

	name := p.Find("textbox", "Name")
	name.Fill("Ada Lovelace")
	name.Fill("Grace")
	require.Equal(t, "Grace", webmcptest.Read[string](name, `function () { return this.value }`))
	name.Fill("")
	name.Until(`this.value === ''`)

	p.Click("button", "Open")
	dialog := p.Find("dialog", "Sure?")
	require.Zero(t, p.Count("button", "Go"), "what lies behind a modal dialog cannot be perceived")
	require.True(t, dialog.Find("button", "Yes").Focused())
	p.Press(kb.Enter)
	p.WaitFor(`log.textContent.endsWith('yes:true ')`)
	p.Press(kb.Escape)
	p.AwaitGone("dialog", "Sure?")
	require.Equal(t, 1, p.Count("button", "Go"))
}

func TestWhatThePageCausesIsAProblem(t *testing.T) {
	t.Parallel()
	p := open(t)
	for script, problem := range map[string]string{
		`() => { setTimeout(() => { throw new Error('thrown late') }) }`:                              "thrown late",
		`() => { Promise.reject(new Error('nobody listens')) }`:                                       "nobody listens",
		`() => { const s = document.createElement('script'); s.text = '1'; document.body.append(s) }`: "TrustedScript",
		`() => { setTimeout('1') }`:                                   "TrustedScript",
		`() => { document.body.setAttribute('style', 'color: red') }`: "style-src",
		`async () => { await fetch('/none') }`:                        "404",
		`() => document.modelContext.registerTool({ name: 'bad', description: 'x', execute: () => null.x })
			.then(() => document.modelContext.getTools()).then(([bad]) => document.modelContext.executeTool(bad, {}))`: "tool execution failed",
	} {
		p.About("%s", script)
		_, _ = webmcptest.TryEval[any](p, script) // some throw here too
		p.AwaitRecord("the problem", func(problems, _ []string) bool { return len(problems) > 0 })
		require.Contains(t, p.Problems()[0], problem)
	}
	require.Empty(t, p.Problems())
}

func TestARejectionThatIsHandledInTimeIsNoProblem(t *testing.T) {
	t.Parallel()
	p := open(t)
	p.Do(`async () => {
		const late = Promise.reject(new Error('handled later'));
		await new Promise(next => addEventListener('unhandledrejection', () => setTimeout(next), { once: true }));
		late.catch(() => {});
	}`)
	p.AwaitRecord("Chrome to take it back", func(problems, console []string) bool {
		return len(problems) == 0 && strings.Contains(strings.Join(console, "\n"), "handled later")
	})
}

func TestTheConsolesErrorsAreProblemsWhereTheyAreAskedFor(t *testing.T) {
	t.Parallel()
	for _, asked := range []bool{false, true} {
		p := webmcptest.New(t, webmcptest.Options{ConsoleErrors: asked})
		p.Do(`() => { console.error('a mistake'); console.log('done') }`)
		var seen []string
		p.AwaitRecord("the line", func(problems, console []string) bool {
			seen = problems
			return slices.Contains(console, "log: done")
		})
		require.Equal(t, asked, len(seen) == 1)
		require.Equal(t, seen, p.Problems())
	}
}

func TestATestMayHoldManyPages(t *testing.T) {
	t.Parallel()
	url := serve(t)
	for range 4 {
		p := webmcptest.Open(t, url)
		t.Run("and a part of it more", func(t *testing.T) { webmcptest.Open(t, url).Click("button", "Go") })
		p.Click("button", "Go")
	}
}

func TestABrowserWithoutWebMCPHasNone(t *testing.T) {
	t.Parallel()
	p := webmcptest.New(t, without)
	p.Open(serve(t))
	require.False(t, webmcptest.Eval[bool](p, `() => document.modelContext !== undefined`))
	ctx, cancel := p.Step()
	defer cancel()
	_, err := p.Driver().Tools(ctx)
	require.ErrorIs(t, err, driver.ErrNoWebMCP)
	require.ErrorContains(t, err, "--enable-features=WebMCP")
}

func TestASpotIsWhereTheElementIs(t *testing.T) {
	t.Parallel()
	p := open(t)
	x, y := p.Find("button", "Go").Spot()
	require.Empty(t, webmcptest.Eval[string](p, `() => log.textContent`), "looking clicks nothing")
	p.ClickAt(x, y, 1)
	p.WaitFor(`log.textContent === 'go:true '`)
}

func TestAPageThatIsLeftAtTheEndHasNotFailed(t *testing.T) {
	t.Parallel()
	for range 10 { // another moment each time
		t.Run("left", func(t *testing.T) {
			open(t).Do(`() => { setTimeout(() => { location.href += '?next'; }); }`)
		})
	}
}
