package e2e

import (
	"crypto/sha512"
	"encoding/base64"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/webmcptest"
)

// loaded returns which files of the library, but for webmcp.js, a page has asked
// for, with the folder where that is not its own.
func loaded(p *webmcptest.Page) []string {
	return webmcptest.Eval[[]string](p, `() => performance.getEntriesByType('resource').map(({ name }) => name.replace(location.href, ''))
		.filter((name) => /wasm|webmcp_/.test(name)).sort()`)
}

// rest waits until a page has loaded and had nothing to do, twice: what it does when
// it is idle it has done.
func rest(p *webmcptest.Page) {
	p.WaitFor(`document.readyState === 'complete'`)
	p.Do(`async () => { for (let i = 0; i < 2; i++) await new Promise((idle) => requestIdleCallback(idle)) }`)
}

var whole = []string{"webmcp.wasm", "webmcp_exec.js"}

func TestWithoutWebMCPNothingIsLoadedUntilSomebodyNeedsIt(t *testing.T) {
	t.Parallel()
	p := earlyPageIn(t, withoutWebMCP, "plain")
	got := webmcptest.Eval[[]any](p, `async () => {
		early.configure({ hooks: { before: [note('global')] } });
		window.scope = early.scope({ hooks: { before: [note('scoped')] } });
		window.tool = early(note('fn', 'done'), { name: 'work', description: 'Works.', hooks: { before: [note('tool')] } });
		const release = await tool.register({ scope });
		const rival = await settled(early(() => 1, { name: 'work', description: 'Another.' }).register());
		const left = early(() => 1, { name: 'left', description: 'Leaves.' });
		(await left.register())();
		return [tool.status, tool.isRegistered(), early.registry.list().map(({ name, source }) => name + ' ' + source).join(), rival.name, left.status,
			early.isWebMCPSupported(), await early.ready === early, settled !== release];
	}`)
	require.Equal(t, []any{"registered", true, "work registry", "RegistrationError", "idle", false, true, true}, got)
	rest(p)
	require.Empty(t, loaded(p))

	require.Equal(t, "done", webmcptest.Eval[string](p, `async () => (await early.invokeTool('work')).content[0].text`))
	require.Equal(t, []string{"global", "scoped", "tool", "fn"}, webmcptest.Eval[[]string](p, `() => ran`))
	require.Equal(t, whole, loaded(p))
	require.Equal(t, "registered", webmcptest.Eval[string](p, `() => tool.status`))
}

func TestWithoutWebMCPAModuleThatCannotBeFetchedIsNobodysError(t *testing.T) {
	t.Parallel()
	p := earlyPageIn(t, withoutWebMCP, "missing")
	got := webmcptest.Eval[[]string](p, `async () => {
		const tool = early(() => 1, { name: 'work', description: 'Works.' });
		await tool.register();
		const ends = [];
		for (const ask of [() => early.invokeTool('work'), () => early.listTools(), () => early.load()]) ends.push((await settled(ask())).message);
		await early.ready;
		return [...ends, tool.status, early.registry.getStatus('work')];
	}`)
	for _, end := range got[:3] {
		require.Contains(t, end, "must be beside webmcp.js")
		require.Contains(t, end, "optimizeDeps: { exclude: ['webmcp-wasm'] }")
	}
	require.Equal(t, []string{"registered", "registered"}, got[3:])
	for range got[:3] { // the browser's own line for each, and none of ours
		p.Expect("404")
	}
}

func TestWithWebMCPNothingIsLoadedForAPageWithoutTools(t *testing.T) {
	t.Parallel()
	p := earlyPage(t, "plain")
	require.True(t, webmcptest.Eval[bool](p, `() => early.isWebMCPSupported()`), "at once")
	rest(p)
	require.Empty(t, loaded(p))
	p.Do(`() => { early(() => 'done', { name: 'work', description: 'Works.' }).register() }`)
	p.WaitFor(`early.registry.isRegistered('work')`)
	require.Equal(t, whole, loaded(p))
	require.Equal(t, "done", p.Ask("work", nil))
}

// A policy is never late: the call waits for the module and for all hooks that
// there are by then.
func TestAgentsSeeAToolBeforeTheModuleRunsAndTheirCallsWait(t *testing.T) {
	t.Parallel()
	p := earlyPage(t, "slow-call")
	p.Do(`() => {
		window.scope = early.scope({ hooks: { before: [note('scoped')] } });
		window.tool = early(note('fn', 'done'), { name: 'work', description: 'Works.' });
		tool.register({ scope });
		early(() => 'gone', { name: 'gone', description: 'Goes.' }).register();
	}`)
	p.AwaitTools("gone", "work")
	call, gone := p.Invoke("work", nil), p.Invoke("gone", nil)
	p.WaitFor(`performance.getEntriesByType('resource').some(({ name }) => name.endsWith('webmcp_exec.js'))`)
	p.Do(`() => {
		early.configure({ hooks: { before: [note('global')] } });
		scope.configure({ hooks: { before: [note('scoped later')] } });
		early.registry.list(); early(() => 1, { name: 'other', description: 'Other.' });
	}`)
	require.Equal(t, []any{"registering", 0.0}, webmcptest.Eval[[]any](p, `() => [tool.status, ran.length]`))
	close(arrived["slow-call"])
	require.Equal(t, "done", call.Text())
	require.Equal(t, "gone", gone.Text())
	require.Equal(t, []string{"global", "scoped", "scoped later", "fn", "global"}, webmcptest.Eval[[]string](p, `() => ran`))
	p.WaitFor(`tool.status === 'registered'`)
	p.AwaitTools("gone", "work")
}

func TestAToolThatIsGivenUpBeforeTheModuleRunsIsGoneAtOnce(t *testing.T) {
	t.Parallel()
	p := earlyPage(t, "slow-leaving")
	p.Do(`() => {
		const controller = new AbortController();
		window.end = settled(early(() => 1, { name: 'work', description: 'Works.' }).register({ signal: controller.signal }));
		window.leave = () => controller.abort();
	}`)
	p.AwaitTools("work")
	p.Do(`() => leave()`)
	p.AwaitTools()
	require.Equal(t, "AbortError", webmcptest.Eval[string](p, `async () => (await end).name`))
	close(arrived["slow-leaving"])
}

func TestAModuleThatCannotBeLoadedEndsToolsAndCalls(t *testing.T) {
	t.Parallel()
	p := earlyPage(t, "missing")
	got := webmcptest.Eval[[]string](p, `async () => {
		const tool = early(() => 1, { name: 'work', description: 'Works.' });
		const registered = settled(tool.register());
		await undefined; // the browser is asked behind this run of code
		const [found] = await document.modelContext.getTools();
		const call = await document.modelContext.executeTool(found, {});
		return [call, (await registered).message, tool.status];
	}`)
	require.Contains(t, got[0], `"isError":true`)
	require.Contains(t, got[0], `"executed":false`)
	require.Contains(t, got[0], "must be beside webmcp.js")
	require.Contains(t, got[1], "answered 404: webmcp.wasm must be beside webmcp.js")
	require.Equal(t, "error", got[2])
	p.AwaitTools()
	p.ExpectSome("404")
}

func TestAPageSaysWhenTheModuleIsLoaded(t *testing.T) {
	t.Parallel()
	t.Run("manual", func(t *testing.T) {
		t.Parallel()
		p := earlyPage(t, "plain")
		p.Do(`() => {
			early.configure({ load: 'manual' });
			early(() => 'done', { name: 'work', description: 'Works.' }).register();
			window.call = early.invokeTool('work');
		}`)
		rest(p)
		require.Empty(t, loaded(p))
		require.Empty(t, p.Tools())
		require.True(t, webmcptest.Eval[bool](p, `async () => await early.load() === early`))
		require.Equal(t, "done", webmcptest.Eval[string](p, `async () => (await call).content[0].text`))
		require.Equal(t, "done", p.Ask("work", nil))
	})
	t.Run("eager", func(t *testing.T) {
		t.Parallel()
		p := earlyPageIn(t, withoutWebMCP, "plain")
		require.True(t, webmcptest.Eval[bool](p, `async () => {
			early.configure({ load: 'eager' });
			return await early.ready === early && globalThis.webmcp === early;
		}`))
		require.Equal(t, whole, loaded(p))
	})
	t.Run("wrongly", func(t *testing.T) {
		t.Parallel()
		p := earlyPage(t, "plain")
		require.Equal(t, []string{
			"load must be one of auto, eager, manual, not lazy", "url of the module must be a text that is not empty",
			"integrity of the module must be a text that is not empty",
		}, webmcptest.Eval[[]string](p, `() => [{ load: 'lazy' }, { url: '' }, { integrity: 1 }].map((options) => attempt(() => early.configure(options)).message)`))
	})
}

func TestAPageSaysWhereTheModuleIs(t *testing.T) {
	t.Parallel()
	root, err := buildDist()
	require.NoError(t, err)
	module, err := os.ReadFile(filepath.Join(root, "dist", "webmcp.wasm"))
	require.NoError(t, err)
	hash := sha512.Sum384(module)
	p := earlyPage(t, "plain")
	require.Equal(t, []any{"done", "ConfigurationError"}, webmcptest.Eval[[]any](p, `async (integrity) => {
		early.configure({ url: 'elsewhere/webmcp.wasm', integrity });
		await early(() => 'done', { name: 'work', description: 'Works.' }).register();
		return [(await early.invokeTool('work')).content[0].text, attempt(() => early.configure({ url: 'there/webmcp.wasm' })).name];
	}`, "sha384-"+base64.StdEncoding.EncodeToString(hash[:])))
	require.Equal(t, []string{"elsewhere/webmcp.wasm", "webmcp_exec.js"}, loaded(p))

	p = earlyPage(t, "plain")
	message := webmcptest.Eval[string](p, `async () => (await settled(early.load({ url: new URL('webmcp.wasm', location), integrity: 'sha384-' + 'A'.repeat(64) }))).message`)
	require.Contains(t, message, "an integrity must be that of the file")
	p.Forgive("integrity")
}

func TestAHintLoadsTheModuleOnce(t *testing.T) {
	t.Parallel()
	p := earlyPage(t, "plain")
	p.Do(`async () => {
		const hint = Object.assign(document.createElement('link'), { rel: 'preload', as: 'fetch', crossOrigin: '', type: 'application/wasm', href: 'webmcp.wasm' });
		const script = Object.assign(document.createElement('link'), { rel: 'modulepreload', href: 'webmcp_exec.js' });
		await Promise.all([hint, script].map((link) => new Promise((done) => { link.onload = done; document.head.append(link) })));
		await early(() => 1, { name: 'work', description: 'Works.' }).register();
	}`)
	require.Equal(t, whole, loaded(p))
}

// Go calls the browser's RegExp where no code of the page may run.
func TestBuiltInFunctionsAreThoseOfTheTimeOfTheImport(t *testing.T) {
	t.Parallel()
	p := earlyPage(t, "plain")
	require.Equal(t, "fine", webmcptest.Eval[string](p, `async () => {
		const { exec } = RegExp.prototype, { decode } = TextDecoder.prototype, { encodeInto } = TextEncoder.prototype;
		const tool = early(() => 'fine', { name: 'work', description: 'Works.', schema: { type: 'object', properties: { a: { type: 'string', pattern: '^b+$' } } } });
		try {
			TextEncoder.prototype.encodeInto = () => { throw new Error('another') };
			RegExp.prototype.exec = function (text) { return this.source === '^b+$' ? null : exec.call(this, text) };
			TextDecoder.prototype.decode = function (...args) { return args.length && args[0].byteLength === 1 ? 'c' : decode.apply(this, args) };
			await tool.register();
			return (await early.invokeTool('work', { a: 'b' })).content[0].text;
		} finally {
			Object.assign(RegExp.prototype, { exec });
			Object.assign(TextDecoder.prototype, { decode });
			Object.assign(TextEncoder.prototype, { encodeInto });
		}
	}`))
}
