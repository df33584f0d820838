package react

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/webmcptest"
)

// mounting is what it takes to mount and unmount many components with a tool each.
type mounting struct{ Mount, Unmount, Renderings float64 }

func manyPage(tb testing.TB) *webmcptest.Page {
	tb.Helper()
	p := newPage(tb)
	p.Open(site.url(tb, "/react19/production/many.html"))
	return p
}

func TestTheWorkForManyComponentsGrowsWithTheirNumberAlone(t *testing.T) {
	t.Parallel()
	p := manyPage(t)
	for _, count := range []float64{50, 200} {
		m := webmcptest.Eval[mounting](p, `count => mount('ours', count)`, count)
		require.LessOrEqual(t, m.Renderings, 4*count, "a component renders when its own tool changes")
	}
}

// BenchmarkMounting times two hundred components with a tool each, in React's
// production build, in milliseconds: registered by hand in an effect (raw), by
// useWebMCP of this library (ours), and by that of the package usewebmcp (theirs).
func BenchmarkMounting(b *testing.B) {
	p := manyPage(b)
	kinds := []string{"raw", "ours", "theirs"}
	mount, unmount := map[string][]float64{}, map[string][]float64{}
	for i := 0; b.Loop(); i++ {
		for n := range kinds {
			kind := kinds[(n+i)%len(kinds)]
			m := webmcptest.Eval[mounting](p, `kind => mount(kind, 200)`, kind)
			mount[kind], unmount[kind] = append(mount[kind], m.Mount), append(unmount[kind], m.Unmount)
		}
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(len(mount["raw"])), "samples")
	for _, kind := range kinds {
		b.ReportMetric(median(mount[kind]), kind+"-ms")
		b.ReportMetric(median(unmount[kind]), kind+"-unmount-ms")
	}
	b.ReportMetric(median(mount["ours"])/median(mount["raw"]), "ours/raw")
	b.ReportMetric(median(unmount["ours"])/median(unmount["raw"]), "ours/raw-unmount")
}

func median(times []float64) float64 {
	times = slices.Sorted(slices.Values(times))
	return times[len(times)/2]
}
