package e2e

import (
	"os"
	"testing"

	"github.com/webmcp-wasm/webmcp/webmcptest"
)

func TestMain(m *testing.M) { os.Exit(suite(m)) }

func suite(m *testing.M) int {
	defer site.stop()
	defer libraries.stop()
	defer loading.stop()
	defer builds.stop()
	defer comparing.stop()
	defer starting.stop()
	defer polyfilled.stop()
	defer demo.stop()
	return webmcptest.Run(m)
}
