// Package npmtest gives tests the packages of npm that they need.
package npmtest

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
func Install(tb testing.TB, packages ...string) string {
	tb.Helper()
	npm, err := exec.LookPath("npm")
	if err != nil {
		require.Empty(tb, os.Getenv("CI"), "npm is missing, and in CI no test may be left out")
		fmt.Fprintf(os.Stderr, "SKIPPED for want of npm (install Node.js): %s\n", tb.Name())
		tb.Skip("npm is missing: install Node.js to run this test")
	}
	dir := tb.TempDir()
	require.NoError(tb, os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"private":true,"type":"module"}`), 0o644))
	args := append([]string{"install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"}, packages...)
	cmd := exec.CommandContext(tb.Context(), npm, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(tb, err, "npm install %v\n%s", packages, out)
	return dir
}
