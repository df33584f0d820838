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
// What holds whatever else the input is comes first: properties, items and the like, $ref and allOf. Then the input is
// what decides on branches, and the one that it takes fills in too: the first of anyOf or oneOf that it fits, where a
// property with a default counts as given, and then or else. What is checked afterwards is the input as its reader will
// see it.
func (r *run) fillDefaults(root *subschema) (changed []byte, err error) {
	// A default that is an object may miss properties itself. Compile has filled in those that it could, so the second
	// round seldom finds any.
	for range jsontape.MaxDepth + 1 {
		r.fills = nil
		r.allow()
		r.collect(root, jsontape.Root)
		if len(r.fills) == 0 && r.steps >= 0 {
			r.branching = true
			r.collect(root, jsontape.Root)
			r.branching = false
		}
		if r.steps < 0 {
			return nil, r.gaveUp()
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
	if r.branching && s.branches {
		r.collectFirst(s.anyOf, n)
		r.collectFirst(s.oneOf, n)
		if s.then.canGive() || s.otherwise.canGive() {
			sub := s.otherwise
			if r.verdict(s.when, n, untracked) {
				sub = s.then
			}
			if sub != nil {
				r.collect(sub, n)
			}
		}
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

// collectFirst is collect with the first schema that n fits.
func (r *run) collectFirst(subs []*subschema, n jsontape.Node) {
	gives := false
	for _, sub := range subs {
		gives = gives || sub.fills
	}
	for i := 0; gives && i < len(subs); i++ {
		sub := subs[i]
		r.filling = true
		fits := r.verdict(sub, n, untracked)
		r.filling = false
		if fits {
			r.collect(sub, n)
			return
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
	for _, d := range rules.needs {
		if _, has := t.Member(n, d.name); has && d.schema.canGive() {
			r.collect(d.schema, n)
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
		for i := range rules.patterns {
			if p := &rules.patterns[i]; r.matches(&p.pattern, k) {
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

// missing returns what a property gets that is not there: the default of its schema, or of what that refers to or
// consists of.
//
//go:noinline
func (s *subschema) missing() []byte {
	if s == nil {
		return nil
	}
	text := s.fallback
	if text == nil {
		text = s.ref.missing()
	}
	for i := 0; text == nil && i < len(s.allOf); i++ {
		text = s.allOf[i].missing()
	}
	return text
}

// canGive reports whether s, which may be nil, can fill in defaults.
//
//go:noinline
func (s *subschema) canGive() bool { return s != nil && s.fills }

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
	found := s.ref.canGive() || s.then.canGive() || s.otherwise.canGive()
	look := func(sub *subschema) { found = found || sub.canGive() }
	for _, list := range [][]*subschema{s.allOf, s.anyOf, s.oneOf} {
		for _, sub := range list {
			look(sub)
		}
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
		for _, d := range s.object.needs {
			look(d.schema)
		}
	}
	return found
}

// How a subschema is met by the one who asks for defaults.
const (
	asValue    = 1 << iota // of a value that is there
	asProperty             // of a property that may be missing: its default is filled in
	asQuestion             // only the verdict is wanted
)

// warnOfDefaults warns of the defaults that are never filled in, as they stand where no property can be missing.
func (c *compiler) warnOfDefaults(root *subschema) {
	root.meet(asValue | asProperty)
	for _, s := range c.all {
		if s.fallback != nil && s.met != 0 && s.met&asProperty == 0 {
			c.warn(s.pointer, "its default is never filled in, as it stands where no property can be missing")
		}
	}
}

func (s *subschema) meet(as uint8) {
	if s == nil || s.met&as == as {
		return
	}
	s.met |= as
	inside, property := as&^asProperty, uint8(asProperty|asValue)
	if as == asQuestion {
		inside, property = asQuestion, asQuestion
	}
	s.ref.meet(as)
	meetAll(s.allOf, as)
	meetAll(s.anyOf, inside)
	meetAll(s.oneOf, inside)
	meetAll([]*subschema{s.then, s.otherwise}, inside)
	meetAll([]*subschema{s.not, s.when, s.unevaluated[0], s.unevaluated[1]}, asQuestion)
	if a := s.array; a != nil {
		meetAll(a.prefix, inside)
		a.items.meet(inside)
		a.contains.meet(asQuestion)
	}
	if o := s.object; o != nil {
		o.additional.meet(inside)
		o.names.meet(asQuestion)
		for _, p := range o.properties {
			p.schema.meet(property)
		}
		for _, p := range o.patterns {
			p.schema.meet(inside)
		}
		for _, d := range o.needs {
			d.schema.meet(inside)
		}
	}
}

//go:noinline
func meetAll(list []*subschema, as uint8) {
	for _, s := range list {
		s.meet(as)
	}
}
