package e2e

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/webmcptest"
)

func TestACallThatTakesTooLongFails(t *testing.T) {
	t.Parallel()
	for name, b := range map[string]webmcptest.Options{"native": withWebMCP, "registry": withoutWebMCP} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := libPage(t, b)
			p.Do(`() => {
				window.seen = [];
				window.attempt = async (where, limits) => {
					seen.length = 0;
					webmcp.registry.clear();
					webmcp.configure({ replace: true, timeout: limits.global, hooks: { error: [({ error, signal }) => { seen.push(error.name, signal.aborted, signal.reason === error) }] } });
					const hang = at => at === where ? new Promise(done => { window.finish = done }) : undefined;
					const tool = webmcp((input, { signal }) => {
						signal.addEventListener('abort', () => seen.push('told ' + signal.reason.name));
						return where === 'fn' ? hang('fn') : 'SECRET';
					}, {
						name: 'slow', description: 'Slow.', timeout: limits.tool,
						hooks: { before: [() => hang('before')], after: [() => hang('after')] },
						schema: { '~standard': { version: 1, vendor: 'x', validate: value => hang('schema')?.then(() => ({ value })) ?? { value } } },
					});
					await tool.register({ scope: webmcp.scope({ timeout: limits.scope }) });
					const result = await webmcp.invokeTool('slow', {});
					finish?.('too late');
					await new Promise(next => setTimeout(next));
					return { code: result.code ?? '', isError: result.isError ?? false, text: result.content[0].text, seen: [...seen] };
				};
			}`)
			type outcome struct {
				Code    string
				IsError bool
				Text    string
				Seen    []any
			}
			late := func(ms string) string { return "Error: the tool slow has not finished within " + ms + " ms" }
			for _, where := range []string{"before", "schema", "fn", "after"} {
				p.About("what hangs is %s", where)
				got := webmcptest.Eval[outcome](p, `where => attempt(where, { tool: 80 })`, where)
				require.Equal(t, "TIMEOUT", got.Code)
				require.True(t, got.IsError)
				require.Equal(t, late("80"), got.Text)
				want := []any{"TimeoutError", true, true}
				if where == "fn" || where == "after" {
					want = append([]any{"told TimeoutError"}, want...)
				}
				require.Equal(t, want, got.Seen)
			}
			lines := slices.DeleteFunc(p.Console(), func(line string) bool { return !strings.Contains(line, "dropped") })
			require.Equal(t, []string{"error: [webmcp] slow: the result came after the timeout and was dropped"}, lines, "of what came late, the result")

			for _, c := range []struct {
				limits map[string]int
				want   string
			}{
				{map[string]int{"global": 60}, "60"},
				{map[string]int{"scope": 70}, "70"},
				{map[string]int{"global": 60_000, "scope": 90, "tool": 50_000}, "90"},
				{map[string]int{"global": 60, "scope": 90_000, "tool": 50_000}, "60"},
			} {
				require.Equal(t, late(c.want), webmcptest.Eval[outcome](p, `limits => attempt('fn', limits)`, c.limits).Text)
			}
			got := webmcptest.Eval[outcome](p, `() => attempt('nowhere', { global: 60_000 })`)
			require.Equal(t, outcome{Text: "SECRET", Seen: []any{}}, got)
			got = webmcptest.Eval[outcome](p, `async () => {
				window.finish = undefined;
				const answer = attempt('fn', {});
				while (!window.finish) await new Promise(next => setTimeout(next));
				setTimeout(window.finish, 100, 'in time');
				return answer;
			}`)
			require.Equal(t, "in time", got.Text, "without a limit there is none, also once there was one")
		})
	}
}

func TestATimeoutCanOnlyBecomeShorter(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	require.Equal(t, "Error: the tool slow has not finished within 60 ms", webmcptest.Eval[string](p, `async () => {
		webmcp.configure({ timeout: 60 });
		webmcp.configure({ timeout: 60_000 });
		const inner = webmcp(() => new Promise(() => {}), { name: 'slow', description: 'Slow.', timeout: 90 });
		await webmcp(inner, { timeout: 50_000 }).register();
		return (await webmcp.invokeTool('slow')).content[0].text;
	}`))
	require.Equal(t, "Error: the tool slow has not finished within 90 ms", webmcptest.Eval[string](p, `async () => {
		webmcp.configure({ replace: true });
		return (await webmcp.invokeTool('slow')).content[0].text;
	}`))
	for _, wrong := range []string{"0", "-1", "1.5", "NaN", "Infinity", "'100'", "null", "2 ** 31", "true", "{}"} {
		for _, call := range []string{
			"webmcp.configure({ timeout: WRONG })",
			"webmcp.scope({ timeout: WRONG })",
			"webmcp.scope({}).configure({ timeout: WRONG })",
			"webmcp(() => {}, { name: 'x', description: 'x', timeout: WRONG })",
			"webmcp(webmcp(() => {}, { name: 'x', description: 'x', timeout: 5 }), { timeout: WRONG })",
			"webmcp.configure({ hooks: { timeout: WRONG } })",
			"webmcp.mergeHooks({}, { timeout: WRONG })",
			"webmcp(() => {}, { name: 'x', description: 'x', hooks: { timeout: WRONG } })",
		} {
			got := webmcptest.Eval[string](p, "() => { try { "+strings.ReplaceAll(call, "WRONG", wrong)+" } catch (e) { return e.name + e.message } return 'taken' }")
			require.Contains(t, got, "ConfigurationErrortimeout must be a whole number of milliseconds", "%s: %s", call, wrong)
		}
	}
}

func TestATimeoutMayBeInTheHooks(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	require.Equal(t, []string{"60", "50", "40", "30", "70", "80", "90"}, webmcptest.Eval[[]string](p, `async () => {
		const slow = () => new Promise(() => {});
		const limits = [];
		const call = async (options, register) => {
			await webmcp(webmcp(slow, { name: 'slow', description: 'Slow.', replace: true, ...options }), {}).register(register);
			const { code, content } = await webmcp.invokeTool('slow');
			limits.push(code === 'TIMEOUT' ? content[0].text.match(/within (\d+) ms/)[1] : content[0].text);
		};
		await call({ hooks: { timeout: 60 } });
		await call({ hooks: { timeout: 50 }, timeout: 60 });
		await call({ hooks: { timeout: 50 }, timeout: 40 });
		await call({ timeout: 100 }, { scope: webmcp.scope({ hooks: webmcp.mergeHooks({ timeout: 30 }, { timeout: 200, before: [() => {}] }) }) });
		webmcp.configure({ hooks: { timeout: 70 } });
		await call({ timeout: 100 });
		const saved = webmcp.mergeHooksOrdered({ globalHooks: { timeout: 300 }, scopedHooks: [{ timeout: 80 }, null], toolHooks: {} });
		webmcp.configure({ hooks: saved, replace: true });
		await call({});
		webmcp.resetGlobalHooks();
		await call({ hooks: { timeout: 90 } });
		return limits;
	}`))
	require.Equal(t, `[{"before":[],"after":[],"error":[],"denied":[]},{"before":[],"after":[],"error":[],"denied":[],"timeout":7}]`,
		webmcptest.Eval[string](p, `() => {
			const before = webmcp.getGlobalHooks();
			webmcp.configure({ timeout: 7 });
			return JSON.stringify([before, webmcp.getGlobalHooks()]);
		}`))
	require.Contains(t, webmcptest.Eval[string](p, `() => { try { webmcp.configure({ hooks: { timeOut: 5 } }) } catch (e) { return e.message } }`),
		"did you mean timeout")
}

func TestAHundredCallsOfWhichHalfTakeTooLong(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	got := webmcptest.Eval[[]string](p, `async () => {
		await webmcp(({ n }) => n % 2 ? new Promise(done => setTimeout(done, 300, 'late')) : 'fine ' + n, {
			name: 'work', description: 'Works.', timeout: 100, schema: { type: 'object' } }).register();
		const texts = await Promise.all(Array.from({ length: 100 }, async (_, n) => (await webmcp.invokeTool('work', { n })).content[0].text));
		return texts.filter((text, n) => text !== (n % 2 ? 'Error: the tool work has not finished within 100 ms' : 'fine ' + n));
	}`)
	require.Empty(t, got)
}

func TestGoCodeHasTheDeadlineOfItsCall(t *testing.T) {
	t.Parallel()
	p := goPage(t, withWebMCP)
	require.Empty(t, webmcptest.Eval[string](p, `async () => {
		goapp.configure('g', 'tell');
		webmcp.configure({ timeout: 100 });
		return await goapp.register('work');
	}`))
	result := p.Invoke("work", map[string]string{"do": "wait"}).Result()
	require.Equal(t, "TIMEOUT", result.Code)
	require.Equal(t, "Error: the tool work has not finished within 100 ms", result.Text())
	p.WaitFor(`ran.some(line => line.startsWith('told to stop'))`, `ran`)
	ran := webmcptest.Eval[[]string](p, `() => ran`)
	require.Contains(t, ran, "told to stop, deadline true, context deadline exceeded")
	require.Contains(t, ran, "error:g the tool work has not finished within 100 ms false 100ms")
	p.AwaitRecord("the line about what came late", func(_, console []string) bool {
		return slices.Contains(console, "error: [webmcp] work: the result came after the timeout and was dropped")
	})
}

func TestATimeoutOfGoHoldsForJavaScript(t *testing.T) {
	t.Parallel()
	p := goPage(t, withWebMCP)
	require.Equal(t, "Error: the tool slow has not finished within 100 ms", webmcptest.Eval[string](p, `async () => {
		goapp.configure('g', 'hurry');
		webmcp.configure({ replace: true, timeout: 60_000 }); // which replaces that of JavaScript
		await webmcp(() => new Promise(() => {}), { name: 'slow', description: 'Slow.' }).register();
		return (await webmcp.invokeTool('slow')).content[0].text;
	}`))
	// A Go hook that waits before the function hears of it, too.
	require.Equal(t, "TIMEOUT", webmcptest.Eval[string](p, `async () => {
		goapp.configure('g2', 'linger');
		return (await webmcp.invokeTool('slow')).code;
	}`))
	p.WaitFor(`ran.includes('told to stop')`, `ran`)
}

func TestAResultOfGoThatIsDroppedIsNotTheEndOfTheModule(t *testing.T) {
	t.Parallel()
	p := goPage(t, withWebMCP)
	require.Empty(t, webmcptest.Eval[string](p, `async () => {
		console.error = () => { throw new Error('this console throws') };
		webmcp.configure({ timeout: 100 });
		return await goapp.register('work');
	}`))
	require.Equal(t, "TIMEOUT", p.Invoke("work", map[string]string{"do": "wait"}).Result().Code)
	p.WaitFor(`ran.some(line => line.startsWith('told to stop'))`, `ran`)
	p.Do(`() => webmcp.configure({ replace: true })`)
	require.Equal(t, "plain text", p.Ask("work", map[string]string{"do": "text"}))
}

func TestATimeoutThatNoTimerCanWaitForIsALongOne(t *testing.T) {
	t.Parallel()
	p := goPage(t, withWebMCP)
	require.Equal(t, []any{true, "fine"}, webmcptest.Eval[[]any](p, `async () => {
		goapp.configure('g', 'dawdle');
		const waits = [];
		const { setTimeout } = window;
		window.setTimeout = (done, ms, ...more) => { waits.push(ms); return setTimeout(done, ms, ...more); };
		await webmcp(async () => { await null; return 'fine'; }, { name: 'quick', description: 'Quick.' }).register();
		const { content: [{ text }] } = await webmcp.invokeTool('quick');
		window.setTimeout = setTimeout;
		const longest = Math.max(...waits);
		return [longest > 2 ** 30 && longest < 2 ** 31, text]; // some of the time has gone by
	}`))
}
