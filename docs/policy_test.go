package docs_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/internal/dist"
	"github.com/webmcp-wasm/webmcp/webmcptest"
)

// policedModule is the script of the page of the guide to policies.
const policedModule = `import { webmcp } from '/dist/webmcp.js';
const about = { description: 'Is under a policy.', global: true, annotations: { consequentialHint: true } };
webmcp(() => 'opened', { ...about, name: 'open' });
webmcp(() => 'shut', { ...about, name: 'shut' });`

// What the guide says that a Content-Security-Policy has to allow: nothing for a
// block, the address for a link.
func TestThePageOfThePolicyGuideIsUnderItsPoliciesBesideAStrictCSP(t *testing.T) {
	t.Parallel()
	root, err := dist.Root()
	require.NoError(t, err)
	require.NoError(t, buildDist())
	found := examples(t, "policy")
	i := slices.IndexFunc(found, func(e example) bool { return e.name == "page" })
	require.GreaterOrEqual(t, i, 0)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!doctype html><html lang="en"><title>Policed</title><script type="module" src="policed.js"></script>`, found[i].code)
	})
	mux.HandleFunc("GET /policed.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprint(w, policedModule)
	})
	mux.HandleFunc("GET /policy.json", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"webmcp": 1, "rules": [{"tools": "shut", "deny": "Stay open.", "code": "LINKED"}]}`)
	})
	mux.HandleFunc("GET /favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.Handle("GET /dist/", http.StripPrefix("/dist/", http.FileServer(http.Dir(filepath.Join(root, "dist")))))
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'")
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(site.Close)
	page := webmcptest.Open(t, site.URL)
	page.AwaitTools("open", "shut")
	require.Contains(t, string(page.Invoke("shut", nil).Result().Output), `"LINKED"`)
	for range 5 {
		require.Equal(t, "opened", page.Ask("open", nil))
	}
	require.Contains(t, string(page.Invoke("open", nil).Result().Output), `"RATE_LIMITED"`, "by the block")
}
