package react

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/webmcptest"
)

func TestTheSecondOfTwoToolsWithOneNameHasTheError(t *testing.T) {
	eachLab(t, func(t *testing.T, p *webmcptest.Page) {
		p.Expect("cannot register the tool act: InvalidStateError") // once: StrictMode withdraws its first try
		p.Do(`async () => {
			const { h, webmcp, StrictMode, Tool, show } = lab;
			await webmcp.ready;
			window.mount = (...names) => show(h(StrictMode, null, names.map((id) => h(Tool, { key: id, id, tool: () => id, options: { name: 'act', description: 'Acts.' } }))));
			mount('first', 'second');
		}`)
		p.WaitFor(`window.first?.textContent === 'registered' && second.textContent === 'error'`)
		require.True(t, webmcptest.Eval[bool](p, `() => lab.seen.second.error instanceof lab.RegistrationError && lab.seen.first.error === undefined`))
		require.Equal(t, "first", p.Ask("act", input{}))
		require.Equal(t, []string{"act"}, registrations(p))
		p.Do(`() => mount('first')`)
		require.Equal(t, "first", p.Ask("act", input{}), "the tool that has the name went with the one that has not")
	})
}

func TestWhatCannotBeAToolDoesNotBreakThePage(t *testing.T) {
	eachLab(t, func(t *testing.T, p *webmcptest.Page) {
		p.Do(`() => {
			const { h, StrictMode, WebMCPProvider, Tool, show } = lab;
			window.use = (options, tool = () => 'called') => show(h(StrictMode, null, h(WebMCPProvider, { hooks: { before: [lab.track('guard')] } },
				h(Tool, { id: 'act', tool, options: { name: 'act', description: 'Acts.', ...options } }))));
			use({});
		}`)
		p.AwaitTools("act")
		for options, problem := range map[string]string{
			`({ description: '' })`:                                     "description",
			`({ name: 'no spaces' })`:                                   "no spaces",
			`({ global: true })`:                                        "global",
			`({ hooks: { befor: [] } })`:                                "befor",
			`({ hooks: { before: ['guard'] } })`:                        "hooks.before",
			`({ nonsense: 1 })`:                                         "nonsense",
			`({ schema: { $ref: 'https://example.com/schema.json' } })`: "cannot be enforced",
		} {
			p.Expect("[webmcp] ")
			p.Do(`() => use(` + options + `)`)
			p.WaitFor(`act.textContent === 'error'`)
			p.AwaitTools()
			require.Contains(t, webmcptest.Eval[string](p, `() => lab.seen.act.error.message`), problem)
			require.True(t, webmcptest.Eval[bool](p, `() => lab.seen.act.error instanceof lab.ConfigurationError`), options)
			require.Equal(t, "called", webmcptest.Eval[string](p, `() => lab.seen.act.tool()`))
			p.Do(`() => use({})`)
			require.Equal(t, "called", p.Ask("act", input{}))
			p.WaitFor(`act.textContent === 'registered' && lab.seen.act.error === undefined`)
			require.Equal(t, []string{"guard"}, webmcptest.Eval[[]string](p, `() => lab.log.splice(0)`))
		}
	})
}

func TestHooksThatAreNoneStopTheirPartOfThePage(t *testing.T) {
	eachReact(t, func(t *testing.T, version string) {
		p := newPage(t)
		p.Open(site.url(t, "/react"+version+"/production/lab.html")) // where React reports an error once
		p.Expect("hooks has no phase befor")
		p.Do(`() => {
			const { h, Boundary, WebMCPProvider, Tool, show } = lab;
			window.use = (hooks) => show(h(Boundary, null, h(WebMCPProvider, { hooks },
				h(Tool, { id: 'act', tool: () => 'called', options: { name: 'act', description: 'Acts.' } }))));
			use({ before: [] });
		}`)
		p.AwaitTools("act")
		p.Do(`() => use({ befor: [] })`)
		p.AwaitTools()
		require.Contains(t, webmcptest.Eval[string](p, `() => root.textContent`), "stopped: hooks has no phase befor")
	})
}

func TestBeforeTheModuleArrivesToolsWait(t *testing.T) {
	eachReact(t, func(t *testing.T, version string) {
		p := newPage(t)
		prefix, let := site.hold(t)
		p.Open(site.url(t, prefix+lab(version)))
		p.Do(`() => {
			const { h, StrictMode, WebMCPProvider, Tool, show, track } = lab;
			window.mount = (names, hook) => show(h(StrictMode, null, h(WebMCPProvider, { hooks: { before: [track(hook)] } }, names.map((id) => (
				h(Tool, { key: id, id, tool: () => id, options: { name: id, description: id, hooks: { before: [track('own')] } } }))))));
			mount(['left', 'stays'], 'older');
		}`)
		p.WaitFor(`left.textContent === 'registering' && stays.textContent === 'registering'`)
		require.Equal(t, "left", webmcptest.Eval[string](p, `() => lab.seen.left.tool()`), "the page cannot call it")
		require.True(t, webmcptest.Eval[bool](p, `() => lab.seen.left.supported`), "which needs no module")
		p.Do(`() => { mount(['stays', 'came'], 'newer') }`)
		p.WaitFor(`window.came?.textContent === 'registering' && lab.seen.stays.status === 'registering'`)
		let(true)
		p.AwaitTools("came", "stays")
		p.WaitFor(`came.textContent === 'registered' && stays.textContent === 'registered' && lab.seen.came.supported`)
		require.Equal(t, "stays", p.Ask("stays", input{}))
		require.Equal(t, []string{"newer", "own"}, webmcptest.Eval[[]string](p, `() => lab.log`))
		require.Equal(t, []string{"left", "stays", "came"}, registrations(p), "each once, at once")
	})
}

func TestWhenTheModuleCannotBeLoadedThePageLivesOn(t *testing.T) {
	eachReact(t, func(t *testing.T, version string) {
		p := newPage(t)
		prefix, let := site.hold(t)
		p.Open(site.url(t, prefix+lab(version)))
		p.Do(`() => {
			const { h, StrictMode, WebMCPProvider, Tool, show } = lab;
			window.mount = (...names) => show(h(StrictMode, null, h(WebMCPProvider, { hooks: { before: [() => {}] } }, names.map((id) => (
				h(Tool, { key: id, id, tool: () => id, options: { name: id, description: id } }))))));
			mount('early');
		}`)
		p.WaitFor(`early.textContent === 'registering'`)
		p.Expect("Failed to load resource")
		p.ExpectSome("webmcp.wasm must be beside webmcp.js")
		let(false)
		p.WaitFor(`early.textContent === 'error'`)
		require.Contains(t, webmcptest.Eval[string](p, `() => lab.seen.early.error.message`), "webmcp.wasm must be beside webmcp.js")
		p.Do(`() => mount('early', 'late')`)
		p.WaitFor(`window.late?.textContent === 'error'`)
		require.Equal(t, "late", webmcptest.Eval[string](p, `() => lab.seen.late.tool()`))
		p.Do(`() => mount('late')`)
		require.Equal(t, "error", webmcptest.Eval[string](p, `() => late.textContent`))
	})
}
