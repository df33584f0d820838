package e2e

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/webmcptest"
)

// TestNoInterleavingBreaksARule throws at the library what a page can do at once,
// in an order that a seed decides, and looks whether a rule of testdata/site/fuzz.js
// was broken. The seed stands in the failure: WEBMCP_SEED plays it again.
// WEBMCP_FUZZ says how long to go on, such as 10m; make fuzz does that.
func TestNoInterleavingBreaksARule(t *testing.T) {
	t.Parallel()
	length := time.Duration(0) // one round
	if text := os.Getenv("WEBMCP_FUZZ"); text != "" {
		var err error
		length, err = time.ParseDuration(text)
		require.NoError(t, err)
	}
	seeds := func() uint32 { return rand.Uint32() }
	if text := os.Getenv("WEBMCP_SEED"); text != "" {
		seed, err := strconv.ParseUint(text, 10, 32)
		require.NoError(t, err)
		seeds = func() uint32 { return uint32(seed) }
	}
	for name, open := range map[string]func(testing.TB) *webmcptest.Page{
		"native":   func(tb testing.TB) *webmcptest.Page { return libPage(tb, withWebMCP) },
		"registry": func(tb testing.TB) *webmcptest.Page { return libPage(tb, withoutWebMCP) },
		"Go":       func(tb testing.TB) *webmcptest.Page { return goPage(tb, withWebMCP) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			calls, until := 0, time.Now().Add(length)
			for calls == 0 || time.Now().Before(until) {
				seed := seeds()
				page := open(t).Within(2 * time.Minute)
				page.About("WEBMCP_SEED=%d", seed)
				page.Do(`async seed => { window.fuzzing = (await import('/fuzz.js')).fuzz(seed) }`, seed)
				report := webmcptest.Eval[struct {
					Calls  int
					Broken []string
				}](page, `() => fuzzing`)
				require.Empty(t, report.Broken, "play it again with WEBMCP_SEED=%d", seed)
				require.Greater(t, report.Calls, 300)
				calls += report.Calls
			}
			t.Logf("%d calls", calls)
		})
	}
}
