package policy

import (
	"slices"
	"strconv"

	"github.com/webmcp-wasm/webmcp/hooks/approval"
	"github.com/webmcp-wasm/webmcp/hooks/schema"
)

// Document is a policy document that was parsed. It is safe for concurrent use. The
// counts of its limits belong to it: in however many policies it is, it counts a call
// once.
type Document struct {
	rules  []*rule
	closed bool // default deny: what no rule without conditions names is denied
	report bool // nothing is stopped unless a rule says so
	label  string
}

// Options say how to parse a document.
type Options struct {
	// Label stands before the place of a rule wherever the rule is named, such as the
	// name of a file: "policy.json#/rules/2". It may be empty.
	Label string
	// Regexp compiles the patterns of conditions. Without it they are refused.
	Regexp schema.Regexp
}

// Issue is one thing that is wrong with a document.
type Issue struct {
	Place   string // a JSON Pointer; "" is the document itself
	Message string // what is wrong there, and what is meant
}

// String returns the issue in one line.
func (i Issue) String() string {
	if i.Place == "" {
		return "the policy " + i.Message
	}
	return i.Place + " " + i.Message
}

// MaxIssues is how many issues a ParseError lists.
const MaxIssues = 20

// ParseError says all that is wrong with a document, up to MaxIssues.
type ParseError struct{ Issues []Issue }

// Error returns the issues in one line.
func (e *ParseError) Error() string {
	text := "invalid policy: "
	for i, issue := range e.Issues {
		if i > 0 {
			text += "; "
		}
		text += issue.String()
	}
	return text
}

// rule is one rule of a document.
type rule struct {
	name   string // that it has, or its place
	tools  []selector
	except []selector
	report bool

	when   *condition // nil: always
	unless *condition // nil: never

	deny        *denial
	approval    *Approval
	rate        *limiter
	concurrency *limiter
	timeout     int64 // milliseconds; 0: none
	maxInput    int64 // bytes; 0: no limit
	maxOutput   int64 // bytes; 0: no limit
	redact      []redaction
	audit       bool
}

// denial is what a rule that denies says.
type denial struct{ code, message string }

// Approval is what a rule says about asking a human. Times are in milliseconds; 0 is
// the usual one, and Never no end.
type Approval struct {
	Title    string
	Timeout  int64
	Hold     int64
	Remember Remember
	Edit     bool
	Verify   string // "passkey", or "" for none
}

// Never is a time that does not end.
const Never = -1

// Remember says what a decision may be remembered for, beyond its call.
type Remember struct {
	Tool      bool
	Arguments bool
	By        []string // JSON Pointers to the arguments that count
}

// shorter returns the shorter of two times, of which 0 is the usual one.
func shorter(a, b, usual int64) int64 {
	length := func(t int64) int64 {
		switch t {
		case 0:
			return usual
		case Never:
			return 1<<63 - 1
		}
		return t
	}
	if length(b) < length(a) {
		return b
	}
	return a
}

// join adds what another rule says.
func (a *Approval) join(b *Approval) {
	if a.Title == "" || b.Title != "" && b.Title < a.Title { // of several, always the same
		a.Title = b.Title
	}
	a.Timeout = shorter(a.Timeout, b.Timeout, approval.Timeout/1_000_000)
	a.Hold = shorter(a.Hold, b.Hold, approval.Hold/1_000_000)
	a.Edit = a.Edit && b.Edit
	if a.Verify == "" {
		a.Verify = b.Verify
	}
	a.Remember.join(b.Remember)
}

// join leaves what both let be remembered.
func (r *Remember) join(s Remember) {
	r.Tool = r.Tool && s.Tool
	args := func(r *Remember) bool { return r.Arguments || len(r.By) > 0 }
	switch all := r.Arguments || s.Arguments; {
	case !args(r) || !args(&s):
		r.Arguments, r.By = false, nil
	case all: // who counts all arguments counts those of the other
		r.Arguments, r.By = true, nil
	default:
		r.By = append(r.By, s.By...)
		slices.Sort(r.By)
		r.By = slices.Compact(r.By)
	}
}

// about reports whether the rule is about a tool.
func (r *rule) about(t Tool) bool { return matches(r.tools, t) && !matches(r.except, t) }

// Codes of calls that a policy has ended, besides those that its rules say.
const (
	DeniedCode      = "POLICY_DENIED"
	RateCode        = "RATE_LIMITED"
	ConcurrencyCode = "CONCURRENCY_LIMITED"
	InputCode       = "INPUT_TOO_LARGE"
	OutputCode      = "OUTPUT_TOO_LARGE"
	RedactionCode   = "REDACTION_FAILED"
)

// Texts that agents read.
const (
	deniedText      = "the policy does not allow this call"
	unnamedText     = "the policy does not name this tool, and so allows no calls of it"
	concurrencyText = "too many calls of this kind are under way. Wait until one has ended"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
