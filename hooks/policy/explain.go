package policy

import "github.com/webmcp-wasm/webmcp/hooks/schema"

// fact is what a call makes of a rule about its tool.
type fact struct {
	*rule
	when, unless string // verdicts
	applies      bool
}

// peek is Start and Judge for a call that is not made: nothing counts it. It returns what
// the call makes of each rule about the tool.
func (c *Check) peek(p *Policy, t *Tool, now int64, size int, input *schema.Document, context *Context) (facts []fact) {
	c.peeks = true
	if c.Start(p.Plan(*t), now, size, context) {
		c.Judge(now, input)
	}
	c.of[ofInput] = input
	for _, d := range p.documents {
		for _, r := range d.rules {
			if r.about(t) {
				facts = append(facts, fact{r, r.when.verdict(&c.of, "met"), r.unless.verdict(&c.of, "not met"), r.applies(&c.of)})
			}
		}
	}
	return facts
}

// verdict says whether a condition is met, and if nobody knows what that counts as.
func (c *condition) verdict(of *documents, unknown string) string {
	switch {
	case c == nil:
		return ""
	case c.holds(of, true):
		return "met"
	case !c.holds(of, false):
		return "not met"
	}
	return "unknown, counts as " + unknown
}

// outcome says what would become of the call.
func (c *Check) outcome() string {
	switch {
	case c.Refusal != nil:
		return "deny"
	case c.Approval() != nil:
		return "ask"
	}
	return "allow"
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

// AppendExplanation appends, as an object in JSON, what the policy would do to a call now,
// and what the call makes of each rule about its tool: see Explanation. Nothing is
// counted. size is how many bytes the input has as JSON.
func (p *Policy) AppendExplanation(dst []byte, t Tool, now int64, size int, input *schema.Document, context *Context) []byte {
	var c Check
	facts := c.peek(p, &t, now, size, input, context)
	w := &writer{append(dst, '{')}
	w.optional("tool", t.Name)
	w.optional("outcome", c.outcome())
	if c.Refusal != nil {
		w.name("refusal")
		w.text = c.Refusal.AppendJSON(w.text)
		w.put(",")
	}
	w.name("rules")
	w.put("[")
	for i := range facts {
		f := &facts[i]
		mode := "enforce"
		if f.report {
			mode = "report"
		}
		w.put("{")
		w.optional("rule", f.name())
		w.optional("mode", mode)
		w.flag("applies", f.applies)
		w.optional("when", f.when)
		w.optional("unless", f.unless)
		w.strings("effects", f.effects())
		w.end("},")
	}
	w.end("],")
	w.name("reports")
	w.text = c.AppendReports(w.text)
	w.put(",")
	w.count("timeout", c.Timeout())
	w.count("maxInputBytes", c.most(maxInput))
	w.count("maxOutputBytes", c.MaxOutputBytes())
	w.strings("redact", c.redactions())
	w.flag("audit", c.audits())
	w.end("}")
	return w.text
}
