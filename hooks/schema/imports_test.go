package schema_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The package is part of a module where each import costs a page a download. regexp is the browser's there.
func TestImportsStaySmall(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("go", "list", "-deps", ".").CombinedOutput()
	require.NoError(t, err, string(out))
	deps := strings.Fields(string(out))
	require.Contains(t, deps, "github.com/webmcp-wasm/webmcp/internal/jsontape")
	for _, banned := range []string{"fmt", "reflect", "encoding/json", "regexp", "time", "net/url", "os", "context", "math/big", "encoding/binary"} {
		require.NotContains(t, deps, banned)
	}
}
