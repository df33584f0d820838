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
	if c.Refusal != nil {
		return "deny"
	}
	for r := c.walk(asks); r != nil; r = c.next() {
		if r.asks > 0 {
			return "ask"
		}
	}
	return "allow"
}

// AppendExplanation appends, as an object in JSON, what the policy would do to a call now,
// and what the call makes of each rule about its tool: see Explanation. What a rule says
// is there as its document has it, as "says". Nothing is counted. size is how many bytes
// the input has as JSON.
func (p *Policy) AppendExplanation(dst []byte, t Tool, now int64, size int, input *schema.Document, context *Context) []byte {
	w := &writer{append(dst, '{')}
	new(Check).explain(w, p, &t, now, size, input, context, func(r *rule) {
		w.name("says")
		w.node(r.document.tape, r.node)
	})
	w.end("}")
	return w.text
}

// explain writes the members of an explanation. says writes those of a rule that are what
// it says.
func (c *Check) explain(w *writer, p *Policy, t *Tool, now int64, size int, input *schema.Document, context *Context, says func(r *rule)) {
	facts := c.peek(p, t, now, size, input, context)
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
		says(f.rule)
		w.end("},")
	}
	w.end("],")
	w.name("reports")
	w.text = c.AppendReports(w.text)
	w.put(",")
	w.count("timeout", c.Timeout())
	w.count("maxInputBytes", c.most(maxInput))
	w.count("maxOutputBytes", c.MaxOutputBytes())
	w.flag("audit", c.audits())
}
