package react

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/driver"
	"github.com/webmcp-wasm/webmcp/webmcptest"
)

// lab is the page that offers React, the library and the adapter to tests, in
// the build in which StrictMode works.
func lab(version string) string { return "/react" + version + "/development/lab.html" }

// eachReact runs a test with every version of React.
func eachReact(t *testing.T, test func(t *testing.T, version string)) {
	t.Parallel()
	for _, version := range versions {
		t.Run("React"+version, func(t *testing.T) {
			t.Parallel()
			test(t, version)
		})
	}
}

// eachLab runs a test on a lab of its own for every version of React.
func eachLab(t *testing.T, test func(t *testing.T, p *webmcptest.Page)) {
	eachReact(t, func(t *testing.T, version string) {
		t.Helper()
		p := newPage(t)
		p.Open(site.url(t, lab(version)))
		test(t, p)
	})
}

// observer keeps what the page asks of the browser.
const observer = `
window.registrations = []; // names, one for each call of registerTool
window.executors = {}; // what the browser calls, by name
window.toolchanges = 0;
if (document.modelContext) {
	const { registerTool } = document.modelContext;
	document.modelContext.registerTool = function (tool, ...rest) {
		registrations.push(tool.name);
		executors[tool.name] = tool.execute;
		return registerTool.call(this, tool, ...rest);
	};
	document.modelContext.addEventListener('toolchange', () => { toolchanges++ });
}`

// newPage opens an empty page whose documents have the observer. What React and
// the library write to the console as an error is a problem.
func newPage(tb testing.TB) *webmcptest.Page {
	tb.Helper()
	p := newPageIn(tb, driver.Options{})
	p.OnNewDocument(observer)
	return p
}

// newPageIn opens an empty page of such a browser.
func newPageIn(tb testing.TB, browser driver.Options) *webmcptest.Page {
	tb.Helper()
	built(tb) // before the page, which others may have meanwhile
	return webmcptest.New(tb, webmcptest.Options{Browser: browser, ConsoleErrors: true})
}

// registrations returns the names that the browser was asked to register.
func registrations(p *webmcptest.Page) []string {
	return webmcptest.Eval[[]string](p, `() => registrations`)
}

// awaitDescription waits until the agent can call one tool of that name, with
// that description.
func awaitDescription(tb testing.TB, p *webmcptest.Page, name, description string) {
	tb.Helper()
	ctx, cancel := p.Step()
	defer cancel()
	for {
		var found []string
		for _, tool := range p.Tools() {
			if tool.Name == name {
				found = append(found, tool.Description)
			}
		}
		if len(found) == 1 && found[0] == description {
			return
		}
		require.NoError(tb, ctx.Err(), "waited in vain for %s: %s; the tools of that name are %q", name, description, found)
	}
}

// input is what an agent sends.
type input map[string]any
