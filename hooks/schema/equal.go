package schema

import (
	"slices"
	"strconv"
	"strings"

	"github.com/webmcp-wasm/webmcp/internal/jsontape"
)

//go:noinline
func itoa(n int) string { return strconv.Itoa(n) }

// constant is a value of const or enum.
type constant struct {
	text      string // compact
	canonical string
}

func newConstant(t *jsontape.Tape, n jsontape.Node) constant {
	return constant{string(t.AppendJSON(nil, n)), string(appendCanonical(nil, t, n))}
}

func (r *run) isOneOf(constants []constant, n jsontape.Node) bool {
	t := r.tape
	raw := t.Raw(n)
	for i := range constants {
		if string(raw) == constants[i].text {
			return true
		}
	}
	// What is spelled otherwise may still be equal, but for the kinds that have one spelling only.
	switch t.Kind(n) {
	case jsontape.Null, jsontape.Bool:
		return false
	case jsontape.String:
		if t.Plain(n) {
			return false
		}
	}
	canonical := appendCanonical(nil, t, n)
	for i := range constants {
		if string(canonical) == constants[i].canonical {
			return true
		}
	}
	return false
}

func describeConstants(constants []constant) string {
	words := make([]string, len(constants))
	for i := range constants {
		words[i] = shorten([]byte(constants[i].text))
	}
	if len(words) == 1 {
		return words[0]
	}
	return "one of " + list(words, ", ")
}

// findEqual returns the indices of two items of an array that are equal, if there are any.
func findEqual(t *jsontape.Tape, array jsontape.Node) (a, b int, found bool) {
	if t.Len(array) < 2 {
		return 0, 0, false
	}
	seen := make(map[string]int, t.Len(array))
	var item []byte
	for e, end := t.Children(array); e < end; e = t.Next(e) {
		item = appendCanonical(item[:0], t, e)
		if a, found = seen[string(item)]; found {
			return a, b, true
		}
		seen[string(item)] = b
		b++
	}
	return 0, 0, false
}

// appendCanonical appends a text that is the same for equal values only: members sorted, numbers and strings in one
// spelling.
func appendCanonical(dst []byte, t *jsontape.Tape, n jsontape.Node) []byte {
	switch t.Kind(n) {
	case jsontape.Number:
		return parseDecimal(t.Text(n)).appendTo(dst)
	case jsontape.Array:
		dst = append(dst, '[')
		for e, end := t.Children(n); e < end; e = t.Next(e) {
			dst = append(appendCanonical(dst, t, e), ',')
		}
		return append(dst, ']')
	case jsontape.Object:
		// Sorted are the names, each with the number of its node: copying the values as well would cost the square of
		// the depth.
		names := make([]string, 0, t.Len(n))
		for k, end := t.Children(n); k < end; k = t.Next(k + 1) {
			names = append(names, string(t.AppendJSON(nil, k))+":"+itoa(int(k)))
		}
		slices.Sort(names)
		dst = append(dst, '{')
		for _, name := range names {
			colon := strings.LastIndexByte(name, ':')
			k := jsontape.Node(0)
			for _, digit := range name[colon+1:] {
				k = k*10 + jsontape.Node(digit-'0')
			}
			dst = append(dst, name[:colon+1]...)
			dst = append(appendCanonical(dst, t, k+1), ',')
		}
		return append(dst, '}')
	}
	return t.AppendJSON(dst, n)
}
