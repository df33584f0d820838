package e2e

import (
	"slices"
	"testing"

	"github.com/webmcp-wasm/webmcp/webmcptest"
)

// The figures of benchmarks are medians, of tools that are called in turns in one
// page; compare them within a line only, machines are noisy. "make bench" prints
// them, and docs/performance.md says how to read them:
//
//	go test -run '^$' -bench . -benchtime 40x ./e2e
//
// One iteration is one batch of each tool.

// BenchmarkGoCode times calls through the browser in which Go code takes part,
// with inputs and outputs of 50 bytes and of 1 kB: a function of JavaScript
// between a before and an after hook of Go (go_hooks), the same function as a
// handler of Go (go_handler) and as one of Go types (typed_handler), and in
// JavaScript alone (script). The figures are what a call takes beside one of a
// tool that was registered by hand.
func BenchmarkGoCode(b *testing.B) {
	p := goPage(b, withWebMCP)
	p.Do(`async () => {
		const cart = { productId: 'keyboard', quantity: 2, note: 'express' };
		const lines = Array.from({ length: 16 }, (_, i) => ({ sku: 'teapot-' + i, quantity: i + 1, price: i * 1.25, gift: i % 2 === 0 }));
		const inputs = { '50B': cart, '1kB': { ...cart, lines } };
		const add = async ({ productId, quantity, lines }) => ({ text: quantity + ' of ' + productId + ' are in the cart', lines });
		await document.modelContext.registerTool({ name: 'raw', description: 'By hand.',
			execute: async input => ({ content: [{ type: 'text', text: JSON.stringify(await add(input)) }] }) });
		for (const name of ['script', 'go_hooks']) await webmcp(add, { name, description: 'By the library.', schema: {} }).register();
		await goapp.registerForBench();
		const tools = Object.fromEntries((await document.modelContext.getTools()).map(tool => [tool.name, tool]));
		// Each figure is the mean of 20 calls, since the clock of this page ticks every 100 microseconds.
		window.batch = async (name, size, count) => {
			if (name === 'go_hooks') goapp.lookOn();
			const times = new Array(count);
			for (let i = 0; i < count; i++) {
				const start = performance.now();
				for (let n = 0; n < 20; n++) await document.modelContext.executeTool(tools[name], inputs[size]);
				times[i] = (performance.now() - start) * 50;
			}
			goapp.reset();
			return times;
		};
		const said = {};
		for (const size of Object.keys(inputs)) for (const name of Object.keys(tools)) {
			const text = JSON.parse(await document.modelContext.executeTool(tools[name], inputs[size])).content[0].text;
			(said[size] ??= new Set()).add(JSON.stringify(Object.entries(JSON.parse(text)).sort()).length);
		}
		if (Object.values(said).some(lengths => lengths.size !== 1)) throw new Error('the tools do not do the same');
	}`)
	names := []string{"raw", "script", "go_hooks", "go_handler", "typed_handler"}
	for _, size := range []string{"50B", "1kB"} {
		b.Run(size, func(b *testing.B) {
			times := inTurns(b, p.For(b), names, `(name, count) => batch(name, '`+size+`', count)`, 5)
			b.ReportMetric(times["raw"], "raw-us")
			for _, name := range names[1:] {
				b.ReportMetric(times[name]/times["raw"], name+"-ratio")
			}
		})
	}
}

// inTurns calls function(name, count) in the page for the tools in turns, and
// returns the medians of the times that it returns. It reports of how many.
func inTurns(b *testing.B, p *webmcptest.Page, names []string, function string, count int) map[string]float64 {
	b.Helper()
	times := map[string][]float64{}
	for _, name := range names {
		webmcptest.Eval[[]float64](p, function, name, 3*count) // warm up
	}
	for b.Loop() {
		for _, name := range names {
			times[name] = append(times[name], webmcptest.Eval[[]float64](p, function, name, count)...)
		}
	}
	b.ReportMetric(0, "ns/op") // the time of a batch says nothing
	b.ReportMetric(float64(len(times[names[0]])), "samples")
	medians := map[string]float64{}
	for name, all := range times {
		medians[name] = median(all)
	}
	return medians
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}
