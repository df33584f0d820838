package policy

import (
	"github.com/webmcp-wasm/webmcp/hooks/schema"
	"github.com/webmcp-wasm/webmcp/internal/jsontape"
)

// Parse parses a policy document. An error is always a *ParseError, which says what is
// wrong with it, each with its place: an unknown member and a wrong type are errors,
// since a policy with a typing error must not pass for a laxer one.
//
// What a document may be, policy.schema.json says, and nothing here does once more:
// form is what Parse needs of it.
func Parse(text []byte, opts Options) (*Document, error) {
	limits.Lock()
	if compiled == nil {
		compiled, _ = compile([]byte(form), shaped, true) // a test compiles it
	}
	limits.Unlock()
	read := new(schema.Document)
	if _, err := compiled.ValidateInto(read, []byte(string(text))); err != nil {
		return nil, err
	}
	d := &Document{tape: read.Tape(), opts: opts}
	for n, end := d.children(d.member(jsontape.Root, "rules")); n < end; n = d.next(n) {
		d.rules = append(d.rules, d.rule(n, "/rules/"+itoa(int64(len(d.rules)))))
	}
	if d.wrong != nil {
		return nil, d.wrong
	}
	return d, nil
}

// compiled is form, once it is needed. It is guarded by limits.
var compiled *schema.Schema

// compile compiles the form of documents, or a condition.
//
//go:noinline
func compile(text []byte, regexp schema.Regexp, isForm bool) (*schema.Schema, error) {
	return schema.Compile(text, schema.Options{Regexp: regexp, Authored: isForm, NoDefaults: true, Condition: !isForm})
}

// rule reads a rule. It has the form that it must have, as all has that is read here.
func (d *Document) rule(n jsontape.Node, place string) *rule {
	mode := d.str(n, "mode")
	if mode == "" {
		mode = d.str(jsontape.Root, "mode")
	}
	return &rule{
		document: d, node: n, place: place,
		when:   d.condition(d.member(n, "when"), place+"/when"),
		unless: d.condition(d.member(n, "unless"), place+"/unless"),
		denies: d.member(n, "deny") > 0,
		report: mode == "report",
		asks:   d.member(n, "approval"),
		redact: d.member(n, "redact"),
		most:   [3]int64{milliseconds(d.str(n, "timeout")), d.number(n, "maxInputBytes"), d.number(n, "maxOutputBytes")},
		limits: [2]*limiter{d.limiter(d.member(n, "rate")), d.limiter(d.member(n, "concurrency"))},
	}
}

// has reports whether the rule has a member.
func (r *rule) has(name string) bool { return r.document.member(r.node, name) > 0 }

// The readers are kept out of line: the size of the code counts for more than its speed.

// member returns a member of an object; 0 where there is none, or no object.
//
//go:noinline
func (d *Document) member(n jsontape.Node, name string) jsontape.Node {
	v, _ := d.tape.Member(n, name)
	return v
}

// str returns a member that is a text, or "".
//
//go:noinline
func (d *Document) str(n jsontape.Node, name string) string {
	if n = d.member(n, name); n == 0 {
		return ""
	}
	return d.text(n)
}

// text returns a text, or "" for what is none.
//
//go:noinline
func (d *Document) text(n jsontape.Node) string {
	if d.tape.Kind(n) != jsontape.String {
		return ""
	}
	return d.tape.Str(n)
}

// number returns a member that is a number, or 0.
//
//go:noinline
func (d *Document) number(n jsontape.Node, name string) int64 {
	if n = d.member(n, name); n == 0 {
		return 0
	}
	return int64(d.tape.Float(n))
}

//go:noinline
func (d *Document) children(n jsontape.Node) (first, end jsontape.Node) { return d.tape.Children(n) }

//go:noinline
func (d *Document) next(n jsontape.Node) jsontape.Node { return d.tape.Next(n) }
