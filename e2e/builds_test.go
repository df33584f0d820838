package e2e

import (
	"bytes"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/internal/glue"
	"github.com/webmcp-wasm/webmcp/webmcptest"
)

// mixed are files of the library as another build would have them, or as
// somebody has mixed them up, by the first element of the path of a page.
var mixed = map[string]map[string]func(file []byte) []byte{
	"as-built":       {},
	"toolchain":      {"webmcp_exec.js": func([]byte) []byte { return toolchainExec() }},
	"other-program":  {"webmcp.wasm": func([]byte) []byte { return []byte("\x00asm\x01\x00\x00\x00") }},
	"no-module":      {"webmcp.wasm": func([]byte) []byte { return []byte("Bad gateway") }},
	"older-module":   {"webmcp.wasm": replacing("webmcp_interface_1", "webmcp_interface_0")},
	"ancient-module": {"webmcp.wasm": replacing("webmcp_interface_1", "webmcp_the_ancient")},
	"newer-module":   {"webmcp.wasm": replacing("webmcp_interface_1", "webmcp_interface_9")},
	"older-script":   {"webmcp.js": scriptOf("0")},
	"newer-script":   {"webmcp.js": scriptOf("9")},
	"no-approvals":   {"webmcp_approvals.js": func([]byte) []byte { return []byte("Bad gateway") }},
	"old-approvals":  {"webmcp_approvals.js": replacing("number=1", "number=0")},
}

func replacing(old, with string) func([]byte) []byte {
	return func(file []byte) []byte {
		changed := bytes.ReplaceAll(file, []byte(old), []byte(with))
		if bytes.Equal(changed, file) {
			panic("the file has no " + old)
		}
		return changed
	}
}

// scriptOf returns webmcp.js as a build with another interface has it.
func scriptOf(number string) func([]byte) []byte {
	return func([]byte) []byte {
		loader, err := os.ReadFile("../wasm/webmcp.js")
		if err != nil {
			panic(err)
		}
		script, err := glue.Module(replacing("const INTERFACE = 1;", "const INTERFACE = "+number+";")(loader))
		if err != nil {
			panic(err)
		}
		return script
	}
}

// toolchainExec returns the wasm_exec.js of the toolchain, without a glue.
func toolchainExec() []byte {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		panic(err)
	}
	file, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		panic(err)
	}
	return file
}

var builds = &server{handler: func(tb testing.TB) http.Handler {
	root, err := buildDist()
	require.NoError(tb, err)
	fixtures := serveFixtures(tb)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		first, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		r.URL.Path = "/" + rest
		name := path.Base(rest)
		w.Header().Set("Cache-Control", "no-store")
		switch change := mixed[first][name]; {
		case name == "toolchain_exec.js":
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = w.Write(toolchainExec())
		case change != nil:
			file, err := os.ReadFile(filepath.Join(root, "dist", name))
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			w.Header().Set("Content-Type", map[string]string{".js": "text/javascript", ".wasm": "application/wasm"}[path.Ext(name)])
			_, _ = w.Write(change(file))
		default:
			fixtures.ServeHTTP(w, r)
		}
	})
}}

// blank opens a page that has loaded nothing yet.
func blank(t *testing.T, build string) *webmcptest.Page {
	t.Helper()
	p := newPage(t, withWebMCP)
	p.Open(builds.url(t, "/"+build+"/blank/"))
	p.Do(`() => {
		window.script = (src) => import('./' + src);
		window.logged = [];
		const { error } = console;
		console.error = (...args) => { logged.push(args.map(String).join(' ')); error.apply(console, args) };
		window.compiled = (go, file = 'webmcp.wasm') => WebAssembly.instantiateStreaming(fetch(file), go.importObject);
	}`)
	return p
}

// wrong is what is said of mixed files.
var wrong = map[string]string{
	"toolchain":      "or is of another build",
	"other-program":  "webmcp.wasm is another program",
	"no-module":      "it is no WebAssembly",
	"older-module":   "the module (webmcp.wasm) is the older one",
	"ancient-module": "the module (webmcp.wasm) is the older one",
	"newer-module":   "_exec.js is the older one",
	"older-script":   "webmcp.js is the older one",
	"newer-script":   "webmcp_exec.js is the older one",
}

func TestFilesOfDifferentBuildsSayWhichIsWrong(t *testing.T) {
	t.Parallel()
	for build, want := range wrong {
		t.Run(build, func(t *testing.T) {
			t.Parallel()
			p := blank(t, build)
			// Where there is no API, the import fails; else what waits for the module does.
			require.Contains(t, webmcptest.Eval[string](p, `async () => {
				try {
					const { webmcp } = await import('./webmcp.js');
					await webmcp(() => 1, { name: 'work', description: 'Works.' }).register();
					return 'registered';
				} catch ({ message }) {
					return message;
				}
			}`), want)
			require.Empty(t, p.Tools())
		})
	}
}

func TestTheUsualSnippetDoesNotRunAModuleOfAnotherBuild(t *testing.T) {
	t.Parallel()
	for _, build := range []string{"older-module", "ancient-module", "newer-module"} {
		t.Run(build, func(t *testing.T) {
			t.Parallel()
			p := blank(t, build)
			got := webmcptest.Eval[[]string](p, `async () => {
				await script('wasm_exec.js');
				const go = new Go();
				const registered = settled(go.webmcp(() => 1, { name: 'work', description: 'Works.' }).register());
				const { instance } = await compiled(go);
				await go.run(instance);
				return [(await settled(go.webmcp.ready)).message, (await registered).message, logged.join(), typeof webmcp];
			}`)
			require.Contains(t, got[0], wrong[build])
			require.Equal(t, got[0], got[1])
			require.Equal(t, []string{"[webmcp] " + got[0], "undefined"}, got[2:])
			require.Empty(t, p.Tools())
		})
	}
}

func TestAProgramWithoutWebMCPRunsAsEver(t *testing.T) {
	t.Parallel()
	p := blank(t, "as-built")
	require.Equal(t, []string{"ran", ""}, webmcptest.Eval[[]string](p, `async () => {
		await script('wasm_exec.js');
		const go = new Go();
		const ended = go.run(Object.setPrototypeOf({ exports: {
			mem: new WebAssembly.Memory({ initial: 1 }), run: () => go.exited = true, resume() {}, getsp: () => 0,
		} }, WebAssembly.Instance.prototype)).then(() => 'ran', String);
		go._resolveExitPromise();
		return [await ended, logged.join()];
	}`))
}

func TestAnotherGoFileBetweenLoadingAndRunningHarmsNothing(t *testing.T) {
	t.Parallel()
	for _, other := range []string{"toolchain_exec.js", "wasm_exec.js?again"} {
		t.Run(other, func(t *testing.T) {
			t.Parallel()
			p := blank(t, "as-built")
			require.Equal(t, "done", webmcptest.Eval[string](p, `async (other) => {
				await script('wasm_exec.js');
				const go = new Go();
				const tool = go.webmcp(() => 'done', { name: 'work', description: 'Works.' });
				const { instance } = await compiled(go);
				await script(other);
				go.run(instance);
				await tool.register();
				return (await webmcp.invokeTool('work', {})).content[0].text;
			}`, other))
			p.AwaitTools("work")
		})
	}
}

// A page's policies are with its first module. A second one that took its place
// would offer tools without them.
func TestASecondModuleIsRefused(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	got := webmcptest.Eval[[]any](p, `async () => {
		const first = webmcp;
		await webmcp(() => 'first', { name: 'first', description: 'Is first.' }).register();
		const go = new Go();
		const tool = go.webmcp(() => 'second', { name: 'second', description: 'Is second.' });
		const waiting = settled(tool.register());
		const { instance } = await WebAssembly.instantiateStreaming(fetch('webmcp.wasm'), go.importObject);
		go.run(instance);
		return [(await settled(go.webmcp.ready)).message, (await waiting).message, tool.status, tool(), webmcp === first,
			(await webmcp.invokeTool('first', {})).content[0].text, (await settled(tool.register())).message];
	}`)
	require.Contains(t, got[0], "module that runs, which stays")
	require.Equal(t, []any{got[0], "error", "second", true, "first", got[0]}, got[1:])
	p.AwaitTools("first")
}

func TestAModuleMayComeAfterOneThatHasDied(t *testing.T) {
	t.Parallel()
	p := blank(t, "as-built")
	require.Equal(t, "second", webmcptest.Eval[string](p, `async () => {
		await script('wasm_exec.js');
		const first = new Go();
		first.run((await compiled(first)).instance);
		await first.webmcp.ready;
		first.glue.die(new Error('of something'));
		const second = new Go();
		second.run((await compiled(second)).instance);
		await second.webmcp.ready;
		await webmcp(() => 'second', { name: 'work', description: 'Works.' }).register();
		return (await webmcp.invokeTool('work', {})).content[0].text;
	}`))
	p.AwaitTools("work")
}

func TestAModuleThatDiesBeforeTheBrowserWasAskedRegistersNothing(t *testing.T) {
	t.Parallel()
	p := blank(t, "as-built")
	require.Equal(t, []string{"NotSupportedError", "error"}, webmcptest.Eval[[]string](p, `async () => {
		await script('wasm_exec.js');
		const go = new Go();
		go.run((await compiled(go)).instance);
		await go.webmcp.ready;
		const tool = webmcp(() => 1, { name: 'work', description: 'Works.' });
		const end = settled(tool.register());
		go.glue.die(new Error('of something'));
		return [(await end).name, tool.status];
	}`))
	require.Empty(t, p.Tools())
}

func TestWhatAsksHumansIsLoadedWithTheFirstApproval(t *testing.T) {
	t.Parallel()
	p := earlyPage(t, "plain")
	p.Do(`() => early(() => 'done', { name: 'free', description: 'Asks nobody.' }).register()`)
	require.Equal(t, "done", p.Ask("free", nil))
	require.Equal(t, whole, loaded(p))
	p.Do(`() => early(() => 'ordered', { name: 'order', description: 'Orders.', approval: true }).register()`)
	p.WaitFor(`performance.getEntriesByType('resource').some(({ name }) => name.endsWith('webmcp_approvals.js'))`)
	call := p.Invoke("order", nil)
	armed(p).Click()
	require.Equal(t, "ordered", call.Text())
}

func TestWithoutWhatAsksHumansNothingThatNeedsOneRuns(t *testing.T) {
	t.Parallel()
	for build, want := range map[string]string{"no-approvals": "cannot be loaded", "old-approvals": "of different builds"} {
		t.Run(build, func(t *testing.T) {
			t.Parallel()
			p := blank(t, build)
			require.Equal(t, []any{"APPROVAL_UNAVAILABLE", false, false, "done", true}, webmcptest.Eval[[]any](p, `async (want) => {
				const { webmcp } = await import('./webmcp.js');
				let ran = false;
				await webmcp(() => { ran = true }, { name: 'order', description: 'Orders.', approval: true }).register();
				await webmcp(() => 'done', { name: 'free', description: 'Asks nobody.' }).register();
				const { code, executed } = await webmcp.invokeTool('order', {});
				return [code, executed, ran, (await webmcp.invokeTool('free', {})).content[0].text, logged.some((line) => line.includes(want))];
			}`, want))
		})
	}
}

func TestTheModuleFormLeavesThePagesOwnGoAlone(t *testing.T) {
	t.Parallel()
	p := blank(t, "as-built")
	require.Equal(t, []any{"undefined", true}, webmcptest.Eval[[]any](p, `async () => {
		const { webmcp } = await import('./webmcp.js');
		await webmcp.load();
		const before = typeof Go;
		await script('toolchain_exec.js');
		const own = Go;
		await import('./webmcp_exec.js?again');
		return [before, Go === own];
	}`))
}
