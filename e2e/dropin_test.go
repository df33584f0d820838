package e2e

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// libPage opens a page that holds the library, no tool, and the helpers of
// testdata/site/lib/helpers.js.
func libPage(tb testing.TB, b *browser) *page {
	tb.Helper()
	p := newPage(tb, b)
	p.open(site.url(tb, "/lib/"))
	p.waitFor(`globalThis.webmcp?.version`)
	return p
}

func TestTwoFilesAndThePlainGoSnippetAreEnough(t *testing.T) {
	t.Parallel()
	p := newPage(t, withWebMCP)
	p.open(site.url(t, "/dropin/"))
	p.awaitTools("greet_person")
	require.Equal(t, "Greets a person.", p.tool("greet_person").Description)
	require.Equal(t, "Hello, ADA! (global)", p.ask("greet_person", map[string]string{"name": "Ada"}))
	require.True(t, run[bool](p, `() => sameThing`), "the ready event's detail is globalThis.webmcp")
}

func TestModuleFormIsEnough(t *testing.T) {
	t.Parallel()
	p := newPage(t, withWebMCP)
	p.open(site.url(t, "/module/"))
	p.awaitTools("greet_person")
	require.Equal(t, "Hello, ADA! (global)", p.ask("greet_person", map[string]string{"name": "Ada"}))
}

func TestModuleExportsTheWholeSurface(t *testing.T) {
	t.Parallel()
	p := newPage(t, withWebMCP)
	p.open(site.url(t, "/module/"))
	p.waitFor(`globalThis.everything`)
	surface := []string{
		"ConfigurationError", "NotAllowedError", "NotSupportedError", "RegistrationError", "ValidationError",
		"getGlobalHooks", "getTool", "invokeTool", "isWebMCPSupported", "listTools", "mergeHooks",
		"mergeHooksOrdered", "onToolsChanged", "registry", "resetGlobalHooks", "webmcp",
	}
	exports := run[[]string](p, `() => Object.keys(everything).filter(name => name !== 'default').sort()`)
	require.Subset(t, exports, surface)
	differ := run[[]string](p, `names => names.filter(name => everything[name] === undefined
		|| name !== 'webmcp' && everything[name] !== globalThis.webmcp[name])`, surface)
	require.Empty(t, differ, "the module and globalThis.webmcp carry the same things")
	require.True(t, run[bool](p, `() => everything.webmcp === globalThis.webmcp`))
	on := run[map[string]string](p, `() => Object.fromEntries(['configure', 'global', 'scope', 'version']
		.map(name => [name, typeof webmcp[name]]))`)
	require.Equal(t, map[string]string{"configure": "function", "global": "function", "scope": "function", "version": "string"}, on)
	require.True(t, slices.IsSorted(surface))
}

func TestModuleFromPlainScriptsIsThereOnce(t *testing.T) {
	t.Parallel()
	p := newPage(t, withWebMCP)
	p.open(site.url(t, "/script/"))
	p.awaitTools("from_one", "from_two")
	require.Equal(t, "one", p.ask("from_one", struct{}{}))
	require.Equal(t, "two", p.ask("from_two", struct{}{}))
	require.True(t, run[bool](p, `() => one === two && one === webmcp`))
}

func TestErrorsAndVersionAreAsDocumented(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	require.True(t, run[bool](p, `() => webmcp.isWebMCPSupported()`))
	require.Regexp(t, `^\d+\.\d+\.\d+`, run[string](p, `() => webmcp.version`))
	names := run[[]string](p, `() => ['NotSupportedError', 'NotAllowedError', 'RegistrationError', 'ConfigurationError']
		.map(name => new webmcp[name]('why'))
		.map(error => error instanceof Error ? error.name + ': ' + error.message : 'no Error')`)
	require.Equal(t, []string{"NotSupportedError: why", "NotAllowedError: why", "RegistrationError: why", "ConfigurationError: why"}, names)
	require.True(t, run[bool](p, `() => webmcp.ValidationError.prototype instanceof Error`))
}
