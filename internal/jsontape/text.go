package jsontape

import (
	"slices"
	"unsafe"
)

// Text is a value as JSON. Whoever wants it as a Go value gets one of its own, which is made only then. It does not
// change, and is safe for concurrent use.
type Text struct {
	raw   []byte
	tape  *Tape // that has the value; nil: there is none
	node  Node
	value any // where there is no tape: the value, or nil, and then it has to be read
}

// Part returns n as a Text, which keeps the tape: it must not be parsed again, and its source never change.
func (t *Tape) Part(n Node) *Text { return &Text{raw: t.Raw(n), tape: t, node: n} }

// TextOf returns the text of what Own returns for v, and the same error. It makes no Go values of what has a
// MarshalJSON method.
func TextOf(v any) (*Text, error) {
	if m, ok := v.(marshaler); ok {
		t, err := parsed(m)
		if err == nil {
			err = t.exact(Root)
		}
		if err != nil {
			return nil, err
		}
		return &Text{raw: t.appendSorted(nil, Root)}, nil
	}
	raw, err := appendCarried(nil, v, 0)
	if err != nil {
		return nil, err
	}
	return &Text{raw: raw}, nil
}

// Raw returns the JSON. It must not be modified.
func (t *Text) Raw() []byte { return t.raw }

// maxShared is how long a text may be whose values share its bytes: a string that somebody keeps keeps all of it.
const maxShared = 1 << 12

// Value returns the value, as Tape.Value does.
func (t *Text) Value() any {
	switch {
	case t.tape != nil && len(t.tape.src) <= maxShared:
		return t.tape.value(t.node, (*Tape).sharedStr)
	case t.tape != nil:
		return t.tape.Value(t.node)
	case t.value != nil:
		return copied(t.value)
	}
	var tape Tape
	if tape.Parse(t.raw) != nil {
		return nil
	}
	return tape.Value(Root)
}

// sharedStr is Str without a copy where none is needed.
func (t *Tape) sharedStr(n Node) string {
	if !t.Plain(n) {
		return t.Str(n)
	}
	text := t.Text(n)
	return unsafe.String(unsafe.SliceData(text), len(text))
}

// With returns the text of what Own returns for v, and the same error. It is t itself, and nothing is written, where
// that is the value of t.
func (t *Text) With(v any) (*Text, error) {
	if t.says(v) {
		return t, nil
	}
	carried, changed, err := carry(v, 0)
	if err != nil {
		return nil, err
	}
	if changed && t.says(carried) {
		return t, nil
	}
	raw, err := Append(nil, carried)
	return &Text{raw: raw, value: copied(carried)}, err
}

// Same reports whether t and other have the same value.
func (t *Text) Same(other *Text) bool {
	if t.value != nil {
		return other.says(t.value)
	}
	return other.says(t.Value())
}

// says reports whether v is the value of t, as Carry would return it.
func (t *Text) says(v any) bool {
	if t.tape == nil {
		var tape Tape
		return tape.Parse(t.raw) == nil && tape.says(Root, v)
	}
	return t.tape.says(t.node, v)
}

// says reports whether v is what Value returns for n. It may miss that where an object has two members of one name.
func (t *Tape) says(n Node, v any) bool {
	kind := t.Kind(n)
	switch v := v.(type) {
	case nil:
		return kind == Null
	case bool:
		return kind == Bool && t.Bool(n) == v
	case float64:
		return kind == Number && t.Float(n) == v
	case string:
		return kind == String && t.Equal(n, v)
	case []any:
		if kind != Array || v == nil {
			return false
		}
		i := 0
		for e, end := t.Children(n); e < end; e = t.Next(e) {
			if i == len(v) || !t.says(e, v[i]) {
				return false
			}
			i++
		}
		return i == len(v)
	case map[string]any:
		if kind != Object || v == nil {
			return false
		}
		members := 0
		for k, end := t.Children(n); k < end; k = t.Next(k + 1) {
			member, ok := v[string(t.Text(k))] // which makes no string
			if !t.Plain(k) {
				member, ok = v[t.Str(k)]
			}
			if !ok || !t.says(k+1, member) {
				return false
			}
			members++
		}
		return members == len(v)
	}
	return false
}

// appendSorted is AppendJSON with members sorted by name, as Append sorts those of a map.
func (t *Tape) appendSorted(dst []byte, n Node) []byte {
	switch t.Kind(n) {
	case Array:
		dst = append(dst, '[')
		for e, end := t.Children(n); e < end; e = t.Next(e) {
			if e > n+1 {
				dst = append(dst, ',')
			}
			dst = t.appendSorted(dst, e)
		}
		return append(dst, ']')
	case Object:
		names := make([]Node, 0, 16)
		for k, end := t.Children(n); k < end; k = t.Next(k + 1) {
			names = append(names, k)
		}
		slices.SortStableFunc(names, t.compare)
		dst = append(dst, '{')
		for i, k := range names {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = t.appendSorted(append(t.AppendJSON(dst, k), ':'), k+1)
		}
		return append(dst, '}')
	}
	return t.AppendJSON(dst, n)
}

// compare compares the values of two strings.
func (t *Tape) compare(a, b Node) int {
	if t.Plain(a) && t.Plain(b) {
		return slices.Compare(t.Text(a), t.Text(b))
	}
	return slices.Compare([]byte(t.Str(a)), []byte(t.Str(b)))
}
