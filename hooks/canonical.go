package hooks

import (
	"maps"
	"slices"
	"unicode/utf16"

	"github.com/webmcp-wasm/webmcp/internal/jsontape"
)

// canonical appends the canonical text of a value (RFC 8785), which is the same for
// equal values, and the same as in a page: see canonical in approving.js of package
// glue. The value is one that jsontape.Own has returned.
func canonical(dst []byte, v any) []byte {
	switch v := v.(type) {
	case []any:
		dst = append(dst, '[')
		for i, item := range v {
			dst = canonical(behindComma(dst, i), item)
		}
		return append(dst, ']')
	case map[string]any:
		dst = append(dst, '{')
		for i, name := range slices.SortedFunc(maps.Keys(v), compareUTF16) {
			dst = canonical(append(jsontape.AppendString(behindComma(dst, i), name), ':'), v[name])
		}
		return append(dst, '}')
	}
	dst, _ = jsontape.Append(dst, v) // which can say all that is no object and no list
	return dst
}

func behindComma(dst []byte, i int) []byte {
	if i > 0 {
		return append(dst, ',')
	}
	return dst
}

// compareUTF16 compares texts as JavaScript does, by code units. In UTF-8, the order of
// those outside of the Basic Multilingual Plane is another.
func compareUTF16(a, b string) int {
	return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
}
