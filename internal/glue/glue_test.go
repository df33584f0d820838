package glue

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheToolchainsFileComesFirstAndUntouched(t *testing.T) {
	t.Parallel()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	require.NoError(t, err)
	toolchain, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
	require.NoError(t, err)

	ours, err := WasmExec()
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(ours), string(toolchain)))
	require.True(t, strings.HasSuffix(string(ours), "})();\n"))
	require.Contains(t, string(ours), string(glueJS))
}
