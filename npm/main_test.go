package npm

import (
	"os"
	"testing"

	"github.com/webmcp-wasm/webmcp/internal/pagetest"
)

func TestMain(m *testing.M) {
	code := m.Run()
	pagetest.Stop()
	removeTemporary()
	os.Exit(code)
}
