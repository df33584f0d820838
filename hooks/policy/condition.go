package policy

import (
	"github.com/webmcp-wasm/webmcp/hooks/schema"
	"github.com/webmcp-wasm/webmcp/internal/jsontape"
)

// The parts of a condition: what its schemas look at.
const (
	ofTool = iota
	ofContext
	ofInput
)

// parts are the members of a condition's long form. None of them is a keyword of JSON
// Schema, so either of the forms has members that the other cannot have.
var parts = [...]string{"tool", "context", "input"}

// documents are what a condition looks at, by part; nil is unknown.
type documents [3]*schema.Document

// condition is a when or an unless: all of its parts must hold; nil says nothing. A when
// holds unless it certainly does not: so is a call denied, or asked about, that might be
// meant. An unless holds only if it certainly does: only who certainly is an admin is
// let through.
type condition [3]*schema.Schema

// holds reports whether the condition holds, read strictly or not.
func (c *condition) holds(of *documents, strict bool) bool {
	for i, part := range c {
		if !part.Holds(of[i], strict) {
			return false
		}
	}
	return true
}

// applies reports whether the conditions of a rule let it apply.
func (r *rule) applies(of *documents) bool {
	return (r.when == nil || r.when.holds(of, false)) && (r.unless == nil || !r.unless.holds(of, true))
}

// condition compiles a when or an unless.
func (d *Document) condition(n jsontape.Node, place string) *condition {
	if n == 0 {
		return nil
	}
	c, short := new(condition), true
	for i, part := range parts {
		if v := d.member(n, part); v > 0 {
			short = false
			c[i] = d.schema(v, place+"/"+part)
		}
	}
	if short {
		c[ofInput] = d.schema(n, place)
	}
	return c
}

func (d *Document) schema(n jsontape.Node, place string) *schema.Schema {
	s, err := compile(d.tape.Raw(n), d.opts.Regexp, false)
	if err != nil && d.wrong == nil {
		invalid := err.(*schema.CompileError) // it always is
		d.wrong = &ParseError{Issues: []Issue{{Path: place + invalid.Pointer[1:], Expected: "is no condition: " + invalid.Message}}}
	}
	return s
}
