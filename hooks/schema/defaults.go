package schema

import (
	"cmp"
	"slices"

	"github.com/webmcp-wasm/webmcp/hooks/jsontape"
)

// fill is a missing property to be added to an object.
type fill struct {
	object jsontape.Node
	name   string
	text   []byte // of its value
}

// fillDefaults gives the missing properties of the input their defaults, and theirs in turn. It puts the new text on
// the tape and returns it, or nil where nothing was missing.
//
// Only what holds whatever else the input is fills in: properties, items and the like, $ref and allOf; not the
// branches of anyOf, oneOf, if and not. So it is clear what is checked afterwards: the input as its reader will see it.
func (r *run) fillDefaults(root *subschema) (changed []byte, err error) {
	// A default that is an object may miss properties itself. Compile has filled in those that it could, so the second
	// round seldom finds any.
	for range jsontape.MaxDepth + 1 {
		r.fills = r.fills[:0]
		r.collect(root, jsontape.Root)
		if len(r.fills) == 0 || r.steps < 0 {
			return changed, nil
		}
		changed = r.applyFills()
		if err := r.schema.checkSize(len(changed)); err != nil {
			return nil, err
		}
		if err := r.tape.Parse(changed); err != nil {
			return nil, refuse("with its defaults, "+err.Error(), err)
		}
	}
	return nil, refuse("with its defaults, "+jsontape.ErrTooDeep.Error(), jsontape.ErrTooDeep)
}

// collect adds what is missing in n and in what it contains to r.fills.
func (r *run) collect(s *subschema, n jsontape.Node) {
	if r.steps--; !s.fills || r.steps < 0 {
		return
	}
	if s.ref != nil {
		r.collect(s.ref, n)
	}
	for _, sub := range s.allOf {
		r.collect(sub, n)
	}
	t := r.tape
	switch t.Kind(n) {
	case jsontape.Array:
		if s.array == nil {
			return
		}
		i := 0
		for e, end := t.Children(n); e < end; e = t.Next(e) {
			if i < len(s.array.prefix) {
				r.collect(s.array.prefix[i], e)
			} else if s.array.items != nil {
				r.collect(s.array.items, e)
			}
			i++
		}
	case jsontape.Object:
		if s.object != nil {
			r.collectObject(s.object, n)
		}
	}
}

func (r *run) collectObject(rules *objectRules, n jsontape.Node) {
	t := r.tape
	for _, p := range rules.properties {
		if text := p.schema.missing(); text != nil {
			if _, has := t.Member(n, p.name); !has {
				r.fills = append(r.fills, fill{n, p.name, text})
			}
		}
	}
	hint := 0
	for k, end := t.Children(n); k < end; k = t.Next(k + 1) {
		known := false
		if p := rules.find(t, k, hint); p >= 0 {
			hint = p + 1
			if s := rules.properties[p].schema; s != nil {
				known = true
				r.collect(s, k+1)
			}
		}
		for _, p := range rules.patterns {
			if p.match(t.Str(k)) {
				known = true
				r.collect(p.schema, k+1)
			}
		}
		if !known && rules.additional != nil {
			r.collect(rules.additional, k+1)
		}
	}
}

// missing returns what a property gets that is not there: the default of its schema, or of what that refers to.
func (s *subschema) missing() []byte {
	for ; s != nil; s = s.ref {
		if s.fallback != nil {
			return s.fallback
		}
	}
	return nil
}

// applyFills returns the text on the tape with all fills. The first of several for the same property counts.
func (r *run) applyFills() []byte {
	t := r.tape
	slices.SortStableFunc(r.fills, func(a, b fill) int {
		_, endA := t.Span(a.object)
		_, endB := t.Span(b.object)
		return cmp.Or(cmp.Compare(endA, endB), cmp.Compare(a.name, b.name))
	})
	start, _ := t.Span(jsontape.Root)
	source := t.Raw(jsontape.Root)
	var out []byte
	from := 0
	for i, f := range r.fills {
		first := i == 0 || r.fills[i-1].object != f.object
		if !first && r.fills[i-1].name == f.name {
			continue
		}
		_, end := t.Span(f.object)
		out = append(out, source[from:end-1-start]...)
		from = end - 1 - start // of its closing bracket
		if !first || t.Len(f.object) > 0 {
			out = append(out, ',')
		}
		out = append(jsontape.AppendString(out, f.name), ':')
		out = append(out, f.text...)
	}
	return append(out, source[from:]...)
}

// checkDefaults finds out which subschemas can fill in defaults, fills in the defaults of the defaults themselves, and
// refuses a default that its own schema does.
func (c *compiler) checkDefaults(s *Schema) error {
	for again := true; again; {
		again = false
		for _, sub := range c.all {
			if !sub.fills && sub.canFill() {
				sub.fills, again = true, true
			}
		}
	}
	for _, sub := range c.all {
		if sub.fallback == nil {
			continue
		}
		own := &Schema{tape: s.tape, root: sub, maxInput: s.maxInput}
		changed, err := own.Validate(sub.fallback)
		if err != nil {
			return &CompileError{Pointer: sub.pointer + "/default", Message: "default does not fit its own schema: " + err.Error(), Err: err}
		}
		if changed != nil {
			sub.fallback = changed
		}
	}
	return nil
}

// canFill reports whether s, or one that s hands a value on to, has a property with a default.
func (s *subschema) canFill() bool {
	fills := func(s *subschema) bool { return s != nil && s.fills }
	if fills(s.ref) || slices.ContainsFunc(s.allOf, fills) {
		return true
	}
	if s.array != nil && (fills(s.array.items) || slices.ContainsFunc(s.array.prefix, fills)) {
		return true
	}
	return s.object != nil && (fills(s.object.additional) ||
		slices.ContainsFunc(s.object.properties, func(p property) bool { return p.schema.missing() != nil || fills(p.schema) }) ||
		slices.ContainsFunc(s.object.patterns, func(p patternRule) bool { return fills(p.schema) }))
}
