package react

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/webmcptest"
)

// nodeOutput returns what a script prints.
func nodeOutput(tb testing.TB, dir, script string) string {
	tb.Helper()
	cmd := exec.Command("node", script)
	cmd.Dir = dir
	var errors bytes.Buffer
	cmd.Stderr = &errors
	out, err := cmd.Output()
	require.NoError(tb, err, "node %s: %s", script, errors.String())
	return string(out)
}

var address = regexp.MustCompile(`http://127\.0\.0\.1:\d+/`)

// develop starts Vite's development server on a copy of the app, and returns
// the copy and the server's address.
func develop(t *testing.T, version string) (dir, url string) {
	built(t)
	dir = filepath.Join(appOf(version), "hot")
	require.NoError(t, os.CopyFS(dir, os.DirFS("testdata/app")))
	cmd := exec.CommandContext(t.Context(), "node", vite(), "--host", "127.0.0.1", "--port", "0", "--clearScreen", "false")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "NO_COLOR=1")
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	cmd.Stderr = cmd.Stdout
	require.NoError(t, cmd.Start())
	found := make(chan string, 1)
	var said bytes.Buffer
	var reading sync.WaitGroup
	reading.Go(func() {
		for lines := bufio.NewScanner(out); lines.Scan(); {
			said.Write(append(lines.Bytes(), '\n'))
			if url := address.FindString(lines.Text()); url != "" {
				select {
				case found <- url:
				default:
				}
			}
		}
		close(found)
	})
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		reading.Wait()
		_ = cmd.Wait()
		if t.Failed() {
			t.Logf("Vite said: %s", said.String())
		}
	})
	url, ok := <-found
	require.True(t, ok, "Vite ended before it served")
	return dir, url
}

func TestHotReloadingReplacesToolsAndKeepsThePage(t *testing.T) {
	eachReact(t, func(t *testing.T, version string) {
		dir, url := develop(t, version)
		shop := filepath.Join(dir, "src", "hot-shop.jsx")
		first, err := os.ReadFile(shop)
		require.NoError(t, err)
		p := newPage(t)
		p.Open(url + "hot.html")
		p.AwaitTools("add_to_cart", "search_products")
		require.Equal(t, "added 7, first edition", p.Ask("add_to_cart", input{"id": 7}))
		opened := webmcptest.Eval[string](p, `() => document.querySelector('output').dataset.opened`)
		p.Do(`() => { window.kept = webmcp }`)

		for _, edition := range []string{"second", "third"} {
			require.NoError(t, os.WriteFile(shop, bytes.ReplaceAll(first, []byte("first"), []byte(edition)), 0o644))
			awaitDescription(t, p, "search_products", "Search, "+edition+" edition")
			p.WaitFor(`document.querySelector('output').textContent === '` + edition + ` edition'`)
			p.AwaitTools("add_to_cart", "search_products")
			require.Equal(t, "added 7, "+edition+" edition", p.Ask("add_to_cart", input{"id": 7}))
			require.Equal(t, opened, webmcptest.Eval[string](p, `() => document.querySelector('output').dataset.opened`), "React lost its state")
		}
		require.True(t, webmcptest.Eval[bool](p, `() => kept === webmcp && kept === globalThis.webmcp`))
	})
}
