package e2e

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/webmcptest"
)

// libPage opens a page that holds the library, no tool, and the helpers of
// testdata/site/lib/helpers.js.
func libPage(tb testing.TB, b webmcptest.Options) *webmcptest.Page {
	tb.Helper()
	p := newPage(tb, b)
	p.Open(site.url(tb, "/lib/"))
	p.WaitFor(`globalThis.webmcp?.version`)
	return p
}

func TestTwoFilesAndThePlainGoSnippetAreEnough(t *testing.T) {
	t.Parallel()
	p := newPage(t, withWebMCP)
	p.Open(site.url(t, "/dropin/"))
	p.AwaitTools("greet_person")
	require.Equal(t, "Greets a person.", p.Tool("greet_person").Description)
	require.Equal(t, "Hello, ADA! (global)", p.Ask("greet_person", map[string]string{"name": "Ada"}))
	require.True(t, webmcptest.Eval[bool](p, `() => sameThing`), "the ready event's detail is globalThis.webmcp")
}

func TestModuleFormIsEnough(t *testing.T) {
	t.Parallel()
	p := newPage(t, withWebMCP)
	p.Open(site.url(t, "/module/"))
	p.AwaitTools("greet_person")
	require.Equal(t, "Hello, ADA! (global)", p.Ask("greet_person", map[string]string{"name": "Ada"}))
}

func TestModuleExportsTheWholeSurface(t *testing.T) {
	t.Parallel()
	p := newPage(t, withWebMCP)
	p.Open(site.url(t, "/module/"))
	p.WaitFor(`globalThis.everything`)
	surface := []string{
		"ConfigurationError", "NotAllowedError", "NotSupportedError", "RegistrationError", "ValidationError",
		"getGlobalHooks", "getTool", "invokeTool", "isWebMCPSupported", "listTools", "mergeHooks",
		"mergeHooksOrdered", "onToolsChanged", "registry", "resetGlobalHooks", "webmcp",
	}
	exports := webmcptest.Eval[[]string](p, `() => Object.keys(everything).filter(name => name !== 'default').sort()`)
	require.Subset(t, exports, surface)
	differ := webmcptest.Eval[[]string](p, `names => names.filter(name => everything[name] === undefined
		|| name !== 'webmcp' && everything[name] !== globalThis.webmcp[name])`, surface)
	require.Empty(t, differ, "the module and globalThis.webmcp carry the same things")
	require.True(t, webmcptest.Eval[bool](p, `() => everything.webmcp === globalThis.webmcp`))
	on := webmcptest.Eval[map[string]string](p, `() => Object.fromEntries(['configure', 'global', 'scope', 'version']
		.map(name => [name, typeof webmcp[name]]))`)
	require.Equal(t, map[string]string{"configure": "function", "global": "function", "scope": "function", "version": "string"}, on)
	require.True(t, slices.IsSorted(surface))
}

func TestModuleFromPlainScriptsIsThereOnce(t *testing.T) {
	t.Parallel()
	p := newPage(t, withWebMCP)
	p.Open(site.url(t, "/script/"))
	p.AwaitTools("from_one", "from_two")
	require.Equal(t, "one", p.Ask("from_one", nil))
	require.Equal(t, "two", p.Ask("from_two", nil))
	require.True(t, webmcptest.Eval[bool](p, `() => one === two && one === webmcp`))
}

func TestErrorsAndVersionAreAsDocumented(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	require.True(t, webmcptest.Eval[bool](p, `() => webmcp.isWebMCPSupported()`))
	require.Regexp(t, `^\d+\.\d+\.\d+`, webmcptest.Eval[string](p, `() => webmcp.version`))
	names := webmcptest.Eval[[]string](p, `() => ['NotSupportedError', 'NotAllowedError', 'RegistrationError', 'ConfigurationError']
		.map(name => new webmcp[name]('why'))
		.map(error => error instanceof Error ? error.name + ': ' + error.message : 'no Error')`)
	require.Equal(t, []string{"NotSupportedError: why", "NotAllowedError: why", "RegistrationError: why", "ConfigurationError: why"}, names)
	require.True(t, webmcptest.Eval[bool](p, `() => webmcp.ValidationError.prototype instanceof Error`))
}
