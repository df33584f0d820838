package server

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
)

// reporting serves the page and its policy in report mode to who asks for that: with the query
// policy=report. A policy that is in force stays so: another mode is another page.
func reporting(dir string, next http.Handler) http.Handler {
	changes := map[string]struct{ file, contentType, old, changed string }{
		"":            {"index.html", types[".html"], `href="policy.json"`, `href="policy.json?policy=report"`},
		"policy.json": {"policy.json", types[".json"], `"webmcp": 1,`, `"webmcp": 1, "mode": "report",`},
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		change, ok := changes[r.URL.Path]
		if !ok || r.URL.Query().Get("policy") != "report" {
			next.ServeHTTP(w, r)
			return
		}
		text, err := os.ReadFile(filepath.Join(dir, change.file))
		if err != nil {
			errorPage(w, http.StatusInternalServerError, "The file could not be read.")
			return
		}
		w.Header().Set("Content-Type", change.contentType)
		w.Header().Set("Cache-Control", "no-store")
		_, _ = w.Write(bytes.Replace(text, []byte(change.old), []byte(change.changed), 1))
	})
}
