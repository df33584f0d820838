package e2e

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/webmcptest"
)

func TestFiftyCallsAtOnceKeepApart(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	p.Do(`() => {
		window.ids = new Map();
		const claim = ({ input, invocationId, metadata }) => {
			const own = ids.get(invocationId) ?? { n: input.n, metadata };
			ids.set(invocationId, own);
			if (own.n !== input.n || own.metadata !== metadata) ran.push('mixed up ' + input.n);
		};
		webmcp.configure({ hooks: {
			before: [claim, ({ metadata, input }) => { metadata.n = input.n }, async context => { await gate('go'); claim(context) }],
			after: [claim, ({ metadata, output }) => ({ output: output + '/' + metadata.n })],
			error: [claim], denied: [claim],
		} });
		return webmcp(async ({ n }, { invocationId, metadata }) => {
			claim({ input: { n }, invocationId, metadata });
			await new Promise(done => setTimeout(done, n % 3));
			if (n % 5 === 4) throw new Error('failed ' + n);
			return 'done ' + n;
		}, { name: 'work', description: 'Works.', hooks: {
			before: [({ input: { n } }) => n % 5 === 3 ? { action: 'deny', message: 'denied ' + n, code: 'C' + n } : undefined],
		} }).register();
	}`)
	calls := make([]*webmcptest.Call, 50)
	for n := range calls {
		calls[n] = p.Invoke("work", map[string]int{"n": n})
	}
	p.WaitFor(`ids.size === 50`)
	p.Do(`() => release('go')`)
	for n, call := range calls {
		a := call.Result()
		switch n % 5 {
		case 3:
			require.Equal(t, fmt.Sprintf("Denied: denied %d", n), onlyText(t, a))
			require.Equal(t, fmt.Sprintf("C%d", n), a.Code)
		case 4:
			require.Equal(t, fmt.Sprintf("Error: failed %d", n), onlyText(t, a))
		default:
			require.Equal(t, fmt.Sprintf("done %d/%d", n, n), onlyText(t, a))
		}
	}
	require.Empty(t, webmcptest.Eval[[]string](p, `() => ran`))
}

func TestInvocationIDsAreUUIDsAndTheSameEverywhere(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	p.Do(`() => {
		const keep = ({ invocationId }) => { ran.push(invocationId) };
		return webmcp((input, context) => { keep(context); if (input.fail) throw new Error('failed') }, {
			name: 'work', description: 'Works.', hooks: { before: [keep, async context => keep(context)], after: [keep], error: [keep] },
		}).register();
	}`)
	seen := map[string]bool{}
	for _, fail := range []bool{false, true, false} {
		p.Invoke("work", map[string]bool{"fail": fail}).Result()
		ids := webmcptest.Eval[[]string](p, `() => ran.splice(0)`)
		require.Len(t, ids, 4)
		for _, id := range ids {
			require.Regexp(t, `^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`, id)
			require.Equal(t, ids[0], id)
		}
		require.False(t, seen[ids[0]], "every invocation has an id of its own")
		seen[ids[0]] = true
	}
}

func TestInvocationIDsWithoutRandomUUID(t *testing.T) {
	t.Parallel()
	p := newPage(t, withWebMCP)
	p.Open(site.url(t, "/lib/"))
	// Pages on plain http from another host have no crypto.randomUUID.
	p.Do(`() => { Object.defineProperty(crypto, 'randomUUID', { value: undefined, configurable: true }) }`)
	p.WaitFor(`globalThis.webmcp?.version`)
	p.Do(`() => webmcp((input, { invocationId }) => invocationId, { name: 'who', description: 'Its id.' }).register()`)
	first, second := p.Ask("who", nil), p.Ask("who", nil)
	require.NotEqual(t, first, second)
	require.Regexp(t, `^webmcp_\d+_\d+_\w+$`, first)
}

func TestMetadataIsOneBagWithoutAPrototype(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	p.Do(`() => webmcp((input, { metadata }) => { metadata.path += ' fn'; return 'fine' }, { name: 'work', description: 'Works.', hooks: {
		before: [({ metadata }) => { ran.push(Object.getPrototypeOf(metadata) === null, Object.keys(metadata).length); metadata.path = 'before' },
			async ({ metadata }) => { await null; metadata.path += ' later' }],
		after: [({ metadata }) => { metadata.path += ' after'; ran.push(metadata.path) }],
	} }).register()`)
	for range 2 {
		p.Ask("work", nil)
		require.Equal(t, []any{true, 0.0, "before later fn after"}, webmcptest.Eval[[]any](p, `() => ran.splice(0)`), "each invocation starts with an empty bag")
	}
}

func TestFunctionGetsInputAndContext(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	p.Do(`() => webmcp(function () {
		window.got = { self: this === undefined || this === globalThis, args: arguments.length,
			input: arguments[0], context: Object.keys(arguments[1]).sort(), signal: arguments[1].signal instanceof AbortSignal };
	}, { name: 'work', description: 'Works.' }).register()`)
	p.Ask("work", map[string]any{"a": []any{1, "x", nil}})
	require.Equal(t, map[string]any{
		"self": true, "args": 2.0, "input": map[string]any{"a": []any{1.0, "x", nil}},
		"context": []any{"invocationId", "metadata", "signal"}, "signal": true,
	}, webmcptest.Eval[map[string]any](p, `() => got`))
}

func TestHookContexts(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	p.Do(`() => {
		window.contexts = [];
		const keep = phase => context => {
			contexts.push({ phase, keys: Object.keys(context).sort().join(' '), tool: context.tool === tool, name: context.tool.tool.name });
			context.leftover = true;
		};
		const all = { before: [keep('before'), keep('before')], after: [keep('after')], error: [keep('error')], denied: [keep('denied')] };
		const tool = webmcp(({ fail = false }) => { if (fail) throw new Error('failed') }, { name: 'work', description: 'Works.', hooks: {
			...all, before: [...all.before, ({ input }) => input.deny ? { action: 'deny', message: 'no', code: 'NO' } : undefined],
		} });
		return tool.register();
	}`)
	base := "input invocationId metadata signal tool"
	for _, c := range []struct {
		input  map[string]bool
		phase  string
		keys   string
		wanted int
	}{
		{map[string]bool{}, "after", "input invocationId metadata output signal tool", 3},
		{map[string]bool{"fail": true}, "error", strings.Replace("error "+base, "metadata", "message metadata", 1), 3},
		{map[string]bool{"deny": true}, "denied", "code input invocationId metadata reason rule signal tool", 3},
	} {
		p.Invoke("work", c.input).Result()
		contexts := webmcptest.Eval[[]struct {
			Phase, Keys, Name string
			Tool              bool
		}](p, `() => contexts.splice(0)`)
		require.Len(t, contexts, c.wanted)
		for i, context := range contexts {
			require.True(t, context.Tool, "tool is the callable tool")
			require.Equal(t, "work", context.Name)
			if i < 2 {
				require.Equal(t, "before", context.Phase)
				require.Equal(t, base, context.Keys, "a fresh object for each hook")
			} else {
				require.Equal(t, c.phase, context.Phase)
				require.Equal(t, c.keys, context.Keys)
			}
		}
	}
}

func TestDirectCallsAreTheFunctionItself(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	p.Do(`() => {
		webmcp.configure({ hooks: { before: [note('hook')], after: [note('hook')], error: [note('hook')] } });
		window.original = new RangeError('the very same');
		window.tool = webmcp(function probe(...args) {
			if (args[0] === 'throw') throw original;
			if (args[0] === 'reject') return Promise.reject(original);
			if (args[0] === 'promise') return window.promise = Promise.resolve(1);
			return { self: this, args };
		}, { description: 'Shows how it was called.', hooks: { before: [note('hook')], after: [note('hook')] } });
		return tool.register();
	}`)
	require.Equal(t, map[string]bool{
		"sync": true, "self": true, "args": true, "noArgs": true, "thrown": true, "rejected": true, "promise": true, "bound": true,
	}, webmcptest.Eval[map[string]bool](p, `async () => {
		const owner = { tool };
		const a = {}, b = Symbol('b');
		const result = owner.tool(a, b, undefined);
		const how = {
			sync: !(result instanceof Promise),
			self: result.self === owner,
			args: result.args.length === 3 && result.args[0] === a && result.args[1] === b,
			noArgs: tool().args.length === 0,
			bound: tool.call(a).self === a,
			promise: tool('promise') === promise,
		};
		try { tool('throw') } catch (error) { how.thrown = error === original }
		try { await tool('reject') } catch (error) { how.rejected = error === original }
		return how;
	}`))
	require.Empty(t, webmcptest.Eval[[]string](p, `() => ran`), "no hook runs for a direct call")
	p.Do(`() => { webmcp.registry.clear() }`)
	require.Equal(t, 1, webmcptest.Eval[int](p, `() => tool(1).args.length`), "registered or not")
}

func TestToolsCallToolsFromFunctionsAndHooks(t *testing.T) {
	t.Parallel()
	for name, b := range map[string]webmcptest.Options{"native": withWebMCP, "registry": withoutWebMCP} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := libPage(t, b)
			text := webmcptest.Eval[string](p, `async () => {
				const ask = async (name, input) => (await webmcp.invokeTool(name, input)).content[0].text;
				webmcp.configure({ hooks: { before: [async ({ tool, invocationId, metadata }) => { metadata.id = invocationId; await null }],
					after: [({ invocationId, metadata }) => { if (metadata.id !== invocationId) ran.push('mixed up') }] } });
				await webmcp(({ n }, { invocationId }) => { ran.push(invocationId); return n * 2 }, { name: 'double', description: 'Doubles.' }).register();
				await webmcp(async ({ n }, { invocationId }) => {
					ran.push(invocationId);
					return 'fn ' + await ask('double', { n });
				}, { name: 'outer', description: 'Uses another.', hooks: {
					before: [async ({ input }) => ({ input: { n: Number(await ask('double', input)) } })],
					after: [async ({ output }) => ({ output: output + ' after ' + await ask('double', { n: 50 }) })],
				} }).register();
				await webmcp(async ({ depth }) => depth === 0 ? 'bottom' : await ask('down', { depth: depth - 1 }),
					{ name: 'down', description: 'Calls itself.' }).register();
				return await ask('outer', { n: 3 }) + ', ' + await ask('down', { depth: 10 });
			}`)
			require.Equal(t, "fn 12 after 100, bottom", text)
			ids := webmcptest.Eval[[]string](p, `() => ran`)
			require.Len(t, ids, 4)
			unique := map[string]bool{}
			for _, id := range ids {
				unique[id] = true
			}
			require.Len(t, unique, 4, "each nested call is an invocation of its own")
		})
	}
}

func TestCallsThatRunKeepTheHooksTheyStartedWith(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	p.Do(`async () => {
		window.own = { before: [note('own'), () => { window.waiting = true; return gate('go') }], after: [note('own after')] };
		window.scope = webmcp.scope({ hooks: { before: [note('scope')], after: [note('scope after')] } });
		webmcp.configure({ hooks: { before: [note('global')], after: [note('global after')] } });
		window.tool = webmcp(note('fn', 'fine'), { name: 'work', description: 'Works.', hooks: own });
		await tool.register({ scope });
	}`)
	call := p.Invoke("work", nil)
	p.WaitFor(`globalThis.waiting`)
	p.Do(`() => {
		webmcp.configure({ hooks: { after: [note('new global after')] }, replace: true });
		scope.configure({ hooks: { after: [note('new scope after')] } });
		own.after.push(note('pushed'));
		own.before.length = 0;
		release('go');
	}`)
	require.Equal(t, "fine", onlyText(t, call.Result()))
	require.Equal(t, []string{"global", "scope", "own", "fn", "own after", "scope after", "global after"}, webmcptest.Eval[[]string](p, `() => ran.splice(0)`))

	require.Equal(t, "fine", p.Ask("work", nil))
	next := webmcptest.Eval[[]string](p, `() => ran.splice(0)`)
	require.Equal(t, []string{"new scope after", "new global after"}, next[len(next)-2:], "the next call sees the new configuration")
	require.NotContains(t, next, "global")
}

func TestUnregisteringLetsRunningCallsEnd(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	for _, stage := range []string{"before", "fn", "after"} {
		for _, end := range []string{
			`tool.unregister()`,
			`webmcp.registry.clear()`,
			`tool.unregister(); await webmcp(() => 'other', { name: 'work', description: 'Another.' }).register()`,
			`tool.unregister(); await tool.register()`,
		} {
			p.About("%s while %s runs", end, stage)
			p.Do(`stage => {
				webmcp.registry.clear();
				gates.clear();
				ran.length = 0;
				window.waiting = false;
				const wait = at => async () => { ran.push(at); if (at === stage) { window.waiting = true; await gate('go') } };
				window.tool = webmcp(async (input, { signal }) => { await wait('fn')(); return 'fine ' + signal.aborted }, {
					name: 'work', description: 'Works.', hooks: { before: [wait('before')], after: [wait('after')], error: [note('error')] } });
				return tool.register();
			}`, stage)
			call := p.Invoke("work", nil)
			p.WaitFor(`waiting`)
			p.Do(`async () => { ` + end + ` }`)
			require.False(t, call.Done())
			p.Do(`() => release('go')`)
			require.Equal(t, "fine false", onlyText(t, call.Result()))
			require.Equal(t, []string{"before", "fn", "after"}, webmcptest.Eval[[]string](p, `() => ran`))
		}
	}
}

func TestManySequentialCallsLeakNoState(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	p.Do(`() => {
		const hook = ({ input, metadata }) => { metadata.n = (metadata.n ?? 0) + 1; return { input: { n: input.n + 1 } } };
		return webmcp(({ n, bad }, { metadata }) => { if (n % 7 === 0) throw new Error('seven'); return n + ':' + metadata.n }, {
			name: 'count', description: 'Counts.', hooks: { before: [hook, async context => hook(context), hook] } }).register();
	}`)
	wrong := webmcptest.Eval[[]string](p, `async () => {
		const wrong = [];
		for (let n = 0; n < 300; n++) {
			const answer = await webmcp.invokeTool('count', { n });
			const want = (n + 3) % 7 === 0 ? 'Error: seven' : (n + 3) + ':3';
			if (answer.content[0].text !== want) wrong.push(answer.content[0].text + ' instead of ' + want);
		}
		return wrong;
	}`)
	require.Empty(t, wrong, strconv.Itoa(len(wrong)))
}
