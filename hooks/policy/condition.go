package policy

import (
	"errors"

	"github.com/webmcp-wasm/webmcp/hooks/schema"
	"github.com/webmcp-wasm/webmcp/internal/jsontape"
)

// condition is a when or an unless: all of its parts must hold.
type condition struct {
	input, context, tool *schema.Schema // nil: nothing is said of it
	doubt                bool           // whether a part counts as holding that cannot be evaluated
}

// holds reports whether a part holds of a document; nil and one without a value are
// unknown.
func (c *condition) holds(part *schema.Schema, d *schema.Document) bool {
	if part == nil {
		return true
	}
	if d == nil {
		return c.doubt
	}
	holds, err := part.Holds(d)
	if err != nil {
		return c.doubt
	}
	return holds
}

// document returns what the conditions on tools look at.
func (t Tool) document() *schema.Document {
	w := writer{[]byte{'{'}}
	w.name("name")
	w.string(t.Name)
	w.put(",")
	w.flag("readOnlyHint", t.ReadOnly)
	w.flag("untrustedContentHint", t.UntrustedContent)
	w.flag("consequentialHint", t.Consequential)
	w.flag("debugging", t.Debugging)
	w.end("}")
	d := new(schema.Document)
	if d.Read(w.text) != nil {
		return nil
	}
	return d
}

// parts are the members of a condition's long form. None of them is a keyword of JSON
// Schema, so either of the forms has members that the other cannot have.
var parts = []string{"input", "context", "tool"}

// condition reads a when or an unless. doubt says how one counts that cannot be
// evaluated.
func (r *reader) condition(n jsontape.Node, place string, doubt bool) *condition {
	if !r.isObject(n, place) {
		return nil
	}
	c := &condition{doubt: doubt}
	long := false
	for _, part := range parts {
		_, has := r.tape.Member(n, part)
		long = long || has
	}
	if !long {
		c.input = r.schema(n, place, !doubt)
		return c
	}
	r.members(n, place, parts, func(name string, value jsontape.Node, place string) {
		s := r.schema(value, place, !doubt)
		switch name {
		case "input":
			c.input = s
		case "context":
			c.context = s
		case "tool":
			c.tool = s
		}
	})
	return c
}

// schema compiles a part of a condition, as it reads when one is strict or not.
func (r *reader) schema(n jsontape.Node, place string, strict bool) *schema.Schema {
	if !r.isObject(n, place) {
		return nil
	}
	if r.tape.Len(n) == 0 {
		r.fail(place, "is empty, and so says nothing: leave it out")
		return nil
	}
	opts := schema.Options{Regexp: r.opts.Regexp, NoDefaults: true, MaxInputBytes: -1}
	written, err := schema.Compile(r.tape.Raw(n), opts) // for what its author has got wrong, in their own places
	if err != nil {
		r.wrongSchema(err, place)
		return nil
	}
	for _, warning := range written.Warnings() {
		r.fail(place, "says what is not checked, and a condition must not: "+warning)
	}
	w := rewriter{reader: r, left: maxSchemas}
	var text writer
	w.schema(&text, n, place, strict)
	if w.refused {
		return nil
	}
	read, err := schema.Compile(text.text, opts)
	if err != nil {
		r.wrongSchema(err, place)
		return nil
	}
	return read
}

func (r *reader) wrongSchema(err error, place string) {
	var wrong *schema.CompileError
	if errors.As(err, &wrong) {
		r.fail(place+wrong.Pointer[1:], "is no condition: "+wrong.Message)
		return
	}
	r.fail(place, "is no condition: "+err.Error())
}
