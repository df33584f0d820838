package react

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheSecondOfTwoToolsWithOneNameHasTheError(t *testing.T) {
	eachLab(t, func(t *testing.T, p *page) {
		for range 2 { // StrictMode tries twice
			p.expect("cannot register the tool act: InvalidStateError")
		}
		p.do(`async () => {
			const { h, webmcp, StrictMode, Tool, show } = lab;
			await webmcp.ready;
			window.mount = (...names) => show(h(StrictMode, null, names.map((id) => h(Tool, { key: id, id, tool: () => id, options: { name: 'act', description: 'Acts.' } }))));
			mount('first', 'second');
		}`)
		p.waitFor(`window.first?.textContent === 'registered' && second.textContent === 'error'`)
		require.True(t, eval[bool](p, `() => lab.seen.second.error instanceof lab.RegistrationError && lab.seen.first.error === undefined`))
		require.Equal(t, "first", p.ask("act", input{}))
		require.Equal(t, []string{"act"}, registrations(p))
		p.do(`() => mount('first')`)
		require.Equal(t, "first", p.ask("act", input{}), "the tool that has the name went with the one that has not")
	})
}

func TestWhatCannotBeAToolDoesNotBreakThePage(t *testing.T) {
	eachLab(t, func(t *testing.T, p *page) {
		p.do(`() => {
			const { h, StrictMode, WebMCPProvider, Tool, show } = lab;
			window.use = (options, tool = () => 'called') => show(h(StrictMode, null, h(WebMCPProvider, { hooks: { before: [lab.track('guard')] } },
				h(Tool, { id: 'act', tool, options: { name: 'act', description: 'Acts.', ...options } }))));
			use({});
		}`)
		p.awaitTools("act")
		for options, problem := range map[string]string{
			`({ description: '' })`:                                     "description",
			`({ name: 'no spaces' })`:                                   "no spaces",
			`({ global: true })`:                                        "global",
			`({ hooks: { befor: [] } })`:                                "befor",
			`({ hooks: { before: ['guard'] } })`:                        "hooks.before",
			`({ nonsense: 1 })`:                                         "nonsense",
			`({ schema: { $ref: 'https://example.com/schema.json' } })`: "cannot be enforced",
		} {
			p.expect("[webmcp] ")
			p.do(`() => use(` + options + `)`)
			p.waitFor(`act.textContent === 'error'`)
			p.awaitTools()
			require.Contains(t, eval[string](p, `() => lab.seen.act.error.message`), problem)
			require.True(t, eval[bool](p, `() => lab.seen.act.error instanceof lab.ConfigurationError`), options)
			require.Equal(t, "called", eval[string](p, `() => lab.seen.act.tool()`))
			p.do(`() => use({})`)
			require.Equal(t, "called", p.ask("act", input{}))
			p.waitFor(`act.textContent === 'registered' && lab.seen.act.error === undefined`)
			require.Equal(t, []string{"guard"}, eval[[]string](p, `() => lab.log.splice(0)`))
		}
	})
}

func TestHooksThatAreNoneStopTheirPartOfThePage(t *testing.T) {
	eachReact(t, func(t *testing.T, version string) {
		p := newPage(t)
		p.open(site.url(t, "/react"+version+"/production/lab.html")) // where React reports an error once
		p.expect("hooks has no phase befor")
		p.do(`() => {
			const { h, Boundary, WebMCPProvider, Tool, show } = lab;
			window.use = (hooks) => show(h(Boundary, null, h(WebMCPProvider, { hooks },
				h(Tool, { id: 'act', tool: () => 'called', options: { name: 'act', description: 'Acts.' } }))));
			use({ before: [] });
		}`)
		p.awaitTools("act")
		p.do(`() => use({ befor: [] })`)
		p.awaitTools()
		require.Contains(t, eval[string](p, `() => root.textContent`), "stopped: hooks has no phase befor")
	})
}

func TestBeforeTheModuleArrivesToolsWait(t *testing.T) {
	eachReact(t, func(t *testing.T, version string) {
		p := newPage(t)
		prefix, let := site.hold(t)
		p.open(site.url(t, prefix+lab(version)))
		p.do(`() => {
			const { h, StrictMode, WebMCPProvider, Tool, show, track } = lab;
			window.mount = (names, hook) => show(h(StrictMode, null, h(WebMCPProvider, { hooks: { before: [track(hook)] } }, names.map((id) => (
				h(Tool, { key: id, id, tool: () => id, options: { name: id, description: id, hooks: { before: [track('own')] } } }))))));
			mount(['left', 'stays'], 'older');
		}`)
		p.waitFor(`left.textContent === 'registering' && stays.textContent === 'registering'`)
		require.Equal(t, "left", eval[string](p, `() => lab.seen.left.tool()`), "the page cannot call it")
		require.False(t, eval[bool](p, `() => lab.seen.left.supported`))
		p.do(`() => { mount(['stays', 'came'], 'newer') }`)
		p.waitFor(`window.came?.textContent === 'registering' && lab.seen.stays.status === 'registering'`)
		let(true)
		p.awaitTools("came", "stays")
		p.waitFor(`came.textContent === 'registered' && stays.textContent === 'registered' && lab.seen.came.supported`)
		require.Equal(t, "stays", p.ask("stays", input{}))
		require.Equal(t, []string{"newer", "own"}, eval[[]string](p, `() => lab.log`))
		require.Equal(t, []string{"stays", "came"}, registrations(p))
	})
}

func TestWhenTheModuleCannotBeLoadedThePageLivesOn(t *testing.T) {
	eachReact(t, func(t *testing.T, version string) {
		p := newPage(t)
		prefix, let := site.hold(t)
		p.open(site.url(t, prefix+lab(version)))
		p.do(`() => {
			const { h, StrictMode, WebMCPProvider, Tool, show } = lab;
			window.mount = (...names) => show(h(StrictMode, null, h(WebMCPProvider, { hooks: { before: [() => {}] } }, names.map((id) => (
				h(Tool, { key: id, id, tool: () => id, options: { name: id, description: id } }))))));
			mount('early');
		}`)
		p.waitFor(`early.textContent === 'registering'`)
		p.expect("Failed to load resource")
		p.expectSome("webmcp.wasm must be beside webmcp.js")
		let(false)
		p.waitFor(`early.textContent === 'error'`)
		require.Contains(t, eval[string](p, `() => lab.seen.early.error.message`), "webmcp.wasm must be beside webmcp.js")
		p.do(`() => mount('early', 'late')`)
		p.waitFor(`window.late?.textContent === 'error'`)
		require.Equal(t, "late", eval[string](p, `() => lab.seen.late.tool()`))
		p.do(`() => mount('late')`)
		require.Equal(t, "error", eval[string](p, `() => late.textContent`))
	})
}
