package schema

import "github.com/webmcp-wasm/webmcp/internal/jsontape"

// checkBranches checks the keywords that combine schemas for the same value.
func (r *run) checkBranches(s *subschema, n jsontape.Node, marks int) bool {
	ok := true
	for _, sub := range s.allOf {
		if !r.check(sub, n, marks) {
			if ok = false; r.stop() {
				return false
			}
		}
	}
	if len(s.anyOf) > 0 && !r.checkAnyOf(s.anyOf, n, marks) {
		if ok = false; r.stop() {
			return false
		}
	}
	if len(s.oneOf) > 0 && !r.checkOneOf(s.oneOf, n, marks) {
		if ok = false; r.stop() {
			return false
		}
	}
	if s.not != nil && r.reads(otherwise[r.reading], s.not, n) {
		if r.quiet > 0 {
			return false
		}
		ok = r.report(n, "must not be valid against "+r.quote(s.not))
	}
	if s.when != nil {
		if r.reading != plainly {
			return ok && r.readIf(s, n)
		}
		sub := s.otherwise
		if r.attempt(s.when, n, marks) {
			sub = s.then
		}
		if sub != nil && !r.check(sub, n, marks) {
			ok = false
		}
	}
	return ok
}

func (r *run) checkAnyOf(subs []*subschema, n jsontape.Node, marks int) bool {
	found := false
	for _, sub := range subs {
		if r.attempt(sub, n, marks) {
			if found = true; marks == untracked {
				return true
			}
		}
	}
	return found || r.quiet == 0 && r.explain(subs, n)
}

func (r *run) checkOneOf(subs []*subschema, n jsontape.Node, marks int) bool {
	if r.reading != plainly {
		return r.readOneOf(subs, n)
	}
	first := -1
	for i, sub := range subs {
		if !r.attempt(sub, n, marks) {
			continue
		}
		if first >= 0 {
			return r.quiet == 0 && r.report(n, "must have exactly one of the "+itoa(len(subs))+" allowed forms, but has those of number "+
				itoa(first+1)+" and "+itoa(i+1))
		}
		first = i
	}
	return first >= 0 || r.quiet == 0 && r.explain(subs, n)
}

// explain reports why n has none of the allowed forms, and returns false. It reports the issues of the one form that n
// comes closest to, if there is one; a wrong type or a wrong tag (a const or enum) counts as far off.
func (r *run) explain(forms []*subschema, n jsontape.Node) bool {
	const farOff, wrongTag = 1000, 100
	var closest []Issue
	var types typeSet
	least, ties := 0, 0
	firsts := make([]*Issue, len(forms))
	for i, form := range forms {
		issues := r.issuesOf(form, n)
		distance := 0
		for j := range issues {
			switch issue := &issues[j]; {
			case issue.types != 0 && issue.node == n:
				distance += farOff
				types |= issue.types
			case issue.choice:
				distance += wrongTag
			default:
				distance++
			}
		}
		switch {
		case i == 0 || distance < least:
			closest, least, ties = issues, distance, 1
		case distance == least:
			ties++
		}
		firsts[i] = &issues[0]
	}

	switch {
	case least >= farOff:
		return r.reportType(n, types, "")
	case ties > 1:
		return r.reportAll(firsts, n)
	}
	for i := range closest {
		r.add(&closest[i])
	}
	return false
}

// reportAll reports what is wrong with n by each of the allowed forms, as one issue.
func (r *run) reportAll(firsts []*Issue, n jsontape.Node) bool {
	tag := firsts[0] // the tag of a union, if all forms miss the same one
	path := r.pathTo(n)
	sameTag := true
	words, values := make([]string, len(firsts)), make([]string, len(firsts))
	for i, issue := range firsts {
		words[i] = issue.Expected
		if issue.Path != path {
			words[i] = issue.Path + " " + issue.Expected
		}
		if sameTag = sameTag && issue.choice && issue.node == tag.node; sameTag {
			values[i] = issue.Expected[len("must be "):]
		}
	}
	if sameTag {
		tag.Expected = "must be " + list(values, " or ")
		return r.add(tag)
	}
	return r.reportBare(n, "must have one of the "+itoa(len(firsts))+" allowed forms: "+list(words, ", or "))
}

// issuesOf returns the issues of n by s, of which there is at least one, without reporting them.
func (r *run) issuesOf(s *subschema, n jsontape.Node) []Issue {
	issues, more := r.issues, r.more
	r.issues, r.more = nil, false
	if r.check(s, n, untracked); len(r.issues) == 0 { // out of steps
		r.report(n, "is not valid")
	}
	found := r.issues
	r.issues, r.more = issues, more
	return found
}
