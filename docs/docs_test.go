// Package docs_test runs the code of the guides: every code block in a language
// that runs is an example with a name, and what must come of it is in
// testdata/checks.
package docs_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/internal/dist"
	"github.com/webmcp-wasm/webmcp/internal/npmtest"
	"github.com/webmcp-wasm/webmcp/webmcptest"
)

func TestMain(m *testing.M) { os.Exit(webmcptest.Run(m)) }

// example is a code block of a guide.
type example struct {
	guide, name, language, code string
}

var (
	marked = regexp.MustCompile("(?m)^<!-- example: ([a-z0-9-]+) -->\n```(\\w+)\n((?s:.*?))^```$")
	fenced = regexp.MustCompile("(?m)^```(js|jsx|ts|tsx|go|html)$")
)

// examples returns the examples of a guide, in order.
func examples(tb testing.TB, guide string) (found []example) {
	tb.Helper()
	text, err := os.ReadFile(guide + ".md")
	require.NoError(tb, err)
	for _, match := range marked.FindAllStringSubmatch(string(text), -1) {
		found = append(found, example{guide, match[1], match[2], match[3]})
	}
	return found
}

func guides(tb testing.TB) (names []string) {
	tb.Helper()
	files, err := filepath.Glob("*.md")
	require.NoError(tb, err)
	for _, file := range files {
		names = append(names, strings.TrimSuffix(file, ".md"))
	}
	require.NotEmpty(tb, names)
	return names
}

// packages are what the examples import from npm, and what bundles them.
var packages = []string{
	"esbuild@0.28.2", "posthog-js@1.449.2", "@sentry/browser@11.12.0", "@opentelemetry/api@1.9.1",
	"@opentelemetry/sdk-trace-web@2.12.0", "react@19.3.1", "react-dom@19.3.1",
}

// needsNPM are the examples that run in a bundle with such packages, by guide.
var needsNPM = map[string][]string{
	"analytics":          {"posthog", "sentry", "opentelemetry"},
	"from-simple-webmcp": {"react"},
}

// testedElsewhere is the guide whose code needs a page beside it. Its test is the
// one of examples/agenttest; its other blocks are single lines to put into such a
// test. Tests of package webmcptest see to both.
const testedElsewhere = "testing"

func TestEveryCodeBlockOfTheGuidesIsAnExample(t *testing.T) {
	t.Parallel()
	for _, guide := range guides(t) {
		if guide == testedElsewhere {
			continue
		}
		text, err := os.ReadFile(guide + ".md")
		require.NoError(t, err)
		found := examples(t, guide)
		require.NotEmpty(t, found, "%s has no code that runs", guide)
		require.Len(t, found, len(fenced.FindAllIndex(text, -1)), "a code block of %s has no <!-- example: name --> above it", guide)
		seen := map[string]bool{}
		for _, e := range found {
			require.False(t, seen[e.name], "%s has two examples %s", guide, e.name)
			seen[e.name] = true
		}
	}
}

func TestEveryExampleInJavaScriptRuns(t *testing.T) {
	t.Parallel()
	for _, guide := range guides(t) {
		t.Run(guide, func(t *testing.T) {
			t.Parallel()
			page := open(t, nil)
			var names []string
			for _, e := range examples(t, guide) {
				if e.language == "js" || e.language == "jsx" {
					names = append(names, e.name)
				}
			}
			checked := webmcptest.Eval[[]string](page, `guide => checked(guide)`, guide)
			require.ElementsMatch(t, names, checked, "examples of the guide, and checks of testdata/checks/%s.js", guide)
			for _, name := range names {
				if slices.Contains(needsNPM[guide], name) {
					continue
				}
				t.Run(name, func(t *testing.T) {
					runExample(t, page.For(t), guide, name, "/examples/"+guide+"/"+name+".js")
				})
			}
		})
	}
}

func TestTheExamplesWorkWithTheRealPackages(t *testing.T) {
	t.Parallel()
	scripts := bundles(t)
	for guide, names := range needsNPM {
		for _, name := range names {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				runExample(t, open(t, scripts[name]), guide, name, "/bundle.js")
			})
		}
	}
}

func TestTheGoExamplePasses(t *testing.T) {
	t.Parallel()
	root, err := dist.Root()
	require.NoError(t, err)
	ran := 0
	for _, guide := range guides(t) {
		for _, e := range examples(t, guide) {
			if e.language != "go" {
				continue
			}
			ran++
			dir := t.TempDir()
			file := filepath.Join(dir, "example_test.go")
			require.NoError(t, os.WriteFile(file, []byte(e.code), 0o644))
			// As if it lay in the module, so that its imports are found.
			virtual := filepath.Join(root, "docs", "testdata", e.name+"_test.go")
			overlay, err := json.Marshal(map[string]map[string]string{"Replace": {virtual: file}})
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o644))
			cmd := exec.CommandContext(t.Context(), "go", "test", "-count=1", "-v", "-overlay", filepath.Join(dir, "overlay.json"), "./docs/testdata")
			cmd.Dir = root
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s", out)
			require.Contains(t, string(out), "--- PASS", "%s", out)
			formatted, err := exec.CommandContext(t.Context(), "gofmt", "-l", file).CombinedOutput()
			require.NoError(t, err)
			require.Empty(t, string(formatted), "the example is not formatted")
		}
	}
	require.NotZero(t, ran)
}

// runExample runs an example from an address, and plays the person in front of
// the page meanwhile.
func runExample(t *testing.T, page *webmcptest.Page, guide, name, address string) {
	t.Helper()
	page.Do(`(...args) => {
		globalThis.outcome = globalThis.progress = undefined;
		runExample(...args).then(() => { outcome = 'done'; }, error => { outcome = error.stack ?? String(error); });
	}`, guide, name, address)
	for {
		page.WaitFor(`outcome || wanted`, `progress`)
		if outcome := webmcptest.Eval[string](page, `() => outcome ?? ''`); outcome != "" {
			problems := page.Problems()
			require.Equal(t, "done", outcome)
			require.Empty(t, problems)
			return
		}
		at := webmcptest.Eval[struct{ X, Y float64 }](page, `() => { const at = wanted; wanted = undefined; return at; }`)
		page.ClickAt(at.X, at.Y, 1)
	}
}

// importMap is how a page without a bundler finds what the examples import.
const importMap = `{"imports": {"webmcp-wasm": "/dist/webmcp.js", "webmcp-wasm/elements": "/dist/elements.js", "webmcp-wasm/hooks": "/dist/webmcp_hooks.js", "webmcp-wasm/forms": "/dist/webmcp_forms.js"}}`

const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Examples</title>
<script type="importmap">` + importMap + `</script>
<script type="module" src="/runner.js"></script>
`

// open opens a page that runs examples, under a strict policy: only the import
// map is inline. script is served as /bundle.js.
func open(t *testing.T, script []byte) *webmcptest.Page {
	t.Helper()
	root, err := dist.Root()
	require.NoError(t, err)
	require.NoError(t, buildDist())
	sum := sha256.Sum256([]byte(importMap))
	policy := "default-src 'none'; script-src 'self' 'wasm-unsafe-eval' 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; " +
		"connect-src 'self'; style-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'"

	var mu sync.Mutex
	arrived := []map[string]string{} // what was sent to the server
	mux := http.NewServeMux()
	javaScript := func(w http.ResponseWriter, code []byte) {
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = w.Write(code)
	}
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, html) })
	mux.HandleFunc("GET /runner.js", func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, "testdata/runner.js") })
	mux.HandleFunc("GET /bundle.js", func(w http.ResponseWriter, _ *http.Request) { javaScript(w, script) })
	mux.HandleFunc("GET /checks/{file}", func(w http.ResponseWriter, r *http.Request) {
		file := filepath.Join("testdata", "checks", r.PathValue("file"))
		if _, err := os.Stat(file); err != nil {
			javaScript(w, []byte("export default {};"))
			return
		}
		http.ServeFile(w, r, file)
	})
	mux.Handle("GET /dist/", http.StripPrefix("/dist/", http.FileServer(http.Dir(filepath.Join(root, "dist")))))
	mux.HandleFunc("GET /examples/analytics/report.js", func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, "testdata/report.js") })
	mux.HandleFunc("GET /examples/{guide}/{file}", func(w http.ResponseWriter, r *http.Request) {
		found := examples(t, path.Base(r.PathValue("guide")))
		i := slices.IndexFunc(found, func(e example) bool { return e.name+".js" == r.PathValue("file") })
		if i < 0 {
			http.NotFound(w, r)
			return
		}
		javaScript(w, []byte(found[i].code))
	})
	mux.HandleFunc("GET /favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("GET /quota", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("GET /arrived", func(w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		_ = json.NewEncoder(w).Encode(arrived)
	})
	mux.HandleFunc("POST /", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		arrived = append(arrived, map[string]string{"path": r.URL.Path, "body": string(body)})
		fmt.Fprint(w, "{}")
	})

	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", policy)
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(site.Close)
	page := webmcptest.Open(t, site.URL)
	page.WaitFor(`globalThis.runnerReady`)
	return page
}

// bundles installs the packages and returns the script of each example that
// needs one: the entry testdata/sdk/<name>.js with the example and the packages.
// The module itself stays outside, for the page has it.
func bundles(t *testing.T) map[string][]byte {
	t.Helper()
	root, err := dist.Root()
	require.NoError(t, err)
	dir := npmtest.Install(t, packages...)
	// The adapter as in the package, where its ./webmcp.js is webmcp-wasm.
	adapter, err := os.ReadFile(filepath.Join(root, "wasm", "react", "react.js"))
	require.NoError(t, err)
	adapter = bytes.ReplaceAll(adapter, []byte("'./webmcp.js'"), []byte("'webmcp-wasm'"))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "adapter.js"), adapter, 0o644))

	scripts := map[string][]byte{}
	for guide, names := range needsNPM {
		for _, e := range examples(t, guide) {
			if !slices.Contains(names, e.name) {
				continue
			}
			entry, err := os.ReadFile(filepath.Join("testdata", "sdk", e.name+".js"))
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(filepath.Join(dir, e.name+".js"), entry, 0o644))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "recipe."+e.language), []byte(e.code), 0o644))
			cmd := exec.CommandContext(t.Context(), "node", filepath.Join("node_modules", "esbuild", "bin", "esbuild"), e.name+".js",
				"--bundle", "--format=esm", "--minify", "--jsx=automatic", `--define:process.env.NODE_ENV="production"`,
				"--external:webmcp-wasm", "--alias:webmcp-wasm/react=./adapter.js", "--outfile=out.js", "--log-level=warning")
			cmd.Dir = dir
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "bundle %s\n%s", e.name, out)
			scripts[e.name], err = os.ReadFile(filepath.Join(dir, "out.js"))
			require.NoError(t, err)
		}
	}
	return scripts
}

// buildDist builds the library once per run, if it is not up to date.
var buildDist = sync.OnceValue(func() error {
	root, err := dist.Root()
	if err != nil {
		return err
	}
	cmd := exec.Command("go", "run", "./cmd/dist")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build the library: %w\n%s", err, out)
	}
	return nil
})
