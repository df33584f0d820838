package e2e

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/internal/npmtest"
	"github.com/webmcp-wasm/webmcp/webmcptest"
)

// polyfilled serves the fixtures and the @mcp-b polyfill.
var polyfilled = &server{handler: func(tb testing.TB) http.Handler {
	fixtures := serveFixtures(tb)
	dir := npmtest.Install(tb, "@mcp-b/webmcp-polyfill@5")
	script, err := os.ReadFile(filepath.Join(dir, "node_modules", "@mcp-b", "webmcp-polyfill", "dist", "index.iife.js"))
	require.NoError(tb, err)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/polyfill.js") {
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = w.Write(script)
			return
		}
		fixtures.ServeHTTP(w, r)
	})
}}

// TestThePolyfillServesAsWellAsItCan runs without native WebMCP. The polyfill
// passes execute no signal, and takes the input of executeTool as a text.
func TestThePolyfillServesAsWellAsItCan(t *testing.T) {
	t.Parallel()
	url := polyfilled.url(t, "/polyfilled/")
	p := newPage(t, withoutWebMCP)
	p.Open(url)
	p.WaitFor(`globalThis.webmcp?.version`)
	got := webmcptest.Eval[map[string]any](p, `async () => {
		webmcp.configure({ hooks: {
			before: [({ input, signal }) => { ran.push(signal instanceof AbortSignal); return { input: { ...input, tenant: 't' } } }],
			after: [({ output }) => ({ output: { ...output, redacted: true } })],
		} });
		const tool = webmcp(({ id, tenant = 'none' }) => ({ id, tenant }), { name: 'work', description: 'Works.', hooks: {
			before: [({ input }) => input.id === 13 ? { action: 'deny', message: 'Unlucky.', code: 'NO' } : undefined],
		} });
		await tool.register();
		const [registered] = await document.modelContext.getTools();
		const asAgent = JSON.parse(await document.modelContext.executeTool(registered, JSON.stringify({ id: 1 })));
		const ours = await webmcp.invokeTool('work', { id: 2 });
		const denied = await webmcp.invokeTool('work', { id: 13 });
		const wrong = await webmcp.invokeTool('work', {});
		const { source } = await webmcp.getTool('work');
		tool.unregister();
		return { supported: webmcp.isWebMCPSupported(), agent: asAgent.content[0].text, ours: ours.content[0].text,
			denied: [denied.isError, denied.code], wrong: wrong.content[0].text, source,
			left: (await document.modelContext.getTools()).length };
	}`)
	require.Equal(t, map[string]any{
		"supported": true, "agent": `{"id":1,"tenant":"t","redacted":true}`, "ours": `{"id":2,"tenant":"t","redacted":true}`,
		"denied": []any{true, "NO"}, "wrong": "Error: invalid input: id: is required", "source": "native", "left": 0.0,
	}, got)
	require.Equal(t, []bool{true, true, true, true}, webmcptest.Eval[[]bool](p, `() => ran`), "hooks have a signal all the same")
}

// standIn is a document.modelContext, or whatever where names, that does as earlier
// browsers and other polyfills do. asked are the calls of executeTool.
const standIn = `
	globalThis.asked = [];
	globalThis.held = new Map();
	const context = Object.assign(new EventTarget(), {
		registerTool(tool, options) {
			tool.inputSchema.properties.written = {}; // as one polyfill does
			held.set(tool.name, tool);
			return answer(tool);
		},
		async getTools() {
			return [...held.values()].map(({ name, description, inputSchema }) => ({ name, description, inputSchema: text ? JSON.stringify(inputSchema) : inputSchema }));
		},
		async executeTool({ name }, input) {
			asked.push(typeof input);
			if (text && typeof input !== 'string') throw new TypeError('not a text');
			return JSON.stringify(await held.get(name).execute(text ? input : JSON.parse(JSON.stringify(input)), {}));
		},
	});
`

func TestBrowsersThatAnswerOtherwiseServeToo(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"no promise, and unregisterTool": `const text = false, answer = () => undefined;` + standIn +
			`context.unregisterTool = (name) => { if (!held.delete(name)) throw new Error('unknown'); }; Object.defineProperty(document, 'modelContext', { value: context });`,
		"unregister in the answer": `const text = false, answer = ({ name }) => ({ unregister() { held.delete(name); } });` + standIn +
			`Object.defineProperty(document, 'modelContext', { value: context });`,
		"text for schemas and inputs": `const text = true, answer = async () => {};` + standIn +
			`context.unregisterTool = undefined; const add = context.registerTool;
			context.registerTool = (tool, { signal }) => { signal.addEventListener('abort', () => held.delete(tool.name)); return add(tool); };
			Object.defineProperty(document, 'modelContext', { value: context });`,
		"on navigator only": `const text = true, answer = ({ name }) => ({ unregister() { held.delete(name); } });` + standIn +
			`Object.defineProperty(navigator, 'modelContext', { value: context });`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPage(t, withoutWebMCP)
			p.OnNewDocument(`{` + script + `}`)
			p.Open(site.url(t, "/lib/"))
			p.WaitFor(`globalThis.webmcp?.version`)
			got := webmcptest.Eval[[]any](p, `async () => {
				const tool = webmcp(({ id }) => id + 1, { name: 'work', description: 'Works.', schema: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] } });
				const end = await tool.register();
				const { content: [{ text }] } = await webmcp.invokeTool('work', { id: 1 });
				const { content: [{ text: wrong }] } = await webmcp.invokeTool('work', { id: 'x' });
				const entry = await webmcp.getTool('work');
				const status = tool.status;
				end();
				const left = held.size;
				await tool.register();
				return [webmcp.isWebMCPSupported(), status, text, wrong, entry.source, tool.tool.inputSchema.properties.written === undefined, left, tool.status, held.size, asked.length];
			}`)
			require.Equal(t, []any{true, "registered", "2", "Error: invalid input: id: must be an integer, got \"x\"", "native", true, 0.0, "registered", 1.0, 2.0}, got)
		})
	}
}

func TestAWrappedExecuteToolIsCalledOnceAndWithAnObject(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	require.Equal(t, []any{"2", 1.0, "object"}, webmcptest.Eval[[]any](p, `async () => {
		const { executeTool } = document.modelContext;
		const seen = [];
		document.modelContext.executeTool = function (tool, input, ...rest) {
			seen.push(typeof input);
			return executeTool.call(this, tool, input, ...rest);
		};
		await webmcp(({ id }) => id + 1, { name: 'work', description: 'Works.' }).register();
		const { content: [{ text }] } = await webmcp.invokeTool('work', { id: 1 });
		return [text, seen.length, seen[0]];
	}`))
}

func TestAToolOfThePageWhoseSchemaIsATextIsListedWithASchema(t *testing.T) {
	t.Parallel()
	p := newPage(t, withoutWebMCP)
	p.OnNewDocument(`{ const text = true, answer = () => undefined;` + standIn + `
		held.set('other', { name: 'other', description: 'Other.', inputSchema: { type: 'object' }, execute: async () => 'theirs' });
		Object.defineProperty(document, 'modelContext', { value: context }); }`)
	p.Open(site.url(t, "/lib/"))
	p.WaitFor(`globalThis.webmcp?.version`)
	require.Equal(t, "object", webmcptest.Eval[string](p, `async () => (await webmcp.getTool('other')).inputSchema.type`))
}

func TestNamesOfElementsAndAFrozenProcessDoNoHarm(t *testing.T) {
	t.Parallel()
	p := newPage(t, withWebMCP)
	p.OnNewDocument(`
		globalThis.process = Object.freeze({ cwd() { return '/'; } });
		document.addEventListener('webmcp:ready', () => { globalThis.heard = true; });
		document.addEventListener('readystatechange', () => {
			if (document.readyState !== 'interactive') return;
			document.body.append(...['dispatchEvent', 'modelContext', 'addEventListener'].map((name) => Object.assign(document.createElement(name === 'modelContext' ? 'img' : 'form'), { name })));
		});`)
	p.Open(site.url(t, "/module/"))
	p.WaitFor(`globalThis.heard`)
	p.AwaitTools("greet_person")
	require.Equal(t, "Hello, ADA! (global)", p.Ask("greet_person", map[string]string{"name": "Ada"}))
	require.True(t, webmcptest.Eval[bool](p, `() => document.modelContext instanceof HTMLImageElement && webmcp.isWebMCPSupported()`))
}

func TestAToJSONOnAPrototypeIsNamedAndNothingIsRegistered(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	for _, name := range []string{"Array", "Object", "String"} {
		got := webmcptest.Eval[[]any](p, `async name => {
			const make = () => webmcp(() => 1, { name: 'work', description: 'Works.', schema: { type: 'object', required: ['a'] } });
			const tool = make();
			globalThis[name].prototype.toJSON = function () { return 'odd'; };
			const ends = [await settled(tool.register()), attempt(make)];
			const { status } = tool;
			delete globalThis[name].prototype.toJSON;
			return [...ends.map((end) => end.name + ' ' + end.message.includes('delete ' + name + '.prototype.toJSON')), status];
		}`, name)
		require.Equal(t, []any{"ConfigurationError true", "ConfigurationError true", "error"}, got, name)
	}
	p.AwaitTools()
}
