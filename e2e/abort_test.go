package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/driver"
	"github.com/webmcp-wasm/webmcp/webmcptest"
)

// observed are hooks that write down how a call ended, and whether the error
// was that of an abort.
const observed = `{
	after: [({ output }) => { ran.push('after ' + output) }],
	denied: [note('denied')],
	error: [({ error, signal }) => { ran.push('error ' + error.name + ' ' + signal.aborted) }],
}`

func TestAgentCancelsWhileABeforeHookWaits(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	p.Do(`() => webmcp(note('fn'), { name: 'slow', description: 'Waits for a person.', hooks: { ...` + observed + `,
		before: [async ({ signal }) => { window.signal = signal; await gate('person'); ran.push('hook ended') }, note('next')],
	} }).register()`)
	call := p.Invoke("slow", nil)
	p.WaitFor(`globalThis.signal`)
	call.Cancel()
	require.ErrorIs(t, call.Err(), driver.ErrCanceled)
	p.WaitFor(`ran.length > 0`)
	require.Equal(t, []string{"error AbortError true"}, webmcptest.Eval[[]string](p, `() => ran`),
		"a hook that ignores the signal is abandoned: the function has not run")

	p.Do(`() => release('person')`)
	p.WaitFor(`ran.includes('hook ended')`)
	p.Do(`() => new Promise(done => setTimeout(done))`)
	require.Equal(t, []string{"error AbortError true", "hook ended"}, webmcptest.Eval[[]string](p, `() => ran`), "a late result is dropped")
}

func TestALateResultOfAnAbandonedHookMovesNoOtherCall(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	p.Do(`() => webmcp(note('fn'), { name: 'slow', description: 'Waits for a person.', hooks: {
		before: [async ({ input }) => { ran.push('before ' + input.gate); await gate(input.gate) }],
		error: [async ({ input }) => { ran.push('error ' + input.gate); await gate('error ' + input.gate) }, note('second error')],
	} }).register()`)
	flush := `() => new Promise(done => setTimeout(done))`
	first := p.Invoke("slow", map[string]string{"gate": "1"})
	p.WaitFor(`ran.includes('before 1')`)
	first.Cancel()
	require.ErrorIs(t, first.Err(), driver.ErrCanceled)
	p.WaitFor(`ran.includes('error 1')`)
	p.Do(`() => release('1')`)
	p.Do(flush)
	require.Equal(t, []string{"before 1", "error 1"}, webmcptest.Eval[[]string](p, `() => ran`), "error hooks of the call go on at their own pace")
	p.Do(`() => release('error 1')`)
	p.WaitFor(`ran.includes('second error')`)

	second := p.Invoke("slow", map[string]string{"gate": "2"})
	p.WaitFor(`ran.includes('before 2')`)
	second.Cancel()
	require.ErrorIs(t, second.Err(), driver.ErrCanceled)
	p.Do(`() => release('error 2')`)
	p.WaitFor(`ran.filter(line => line === 'second error').length === 2`)
	third := p.Invoke("slow", map[string]string{"gate": "3"})
	p.WaitFor(`ran.includes('before 3')`)
	p.Do(`() => { ran.length = 0; release('2') }`)
	p.Do(flush)
	require.Empty(t, webmcptest.Eval[[]string](p, `() => ran`), "a call that came later does not take it for its own")
	require.False(t, third.Done())
	p.Do(`() => release('3')`)
	third.Result()
	require.Equal(t, []string{"fn"}, webmcptest.Eval[[]string](p, `() => ran`))
}

func TestAHookThatObeysTheSignalEndsTheCallAsAborted(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	p.Do(`() => webmcp(note('fn'), { name: 'slow', description: 'Waits for a person.', hooks: { ...` + observed + `,
		before: [({ signal }) => new Promise((_, reject) => {
			window.waiting = true;
			signal.addEventListener('abort', () => { ran.push('told'); reject(signal.reason) });
		})],
	} }).register()`)
	call := p.Invoke("slow", nil)
	p.WaitFor(`globalThis.waiting`)
	call.Cancel()
	require.ErrorIs(t, call.Err(), driver.ErrCanceled)
	p.WaitFor(`ran.length > 1`)
	p.Do(`() => new Promise(done => setTimeout(done))`)
	require.ElementsMatch(t, []string{"told", "error AbortError true"}, webmcptest.Eval[[]string](p, `() => ran`), "once, not twice")
}

func TestARunningFunctionIsAwaitedAfterAnAbort(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	p.Do(`() => webmcp(async (input, { signal }) => {
		signal.addEventListener('abort', () => ran.push('fn saw the abort'));
		window.working = true;
		return (await gate('work'))(signal);
	}, { name: 'work', description: 'Works.', hooks: ` + observed + ` }).register()`)
	for finish, ran := range map[string][]string{
		`() => 'done'`:                                {"fn saw the abort", "after done"},
		`signal => signal.throwIfAborted()`:           {"fn saw the abort", "error AbortError true"},
		`() => { throw new RangeError('half done') }`: {"fn saw the abort", "error RangeError true"},
	} {
		p.About("the function ends with %s", finish)
		p.Do(`() => { window.working = false; ran.length = 0; gates.clear() }`)
		call := p.Invoke("work", nil)
		p.WaitFor(`working`)
		call.Cancel()
		require.ErrorIs(t, call.Err(), driver.ErrCanceled)
		p.WaitFor(`ran.length === 1`)
		p.Do(`() => release('work', ` + finish + `)`)
		p.WaitFor(`ran.length === 2`)
		p.Do(`() => new Promise(done => setTimeout(done))`)
		require.Equal(t, ran, webmcptest.Eval[[]string](p, `() => ran`), "what a function did is observed")
	}
}

func TestAnAbortWhileAfterHooksRunChangesNothing(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	p.Do(`() => webmcp(() => 'done', { name: 'work', description: 'Works.', hooks: {
		after: [async () => { window.looking = true; await gate('look'); ran.push('first') }, note('second')],
		error: [note('error')],
	} }).register()`)
	call := p.Invoke("work", nil)
	p.WaitFor(`globalThis.looking`)
	call.Cancel()
	require.ErrorIs(t, call.Err(), driver.ErrCanceled)
	p.Do(`() => release('look')`)
	p.WaitFor(`ran.length === 2`)
	require.Equal(t, []string{"first", "second"}, webmcptest.Eval[[]string](p, `() => ran`))
}

func TestASynchronousAbortStopsBeforeTheNextStep(t *testing.T) {
	t.Parallel()
	for name, b := range map[string]webmcptest.Options{"native": withWebMCP, "registry": withoutWebMCP} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := libPage(t, b)
			for before, ran := range map[string][]string{
				`[() => { abort() }, note('next')]`:                                  {"error AbortError true"},
				`[note('first'), () => { abort() }]`:                                 {"first", "error AbortError true"},
				`[note('first'), () => { abort(); return { input: {} } }]`:           {"first", "error AbortError true"},
				`[async () => { await null; abort() }, note('next')]`:                {"error AbortError true"},
				`[note('first'), async () => { abort(); return { input: 'late' } }]`: {"first", "error AbortError true"},
			} {
				p.About("%s", before)
				end := webmcptest.Eval[outcome](p, `async () => {
					ran.length = 0;
					webmcp.registry.clear();
					const stop = new AbortController();
					const abort = () => stop.abort();
					await webmcp(note('fn'), { name: 'work', description: 'Works.', hooks: { ...`+observed+`, before: `+before+` } }).register();
					return settled(webmcp.invokeTool('work', {}, { signal: stop.signal }));
				}`)
				require.Equal(t, "AbortError", end.Name)
				if name == "registry" {
					// Natively Chrome tells the tool in a task of its own, when synchronous hooks are long done.
					p.WaitFor(`ran.some(line => line.startsWith('error'))`)
					require.Equal(t, ran, webmcptest.Eval[[]string](p, `() => ran`))
				}
			}
		})
	}
}

func TestInvokeToolRejectsWithTheAbort(t *testing.T) {
	t.Parallel()
	for name, b := range map[string]webmcptest.Options{"native": withWebMCP, "registry": withoutWebMCP} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := libPage(t, b)
			p.Do(`() => webmcp(note('fn'), { name: 'work', description: 'Works.', hooks: { ...` + observed + `,
				before: [() => { window.waiting = true; return gate('never') }],
			} }).register()`)
			before := webmcptest.Eval[map[string]any](p, `() => settled(webmcp.invokeTool('work', {}, { signal: AbortSignal.abort() }))`)
			require.Equal(t, "AbortError", before["name"], "aborted beforehand")
			require.False(t, webmcptest.Eval[bool](p, `() => ran.includes('fn')`))

			p.Do(`() => {
				ran.length = 0;
				window.waiting = false;
				window.stop = new AbortController();
				window.outcome = settled(webmcp.invokeTool('work', {}, { signal: stop.signal }));
			}`)
			p.WaitFor(`waiting`)
			during := webmcptest.Eval[map[string]any](p, `() => { stop.abort(); return outcome }`)
			require.Equal(t, "AbortError", during["name"], "aborted while a hook waits")
			p.WaitFor(`ran.length > 0`)
			require.Equal(t, []string{"error AbortError true"}, webmcptest.Eval[[]string](p, `() => ran`))

			after := webmcptest.Eval[map[string]any](p, `async () => {
				await webmcp(() => 'fine', { name: 'other', description: 'Works.' }).register();
				const stop = new AbortController();
				const outcome = await settled(webmcp.invokeTool('other', {}, { signal: stop.signal }));
				stop.abort();
				return outcome;
			}`)
			require.Contains(t, after, "value", "an abort after the result comes too late to matter")
		})
	}
}

func TestOneSignalPerInvocation(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	p.Do(`() => {
		const keep = ({ signal, metadata }) => { (metadata.signals ??= []).push(signal) };
		return webmcp((input, { signal, metadata }) => { metadata.signals.push(signal); return 'fine' }, {
			name: 'work', description: 'Works.', hooks: {
				before: [keep, async context => keep(context)],
				after: [keep, ({ metadata }) => {
					const [first, ...others] = metadata.signals;
					window.same = others.length === 3 && others.every(signal => signal === first) && first instanceof AbortSignal;
					window.signals = [...(window.signals ?? []), first];
				}],
			},
		}).register();
	}`)
	first := p.Invoke("work", nil)
	second := p.Invoke("work", nil)
	first.Result()
	second.Result()
	require.True(t, webmcptest.Eval[bool](p, `() => same`))
	require.True(t, webmcptest.Eval[bool](p, `() => signals.length === 2 && signals[0] !== signals[1]`))
	require.False(t, webmcptest.Eval[bool](p, `() => signals.some(signal => signal.aborted)`), "a call that ended well aborts nothing")
}
