package pagetest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Install installs npm packages, each "name@version", into a directory of the
// test's own and returns it. Without npm it skips the test, and says so on
// standard error; in CI (CI is set), where npm has to be, it fails.
func Install(t *testing.T, packages ...string) string {
	t.Helper()
	npm, err := exec.LookPath("npm")
	if err != nil {
		require.Empty(t, os.Getenv("CI"), "npm is missing, and in CI no test may be left out")
		fmt.Fprintf(os.Stderr, "SKIPPED for want of npm (install Node.js): %s\n", t.Name())
		t.Skip("npm is missing: install Node.js to run this test")
	}
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"private":true,"type":"module"}`), 0o644))
	args := append([]string{"install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"}, packages...)
	cmd := exec.CommandContext(t.Context(), npm, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "npm install %v\n%s", packages, out)
	return dir
}
