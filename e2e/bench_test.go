package e2e

import (
	"slices"
	"testing"
)

// The figures of these benchmarks are medians in microseconds, of both tools
// in the same run in turns; compare them within a run only, machines are
// noisy. "make bench" prints them:
//
//	go test -run '^$' -bench . -benchtime 40x ./e2e
//
// One iteration is one batch of each tool.

// BenchmarkExecuteTool times a call through document.modelContext.executeTool:
// of a tool registered by hand (raw), and of the same function with six hooks
// around it (hooked). The ratio should be at most 1.2.
func BenchmarkExecuteTool(b *testing.B) {
	raw, hooked := interleave(b, `(name, count) => throughBrowser(name, count)`, 100)
	b.ReportMetric(raw, "raw-us")
	b.ReportMetric(hooked, "hooked-us")
	b.ReportMetric(hooked/raw, "ratio")
}

// BenchmarkPipeline times the same calls without the browser: the execute
// function that Chrome would call is called directly.
func BenchmarkPipeline(b *testing.B) {
	raw, hooked := interleave(b, `(name, count) => direct(name, count)`, 10)
	b.ReportMetric(raw, "raw-us")
	b.ReportMetric(hooked, "hooked-us")
}

// interleave runs batches of both tools in turns and returns the medians.
func interleave(b *testing.B, function string, count int) (raw, hooked float64) {
	b.Helper()
	p := newPage(b, withWebMCP)
	p.open(site.url(b, "/bench/"))
	p.waitFor(`globalThis.toolsByName?.hooked`)
	times := map[string][]float64{}
	for _, name := range []string{"raw", "hooked"} {
		run[[]float64](p, function, name, 300) // warm up
	}
	for b.Loop() {
		for _, name := range []string{"raw", "hooked"} {
			times[name] = append(times[name], run[[]float64](p, function, name, count)...)
		}
	}
	b.ReportMetric(0, "ns/op") // the time of a batch says nothing
	return median(times["raw"]), median(times["hooked"])
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}
