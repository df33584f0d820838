package policy

import "github.com/webmcp-wasm/webmcp/internal/jsontape"

// What the audit log is told of a call. A rule in report mode has a part in it, too: the
// log is where one sees what the rule would have done. So its audit counts, and what it
// redacts is masked there.

// Logs reports whether calls may have to be in the audit log.
func (p *Plan) Logs() bool {
	for _, list := range [...][]entry{p.early, p.late} {
		for _, e := range list {
			if e.audit || e.report {
				return true
			}
		}
	}
	return p.unsure
}

// Masks reports whether something may have to be masked in the audit log.
func (p *Plan) Masks() bool {
	for _, list := range [...][]entry{p.early, p.late} {
		for _, e := range list {
			if len(e.redact) > 0 {
				return true
			}
		}
	}
	return false
}

// Started reports whether Start was called.
func (c *Check) Started() bool { return c.plan != nil }

// Logged reports, behind End, whether the call has to be in the audit log: a rule that
// applies says so, or one in report mode would have done something.
func (c *Check) Logged() bool {
	for _, r := range c.maybe() {
		if r.audit {
			return true
		}
	}
	return len(c.Reports) > 0
}

// Masked reports whether something has to be masked in the audit log; further, whether
// that is more than Redact has masked in the result.
func (c *Check) Masked() (masked, further bool) {
	for _, r := range c.maybe() {
		masked = masked || len(r.redact) > 0
		further = further || len(r.redact) > 0 && r.report
	}
	return masked, further
}

// Mask appends a value in JSON, the input, as it may be in the audit log. The error says
// that it cannot be masked: it must not be there, and the text is dst.
func (c *Check) Mask(dst, text []byte) ([]byte, error) {
	t := new(jsontape.Tape)
	if t.Parse(text) != nil {
		return dst, errUnreadable
	}
	r, out := newRedactor(c.masks(false), c.plan.key), writer{dst}
	if r == nil {
		return append(dst, text...), nil
	}
	if err := r.outermost(&out, t, jsontape.Root, []*branch{r.root}, none); err != nil {
		return dst, err
	}
	return out.text, nil
}

// MaskResult is Mask for a result that Redact has let out.
func (c *Check) MaskResult(dst, result []byte) ([]byte, error) {
	r, out := newRedactor(c.masks(true), c.plan.key), writer{dst}
	if r == nil {
		return append(dst, result...), nil
	}
	if err := r.result(&out, result); err != nil {
		return dst, err
	}
	return out.text, nil
}

// masks returns what all rules redact that may apply; with reports, what those in report
// mode do.
func (c *Check) masks(reports bool) (all []redaction) {
	for _, r := range c.maybe() {
		if r.report || !reports {
			all = append(all, r.redact...)
		}
	}
	return all
}

// maybe returns the rules that apply to the call, and as long as nobody has looked at the
// input those that might: what is not known counts for the log, and for masks.
func (c *Check) maybe() []*rule {
	rules := c.all
	if !c.judged {
		for _, e := range c.plan.late {
			rules = append(rules[:len(rules):len(rules)], e.rule)
		}
	}
	return rules
}

// Rules returns the names of the rules that apply to the call, without those that only
// report.
func (c *Check) Rules() (names []string) {
	for _, r := range c.all {
		if !r.report {
			names = append(names, r.name)
		}
	}
	return names
}
