// Package server serves the demo site: the pages of demo/site under /demo/ and the built module of dist under /dist/.
//
// It serves static files and nothing else: GET and HEAD only, no directory listing, no file outside the two
// directories, and only files whose kind it knows. Every response carries the strict security headers of [headers].
package server

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Home is the path of the demo page.
const Home = "/demo/"

// headers go out with every response, errors and redirects included. Nothing inline is allowed, and with
// "trusted-types 'none'" no script of the page can turn text into markup or code.
var headers = map[string]string{
	"Content-Security-Policy": "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; " +
		"img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
		"require-trusted-types-for 'script'; trusted-types 'none'",
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Referrer-Policy":              "no-referrer",
	"X-Content-Type-Options":       "nosniff",
}

// types are the kinds of files that are served, by extension. Go's mime package asks the machine it runs on, and
// a wrong answer for .wasm makes browsers refuse to stream it, so nothing is left to chance here.
var types = map[string]string{
	".css":  "text/css; charset=utf-8",
	".html": "text/html; charset=utf-8",
	".ico":  "image/x-icon",
	".js":   "text/javascript; charset=utf-8",
	".json": "application/json",
	".map":  "application/json",
	".png":  "image/png",
	".svg":  "image/svg+xml",
	".txt":  "text/plain; charset=utf-8",
	".wasm": "application/wasm",
}

// MissingDirError says that a directory the demo is served from is not there.
type MissingDirError struct {
	Dir  string // the directory that was looked for
	Hint string // what the user can do about it, a sentence without its full stop
}

func (e *MissingDirError) Error() string {
	return fmt.Sprintf("directory %s is missing: %s", e.Dir, e.Hint)
}

// CheckSite reports whether the demo's pages are below the module root. It returns a [*MissingDirError] when they
// are not. It can be called before anything is built.
func CheckSite(root string) error {
	return checkDir(filepath.Join(root, "demo", "site"), "run the demo from a complete checkout of the repository")
}

// New returns the handler of the demo, which serves root/demo/site and root/dist, where root is the module root.
// It returns a [*MissingDirError] when one of the two is not there. Files are read anew at each request, so an edit
// or a rebuild shows at the next reload. The handler may be used concurrently, as any other.
func New(root string) (http.Handler, error) {
	dist := filepath.Join(root, "dist")
	if err := CheckSite(root); err != nil {
		return nil, err
	}
	if err := checkDir(dist, `run "make build" first`); err != nil {
		return nil, err
	}

	mux := http.NewServeMux()
	mux.Handle("/demo/", http.StripPrefix("/demo/", files(filepath.Join(root, "demo", "site"))))
	mux.Handle("/dist/", http.StripPrefix("/dist/", files(dist)))
	mux.HandleFunc("/{$}", toHome)
	mux.HandleFunc("/demo", toHome)
	mux.HandleFunc("/", notFound)
	return secured(mux), nil
}

func checkDir(dir, hint string) error {
	info, err := os.Stat(dir)
	if err == nil && info.IsDir() {
		return nil
	}
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return &MissingDirError{Dir: dir, Hint: hint}
	}
	return err
}

// secured adds the security headers and lets only GET and HEAD through.
func secured(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, value := range headers {
			w.Header().Set(name, value)
		}
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			errorPage(w, http.StatusMethodNotAllowed, "This server only hands out files: use GET or HEAD.")
			return
		}
		next.ServeHTTP(w, r)
	})
}

func toHome(w http.ResponseWriter, r *http.Request) {
	// 302, not 301: browsers keep a 301 for good, and another project may use the same port tomorrow.
	http.Redirect(w, r, Home, http.StatusFound)
}

func notFound(w http.ResponseWriter, _ *http.Request) {
	errorPage(w, http.StatusNotFound, "There is nothing at this address.")
}

// errorPage writes a plain page. Its texts are ours, never the request's.
func errorPage(w http.ResponseWriter, code int, text string) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(code)
	title := fmt.Sprintf("%d %s", code, http.StatusText(code))
	fmt.Fprintf(w, "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>%s</title>\n"+
		"<h1>%s</h1>\n<p>%s</p>\n<p><a href=\"%s\">To the demo</a></p>\n", title, title, text, Home)
}

// files serves the files below dir by the path that is left in the request.
func files(dir string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := r.URL.Path
		if name == "" || strings.HasSuffix(name, "/") {
			name += "index.html" // of the site's root; elsewhere there is none, hence no listing either
		}
		contentType, known := types[path.Ext(name)]
		if !known || hidden(name) {
			notFound(w, r)
			return
		}
		found, err := choose(dir, name, r.Header.Values("Accept-Encoding"))
		switch {
		case errors.Is(err, errNoFile):
			notFound(w, r)
			return
		case err != nil:
			errorPage(w, http.StatusInternalServerError, "The file could not be read.")
			return
		}
		serve(w, r, found, contentType)
	})
}

// hidden reports whether a path has an element that starts with a dot, or a character that no file of ours has in
// its name and that some operating systems take for a separator.
func hidden(name string) bool {
	if strings.ContainsAny(name, "\\:\x00") {
		return true
	}
	for element := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(element, ".") {
			return true
		}
	}
	return false
}

// representation is one file, in the encoding it goes out in.
type representation struct {
	body     []byte
	encoding string // "br", "gzip", or "" for the file as it is
}

var errNoFile = errors.New("no such file")

// encodings are those a file may lie precompressed in beside itself, best first.
var encodings = []struct{ name, suffix string }{{"br", ".br"}, {"gzip", ".gz"}}

// choose reads the representation of a file that the client likes best.
func choose(dir, name string, acceptEncoding []string) (representation, error) {
	plain, err := read(dir, name)
	if err != nil {
		return representation{}, err
	}
	available := make([]string, 0, len(encodings))
	bodies := make(map[string][]byte, len(encodings))
	for _, encoding := range encodings {
		if body, err := read(dir, name+encoding.suffix); err == nil {
			available = append(available, encoding.name)
			bodies[encoding.name] = body
		}
	}
	if encoding := negotiate(acceptEncoding, available); encoding != "" {
		return representation{body: bodies[encoding], encoding: encoding}, nil
	}
	return representation{body: plain}, nil
}

// read returns the bytes of a regular file below dir. A path that leaves dir, by dots or by a symbolic link, is no
// file.
func read(dir, name string) ([]byte, error) {
	file, err := os.OpenInRoot(dir, filepath.FromSlash(name))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNoFile, err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errNoFile
	}
	return io.ReadAll(file)
}

func serve(w http.ResponseWriter, r *http.Request, found representation, contentType string) {
	sum := sha256.Sum256(found.body)
	header := w.Header()
	header.Set("Content-Type", contentType)
	header.Set("Vary", "Accept-Encoding")
	// Keep it, but ask each time: a rebuilt module must never meet last week's loader.
	header.Set("Cache-Control", "no-cache")
	// Of the bytes that go out, so that each encoding has a tag of its own.
	header.Set("ETag", `"`+hex.EncodeToString(sum[:12])+`"`)

	if found.encoding != "" {
		header.Set("Content-Encoding", found.encoding)
		// ServeContent leaves the length of encoded content to us, and a range of it is of no use to anyone.
		header.Set("Content-Length", strconv.Itoa(len(found.body)))
		r = r.Clone(r.Context())
		r.Header.Del("Range")
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(found.body))
}
