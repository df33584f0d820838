package e2e

import (
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/webmcptest"
)

// polyfilled serves the fixtures and the @mcp-b polyfill.
var polyfilled = &server{handler: func(tb testing.TB) http.Handler {
	fixtures := serveFixtures(tb)
	script, err := polyfill()
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

var polyfill = sync.OnceValues(func() ([]byte, error) {
	return fromNPM("node_modules/@mcp-b/webmcp-polyfill/dist/index.iife.js", nil, []string{"@mcp-b/webmcp-polyfill@5"})
})

// TestThePolyfillServesAsWellAsItCan runs without native WebMCP. The polyfill
// passes execute no signal, and takes the input of executeTool as a text.
func TestThePolyfillServesAsWellAsItCan(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("NOT RUN: npm is missing, which installs the polyfill; install Node.js to run this test")
	}
	p := newPage(t, withoutWebMCP)
	p.Open(polyfilled.url(t, "/polyfilled/"))
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
