package policy

// What the audit log is told of a call. A rule in report mode has a part in it, too: the
// log is where one sees what the rule would have done. So its audit counts, and what it
// redacts is masked there.

// Logs reports whether calls may have to be in the audit log.
func (p *Plan) Logs() bool {
	for i := range p.entries {
		if e := &p.entries[i]; e.report || e.has("audit") {
			return true
		}
	}
	return p.unsure
}

// Masks reports whether something may have to be masked in the audit log.
func (p *Plan) Masks() bool {
	for i := range p.entries {
		if p.entries[i].redact > 0 {
			return true
		}
	}
	return false
}

// Started reports whether Start was called.
func (c *Check) Started() bool { return c.plan != nil }

// Log reports, behind End, whether the call has to be in the audit log: a rule that applies
// says so, or one in report mode would have done something; whether something has to be
// masked there; and whether that is more than Redact has masked in the result. As long as
// nobody has looked at the input, rules count that might apply: what is not known counts
// for the log, and for masks.
func (c *Check) Log() (logged, masked, further bool) {
	logged = len(c.Reports) > 0
	for i := range c.state {
		e := &c.plan.entries[i]
		if c.state[i]&applies == 0 && (c.judged || !e.late) {
			continue
		}
		c.state[i] |= seen
		if e.report {
			c.state[i] |= watched
		}
		logged = logged || e.has("audit")
		masked = masked || e.redact > 0
		further = further || e.redact > 0 && e.report
	}
	return logged, masked, further
}

// Mask appends, behind Log, what may be in the audit log of a value in JSON, such as the
// input; or of a result that Redact has let out. The error says that it cannot be masked:
// it must not be there, and the text is dst.
func (c *Check) Mask(dst, text []byte, isResult bool) ([]byte, error) {
	r, from := &redactor{check: c, want: seen, writer: writer{dst}}, outermost
	if isResult {
		r.want, from = watched, result
	}
	if r.read(text, from); r.unreadable {
		return dst, errUnreadable
	}
	return r.text, nil
}

// Rules returns the names of the rules that apply to the call, without those that only
// report.
func (c *Check) Rules() (names []string) {
	for r := c.walk(stops); r != nil; r = c.next() {
		names = append(names, r.name())
	}
	return names
}
