package policy

import (
	"github.com/webmcp-wasm/webmcp/hooks/schema"
	"github.com/webmcp-wasm/webmcp/internal/jsontape"
)

// Tool is what a policy knows of a tool: its name and what its contract hints at.
type Tool struct {
	Name             string
	ReadOnly         bool
	UntrustedContent bool
	Consequential    bool
	Debugging        bool
}

// document returns what the conditions on tools look at.
func (t *Tool) document() *schema.Document {
	text := jsontape.AppendString([]byte(`{"name":`), t.Name)
	text = append(text, `,"readOnlyHint":`+truth(t.ReadOnly)+`,"untrustedContentHint":`+truth(t.UntrustedContent)+
		`,"consequentialHint":`+truth(t.Consequential)+`,"debugging":`+truth(t.Debugging)+`}`...)
	d := new(schema.Document)
	_ = d.Read(text) // what cannot be read is unknown
	return d
}

//go:noinline
func truth(is bool) string {
	if is {
		return "true"
	}
	return "false"
}

// hinted reports whether a tool has a hint, as a selector calls it.
func (t *Tool) hinted(hint string) bool {
	switch hint[0] {
	case 'r':
		return t.ReadOnly
	case 'w': // writes
		return !t.ReadOnly
	case 'u':
		return t.UntrustedContent
	case 'c':
		return t.Consequential
	}
	return t.Debugging
}

// names reports whether selectors name a tool: a glob, an object whose members all name
// it, or a list of these, of which one is enough.
func (d *Document) names(n jsontape.Node, tool *Tool) bool {
	end := n + 1
	if d.tape.Kind(n) == jsontape.Array {
		n, end = d.children(n)
	}
	for ; n < end; n = d.next(n) {
		name, hint := d.text(n), d.str(n, "hint")
		if name == "" {
			name = d.str(n, "name")
		}
		if (name == "" || glob(name, tool.Name)) && (hint == "" || tool.hinted(hint)) {
			return true
		}
	}
	return false
}

// glob reports whether a name is what a pattern says, in which * stands for any text,
// also none.
func glob(pattern, name string) bool {
	p, n, star, mark := 0, 0, -1, 0 // the last star, and where in the name what it stands for ends
	for n < len(name) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, mark = p, n
			p++
		case p < len(pattern) && pattern[p] == name[n]:
			p++
			n++
		case star >= 0: // it stands for one more
			p, mark = star+1, mark+1
			n = mark
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}
