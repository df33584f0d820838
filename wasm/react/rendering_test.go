package react

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/webmcptest"
)

func TestAThousandRenderingsWithInlineHooksAreOneRegistration(t *testing.T) {
	eachLab(t, func(t *testing.T, p *webmcptest.Page) {
		p.Do(`async () => {
			const { h, webmcp, StrictMode, useState, WebMCPProvider, Scope, useWebMCP, z, show, flushSync, log } = lab;
			await webmcp.ready;
			const given = webmcp(function given({ id }) { return id }, { description: 'Given.' });
			function Counter() {
				const [n, setN] = useState(0);
				window.setN = setN;
				return h(WebMCPProvider, { hooks: { before: [() => { log.push('outer ' + n) }], after: [() => { log.push('after ' + n) }] } },
					h(WebMCPProvider, { hooks: { before: [() => { log.push('inner ' + n) }] } },
						h(Scope, { tools: [given] }), h(Made, { n })));
			}
			function Made({ n }) {
				const { status } = useWebMCP(async function made({ id }) { return id + ' at ' + n }, {
					description: 'Made.',
					schema: z.object({ id: z.string().refine((id) => id !== 'no' + n) }),
					fields: { note: { type: 'string' } },
					annotations: { readOnlyHint: true },
					hooks: { before: [() => { log.push('own ' + n) }] },
				});
				return h('output', { id: 'made' }, n + ' ' + status);
			}
			show(h(StrictMode, null, h(Counter)));
		}`)
		p.WaitFor(`made.textContent === '0 registered'`)
		p.AwaitTools("given", "made")
		p.Do(`() => { for (let n = 1; n <= 1000; n++) lab.flushSync(() => setN(n)) }`)
		p.WaitFor(`made.textContent === '1000 registered'`)

		require.Equal(t, "7 at 1000", p.Ask("made", input{"id": "7", "note": "x"}))
		require.Equal(t, []string{"outer 1000", "inner 1000", "own 1000", "after 1000"}, webmcptest.Eval[[]string](p, `() => lab.log.splice(0)`))
		refused := p.Invoke("made", input{"id": "no1000"}).Result()
		require.True(t, refused.IsError, "the newest validation was not used")
		require.True(t, p.Invoke("made", input{"id": "7", "note": 8}).Result().IsError, "the schema of a field was not enforced")
		require.Equal(t, "no999 at 1000", p.Ask("made", input{"id": "no999"}))

		require.Equal(t, []string{"given", "made"}, registrations(p))
		require.Equal(t, 2, webmcptest.Eval[int](p, `() => toolchanges`))
	})
}

func TestOnlyWhatAnAgentSeesRegistersAgain(t *testing.T) {
	eachLab(t, func(t *testing.T, p *webmcptest.Page) {
		p.Do(`() => {
			const { h, StrictMode, Tool, show, z } = lab;
			const options = {
				first: () => ({ name: 'act', description: 'Acts.', schema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] } }),
				same: () => ({ schema: { properties: { id: { type: 'string' } }, required: ['id'], type: 'object' }, description: 'Acts.', name: 'act', title: undefined }),
				described: () => ({ ...options.first(), description: 'Acts well.' }),
				typed: () => ({ ...options.described(), schema: { type: 'object', properties: { id: { type: 'number' } } } }),
				zod: () => ({ ...options.described(), schema: z.object({ id: z.number().max(5) }) }),
				zodMore: () => ({ ...options.described(), schema: z.object({ id: z.number().max(6) }) }),
				titled: () => ({ ...options.zodMore(), title: 'Act' }),
				renamed: () => ({ ...options.titled(), name: 'perform' }),
				inferred: () => ({ description: 'Acts.' }),
			};
			window.use = (edition, tool = () => edition) => show(h(StrictMode, null, h(Tool, { id: 'act', tool, options: options[edition]() })));
		}`)
		count := 0
		for _, step := range []struct {
			edition, name, description string
			again                      bool
			valid, invalid             input
		}{
			{"first", "act", "Acts.", true, input{"id": "x"}, input{"id": 1}},
			{"same", "act", "Acts.", false, input{"id": "x"}, input{"id": 1}},
			{"described", "act", "Acts well.", true, input{"id": "x"}, input{"id": 1}},
			{"typed", "act", "Acts well.", true, input{"id": 1}, input{"id": "x"}},
			{"zod", "act", "Acts well.", true, input{"id": 5}, input{"id": 6}},
			{"zodMore", "act", "Acts well.", true, input{"id": 6}, input{"id": 7}},
			{"zodMore", "act", "Acts well.", false, input{"id": 6}, input{"id": 7}},
			{"titled", "act", "Acts well.", true, input{"id": 6}, input{"id": 7}},
			{"renamed", "perform", "Acts well.", true, input{"id": 6}, input{"id": 7}},
		} {
			p.Do(`edition => use(edition)`, step.edition)
			p.WaitFor(`act.textContent === 'registered'`)
			awaitDescription(t, p, step.name, step.description)
			p.AwaitTools(step.name)
			require.Equal(t, step.edition, p.Ask(step.name, step.valid))
			require.True(t, p.Invoke(step.name, step.invalid).Result().IsError, step.edition)
			if step.again {
				count++
			}
			require.Len(t, registrations(p), count, step.edition)
		}
		p.Do(`() => use('inferred', function find({ query }) { return query })`)
		require.Equal(t, "q", p.Ask("find", input{"query": "q"}))
		require.True(t, p.Invoke("find", input{}).Result().IsError, "the schema was not read from the function")
		p.Do(`() => use('inferred', function find({ query }) { return query })`)
		require.Equal(t, "q", p.Ask("find", input{"query": "q"}))
		require.Len(t, registrations(p), count+1)
		p.Do(`() => use('inferred', function find({ query, limit }) { return query + limit })`)
		p.WaitFor(`act.textContent === 'registered'`)
		require.Equal(t, "q3", p.Ask("find", input{"query": "q", "limit": 3}))
		require.Len(t, registrations(p), count+2)
		p.AwaitTools("find")
	})
}

func TestTheNextCallRunsTheHooksThatWereJustCommitted(t *testing.T) {
	eachLab(t, func(t *testing.T, p *webmcptest.Page) {
		p.Do(`async () => {
			const { h, webmcp, StrictMode, WebMCPProvider, Tool, show, track } = lab;
			await webmcp.ready;
			window.use = (n) => show(h(StrictMode, null, h(WebMCPProvider, { hooks: n % 3 ? { before: [track('before ' + n)], after: [track('after ' + n)] } : { before: track('before ' + n) } },
				h(Tool, { id: 'act', tool: () => n, options: { name: 'act', description: 'Acts.' } }))));
			use(0);
		}`)
		p.AwaitTools("act")
		for n := 1; n <= 20; n++ {
			got := webmcptest.Eval[string](p, `n => { use(n); return lab.ask('act', {}) }`, n)
			require.Equal(t, strconv.Itoa(n), got)
			want := []string{"before " + strconv.Itoa(n)}
			if n%3 != 0 {
				want = append(want, "after "+strconv.Itoa(n))
			}
			require.Equal(t, want, webmcptest.Eval[[]string](p, `() => lab.log.splice(0)`))
		}
	})
}

// Here calls come at every moment, straight as the browser makes them, while
// providers get other hooks, come and go. Each must have passed through a guard,
// or have found no tool.
// A time-out among the hooks is one of them: it changes as they do, also where they stay.
func TestATimeoutAmongTheHooksChangesWithThem(t *testing.T) {
	eachLab(t, func(t *testing.T, p *webmcptest.Page) {
		p.Do(`() => {
			const { h, StrictMode, WebMCPProvider, Tool, show } = lab;
			const before = [() => {}];
			window.mount = (outer, own) => show(h(StrictMode, null, h(WebMCPProvider, { hooks: { before, timeout: outer } },
				h(Tool, { id: 'slow', tool: () => new Promise(() => {}), options: { name: 'slow', description: 'Slow.', hooks: { before, timeout: own } } }))));
			mount(20);
		}`)
		p.AwaitTools("slow")
		for _, limits := range []struct{ timeouts, shortest string }{{"20", "20"}, {"30", "30"}, {"60_000, 40", "40"}, {"60_000, 50", "50"}, {"25, 50", "25"}} {
			require.Equal(t, "Error: the tool slow has not finished within "+limits.shortest+" ms",
				webmcptest.Eval[string](p, `() => { mount(`+limits.timeouts+`); return lab.ask('slow', {}) }`), limits.timeouts)
		}
	})
}

func TestNoCallPassesUnguardedWhileProvidersChange(t *testing.T) {
	eachLab(t, func(t *testing.T, p *webmcptest.Page) {
		p.Do(`async () => {
			const { h, webmcp, StrictMode, WebMCPProvider, Scope, Tool, show, track } = lab;
			await webmcp.ready;
			const given = webmcp((input, { metadata }) => 'guards: ' + metadata.guards, { name: 'given', description: 'Given.' });
			const guard = () => ({ metadata }) => { metadata.guards = (metadata.guards ?? 0) + 1 };
			window.use = (n) => show(h(StrictMode, null, h(WebMCPProvider, { key: n >> 3, hooks: { before: [guard()] } },
				n % 5 === 0 ? null : h(Scope, { tools: [given] }),
				h(Tool, { id: 'made', tool: (input, { metadata }) => 'guards: ' + metadata.guards, options: { name: 'made', description: 'Made ' + (n >> 2) } }))));
			use(1);
		}`)
		p.AwaitTools("given", "made")
		answers := webmcptest.Eval[map[string]int](p, `async () => {
			const answers = {};
			const running = [];
			const call = (name) => running.push(executors[name]({}, { signal: new AbortController().signal }).then(({ content: [{ text }] }) => { answers[text] = (answers[text] ?? 0) + 1 }));
			for (let n = 1; n <= 200; n++) {
				call('given');
				use(n);
				call('made');
				await Promise.resolve();
				call('given');
				if (n % 7 === 0) await new Promise((next) => { const { port1, port2 } = new MessageChannel(); port1.onmessage = next; port2.postMessage(0) });
			}
			await Promise.all(running);
			return answers;
		}`)
		require.Greater(t, answers["guards: 1"], 300)
		for text := range answers {
			require.NotContains(t, text, "undefined", "a call ran without hooks: %v", answers)
		}
	})
}

func TestHooksOfAllProvidersAreThereForComponents(t *testing.T) {
	eachLab(t, func(t *testing.T, p *webmcptest.Page) {
		p.Do(`() => {
			const { h, webmcp, StrictMode, useEffect, useLayoutEffect, WebMCPProvider, useWebMCPHooksContext, show } = lab;
			const late = webmcp(() => 'late', { name: 'late', description: 'Late.' });
			function Inside({ id }) {
				const { hooks, scope } = useWebMCPHooksContext();
				useLayoutEffect(() => { window.inLayout = scope?.hooks.before.map((hook) => hook.name).join(' ') });
				useEffect(() => {
					window[id] = [hooks.before, hooks.after, hooks.error, hooks.denied].map((list) => list.map((hook) => hook.name).join(' '));
					if (id === 'within') late.register({ scope });
					else window.scopeOutside = scope;
				});
			}
			function first() { lab.log.push('first') }
			function second() { lab.log.push('second') }
			function third() {}
			window.use = (before) => show(h(StrictMode, null, h(Inside, { id: 'outside' }), h(WebMCPProvider, { hooks: { before: [first], after: first } },
				h(WebMCPProvider, null, h(WebMCPProvider, { hooks: { before, after: [second], denied: [second] } }, h(Inside, { id: 'within' }))))));
			window.second = second;
			window.third = third;
			use([second]);
		}`)
		require.Equal(t, "late", p.Ask("late", input{}))
		require.Equal(t, []string{"first", "second", "second", "first"}, webmcptest.Eval[[]string](p, `() => lab.log`))
		require.Equal(t, []string{"first second", "first second", "", "second"}, webmcptest.Eval[[]string](p, `() => within`))
		require.Equal(t, []string{"", "", "", ""}, webmcptest.Eval[[]string](p, `() => outside`))
		require.True(t, webmcptest.Eval[bool](p, `() => scopeOutside === undefined`))
		require.Equal(t, "second", webmcptest.Eval[string](p, `() => inLayout`))
		require.Equal(t, "second third", webmcptest.Eval[string](p, `() => { use([second, third]); return inLayout }`), "new hooks came after the commit")
		require.Equal(t, "third", webmcptest.Eval[string](p, `() => { use([third]); return inLayout }`))
	})
}

func TestAServerRendersAndRegistersNothing(t *testing.T) {
	eachReact(t, func(t *testing.T, version string) {
		built(t)
		require.JSONEq(t, `{
			"text": "<p>{\"supported\":false,\"registered\":false,\"status\":\"idle\",\"error\":null,\"called\":\"loaded 7\",\"before\":2,\"approvals\":[[],[]]}</p>",
			"tools": 0,
			"problems": []
		}`, nodeOutput(t, appOf(version), "ssr.mjs"))
	})
}

func TestHydrationRegistersWhatTheServerRendered(t *testing.T) {
	eachLab(t, func(t *testing.T, p *webmcptest.Page) {
		p.Do(`() => {
			const { h, WebMCPProvider, Tool, hydrateRoot } = lab;
			const place = document.createElement('div');
			place.innerHTML = '<output id="act">idle</output>'; // what renderToString makes of it
			document.body.append(place);
			hydrateRoot(place, h(WebMCPProvider, null, h(Tool, { id: 'act', tool: () => 'acted', options: { name: 'act', description: 'Acts.' } })));
		}`)
		require.Equal(t, "acted", p.Ask("act", input{}))
		p.WaitFor(`act.textContent === 'registered'`)
	})
}
