package schema

import (
	"math"

	"github.com/webmcp-wasm/webmcp/internal/jsontape"
)

// subschema is one compiled schema object. The rules that only concern values of one type are behind a pointer that is
// nil where there are none.
type subschema struct {
	at       jsontape.Node // where it is on the tape of the schema
	pointer  string        // the same as a JSON pointer
	never    bool          // the schema false
	types    typeSet       // 0 allows all
	ruled    typeSet       // those that there are rules for
	constant []constant    // const and enum
	isEnum   bool          // whether constant may hold none, and then nothing is valid
	number   *numberRules
	text     *textRules
	array    *arrayRules
	object   *objectRules

	ref                 *subschema
	allOf, anyOf, oneOf []*subschema
	not, when           *subschema // when is the keyword if
	then, otherwise     *subschema
	unevaluated         [2]*subschema // for items, for properties
	says                string        // errorMessage
	branches            bool          // whether there is any of those from allOf on, unevaluated excepted

	// What is worked out once all is compiled, so that most values need no more than a look.
	plain bool    // whether there is nothing but types and the rules for each type
	free  typeSet // the types of which all values are valid
	// A string is valid by its length alone from shortest to before tooLong, which is 0 where more matters.
	shortest, tooLong int

	fallback []byte // the text of default, or nil
	met      uint8  // as what warnOfDefaults has met it
	fills    bool   // whether a default can be filled in here or further down
}

const (
	unevaluatedItems = iota
	unevaluatedProperties
)

// prepare works out plain and what follows from it.
func (s *subschema) prepare() {
	s.plain = !s.never && !s.isEnum && s.says == "" && !s.branches && s.ref == nil && s.unevaluated == [2]*subschema{}
	if !s.plain {
		return
	}
	types := s.types
	if types == 0 {
		types = 1<<(jsontape.Object+1) - 1
	}
	s.free = types &^ s.ruled
	if types&s.ruled&(1<<jsontape.String) != 0 && s.text.pattern.match == nil && s.text.format == nil {
		if s.shortest, s.tooLong = s.text.size.min, s.text.size.max+1; s.tooLong <= 0 {
			s.tooLong = math.MaxInt
		}
	}
}

type numberRules struct {
	bounds   []bound
	multiple *divisor
	whole    bool // as the formats int32 and int64 are
}

type textRules struct {
	size    size
	pattern pattern // whose match is nil where there is none
	format  func(s string) bool
	name    string // of the format
}

type arrayRules struct {
	size     size
	prefix   []*subschema
	items    *subschema // for the rest
	contains *subschema
	wanted   size // how many items must match contains
	unique   bool
}

type objectRules struct {
	size       size
	properties []property
	index      map[string]int // of properties, where they are many
	patterns   []patternRule
	additional *subschema
	names      *subschema
	required   int // how many properties are
	needs      []dependency
	simple     bool // whether a property of the list needs nothing but to be valid: no patterns, no names
}

// property is a property that the schema names, in properties or in required.
type property struct {
	name     string
	key      jsontape.Name
	schema   *subschema // nil if only required names it
	required int        // 1 if it is, otherwise 0
}

type pattern struct {
	source string
	match  func(s string) (bool, error)
}

type patternRule struct {
	pattern pattern
	schema  *subschema
}

// dependency is what must hold of an object that has a property.
type dependency struct {
	name   string
	needs  []string
	schema *subschema
}

// size limits a number of characters, items or properties. A negative max is no limit.
type size struct{ min, max int }

// typeSet has bit 1<<kind for each type that is allowed, and integers.
type typeSet uint8

const integers typeSet = 1 << (jsontape.Object + 1)

// manyProperties is from when on a map finds a property faster than looking through a list.
const manyProperties = 8

// find returns the index of the property that the string k of t names, or -1. It looks at the one at next first.
func (o *objectRules) find(t *jsontape.Tape, k jsontape.Node, next int) int {
	if next < len(o.properties) && t.Equal(k, o.properties[next].name) {
		return next
	}
	if !t.Plain(k) {
		return o.findName(t.Str(k))
	}
	name := t.Text(k)
	if o.index != nil {
		if i, ok := o.index[string(name)]; ok {
			return i
		}
		return -1
	}
	for i := range o.properties {
		if string(name) == o.properties[i].name {
			return i
		}
	}
	return -1
}

func (o *objectRules) findName(name string) int {
	for i := range o.properties {
		if o.properties[i].name == name {
			return i
		}
	}
	return -1
}
