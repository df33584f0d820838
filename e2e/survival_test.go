package e2e

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/driver"
	"github.com/webmcp-wasm/webmcp/webmcptest"
)

// Nothing that a call, a hook or the page does may end the module, leave a call
// unanswered, or harm another call.

func TestAResultThatIsTooLargeFailsItsCallAlone(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP).Within(3 * time.Minute) // it fills a text to the last byte
	p.Do(`() => {
		const part = 'x'.repeat(1e8), longest = 'x'.repeat(3e6);
		const outputs = {
			small: () => 'fine', page: () => 'x'.repeat(10 << 20), large: () => 'x'.repeat((10 << 20) + 1), wide: () => '€'.repeat(5 << 20),
			content: () => ({ content: [{ type: 'text', text: 'x'.repeat(10 << 20) }] }),
			impossible: () => Array(6).fill(part), thrown: () => { throw new Error(longest) },
		};
		return webmcp(({ what }) => outputs[what](), { name: 'give', description: 'Gives.', hooks: {
			before: [({ input }) => input.what === 'denied' ? { action: 'deny', message: longest } : undefined],
			error: [({ error }) => { ran.push(error.name) }],
		} }).register();
	}`)
	for what, says := range map[string]string{
		"large":      "it has 10485761 bytes or more, and the limit is 10485760",
		"wide":       "it has 15728640 bytes or more, and the limit is 10485760",
		"content":    "bytes or more, and the limit is 10485760",
		"impossible": "bytes or more, and the limit is 10485760",
		"thrown":     "characters more)",
		"denied":     "characters more)",
	} {
		p.About("%s", what)
		p.Do(`() => { ran.length = 0 }`)
		a := p.Invoke("give", map[string]string{"what": what}).Result()
		require.True(t, a.IsError)
		text := onlyText(t, a)
		require.Contains(t, text[max(0, len(text)-300):], says)
		ran := map[string]string{"denied": "", "thrown": "Error"}
		name, ok := ran[what]
		if !ok {
			name = "RangeError"
		}
		require.Equal(t, name, webmcptest.Eval[string](p, `() => ran.join(' ')`), "error hooks hear of it")
	}
	require.Len(t, p.Ask("give", map[string]string{"what": "page"}), 10<<20)
	require.Equal(t, "fine", p.Ask("give", map[string]string{"what": "small"}))
}

func TestAnOutputOfGoThatIsTooLargeFailsItsCallAlone(t *testing.T) {
	t.Parallel()
	p := goPage(t, withWebMCP)
	p.Do(`() => goapp.register('go')`)
	for what, says := range map[string]string{"huge": "the result is too large", "text": "plain text"} {
		require.Contains(t, onlyText(t, p.Invoke("go", map[string]string{"do": what}).Result()), says)
	}
}

func TestMaxOutputBytesIsOfTheToolOrOfAllTools(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	p.Do(`async () => {
		webmcp.configure({ maxOutputBytes: 10 });
		const give = ({ n }) => 'x'.repeat(n);
		await webmcp(give, { name: 'tight', description: 'Gives.' }).register();
		await webmcp(give, { name: 'wide', description: 'Gives.', maxOutputBytes: 20 }).register();
		await webmcp(give, { name: 'checked', description: 'Gives.', outputSchema: { type: 'string' } }).register();
	}`)
	for _, c := range []struct {
		tool string
		n    int
		text string
	}{
		{"tight", 10, strings.Repeat("x", 10)},
		{"tight", 11, "it has 11 bytes or more, and the limit is 10"},
		{"wide", 20, strings.Repeat("x", 20)},
		{"wide", 21, "it has 21 bytes or more, and the limit is 20"},
		{"checked", 8, strings.Repeat("x", 8)},
		{"checked", 11, "it has 13 bytes or more, and the limit is 10"},
	} {
		require.Contains(t, onlyText(t, p.Invoke(c.tool, map[string]int{"n": c.n}).Result()), c.text)
	}
	require.Equal(t, "ConfigurationError: maxOutputBytes must be a positive whole number", webmcptest.Eval[string](p, `() => {
		const { name, message } = attempt(() => webmcp.configure({ maxOutputBytes: '10' }));
		return name + ': ' + message;
	}`))
}

// throwingConsole makes the page's console one that throws, as many test set-ups
// have it.
const throwingConsole = `() => { for (const level of ['log', 'warn', 'error']) console[level] = () => { throw new Error('no output, please') } }`

func TestAConsoleThatThrowsEndsNothing(t *testing.T) {
	t.Parallel()
	p := goPage(t, withWebMCP)
	p.Do(throwingConsole)
	p.Do(`async () => {
		webmcp.onToolsChanged(() => { throw new Error('broken listener') });
		goapp.configure('g', 'observer panics');
		await webmcp(({ fail }) => { if (fail) throw new Error('broken'); return 'fine' }, { name: 'a', description: 'Works.', annotations: { fast: true }, hooks: {
			error: [() => { throw new Error('broken observer') }, async () => { throw new Error('broken observer') }],
		} }).register();
		await settled(webmcp(() => {}, { name: 'a', description: 'Another one.' }).register());
	}`)
	require.Equal(t, "Error: broken", onlyText(t, p.Invoke("a", map[string]bool{"fail": true}).Result()))
	require.Equal(t, "fine", p.Ask("a", map[string]bool{"fail": false}))
}

func TestAModuleThatDiesTakesItsToolsOutWhateverThePageHasChanged(t *testing.T) {
	t.Parallel()
	p := goPage(t, withWebMCP)
	p.Do(`async () => {
		await webmcp(() => gate('never'), { name: 'a', description: 'Waits.' }).register();
		await webmcp(() => 'fine', { name: 'b', description: 'Works.' }).register();
		window.pending = settled(webmcp.invokeTool('a', {}));
	}`)
	call := p.Invoke("a", nil)
	p.Do(throwingConsole)
	p.Do(`() => {
		const { abort } = AbortController.prototype;
		AbortController.prototype.abort = function () { abort.call(this); throw new Error('patched') };
		goapp.die();
	}`)
	p.AwaitTools()
	require.Contains(t, onlyText(t, call.Result()), "stopped")
	require.Contains(t, webmcptest.Eval[string](p, `async () => JSON.stringify(await pending)`), "stopped")
}

func TestAnAbortOfACallThatHasEndedEndsNoOtherCall(t *testing.T) {
	t.Parallel()
	p := libPage(t, withoutWebMCP) // where the tool gets the very signal that the caller has
	p.Do(`() => webmcp(note('fn'), { name: 'work', description: 'Works.', hooks: {
		before: [({ input }) => input.wait ? gate('wait') : undefined],
		error: [({ error }) => { ran.push(error.name) }],
	} }).register()`)
	for name, promise := range map[string]string{
		"a promise with a then of its own": `Object.assign(Promise.resolve(), { then(resolved) { resolved() } })`,
		"one that calls back for ever":     `Object.assign(Promise.resolve(), { then(resolved) { resolved(); setTimeout(resolved); } })`,
		"a thenable":                       `({ then(resolved, rejected) { resolved(); rejected(new Error('and not')); resolved() } })`,
		"a class of promises":              `new (class extends Promise { then(resolved) { resolved?.(); return super.then(resolved) } })(done => done())`,
	} {
		p.About("%s", name)
		end := webmcptest.Eval[string](p, `async () => {
			ran.length = 0;
			gates.clear();
			const stop = new AbortController();
			const quick = await webmcp(() => 'quick', { name: 'quick', description: 'Works.', hooks: { before: [() => `+promise+`], after: [() => `+promise+`] } }).register();
			const first = await webmcp.invokeTool('quick', {}, { signal: stop.signal });
			const second = webmcp.invokeTool('work', { wait: true });
			await new Promise(done => setTimeout(done));
			stop.abort();
			release('wait');
			const [{ text }] = (await second).content;
			quick();
			return first.content[0].text + ' ' + ran.join(' ');
		}`)
		require.Equal(t, "quick fn", end)
	}
	require.Zero(t, webmcptest.Eval[int](p, `() => go.glue.live.size`))
}

func TestMetadataThatCannotBeChangedFailsTheCallThatGoChangesItFor(t *testing.T) {
	t.Parallel()
	p := goPage(t, withWebMCP)
	p.Do(`async () => {
		webmcp.configure({ hooks: { before: [({ metadata, input }) => { if (input.freeze) Object.freeze(metadata) }] } });
		goapp.configure('g', 'metadata');
		await webmcp(note('fn'), { name: 'script', description: 'Works.', hooks: { error: [({ error }) => { ran.push(error.name) }] } }).register();
	}`)
	a := p.Invoke("script", map[string]bool{"freeze": true}).Result()
	require.True(t, a.IsError)
	require.Contains(t, onlyText(t, a), "what Go code has set cannot be passed on")
	require.Equal(t, "before:g,js says <nil>,error:g,TypeError", strings.Join(sortedLast(webmcptest.Eval[[]string](p, `() => ran.splice(0)`)), ","))
	p.Ask("script", map[string]bool{"freeze": false})
	require.Contains(t, webmcptest.Eval[[]string](p, `() => ran`), "fn")
}

// sortedLast puts the last two of what ran into one order: error hooks of the
// tool come before those of all tools.
func sortedLast(ran []string) []string {
	if n := len(ran); n > 1 && ran[n-2] == "TypeError" {
		ran[n-2], ran[n-1] = ran[n-1], ran[n-2]
	}
	return ran
}

func TestAnInputThatIsRefusedCostsGoNoMemory(t *testing.T) {
	t.Parallel()
	p := goPage(t, withoutWebMCP)
	p.Do(`async () => {
		const enlarge = ({ input }) => ({ input: { list: JSON.parse('[' + '[],'.repeat(input.n) + '[]]'), text: input.text.repeat(input.times) } });
		webmcp.configure({ hooks: { before: [enlarge] }, maxInputBytes: 3e6 });
		goapp.configure('g'); // behind it
		const options = { description: 'Works.' };
		await webmcp(note('fn'), { name: 'script', ...options }).register();
		await webmcp(note('fn'), { name: 'tight', ...options, maxInputBytes: 100 }).register();
		await webmcp.invokeTool('script', { n: 1, text: '', times: 1 });
	}`)
	const mb = 1 << 20
	for _, c := range []struct {
		tool, text string
		n, times   int
		says       string
		most       int // that memory may grow
	}{
		{"script", "x", 1, 4 * mb, "bytes or more, and the limit is 3000000", mb},
		{"script", "€", 1, 2 * mb, "bytes or more, and the limit is 3000000", mb},
		{"script", "", 2_000_000, 1, "bytes or more, and the limit is 3000000", mb},
		{"tight", "x", 1, 101, "bytes or more, and the limit is 100", mb},
		{"script", "", 900_000, 1, "more than 500000 values", 40 * mb},
	} {
		p.About("%s %q %d %d", c.tool, c.text, c.n, c.times)
		end := webmcptest.Eval[struct {
			Result *driver.Result
			Grown  int
			Ran    []string
		}](p, `async (tool, input) => {
			ran.length = 0;
			const { mem } = go.glue.exports;
			const before = mem.buffer.byteLength;
			const result = await webmcp.invokeTool(tool, input);
			return { result, grown: mem.buffer.byteLength - before, ran };
		}`, c.tool, map[string]any{"n": c.n, "text": c.text, "times": c.times})
		require.Contains(t, onlyText(t, end.Result), c.says)
		require.LessOrEqual(t, end.Grown, c.most)
		require.NotContains(t, end.Ran, "before:g", "Go has not seen it")
		require.NotContains(t, end.Ran, "fn")
		if c.most == mb {
			require.Contains(t, end.Ran, "error:g", "Go hears of the failure, without the input")
		}
	}
}

func TestWithoutCryptoCallsHaveIDs(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	p.Do(`() => webmcp((input, { invocationId }) => invocationId, { name: 'who', description: 'Its id.' }).register()`)
	for _, crypto := range []string{
		`undefined`, `{}`, `{ randomUUID: undefined }`, `{ randomUUID() { throw new Error('not here') } }`, `{ randomUUID: () => undefined }`,
		`{ get randomUUID() { throw new Error('not here') } }`,
	} {
		p.About("crypto is %s", crypto)
		p.Do(`() => { Object.defineProperty(globalThis, 'crypto', { value: ` + crypto + `, configurable: true }) }`)
		require.Regexp(t, `^webmcp_\d+_\d+_\w+$`, p.Ask("who", nil))
	}
}

func TestNoFurtherGoBeforeHookBeginsOnceTheCallIsAborted(t *testing.T) {
	t.Parallel()
	p := goPage(t, withWebMCP)
	p.Do(`async () => {
		goapp.configure('g1', 'linger');
		goapp.configure('g2');
		await webmcp(note('fn'), { name: 'script', description: 'Works.' }).register();
	}`)
	call := p.Invoke("script", nil)
	p.WaitFor(`ran.includes('before:g1')`)
	call.Cancel()
	require.ErrorIs(t, call.Err(), driver.ErrCanceled)
	p.WaitFor(`ran.includes('told to stop') && ran.includes('error:g1')`)
	p.Do(`() => new Promise(done => setTimeout(done))`)
	require.ElementsMatch(t, []string{"before:g1", "told to stop", "error:g2", "error:g1"}, webmcptest.Eval[[]string](p, `() => ran`))
}

func TestWhatIsMissingInTheBrowserHarmsNothing(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	require.Equal(t, []string{"TypeError", "TypeError"}, webmcptest.Eval[[]string](p, `async () => {
		Object.defineProperty(document, 'modelContext', { value: { registerTool() {} }, configurable: true });
		webmcp.onToolsChanged(() => {});
		const ends = [await settled(webmcp.listTools()), await settled(webmcp.invokeTool('a'))];
		delete document.modelContext;
		return ends.map(({ name }) => name);
	}`), "a rejection")
	p.Do(`() => webmcp(() => 'fine', { name: 'a', description: 'Works.' }).register()`)
	require.Equal(t, "fine", p.Ask("a", nil))
}
