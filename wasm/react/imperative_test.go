package react

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/webmcptest"
)

// What follows is done without components. The page listens all the time: an
// unhandled rejection fails the test.

func TestRegisterUnregisterRegisterInOneTickEndsRegistered(t *testing.T) {
	eachLab(t, func(t *testing.T, p *webmcptest.Page) {
		p.Do(`() => {
			const tool = lab.webmcp(() => 'acted', { name: 'act', description: 'Acts.' });
			window.register = async () => {
				tool.register();
				tool.unregister();
				await tool.register();
				return tool.status;
			};
		}`)
		require.Equal(t, "registered", webmcptest.Eval[string](p, `() => register()`))
		p.AwaitTools("act")
		require.Equal(t, "acted", p.Ask("act", input{}))
		require.Equal(t, "registered", webmcptest.Eval[string](p, `() => register()`), "now with the module")
		p.AwaitTools("act")
		require.Equal(t, "acted", p.Ask("act", input{}))
	})
}

func TestAfterClearToolsCanBeRegisteredAgain(t *testing.T) {
	eachLab(t, func(t *testing.T, p *webmcptest.Page) {
		p.Do(`() => {
			const { h, webmcp, StrictMode, WebMCPProvider, Scope, show, track } = lab;
			window.act = webmcp(() => 'acted', { name: 'act', description: 'Acts.' });
			window.mount = (on) => show(h(StrictMode, null, on && h(WebMCPProvider, { hooks: { before: [track('scoped')] } }, h(Scope, { tools: [act] }))));
			mount(true);
		}`)
		p.AwaitTools("act")
		p.Do(`() => lab.registry.clear()`)
		p.AwaitTools()
		require.Equal(t, "idle", webmcptest.Eval[string](p, `() => act.status`))
		p.Do(`async () => { await act.register() }`)
		require.Equal(t, "acted", p.Ask("act", input{}))
		p.Do(`() => mount(false)`)
		require.Equal(t, "acted", p.Ask("act", input{}), "a component that lost its registration ended another")
		require.Empty(t, webmcptest.Eval[[]string](p, `() => lab.log.splice(0)`))
		p.Do(`() => lab.registry.clear()`)
		p.AwaitTools()
		p.Do(`() => mount(true)`)
		require.Equal(t, "acted", p.Ask("act", input{}))
		require.Equal(t, []string{"scoped"}, webmcptest.Eval[[]string](p, `() => lab.log.splice(0)`))
	})
}

func TestAbortingARegistrationLeavesNothingAtAnyTime(t *testing.T) {
	eachReact(t, func(t *testing.T, version string) {
		p := newPage(t)
		prefix, let := site.hold(t)
		p.Open(site.url(t, prefix+lab(version)))
		p.Do(`() => {
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
		require.Equal(t, "registering", webmcptest.Eval[string](p, `() => waits`))
		let(true)
		p.Do(`async () => { await lab.webmcp.ready; await new Promise((next) => setTimeout(next)) }`)
		require.Equal(t, "idle", webmcptest.Eval[string](p, `() => tool.status`))
		p.Do(`async () => {
			start().abort(new Error('during'));
			const aborted = new AbortController();
			aborted.abort(new Error('before'));
			const reason = await tool.register({ signal: aborted.signal }).catch((error) => error);
			if (reason !== aborted.signal.reason) throw new Error('rejected with ' + reason);
		}`)
		require.Equal(t, "idle", webmcptest.Eval[string](p, `() => tool.status`))
		p.AwaitTools()
		p.Do(`() => { window.controller = start() }`)
		p.AwaitTools("act")
		p.Do(`() => controller.abort(new Error('after'))`)
		p.AwaitTools()
		p.Do(`async () => { controller.abort(); (await tool.register())() }`)
		p.AwaitTools()
		require.Equal(t, []string{"Error", "Error", "AbortError", "Error"}, webmcptest.Eval[[]string](p, `() => rejections`),
			"what was aborted too early rejects with the reason of its signal")
		p.Do(`() => tool.register()`)
		require.Equal(t, "acted", p.Ask("act", input{}))
	})
}

func TestARefusedRegistrationIsNoUnhandledRejection(t *testing.T) {
	eachLab(t, func(t *testing.T, p *webmcptest.Page) {
		p.Expect("cannot register the tool act: InvalidStateError")
		p.Do(`() => {
			lab.webmcp.global(() => 'first', { name: 'act', description: 'Acts.' });
			window.second = lab.webmcp(() => 'second', { name: 'act', description: 'Acts.' });
			second.register(); // nobody looks at it
		}`)
		p.WaitFor(`second.status === 'error'`)
		require.Equal(t, "first", p.Ask("act", input{}))
	})
}
