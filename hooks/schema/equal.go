package schema

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/webmcp-wasm/webmcp/hooks/jsontape"
)

func itoa(n int) string { return strconv.Itoa(n) }

// constant is a value of const or enum.
type constant struct {
	kind      jsontape.Kind
	is        bool
	text      string  // of a string, unescaped
	number    decimal // of a number
	canonical string  // of an array or object
	raw       string  // as written in the schema, shortened
}

func newConstant(t *jsontape.Tape, n jsontape.Node) constant {
	c := constant{kind: t.Kind(n), raw: shorten(t.Raw(n))}
	switch c.kind {
	case jsontape.Bool:
		c.is = t.Bool(n)
	case jsontape.Number:
		c.number = parseDecimal(t.Text(n))
	case jsontape.String:
		c.text = t.Str(n)
	case jsontape.Array, jsontape.Object:
		c.canonical = string(appendCanonical(nil, t, n))
	}
	return c
}

func (r *run) isOneOf(constants []constant, n jsontape.Node) bool {
	t := r.tape
	kind := t.Kind(n)
	canonical := r.scratch.text[:0]
	for i := range constants {
		c := &constants[i]
		if c.kind != kind {
			continue
		}
		equal := true
		switch kind {
		case jsontape.Bool:
			equal = t.Bool(n) == c.is
		case jsontape.Number:
			equal = c.number.equals(t.Text(n))
		case jsontape.String:
			equal = t.Equal(n, c.text)
		case jsontape.Array, jsontape.Object:
			if len(canonical) == 0 {
				canonical = appendCanonical(canonical, t, n)
				r.scratch.text = canonical
			}
			equal = string(canonical) == c.canonical
		}
		if equal {
			return true
		}
	}
	return false
}

func describeConstants(constants []constant) string {
	words := make([]string, len(constants))
	for i := range constants {
		words[i] = constants[i].raw
	}
	if len(words) == 1 {
		return words[0]
	}
	return "one of " + list(words, ", ")
}

// scratch is memory for comparing values.
type scratch struct {
	text []byte
	ends []int
}

// findEqual returns the indices of two items of an array that are equal, if there are any.
func (r *run) findEqual(n jsontape.Node) (a, b int, found bool) {
	const few = 16
	t := r.tape
	s := &r.scratch
	s.text, s.ends = s.text[:0], s.ends[:0]
	for e, end := t.Children(n); e < end; e = t.Next(e) {
		s.text = appendCanonical(s.text, t, e)
		s.ends = append(s.ends, len(s.text))
	}
	if len(s.ends) > few {
		return s.findEqualOfMany()
	}
	for b := range s.ends {
		for a := range b {
			if bytes.Equal(s.item(a), s.item(b)) {
				return a, b, true
			}
		}
	}
	return 0, 0, false
}

func (s *scratch) item(i int) []byte {
	start := 0
	if i > 0 {
		start = s.ends[i-1]
	}
	return s.text[start:s.ends[i]]
}

func (s *scratch) findEqualOfMany() (a, b int, found bool) {
	seen := make(map[string]int, len(s.ends))
	for b := range s.ends {
		item := string(s.item(b))
		if a, ok := seen[item]; ok {
			return a, b, true
		}
		seen[item] = b
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
		names := make([]jsontape.Node, 0, t.Len(n))
		for k, end := t.Children(n); k < end; k = t.Next(k + 1) {
			names = append(names, k)
		}
		slices.SortFunc(names, func(a, b jsontape.Node) int {
			if t.Plain(a) && t.Plain(b) {
				return bytes.Compare(t.Text(a), t.Text(b))
			}
			return bytes.Compare(t.AppendStr(nil, a), t.AppendStr(nil, b))
		})
		dst = append(dst, '{')
		for _, k := range names {
			dst = append(t.AppendJSON(dst, k), ':')
			dst = append(appendCanonical(dst, t, k+1), ',')
		}
		return append(dst, '}')
	}
	return t.AppendJSON(dst, n)
}
