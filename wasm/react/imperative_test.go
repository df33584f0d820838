package react

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What follows is done without components. The page listens all the time: an
// unhandled rejection fails the test.

func TestRegisterUnregisterRegisterInOneTickEndsRegistered(t *testing.T) {
	eachLab(t, func(t *testing.T, p *page) {
		p.do(`() => {
			const tool = lab.webmcp(() => 'acted', { name: 'act', description: 'Acts.' });
			window.register = async () => {
				tool.register();
				tool.unregister();
				await tool.register();
				return tool.status;
			};
		}`)
		require.Equal(t, "registered", eval[string](p, `() => register()`))
		p.awaitTools("act")
		require.Equal(t, "acted", p.ask("act", input{}))
		require.Equal(t, "registered", eval[string](p, `() => register()`), "now with the module")
		p.awaitTools("act")
		require.Equal(t, "acted", p.ask("act", input{}))
	})
}

func TestAfterClearToolsCanBeRegisteredAgain(t *testing.T) {
	eachLab(t, func(t *testing.T, p *page) {
		p.do(`() => {
			const { h, webmcp, StrictMode, WebMCPProvider, Scope, show, track } = lab;
			window.act = webmcp(() => 'acted', { name: 'act', description: 'Acts.' });
			window.mount = (on) => show(h(StrictMode, null, on && h(WebMCPProvider, { hooks: { before: [track('scoped')] } }, h(Scope, { tools: [act] }))));
			mount(true);
		}`)
		p.awaitTools("act")
		p.do(`() => lab.registry.clear()`)
		p.awaitTools()
		require.Equal(t, "idle", eval[string](p, `() => act.status`))
		p.do(`async () => { await act.register() }`)
		require.Equal(t, "acted", p.ask("act", input{}))
		p.do(`() => mount(false)`)
		require.Equal(t, "acted", p.ask("act", input{}), "a component that lost its registration ended another")
		require.Empty(t, eval[[]string](p, `() => lab.log.splice(0)`))
		p.do(`() => lab.registry.clear()`)
		p.awaitTools()
		p.do(`() => mount(true)`)
		require.Equal(t, "acted", p.ask("act", input{}))
		require.Equal(t, []string{"scoped"}, eval[[]string](p, `() => lab.log.splice(0)`))
	})
}

func TestAbortingARegistrationLeavesNothingAtAnyTime(t *testing.T) {
	eachReact(t, func(t *testing.T, version string) {
		p := newPage(t)
		prefix, let := site.hold(t)
		p.open(site.url(t, prefix+lab(version)))
		p.do(`() => {
			window.tool = lab.webmcp(() => 'acted', { name: 'act', description: 'Acts.' });
			window.rejections = [];
			window.start = () => {
				const controller = new AbortController();
				tool.register({ signal: controller.signal }).catch((error) => rejections.push(error.name));
				return controller;
			};
			const aborted = new AbortController();
			aborted.abort(new Error('before'));
			tool.register({ signal: aborted.signal }).catch((error) => rejections.push(error.name));
			start().abort(new Error('while the module is under way'));
			const later = start();
			document.addEventListener('webmcp:ready', () => later.abort());
			window.waits = tool.status;
		}`)
		require.Equal(t, "registering", eval[string](p, `() => waits`))
		let(true)
		p.do(`async () => { await lab.webmcp.ready; await new Promise((next) => setTimeout(next)) }`)
		require.Equal(t, "idle", eval[string](p, `() => tool.status`))
		p.do(`async () => {
			start().abort(new Error('during'));
			const aborted = new AbortController();
			aborted.abort(new Error('before'));
			await tool.register({ signal: aborted.signal });
		}`)
		require.Equal(t, "idle", eval[string](p, `() => tool.status`))
		p.awaitTools()
		p.do(`() => { window.controller = start() }`)
		p.awaitTools("act")
		p.do(`() => controller.abort(new Error('after'))`)
		p.awaitTools()
		p.do(`async () => { controller.abort(); (await tool.register())() }`)
		p.awaitTools()
		require.Empty(t, eval[[]string](p, `() => rejections`))
		p.do(`() => tool.register()`)
		require.Equal(t, "acted", p.ask("act", input{}))
	})
}

func TestARefusedRegistrationIsNoUnhandledRejection(t *testing.T) {
	eachLab(t, func(t *testing.T, p *page) {
		p.expect("cannot register the tool act: InvalidStateError")
		p.do(`() => {
			lab.webmcp.global(() => 'first', { name: 'act', description: 'Acts.' });
			window.second = lab.webmcp(() => 'second', { name: 'act', description: 'Acts.' });
			second.register(); // nobody looks at it
		}`)
		p.waitFor(`second.status === 'error'`)
		require.Equal(t, "first", p.ask("act", input{}))
	})
}
