package policy

import "github.com/webmcp-wasm/webmcp/hooks/schema"

// Explanation says what would happen to a call, and why.
type Explanation struct {
	Tool    string
	Outcome string   // "allow", "ask" or "deny"
	Refusal *Finding // why it would be denied; nil otherwise
	Rules   []ExplainedRule
	Reports []Finding // what rules in report mode would have done

	// Of all rules that apply; 0 is no limit, and times are in milliseconds.
	Timeout, MaxInputBytes, MaxOutputBytes int64
	Redact                                 []string // such as "/email: email"
	Audit                                  bool

	text []byte // the same for programs
}

// ExplainedRule is a rule that names the tool.
type ExplainedRule struct {
	Rule    string // its name, or its place in its document
	Report  bool   // it is in report mode
	When    string // "met", "not met", or "unknown" with what it counts as; empty without one
	Unless  string // likewise
	Applies bool
	Effects []string // as the document says them, such as `rate "30/min"`
}

// Explain says what the policy would do to a call now. Nothing is counted. size is how
// many bytes the input has as JSON.
func (p *Policy) Explain(t Tool, now int64, size int, input *schema.Document, context *Context) *Explanation {
	var c Check
	e := &Explanation{Tool: t.Name}
	for _, f := range c.peek(p, &t, now, size, input, context) {
		e.Rules = append(e.Rules, ExplainedRule{f.name(), f.report, f.when, f.unless, f.applies, f.effects()})
	}
	e.Outcome, e.Refusal, e.Reports = c.outcome(), c.Refusal, c.Reports
	e.Timeout, e.MaxInputBytes, e.MaxOutputBytes = c.Timeout(), c.most(maxInput), c.MaxOutputBytes()
	e.Redact, e.Audit = c.redactions(), c.audits()
	w := &writer{[]byte{'{'}}
	new(Check).explain(w, p, &t, now, size, input, context, func(r *rule) { w.strings("effects", r.effects()) })
	w.strings("redact", e.Redact)
	w.end("}")
	e.text = w.text
	return e
}

// effects returns what the rule does, as its document says it.
func (r *rule) effects() (texts []string) {
	d := r.document
	for k, end := d.children(r.node); k < end; k = d.next(k + 1) {
		switch name := d.text(k); name {
		case "name", "tools", "except", "when", "unless", "mode", "description":
		default:
			texts = append(texts, name+" "+string(d.tape.AppendJSON(nil, k+1)))
		}
	}
	return texts
}

// redactions returns what is redacted of the result, such as "/email: email".
func (c *Check) redactions() (texts []string) {
	for r := c.walk(stops); r != nil; r = c.next() {
		d := r.document
		for k, end := d.children(r.redact); r.redact > 0 && k < end; k += 2 {
			texts = append(texts, d.text(k)+": "+d.text(k+1))
		}
	}
	return texts
}

// MarshalJSON returns the explanation for programs.
func (e *Explanation) MarshalJSON() ([]byte, error) { return e.text, nil }
