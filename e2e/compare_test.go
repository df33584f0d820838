package e2e

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/internal/npmtest"
	"github.com/webmcp-wasm/webmcp/webmcptest"
)

// comparing serves the page compare, with what it needs of npm.
var comparing = &server{handler: func(tb testing.TB) http.Handler {
	fixtures := serveFixtures(tb)
	dir := npmtest.Install(tb, "zod@4.4.3", "@mcp-b/global@5.1.0", "esbuild@0.28")
	require.NoError(tb, os.WriteFile(filepath.Join(dir, "entry.js"), []byte(`import * as z from 'zod'; globalThis.z = z;`), 0o644))
	mcpb, err := os.ReadFile(filepath.Join(dir, "node_modules", "@mcp-b", "global", "dist", "index.iife.js"))
	require.NoError(tb, err)
	return serveScripts(fixtures, map[string][]byte{"zod.js": bundle(tb, dir), "mcpb.js": mcpb})
}}

// BenchmarkCalls times the same work done in different ways, in turns in one
// page: by hand (raw, hand), with hooks in an engine of plain JavaScript (plain),
// with the same hooks in this library (ours), with zod and JSON Schema, and through
// @mcp-b/global. Figures are medians in microseconds of so many samples; compare
// them within one row only. docs/performance.md says how to read them.
func BenchmarkCalls(b *testing.B) {
	p := newPage(b, withWebMCP)
	p.Open(comparing.url(b, "/compare/"))
	type row struct {
		Row   string
		Names []string // the first is what the others are compared with
	}
	for _, r := range webmcptest.Eval[[]row](p, `() => prepare()`) {
		b.Run(r.Row, func(b *testing.B) {
			times := map[string][]float64{}
			for b.Loop() {
				for name, batch := range webmcptest.Eval[map[string][]float64](p, `row => round(row)`, r.Row) {
					times[name] = append(times[name], batch...)
				}
			}
			b.ReportMetric(0, "ns/op") // the time of a round says nothing
			first := r.Names[0]
			b.ReportMetric(float64(len(times[first])), "samples")
			for _, name := range r.Names {
				b.ReportMetric(median(times[name]), name+"-us")
				if name != first {
					b.ReportMetric(median(times[name])/median(times[first]), name+"/"+first)
				}
			}
		})
	}
}

// BenchmarkRegistration times making and registering 500 tools, and ending them, in
// milliseconds: by hand (raw), by hand with hooks in an engine of plain JavaScript
// (plain), and with the same hooks in this library (ours).
func BenchmarkRegistration(b *testing.B) {
	p := newPage(b, withWebMCP)
	p.Open(comparing.url(b, "/compare/"))
	p.Do(`async () => { await started; for (let i = 0; i < 3; i++) await registration() }`)
	times := map[string][]float64{}
	ends := map[string][]float64{}
	for b.Loop() {
		for kind, both := range webmcptest.Eval[map[string][2]float64](p, `() => registration()`) {
			times[kind], ends[kind] = append(times[kind], both[0]), append(ends[kind], both[1])
		}
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(len(times["raw"])), "samples")
	for kind := range times {
		b.ReportMetric(median(times[kind]), kind+"-ms")
		b.ReportMetric(median(ends[kind]), kind+"-end-ms")
		if kind != "raw" {
			b.ReportMetric(median(times[kind])/median(times["raw"]), kind+"/raw")
			b.ReportMetric(median(ends[kind])/median(ends["raw"]), kind+"/raw-end")
		}
	}
}
