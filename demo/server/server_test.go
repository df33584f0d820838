package server

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/hooks"
)

// newRoot makes a module root with the files given by path, and returns it.
func newRoot(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for _, dir := range []string{"demo/site", "dist"} {
		require.NoError(t, os.MkdirAll(filepath.Join(root, filepath.FromSlash(dir)), 0o755))
	}
	for name, content := range files {
		writeFile(t, root, name, content)
	}
	return root
}

func writeFile(t *testing.T, root, name, content string) {
	t.Helper()
	path := filepath.Join(root, filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
}

func newHandler(t *testing.T, files map[string]string) http.Handler {
	t.Helper()
	handler, err := New(newRoot(t, files))
	require.NoError(t, err)
	return handler
}

// newRequest returns a request for this machine; httptest's own is for example.com.
func newRequest(method, target string) *http.Request {
	request := httptest.NewRequest(method, target, nil)
	request.Host = "localhost:8080"
	return request
}

// ask answers one request, whose headers are given as name, value pairs. The response's body can be read.
func ask(handler http.Handler, method, target string, header ...string) *http.Response {
	request := newRequest(method, target)
	for i := 0; i < len(header); i += 2 {
		request.Header.Add(header[i], header[i+1])
	}
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, request)
	return recorder.Result()
}

func bodyOf(t *testing.T, response *http.Response) string {
	t.Helper()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return string(body)
}

var module = map[string]string{
	"dist/webmcp.wasm":    "the plain module",
	"dist/webmcp.wasm.br": "the brotli module",
	"dist/webmcp.wasm.gz": "the gzip module",
}

func TestRootLeadsToTheDemo(t *testing.T) {
	t.Parallel()
	handler := newHandler(t, map[string]string{"demo/site/index.html": "<h1>shop</h1>"})
	for _, path := range []string{"/", "/demo"} {
		response := ask(handler, "GET", path)
		require.Equal(t, http.StatusFound, response.StatusCode, path)
		require.Equal(t, "/demo/", response.Header.Get("Location"), path)
	}
	response := ask(handler, "GET", "/demo/")
	require.Equal(t, http.StatusOK, response.StatusCode)
	require.Equal(t, "<h1>shop</h1>", bodyOf(t, response))
}

func TestFilesGoOutWithTheirExactType(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"/demo/index.html":  "text/html; charset=utf-8",
		"/demo/style.css":   "text/css; charset=utf-8",
		"/demo/main.js":     "text/javascript; charset=utf-8",
		"/demo/img/a.svg":   "image/svg+xml",
		"/dist/webmcp.wasm": "application/wasm",
		"/dist/webmcp.js":   "text/javascript; charset=utf-8",
	}
	root := newRoot(t, nil)
	for path := range want {
		writeFile(t, root, strings.Replace(path, "/demo/", "/demo/site/", 1), "x")
	}
	handler, err := New(root)
	require.NoError(t, err)
	for path, contentType := range want {
		response := ask(handler, "GET", path)
		require.Equal(t, http.StatusOK, response.StatusCode, path)
		require.Equal(t, contentType, response.Header.Get("Content-Type"), path)
	}
}

func TestThePageAndItsPolicyGoOutInReportModeToWhoAsks(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for _, name := range []string{"index.html", "policy.json"} {
		content, err := os.ReadFile(filepath.Join("..", "site", name))
		require.NoError(t, err)
		files["demo/site/"+name] = string(content)
	}
	handler := newHandler(t, files)
	page := ask(handler, "GET", "/demo/?policy=report")
	require.Equal(t, "text/html; charset=utf-8", page.Header.Get("Content-Type"))
	require.Contains(t, page.Header.Get("Content-Security-Policy"), "default-src 'none'")
	require.Contains(t, bodyOf(t, page), `<link rel="webmcp-policy" href="policy.json?policy=report">`)

	document := ask(handler, "GET", "/demo/policy.json?policy=report")
	require.Equal(t, "application/json", document.Header.Get("Content-Type"))
	text := bodyOf(t, document)
	p, err := hooks.ParsePolicy([]byte(text))
	require.NoError(t, err)
	require.NotNil(t, p)
	var read struct {
		Mode  string
		Rules []struct{ Name, Mode string }
	}
	require.NoError(t, json.Unmarshal([]byte(text), &read))
	require.Equal(t, "report", read.Mode)
	for _, rule := range read.Rules {
		require.NotEqual(t, "enforce", rule.Mode, rule.Name)
	}

	for _, query := range []string{"", "?policy=", "?policy=enforce", "?report", "?policy=REPORT"} {
		require.Equal(t, files["demo/site/index.html"], bodyOf(t, ask(handler, "GET", "/demo/"+query)), query)
		require.Equal(t, files["demo/site/policy.json"], bodyOf(t, ask(handler, "GET", "/demo/policy.json"+query)), query)
	}
	require.Equal(t, http.StatusMethodNotAllowed, ask(handler, "POST", "/demo/?policy=report").StatusCode)
}

func TestModuleGoesOutInTheEncodingTheClientLikesBest(t *testing.T) {
	t.Parallel()
	handler := newHandler(t, module)
	for _, test := range []struct{ accept, encoding, body string }{
		{"", "", "the plain module"},
		{"gzip, deflate, br, zstd", "br", "the brotli module"},
		{"gzip", "gzip", "the gzip module"},
		{"gzip;q=1, br;q=0", "gzip", "the gzip module"},
		{"br;q=0, gzip;q=0", "", "the plain module"},
	} {
		response := ask(handler, "GET", "/dist/webmcp.wasm", "Accept-Encoding", test.accept)
		require.Equal(t, http.StatusOK, response.StatusCode, test.accept)
		require.Equal(t, test.encoding, response.Header.Get("Content-Encoding"), test.accept)
		require.Equal(t, "application/wasm", response.Header.Get("Content-Type"), test.accept)
		require.Equal(t, "Accept-Encoding", response.Header.Get("Vary"), test.accept)
		require.Equal(t, strconv.Itoa(len(test.body)), response.Header.Get("Content-Length"), test.accept)
		require.Equal(t, test.body, bodyOf(t, response), test.accept)
	}
}

func TestFileWithoutCompressedFormsGoesOutAsItIs(t *testing.T) {
	t.Parallel()
	handler := newHandler(t, map[string]string{"demo/site/main.js": "let x;"})
	response := ask(handler, "GET", "/demo/main.js", "Accept-Encoding", "br, gzip")
	require.Empty(t, response.Header.Get("Content-Encoding"))
	require.Equal(t, "Accept-Encoding", response.Header.Get("Vary"))
	require.Equal(t, "let x;", bodyOf(t, response))
}

func TestClientThatHasTheFileGetsNotModified(t *testing.T) {
	t.Parallel()
	handler := newHandler(t, module)
	tags := map[string]string{}
	for _, encoding := range []string{"identity", "br", "gzip"} {
		first := ask(handler, "GET", "/dist/webmcp.wasm", "Accept-Encoding", encoding)
		tag := first.Header.Get("ETag")
		require.NotEmpty(t, tag)
		require.Equal(t, "no-cache", first.Header.Get("Cache-Control"))
		tags[tag] = encoding

		for _, known := range []string{tag, `"other", W/` + tag, "*"} {
			again := ask(handler, "GET", "/dist/webmcp.wasm", "Accept-Encoding", encoding, "If-None-Match", known)
			require.Equal(t, http.StatusNotModified, again.StatusCode, known)
			require.Empty(t, bodyOf(t, again))
			require.Equal(t, tag, again.Header.Get("ETag"))
			require.Equal(t, "Accept-Encoding", again.Header.Get("Vary"))
		}
	}
	require.Len(t, tags, 3, "each encoding has a tag of its own")
}

func TestChangedFileIsSentAgain(t *testing.T) {
	t.Parallel()
	root := newRoot(t, map[string]string{"demo/site/main.js": "old"})
	handler, err := New(root)
	require.NoError(t, err)
	tag := ask(handler, "GET", "/demo/main.js").Header.Get("ETag")

	writeFile(t, root, "demo/site/main.js", "new")

	response := ask(handler, "GET", "/demo/main.js", "If-None-Match", tag)
	require.Equal(t, http.StatusOK, response.StatusCode)
	require.Equal(t, "new", bodyOf(t, response))
	require.NotEqual(t, tag, response.Header.Get("ETag"))
}

func TestRangeIsOfTheFileAsItIsOnly(t *testing.T) {
	t.Parallel()
	handler := newHandler(t, module)
	part := ask(handler, "GET", "/dist/webmcp.wasm", "Range", "bytes=4-8")
	require.Equal(t, http.StatusPartialContent, part.StatusCode)
	require.Equal(t, "plain", bodyOf(t, part))

	whole := ask(handler, "GET", "/dist/webmcp.wasm", "Range", "bytes=4-8", "Accept-Encoding", "br")
	require.Equal(t, http.StatusOK, whole.StatusCode)
	require.Equal(t, "the brotli module", bodyOf(t, whole))
}

func TestHeadAnswersAsGetWithoutTheBody(t *testing.T) {
	t.Parallel()
	handler := newHandler(t, module)
	get := ask(handler, "GET", "/dist/webmcp.wasm", "Accept-Encoding", "br")
	head := ask(handler, "HEAD", "/dist/webmcp.wasm", "Accept-Encoding", "br")
	require.Equal(t, http.StatusOK, head.StatusCode)
	require.Empty(t, bodyOf(t, head))
	require.Equal(t, get.Header, head.Header)
}

func TestOnlyGetAndHeadAreAllowed(t *testing.T) {
	t.Parallel()
	handler := newHandler(t, module)
	for _, method := range []string{"POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "ODD"} {
		for _, path := range []string{"/", "/demo", "/demo/", "/dist/webmcp.wasm", "/nowhere"} {
			response := ask(handler, method, path)
			require.Equal(t, http.StatusMethodNotAllowed, response.StatusCode, method+" "+path)
			require.Equal(t, "GET, HEAD", response.Header.Get("Allow"), method+" "+path)
		}
	}
}

func TestEveryResponseIsSecured(t *testing.T) {
	t.Parallel()
	handler := newHandler(t, map[string]string{"demo/site/index.html": "shop"})
	tag := ask(handler, "GET", "/demo/").Header.Get("ETag")
	for status, response := range map[int]*http.Response{
		http.StatusOK:               ask(handler, "GET", "/demo/"),
		http.StatusNotModified:      ask(handler, "GET", "/demo/", "If-None-Match", tag),
		http.StatusFound:            ask(handler, "GET", "/"),
		http.StatusNotFound:         ask(handler, "GET", "/nowhere"),
		http.StatusMethodNotAllowed: ask(handler, "POST", "/demo/"),
	} {
		require.Equal(t, status, response.StatusCode)
		policy := response.Header.Get("Content-Security-Policy")
		for _, directive := range []string{
			"default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "style-src 'self'", "img-src 'self' data:",
			"connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
			"require-trusted-types-for 'script'", "trusted-types 'none'",
		} {
			require.Contains(t, strings.Split(policy, "; "), directive, status)
		}
		require.Equal(t, "nosniff", response.Header.Get("X-Content-Type-Options"), status)
		require.Equal(t, "no-referrer", response.Header.Get("Referrer-Policy"), status)
		require.Equal(t, "same-origin", response.Header.Get("Cross-Origin-Opener-Policy"), status)
	}
}

func TestWhatIsNotAFileOfTheSiteIsNotFound(t *testing.T) {
	t.Parallel()
	root := newRoot(t, module)
	for _, name := range []string{
		"go.mod.txt", "demo/secret.txt", "demo/site/index.html", "demo/site/img/a.svg", "demo/site/.hidden.txt",
		"demo/site/.git/config.txt", "demo/site/tool.go", "demo/site/noextension",
	} {
		writeFile(t, root, name, "SECRET")
	}
	require.NoError(t, os.Mkdir(filepath.Join(root, "demo/site/folder.txt"), 0o755))
	require.NoError(t, os.Symlink(filepath.Join(root, "go.mod.txt"), filepath.Join(root, "demo/site/absolute.txt")))
	require.NoError(t, os.Symlink("../secret.txt", filepath.Join(root, "demo/site/relative.txt")))
	require.NoError(t, os.Symlink("..", filepath.Join(root, "demo/site/up")))
	handler, err := New(root)
	require.NoError(t, err)
	server := httptest.NewServer(handler)
	defer server.Close()

	for _, path := range []string{
		"/nowhere", "/demo/nowhere.txt", "/demo/index.html/", "/demonic/index.html",
		"/demo/img", "/demo/img/", "/dist/", "/demo/folder.txt", // no listing
		"/demo/../go.mod.txt", "/demo/%2e%2e/secret.txt", "/demo/..%2fsecret.txt", "/demo/img/..%2f..%2f..%2fgo.mod.txt",
		"/demo/..%5csecret.txt", "/demo//" + root + "/go.mod.txt", "/demo/%2f" + root + "/go.mod.txt", "/demo/img/a.svg%00.txt",
		"/demo/absolute.txt", "/demo/relative.txt", "/demo/up/secret.txt", // symbolic links that leave
		"/demo/.hidden.txt", "/demo/.git/config.txt", "/demo/tool.go", "/demo/noextension",
		"/dist/webmcp.wasm.br", "/dist/webmcp.wasm.gz", // only as encodings of the module
	} {
		response, err := server.Client().Get(server.URL + path)
		require.NoError(t, err, path)
		body := bodyOf(t, response)
		response.Body.Close()
		require.Equal(t, http.StatusNotFound, response.StatusCode, path)
		require.NotContains(t, body, "SECRET", path)
		require.Equal(t, "text/html; charset=utf-8", response.Header.Get("Content-Type"), path)
	}
}

func TestErrorPageRepeatsNothingOfTheRequest(t *testing.T) {
	t.Parallel()
	response := ask(newHandler(t, nil), "GET", "/demo/%3Cimg%20src=x%3E.html?q=<script>")
	body := bodyOf(t, response)
	require.Contains(t, body, "404 Not Found")
	require.NotContains(t, body, "img")
	require.NotContains(t, body, "script")
}

func TestMissingDirectoryIsNamedWithWhatToDo(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ missing, hint string }{
		{"demo/site", "complete checkout"},
		{"dist", "make build"},
	} {
		root := newRoot(t, nil)
		dir := filepath.Join(root, filepath.FromSlash(test.missing))
		require.NoError(t, os.Remove(dir))

		_, err := New(root)
		var missing *MissingDirError
		require.ErrorAs(t, err, &missing)
		require.Equal(t, dir, missing.Dir)
		require.ErrorContains(t, err, dir)
		require.ErrorContains(t, err, test.hint)

		require.NoError(t, os.WriteFile(dir, nil, 0o644)) // a file in its place is no directory
		_, err = New(root)
		require.ErrorAs(t, err, &missing)
	}
}

func TestHandlerServesManyAtOnce(t *testing.T) {
	t.Parallel()
	handler := newHandler(t, module)
	var group sync.WaitGroup
	for range 32 {
		group.Go(func() {
			recorder := httptest.NewRecorder()
			request := newRequest("GET", "/dist/webmcp.wasm")
			request.Header.Set("Accept-Encoding", "br")
			handler.ServeHTTP(recorder, request)
			if recorder.Body.String() != "the brotli module" {
				t.Errorf("got %q", recorder.Body)
			}
		})
	}
	group.Wait()
}

func TestOnlyLoopbackHostsAreAnsweredUnlessToldOtherwise(t *testing.T) {
	t.Parallel()
	root := newRoot(t, map[string]string{"demo/site/index.html": "shop"})
	status := func(host string, hosts ...string) int {
		handler, err := New(root, hosts...)
		require.NoError(t, err)
		request := newRequest("GET", "/demo/")
		request.Host = host
		recorder := httptest.NewRecorder()
		handler.ServeHTTP(recorder, request)
		require.NotEmpty(t, recorder.Header().Get("Content-Security-Policy"), host)
		return recorder.Code
	}
	for _, host := range []string{
		"localhost", "localhost:8080", "LOCALHOST:1", "localhost.:1", "demo.localhost:8080", "127.0.0.1:80", "127.3.2.1", "[::1]:8080", "[::1]",
	} {
		require.Equal(t, http.StatusOK, status(host), host)
	}
	for _, host := range []string{
		"", "evil.example", "evil.example:8080", "localhost.evil.example", "notlocalhost", "127.0.0.1.evil.example", "192.168.0.7:8080", "0.0.0.0:8080", "[::]:8080",
	} {
		require.Equal(t, http.StatusMisdirectedRequest, status(host), host)
	}
	for _, host := range []string{"shop.example:8080", "Shop.Example", "192.168.0.7:8080", "localhost"} {
		require.Equal(t, http.StatusOK, status(host, "shop.example", "192.168.0.7"), host)
	}
}

// holding is a client that reads nothing until it may.
type holding struct {
	*httptest.ResponseRecorder
	arrived chan<- struct{}
	release <-chan struct{}
}

func (h holding) Write(p []byte) (int, error) {
	h.arrived <- struct{}{}
	<-h.release
	return 0, io.ErrClosedPipe
}

// Not parallel: it looks at the memory of the whole program.
func TestManySlowReadersCostNoMemory(t *testing.T) {
	const readers, size = 24, 8 << 20
	root := newRoot(t, module)
	require.NoError(t, os.Truncate(filepath.Join(root, "dist", "webmcp.wasm"), size))
	handler, err := New(root)
	require.NoError(t, err)
	inUse := func() uint64 {
		runtime.GC()
		var memory runtime.MemStats
		runtime.ReadMemStats(&memory)
		return memory.HeapAlloc
	}
	before := inUse()

	arrived, release := make(chan struct{}, readers), make(chan struct{})
	var group sync.WaitGroup
	for range readers {
		group.Go(func() {
			handler.ServeHTTP(holding{httptest.NewRecorder(), arrived, release}, newRequest("GET", "/dist/webmcp.wasm"))
		})
	}
	for range readers {
		<-arrived
	}
	during := inUse()
	close(release)
	group.Wait()
	require.Less(t, during, before+size, "%d readers of %d bytes", readers, size)
}
