package webmcptest_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/webmcp-wasm/webmcp/driver"
	"github.com/webmcp-wasm/webmcp/webmcptest"
)

func TestMain(m *testing.M) { os.Exit(webmcptest.Run(m)) }

// csp makes the page's mistakes visible.
const csp = "default-src 'self'; frame-src *; require-trusted-types-for 'script'; trusted-types 'none'"

// serve serves the page of testdata/site, which has no library and no tools.
func serve(tb testing.TB) string {
	tb.Helper()
	files := http.FileServer(http.Dir("testdata/site"))
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", csp)
		files.ServeHTTP(w, r)
	}))
	tb.Cleanup(web.Close)
	return web.URL
}

func open(tb testing.TB) *webmcptest.Page {
	tb.Helper()
	return webmcptest.Open(tb, serve(tb))
}

// without are the options of a browser that has no WebMCP.
var without = webmcptest.Options{Browser: driver.Options{WithoutWebMCP: true}}
