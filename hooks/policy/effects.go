package policy

// AppendEffects appends, as an object in JSON, what rules without a condition do to each
// call, as that of a Check.
func (p *Plan) AppendEffects(dst []byte) []byte {
	c := Check{plan: p, state: make([]state, len(p.entries))}
	for i := range c.state {
		if e := &p.entries[i]; e.sure {
			c.state[i] = e.begins()
		}
	}
	return c.AppendEffects(dst)
}

// Varies reports whether rules with a condition apply to the call, so that AppendEffects
// says something else than that of the plan.
func (c *Check) Varies() bool {
	varies := false
	for i, s := range c.state {
		varies = varies || s&applies > 0 && !c.plan.entries[i].sure
	}
	return varies
}

// AppendEffects appends, as an object in JSON, what all rules do that apply to the call:
// limits, in milliseconds and bytes, where there are any; whether something is to be
// redacted; as "approvals" what each rule says that has a human asked; and the names of the
// rules. It has "sizes" where Start wants to know how large the input is, and "measures"
// where End wants the time and the size of the result.
func (c *Check) AppendEffects(dst []byte) []byte {
	w := &writer{append(dst, '{')}
	w.count("timeout", c.Timeout())
	w.count("maxOutputBytes", c.MaxOutputBytes())
	w.isTrue("redacts", c.Redacts())
	w.isTrue("sizes", c.plan.sizes)
	w.isTrue("measures", c.plan.measures)
	w.name("approvals")
	w.put("[")
	for r := c.walk(asks); r != nil; r = c.next() {
		if r.asks > 0 {
			w.node(r.document.tape, r.asks)
			w.put(",")
		}
	}
	w.end("],")
	w.name("rules")
	w.put("[")
	for _, name := range c.Rules() {
		w.string(name)
		w.put(",")
	}
	w.end("]")
	w.end("}")
	return w.text
}

// audits reports whether the call is to be in the audit log.
func (c *Check) audits() bool {
	for r := c.walk(applies); r != nil; r = c.next() {
		if r.has("audit") {
			return true
		}
	}
	return false
}

// isTrue writes a member that is true, or nothing.
//
//go:noinline
func (w *writer) isTrue(name string, is bool) {
	if is {
		w.flag(name, true)
	}
}

// AppendJSON appends the finding as an object in JSON.
func (f *Finding) AppendJSON(dst []byte) []byte {
	w := writer{append(dst, '{')}
	w.optional("effect", f.Effect)
	w.optional("rule", f.Rule)
	w.optional("code", f.Code)
	w.optional("message", f.Message)
	w.count("retryAfter", Seconds(f.Wait))
	w.end("}")
	return w.text
}

// AppendReports appends Reports as a list in JSON.
func (c *Check) AppendReports(dst []byte) []byte {
	w := writer{append(dst, '[')}
	for i := range c.Reports {
		w.text = append(c.Reports[i].AppendJSON(w.text), ',')
	}
	w.end("]")
	return w.text
}
