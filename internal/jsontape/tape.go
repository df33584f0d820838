// Package jsontape reads JSON text into a flat tape of nodes, without building Go values, and writes Go values as JSON.
//
// It exists for the module that runs in a page: the usual JSON packages cost hundreds of kilobytes there and many
// times the run time. A Tape is a slice of small nodes in document order that point into the text, so parsing
// allocates nothing once the tape has grown, and code that only looks (a schema validator) never pays for maps and
// strings. Go values are built by Tape.Value, for the part of the document that Go code asks for.
//
// What differs from encoding/json: nesting is limited to MaxDepth and what there is in a text to MaxValues, and a number
// that no float64 can hold is a syntax error at once. What is the same: the grammar, a duplicate member (the last one
// wins), and invalid UTF-8 or a lone surrogate (each becomes U+FFFD).
package jsontape

import (
	"slices"
	"strconv"
)

// MaxDepth is how deep arrays and objects may nest, when reading and when writing. [[]] has depth 2.
const MaxDepth = 1000

// MaxValues is how many values and names there may be inside the outermost value of a text: a few bytes of text are a node each, and in a page memory that
// was taken is never given back.
const MaxValues = 500_000

// maxNodes is how many nodes a tape takes at most. Parse wants room for two before each value.
const maxNodes = MaxValues + 2

// maxBytes is how long a text may be: nodes hold their offsets in 32 bits.
const maxBytes = 1<<32 - 1

// Kind is the type of a JSON value.
type Kind uint8

// The six kinds of JSON values.
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

// String returns the JSON Schema name of the kind: "null", "boolean", "number", "string", "array" or "object".
func (k Kind) String() string {
	switch k {
	case Null:
		return "null"
	case Bool:
		return "boolean"
	case Number:
		return "number"
	case String:
		return "string"
	case Array:
		return "array"
	case Object:
		return "object"
	}
	return "Kind(" + strconv.Itoa(int(k)) + ")"
}

// Node names one value on a tape. It is valid until the tape is parsed again.
type Node uint32

// Root is the outermost value of every tape.
const Root Node = 0

// Tape is a parsed JSON text. The zero value is ready for Parse, which may be called again and again and reuses the
// memory. Reading one tape from several goroutines is safe as long as none of them calls Parse.
//
// The accessors take nodes of this tape, of the kind that their comment names; anything else is a programming error
// and gives a meaningless answer or a panic. After a failed Parse the tape holds null.
type Tape struct {
	src   []byte
	nodes []node
	open  []level
	dup   *duplicates
	twice Node // the node after the last object from which duplicates took members, or 0
}

// node is one value. The values of an array follow it; the members of an object follow it as key, value, key, value.
type node struct {
	start uint32 // where its text begins: strings without their quotes, containers with their brackets
	end   uint32 // where its text ends
	size  uint32 // nodes it takes on the tape: 1 and all that it contains
	meta  uint32 // its Kind in the lowest byte, and flags
}

const (
	escaped    = 256 << iota // a string whose text is not its value: it has escapes or invalid UTF-8
	nonASCII                 // a string with bytes over 0x7f
	isTrue                   // the boolean true
	fractional               // a number written with a point or an exponent
	malformed                // never on a tape: what scanString returns for a string that does not end well
)

// Kind returns the kind of n.
func (t *Tape) Kind(n Node) Kind { return Kind(t.nodes[n].meta) }

// Bool returns the value of a boolean.
func (t *Tape) Bool(n Node) bool { return t.nodes[n].meta&isTrue != 0 }

// Entry is what the tape holds of one value, for code that looks at many of them. It is valid for as long as its Node.
type Entry = node

// Entry returns the entry of n.
func (t *Tape) Entry(n Node) *Entry { return &t.nodes[n] }

// Kind returns the kind of the value.
func (e *node) Kind() Kind { return Kind(e.meta) }

// Size returns how many nodes the value and all that it contains take on the tape: Next is the node and its Size.
func (e *node) Size() Node { return Node(e.size) }

// ASCII returns the length of a string, and whether it is that of its text, all of which is ASCII.
func (e *node) ASCII() (size int, ok bool) {
	return int(e.end - e.start), e.meta&(escaped|nonASCII) == 0
}

// Whole reports whether a number is written without a point and an exponent.
func (e *node) Whole() bool { return e.meta&fractional == 0 }

// Len returns how many elements an array or how many members an object has, and 0 for other kinds. It counts them.
//
//go:noinline
func (t *Tape) Len(n Node) int {
	step := Node(0) // from a child to its value
	if t.Kind(n) == Object {
		step = 1
	}
	count := 0
	for c, end := t.Children(n); c < end; c = t.Next(c + step) {
		count++
	}
	return count
}

// Next returns the node after n and all that n contains: its next sibling, or what end is in Children.
func (t *Tape) Next(n Node) Node { return n + Node(t.nodes[n].size) }

// Children returns the first child of an array or object, and the node after its last. Children of an object are
// strings and values in turn, so that the value of the member whose name is k is k+1:
//
//	for e, end := t.Children(array); e < end; e = t.Next(e) {}
//	for k, end := t.Children(object); k < end; k = t.Next(k + 1) {}
func (t *Tape) Children(n Node) (first, end Node) { return n + 1, n + Node(t.nodes[n].size) }

// Member returns the value of the named member of an object, and whether there is one.
func (t *Tape) Member(object Node, name string) (Node, bool) {
	for k, end := t.Children(object); k < end; k = t.Next(k + 1) {
		if t.Equal(k, name) {
			return k + 1, true
		}
	}
	return 0, false
}

// Twice returns the last object of the text that has two members of one name, of which the tape has the later one, and
// whether there is any.
func (t *Tape) Twice() (object Node, found bool) { return t.twice - 1, t.twice > 0 }

// Raw returns the JSON text of n as it stands in the source, with quotes and brackets. It aliases the source.
func (t *Tape) Raw(n Node) []byte {
	nd := &t.nodes[n]
	if Kind(nd.meta) == String {
		return t.src[nd.start-1 : nd.end+1]
	}
	return t.src[nd.start:nd.end]
}

// Text returns the text of a number, or what stands between the quotes of a string, which is the string's value only
// if Plain says so. It aliases the source.
func (t *Tape) Text(n Node) []byte {
	nd := &t.nodes[n]
	return t.src[nd.start:nd.end]
}

// Plain reports whether Text is the value of a string: it has no escapes and is valid UTF-8.
func (t *Tape) Plain(n Node) bool { return t.nodes[n].meta&escaped == 0 }

// Take returns a tape of what was parsed, which no later Parse changes: t is empty, and keeps for its next Parse what
// else that takes.
func (t *Tape) Take() *Tape {
	taken := &Tape{src: t.src, nodes: t.nodes}
	t.src, t.nodes = nil, nil
	return taken
}

// TakeAll is Take, and what the text was read from may change.
func (t *Tape) TakeAll() *Tape {
	taken := t.Take()
	taken.src = slices.Clone(taken.src)
	return taken
}

// Value returns n as a new Go value that shares nothing with the tape: nil, bool, float64, string, []any or
// map[string]any. Empty arrays and objects are empty, not nil.
func (t *Tape) Value(n Node) any { return t.value(n, (*Tape).Str) }

// value is Value with the strings that str returns.
func (t *Tape) value(n Node, str func(*Tape, Node) string) any {
	switch t.Kind(n) {
	case Bool:
		return t.Bool(n)
	case Number:
		return t.Float(n)
	case String:
		return str(t, n)
	case Array:
		list := make([]any, 0, t.Len(n))
		for e, end := t.Children(n); e < end; e = t.Next(e) {
			list = append(list, t.value(e, str))
		}
		return list
	case Object:
		object := make(map[string]any, t.Len(n))
		for k, end := t.Children(n); k < end; k = t.Next(k + 1) {
			object[str(t, k)] = t.value(k+1, str)
		}
		return object
	}
	return nil
}
