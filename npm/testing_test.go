package npm

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/internal/cases"
)

// The modules of testdata/apps/testing run in each runner and environment that webmcp-wasm/testing is for, each in a process that
// ends by itself.
func TestPagesAreTestedWithoutABrowser(t *testing.T) {
	t.Parallel()
	w := installed(t)
	dir := w.app(t, "testing")
	own := filepath.Base(dir)
	for _, one := range []struct {
		name string
		args []string
	}{
		{"vitest with jsdom", []string{"vitest/vitest.mjs", "run", "--environment=jsdom"}},
		{"vitest with happy-dom", []string{"vitest/vitest.mjs", "run", "--environment=happy-dom"}},
		{"vitest", []string{"vitest/vitest.mjs", "run", "--environment=node", "--exclude=cart.vitest.js"}},
		{"jest with jsdom", []string{"jest/bin/jest.js", "--config=jest.config.json", "--env=jsdom"}},
		{"jest", []string{"jest/bin/jest.js", "--config=jest.config.json", "--env=node"}},
		{"node:test", []string{"--test", "behaviour.node.js", "quiet.node.js", "shop.node.js"}},
	} {
		t.Run(one.name, func(t *testing.T) {
			args := one.args
			if strings.HasSuffix(args[0], "js") {
				args = append([]string{"--experimental-vm-modules", "--no-warnings", filepath.Join(w.dir, "node_modules", filepath.FromSlash(args[0]))}, args[1:]...)
			}
			cmd := exec.CommandContext(t.Context(), "node", args...)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "NO_COLOR=1")
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s in %s\n%s", one.name, own, out)
			require.NotContains(t, string(out), "did not exit", "something keeps the process open")
			require.NotContains(t, string(out), "nhandled")
		})
	}
}

// What passes here passes in Chrome: e2e plays the same table, with the same script, in Chromium.
func TestTheTableOfCasesRunsWithoutABrowser(t *testing.T) {
	t.Parallel()
	w := installed(t)
	dir := w.app(t, "testing")
	drivers := []cases.Driver{cases.Script, cases.Async}
	var played []cases.Case
	var table []string
	for number, c := range cases.All() {
		if _, _, ok := c.For(cases.Script); ok {
			played = append(played, c)
			table = append(table, c.Script(number))
		}
	}
	require.Greater(t, len(played), 100)
	path := filepath.Join(dir, "table.js")
	require.NoError(t, os.WriteFile(path, []byte("["+strings.Join(table, ",\n")+"]"), 0o644))
	script, err := filepath.Abs(filepath.Join("..", "e2e", "testdata", "site", "goapp", "cases.js"))
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), "node", "cases.js", path, script)
	cmd.Dir = dir
	out, err := cmd.Output()
	require.NoError(t, err, "%s", out)
	var got [][]cases.Want
	require.NoError(t, json.Unmarshal(out, &got), "%s", out)
	require.Len(t, got, len(drivers))
	for d, driver := range drivers {
		require.Len(t, got[d], len(played))
		for i, c := range played {
			want, instead, ok := c.For(driver)
			if !ok {
				continue
			}
			if err := cases.Compare(got[d][i], want, instead); err != nil {
				t.Errorf("%s, %s: %v", driver, c.Name, err)
			}
		}
	}
}

// The guide shows the code that the tests run.
func TestTheGuideToTestingShowsWhatIsTested(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile(filepath.Join("..", "docs", "testing.md"))
	require.NoError(t, err)
	for _, name := range []string{"shop.js", "shop.vitest.js", "shop.jest.js", "shop.node.js", "cart.vitest.js", "jest.config.json"} {
		code, err := os.ReadFile(filepath.Join("testdata", "apps", "testing", name))
		require.NoError(t, err)
		require.Contains(t, string(guide), string(code), name)
	}
}
