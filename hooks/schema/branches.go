package schema

import "github.com/webmcp-wasm/webmcp/hooks/jsontape"

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
	if s.not != nil && r.verdict(s.not, n, untracked) {
		if r.quiet > 0 {
			return false
		}
		ok = r.report(n, "must not be valid against "+r.quote(s.not))
	}
	if s.when != nil {
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
func (r *run) explain(subs []*subschema, n jsontape.Node) bool {
	const farOff, wrongTag = 1000, 100
	issues, more := r.issues, r.more
	var closest, firsts []Issue
	var types typeSet
	least, ties := 0, 0
	for _, sub := range subs {
		r.issues, r.more = nil, false
		r.check(sub, n, untracked)
		if len(r.issues) == 0 { // out of steps
			break
		}
		distance := 0
		for _, issue := range r.issues {
			switch {
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
		case closest == nil || distance < least:
			closest, least, ties = r.issues, distance, 1
		case distance == least:
			ties++
		}
		firsts = append(firsts, r.issues[0])
	}
	r.issues, r.more = issues, more

	switch {
	case least >= farOff:
		return r.add(Issue{Path: pathTo(r.tape, n), Expected: "must be " + types.describe(), Got: shorten(r.tape.Raw(n)), node: n, types: types})
	case ties == 1:
		for _, issue := range closest {
			r.add(issue)
		}
		return false
	}
	const most = 3
	text := "must have one of the " + itoa(len(subs)) + " allowed forms"
	for i, issue := range firsts {
		if i == most {
			text += "; ..."
			break
		}
		text += "; form " + itoa(i+1) + ": "
		if issue.Path != pathTo(r.tape, n) {
			text += issue.Path + " "
		}
		text += issue.Expected
	}
	return r.reportBare(n, "("+text+")")
}
