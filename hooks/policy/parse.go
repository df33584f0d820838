package policy

import (
	"slices"
	"strings"

	"github.com/webmcp-wasm/webmcp/internal/jsontape"
)

// Version is the version of the documents that there are.
const Version = 1

// Parse parses a policy document. An error is always a *ParseError, which says all that
// is wrong with it, each with its place: an unknown member and a wrong type are errors,
// since a policy with a typing error must not pass for a laxer one.
func Parse(text []byte, opts Options) (*Document, error) {
	r := reader{tape: new(jsontape.Tape), opts: opts}
	if err := r.tape.Parse([]byte(string(text))); err != nil {
		return nil, &ParseError{[]Issue{{"", "is not JSON: " + err.Error()}}}
	}
	r.unique(jsontape.Root, "")
	d := r.document()
	if len(r.issues) > 0 {
		return nil, &ParseError{r.issues}
	}
	return d, nil
}

// reader reads a document, and notes what is wrong with it.
type reader struct {
	tape   *jsontape.Tape
	opts   Options
	issues []Issue
}

//go:noinline
func (r *reader) fail(place, message string) {
	if len(r.issues) < MaxIssues {
		r.issues = append(r.issues, Issue{place, message})
	}
}

// want says what a value must be, and what it is.
func (r *reader) want(n jsontape.Node, place, what string) {
	got := string(r.tape.Raw(n))
	switch r.tape.Kind(n) {
	case jsontape.Array, jsontape.Object:
		got = "an " + r.tape.Kind(n).String()
	default:
		if len(got) > 40 {
			got = "a long " + r.tape.Kind(n).String()
		}
	}
	r.fail(place, "must be "+what+", and is "+got)
}

func (r *reader) isObject(n jsontape.Node, place string) bool {
	if r.tape.Kind(n) != jsontape.Object {
		r.want(n, place, "an object")
		return false
	}
	return true
}

// members calls do for each member of an object whose name is known, and says what
// the others were meant to be.
func (r *reader) members(n jsontape.Node, place string, known []string, do func(name string, value jsontape.Node, place string)) {
	t := r.tape
	for k, end := t.Children(n); k < end; k = t.Next(k + 1) {
		name := t.Str(k)
		at := place + "/" + jsontape.EscapeToken(name)
		if slices.Contains(known, name) {
			do(name, k+1, at)
			continue
		}
		message := "is not known here: there is " + join(known, ", ")
		if meant := closest(name, known); meant != "" {
			message = "is not known here: did you mean " + meant + "?"
		}
		r.fail(at, message)
	}
}

// unique refuses objects with two members of one name, of which readers see the first
// and programs the last. The tape has dropped one, so what is left is shorter than the
// text. It returns how long n is without white space, as it was written and as it is on
// the tape.
func (r *reader) unique(n jsontape.Node, place string) (written, kept int) {
	t := r.tape
	kind := t.Kind(n)
	if kind != jsontape.Array && kind != jsontape.Object {
		size := len(t.Raw(n))
		return size, size
	}
	lost, count := 0, 0 // inside of the members; values and names
	i := 0
	for c, end := t.Children(n); c < end; c = t.Next(c) {
		at := place
		switch {
		case kind == jsontape.Array:
			at += "/" + itoa(int64(i))
		case i%2 == 1:
			at += "/" + jsontape.EscapeToken(t.Str(c-1))
		}
		w, k := r.unique(c, at)
		lost += w - k
		kept += k
		count++
		i++
	}
	kept += 1 + max(count, 1) // brackets, and what stands between
	if written = packed(t.Raw(n)); written-kept != lost {
		r.fail(place, "has two members of one name")
	}
	return written, kept
}

// packed returns how long a JSON text is without white space.
func packed(text []byte) (size int) {
	quoted := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
			size++
		case c == '"':
			quoted = !quoted
		case !quoted && c <= ' ':
			continue
		}
		size++
	}
	return size
}

func (r *reader) document() *Document {
	d := &Document{label: r.opts.Label}
	if !r.isObject(jsontape.Root, "") {
		return nil
	}
	if _, has := r.tape.Member(jsontape.Root, "webmcp"); !has {
		r.fail("", `needs the version of its form: "webmcp": 1`)
	}
	var rules jsontape.Node
	r.members(jsontape.Root, "", []string{"webmcp", "rules", "default", "mode", "description", "$schema"}, func(name string, n jsontape.Node, place string) {
		switch name {
		case "webmcp":
			if r.tape.Kind(n) != jsontape.Number || r.tape.Float(n) != Version {
				r.want(n, place, "1, the version that there is")
			}
		case "rules":
			rules = n
		case "default":
			d.closed = r.choice(n, place, "allow", "deny") == "deny"
		case "mode":
			d.report = r.choice(n, place, "enforce", "report") == "report"
		case "description", "$schema":
			r.text(n, place)
		}
	})
	switch {
	case rules == 0:
		r.fail("", `needs rules, such as "rules": []`)
	case r.tape.Kind(rules) != jsontape.Array:
		r.want(rules, "/rules", "an array of rules")
	default:
		i := 0
		for n, end := r.tape.Children(rules); n < end; n = r.tape.Next(n) {
			d.rules = append(d.rules, r.rule(n, "/rules/"+itoa(int64(i)), d))
			i++
		}
	}
	return d
}

// choice reads one of several texts.
func (r *reader) choice(n jsontape.Node, place string, texts ...string) string {
	if r.tape.Kind(n) == jsontape.String {
		given := r.tape.Str(n)
		if slices.Contains(texts, given) {
			return given
		}
		if meant := closest(given, texts); meant != "" {
			r.fail(place, "is not known: did you mean "+`"`+meant+`"?`)
			return ""
		}
	}
	r.want(n, place, `"`+join(texts, `" or "`)+`"`)
	return ""
}

// text reads a text that says something.
func (r *reader) text(n jsontape.Node, place string) string {
	if r.tape.Kind(n) != jsontape.String {
		r.want(n, place, "a text")
		return ""
	}
	s := r.tape.Str(n)
	says := false
	for i := range len(s) {
		says = says || !hasAny(s[i:i+1], " \t\r\n")
	}
	if !says {
		r.fail(place, "must not be empty")
	}
	return s
}

// isTrue reads what is true or left out.
func (r *reader) isTrue(n jsontape.Node, place string) bool {
	if r.tape.Kind(n) == jsontape.Bool && r.tape.Bool(n) {
		return true
	}
	r.want(n, place, "true, or left out")
	return false
}

// whole reads a whole number of 1 or more.
func (r *reader) whole(n jsontape.Node, place string, most int64) int64 {
	if r.tape.Kind(n) == jsontape.Number {
		if f := r.tape.Float(n); f >= 1 && f <= float64(most) && f == float64(int64(f)) {
			return int64(f)
		}
	}
	r.want(n, place, "a whole number from 1 to "+itoa(most))
	return 0
}

// number reads the digits at the beginning of a text: 1 to most of them, without a
// zero in front.
func number(s string, most int) (n int64, rest string, ok bool) {
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	if i == 0 || i > most || s[0] == '0' {
		return 0, "", false
	}
	for _, digit := range []byte(s[:i]) {
		n = 10*n + int64(digit-'0')
	}
	return n, s[i:], true
}

// units are how many milliseconds there are in each.
var units = map[string]int64{"ms": 1, "s": 1000, "min": 60_000, "h": 3_600_000}

// duration reads a text such as "20s", in milliseconds.
func (r *reader) duration(n jsontape.Node, place string, never bool) int64 {
	what := `a text such as "20s", with ms, s, min or h and up to six digits`
	if r.tape.Kind(n) == jsontape.String {
		s := r.tape.Str(n)
		if never && s == "never" {
			return Never
		}
		if count, unit, ok := number(s, 6); ok && units[unit] > 0 {
			return count * units[unit]
		}
	}
	if never {
		what += `, or "never"`
	}
	r.want(n, place, what)
	return 0
}

// ruleMembers are what a rule can have; those from the first effect on do something.
var (
	ruleMembers = append([]string{"tools", "except", "when", "unless", "mode", "name", "description", "code"}, effects...)
	effects     = []string{"deny", "approval", "rate", "concurrency", "timeout", "maxInputBytes", "maxOutputBytes", "redact", "audit"}
)

// maxBytes is the largest limit of sizes.
const maxBytes = 1<<31 - 1

func (r *reader) rule(n jsontape.Node, place string, d *Document) *rule {
	a := &rule{name: d.label + "#" + place, report: d.report}
	if !r.isObject(n, place) {
		return a
	}
	t := r.tape
	has := func(name string) bool { _, has := t.Member(n, name); return has }
	code, named := "", false
	r.members(n, place, ruleMembers, func(name string, n jsontape.Node, place string) {
		switch name {
		case "name":
			named = true
			a.name = r.text(n, place)
		case "description":
			r.text(n, place)
		case "tools":
			a.tools = r.selectors(n, place)
		case "except":
			a.except = r.selectors(n, place)
		case "when":
			a.when = r.condition(n, place, true)
		case "unless":
			a.unless = r.condition(n, place, false)
		case "mode":
			a.report = r.choice(n, place, "enforce", "report") == "report"
		case "deny":
			a.deny = r.denial(n, place)
		case "code":
			code = r.code(n, place)
		case "approval":
			a.approval = r.approval(n, place)
		case "rate":
			a.rate = r.rate(n, place)
		case "concurrency":
			a.concurrency = r.concurrency(n, place)
		case "timeout":
			a.timeout = r.duration(n, place, false)
		case "maxInputBytes":
			a.maxInput = r.whole(n, place, maxBytes)
		case "maxOutputBytes":
			a.maxOutput = r.whole(n, place, maxBytes)
		case "redact":
			a.redact = r.redactions(n, place)
		case "audit":
			a.audit = r.isTrue(n, place)
		}
	})
	if !has("tools") {
		r.fail(place, `needs to say which tools it is about: "tools": "*" is all`)
	}
	if has("code") && !has("deny") {
		r.fail(place+"/code", "is of a rule with deny")
	} else if a.deny != nil && code != "" {
		a.deny.code = code
	}
	if !d.closed && !slices.ContainsFunc(effects, has) {
		r.fail(place, "does nothing: it needs one of "+join(effects, ", "))
	}
	if named && a.name == "" {
		a.name = place
	}
	return a
}

func (r *reader) selectors(n jsontape.Node, place string) (all []selector) {
	if r.tape.Kind(n) != jsontape.Array {
		return []selector{r.selector(n, place)}
	}
	i := 0
	for e, end := r.tape.Children(n); e < end; e = r.tape.Next(e) {
		all = append(all, r.selector(e, place+"/"+itoa(int64(i))))
		i++
	}
	if i == 0 {
		r.fail(place, "names no tool")
	}
	return all
}

func (r *reader) selector(n jsontape.Node, place string) (s selector) {
	switch r.tape.Kind(n) {
	case jsontape.String:
		s.name = r.glob(n, place)
	case jsontape.Object:
		if r.tape.Len(n) == 0 {
			r.fail(place, "names no tool: it needs name, hint or both")
		}
		r.members(n, place, []string{"name", "hint"}, func(name string, n jsontape.Node, place string) {
			if name == "name" {
				s.name = r.glob(n, place)
			} else {
				s.hint = r.choice(n, place, hints...)
			}
		})
	default:
		r.want(n, place, `the name of a tool, {"hint": ...}, or an array of these`)
	}
	return s
}

func (r *reader) glob(n jsontape.Node, place string) string {
	if r.tape.Kind(n) == jsontape.String {
		if s := r.tape.Str(n); isGlob(s) {
			return s
		}
	}
	r.want(n, place, "a tool's name of letters, digits, _ . and -, in which * is any text")
	return ""
}

func (r *reader) denial(n jsontape.Node, place string) *denial {
	d := &denial{DeniedCode, deniedText}
	if r.tape.Kind(n) == jsontape.Bool {
		r.isTrue(n, place)
		return d
	}
	if r.tape.Kind(n) != jsontape.String {
		r.want(n, place, "a text for the agent, or true")
		return d
	}
	d.message = r.text(n, place)
	return d
}

func (r *reader) code(n jsontape.Node, place string) string {
	if r.tape.Kind(n) == jsontape.String {
		s := r.tape.Str(n)
		ok := len(s) > 0 && len(s) <= 64
		for i := range len(s) {
			c := s[i]
			ok = ok && (c >= 'A' && c <= 'Z' || i > 0 && (c >= '0' && c <= '9' || c == '_'))
		}
		if ok {
			return s
		}
	}
	r.want(n, place, `a code for programs, such as "TOO_MUCH": up to 64 of A-Z 0-9 _`)
	return ""
}

func (r *reader) approval(n jsontape.Node, place string) *Approval {
	a := new(Approval)
	switch r.tape.Kind(n) {
	case jsontape.Bool:
		r.isTrue(n, place)
		return a
	case jsontape.Object:
	default:
		r.want(n, place, "true, or an object with options")
		return a
	}
	r.members(n, place, []string{"title", "timeout", "hold", "remember", "edit", "verify"}, func(name string, n jsontape.Node, place string) {
		switch name {
		case "title":
			a.Title = r.text(n, place)
		case "timeout":
			a.Timeout = r.duration(n, place, true)
		case "hold":
			a.Hold = r.duration(n, place, true)
		case "remember":
			r.remember(n, place, &a.Remember)
		case "edit":
			if r.tape.Kind(n) != jsontape.Bool {
				r.want(n, place, "true or false")
			}
			a.Edit = r.tape.Bool(n)
		case "verify":
			a.Verify = r.choice(n, place, "passkey")
		}
	})
	return a
}

func (r *reader) remember(n jsontape.Node, place string, into *Remember) {
	switch r.tape.Kind(n) {
	case jsontape.Array:
		i := 0
		for e, end := r.tape.Children(n); e < end; e = r.tape.Next(e) {
			if at := place + "/" + itoa(int64(i)); r.tape.Kind(e) == jsontape.Array {
				r.want(e, at, `"call", "arguments", "tool" or {"by": ["/productId"]}`)
			} else {
				r.remember(e, at, into)
			}
			i++
		}
	case jsontape.Object:
		if _, has := r.tape.Member(n, "by"); !has {
			r.fail(place, "needs by, the arguments that count")
		}
		r.members(n, place, []string{"by"}, func(_ string, n jsontape.Node, place string) {
			if r.tape.Kind(n) != jsontape.Array || r.tape.Len(n) == 0 {
				r.want(n, place, `an array of JSON Pointers, such as ["/productId"]`)
				return
			}
			i := 0
			for e, end := r.tape.Children(n); e < end; e = r.tape.Next(e) {
				into.By = append(into.By, r.pointer(e, place+"/"+itoa(int64(i))))
				i++
			}
		})
	default:
		switch r.choice(n, place, "call", "arguments", "tool") {
		case "arguments":
			into.Arguments = true
		case "tool":
			into.Tool = true
		}
	}
}

func (r *reader) pointer(n jsontape.Node, place string) string {
	if r.tape.Kind(n) == jsontape.String {
		if s := r.tape.Str(n); isPointer(s) {
			return s
		}
	}
	r.want(n, place, `a JSON Pointer, such as "/productId"`)
	return ""
}

// isPointer reports whether a text is a JSON Pointer (RFC 6901) to something inside.
func isPointer(s string) bool {
	if s == "" || s[0] != '/' {
		return false
	}
	for i := range len(s) {
		if s[i] == '~' && (i+1 == len(s) || s[i+1] != '0' && s[i+1] != '1') {
			return false
		}
	}
	return true
}

// maxLimit is the largest limit of a rate, which remembers so many calls, and of calls
// at once.
const maxLimit = 99_999

// spans are how many milliseconds a rate can be about, and how texts say that.
var spans = []struct {
	name, text string
	span       int64
}{{"s", "a second", 1000}, {"min", "a minute", 60_000}, {"h", "an hour", 3_600_000}}

func spanOf(name string) (span int64, text string) {
	for _, s := range spans {
		if s.name == name {
			return s.span, s.text
		}
	}
	return 0, ""
}

func (r *reader) rate(n jsontape.Node, place string) *limiter {
	l := &limiter{limit: 1, span: 1}
	switch r.tape.Kind(n) {
	case jsontape.String:
		limit, rest, ok := number(r.tape.Str(n), 5)
		if per, slash := strings.CutPrefix(rest, "/"); ok && slash {
			l.limit = int(limit)
			if l.span, l.spanText = spanOf(per); l.span > 0 {
				return l
			}
		}
	case jsontape.Object:
		for _, name := range []string{"limit", "per"} {
			if _, has := r.tape.Member(n, name); !has {
				r.fail(place, "needs "+name)
			}
		}
		r.members(n, place, []string{"limit", "per", "of"}, func(name string, n jsontape.Node, place string) {
			switch name {
			case "limit":
				l.limit = int(r.whole(n, place, maxLimit))
			case "per":
				l.span, l.spanText = spanOf(r.choice(n, place, "s", "min", "h"))
			case "of":
				l.together = r.choice(n, place, "tool", "rule") == "rule"
			}
		})
		return l
	}
	r.want(n, place, `a text such as "30/min", with s, min or h and up to five digits, or {"limit": 30, "per": "min"}`)
	return l
}

func (r *reader) concurrency(n jsontape.Node, place string) *limiter {
	l := new(limiter)
	if r.tape.Kind(n) != jsontape.Object {
		l.limit = int(r.whole(n, place, maxLimit))
		return l
	}
	if _, has := r.tape.Member(n, "limit"); !has {
		r.fail(place, "needs limit")
	}
	r.members(n, place, []string{"limit", "of"}, func(name string, n jsontape.Node, place string) {
		if name == "limit" {
			l.limit = int(r.whole(n, place, maxLimit))
		} else {
			l.together = r.choice(n, place, "tool", "rule") == "rule"
		}
	})
	return l
}

func (r *reader) redactions(n jsontape.Node, place string) (all []redaction) {
	if !r.isObject(n, place) {
		return nil
	}
	t := r.tape
	for k, end := t.Children(n); k < end; k = t.Next(k + 1) {
		pointer := t.Str(k)
		at := place + "/" + jsontape.EscapeToken(pointer)
		if !isPointer(pointer) {
			r.fail(at, `is no JSON Pointer: write "/email", or "/cards/*/number" for each of a list`)
		}
		m := mask(slices.Index(maskNames[:], r.choice(k+1, at, maskNames[1:]...)))
		all = append(all, redaction{pointer, m})
	}
	if len(all) == 0 {
		r.fail(place, "names nothing to redact")
	}
	return all
}
