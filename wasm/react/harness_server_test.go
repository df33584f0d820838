package react

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// csp is the policy that the built apps live with.
const csp = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'"

// site serves what was built: /react19/development/lab.html and so on. Below
// /held/ it holds the module back until the test says what becomes of it.
var site server

type server struct {
	once sync.Once
	web  *httptest.Server

	mu   sync.Mutex
	held map[string]chan bool // by name of the test; whether there is a module
}

// url returns the address of a built page.
func (s *server) url(tb testing.TB, path string) string {
	tb.Helper()
	dir := built(tb)
	s.once.Do(func() {
		s.held = map[string]chan bool{}
		s.web = httptest.NewServer(s.handler(dir))
	})
	return s.web.URL + path
}

// hold returns a prefix of paths below which a page gets the module only when
// let was called: let(true) sends it, let(false) has none.
func (s *server) hold(tb testing.TB) (prefix string, let func(ok bool)) {
	tb.Helper()
	s.url(tb, "")
	gate := make(chan bool, 1)
	name := strings.ReplaceAll(tb.Name(), "/", "-")
	s.mu.Lock()
	s.held[name] = gate
	s.mu.Unlock()
	return "/held/" + name, func(ok bool) { gate <- ok }
}

func (s *server) handler(dir string) http.Handler {
	files := http.FileServer(http.Dir(dir))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", csp)
		w.Header().Set("X-Content-Type-Options", "nosniff")
		if rest, ok := strings.CutPrefix(r.URL.Path, "/held/"); ok {
			name, path, _ := strings.Cut(rest, "/")
			if filepath.Ext(path) == ".wasm" && !s.wait(r, name) {
				http.NotFound(w, r)
				return
			}
			r.URL.Path = "/" + path
		}
		files.ServeHTTP(w, r)
	})
}

// wait waits for the test to let the module go.
func (s *server) wait(r *http.Request, name string) (ok bool) {
	s.mu.Lock()
	gate := s.held[name]
	s.mu.Unlock()
	select {
	case ok = <-gate:
	case <-r.Context().Done():
	}
	return ok
}

func (s *server) stop() {
	if s.web != nil {
		s.web.CloseClientConnections()
		s.web.Close()
	}
}
