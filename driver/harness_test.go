package driver_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/driver"
)

// browser is the one that all tests share.
var browser = sync.OnceValues(func() (*driver.Browser, error) {
	return driver.Start(context.Background(), driver.Options{})
})

func TestMain(m *testing.M) {
	code := m.Run()
	if b, err := browser(); err == nil {
		b.Close()
	}
	os.Exit(code)
}

// within bounds a step of a test.
func within(tb testing.TB) context.Context {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	tb.Cleanup(cancel)
	return ctx
}

// serve serves pages by their paths, and returns the address without the slash.
// 127.0.0.1 and localhost are two sites.
func serve(tb testing.TB, pages map[string]string) string {
	tb.Helper()
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, ok := pages[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte("<!doctype html><meta name=viewport content='width=device-width'>" + strings.ReplaceAll(body, "OTHER", otherSite("http://"+r.Host))))
	}))
	tb.Cleanup(web.Close)
	return web.URL
}

func otherSite(url string) string {
	if strings.Contains(url, "127.0.0.1") {
		return strings.Replace(url, "127.0.0.1", "localhost", 1)
	}
	return strings.Replace(url, "localhost", "127.0.0.1", 1)
}

// newPage opens an empty page.
func newPage(tb testing.TB) *driver.Page {
	tb.Helper()
	b, err := browser()
	require.NoError(tb, err)
	p, err := b.NewPage(within(tb))
	require.NoError(tb, err)
	tb.Cleanup(p.Close)
	return p
}

// open opens a page with the given body.
func open(tb testing.TB, body string) *driver.Page {
	tb.Helper()
	p := newPage(tb)
	require.NoError(tb, p.Open(within(tb), serve(tb, map[string]string{"/": body})+"/"))
	return p
}

// tool is the markup of a script that registers a tool.
func tool(name, execute string) string {
	return "<script>document.modelContext.registerTool({ name: '" + name + "', description: 'x', execute: " + execute + " })</script>"
}
