package schema

import "github.com/webmcp-wasm/webmcp/hooks/jsontape"

// run is the state of checking one input.
type run struct {
	schema *Schema
	tape   *jsontape.Tape

	issues []Issue
	more   bool // there are more issues than MaxIssues
	quiet  int  // over 0 only the verdict is wanted: nothing is reported, the first failure ends it
	steps  int  // how many subschemas may still be checked

	// marks is a stack of frames, one bool for each child of a value: whether a schema has evaluated it, for
	// unevaluatedItems and unevaluatedProperties.
	marks []bool
	fills map[jsontape.Node][]fill // by object
}

// untracked is the frame of marks where nobody asks what was evaluated.
const untracked = -1

// allow gives the steps for one pass over the input.
func (r *run) allow() {
	// A fair input needs a handful of steps for each of its values. What needs this many makes the schema's branches
	// multiply at each level, and would keep the page busy for good.
	r.steps = min(1_000_000+1000*int(r.tape.Next(jsontape.Root)), 50_000_000)
}

// stop reports whether looking for more issues is of no use.
func (r *run) stop() bool { return r.quiet > 0 || r.more || r.steps < 0 }

// check reports whether n is valid against s. Unless r is quiet, it has reported an issue if not. marks is the frame of
// n in which to mark what s evaluates, or untracked.
func (r *run) check(s *subschema, n jsontape.Node, marks int) bool {
	if r.steps--; r.steps < 0 {
		return false
	}
	if s.never {
		return r.quiet == 0 && r.reportBare(n, "is not allowed")
	}
	kind := r.tape.Kind(n)
	if s.types != 0 && s.types&(1<<kind) == 0 && (kind != jsontape.Number || s.types&integers == 0 || !isInteger(r.tape.Text(n))) {
		return r.quiet == 0 && r.reportType(n, s.types)
	}
	if s.isEnum && !r.isOneOf(s.constant, n) {
		return r.quiet == 0 && r.reportChoice(n, s.constant)
	}

	frame, rest := marks, (*subschema)(nil)
	switch kind {
	case jsontape.Array:
		rest = s.unevaluated[unevaluatedItems]
	case jsontape.Object:
		rest = s.unevaluated[unevaluatedProperties]
	}
	if rest != nil {
		frame = r.push(n) // a frame of its own: it must not see what neighbours of s evaluate
	}

	ok := true
	if s.ref != nil && !r.check(s.ref, n, frame) {
		ok = false
	}
	if ok || !r.stop() {
		switch kind { // a list of rules that is not there holds
		case jsontape.Number:
			ok = (s.number == nil || r.checkNumber(s.number, n)) && ok
		case jsontape.String:
			ok = (s.text == nil || r.checkText(s.text, n)) && ok
		case jsontape.Array:
			ok = (s.array == nil || r.checkArray(s.array, n, frame)) && ok
		case jsontape.Object:
			ok = (s.object == nil || r.checkObject(s.object, n, frame)) && ok
		}
	}
	if s.branches && (ok || !r.stop()) {
		ok = r.checkBranches(s, n, frame) && ok
	}
	if rest != nil {
		ok = ok && r.checkUnevaluated(rest, n, frame)
		if ok && marks != untracked {
			r.merge(frame, marks)
		}
		r.marks = r.marks[:frame]
	}
	return ok
}

// verdict is check without reporting.
func (r *run) verdict(s *subschema, n jsontape.Node, marks int) bool {
	r.quiet++
	ok := r.check(s, n, marks)
	r.quiet--
	return ok
}

// attempt is verdict for a branch that may fail: it marks in a frame of its own, which counts only if it is valid.
func (r *run) attempt(s *subschema, n jsontape.Node, marks int) bool {
	if marks == untracked {
		return r.verdict(s, n, untracked)
	}
	frame := r.push(n)
	ok := r.verdict(s, n, frame)
	if ok {
		r.merge(frame, marks)
	}
	r.marks = r.marks[:frame]
	return ok
}

// push adds a frame for the children of n.
func (r *run) push(n jsontape.Node) int {
	frame := len(r.marks)
	r.marks = append(r.marks, make([]bool, r.tape.Len(n))...)
	return frame
}

// merge adds the marks of the last frame to those of another of the same value.
func (r *run) merge(last, to int) {
	for i, marked := range r.marks[last:] {
		if marked {
			r.marks[to+i] = true
		}
	}
}

// checkUnevaluated checks the children of n that nothing has marked.
func (r *run) checkUnevaluated(s *subschema, n jsontape.Node, frame int) bool {
	ok := true
	step := jsontape.Node(0) // from a child to its value
	if r.tape.Kind(n) == jsontape.Object {
		step = 1
	}
	i := frame
	for c, end := r.tape.Children(n); c < end; c = r.tape.Next(c + step) {
		if !r.marks[i] {
			r.marks[i] = true
			if !r.check(s, c+step, untracked) {
				if ok = false; r.stop() {
					return false
				}
			}
		}
		i++
	}
	return ok
}

// checkSize checks a count against its limits.
func (r *run) checkSize(n jsontape.Node, limits size, count int, unit string) bool {
	switch {
	case count < limits.min:
		return r.quiet == 0 && r.report(n, "must have at least "+counted(limits.min, unit))
	case limits.max >= 0 && count > limits.max:
		return r.quiet == 0 && r.report(n, "must have at most "+counted(limits.max, unit))
	}
	return true
}

func (r *run) checkText(rules *textRules, n jsontape.Node) bool {
	ok := true
	if rules.size != anySize {
		ok = r.checkSize(n, rules.size, r.tape.RuneCount(n), "character")
	}
	if rules.pattern != nil && (ok || !r.stop()) && !rules.pattern(r.tape.Str(n)) {
		ok = r.quiet == 0 && r.report(n, "must match the pattern "+rules.source)
	}
	if rules.format != nil && (ok || !r.stop()) && !rules.format(r.tape.Str(n)) {
		ok = r.quiet == 0 && r.report(n, "must be "+describeFormat(rules.name))
	}
	return ok
}

func (r *run) checkNumber(rules *numberRules, n jsontape.Node) bool {
	ok := true
	text, rounded := r.tape.Text(n), r.tape.Float(n)
	for i := range rules.bounds {
		if b := &rules.bounds[i]; !b.allows(text, rounded) {
			if r.quiet > 0 {
				return false
			}
			ok = r.report(n, "must be "+b.op+" "+b.text)
		}
	}
	if m := rules.multiple; m != nil && !m.divides(text, rounded) {
		ok = r.quiet == 0 && r.report(n, "must be a multiple of "+m.text)
	}
	return ok
}

func (r *run) checkArray(rules *arrayRules, n jsontape.Node, marks int) bool {
	t := r.tape
	ok := rules.size == anySize || r.checkSize(n, rules.size, t.Len(n), "item")
	if !ok && r.stop() {
		return false
	}
	i, found := 0, 0
	for e, end := t.Children(n); e < end; e = t.Next(e) {
		s := rules.items
		if i < len(rules.prefix) {
			s = rules.prefix[i]
		}
		if s != nil && !r.check(s, e, untracked) {
			if ok = false; r.stop() {
				return false
			}
		}
		isMatch := rules.contains != nil && r.verdict(rules.contains, e, untracked)
		if isMatch {
			found++
		}
		if marks != untracked && (s != nil || isMatch) {
			r.marks[marks+i] = true
		}
		i++
	}
	if rules.contains != nil && (found < rules.wanted.min || rules.wanted.max >= 0 && found > rules.wanted.max) {
		if r.quiet > 0 {
			return false
		}
		limit := "at least " + counted(rules.wanted.min, "item")
		if found >= rules.wanted.min {
			limit = "at most " + counted(rules.wanted.max, "item")
		}
		ok = r.report(n, "must contain "+limit+" valid against "+r.quote(rules.contains))
	}
	if rules.unique && (ok || !r.stop()) {
		if a, b, equal := findEqual(t, n); equal {
			ok = r.quiet == 0 && r.report(n, "must have no equal items, but those at "+itoa(a)+" and "+itoa(b)+" are")
		}
	}
	return ok
}

func (r *run) checkObject(rules *objectRules, n jsontape.Node, marks int) bool {
	t := r.tape
	ok := rules.size == anySize || r.checkSize(n, rules.size, t.Len(n), "property")
	if !ok && r.stop() {
		return false
	}
	required, next, i := 0, 0, 0
	for k, end := t.Children(n); k < end; k = t.Next(k + 1) {
		p := next // members mostly come in the order of the schema
		if next >= len(rules.properties) || !t.Equal(k, rules.properties[next].name) {
			p = rules.find(t, k)
		}
		known := false
		if p >= 0 {
			next = p + 1
			property := &rules.properties[p]
			if property.required {
				required++
			}
			if property.schema != nil {
				known = true
				ok = r.check(property.schema, k+1, untracked) && ok
			}
		}
		if !known || !rules.simple {
			known = r.checkMember(rules, k, known, &ok)
		}
		if known && marks != untracked {
			r.marks[marks+i] = true
		}
		if !ok && r.stop() {
			return false
		}
		i++
	}
	if required < rules.required {
		if r.quiet > 0 {
			return false
		}
		for _, p := range rules.properties {
			if _, has := t.Member(n, p.name); p.required && !has {
				ok = r.reportMissing(n, p.name, "is required")
			}
		}
	}
	for _, d := range rules.needs {
		if _, has := t.Member(n, d.name); has {
			ok = r.checkDependency(d, n, marks) && ok
		}
		if !ok && r.stop() {
			return false
		}
	}
	return ok
}

// checkMember checks the member whose name is k against all but the list of properties, which known says it is in. It
// returns whether the schema then knows the member, and clears ok if it is not valid.
func (r *run) checkMember(rules *objectRules, k jsontape.Node, known bool, ok *bool) bool {
	if len(rules.patterns) > 0 {
		name := r.tape.Str(k)
		for _, p := range rules.patterns {
			if p.match(name) {
				known = true
				*ok = r.check(p.schema, k+1, untracked) && *ok
			}
		}
	}
	if !known && rules.additional != nil {
		known = true
		if rules.additional.never {
			*ok = r.quiet == 0 && r.reportBare(k, "is not allowed"+rules.describeAllowed())
		} else {
			*ok = r.check(rules.additional, k+1, untracked) && *ok
		}
	}
	if rules.names != nil && !r.verdict(rules.names, k, untracked) {
		*ok = r.quiet == 0 && r.reportBare(k, "is a name that is not allowed: it "+r.issuesOf(rules.names, k)[0].Expected)
	}
	return known
}

func (r *run) checkDependency(d dependency, n jsontape.Node, marks int) bool {
	ok := true
	for _, name := range d.needs {
		if _, has := r.tape.Member(n, name); !has {
			ok = r.quiet == 0 && r.reportMissing(n, name, "is required where "+d.name+" is given")
		}
	}
	if d.schema != nil && (ok || !r.stop()) {
		ok = r.check(d.schema, n, marks) && ok
	}
	return ok
}

// describeAllowed names the properties there may be, where that is all there may be.
func (o *objectRules) describeAllowed() string {
	if len(o.patterns) > 0 {
		return ""
	}
	var names []string
	for _, p := range o.properties {
		if p.schema != nil {
			names = append(names, p.name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return " (allowed: " + list(names, ", ") + ")"
}

// quote returns the text of a schema, shortened.
func (r *run) quote(s *subschema) string {
	return shorten(r.schema.tape.Raw(s.at))
}
