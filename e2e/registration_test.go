package e2e

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/webmcptest"
)

// outcome is what the page helpers settled and attempt return.
type outcome struct {
	Value   any
	Name    string
	Message string
	Own     bool // whether the error is an Error
}

func TestContractIsDerivedAndFrozen(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	got := webmcptest.Eval[map[string]any](p, `() => {
		const named = webmcp(function searchProducts({ query, limit = 5 }) {}, { description: 'Searches.' });
		const full = webmcp(() => {}, { name: 'Full.Name-1', title: 'A title', description: 'Does.',
			schema: { type: 'object', properties: { a: { type: 'string' } } }, annotations: { readOnlyHint: true } });
		return {
			named: named.tool.name,
			inferred: Object.keys(named.tool.inputSchema.properties).sort(),
			full: full.tool,
			same: full.tool === full.definition,
			frozen: Object.isFrozen(full.tool),
			status: [named.status, named.isRegistered()],
		};
	}`)
	require.Equal(t, map[string]any{
		"named": "search_products", "inferred": []any{"limit", "query"},
		"full": map[string]any{
			"name": "Full.Name-1", "title": "A title", "description": "Does.",
			"inputSchema": map[string]any{"type": "object", "properties": map[string]any{"a": map[string]any{"type": "string"}}},
			"annotations": map[string]any{"readOnlyHint": true},
		},
		"same": true, "frozen": true, "status": []any{"idle", false},
	}, got)
}

func TestNamesFollowTheFunction(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	for function, want := range map[string]string{
		`function searchProducts() {}`:                               "search_products",
		`async function getCart() {}`:                                "get_cart",
		`function checkout() {}`:                                     "checkout",
		`function already_snake() {}`:                                "already_snake",
		`function parseHTMLDocument() {}`:                            "parse_html_document",
		`function v2Search() {}`:                                     "v2_search",
		`({ removeFromCart() {} }).removeFromCart`:                   "remove_from_cart",
		`(() => { const addToCart = () => {}; return addToCart })()`: "add_to_cart",
	} {
		p.About("%s", function)
		require.Equal(t, want, webmcptest.Eval[string](p, `() => webmcp(`+function+`, { description: 'Does.' }).tool.name`))
	}
}

func TestBadContractsAreConfigurationErrors(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	for _, call := range []string{
		`webmcp(() => {}, { description: 'No name.' })`,
		`webmcp(function () {}, { description: 'No name.' })`,
		`webmcp(() => {}, { name: '', description: 'Empty.' })`,
		`webmcp(() => {}, { name: 'with space', description: 'Space.' })`,
		`webmcp(() => {}, { name: 'ümlaut', description: 'Not ASCII.' })`,
		`webmcp(() => {}, { name: 'a/b', description: 'Slash.' })`,
		`webmcp(() => {}, { name: 'x'.repeat(129), description: 'Too long.' })`,
		`webmcp(() => {}, { name: 42, description: 'Not a text.' })`,
		`webmcp(() => {}, { name: 'fine' })`,
		`webmcp(() => {}, { name: 'fine', description: '' })`,
		`webmcp(() => {}, { name: 'fine', description: 42 })`,
		`webmcp(() => {})`,
		`webmcp({}, { name: 'fine', description: 'Not a function.' })`,
		`webmcp(undefined, { name: 'fine', description: 'Not a function.' })`,
		`webmcp(() => {}, { name: 'fine', description: 'Fine.', hooks: { before: ['not a function'] } })`,
		`webmcp(() => {}, { name: 'fine', description: 'Fine.', hooks: { befor: [() => {}] } })`,
		`webmcp(() => {}, { name: 'fine', description: 'Fine.', schema: 'text' })`,
		`webmcp(() => {}, { name: 'fine', description: 'Fine.', schema: { toJSON() { throw new Error('no') } } })`,
		`webmcp.configure({ hooks: { before: [42] } })`,
		`webmcp.scope({ hooks: { after: [null] } })`,
		`webmcp.scope({}, {})`,
	} {
		p.About("%s", call)
		o := webmcptest.Eval[outcome](p, `() => attempt(() => { `+call+` })`)
		require.Equal(t, "ConfigurationError", o.Name, call)
		require.True(t, o.Own, call)
		require.NotEmpty(t, o.Message)
		require.NotContains(t, o.Message, "[object")
	}
	require.Equal(t, "fine", webmcptest.Eval[string](p, `async () => {
		await webmcp(() => 'fine', { name: 'x'.repeat(128), description: 'Just fits.' }).register();
		return (await webmcp.invokeTool('x'.repeat(128), {})).content[0].text;
	}`))
}

func TestStatusTellsWhereAToolIs(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	require.Equal(t, []any{"idle", "registering", "registered", true, "idle", false}, webmcptest.Eval[[]any](p, `async () => {
		const tool = webmcp(() => {}, { name: 'work', description: 'Works.' });
		const seen = [tool.status];
		const registering = tool.register();
		seen.push(tool.status);
		await registering;
		seen.push(tool.status, tool.isRegistered());
		tool.unregister();
		seen.push(tool.status, tool.isRegistered());
		return seen;
	}`))
	disabled := webmcptest.Eval[[]any](p, `async () => {
		const tool = webmcp(() => {}, { name: 'off', description: 'Is off.', enabled: false });
		await tool.register();
		return [tool.status, tool.isRegistered(), webmcp.registry.isRegistered('off')];
	}`)
	require.Equal(t, []any{"disabled", false, false}, disabled)
	p.AwaitTools()
	global := webmcptest.Eval[string](p, `async () => {
		const tool = webmcp.global(() => 'fine', { name: 'everywhere', description: 'Registers at once.' });
		return (await webmcp.invokeTool('everywhere', {})).content[0].text + ' ' + tool.status;
	}`)
	require.Equal(t, "fine registered", global)
	p.AwaitTools("everywhere")
}

func TestTheSameToolRegisteredTwiceStaysUntilTheLastOwnerLeaves(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	p.Do(`async () => {
		window.tool = webmcp(() => 'fine', { name: 'work', description: 'Works.' });
		[window.first, window.second] = await Promise.all([tool.register(), tool.register()]);
	}`)
	p.AwaitTools("work")
	p.Do(`() => { first(); first(); first() }`)
	require.Equal(t, "fine", p.Ask("work", nil), "giving up one registration more than once gives up that one")
	require.True(t, webmcptest.Eval[bool](p, `() => tool.isRegistered()`))
	p.Do(`() => second()`)
	p.AwaitTools()
	require.False(t, webmcptest.Eval[bool](p, `() => tool.isRegistered()`))

	p.Do(`async () => { window.third = await tool.register(); await tool.register(); tool.unregister(); third() }`)
	p.AwaitTools()

	p.Do(`async () => {
		window.stop = new AbortController();
		await tool.register({ signal: stop.signal });
		window.last = await tool.register();
		stop.abort();
	}`)
	require.Equal(t, "fine", p.Ask("work", nil), "a signal gives up its own registration only")
	p.Do(`() => last()`)
	p.AwaitTools()

	p.Do(`() => settled(tool.register({ signal: AbortSignal.abort() }))`)
	require.False(t, webmcptest.Eval[bool](p, `() => tool.isRegistered()`), "an aborted signal registers nothing")
	p.AwaitTools()
}

func TestRegisteringAndUnregisteringInOneTick(t *testing.T) {
	t.Parallel()
	for name, b := range map[string]webmcptest.Options{"native": withWebMCP, "registry": withoutWebMCP} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := libPage(t, b)
			p.Do(`() => { window.tool = webmcp(() => 'fine', { name: 'work', description: 'Works.' }) }`)
			// Nobody looks at the promises: an unhandled rejection would fail the test.
			p.Do(`() => { tool.register(); tool.unregister(); tool.register() }`)
			p.WaitFor(`tool.isRegistered()`)
			require.Equal(t, "fine", webmcptest.Eval[string](p, `async () => (await webmcp.invokeTool('work', {})).content[0].text`))
			ended := webmcptest.Eval[bool](p, `async () => {
				tool.unregister(); tool.register(); tool.unregister();
				await new Promise(done => setTimeout(done));
				return tool.isRegistered();
			}`)
			require.False(t, ended)
			require.Equal(t, "RegistrationError", webmcptest.Eval[outcome](p, `() => settled(webmcp.invokeTool('work', {}))`).Name)
			flutter := webmcptest.Eval[bool](p, `async () => {
				for (let i = 0; i < 50; i++) { tool.register(); tool.unregister() }
				for (let i = 0; i < 50; i++) { const release = tool.register(); release.then(end => end()) }
				await new Promise(done => setTimeout(done, 50));
				return tool.isRegistered();
			}`)
			require.False(t, flutter, "nothing is leaked")
			if !b.Browser.WithoutWebMCP {
				p.AwaitTools()
				require.Empty(t, webmcptest.Eval[[]string](p, `async () => (await document.modelContext.getTools()).map(({ name }) => name)`))
			}
		})
	}
}

func TestAnotherToolUnderATakenName(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	ours := webmcptest.Eval[outcome](p, `async () => {
		await webmcp(() => 'first', { name: 'work', description: 'First.' }).register();
		window.second = webmcp(() => 'second', { name: 'work', description: 'Second.' });
		return settled(second.register());
	}`)
	require.Equal(t, "RegistrationError", ours.Name)
	require.True(t, ours.Own)
	require.Contains(t, ours.Message, "work")
	require.Equal(t, "first", p.Ask("work", nil))
	require.Equal(t, "error", webmcptest.Eval[string](p, `() => second.status`))

	chrome := webmcptest.Eval[map[string]any](p, `async () => {
		await document.modelContext.registerTool({ name: 'pages_own', description: 'Not ours.', execute: () => 'page' });
		let native;
		await document.modelContext.registerTool({ name: 'pages_own', description: 'Again.', execute: () => 'page' })
			.catch(error => { native = error });
		const tool = webmcp(() => 'ours', { name: 'pages_own', description: 'Ours.' });
		try { await tool.register() } catch (error) {
			return {
				ours: error instanceof webmcp.RegistrationError && error.name,
				nativeName: [error.message, error.cause?.name].join(' ').includes(native.name),
				nativeMessage: error.message.includes(native.message),
				status: tool.status,
			};
		}
	}`)
	require.Equal(t, map[string]any{"ours": "RegistrationError", "nativeName": true, "nativeMessage": true, "status": "error"}, chrome)

	p.Do(`async () => {
		// Nobody looks at these promises: an unhandled rejection would fail the test.
		second.register();
		webmcp.global(() => 'third', { name: 'work', description: 'Third.' });
		webmcp(() => {}, { name: 'pages_own', description: 'Ours.' }).register();
		await new Promise(done => setTimeout(done));
		await document.modelContext.getTools();
	}`)

	exposed := webmcptest.Eval[outcome](p, `() => settled(webmcp(() => {}, { name: 'exposed', description: 'To a host without TLS.',
		exposedTo: ['http://insecure.example'] }).register())`)
	require.Equal(t, "RegistrationError", exposed.Name)
	require.Contains(t, exposed.Message, "SecurityError")

	again := webmcptest.Eval[string](p, `async () => {
		webmcp.registry.clear();
		await second.register();
		return (await webmcp.invokeTool('work', {})).content[0].text;
	}`)
	require.Equal(t, "second", again, "a name that was given up is free, for the tool that failed too")
}

func TestAFrameThatMayNotRegisterToolsSaysWhatToDo(t *testing.T) {
	t.Parallel()
	p := newPage(t, withWebMCP)
	p.Open(site.url(t, "/frames/"))
	p.WaitFor(`Object.keys(reports).length === 2`)
	require.Equal(t, map[string]any{"name": "may", "answer": "fine", "status": "registered"}, webmcptest.Eval[map[string]any](p, `() => reports.may`))
	denied := webmcptest.Eval[map[string]any](p, `() => reports.may_not`)
	require.Equal(t, "NotAllowedError", denied["error"])
	require.Equal(t, true, denied["own"])
	require.Equal(t, "error", denied["status"])
	require.Contains(t, denied["message"], `allow="tools"`)
}

func TestListsTellWhereToolsComeFrom(t *testing.T) {
	t.Parallel()
	setUp := `async () => {
		await webmcp(() => 'b', { name: 'b_ours', title: 'B', description: 'Ours.', annotations: { readOnlyHint: true },
			schema: { type: 'object', properties: { x: { type: 'number' } } } }).register();
		await document.modelContext?.registerTool({ name: 'a_page', description: 'Not ours.', execute: () => 'a' });
		await webmcp(() => 'C', { name: 'C_ours', description: 'Also ours.' }).register();
		const brief = list => list.map(({ name, source, status }) => [name, source, status].join(' '));
		return { all: brief(await webmcp.listTools()), own: brief(webmcp.registry.list()), b: await webmcp.getTool('b_ours'),
			none: await webmcp.getTool('nobody') === undefined,
			is: [webmcp.registry.isRegistered('b_ours'), webmcp.registry.isRegistered('a_page'), webmcp.registry.getStatus('b_ours')] };
	}`
	b := func(source string) map[string]any {
		return map[string]any{
			"name": "b_ours", "title": "B", "description": "Ours.", "annotations": map[string]any{"readOnlyHint": true},
			"inputSchema": map[string]any{"type": "object", "properties": map[string]any{"x": map[string]any{"type": "number"}}},
			"openSchema":  false,
			"status":      "registered", "source": source,
		}
	}
	t.Run("native", func(t *testing.T) {
		t.Parallel()
		p := libPage(t, withWebMCP)
		got := webmcptest.Eval[map[string]any](p, setUp)
		require.Equal(t, []any{"C_ours native registered", "a_page page registered", "b_ours native registered"}, got["all"])
		require.Equal(t, []any{"C_ours native registered", "b_ours native registered"}, got["own"])
		require.Equal(t, b("native"), got["b"])
		require.Equal(t, true, got["none"])
		require.Equal(t, []any{true, false, "registered"}, got["is"])
		require.Equal(t, "a", webmcptest.Eval[string](p, `async () => (await webmcp.invokeTool('a_page', {})).content[0].text`),
			"invokeTool reaches the page's own tools as well")
	})
	t.Run("registry", func(t *testing.T) {
		t.Parallel()
		p := libPage(t, withoutWebMCP)
		got := webmcptest.Eval[map[string]any](p, setUp)
		require.Equal(t, []any{"C_ours registry registered", "b_ours registry registered"}, got["all"])
		require.Equal(t, got["all"], got["own"])
		require.Equal(t, b("registry"), got["b"])
		require.False(t, webmcptest.Eval[bool](p, `() => webmcp.isWebMCPSupported()`))
	})
}

func TestClearEmptiesTheRegistry(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	p.Do(`async () => {
		for (const name of ['a', 'b', 'c']) await webmcp(() => name, { name, description: 'One.' }).register();
		await document.modelContext.registerTool({ name: 'page', description: 'Not ours.', execute: () => 'page' });
	}`)
	p.AwaitTools("a", "b", "c", "page")
	p.Do(`() => webmcp.registry.clear()`)
	p.AwaitTools("page")
	require.Empty(t, webmcptest.Eval[[]any](p, `() => webmcp.registry.list()`))
}

func TestOnToolsChangedHearsOfEveryChange(t *testing.T) {
	t.Parallel()
	for name, b := range map[string]webmcptest.Options{"native": withWebMCP, "registry": withoutWebMCP} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := libPage(t, b)
			p.Do(`() => {
				window.heard = 0;
				window.stopListening = webmcp.onToolsChanged(() => { heard++ });
				webmcp.onToolsChanged(() => { throw new Error('a listener that breaks') });
				window.other = 0;
				webmcp.onToolsChanged(() => { other++ });
				window.tool = webmcp(() => {}, { name: 'work', description: 'Works.' });
				tool.register();
			}`)
			p.WaitFor(`heard > 0 && other > 0`)
			p.Do(`() => { heard = 0; tool.unregister() }`)
			p.WaitFor(`heard > 0`)
			if !b.Browser.WithoutWebMCP {
				p.Do(`() => { heard = 0; document.modelContext.registerTool({ name: 'page', description: 'Not ours.', execute: () => '' }) }`)
				p.WaitFor(`heard > 0`)
			}
			p.Do(`async () => { stopListening(); stopListening(); heard = 0; other = 0; await tool.register() }`)
			p.WaitFor(`other > 0`)
			require.Zero(t, webmcptest.Eval[int](p, `() => heard`))
			p.Forgive("a listener that breaks")
		})
	}
}

func TestSchemaAndAnnotationsReachTheAgent(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	schema := `{"type":"object","properties":{"id":{"type":"string","description":"Id."},"count":{"type":"integer","minimum":1}},"required":["id"],"additionalProperties":false}`
	p.Do(`schema => webmcp(() => {}, { name: 'order', title: 'Order', description: 'Orders.', schema,
		annotations: { readOnlyHint: false, consequentialHint: true, untrustedContentHint: true } }).register()`, json.RawMessage(schema))
	tool := p.Tool("order")
	require.Equal(t, "Orders.", tool.Description)
	require.JSONEq(t, schema, string(tool.InputSchema))
	require.True(t, tool.Annotations.Consequential)
	require.True(t, tool.Annotations.UntrustedContent)
	require.False(t, tool.Annotations.ReadOnly)
	require.Equal(t, "Order", webmcptest.Eval[string](p, `async () => (await document.modelContext.getTools())[0].title`))
}

func TestRegisteringWithASignalThatAbortsRejectsWithItsReason(t *testing.T) {
	t.Parallel()
	for name, b := range map[string]webmcptest.Options{"native": withWebMCP, "registry": withoutWebMCP} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := libPage(t, b)
			got := webmcptest.Eval[[]any](p, `async () => {
				const tool = webmcp(() => 'fine', { name: 'work', description: 'Works.' });
				const logged = [];
				const { error } = console;
				console.error = (...what) => logged.push(what.join(' '));
				const reason = new Error('left');
				const rejected = (promise) => promise.then(() => 'resolved', (end) => (end === reason ? 'the reason' : String(end)));
				const aborted = rejected(tool.register({ signal: AbortSignal.abort(reason) }));
				const status = tool.status;
				const controller = new AbortController();
				const meanwhile = rejected(tool.register({ signal: controller.signal }));
				controller.abort(reason);
				const ends = [await aborted, status, await meanwhile, tool.status];
				tool.register({ signal: AbortSignal.abort(reason) }); // nobody looks: that is no unhandled rejection
				const other = new AbortController();
				const [kept] = [await tool.register(), await tool.register({ signal: other.signal })];
				other.abort(reason);
				ends.push(tool.status);
				kept();
				console.error = error;
				return [...ends, tool.status, logged];
			}`)
			require.Equal(t, []any{"the reason", "idle", "the reason", "idle", "registered", "idle", []any{}}, got)
			if !b.Browser.WithoutWebMCP {
				p.AwaitTools()
			}
		})
	}
}

func TestAnAbortedInvokeToolRejectsWithAnAbortErrorWhoseCauseIsTheReason(t *testing.T) {
	t.Parallel()
	for name, b := range map[string]webmcptest.Options{"native": withWebMCP, "registry": withoutWebMCP} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := libPage(t, b)
			got := webmcptest.Eval[[][]any](p, `async () => {
				await webmcp(() => new Promise(() => {}), { name: 'hang', description: 'Hangs.' }).register();
				const ends = [];
				for (const early of [true, false]) {
					const controller = new AbortController();
					const reason = new RangeError('enough');
					if (early) controller.abort(reason);
					const call = webmcp.invokeTool('hang', {}, { signal: controller.signal });
					if (!early) setTimeout(() => controller.abort(reason));
					const error = await call.then(() => undefined, (error) => error);
					ends.push([error.name, error instanceof DOMException, error.message.endsWith('enough'), error.cause === reason]);
				}
				return ends;
			}`)
			want := []any{"AbortError", true, true, true}
			require.Equal(t, [][]any{want, want}, got)
		})
	}
}

func TestADuplicateNamesTheCure(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	message := webmcptest.Eval[string](p, `async () => {
		const make = () => webmcp(() => {}, { name: 'work', description: 'Works.' });
		await make().register();
		return (await settled(make().register())).message;
	}`)
	require.Contains(t, message, "InvalidStateError: Duplicate tool name")
	require.Contains(t, message, "webmcp.replace")
	require.Contains(t, message, "unregister()")
}

func TestAToolIsRegisteredWhereThePageSays(t *testing.T) {
	t.Parallel()
	for _, b := range []webmcptest.Options{withWebMCP, withoutWebMCP} {
		p := libPage(t, b)
		require.Equal(t, "registered [] HOOKED 7 idle true", webmcptest.Eval[string](p, `async () => {
			let offered, signal;
			const context = { registerTool: async (tool, options) => { offered = tool; ({ signal } = options); } };
			const tool = webmcp(({ n }) => 'hooked ' + n, { name: 'own', description: 'For an agent of the page.', hooks: { after: [({ output }) => ({ output: output.toUpperCase() })] } });
			const release = await tool.register({ context });
			const seen = document.modelContext ? (await document.modelContext.getTools()).map(({ name }) => name) : [];
			const said = [tool.status, JSON.stringify(seen), (await offered.execute({ n: 7 })).content[0].text];
			release();
			return [...said, tool.status, signal.aborted].join(' ');
		}`))
		require.Contains(t, webmcptest.Eval[string](p, `async () => {
			const { error } = console;
			console.error = () => {};
			try {
				return await webmcp(() => 1, { name: 'own', description: 'Is refused.' }).register({ context: { registerTool: async () => { throw new DOMException('no more', 'QuotaExceededError'); } } }).then(() => 'registered', ({ name, message }) => name + ': ' + message);
			} finally {
				console.error = error;
			}
		}`), "RegistrationError: cannot register the tool own: QuotaExceededError: no more")
	}
}
