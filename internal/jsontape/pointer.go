package jsontape

import "strings"

// EscapeToken returns the name of a member as it stands in a JSON Pointer (RFC 6901).
func EscapeToken(name string) string { return replace(replace(name, "~", "~0"), "/", "~1") }

// UnescapeToken returns the name of a member of which a JSON Pointer has that token.
func UnescapeToken(token string) string { return replace(replace(token, "~1", "/"), "~0", "~") }

// replace is strings.ReplaceAll, which is large.
func replace(s, old, to string) string {
	at := strings.Index(s, old)
	if at < 0 {
		return s
	}
	replaced := make([]byte, 0, len(s)+len(to))
	for ; at >= 0; at = strings.Index(s, old) {
		replaced = append(append(replaced, s[:at]...), to...)
		s = s[at+len(old):]
	}
	return string(append(replaced, s...))
}
