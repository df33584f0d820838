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
}

// ExplainedRule is a rule that names the tool.
type ExplainedRule struct {
	Rule    string // its name, or its place in its document
	Report  bool   // it is in report mode
	When    string // "met", "not met", or "unknown" with what it counts as; empty without one
	Unless  string // likewise
	Applies bool
	Effects []string // in words
}

// Explain says what the policy would do to a call now. Nothing is counted. size is how
// many bytes the input has as JSON.
func (p *Policy) Explain(t Tool, now int64, size int, input *schema.Document, context *Context) *Explanation {
	plan, about := p.Plan(t), t.document()
	e := &Explanation{Tool: t.Name, Outcome: "allow"}
	for _, d := range p.documents {
		for _, r := range d.rules {
			if r.about(t) {
				e.Rules = append(e.Rules, explained(r, about, input, context.doc()))
			}
		}
	}
	c := Check{peeks: true}
	goesOn := c.Start(plan, now, size, context) && c.Judge(now, input)
	switch {
	case !goesOn:
		e.Outcome, e.Refusal = "deny", c.Refusal
	case len(c.approvals) > 0:
		e.Outcome = "ask"
	}
	e.Reports = c.Reports
	e.Timeout, e.MaxInputBytes, e.MaxOutputBytes, e.Audit = c.timeout, c.maxInput, c.maxOutput, c.audit
	e.Redact = redactionTexts(c.redact)
	return e
}

func redactionTexts(redactions []redaction) (texts []string) {
	for _, r := range redactions {
		texts = append(texts, r.pointer+": "+maskNames[r.mask])
	}
	return texts
}

func explained(r *rule, tool, input, context *schema.Document) ExplainedRule {
	e := ExplainedRule{Rule: r.name, Report: r.report, Effects: r.texts()}
	met := func(c *condition) (string, bool) {
		holds := c.holds(c.tool, tool) && c.holds(c.context, context) && c.holds(c.input, input)
		text := "met"
		if !holds {
			text = "not met"
		}
		if c.context != nil && context == nil || c.input != nil && input == nil {
			text = "unknown, counts as " + text
		}
		return text, holds
	}
	e.Applies = true
	if r.when != nil {
		e.When, e.Applies = met(r.when)
	}
	if r.unless != nil {
		text, holds := met(r.unless)
		e.Unless, e.Applies = text, e.Applies && !holds
	}
	return e
}

// texts says in words what a rule does.
func (r *rule) texts() (texts []string) {
	add := func(text string) { texts = append(texts, text) }
	if r.deny != nil {
		add("deny " + r.deny.code + ": " + r.deny.message)
	}
	if a := r.approval; a != nil {
		text := "approval"
		if a.Verify != "" {
			text += " with a " + a.Verify
		}
		add(text)
	}
	if r.rate != nil {
		add("rate " + r.rate.text())
	}
	if l := r.concurrency; l != nil {
		text := "concurrency " + itoa(int64(l.limit))
		if l.together {
			text += " of these tools"
		}
		add(text)
	}
	for _, limit := range []struct {
		name, unit string
		most       int64
	}{{"timeout", " ms", r.timeout}, {"maxInputBytes", "", r.maxInput}, {"maxOutputBytes", "", r.maxOutput}} {
		if limit.most > 0 {
			add(limit.name + " " + itoa(limit.most) + limit.unit)
		}
	}
	for _, text := range redactionTexts(r.redact) {
		add("redact " + text)
	}
	if r.audit {
		add("audit")
	}
	return texts
}

// MarshalJSON returns the explanation for programs.
func (e *Explanation) MarshalJSON() ([]byte, error) {
	w := writer{[]byte{'{'}}
	w.optional("tool", e.Tool)
	w.optional("outcome", e.Outcome)
	if e.Refusal != nil {
		w.name("refusal")
		e.Refusal.write(&w)
	}
	w.name("rules")
	w.put("[")
	for _, r := range e.Rules {
		mode := "enforce"
		if r.Report {
			mode = "report"
		}
		w.put("{")
		w.optional("rule", r.Rule)
		w.optional("mode", mode)
		w.flag("applies", r.Applies)
		w.optional("when", r.When)
		w.optional("unless", r.Unless)
		w.strings("effects", r.Effects)
		w.end("},")
	}
	w.end("],")
	w.name("reports")
	w.put("[")
	for _, f := range e.Reports {
		f.write(&w)
	}
	w.end("],")
	w.count("timeout", e.Timeout)
	w.count("maxInputBytes", e.MaxInputBytes)
	w.count("maxOutputBytes", e.MaxOutputBytes)
	w.strings("redact", e.Redact)
	w.flag("audit", e.Audit)
	w.end("}")
	return w.text, nil
}

func (f *Finding) write(w *writer) {
	w.put("{")
	w.optional("effect", f.Effect)
	w.optional("rule", f.Rule)
	w.optional("code", f.Code)
	w.optional("message", f.Message)
	w.count("retryAfter", Seconds(f.Wait))
	w.end("},")
}
