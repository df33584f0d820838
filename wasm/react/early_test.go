package react

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/webmcptest"
)

func TestNoAbortIsLostWhileTheModuleArrives(t *testing.T) {
	eachReact(t, func(t *testing.T, version string) {
		p := newPage(t)
		prefix, let := site.hold(t)
		p.Open(site.url(t, prefix+lab(version)))
		p.Do(`() => {
			window.tools = Array.from({ length: 20 }, (_, turns) => {
				const tool = lab.webmcp(() => {}, { name: 'act_' + turns, description: 'Acts.' });
				const controller = new AbortController();
				tool.register({ signal: controller.signal });
				lab.webmcp.ready.then(async () => {
					for (let turn = 0; turn < turns; turn++) await undefined;
					controller.abort();
				});
				return tool;
			});
		}`)
		let(true)
		p.Do(`async () => { await lab.webmcp.ready; await new Promise((next) => setTimeout(next)) }`)
		require.Empty(t, webmcptest.Eval[[]string](p, `() => tools.filter(({ status }) => status !== 'idle').map(({ tool }) => tool.name)`))
		p.AwaitTools()
	})
}

func TestASchemaThatCannotBeEnforcedIsRegisteredByNobody(t *testing.T) {
	eachReact(t, func(t *testing.T, version string) {
		p := newPage(t)
		prefix, let := site.hold(t)
		p.Open(site.url(t, prefix+lab(version)))
		p.ExpectSome("cannot be enforced")
		p.Do(`() => {
			const { h, webmcp, StrictMode, Tool, show } = lab;
			const tool = webmcp(() => 'passed', { name: 'act', description: 'Acts.', schema: { type: 'object', $ref: 'https://example.com/schema.json' } });
			show(h(StrictMode, null, h(Tool, { id: 'first', tool }), h(Tool, { id: 'second', tool })));
		}`)
		p.WaitFor(`window.first?.textContent === 'registering' && second.textContent === 'registering'`)
		let(true)
		p.WaitFor(`first.textContent === 'error' && second.textContent === 'error'`)
		p.AwaitTools()
		require.Equal(t, []string{"act"}, registrations(p), "shown while the module was on its way, and taken back")
	})
}
