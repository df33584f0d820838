package e2e

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/webmcptest"
)

// arrived holds what is closed when the module of such a path may be sent.
var arrived = map[string]chan struct{}{
	"slow": make(chan struct{}), "slow-registry": make(chan struct{}), "slow-call": make(chan struct{}), "slow-leaving": make(chan struct{}),
}

// loading serves the page early under several paths, each with a trouble of its
// own on the way of webmcp.wasm.
var loading = &server{handler: func(tb testing.TB) http.Handler {
	fixtures := serveFixtures(tb)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		trouble, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		if strings.HasSuffix(rest, "webmcp.wasm") {
			switch trouble {
			case "missing":
				http.NotFound(w, r)
				return
			case "mime":
				w.Header().Set("Content-Type", "text/plain")
			case "slow", "slow-registry", "slow-call", "slow-leaving":
				select {
				case <-arrived[trouble]:
				case <-r.Context().Done():
					return
				}
			}
		}
		r.URL.Path = "/" + rest
		switch trouble {
		case "csp":
			w = strict{w}
		case "worker": // Trusted Types would want a policy for its address
			w = relaxed{w}
		}
		fixtures.ServeHTTP(w, r)
	})
}}

// strict is a response whose policy does not let WebAssembly be compiled.
type strict struct{ http.ResponseWriter }

func (w strict) WriteHeader(code int) {
	policy := strings.ReplaceAll(w.Header().Get("Content-Security-Policy"), " 'wasm-unsafe-eval'", "")
	w.Header().Set("Content-Security-Policy", policy)
	w.ResponseWriter.WriteHeader(code)
}

func earlyPage(t *testing.T, trouble string) *webmcptest.Page {
	t.Helper()
	return earlyPageIn(t, withWebMCP, trouble)
}

func earlyPageIn(t *testing.T, browser webmcptest.Options, trouble string) *webmcptest.Page {
	t.Helper()
	p := newPage(t, browser)
	p.Open(loading.url(t, "/"+trouble+"/early/"))
	p.WaitFor(`globalThis.early`)
	return p
}

func TestTheAPIWorksBeforeTheModuleHasArrived(t *testing.T) {
	t.Parallel()
	p := earlyPage(t, "slow")
	before := webmcptest.Eval[map[string]any](p, `() => {
		const webmcp = early;
		webmcp.configure({ hooks: { before: [note('global')] } });
		const outer = webmcp.scope({ hooks: { before: [note('outer')] } });
		const inner = webmcp.scope({ hooks: { before: [note('inner')] } }, outer);
		window.tool = webmcp(({ n = 1 }) => n + 1, { name: 'work', description: 'Works.', hooks: { before: [note('tool')] } });
		window.attempts = [];
		attempts.push(tool.register({ scope: inner })); tool.unregister(); attempts.push(tool.register({ scope: inner }));
		window.wrong = webmcp(() => 1, { name: 'wrong', description: 'x', schema: { type: 'nope' } });
		window.wrongEnd = settled(wrong.register());
		window.rival = webmcp(() => 1, { name: 'work', description: 'Another.' });
		window.rivalEnd = settled(rival.register());
		window.left = webmcp(() => 1, { name: 'left', description: 'x' });
		const controller = new AbortController();
		window.leftEnd = settled(left.register({ signal: controller.signal }));
		controller.abort();
		window.call = webmcp.invokeTool('work', {});
		window.changes = 0;
		webmcp.onToolsChanged(() => { changes++ });
		return { direct: tool({ n: 5 }), statuses: [tool.status, wrong.status, left.status, webmcp.registry.getStatus('work')],
			names: webmcp.registry.list().map(({ name }) => name), supported: webmcp.isWebMCPSupported(), global: typeof globalThis.webmcp,
			noDescription: attempt(() => webmcp(() => 1, { name: 'x' })).name, hooks: webmcp.getGlobalHooks().before.length };
	}`)
	require.Equal(t, map[string]any{
		"direct": 6.0, "statuses": []any{"registering", "registering", "idle", "registering"}, "names": []any{"work", "wrong"},
		"supported": true, "global": "undefined", "noDescription": "ConfigurationError", "hooks": 1.0,
	}, before)

	close(arrived["slow"])
	p.AwaitTools("work")
	require.Equal(t, "2", webmcptest.Eval[string](p, `async () => (await call).content[0].text`), "a call that waited")
	require.Equal(t, []string{"global", "outer", "inner", "tool"}, webmcptest.Eval[[]string](p, `() => ran.splice(0)`))
	require.Equal(t, "2", p.Ask("work", nil))
	after := webmcptest.Eval[map[string]any](p, `async () => {
		await Promise.all(attempts);
		const ends = [await wrongEnd, await rivalEnd, await leftEnd];
		return { errors: ends.map(({ name }) => name ?? 'none'), statuses: [tool.status, wrong.status, rival.status, left.status],
			supported: early.isWebMCPSupported(), ready: await early.ready === early && early === webmcp, changed: changes > 0 };
	}`)
	require.Equal(t, map[string]any{
		"errors": []any{"ConfigurationError", "RegistrationError", "AbortError"}, "statuses": []any{"registered", "error", "error", "idle"},
		"supported": true, "ready": true, "changed": true,
	}, after)
}

func TestWithoutWebMCPWhatWaitsForTheModuleWaitsInOrder(t *testing.T) {
	t.Parallel()
	p := earlyPageIn(t, withoutWebMCP, "slow-registry")
	p.Do(`() => {
		early(() => 'a', { name: 'a', description: 'Is early.' }).register();
		window.end = early.invokeTool('a').then(({ content }) => content[0].text, ({ message }) => message);
	}`)
	close(arrived["slow-registry"])
	require.Equal(t, "a", webmcptest.Eval[string](p, `() => end`))
}

func TestAFailedLoadSaysWhatToChange(t *testing.T) {
	t.Parallel()
	for trouble, want := range map[string]string{"missing": "must be beside webmcp.js", "csp": "'wasm-unsafe-eval'"} {
		t.Run(trouble, func(t *testing.T) {
			t.Parallel()
			p := earlyPage(t, trouble)
			end := webmcptest.Eval[map[string]any](p, `async () => {
				const tool = early(({ n }) => n, { name: 'work', description: 'Works.' });
				const registered = settled(tool.register());
				const ready = await settled(early.ready);
				const later = early(({ n }) => n, { name: 'later', description: 'Works.' });
				return { ready: ready.message, registered: (await registered).message, status: tool.status, direct: tool({ n: 3 }),
					later: (await settled(later.register())).message, laterStatus: later.status,
					call: (await settled(early.invokeTool('work', {}))).message };
			}`)
			require.Contains(t, end["ready"], want)
			for _, key := range []string{"registered", "later", "call"} {
				require.Equal(t, end["ready"], end[key], key)
			}
			require.Equal(t, []any{"error", "error", 3.0}, []any{end["status"], end["laterStatus"], end["direct"]})
			p.Forgive("404")
			p.Forgive("WebAssembly")
		})
	}
}

func TestAModuleOfAnotherTypeIsCompiledAllTheSame(t *testing.T) {
	t.Parallel()
	p := earlyPage(t, "mime")
	require.Equal(t, "fine", webmcptest.Eval[string](p, `async () => {
		await early(() => 'fine', { name: 'work', description: 'Works.' }).register();
		return (await early.invokeTool('work', {})).content[0].text;
	}`))
}

func TestInAWorkerToolsAreTheirFunctions(t *testing.T) {
	t.Parallel()
	p := earlyPage(t, "worker")
	require.Equal(t, []any{7.0, "idle", false, true, []any{}}, webmcptest.Eval[[]any](p, `() => new Promise((done, fail) => {
		const worker = new Worker('worker.js', { type: 'module' });
		worker.onmessage = ({ data }) => done(data);
		worker.onerror = ({ message }) => fail(new Error(message));
	})`))
}

func TestOnAServerToolsAreTheirFunctions(t *testing.T) {
	t.Parallel()
	out := inNode(t, `import { webmcp } from './webmcp.js';
		const tool = webmcp(({ id }) => id, { name: 'work', description: 'Works.' });
		webmcp.configure({ hooks: { before: [() => {}] } });
		(await tool.register())();
		console.log(tool({ id: 7 }), tool.status, webmcp.isWebMCPSupported());`)
	require.Equal(t, "7 idle false\n", out)
}

func TestInNodeWithADocumentTheErrorSaysThatThisIsNoBrowser(t *testing.T) {
	t.Parallel()
	out := inNode(t, `globalThis.document = Object.assign(new EventTarget(), { baseURI: 'about:blank' }); // as jsdom does
		const { webmcp } = await import('./webmcp.js');
		const tool = webmcp(({ id }) => id, { name: 'work', description: 'Works.' });
		await tool.register();
		const { message } = await webmcp.invokeTool('work').catch((error) => error);
		console.log(message);
		console.log(tool({ id: 7 }), tool.status);`)
	require.Contains(t, out, "this is no browser: in a test, import 'webmcp-wasm/testing'\n")
	require.Contains(t, out, "7 registered\n", "nobody but who asks for the module hears of it")
}

// webmcp-wasm/testing starts the module by what webmcp.js is made of, which it gets where no browser is. Where one is, no script gets
// that, whatever it fakes of Node.js, or of a document.
func TestInABrowserNoScriptGetsAtWhatStartsTheModule(t *testing.T) {
	t.Parallel()
	p := blank(t, "as-built")
	got := webmcptest.Eval[map[string]any](p, `async () => {
		const process = { title: 'node', versions: { node: '20.0.0', v8: '12' }, release: { name: 'node' }, env: {}, argv: [], getBuiltinModule: () => ({}), binding: () => ({}) };
		Object.assign(globalThis, { process, global: globalThis, require: () => ({}), module: { exports: {} }, Buffer: class {}, setImmediate: setTimeout, jest: {}, vi: {}, __vitest_worker__: {} });
		const before = Object.getOwnPropertyNames(globalThis);
		Object.defineProperty(navigator, 'userAgent', { value: 'Node.js (jsdom)', configurable: true });
		const fakes = [
			() => Object.defineProperty(globalThis, 'document', { value: undefined }),
			() => Object.defineProperty(globalThis, 'document', { get: () => undefined, configurable: true }),
			() => { if (!Reflect.deleteProperty(globalThis, 'document')) throw new TypeError('it stays'); },
		].map((fake) => { try { fake(); return 'faked'; } catch (error) { return error.name; } });
		const { webmcp } = await import('./webmcp.js');
		let ends = 0;
		globalThis.FinalizationRegistry = class { constructor() { ends++; } register() { ends++; } }; // whose callbacks free scopes and schemas in Go
		webmcp(({ n }) => 'fine', { name: 'work', description: 'Works.', schema: { type: 'object', properties: { n: { type: 'integer', enum: [1] } } }, global: true });
		await webmcp.load();
		const text = (await webmcp.invokeTool('work', { n: 1 })).content[0].text;
		const known = Symbol.for('github.com/webmcp-wasm/webmcp');
		return {
			fakes, text, ends, door: typeof webmcp[known],
			symbols: Object.getOwnPropertySymbols(webmcp).map((symbol) => typeof webmcp[symbol]),
			process: Object.keys(process).sort().join(),
			added: Object.getOwnPropertyNames(globalThis).filter((name) => !before.includes(name)).sort(),
		};
	}`)
	require.NotContains(t, got["fakes"], "faked")
	require.Equal(t, "fine", got["text"])
	require.Equal(t, "undefined", got["door"])
	require.Equal(t, 0.0, got["ends"])
	require.Equal(t, []any{"boolean"}, got["symbols"], "whether it runs, and nothing else")
	require.Equal(t, "argv,binding,env,getBuiltinModule,release,title,versions", got["process"])
	require.Subset(t, []any{"fs", "path", "webmcp"}, got["added"])
}

// inNode runs an ES module in Node.js, beside the library, and returns what it
// wrote.
func inNode(t *testing.T, module string) string {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("NOT RUN: node is missing; install Node.js to run this test")
	}
	root, err := buildDist()
	require.NoError(t, err)
	dir := t.TempDir()
	for name, content := range map[string]string{"package.json": `{"type": "module"}`, "page.js": module} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644))
	}
	for _, name := range []string{"webmcp.js", "webmcp_exec.js"} {
		content, err := os.ReadFile(filepath.Join(root, "dist", name))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), content, 0o644))
	}
	out, err := exec.CommandContext(t.Context(), node, filepath.Join(dir, "page.js")).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return string(out)
}

func TestTheModuleIsThereOnceHoweverOftenItIsLoaded(t *testing.T) {
	t.Parallel()
	p := earlyPage(t, "plain")
	require.True(t, webmcptest.Eval[bool](p, `async () => (await import('./webmcp.js?again')).webmcp === early`))
}

func TestALaterToolReplacesAnEarlierOneWhenItSaysSo(t *testing.T) {
	t.Parallel()
	p := earlyPage(t, "plain")
	got := webmcptest.Eval[[]any](p, `async () => {
		const make = (answer, more) => early(() => answer, { name: 'work', description: 'Works.', ...more });
		const ask = async () => (await early.invokeTool('work', {})).content[0].text;
		const first = make('first');
		await first.register(); await first.register();
		const refused = (await settled(make('second').register())).name;
		const third = make('third', { replace: true });
		await third.register();
		const seen = [await ask(), first.status, third.status];
		early.replace = true;
		await make('fourth').register();
		return [refused, ...seen, await ask(), third.status, (await early.listTools()).length];
	}`)
	require.Equal(t, []any{"RegistrationError", "third", "idle", "registered", "fourth", "idle", 1.0}, got)
	p.AwaitTools("work")
}

func TestAScopeThatWaitedGuardsAToolThatDidNot(t *testing.T) {
	t.Parallel()
	p := blank(t, "as-built")
	// Between run and the first microtask the module runs, and what waited for it still waits.
	require.Equal(t, []string{"scoped", "fn"}, webmcptest.Eval[[]string](p, `async () => {
		await script('wasm_exec.js');
		const go = new Go();
		const scope = go.webmcp.scope({ hooks: { before: [note('scoped')] } });
		const tool = go.webmcp(note('fn'), { name: 'guarded', description: 'Guarded.' });
		const { instance } = await compiled(go);
		go.run(instance);
		await tool.register({ scope });
		await go.webmcp.invokeTool('guarded', {});
		return ran;
	}`))
}
