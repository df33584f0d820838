package e2e

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"path"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/internal/dist"
)

// csp is the policy that every page of the fixtures lives with.
const csp = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; style-src 'self'; " +
	"img-src 'self' data:; frame-src http://localhost:*; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// site serves the fixture pages of testdata/site.
var site = &server{handler: serveFixtures}

// server is a web server on the loopback interface, started by the first test
// that needs it. If it takes what is not there, and that test is skipped, so are
// the others.
type server struct {
	handler func(tb testing.TB) http.Handler

	once    sync.Once
	web     *httptest.Server
	skipped bool
}

// url returns the address of a path on the server.
func (s *server) url(tb testing.TB, path string) string {
	tb.Helper()
	s.once.Do(func() {
		defer func() { s.skipped = tb.Skipped() }()
		s.web = httptest.NewServer(s.handler(tb))
	})
	if s.skipped {
		tb.Skip("the server did not start; see the first skipped test")
	}
	if s.web == nil {
		tb.Fatal("the server did not start; see the first failing test")
	}
	return s.web.URL + path
}

func (s *server) stop() {
	if s.web != nil {
		s.web.CloseClientConnections()
		s.web.Close()
	}
}

// library are the files that a user copies beside a page.
var library = []string{"webmcp.wasm", "wasm_exec.js", "webmcp.js", "webmcp_exec.js", "webmcp_approvals.js"}

// buildDist builds the library once per run, if it is not up to date, and
// returns the module's root.
var buildDist = sync.OnceValues(func() (root string, err error) {
	root, err = dist.Root()
	if err == nil {
		err = dist.Build(context.Background(), filepath.Join(root, "dist"))
	}
	return root, err
})

// buildGoApp compiles testdata/goapp, a program that embeds package bridge.
var buildGoApp = sync.OnceValues(func() ([]byte, error) {
	root, err := buildDist()
	if err != nil {
		return nil, err
	}
	return dist.Compile(context.Background(), root, "./e2e/testdata/goapp")
})

// serveFixtures serves each page's own files, and beside every page the
// library.
func serveFixtures(tb testing.TB) http.Handler {
	tb.Helper()
	root, err := buildDist()
	require.NoError(tb, err, "build the library")
	own := http.FileServer(http.Dir("testdata/site"))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", csp)
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "no-store")
		name := path.Base(r.URL.Path)
		switch {
		case slices.Contains(library, name):
			http.ServeFile(w, r, filepath.Join(root, "dist", name))
		case name == "goapp.wasm":
			wasm, err := buildGoApp()
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(wasm))
		case name == "favicon.ico":
			w.WriteHeader(http.StatusNoContent)
		default:
			own.ServeHTTP(w, r)
		}
	})
}
