package policy

// AppendEffects appends, as an object in JSON, what rules without a condition do to each
// call: see effect.append. It has "sizes" where Start wants to know how large the input
// is, and "measures" where End wants the time and that of the result.
func (p *Plan) AppendEffects(dst []byte) []byte {
	w := writer{append(dst, '{')}
	p.effect.append(&w, p.redacts(), p.early, nil)
	if p.Sizes() {
		w.flag("sizes", true)
	}
	if p.watches() {
		w.flag("measures", true)
	}
	w.end("}")
	return w.text
}

// redacts reports whether each call has something to redact, or watches that.
func (p *Plan) redacts() bool {
	if p.redactor != nil {
		return true
	}
	for _, e := range p.early {
		if e.report && len(e.redact) > 0 && e.when == nil && e.unless == nil {
			return true
		}
	}
	return false
}

// watches reports whether a rule in report mode limits the size of results, or the time.
func (p *Plan) watches() bool {
	for _, list := range [...][]entry{p.early, p.late} {
		for _, e := range list {
			if e.report && (e.maxOutput > 0 || e.timeout > 0) {
				return true
			}
		}
	}
	return false
}

// Varies reports whether rules with a condition apply to the call, so that AppendEffects
// says more than that of the plan.
func (c *Check) Varies() bool { return c.varies }

// AppendEffects appends, as an object in JSON, what all rules do that apply to the call.
func (c *Check) AppendEffects(dst []byte) []byte {
	w := writer{append(dst, '{')}
	c.effect.append(&w, c.Redacts(), c.plan.early, c.acted)
	if c.plan.watches() {
		w.flag("measures", true)
	}
	w.end("}")
	return w.text
}

// append writes the effects: limits, in milliseconds and bytes, where there are any;
// whether something is to be redacted, and the call is in the audit log; how a human is
// asked; and the names of the rules.
func (e *effect) append(w *writer, redacts bool, early []entry, acted []*rule) {
	w.count("timeout", e.timeout)
	w.count("maxOutputBytes", e.maxOutput)
	if redacts {
		w.flag("redacts", true)
	}
	if e.audit {
		w.flag("audit", true)
	}
	if a := merged(e.approvals); a != nil {
		w.name("approval")
		w.put("{")
		w.optional("title", a.Title)
		w.optional("verify", a.Verify)
		w.span("timeout", a.Timeout)
		w.span("hold", a.Hold)
		w.flag("edit", a.Edit)
		w.flag("tool", a.Remember.Tool)
		w.flag("arguments", a.Remember.Arguments || len(a.Remember.By) > 0)
		if len(a.Remember.By) > 0 {
			w.strings("by", a.Remember.By)
		}
		w.end("},")
	}
	w.name("rules")
	w.put("[")
	for _, entry := range early {
		if !entry.report && entry.when == nil && entry.unless == nil {
			w.string(entry.name)
			w.put(",")
		}
	}
	for _, r := range acted {
		w.string(r.name)
		w.put(",")
	}
	w.end("],")
}

// span writes a member that is a time in milliseconds, unless it is the usual one; Never
// is 0.
func (w *writer) span(name string, t int64) {
	if t != 0 {
		w.name(name)
		w.put(itoa(max(t, 0)) + ",")
	}
}

// AppendJSON appends the finding as an object in JSON.
func (f *Finding) AppendJSON(dst []byte) []byte {
	w := writer{dst}
	f.write(&w)
	return w.text[:len(w.text)-1] // a comma
}
