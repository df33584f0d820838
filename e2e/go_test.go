package e2e

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/driver"
	"github.com/webmcp-wasm/webmcp/webmcptest"
)

// goPage opens the page of testdata/goapp: a Go program with package bridge.
func goPage(tb testing.TB, b webmcptest.Options) *webmcptest.Page {
	tb.Helper()
	_, err := buildGoApp()
	require.NoError(tb, err)
	p := newPage(tb, b)
	p.Open(site.url(tb, "/goapp/"))
	p.WaitFor(`globalThis.goapp && globalThis.webmcp`)
	return p
}

func TestGoAndJavaScriptHooksRunInOneOrder(t *testing.T) {
	t.Parallel()
	p := goPage(t, withWebMCP)
	// Global hooks of both, in turns; scopes and tool hooks of JavaScript for a JavaScript tool, of Go for a Go tool.
	setUp := `async (go, js) => {
		ran.length = 0;
		goapp.reset();
		webmcp.resetGlobalHooks();
		webmcp.registry.clear();
		let turn = 0;
		const set = (label, how) => Object.fromEntries(['before', 'after', 'error', 'denied'].map(phase => {
			const result = phase !== 'before' || !how ? undefined
				: how === 'deny' ? { action: 'deny', code: 'NO', message: 'JavaScript says no.' } : () => { throw new Error('broken ' + label) };
			return [phase, [turn++ % 2 ? note(phase + ':' + label, result) : noteLater(phase + ':' + label, result, turn)]];
		}));
		webmcp.configure({ hooks: set('j1', js.j1) });
		goapp.configure('g1', go.g1 ?? '');
		goapp.configure('g2', go.g2 ?? '');
		webmcp.configure({ hooks: set('j2', js.j2) });
		goapp.configure('g3', go.g3 ?? '');
		const outer = webmcp.scope({ hooks: set('o') });
		await webmcp(note('fn', () => { if (js.fn) throw new Error('broken fn'); return 'fine' }), {
			name: 'script', description: 'A JavaScript tool.', hooks: set('t', js.t) })
			.register({ scope: webmcp.scope({ hooks: set('i') }, outer) });
		await goapp.register('go', go.t ?? '');
	}`
	global := []string{"j1", "g1", "g2", "j2", "g3"}
	labels := func(phase string, names ...string) []string {
		out := make([]string, len(names))
		for i, name := range names {
			out[i] = phase + ":" + name
		}
		return out
	}
	inward := labels("before", append(append([]string{}, global...), "o", "i", "t")...)
	outward := func(phase string) []string { return labels(phase, append([]string{"t", "i", "o"}, global...)...) }
	until := func(last string) []string {
		for i, label := range inward {
			if label == last {
				return inward[:i+1]
			}
		}
		panic(last)
	}
	type how map[string]string
	for _, c := range []struct {
		name   string
		go_    how
		js     how
		ran    [][]string
		text   string
		script string // the text of the JavaScript tool, where it differs
	}{
		{"success", how{"g1": "sleep", "t": "sleep"}, how{}, [][]string{inward, {"fn"}, outward("after")}, "", "fine"},
		{"a Go hook denies", how{"g2": "deny"}, how{}, [][]string{until("before:g2"), outward("denied")}, "Denied: Go says no.", ""},
		{"a Go hook denies with a wrapped denial", how{"g1": "deny wrapped"}, how{}, [][]string{until("before:g1"), outward("denied")}, "Denied: Go says no.", ""},
		{"a JavaScript hook denies", how{}, how{"j2": "deny"}, [][]string{until("before:j2"), outward("denied")}, "Denied: JavaScript says no.", ""},
		{"a Go hook fails", how{"g3": "fail"}, how{}, [][]string{until("before:g3"), outward("error")}, "Error: broken g3", ""},
		{"a JavaScript hook fails", how{}, how{"j2": "fail"}, [][]string{until("before:j2"), outward("error")}, "Error: broken j2", ""},
		{"a Go hook panics", how{"g2": "panic"}, how{}, [][]string{until("before:g2"), outward("error")}, "Error: ", ""},
	} {
		p.About("%s", c.name)
		p.Do(setUp, c.go_, c.js)
		var want []string
		for _, part := range c.ran {
			want = append(want, part...)
		}
		for _, tool := range []string{"script", "go"} {
			a := p.Invoke(tool, nil).Result()
			text := c.text
			if tool == "script" && c.script != "" {
				text = c.script
			}
			require.True(t, strings.HasPrefix(onlyText(t, a), text), "%s: %s", tool, onlyText(t, a))
			require.Equal(t, c.text != "", a.IsError)
			require.Equal(t, strings.Join(want, " "), webmcptest.Eval[string](p, `() => ran.splice(0).join(' ')`), "%s, for the tool %s", c.name, tool)
		}
	}
}

func TestGoHooksEnrichAndRedact(t *testing.T) {
	t.Parallel()
	p := goPage(t, withWebMCP)
	p.Do(`async () => {
		goapp.configure('g1', 'enrich');
		goapp.configure('g2', 'redact');
		await webmcp(input => JSON.stringify(input), { name: 'script', description: 'Shows its input.',
			hooks: { before: [({ input }) => ({ input: { ...input, script: true } })], after: [({ output }) => ({ output: output + '!' })] } }).register();
	}`)
	require.Equal(t, `redacted {"a":"Grüße \u2028","enriched":true,"script":true}!`,
		strings.NewReplacer("\u2028", `\u2028`).Replace(sortedText(t, p.Ask("script", map[string]any{"a": "Grüße \u2028"}))))
}

// sortedText sorts the members of the JSON object inside a text.
func sortedText(tb testing.TB, text string) string {
	tb.Helper()
	from, to := strings.Index(text, "{"), strings.LastIndex(text, "}")+1
	var object map[string]any
	require.NoError(tb, json.Unmarshal([]byte(text[from:to]), &object), text)
	sorted, err := json.Marshal(object)
	require.NoError(tb, err)
	return text[:from] + strings.ReplaceAll(string(sorted), `\u2028`, "\u2028") + text[to:]
}

func TestTheValuesOfRegistersContextReachTheHandler(t *testing.T) {
	t.Parallel()
	p := goPage(t, withWebMCP)
	p.Do(`() => goapp.register('go')`)
	require.Equal(t, "acme", p.Ask("go", map[string]any{"do": "tenant"}))
}

func TestWhatAGoHookLeavesAloneStaysAsItIs(t *testing.T) {
	t.Parallel()
	p := goPage(t, withWebMCP)
	p.Do(`async () => {
		goapp.configure('g', '');
		const input = { made: 'here', when: new Date(0) };
		const output = { map: new Map([['k', 'v']]), text: 'x' };
		await webmcp(given => { window.sameInput = given !== input && given.made === 'here' && given.when === input.when; return output }, { name: 'script', description: 'Works.' }).register();
		const look = { after: [({ output: given }) => { window.sameOutput = given !== output && given.map === output.map && given.text === 'x' }] };
		await webmcp(() => {}, { name: 'first', description: 'Works.' }).register();
		const scope = webmcp.scope({ hooks: { before: [() => ({ input })] } });
		goapp.reset();
		webmcp.configure({ hooks: { before: [() => ({ input })] } });
		goapp.configure('g', '');
		webmcp.configure({ hooks: look });
	}`)
	p.Ask("script", map[string]any{"a": 1})
	require.True(t, webmcptest.Eval[bool](p, `() => sameInput`))
	require.True(t, webmcptest.Eval[bool](p, `() => sameOutput`))
}

func TestGoAndJavaScriptShareMetadataAndID(t *testing.T) {
	t.Parallel()
	p := goPage(t, withWebMCP)
	p.Do(`async () => {
		webmcp.configure({ hooks: { before: [({ metadata }) => { metadata.js = { from: 'script' } }] } });
		goapp.configure('g1', 'metadata');
		goapp.configure('g2', 'tell');
		await webmcp((input, { metadata, invocationId }) => JSON.stringify({ go: metadata.go, js: metadata.js, id: invocationId }),
			{ name: 'script', description: 'Works.' }).register();
	}`)
	got := webmcptest.Decode[struct {
		Go map[string]any
		JS map[string]any
		ID string
	}](p.Invoke("script", nil))
	require.Equal(t, map[string]any{"n": 1.0}, got.Go)
	require.Equal(t, map[string]any{"from": "script"}, got.JS)
	ran := webmcptest.Eval[[]string](p, `() => ran`)
	require.Contains(t, ran, "js says map[from:script]")
	require.Contains(t, ran, "script "+got.ID)
}

func TestGoHooksHearOfAnAbort(t *testing.T) {
	t.Parallel()
	p := goPage(t, withWebMCP)
	p.Do(`async () => {
		goapp.configure('g1', 'tell');
		goapp.configure('g2', 'wait');
		await webmcp(note('fn'), { name: 'script', description: 'Works.' }).register();
	}`)
	call := p.Invoke("script", nil)
	p.WaitFor(`ran.includes('before:g2')`)
	call.Cancel()
	require.ErrorIs(t, call.Err(), driver.ErrCanceled)
	p.WaitFor(`ran.includes('told to stop') && ran.some(line => line.startsWith('error:g2'))`)
	ran := webmcptest.Eval[[]string](p, `() => ran.filter(line => line.startsWith('error') || line === 'fn')`)
	require.Len(t, ran, 2)
	require.Contains(t, ran[0], "error:g1")
	require.Contains(t, ran[0], "true", "errors.Is(err, context.Canceled)")
}

func TestGoToolsAnswerAgents(t *testing.T) {
	t.Parallel()
	for name, b := range map[string]webmcptest.Options{"native": withWebMCP, "registry": withoutWebMCP} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := goPage(t, b)
			require.Empty(t, webmcptest.Eval[string](p, `() => goapp.register('work')`))
			if !b.Browser.WithoutWebMCP {
				tool := p.Tool("work")
				require.Equal(t, "Does what its input says.", tool.Description)
				require.JSONEq(t, `{"type":"object","properties":{"do":{"type":"string"}}}`, string(tool.InputSchema))
				require.True(t, tool.Annotations.ReadOnly)
			}
			for _, c := range []struct{ do, result string }{
				{"text", `{"content":[{"type":"text","text":"plain text"}]}`},
				{"nothing", `{"content":[{"type":"text","text":""}]}`},
				{"result", `{"content":[{"type":"text","text":"one"},{"type":"text","text":"two"}]}`},
				{"fail", `{"isError":true,"content":[{"type":"text","text":"Error: out of stock"}],"executed":true}`},
			} {
				require.JSONEq(t, c.result, string(webmcptest.Eval[json.RawMessage](p, `doWhat => webmcp.invokeTool('work', { do: doWhat })`, c.do)))
			}
			text := webmcptest.Eval[string](p, `async () => (await webmcp.invokeTool('work', { do: 'sleep', deep: [1, { x: null }] })).content[0].text`)
			var got map[string]any
			require.NoError(t, json.Unmarshal([]byte(text), &got), text)
			require.Equal(t, map[string]any{"do": "sleep", "deep": []any{1.0, map[string]any{"x": nil}}}, got["input"])
			require.Regexp(t, `^[0-9a-f-]{36}$`, got["id"])
			for _, do := range []string{"panic", "channel"} {
				got := webmcptest.Eval[*driver.Result](p, `doWhat => webmcp.invokeTool('work', { do: doWhat })`, do)
				require.True(t, got.IsError, do)
				require.True(t, strings.HasPrefix(onlyText(t, got), "Error: "), onlyText(t, got))
				require.NotContains(t, onlyText(t, got), "goroutine", "no stack reaches the agent")
			}
			require.Equal(t, "plain text", webmcptest.Eval[string](p, `async () => (await webmcp.invokeTool('work', { do: 'text' })).content[0].text`),
				"a panic is a failure of that invocation alone")

			p.Do(`() => goapp.release('work')`)
			require.Equal(t, "RegistrationError", webmcptest.Eval[outcome](p, `() => settled(webmcp.invokeTool('work', {}))`).Name)
		})
	}
}

func TestAGoHandlerIsAwaitedAfterAnAbort(t *testing.T) {
	t.Parallel()
	p := goPage(t, withWebMCP)
	p.Do(`() => goapp.register('work')`)
	call := p.Invoke("work", map[string]string{"do": "wait"})
	p.WaitFor(`ran.includes('fn')`)
	call.Cancel()
	require.ErrorIs(t, call.Err(), driver.ErrCanceled)
	p.WaitFor(`ran.includes('after:o')`)
	require.Equal(t, []string{"before:o", "before:i", "before:t", "fn", "told to stop, deadline false, context canceled", "after:t", "after:i", "after:o"}, webmcptest.Eval[[]string](p, `() => ran`))
}

func TestContextsThatGoCodeDerivesEndWithItsCall(t *testing.T) {
	t.Parallel()
	p := goPage(t, withWebMCP)
	p.Do(`() => goapp.register('work')`)
	call := p.Invoke("work", map[string]string{"do": "derive"})
	p.WaitFor(`ran.includes('waits, <nil>')`)
	call.Cancel()
	require.ErrorIs(t, call.Err(), driver.ErrCanceled)
	p.WaitFor(`ran.includes('after:o')`)
	require.Contains(t, webmcptest.Eval[[]string](p, `() => ran`), "context canceled, context canceled, other, context canceled, acme")
}

func TestGoObserversCannotChangeTheResult(t *testing.T) {
	t.Parallel()
	p := goPage(t, withWebMCP)
	for _, how := range []string{"observer panics", "observer blocks"} {
		p.About("%s", how)
		p.Do(`async how => {
			ran.length = 0;
			goapp.reset();
			webmcp.registry.clear();
			goapp.configure('g1', how);
			goapp.configure('g2', 'tell');
			await webmcp(() => { throw new Error('out of stock') }, { name: 'fail', description: 'Fails.', hooks: { error: [note('script')] } }).register();
		}`, how)
		a := p.Invoke("fail", nil).Result()
		require.Equal(t, "Error: out of stock", onlyText(t, a))
		ran := webmcptest.Eval[[]string](p, `() => ran.filter(line => !line.startsWith('before') && !line.startsWith('fail '))`)
		require.Equal(t, "script", ran[0])
		require.Equal(t, "error:g1", ran[1])
	}
}

func TestGoRegistrationErrorsHaveNames(t *testing.T) {
	t.Parallel()
	p := goPage(t, withWebMCP)
	got := webmcptest.Eval[[]string](p, `async () => {
		await webmcp(() => {}, { name: 'taken', description: 'A JavaScript tool.' }).register();
		await document.modelContext.registerTool({ name: 'page', description: 'Not ours.', execute: () => '' });
		return [await goapp.register('taken'), await goapp.register('page'), await goapp.register('not valid'), await goapp.register('fine')];
	}`)
	require.True(t, strings.HasPrefix(got[0], "RegistrationError: "), got[0])
	require.True(t, strings.HasPrefix(got[1], "RegistrationError: "), got[1])
	require.True(t, strings.HasPrefix(got[2], "ConfigurationError: "), got[2])
	require.Empty(t, got[3])
}

func TestManyCallsThroughGoAtOnce(t *testing.T) {
	t.Parallel()
	p := goPage(t, withWebMCP)
	p.Do(`async () => {
		goapp.configure('g1', 'sleep');
		goapp.configure('g2', 'enrich');
		await webmcp(async ({ n, enriched }) => n + ' ' + enriched, { name: 'script', description: 'Works.' }).register();
		await goapp.register('go');
	}`)
	scripts, gos := make([]*webmcptest.Call, 25), make([]*webmcptest.Call, 25)
	for n := range scripts {
		scripts[n] = p.Invoke("script", map[string]any{"n": n})
		gos[n] = p.Invoke("go", map[string]any{"n": n, "do": "sleep"})
	}
	for n := range scripts {
		require.Equal(t, jsonText(n)+" true", onlyText(t, scripts[n].Result()))
		require.Contains(t, onlyText(t, gos[n].Result()), `"n":`+jsonText(n)+`}`)
	}
}

func jsonText(v any) string {
	text, _ := json.Marshal(v)
	return string(text)
}

func TestWhenGoDiesItsToolsAreGoneAndEveryCallIsAnswered(t *testing.T) {
	t.Parallel()
	for death, call := range map[string]string{
		"panic": `goapp.die()`, "exit": `goapp.exit()`,
	} {
		for browserName, b := range map[string]webmcptest.Options{"native": withWebMCP, "registry": withoutWebMCP} {
			t.Run(death+" "+browserName, func(t *testing.T) {
				t.Parallel()
				p := goPage(t, b)
				p.Do(`async () => {
					await webmcp(async () => { await gate('never') }, { name: 'pending', description: 'Waits.' }).register();
					await webmcp(() => 'fine', { name: 'script', description: 'Works.', hooks: { before: [() => gate('never')] } }).register();
					await goapp.register('go', 'wait');
					await document.modelContext?.registerTool({ name: 'page', description: 'Not ours.', execute: () => 'page' });
					window.pending = ['pending', 'script', 'go'].map(name => settled(webmcp.invokeTool(name, {})));
				}`)
				p.WaitFor(`ran.includes('before:t')`)
				var calls []*webmcptest.Call
				if !b.Browser.WithoutWebMCP {
					for _, name := range []string{"pending", "script", "go"} {
						calls = append(calls, p.Invoke(name, nil))
					}
					p.WaitFor(`ran.filter(line => line === 'before:t').length === 2`)
				}
				p.Do(`() => { ` + call + ` }`)
				p.WaitFor(`ended`)
				if !b.Browser.WithoutWebMCP {
					p.AwaitTools("page")
				}
				// Each pending call ends at once, with a text that says why.
				for _, call := range calls {
					a := call.Result()
					require.True(t, a.IsError)
					require.Contains(t, onlyText(t, a), "stopped")
				}
				for i, end := range webmcptest.Eval[[]struct {
					Value   *driver.Result
					Message string
				}](p, `() => Promise.all(pending)`) {
					if end.Value != nil {
						end.Message = onlyText(t, end.Value)
					}
					require.Contains(t, end.Message, "stopped", "pending call %d", i)
				}
				later := webmcptest.Eval[outcome](p, `() => settled(webmcp.invokeTool('script', {}))`)
				require.Contains(t, later.Message, "stopped")
				configured := webmcptest.Eval[outcome](p, `() => attempt(() => webmcp.configure({ hooks: {} }))`)
				require.Contains(t, configured.Message, "stopped")
				registered := webmcptest.Eval[outcome](p, `() => settled(webmcp(() => {}, { name: 'late', description: 'Late.' }).register())`)
				require.Contains(t, registered.Message, "stopped")
				require.False(t, webmcptest.Eval[bool](p, `() => webmcp.registry.isRegistered('script')`))
				p.Do(`() => { webmcp.registry.clear(); release('never') }`)
			})
		}
	}
}

func TestNoFunctionOfTheJavaScriptAPIRemovesAGoHook(t *testing.T) {
	t.Parallel()
	p := goPage(t, withWebMCP)
	p.Do(`async () => {
		await webmcp(() => 'ran', { name: 'guarded', description: 'Is guarded by Go.' }).register();
		goapp.configure('go', 'deny');
		webmcp.resetGlobalHooks();
		webmcp.configure({ hooks: {}, replace: true });
	}`)
	require.True(t, p.Invoke("guarded", nil).Result().IsError)
}
