package schema

import "github.com/webmcp-wasm/webmcp/internal/jsontape"

// A JSON Schema is valid for what it says nothing about: {"properties": {"role": {"const": "admin"}}} for an object
// without a role, and {"minimum": 5} for a text. Of a condition that means that nobody knows. So a condition is read in
// one of two ways: loosely it holds unless it certainly does not, strictly it holds only if it certainly does.
//
// Read strictly, what properties names must be there, items that are named one by one too, and a keyword for values of
// one type wants that type, unless there is a type beside it. Below not, the reading is the other one.

// reading is how a schema is read.
type reading uint8

const (
	plainly reading = iota // as JSON Schema says
	loosely
	strictly
)

// otherwise is the reading below not.
var otherwise = [...]reading{plainly, strictly, loosely}

// Holds reports whether a condition, which is a schema compiled with Options.Condition, holds of the input that d has:
// strictly only if it certainly does, otherwise unless it certainly does not. Of what the condition does not speak
// about, such as a property that is not there, nothing is certain, and neither is anything of a document that is nil or
// has no input, or of one that could not be checked to the end. A nil schema always holds. Several goroutines may ask
// about one document at once.
func (s *Schema) Holds(d *Document, strict bool) bool {
	if s == nil {
		return true
	}
	if d == nil || !d.valid {
		return !strict
	}
	r := run{schema: s, tape: &d.tape, quiet: 1, reading: loosely}
	if strict {
		r.reading = strictly
	}
	r.allow()
	holds := r.check(s.root, jsontape.Root, untracked)
	if r.steps < 0 {
		return !strict
	}
	return holds
}

// reads is verdict in a reading.
func (r *run) reads(as reading, s *subschema, n jsontape.Node) bool {
	before := r.reading
	r.reading = as
	holds := r.verdict(s, n, untracked)
	r.reading = before
	return holds
}

// speaksOf reports whether s has keywords for a value of the type of n, if it has any for values of a type, and whether
// what it has keywords for is there.
func (r *run) speaksOf(s *subschema, n jsontape.Node) bool {
	t := r.tape
	kind := t.Kind(n)
	if s.types == 0 && s.ruled != 0 && s.ruled>>kind&1 == 0 {
		return false
	}
	if kind == jsontape.Array && s.array != nil {
		return t.Len(n) >= len(s.array.prefix)
	}
	if kind == jsontape.Object && s.object != nil {
		for i := range s.object.properties {
			// true, false and {} say nothing of their value, and are one node.
			if p := &s.object.properties[i]; p.schema != nil && r.schema.tape.Entry(p.schema.at).Size() > 1 {
				if _, has := t.Member(n, p.name); !has {
					return false
				}
			}
		}
	}
	return true
}

// readOneOf reports whether exactly one schema holds. Certainly so it is where only one of them may hold, and that one
// certainly does; and it may be so where one may hold, and no two certainly do.
func (r *run) readOneOf(subs []*subschema, n jsontape.Node) bool {
	may, does := 0, 0
	for _, sub := range subs {
		if r.reads(loosely, sub, n) {
			may++
			if r.reads(strictly, sub, n) {
				does++
			}
		}
	}
	if r.reading == strictly {
		return may == 1 && does == 1
	}
	return may > 0 && does <= 1
}

// readIf checks then and else. Where nobody knows whether if holds, both of them must, or, loosely, one.
func (r *run) readIf(s *subschema, n jsontape.Node) bool {
	if r.reads(strictly, s.when, n) {
		return r.branch(s.then, n)
	}
	if !r.reads(loosely, s.when, n) {
		return r.branch(s.otherwise, n)
	}
	first := r.branch(s.then, n)
	if first == (r.reading == loosely) {
		return first
	}
	return r.branch(s.otherwise, n)
}

func (r *run) branch(s *subschema, n jsontape.Node) bool {
	return s == nil || r.check(s, n, untracked)
}
