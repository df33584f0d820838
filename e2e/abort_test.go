package e2e

import (
	"testing"

	"github.com/chromedp/cdproto/webmcp"
	"github.com/stretchr/testify/require"
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
	p.do(`() => webmcp(note('fn'), { name: 'slow', description: 'Waits for a person.', hooks: { ...` + observed + `,
		before: [async ({ signal }) => { window.signal = signal; await gate('person'); ran.push('hook ended') }, note('next')],
	} }).register()`)
	call := p.invoke("slow", struct{}{})
	p.waitFor(`globalThis.signal`)
	call.cancel()
	require.Equal(t, webmcp.InvocationStatusCanceled, call.wait().Status)
	p.waitFor(`ran.length > 0`)
	require.Equal(t, []string{"error AbortError true"}, run[[]string](p, `() => ran`),
		"a hook that ignores the signal is abandoned: the function has not run")

	p.do(`() => release('person')`)
	p.waitFor(`ran.includes('hook ended')`)
	p.do(`() => new Promise(done => setTimeout(done))`)
	require.Equal(t, []string{"error AbortError true", "hook ended"}, run[[]string](p, `() => ran`), "a late result is dropped")
}

func TestALateResultOfAnAbandonedHookMovesNoOtherCall(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	p.do(`() => webmcp(note('fn'), { name: 'slow', description: 'Waits for a person.', hooks: {
		before: [async ({ input }) => { ran.push('before ' + input.gate); await gate(input.gate) }],
		error: [async ({ input }) => { ran.push('error ' + input.gate); await gate('error ' + input.gate) }, note('second error')],
	} }).register()`)
	flush := `() => new Promise(done => setTimeout(done))`
	first := p.invoke("slow", map[string]string{"gate": "1"})
	p.waitFor(`ran.includes('before 1')`)
	first.cancel()
	first.wait()
	p.waitFor(`ran.includes('error 1')`)
	p.do(`() => release('1')`)
	p.do(flush)
	require.Equal(t, []string{"before 1", "error 1"}, run[[]string](p, `() => ran`), "error hooks of the call go on at their own pace")
	p.do(`() => release('error 1')`)
	p.waitFor(`ran.includes('second error')`)

	second := p.invoke("slow", map[string]string{"gate": "2"})
	p.waitFor(`ran.includes('before 2')`)
	second.cancel()
	second.wait()
	p.do(`() => release('error 2')`)
	p.waitFor(`ran.filter(line => line === 'second error').length === 2`)
	third := p.invoke("slow", map[string]string{"gate": "3"})
	p.waitFor(`ran.includes('before 3')`)
	p.do(`() => { ran.length = 0; release('2') }`)
	p.do(flush)
	require.Empty(t, run[[]string](p, `() => ran`), "a call that came later does not take it for its own")
	require.False(t, third.settled())
	p.do(`() => release('3')`)
	third.answer()
	require.Equal(t, []string{"fn"}, run[[]string](p, `() => ran`))
}

func TestAHookThatObeysTheSignalEndsTheCallAsAborted(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	p.do(`() => webmcp(note('fn'), { name: 'slow', description: 'Waits for a person.', hooks: { ...` + observed + `,
		before: [({ signal }) => new Promise((_, reject) => {
			window.waiting = true;
			signal.addEventListener('abort', () => { ran.push('told'); reject(signal.reason) });
		})],
	} }).register()`)
	call := p.invoke("slow", struct{}{})
	p.waitFor(`globalThis.waiting`)
	call.cancel()
	require.Equal(t, webmcp.InvocationStatusCanceled, call.wait().Status)
	p.waitFor(`ran.length > 1`)
	p.do(`() => new Promise(done => setTimeout(done))`)
	require.ElementsMatch(t, []string{"told", "error AbortError true"}, run[[]string](p, `() => ran`), "once, not twice")
}

func TestARunningFunctionIsAwaitedAfterAnAbort(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	p.do(`() => webmcp(async (input, { signal }) => {
		signal.addEventListener('abort', () => ran.push('fn saw the abort'));
		window.working = true;
		return (await gate('work'))(signal);
	}, { name: 'work', description: 'Works.', hooks: ` + observed + ` }).register()`)
	for finish, ran := range map[string][]string{
		`() => 'done'`:                                {"fn saw the abort", "after done"},
		`signal => signal.throwIfAborted()`:           {"fn saw the abort", "error AbortError true"},
		`() => { throw new RangeError('half done') }`: {"fn saw the abort", "error RangeError true"},
	} {
		p.about("the function ends with %s", finish)
		p.do(`() => { window.working = false; ran.length = 0; gates.clear() }`)
		call := p.invoke("work", struct{}{})
		p.waitFor(`working`)
		call.cancel()
		require.Equal(t, webmcp.InvocationStatusCanceled, call.wait().Status)
		p.waitFor(`ran.length === 1`)
		p.do(`() => release('work', ` + finish + `)`)
		p.waitFor(`ran.length === 2`)
		p.do(`() => new Promise(done => setTimeout(done))`)
		require.Equal(t, ran, run[[]string](p, `() => ran`), "what a function did is observed")
	}
}

func TestAnAbortWhileAfterHooksRunChangesNothing(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	p.do(`() => webmcp(() => 'done', { name: 'work', description: 'Works.', hooks: {
		after: [async () => { window.looking = true; await gate('look'); ran.push('first') }, note('second')],
		error: [note('error')],
	} }).register()`)
	call := p.invoke("work", struct{}{})
	p.waitFor(`globalThis.looking`)
	call.cancel()
	require.Equal(t, webmcp.InvocationStatusCanceled, call.wait().Status)
	p.do(`() => release('look')`)
	p.waitFor(`ran.length === 2`)
	require.Equal(t, []string{"first", "second"}, run[[]string](p, `() => ran`))
}

func TestASynchronousAbortStopsBeforeTheNextStep(t *testing.T) {
	t.Parallel()
	for name, b := range map[string]*browser{"native": withWebMCP, "registry": withoutWebMCP} {
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
				p.about("%s", before)
				end := run[outcome](p, `async () => {
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
					p.waitFor(`ran.some(line => line.startsWith('error'))`)
					require.Equal(t, ran, run[[]string](p, `() => ran`))
				}
			}
		})
	}
}

func TestInvokeToolRejectsWithTheAbort(t *testing.T) {
	t.Parallel()
	for name, b := range map[string]*browser{"native": withWebMCP, "registry": withoutWebMCP} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := libPage(t, b)
			p.do(`() => webmcp(note('fn'), { name: 'work', description: 'Works.', hooks: { ...` + observed + `,
				before: [() => { window.waiting = true; return gate('never') }],
			} }).register()`)
			before := run[map[string]any](p, `() => settled(webmcp.invokeTool('work', {}, { signal: AbortSignal.abort() }))`)
			require.Equal(t, "AbortError", before["name"], "aborted beforehand")
			require.False(t, run[bool](p, `() => ran.includes('fn')`))

			p.do(`() => {
				ran.length = 0;
				window.waiting = false;
				window.stop = new AbortController();
				window.outcome = settled(webmcp.invokeTool('work', {}, { signal: stop.signal }));
			}`)
			p.waitFor(`waiting`)
			during := run[map[string]any](p, `() => { stop.abort(); return outcome }`)
			require.Equal(t, "AbortError", during["name"], "aborted while a hook waits")
			p.waitFor(`ran.length > 0`)
			require.Equal(t, []string{"error AbortError true"}, run[[]string](p, `() => ran`))

			after := run[map[string]any](p, `async () => {
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
	p.do(`() => {
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
	first := p.invoke("work", struct{}{})
	second := p.invoke("work", struct{}{})
	first.answer()
	second.answer()
	require.True(t, run[bool](p, `() => same`))
	require.True(t, run[bool](p, `() => signals.length === 2 && signals[0] !== signals[1]`))
	require.False(t, run[bool](p, `() => signals.some(signal => signal.aborted)`), "a call that ended well aborts nothing")
}
