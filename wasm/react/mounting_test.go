package react

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/driver"
	"github.com/webmcp-wasm/webmcp/webmcptest"
)

func TestStrictModeRegistersEachToolOnce(t *testing.T) {
	eachLab(t, func(t *testing.T, p *webmcptest.Page) {
		p.Do(`async () => {
			const { h, webmcp, StrictMode, WebMCPProvider, Scope, Tool, show } = lab;
			await webmcp.ready;
			let mounts = 0;
			function Witness() {
				lab.useEffect(() => { window.mounts = ++mounts });
			}
			const tool = webmcp(function shared() {}, { description: 'Shared.' });
			show(h(StrictMode, null, h(WebMCPProvider, null,
				h(Scope, { tools: [tool] }, h(Tool, { id: 'own', tool: function own() {}, options: { description: 'Own.' } }), h(Witness)))));
		}`)
		p.AwaitTools("own", "shared")
		p.WaitFor(`own.textContent === 'registered'`)
		require.Equal(t, 2, webmcptest.Eval[int](p, `() => mounts`), "StrictMode did not mount twice, so this shows nothing")
		require.Equal(t, []string{"own", "shared"}, registrations(p))
		require.Equal(t, 2, webmcptest.Eval[int](p, `() => toolchanges`), "a tool was dropped and came back")
	})
}

func TestUnmountingUnregistersAndMountingAgainRegisters(t *testing.T) {
	eachLab(t, func(t *testing.T, p *webmcptest.Page) {
		p.Do(`() => {
			const { h, webmcp, StrictMode, Scope, Tool, show } = lab;
			const shared = webmcp(function shared() {}, { description: 'Shared.' });
			window.mount = (on) => show(h(StrictMode, null, on && h(Scope, { tools: [shared] },
				h(Tool, { id: 'own', tool: function own() {}, options: { description: 'Own.' } }))));
		}`)
		for range 3 {
			p.Do(`() => mount(true)`)
			p.AwaitTools("own", "shared")
			p.Do(`() => mount(false)`)
			p.AwaitTools()
		}
		require.Len(t, registrations(p), 6)
	})
}

func TestAComponentWithAnotherKeyTakesTheNameOver(t *testing.T) {
	eachLab(t, func(t *testing.T, p *webmcptest.Page) {
		p.Do(`() => {
			const { h, StrictMode, Tool, show } = lab;
			window.mount = (key) => show(h(StrictMode, null, h(Tool, { key, id: key, tool: () => key, options: { name: 'item', description: 'Item ' + key } })));
		}`)
		for _, key := range []string{"a", "b", "a"} {
			p.Do(`key => mount(key)`, key)
			awaitDescription(t, p, "item", "Item "+key)
			require.Equal(t, key, p.Ask("item", input{}))
		}
		require.Len(t, registrations(p), 3)
	})
}

func TestFiftyComponentsEachHaveTheirToolAndShareOne(t *testing.T) {
	eachLab(t, func(t *testing.T, p *webmcptest.Page) {
		p.Do(`() => {
			const { h, webmcp, StrictMode, WebMCPProvider, Tool, show } = lab;
			const shared = webmcp(() => 'shared', { name: 'shared', description: 'Shared.' });
			const numbers = Array.from({ length: 50 }, (_, i) => i);
			window.mount = (count) => show(h(StrictMode, null, h(WebMCPProvider, { hooks: { before: [lab.track('provider')] } },
				numbers.slice(0, count).map((i) => h('p', { key: i },
					h(Tool, { id: 'own' + i, tool: () => 'tool ' + i, options: { name: 'tool_' + i, description: 'Tool.' } }),
					h(Tool, { id: 'shared' + i, tool: shared, options: { hooks: { before: [lab.track('component ' + i)] } } }))))));
			mount(50);
		}`)
		p.WaitFor(`document.querySelectorAll('output').length === 100 && [...document.querySelectorAll('output')].every((o) => o.textContent === 'registered')`)
		require.Len(t, registrations(p), 51)
		require.Equal(t, "tool 49", p.Ask("tool_49", input{}))
		require.Equal(t, []string{"provider"}, webmcptest.Eval[[]string](p, `() => lab.log.splice(0)`))
		require.Equal(t, "shared", p.Ask("shared", input{}))
		require.Len(t, webmcptest.Eval[[]string](p, `() => lab.log.splice(0)`), 51, "the hooks of each component, and those of the provider once")

		p.Do(`() => mount(1)`)
		p.AwaitTools("shared", "tool_0")
		require.Equal(t, "shared", p.Ask("shared", input{}))
		require.Equal(t, []string{"provider", "component 0"}, webmcptest.Eval[[]string](p, `() => lab.log.splice(0)`))
		p.Do(`() => mount(0)`)
		p.AwaitTools()
		require.Len(t, registrations(p), 51)
	})
}

func TestTwoProvidersWithTheSameToolEachAddTheirHooks(t *testing.T) {
	eachLab(t, func(t *testing.T, p *webmcptest.Page) {
		p.Do(`() => {
			const { h, webmcp, StrictMode, Fragment, WebMCPProvider, Scope, show, track } = lab;
			const tool = webmcp(() => 'done', { name: 'act', description: 'Acts.', hooks: { before: [track('tool')] } });
			const part = (name) => h(WebMCPProvider, { key: name, hooks: { before: [track(name)], after: [track(name + ' after')] } }, h(Scope, { tools: [tool] }));
			window.mount = (...names) => show(h(StrictMode, null, h(WebMCPProvider, { hooks: { before: [track('around')] } }, names.map(part))));
			mount('left', 'right');
		}`)
		call := func() []string {
			require.Equal(t, "done", p.Ask("act", input{}))
			return webmcptest.Eval[[]string](p, `() => lab.log.splice(0)`)
		}
		require.Equal(t, []string{"around", "left", "right", "tool", "right after", "left after"}, call())
		p.Do(`() => mount('right')`)
		require.Equal(t, []string{"around", "right", "tool", "right after"}, call())
		p.Do(`() => mount('left')`)
		require.Equal(t, []string{"around", "left", "tool", "left after"}, call())
		require.Equal(t, []string{"act"}, registrations(p), "the tool was given up in between")
		p.Do(`() => mount()`)
		p.AwaitTools()
	})
}

func TestACallThatRunsCompletesAfterItsComponentIsGone(t *testing.T) {
	eachLab(t, func(t *testing.T, p *webmcptest.Page) {
		p.Do(`() => {
			const { h, StrictMode, WebMCPProvider, Tool, show, track } = lab;
			const slow = () => new Promise((resolve) => { window.finish = () => resolve('finished') });
			window.mount = (on) => show(h(StrictMode, null, on && h(WebMCPProvider, { hooks: { after: [track('after')] } },
				h(Tool, { id: 'slow', tool: slow, options: { name: 'slow', description: 'Slow.' } }))));
			mount(true);
		}`)
		call := p.Invoke("slow", input{})
		p.WaitFor(`window.finish`)
		p.Do(`() => mount(false)`)
		p.AwaitTools()
		p.Do(`() => finish()`)
		require.Equal(t, "finished", call.Result().Text())
		require.Equal(t, []string{"after"}, webmcptest.Eval[[]string](p, `() => lab.log`), "the hooks of the provider were lost during the call")
	})
}

func TestWhatWasRenderedButNeverCommittedDoesNothing(t *testing.T) {
	eachLab(t, func(t *testing.T, p *webmcptest.Page) {
		p.Do(`async () => {
			const { h, webmcp, startTransition, Suspense, StrictMode, WebMCPProvider, Tool, show, render, track } = lab;
			await webmcp.ready;
			const never = new Promise(() => {});
			const Waiting = () => { window.waited = true; throw never };
			const app = (edition, waits) => h(StrictMode, null, h(Suspense, { fallback: 'waiting' }, h(WebMCPProvider, { hooks: { before: [track('hook ' + edition)] } },
				h(Tool, { id: 'act', tool: () => edition, options: { name: 'act', description: 'Acts.' } }),
				waits && h(Tool, { id: 'ghost', tool: () => 'boo', options: { name: 'ghost', description: 'Haunts.' } }),
				waits && h(Waiting))));
			show(app('first', false));
			startTransition(() => render(app('second', true)));
		}`)
		p.WaitFor(`window.waited`)
		p.AwaitTools("act")
		require.Equal(t, "first", p.Ask("act", input{}))
		require.Equal(t, []string{"hook first"}, webmcptest.Eval[[]string](p, `() => lab.log`))
		require.Equal(t, []string{"act"}, registrations(p))
		require.Equal(t, []string{"act"}, webmcptest.Eval[[]string](p, `() => lab.registry.list().map(({ name }) => name)`))
	})
}

func TestWhereAToolIsRegisteredIsTold(t *testing.T) {
	eachReact(t, func(t *testing.T, version string) {
		for source, browser := range map[string]driver.Options{"native": {}, "registry": {WithoutWebMCP: true}} {
			p := newPageIn(t, browser)
			p.Open(site.url(t, lab(version)))
			p.WaitFor(`globalThis.lab`)
			p.Do(`async () => {
				const { h, Tool, show, webmcp } = lab;
				await webmcp.ready;
				show(h(Tool, { id: 'here', tool: () => 'here', options: { name: 'here', description: 'Is here.' } }));
			}`)
			p.WaitFor(`globalThis.here?.textContent === 'registered'`)
			require.Equal(t, []any{true, source}, webmcptest.Eval[[]any](p, `() => [lab.seen.here.registered, lab.seen.here.source]`))
			p.Do(`() => { const { h, Tool, show } = lab; show(h(Tool, { id: 'here', tool: () => 'here', options: { name: 'here', description: 'Is here.', enabled: false } })); }`)
			p.WaitFor(`here.textContent === 'disabled'`)
			require.True(t, webmcptest.Eval[bool](p, `() => lab.seen.here.source === undefined`))
		}
	})
}

func TestAToolThatIsNotEnabledIsNotRegistered(t *testing.T) {
	eachLab(t, func(t *testing.T, p *webmcptest.Page) {
		p.Do(`() => {
			const { h, webmcp, StrictMode, Fragment, Tool, show } = lab;
			const given = webmcp(() => 'given', { name: 'given', description: 'Given.' });
			window.enable = (enabled) => show(h(StrictMode, null, h(Fragment, null,
				h(Tool, { id: 'made', tool: () => 'made', options: { name: 'made', description: 'Made.', enabled } }),
				h(Tool, { id: 'other', tool: given, options: { enabled } }))));
			enable(false);
		}`)
		p.WaitFor(`made.textContent === 'disabled' && other.textContent === 'disabled'`)
		require.False(t, webmcptest.Eval[bool](p, `() => lab.seen.made.registered || lab.seen.other.registered`))
		p.Do(`() => enable(true)`)
		p.AwaitTools("given", "made")
		p.WaitFor(`made.textContent === 'registered' && other.textContent === 'registered'`)
		require.True(t, webmcptest.Eval[bool](p, `() => lab.seen.made.registered && lab.seen.made.supported`))
		p.Do(`() => enable(false)`)
		p.AwaitTools()
		p.WaitFor(`made.textContent === 'disabled' && other.textContent === 'disabled'`)
	})
}
