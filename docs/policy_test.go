package docs_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/internal/dist"
	"github.com/webmcp-wasm/webmcp/webmcptest"
)

// shopModule is the script that the pages of the guide to policies name.
const shopModule = `import { webmcp } from '/dist/webmcp.js';
webmcp(({ total }) => 'paid ' + total, {
	name: 'checkout', description: 'Check out', global: true,
	schema: { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] },
});`

func TestThePagesOfThePolicyGuideAreUnderTheirPolicy(t *testing.T) {
	t.Parallel()
	root, err := dist.Root()
	require.NoError(t, err)
	require.NoError(t, buildDist())
	ran := 0
	for _, e := range examples(t, "policy") {
		if e.language != "html" {
			continue
		}
		ran++
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			mux := http.NewServeMux()
			mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/html; charset=utf-8")
				fmt.Fprint(w, e.code)
			})
			mux.HandleFunc("GET /shop.js", func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/javascript")
				fmt.Fprint(w, shopModule)
			})
			mux.HandleFunc("GET /policy.json", func(w http.ResponseWriter, _ *http.Request) {
				fmt.Fprint(w, `{"webmcp": 1, "rules": [{"tools": "checkout", "deny": "Not today.", "code": "LINKED"}]}`)
			})
			mux.HandleFunc("GET /favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
			mux.Handle("GET /dist/", http.StripPrefix("/dist/", http.FileServer(http.Dir(filepath.Join(root, "dist")))))
			site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				// All that the guide says a page has to allow: nothing for a block, its origin for a link.
				w.Header().Set("Content-Security-Policy", "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'")
				mux.ServeHTTP(w, r)
			}))
			t.Cleanup(site.Close)
			page := webmcptest.Open(t, site.URL)
			page.AwaitTools("checkout")
			call := func(total int) string {
				return string(page.Invoke("checkout", map[string]any{"total": total}).Result().Output)
			}
			if e.name == "link" {
				require.Contains(t, call(1), `"LINKED"`)
				return
			}
			require.Contains(t, call(501), `"TOO_MUCH"`)
			require.Contains(t, call(1), "paid 1")
			require.Contains(t, call(2), "paid 2")
			require.Contains(t, call(3), `"RATE_LIMITED"`, "the call that was refused for its input counts, too")
		})
	}
	require.Equal(t, 2, ran)
}
