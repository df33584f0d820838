package schema

import "github.com/webmcp-wasm/webmcp/internal/jsontape"

// run is the state of checking one input.
type run struct {
	schema *Schema
	tape   *jsontape.Tape

	issues []Issue
	more   bool // there are more issues than MaxIssues
	quiet  int  // over 0 only the verdict is wanted: nothing is reported, the first failure ends it
	steps  int  // how many subschemas may still be checked
	// unmatched is the text that a pattern could not be matched with. Nothing is known then: no branch may make a
	// verdict of it, so steps is negative from there on.
	unmatched *Issue

	branching bool // collect looks at branches too
	filling   bool // a property with a default counts as given

	reading reading // of a condition

	inAll bool // the next check is of the rules for each type alone, as it is for checkAll, which does the rest

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
	e := r.tape.Entry(n)
	kind := e.Kind()
	if s.types != 0 && s.types&(1<<kind) == 0 && (s.types&integers == 0 || kind != jsontape.Number || !e.Whole() && !isInteger(r.tape.Text(n))) {
		return r.quiet == 0 && r.reportType(n, s.types, s.says)
	}
	if !s.plain && !r.inAll {
		return r.checkAll(s, n, marks)
	}
	r.inAll = false
	switch kind { // a list of rules that is not there holds
	case jsontape.Object:
		return s.object == nil || r.checkObject(s.object, n, marks)
	case jsontape.Array:
		return s.array == nil || r.checkArray(s.array, n, marks)
	case jsontape.Number:
		return s.number == nil || r.checkNumber(s.number, n)
	case jsontape.String:
		return s.text == nil || r.checkText(s.text, n)
	}
	return true
}

// checkAll is check for a schema that is not plain, once the type of n is known to be right.
func (r *run) checkAll(s *subschema, n jsontape.Node, marks int) bool {
	if s.says != "" && r.quiet == 0 {
		return r.attempt(s, n, marks) || r.report(n, s.says)
	}
	if r.reading == strictly && !r.speaksOf(s, n) {
		return false
	}
	if s.never {
		return r.quiet == 0 && r.reportBare(n, "is not allowed")
	}
	if s.isEnum && !r.isOneOf(s.constant, n) {
		return r.quiet == 0 && r.reportChoice(n, s.constant)
	}

	frame, rest := marks, (*subschema)(nil)
	kind := r.tape.Kind(n)
	switch kind {
	case jsontape.Array:
		rest = s.unevaluated[unevaluatedItems]
	case jsontape.Object:
		rest = s.unevaluated[unevaluatedProperties]
	}
	if rest != nil {
		frame = r.push(n) // a frame of its own: it must not see what neighbours of s evaluate
	}

	r.inAll = true
	ok := r.check(s, n, frame)
	more := func() bool { return ok || !r.stop() && kind != jsontape.String } // no pattern for a text that is wrong anyway
	if s.ref != nil && more() {
		ok = r.check(s.ref, n, frame) && ok
	}
	if s.branches && more() {
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

// fits reports whether a value is valid against s at the first look, which is what most need. It is small enough to be
// compiled into its callers. If not, check finds out.
func (s *subschema) fits(e *jsontape.Entry) bool {
	kind := e.Kind()
	if s.free>>kind&1 != 0 {
		return true
	}
	size, isASCII := e.ASCII()
	return kind == jsontape.String && isASCII && s.shortest <= size && size < s.tooLong
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
	if rules.format != nil && (ok || !r.stop()) && !rules.format(r.tape.Str(n)) {
		ok = r.quiet == 0 && r.report(n, "must be "+describeFormat(rules.name))
	}
	// What a pattern costs, nobody knows: a text that is wrong anyway, such as too long, does not get there.
	if rules.pattern.match != nil && ok && !r.matches(&rules.pattern, n) {
		ok = r.quiet == 0 && r.report(n, "must match the pattern "+rules.pattern.source)
	}
	return ok
}

// matches reports whether a pattern matches the string n. Where that cannot be found out, it ends the run.
//
//go:noinline
func (r *run) matches(p *pattern, n jsontape.Node) bool {
	ok, err := p.match(r.tape.Str(n))
	if err != nil {
		r.steps = -1
		if r.unmatched == nil {
			r.unmatched = r.issue(n, "cannot be matched with the pattern "+p.source+": send a shorter text")
		}
	}
	return ok && err == nil
}

func (r *run) checkNumber(rules *numberRules, n jsontape.Node) bool {
	ok := true
	text, rounded := r.tape.Text(n), r.tape.Float(n)
	for i := range rules.bounds {
		b := &rules.bounds[i]
		if rounded > b.value && b.orders[2] || rounded < b.value && b.orders[0] {
			continue
		}
		if !b.allows(text, rounded) {
			if r.quiet > 0 {
				return false
			}
			ok = r.report(n, "must be "+b.op+" "+b.text)
		}
	}
	if rules.whole && !isInteger(text) {
		ok = r.quiet == 0 && r.report(n, "must be an integer")
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
	i, found, most := 0, 0, 0
	e, end := t.Children(n)
	if s := rules.items; s != nil && len(rules.prefix) == 0 && rules.contains == nil && marks == untracked { // as most are
		for e < end {
			i++
			item := t.Entry(e)
			if !s.fits(item) && !r.check(s, e, untracked) {
				if ok = false; r.stop() {
					return false
				}
			}
			e += item.Size()
		}
	}
	for n := e; n < end; i++ {
		e := t.Entry(n)
		s := rules.items
		if i < len(rules.prefix) {
			s = rules.prefix[i]
		}
		if s != nil && !s.fits(e) && !r.check(s, n, untracked) {
			if ok = false; r.stop() {
				return false
			}
		}
		if rules.contains != nil || marks != untracked {
			isMatch := rules.contains != nil && r.verdict(rules.contains, n, untracked)
			if isMatch {
				found++
			}
			if r.reading != plainly && rules.contains != nil && r.reads(otherwise[r.reading], rules.contains, n) {
				most++
			}
			if marks != untracked && (s != nil || isMatch) {
				r.marks[marks+i] = true
			}
		}
		n += e.Size()
	}
	r.steps -= i // for those that fit
	if r.reading == plainly {
		most = found
	}
	if rules.contains != nil && (found < rules.wanted.min || rules.wanted.max >= 0 && most > rules.wanted.max) {
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
	inOrder := rules.properties // those from next on, as long as nothing but they matters
	if !rules.simple || marks != untracked {
		inOrder = nil
	}
	for k, end := t.Children(n); k < end; i++ {
		value := t.Entry(k + 1)
		// Members mostly come in the order of the schema.
		if uint(next) < uint(len(inOrder)) {
			p := &inOrder[next]
			if s := p.schema; s != nil && t.Is(t.Entry(k), &p.key) {
				required += p.required
				next++
				if !s.fits(value) && !r.check(s, k+1, untracked) {
					if ok = false; r.stop() {
						return false
					}
				}
				k += 1 + value.Size()
				continue
			}
		}
		p := rules.find(t, k, next)
		known, valid := false, true
		if p >= 0 {
			next = p + 1
			property := &rules.properties[p]
			required += property.required
			if s := property.schema; s != nil {
				known = true
				valid = s.fits(value) || r.check(s, k+1, untracked)
			}
		}
		if !known || !rules.simple {
			known, valid = r.checkMember(rules, k, known, valid)
		}
		if known && marks != untracked {
			r.marks[marks+i] = true
		}
		if !valid {
			if ok = false; r.stop() {
				return false
			}
		}
		k += 1 + value.Size()
	}
	r.steps -= i // for those that fit
	if required < rules.required && !(r.filling && rules.areFilled(t, n)) {
		if r.quiet > 0 {
			return false
		}
		for _, p := range rules.properties {
			if _, has := t.Member(n, p.name); p.required > 0 && !has {
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

// areFilled reports whether the required properties that n lacks have defaults.
func (o *objectRules) areFilled(t *jsontape.Tape, n jsontape.Node) bool {
	for _, p := range o.properties {
		if _, has := t.Member(n, p.name); p.required > 0 && !has && p.schema.missing() == nil {
			return false
		}
	}
	return true
}

// checkMember checks the member whose name is k against all but the list of properties, which known says it is in, and
// valid that it is valid by that. It returns whether the schema then knows the member, and whether it is valid.
func (r *run) checkMember(rules *objectRules, k jsontape.Node, known, valid bool) (isKnown, isValid bool) {
	if len(rules.patterns) > 0 {
		for i := range rules.patterns {
			if p := &rules.patterns[i]; r.matches(&p.pattern, k) {
				known = true
				valid = r.check(p.schema, k+1, untracked) && valid
			}
		}
		if r.unmatched != nil {
			return true, false
		}
	}
	if !known && rules.additional != nil {
		known = true
		if rules.additional.never {
			valid = r.quiet == 0 && r.reportBare(k, "is not allowed"+rules.describeAllowed())
		} else {
			valid = r.check(rules.additional, k+1, untracked) && valid
		}
	}
	if rules.names != nil && !r.verdict(rules.names, k, untracked) {
		valid = r.quiet == 0 && r.reportBare(k, "is a name that is not allowed: it "+r.issuesOf(rules.names, k)[0].Expected)
	}
	return known, valid
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
