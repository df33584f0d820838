// Package server serves the demo site: the pages of demo/site under /demo/ and the built module of dist under /dist/.
//
// It serves static files and nothing else: GET and HEAD only, no directory listing, no file outside the two
// directories, and only files whose kind it knows. Every response carries the strict security headers of [headers].
package server

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
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
// or a rebuild shows at the next reload, and sent as they are read, so that many slow readers need no memory. The
// handler may be used concurrently, as any other.
//
// It answers to the names of the machine itself (localhost, loopback addresses) and to those in hosts, names or
// addresses without a port. Any other page of the browser whose name was made to point here gets nothing.
func New(root string, hosts ...string) (http.Handler, error) {
	dist := filepath.Join(root, "dist")
	if err := CheckSite(root); err != nil {
		return nil, err
	}
	if err := checkDir(dist, `run "make build" first`); err != nil {
		return nil, err
	}

	mux := http.NewServeMux()
	site := filepath.Join(root, "demo", "site")
	mux.Handle("/demo/", http.StripPrefix("/demo/", reporting(site, files(site))))
	mux.Handle("/dist/", http.StripPrefix("/dist/", files(dist)))
	mux.HandleFunc("/{$}", toHome)
	mux.HandleFunc("/demo", toHome)
	mux.HandleFunc("/", notFound)
	return secured(only(hosts, mux)), nil
}

// only lets requests through that ask for this machine, or for one of hosts.
func only(hosts []string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := hostOf(r.Host)
		if !Loopback(host) && !slices.ContainsFunc(hosts, func(known string) bool { return strings.EqualFold(hostOf(known), host) }) {
			errorPage(w, http.StatusMisdirectedRequest, "This server answers to localhost only. Start it with -host and the name that you use.")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// hostOf returns a host without its port, the brackets of an IPv6 address and the dot at the end of a full name.
func hostOf(hostport string) string {
	host := hostport
	if h, _, err := net.SplitHostPort(hostport); err == nil {
		host = h
	}
	return strings.TrimSuffix(strings.Trim(host, "[]"), ".")
}

// Loopback reports whether a host, a name or an address without a port, is always this machine.
func Loopback(host string) bool {
	if ip := net.ParseIP(host); ip != nil {
		return ip.IsLoopback()
	}
	host = strings.ToLower(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") // RFC 6761, section 6.3
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
		if errors.Is(err, errNoFile) {
			notFound(w, r)
			return
		}
		if err == nil {
			defer found.file.Close()
			err = serve(w, r, found, contentType)
		}
		if err != nil {
			errorPage(w, http.StatusInternalServerError, "The file could not be read.")
		}
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
	file     *os.File
	size     int64
	encoding string // "br", "gzip", or "" for the file as it is
}

var errNoFile = errors.New("no such file")

// suffixes are of the encodings that a file may lie precompressed in beside itself; preferred lists them, best first.
var (
	suffixes  = map[string]string{"br": ".br", "gzip": ".gz"}
	preferred = []string{"br", "gzip"}
)

// choose opens the representation of a file that the client likes best.
func choose(dir, name string, acceptEncoding []string) (representation, error) {
	found, err := open(dir, name)
	if err != nil {
		return representation{}, err
	}
	opened := map[string]representation{"": found}
	var available []string
	for _, encoding := range preferred {
		if r, err := open(dir, name+suffixes[encoding]); err == nil {
			r.encoding = encoding
			opened[encoding] = r
			available = append(available, encoding)
		}
	}
	best := negotiate(acceptEncoding, available)
	for encoding, r := range opened {
		if encoding != best {
			r.file.Close()
		}
	}
	return opened[best], nil
}

// open opens a regular file below dir. A path that leaves dir, by dots or by a symbolic link, is no file.
func open(dir, name string) (representation, error) {
	file, err := os.OpenInRoot(dir, filepath.FromSlash(name))
	if err != nil {
		return representation{}, fmt.Errorf("%w: %w", errNoFile, err)
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errNoFile
	}
	if err != nil {
		file.Close()
		return representation{}, err
	}
	return representation{file: file, size: info.Size()}, nil
}

// serve sends a file piece by piece. It returns an error when nothing has been sent.
func serve(w http.ResponseWriter, r *http.Request, found representation, contentType string) error {
	tag, err := tagOf(found.file)
	if err != nil {
		return err
	}
	header := w.Header()
	header.Set("Content-Type", contentType)
	header.Set("Vary", "Accept-Encoding")
	// Keep it, but ask each time: a rebuilt module must never meet last week's loader.
	header.Set("Cache-Control", "no-cache")
	header.Set("ETag", tag)

	if found.encoding != "" {
		header.Set("Content-Encoding", found.encoding)
		// ServeContent leaves the length of encoded content to us, and a range of it is of no use to anyone.
		header.Set("Content-Length", strconv.FormatInt(found.size, 10))
		r = r.Clone(r.Context())
		r.Header.Del("Range")
	}
	http.ServeContent(w, r, "", time.Time{}, found.file)
	return nil
}

// tagOf returns the ETag of a file: of the bytes that go out, so that each encoding has a tag of its own.
func tagOf(file io.ReadSeeker) (string, error) {
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return "", err
	}
	_, err := file.Seek(0, io.SeekStart)
	return `"` + hex.EncodeToString(sum.Sum(nil)[:12]) + `"`, err
}
