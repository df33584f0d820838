package e2e

import (
	"slices"
	"testing"

	"github.com/webmcp-wasm/webmcp/webmcptest"
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

// BenchmarkGoHooks times a call through the browser of a tool that has one
// before and one after hook in Go, whose values cross as JSON, beside a tool
// that was registered by hand.
func BenchmarkGoHooks(b *testing.B) {
	p := goPage(b, withWebMCP)
	p.Do(`async () => {
		const answer = async ({ productId, quantity }) => quantity + ' of ' + productId + ' are in the cart';
		await document.modelContext.registerTool({ name: 'raw', description: 'By hand.',
			execute: async input => ({ content: [{ type: 'text', text: await answer(input) }] }) });
		goapp.configure('g', '');
		await webmcp(answer, { name: 'hooked', description: 'With Go hooks.', schema: {} }).register();
		const tools = Object.fromEntries((await document.modelContext.getTools()).map(tool => [tool.name, tool]));
		// Each figure is the mean of 20 calls, since the clock of this page ticks every 100 microseconds.
		window.batch = async (name, count) => {
			const times = new Array(count);
			for (let i = 0; i < count; i++) {
				const start = performance.now();
				for (let n = 0; n < 20; n++) await document.modelContext.executeTool(tools[name], { productId: 'keyboard', quantity: 2, note: 'express' });
				times[i] = (performance.now() - start) * 50;
			}
			ran.length = 0;
			return times;
		};
	}`)
	raw, hooked := inTurns(b, p, `(name, count) => batch(name, count)`, 5)
	b.ReportMetric(raw, "raw-us")
	b.ReportMetric(hooked, "hooked-us")
	b.ReportMetric(hooked/raw, "ratio")
}

// interleave runs batches of both tools in turns and returns the medians.
func interleave(b *testing.B, function string, count int) (raw, hooked float64) {
	b.Helper()
	p := newPage(b, withWebMCP)
	p.Open(site.url(b, "/bench/"))
	p.WaitFor(`globalThis.toolsByName?.hooked`)
	return inTurns(b, p, function, count)
}

// inTurns calls function(name, count) in the page for both tools in turns, and
// returns the medians of the times that it returns.
func inTurns(b *testing.B, p *webmcptest.Page, function string, count int) (raw, hooked float64) {
	b.Helper()
	times := map[string][]float64{}
	for _, name := range []string{"raw", "hooked"} {
		webmcptest.Eval[[]float64](p, function, name, 3*count) // warm up
	}
	for b.Loop() {
		for _, name := range []string{"raw", "hooked"} {
			times[name] = append(times[name], webmcptest.Eval[[]float64](p, function, name, count)...)
		}
	}
	b.ReportMetric(0, "ns/op") // the time of a batch says nothing
	return median(times["raw"]), median(times["hooked"])
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}
