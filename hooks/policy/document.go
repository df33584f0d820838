package policy

import (
	"strconv"

	"github.com/webmcp-wasm/webmcp/hooks/schema"
	"github.com/webmcp-wasm/webmcp/internal/jsontape"
)

// Version is the version of the documents that there are.
const Version = 1

// Document is a policy document that was parsed. It is safe for concurrent use. The
// counts of its limits belong to it: in however many policies it is, it counts a call
// once.
type Document struct {
	tape  *jsontape.Tape
	opts  Options
	rules []*rule
	wrong *ParseError // while it is parsed: of its first wrong condition
}

// Options say how to parse a document.
type Options struct {
	// Label stands before the place of a rule wherever the rule is named, such as the
	// name of a file: "policy.json#/rules/2". It may be empty.
	Label string
	// Regexp compiles the patterns of conditions. Without it they are refused.
	Regexp schema.Regexp
}

// ParseError says what is wrong with a document: with its form, or once that is right,
// with the first condition that is wrong.
type ParseError = schema.ValidationError

// Issue is one thing that is wrong with a document. Its Path is a JSON Pointer; "" is the
// document itself.
type Issue = schema.Issue

// rule is one rule of a document. What is seldom asked of it is read where it is.
type rule struct {
	document     *Document
	node         jsontape.Node
	place        string     // of the node
	when, unless *condition // nil: always; never
	denies       bool
	report       bool
	asks, redact jsontape.Node // 0: it does not
	most         [3]int64      // 0: no limit
	limits       [2]*limiter   // of a rate, of concurrency; nil: none

	_ incomparable
}

// incomparable is in what nobody compares: the code for that would weigh something in
// a page.
type incomparable [0]func()

// What a rule says most of.
const (
	timeout   = iota // milliseconds
	maxInput         // bytes
	maxOutput        // bytes
)

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

//go:noinline
func itoa(n int64) string { return strconv.FormatInt(n, 10) }
