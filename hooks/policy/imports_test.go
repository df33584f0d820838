package policy_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A module in a page applies policies too, and each import costs the page a download.
func TestImportsStaySmall(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("go", "list", "-deps", ".").CombinedOutput()
	require.NoError(t, err, string(out))
	deps := strings.Fields(string(out))
	require.Contains(t, deps, "github.com/webmcp-wasm/webmcp/hooks/schema")
	for _, banned := range []string{"fmt", "reflect", "encoding/json", "regexp", "time", "net/url", "os", "context", "math/big", "encoding/binary", "crypto"} {
		require.NotContains(t, deps, banned)
	}
}
