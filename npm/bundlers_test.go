package npm

import (
	"bufio"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/webmcptest"
)

// app returns a directory of its own with an app of testdata, and with main.js,
// which the apps share. Two tests may take the same one.
func (w workspace) app(t *testing.T, names ...string) string {
	t.Helper()
	dir, err := os.MkdirTemp(w.dir, "app-")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"private": true, "type": "module"}`), 0o644))
	main, err := os.ReadFile(filepath.Join("testdata", "apps", "main.js"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.js"), main, 0o644))
	for _, name := range names {
		require.NoError(t, os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "apps", name))))
	}
	return dir
}

// requireGreeting opens a page in Chromium and calls its tool greet as an agent
// in the page does, through the browser. The page fails the test when it causes
// an error.
func requireGreeting(t *testing.T, handler http.Handler, path string) *webmcptest.Page {
	t.Helper()
	site := httptest.NewServer(handler)
	t.Cleanup(site.Close)
	page := webmcptest.Open(t, site.URL+path)
	page.Tool("greet")
	result := webmcptest.Eval[string](page, `async () => {
		const greet = (await document.modelContext.getTools()).find((tool) => tool.name === 'greet');
		return document.modelContext.executeTool(greet, { name: 'Ada' });
	}`)
	require.JSONEq(t, `{"content": [{"type": "text", "text": "Hello, Ada Lovelace! Ask away."}]}`, result)
	return page
}

// requireReact checks what only the app of Vite has: the React adapter and the
// elements.
func requireReact(t *testing.T, page *webmcptest.Page) {
	t.Helper()
	page.WaitFor(`document.querySelector('output[data-tool=part]')?.textContent.trim() === 'registered'`)
	page.WaitFor(`document.querySelector('webmcp-inspector')?.shadowRoot.querySelectorAll('[data-tool]').length === 2`)
	require.Equal(t, []string{"greet", "part"}, webmcptest.Eval[[]string](page, `async () => (await document.modelContext.getTools()).map(({ name }) => name)`))
}

// requireChunk checks that a bundle has the big part of the glue in a file of its
// own, which no page loads that does not need it.
func requireChunk(t *testing.T, dir string) {
	t.Helper()
	chunks := 0
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".js" {
			return err
		}
		text, err := os.ReadFile(path)
		if strings.Contains(string(text), "webmcp_interface_") {
			chunks++
			require.NotContains(t, string(text), "Greets somebody", "the chunk has the app in it")
		}
		return err
	}))
	require.Equal(t, 1, chunks)
}

func TestViteBuildsThePackage(t *testing.T) {
	t.Parallel()
	w := installed(t)
	dir := w.app(t, "vite")
	w.node(t, dir, "node_modules/typescript/bin/tsc", "--project", dir)
	w.node(t, dir, "node_modules/vite/bin/vite.js", "build")
	requireReact(t, requireGreeting(t, http.FileServer(http.Dir(filepath.Join(dir, "dist"))), "/"))
	requireChunk(t, filepath.Join(dir, "dist"))
}

func TestViteServesThePackage(t *testing.T) {
	t.Parallel()
	w := installed(t)
	requireReact(t, requireGreeting(t, w.vite(t, "vite", w.app(t, "vite")), "/"))
}

// Before 8, Vite moves the package to where the wasm is not.
func TestVite7ServesThePackage(t *testing.T) {
	t.Parallel()
	w := installed(t)
	for name, apps := range map[string][]string{"as it is": {"vite"}, "told to leave it": {"vite", "vite7"}, "under another path": {"vite", "vite7-base"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := "/"
			if name == "under another path" {
				path = "/shop/"
			}
			requireReact(t, requireGreeting(t, w.vite(t, "vite-7", w.app(t, apps...)), path))
		})
	}
}

func TestVite7BuildsThePackage(t *testing.T) {
	t.Parallel()
	w := installed(t)
	dir := w.app(t, "vite")
	w.node(t, dir, "node_modules/vite-7/bin/vite.js", "build")
	requireReact(t, requireGreeting(t, http.FileServer(http.Dir(filepath.Join(dir, "dist"))), "/"))
	requireChunk(t, filepath.Join(dir, "dist"))
}

func TestEsbuildBundlesThePackageAsTheReadmeSays(t *testing.T) {
	t.Parallel()
	w := installed(t)
	dir := w.app(t, "esbuild")
	_, err := run(dir, "node", "build.js")
	require.NoError(t, err)
	require.NoError(t, os.Rename(filepath.Join(dir, "index.html"), filepath.Join(dir, "dist", "index.html")))
	requireGreeting(t, http.FileServer(http.Dir(filepath.Join(dir, "dist"))), "/")
	requireChunk(t, filepath.Join(dir, "dist"))
}

func TestWebpackBundlesThePackage(t *testing.T) {
	t.Parallel()
	w := installed(t)
	dir := w.app(t, "webpack")
	w.node(t, dir, "node_modules/webpack/bin/webpack.js")
	require.NoError(t, os.Rename(filepath.Join(dir, "index.html"), filepath.Join(dir, "dist", "index.html")))
	requireGreeting(t, http.FileServer(http.Dir(filepath.Join(dir, "dist"))), "/")
	requireChunk(t, filepath.Join(dir, "dist"))
}

// Of the hooks that are there to be taken, a bundle has those that it uses.
func TestABundleHasOnlyTheHooksThatItUses(t *testing.T) {
	t.Parallel()
	w := installed(t)
	dir := w.app(t)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "one.js"), []byte("import { timeout } from 'webmcp-wasm/hooks';\nconsole.log(timeout('20s'));\n"), 0o644))
	for name, args := range map[string][]string{
		"esbuild/bin/esbuild":    {"one.js", "--bundle", "--minify", "--outfile=esbuild.js"},
		"webpack/bin/webpack.js": {"--mode=production", "--entry=./one.js", "--output-path=.", "--output-filename=webpack.js"},
	} {
		w.node(t, dir, "node_modules/"+name, args...)
		file, _, _ := strings.Cut(name, "/")
		bundle, err := os.ReadFile(filepath.Join(dir, file+".js"))
		require.NoError(t, err)
		require.Contains(t, string(bundle), "a time-out must be", name)
		require.Less(t, len(bundle), 1000, "%s: %s", name, bundle)
		printed, err := run(dir, "node", file+".js")
		require.NoError(t, err)
		require.Contains(t, printed, "20000", name)
	}
}

// Without a build step the page loads the files of the package as they are.
func TestAPageNeedsNoBundler(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"script", "importmap"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := installed(t)
			requireGreeting(t, http.FileServer(http.Dir(w.dir)), "/"+filepath.Base(w.app(t, name))+"/")
		})
	}
}

// vite starts the development server of a version of Vite for an app, and
// returns a handler that passes on what it answers. It ends with the test.
func (w workspace) vite(t *testing.T, version, dir string) http.Handler {
	t.Helper()
	port := freePort(t)
	cmd := exec.Command("node", filepath.Join(w.dir, "node_modules", version, "bin", "vite.js"), "--host", "127.0.0.1", "--port", strconv.Itoa(port), "--strictPort")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "NO_COLOR=1")
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	cmd.Stderr = cmd.Stdout
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		cmd.Process.Kill() // the browser still has a connection: it would not end by itself
		cmd.Wait()
	})
	var said strings.Builder
	lines := bufio.NewScanner(out)
	for lines.Scan() && !strings.Contains(lines.Text(), "Local:") {
		said.WriteString(lines.Text() + "\n")
	}
	require.Contains(t, lines.Text(), strconv.Itoa(port), "vite does not serve: %s", said.String())
	go func() {
		for lines.Scan() { // it must not wait for a reader
		}
	}()
	return httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: net.JoinHostPort("127.0.0.1", strconv.Itoa(port))})
}

// freePort returns a port that nobody listens on at present.
func freePort(t *testing.T) int {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port
}
