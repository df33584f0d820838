package npm

import (
	"os"
	"testing"

	"github.com/webmcp-wasm/webmcp/webmcptest"
)

func TestMain(m *testing.M) { os.Exit(suite(m)) }

func suite(m *testing.M) int {
	defer removeTemporary()
	return webmcptest.Run(m)
}
