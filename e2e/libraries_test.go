package e2e

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/internal/npmtest"
	"github.com/webmcp-wasm/webmcp/webmcptest"
)

// libraries serves the fixtures with a policy that lets schema libraries
// compile their checks to code, as most pages that use them do.
var libraries = &server{handler: func(tb testing.TB) http.Handler {
	fixtures := serveFixtures(tb)
	return serveScripts(fixtures, map[string][]byte{"libraries.js": bundleLibraries(tb)})
}}

// serveScripts serves scripts under their names beside every page of the
// fixtures, and these relaxed.
func serveScripts(fixtures http.Handler, scripts map[string][]byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if script := scripts[path.Base(r.URL.Path)]; script != nil {
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = w.Write(script)
			return
		}
		fixtures.ServeHTTP(relaxed{w}, r)
	})
}

// relaxed is a response without a Content-Security-Policy, and isolated, which
// gives the page a clock with a resolution of 5 microseconds.
type relaxed struct{ http.ResponseWriter }

func (w relaxed) WriteHeader(code int) {
	w.Header().Del("Content-Security-Policy")
	w.Header().Set("Cross-Origin-Opener-Policy", "same-origin")
	w.Header().Set("Cross-Origin-Embedder-Policy", "require-corp")
	w.ResponseWriter.WriteHeader(code)
}

// bundleLibraries returns the schema libraries as one script.
func bundleLibraries(tb testing.TB) []byte {
	tb.Helper()
	dir := npmtest.Install(tb, "zod@4", "valibot@1", "arktype@2", "esbuild@0.28")
	require.NoError(tb, os.CopyFS(dir, os.DirFS("testdata/libraries")))
	return bundle(tb, dir)
}

// bundle returns entry.js of a directory that has esbuild, with all that it
// imports, as one script.
func bundle(tb testing.TB, dir string) []byte {
	tb.Helper()
	cmd := exec.CommandContext(tb.Context(), "node", filepath.Join("node_modules", "esbuild", "bin", "esbuild"),
		"entry.js", "--bundle", "--format=iife", "--outfile=out.js", "--log-level=error")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(tb, err, "bundle what a page needs of npm\n%s", out)
	script, err := os.ReadFile(filepath.Join(dir, "out.js"))
	require.NoError(tb, err)
	return script
}

// librariesPage opens a page that has the schema libraries.
func librariesPage(tb testing.TB) *webmcptest.Page {
	tb.Helper()
	url := libraries.url(tb, "/libraries/")
	p := newPage(tb, withWebMCP)
	p.Open(url)
	p.WaitFor(`globalThis.webmcp?.version && globalThis.z`)
	return p
}

func TestSchemaLibrariesValidateAndParse(t *testing.T) {
	t.Parallel()
	for _, library := range []string{"zod", "zodAsync", "valibot", "valibotAsync", "arktype"} {
		t.Run(library, func(t *testing.T) {
			t.Parallel()
			p := librariesPage(t)
			p.Do(`library => order(library)`, library)

			require.JSONEq(t, `{"quantity":3,"note":"none"}`, p.Ask("order", map[string]any{"quantity": "3"}),
				"coercions and defaults reach the function")
			wrong := p.Invoke("order", map[string]any{"quantity": 11}).Result()
			require.True(t, wrong.IsError)
			require.Regexp(t, `^Error: .*quantity: `, onlyText(t, wrong))
			require.Equal(t, "ValidationError", webmcptest.Eval[[]any](p, `() => seen`)[0])
			missing := p.Invoke("order", map[string]any{"note": 1}).Result()
			require.True(t, missing.IsError)
			if strings.HasSuffix(library, "Async") {
				soldOut := p.Invoke("order", map[string]any{"quantity": 7}).Result()
				require.Regexp(t, `quantity: is sold out`, onlyText(t, soldOut))
			}
		})
	}
}

func TestTheJSONSchemaOfALibraryIsAdvertised(t *testing.T) {
	t.Parallel()
	p := librariesPage(t)
	p.Do(`() => order('zod')`)
	p.AwaitTools("order")
	require.Contains(t, string(p.Tool("order").InputSchema), `"maximum":10`)
	require.False(t, webmcptest.Eval[bool](p, `async () => (await webmcp.getTool('order')).openSchema`))

	p.Do(`async () => { webmcp.registry.clear(); await order('valibot') }`)
	p.AwaitTools("order")
	require.JSONEq(t, `{"type":"object","properties":{}}`, string(p.Tool("order").InputSchema))
	require.True(t, webmcptest.Eval[bool](p, `async () => (await webmcp.getTool('order')).openSchema`), "valibot gives none, and the listing says so")
}

func TestWhatALibraryCannotSayLeavesTheRestOfItsSchema(t *testing.T) {
	t.Parallel()
	p := librariesPage(t)
	for library, c := range map[string]struct{ schema, want, left string }{
		"zod": {
			`z.object({ when: z.date(), big: z.bigint().describe('Large.'), n: z.number().max(3), lines: z.array(z.object({ map: z.map(z.string(), z.string()) })) })`,
			`"maximum":3`, "left out: when, big, lines[].map",
		},
		"zod, a member": {`{ type: 'object' }, fields: { when: z.date(), lines: z.array(z.object({ when: z.date(), n: z.number() })) }`, `"when":{}`, "left out: all of it"},
		"arktype":       {`type({ when: 'Date', n: 'number < 3' })`, `"exclusiveMaximum":3`, ""},
	} {
		warnings := warningsOf(p, `() => { window.tool = webmcp(() => {}, { name: 'order', description: 'x', schema: `+c.schema+` }) }`)
		if c.left != "" { // arktype does not say what it leaves out
			require.NotEmpty(t, warnings, library)
			require.Contains(t, warnings[0], "of the tool order cannot be shown to agents as it is: Date cannot be represented in JSON Schema; ")
			require.Contains(t, warnings[0], c.left)
		}
		require.Contains(t, string(webmcptest.Eval[json.RawMessage](p, `() => tool.tool.inputSchema`)), c.want, library)
	}
	require.Len(t, warningsOf(p, `() => { window.tool = webmcp(() => {}, { name: 'order', description: 'x', schema: z.object({ a: z.string(), b: z.any() }) }) }`), 0)
}

// BenchmarkValidation times what a contract in JSON Schema adds to a call: all
// that a call takes longer with an input of that size than with next to none.
// That should be at most 25 us for 1 KB; zod's check of the same shape alone,
// today's and that of version 3, is there to compare.
func BenchmarkValidation(b *testing.B) {
	for _, lines := range []int{8, 390} {
		b.Run(strconv.Itoa(lines)+"lines", func(b *testing.B) {
			p := librariesPage(b)
			p.Do(`() => prepareCarts()`)
			type times struct {
				Bytes                     float64
				Checked, Empty, Zod, Zod3 []float64
			}
			webmcptest.Eval[times](p, `lines => timeCarts(lines, 20)`, lines) // warm up
			var all times
			for b.Loop() {
				batch := webmcptest.Eval[times](p, `lines => timeCarts(lines, 5)`, lines)
				all.Bytes = batch.Bytes
				all.Checked = append(all.Checked, batch.Checked...)
				all.Empty = append(all.Empty, batch.Empty...)
				all.Zod = append(all.Zod, batch.Zod...)
				all.Zod3 = append(all.Zod3, batch.Zod3...)
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(all.Bytes, "bytes")
			b.ReportMetric(median(all.Checked)-median(all.Empty), "added-us")
			b.ReportMetric(median(all.Zod), "zod-us")
			b.ReportMetric(median(all.Zod3), "zod3-us")
		})
	}
}
