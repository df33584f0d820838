package schema

import "github.com/webmcp-wasm/webmcp/internal/jsontape"

// fill is a missing property to be added to an object.
type fill struct {
	name string
	text []byte // of its value
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
		r.fills = nil
		r.allow()
		r.collect(root, jsontape.Root)
		if r.steps < 0 {
			return nil, tooComplex()
		}
		if len(r.fills) == 0 {
			return changed, nil
		}
		changed = r.tape.AppendWith(nil, jsontape.Root, func(dst []byte, object jsontape.Node) []byte {
			for _, f := range r.fills[object] {
				dst = append(append(jsontape.AppendString(dst, f.name), ':'), f.text...)
				dst = append(dst, ',')
			}
			return dst
		})
		if err := r.schema.checkSize(len(changed)); err != nil {
			return nil, err
		}
		if err := r.tape.Parse(changed); err != nil {
			return nil, refuse("is too much with its defaults: "+err.Error(), err)
		}
	}
	return nil, refuse("is too much with its defaults: "+jsontape.ErrTooDeep.Error(), jsontape.ErrTooDeep)
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
				r.fill(n, p.name, text)
			}
		}
	}
	next := 0
	for k, end := t.Children(n); k < end; k = t.Next(k + 1) {
		known := false
		if p := rules.find(t, k, next); p >= 0 {
			next = p + 1
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

func (r *run) fill(object jsontape.Node, name string, text []byte) {
	for _, f := range r.fills[object] {
		if f.name == name {
			return
		}
	}
	if r.fills == nil {
		r.fills = map[jsontape.Node][]fill{}
	}
	r.fills[object] = append(r.fills[object], fill{name, text})
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
	found := s.ref != nil && s.ref.fills
	look := func(sub *subschema) { found = found || sub != nil && sub.fills }
	for _, sub := range s.allOf {
		look(sub)
	}
	if s.array != nil {
		look(s.array.items)
		for _, sub := range s.array.prefix {
			look(sub)
		}
	}
	if s.object != nil {
		look(s.object.additional)
		for _, p := range s.object.properties {
			look(p.schema)
			found = found || p.schema.missing() != nil
		}
		for _, p := range s.object.patterns {
			look(p.schema)
		}
	}
	return found
}
