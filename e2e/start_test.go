package e2e

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/driver"
)

// starting serves the pages start and startmodule as a site serves its files: the browser may keep
// them, and what it has compiled of them.
var starting = &server{handler: func(tb testing.TB) http.Handler {
	fixtures := serveFixtures(tb)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fixtures.ServeHTTP(cached{relaxed{w}}, r) })
}}

// cached is a response that the browser may keep.
type cached struct{ http.ResponseWriter }

func (w cached) WriteHeader(code int) {
	w.Header().Set("Cache-Control", "max-age=3600")
	w.ResponseWriter.WriteHeader(code)
}

// BenchmarkStart times what the load of a page with seven tools costs its main
// thread, in milliseconds: running the module, making and registering the tools,
// and the first call. Compiling the module is the work of other threads, and not
// in it. Cold is a browser that has never seen the page; warm, one that has. Both
// are there for a page with the two files, and (es) for one that imports webmcp.js,
// which itself runs first (front).
func BenchmarkStart(b *testing.B) {
	for _, form := range []struct {
		name, path string
		loads      int
	}{
		{"cold", "/start/", 1},
		{"warm", "/start/", 4}, // the browser keeps what it has compiled from the second load on
		{"es-cold", "/startmodule/", 1},
		{"es-warm", "/startmodule/", 4},
	} {
		b.Run(form.name, func(b *testing.B) {
			url := starting.url(b, form.path)
			times := map[string][]float64{}
			for range min(b.N, 15) { // each in a browser of its own
				for name, ms := range inNewBrowser(b, url, form.loads) {
					times[name] = append(times[name], ms)
				}
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(len(times["run"])), "samples")
			for name, all := range times {
				b.ReportMetric(median(all), name+"-ms")
			}
		})
	}
}

// inNewBrowser loads the page so often and returns the times of the last load, in
// milliseconds, as the page has measured them.
func inNewBrowser(b *testing.B, url string, loads int) (times map[string]float64) {
	b.Helper()
	ctx := b.Context()
	browser, err := driver.Start(ctx, driver.Options{})
	require.NoError(b, err)
	defer browser.Close()
	p, err := browser.NewPage(ctx)
	require.NoError(b, err)
	for range loads {
		require.NoError(b, p.Open(ctx, url))
		times, err = driver.Eval[map[string]float64](ctx, p.MainFrame(), `() => started`)
		require.NoError(b, err)
	}
	return times
}
