package schema

import (
	"strings"

	"github.com/webmcp-wasm/webmcp/internal/jsontape"
)

// resolveURI resolves a reference without fragment against a base, as RFC 3986, section 5.2 does.
func resolveURI(base, ref string) string {
	prefix, path := splitPath(base)
	switch {
	case ref == "":
		return base
	case hasScheme(ref):
		return ref
	case strings.HasPrefix(ref, "//"):
		scheme, _, _ := strings.Cut(prefix, "//")
		return scheme + ref
	case ref[0] == '/':
		return prefix + removeDots(ref)
	case ref[0] == '?':
		path, _, _ = strings.Cut(path, "?")
		return prefix + path + ref
	}
	path, _, _ = strings.Cut(path, "?")
	path = path[:strings.LastIndexByte(path, '/')+1]
	if path == "" && strings.Contains(prefix, "//") {
		path = "/"
	}
	return prefix + removeDots(path+ref)
}

// splitPath splits a URI before its path.
func splitPath(uri string) (prefix, path string) {
	end := 0
	if hasScheme(uri) {
		end = strings.IndexByte(uri, ':') + 1
	}
	if strings.HasPrefix(uri[end:], "//") {
		if slash := strings.IndexByte(uri[end+2:], '/'); slash >= 0 {
			return uri[:end+2+slash], uri[end+2+slash:]
		}
		return uri, ""
	}
	return uri[:end], uri[end:]
}

func hasScheme(uri string) bool {
	colon := strings.IndexByte(uri, ':')
	return colon > 0 && isScheme(uri[:colon])
}

// isScheme reports whether s is what stands before the colon of a URI.
func isScheme(s string) bool {
	for i := range len(s) {
		if c := s[i]; !isAlnum(c) && c != '+' && c != '-' && c != '.' {
			return false
		}
	}
	return s != "" && !isDigit(s[0]) && isAlnum(s[0])
}

// removeDots resolves the segments . and .. of a path.
func removeDots(path string) string {
	path, query, hasQuery := strings.Cut(path, "?")
	out, segment := "", ""
	for more := true; more; {
		segment, path, more = strings.Cut(path, "/")
		switch segment {
		case ".", "..":
			if segment == ".." && out != "/" {
				parent := strings.TrimSuffix(out, "/")
				out = out[:strings.LastIndexByte(parent, '/')+1]
			}
			continue
		}
		if out += segment; more {
			out += "/"
		}
	}
	if hasQuery {
		return out + "?" + query
	}
	return out
}

// unescapePercent replaces %XX.
func unescapePercent(s string) (string, bool) {
	if strings.IndexByte(s, '%') < 0 {
		return s, true
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			out = append(out, s[i])
			continue
		}
		if i+2 >= len(s) || !isHex(s[i+1]) || !isHex(s[i+2]) {
			return s, false
		}
		out = append(out, unhex(s[i+1])<<4|unhex(s[i+2]))
		i += 2
	}
	return string(out), true
}

func unhex(c byte) byte {
	if isDigit(c) {
		return c - '0'
	}
	return c&^0x20 - 'A' + 10
}

// joinPointer adds a token to a JSON pointer.
func joinPointer(pointer, token string) string {
	return pointer + "/" + jsontape.EscapeToken(token)
}
