package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/driver"
	"github.com/webmcp-wasm/webmcp/webmcptest"
)

// The browsers that the library serves: one whose pages have
// document.modelContext, and one as most people have it.
var (
	withWebMCP    = webmcptest.Options{}
	withoutWebMCP = webmcptest.Options{Browser: driver.Options{WithoutWebMCP: true}}
)

// newPage builds the library and opens an empty page.
func newPage(tb testing.TB, browser webmcptest.Options) *webmcptest.Page {
	tb.Helper()
	_, err := buildDist()
	require.NoError(tb, err, "build the library")
	return webmcptest.New(tb, browser)
}

// onlyText returns the text of an answer that has the form which the library
// gives to whatever a function returns or throws: one content, a text.
func onlyText(tb testing.TB, answer *driver.Result) string {
	tb.Helper()
	require.Len(tb, answer.Content, 1, "%.1000s", answer.Output)
	require.Equal(tb, "text", answer.Content[0].Type)
	return answer.Content[0].Text
}
