package e2e

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/driver"
)

// starting serves the page start as a site serves its files: the browser may keep
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
// in it. Cold is a browser that has never seen the page; warm, one that has.
func BenchmarkStart(b *testing.B) {
	for _, warm := range []bool{false, true} {
		name := map[bool]string{false: "cold", true: "warm"}[warm]
		b.Run(name, func(b *testing.B) {
			url := starting.url(b, "/start/")
			var run, register, call []float64
			for range min(b.N, 15) { // each in a browser of its own
				loads := 1
				if warm {
					loads = 4 // the browser keeps what it has compiled from the second load on
				}
				t := inNewBrowser(b, url, loads)
				run, register, call = append(run, t.Run), append(register, t.Register), append(call, t.Call)
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(len(run)), "samples")
			b.ReportMetric(median(run), "run-ms")
			b.ReportMetric(median(register), "register-ms")
			b.ReportMetric(median(call), "call-ms")
		})
	}
}

// startTimes are what the page start measures, in milliseconds.
type startTimes struct{ Run, Register, Call float64 }

// inNewBrowser loads the page so often and returns the times of the last load.
func inNewBrowser(b *testing.B, url string, loads int) (t startTimes) {
	b.Helper()
	ctx := b.Context()
	browser, err := driver.Start(ctx, driver.Options{})
	require.NoError(b, err)
	defer browser.Close()
	p, err := browser.NewPage(ctx)
	require.NoError(b, err)
	for range loads {
		require.NoError(b, p.Open(ctx, url))
		t, err = driver.Eval[startTimes](ctx, p.MainFrame(), `() => started`)
		require.NoError(b, err)
	}
	return t
}
