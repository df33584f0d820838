package policy

import (
	"slices"
	"strings"

	"github.com/webmcp-wasm/webmcp/hooks/schema"
)

// Finding is what a rule has done to a call, or in report mode would have done.
type Finding struct {
	Rule    string // its name, or its place in its document
	Effect  string // the member of the rule, such as "rate"; "default" where no rule names the tool
	Code    string // for programs; empty for what ends no call
	Message string // for the agent
	Wait    int64  // in how many milliseconds a call may be let through; 0: nobody knows
}

// Check is the way of one call through the rules about its tool. The zero Check is not
// started. It is not safe for concurrent use.
type Check struct {
	plan     *Plan
	context  *schema.Document
	size     int64
	began    int64
	peeks    bool // it counts nowhere
	effect        // of all rules that apply
	redactor *redactor
	applied  []*rule     // in the stage under way
	all      []*rule     // in both stages
	judged   bool        // the second of them is under way
	acted    []*rule     // with a condition, in any stage
	varies   bool        // a rule with a condition applies
	held     []*window   // of limits of calls under way
	watched  []*rule     // in report mode: what is seen at the end
	asked    []*Approval // by rules that need no input
	ended    bool
	again    bool

	// Refusal says why Start or Judge has refused the call; nil otherwise.
	Refusal *Finding
	// Reports are what rules in report mode would have done.
	Reports []Finding
}

// Start begins a call, before its first hook. now is a clock in milliseconds that never
// goes back, size the bytes of the input as JSON, or -1 where that is not known, and
// context what is known of the user. It reports whether the call may go on. End must be
// called in any case.
func (c *Check) Start(p *Plan, now int64, size int, context *Context) bool {
	*c = Check{plan: p, context: context.doc(), size: int64(size), began: now, effect: p.effect, redactor: p.redactor, peeks: c.peeks, applied: c.applied[:0], all: c.all[:0], held: c.held[:0]}
	if p.unsure {
		c.report(Finding{Effect: "default", Code: DeniedCode, Message: unnamedText})
	}
	if p.unnamed {
		c.Refusal = &Finding{Effect: "default", Code: DeniedCode, Message: unnamedText}
	}
	goesOn := c.stage(p.early, nil, now)
	c.asked = c.approvals
	return goesOn
}

// Judge goes on behind validation, with the input as it is there; nil is one that JSON
// cannot say, of which nothing is known. It reports whether the call may go on.
func (c *Check) Judge(now int64, input *schema.Document) bool {
	c.applied = c.applied[:0]
	c.judged = true
	return c.stage(c.plan.late, input, now)
}

// Again is Judge once more, for an input that the human has changed. Nothing is counted
// or reported again, and what held for the first input still holds; Approval returns
// what rules say about asking with the new one.
func (c *Check) Again(now int64, input *schema.Document) bool {
	c.again = true
	c.approvals = c.asked
	return c.Judge(now, input)
}

// stage lets the rules apply whose conditions are met.
func (c *Check) stage(entries []entry, input *schema.Document, now int64) bool {
	before := len(c.effect.redact)
	for i := range entries {
		e := &entries[i]
		conditional := e.when != nil || e.unless != nil
		if conditional && !e.applies(c.context, input) {
			continue
		}
		c.applied = append(c.applied, e.rule)
		c.all = append(c.all, e.rule)
		if conditional && !e.report {
			c.effect.add(e.rule)
			c.acted = append(c.acted, e.rule)
		}
		c.varies = c.varies || conditional
	}
	if len(c.effect.redact) > before {
		c.redactor = newRedactor(c.effect.redact, c.plan.key)
	}
	limits.Lock()
	defer limits.Unlock()
	c.refuse(now)
	if c.again {
		return c.Refusal == nil
	}
	for _, r := range c.applied {
		if r.report {
			c.watch(r, now)
		} else if c.Refusal == nil {
			c.take(r, now)
		}
	}
	return c.Refusal == nil
}

// take counts the call where the rule limits calls.
func (c *Check) take(r *rule, now int64) {
	if c.peeks {
		return
	}
	if r.rate != nil {
		r.rate.take(c.plan.tool.Name, now)
	}
	if r.concurrency != nil {
		r.concurrency.take(c.plan.tool.Name, now)
		c.held = append(c.held, r.concurrency.of(c.plan.tool.Name))
	}
}

// refuse looks for a rule that ends the call. Of several, the order of rules does not
// decide which it is.
func (c *Check) refuse(now int64) {
	finds := []func(r *rule, now int64) *Finding{c.denied, c.oversized, c.rated, c.crowded}
	if c.again {
		finds = finds[:2] // the others count the call itself
	}
	for _, find := range finds {
		for _, r := range c.applied {
			if r.report {
				continue
			}
			if found := find(r, now); found != nil && (c.Refusal == nil || c.Refusal.after(found)) {
				c.Refusal = found
			}
		}
		if c.Refusal != nil {
			return
		}
	}
}

// after reports whether another finding of the same kind is to be told instead: the one
// with the longer wait, and then the first by its texts.
func (f *Finding) after(g *Finding) bool {
	if f.Wait != g.Wait {
		return g.Wait > f.Wait
	}
	by := func(f *Finding) string { return f.Code + "\x00" + f.Message + "\x00" + f.Rule }
	return strings.Compare(by(f), by(g)) > 0
}

func (c *Check) denied(r *rule, _ int64) *Finding {
	if r.deny == nil {
		return nil
	}
	return &Finding{Rule: r.name, Effect: "deny", Code: r.deny.code, Message: r.deny.message}
}

func (c *Check) oversized(r *rule, _ int64) *Finding {
	if r.maxInput == 0 || c.size >= 0 && c.size <= r.maxInput {
		return nil
	}
	return &Finding{
		Rule: r.name, Effect: "maxInputBytes", Code: InputCode,
		Message: "the input is too large, send less: the limit is " + itoa(r.maxInput) + " bytes",
	}
}

func (c *Check) rated(r *rule, now int64) *Finding {
	if r.rate == nil {
		return nil
	}
	full, wait := r.rate.full(c.plan.tool.Name, now)
	if !full {
		return nil
	}
	return &Finding{
		Rule: r.name, Effect: "rate", Code: RateCode, Wait: wait,
		Message: "the limit is " + r.rate.text() + ". Try again in " + itoa(Seconds(wait)) + " s",
	}
}

func (c *Check) crowded(r *rule, now int64) *Finding {
	if r.concurrency == nil {
		return nil
	}
	if full, _ := r.concurrency.full(c.plan.tool.Name, now); !full {
		return nil
	}
	return &Finding{Rule: r.name, Effect: "concurrency", Code: ConcurrencyCode, Message: concurrencyText}
}

// Seconds returns a time as agents are told it: in seconds, never too few.
func Seconds(milliseconds int64) int64 { return (milliseconds + 999) / 1000 }

func (c *Check) report(f Finding) { c.Reports = append(c.Reports, f) }

// watch notes what a rule in report mode would do. Its limits count what they would
// have let through.
func (c *Check) watch(r *rule, now int64) {
	stopped := c.Refusal != nil
	for _, find := range []func(r *rule, now int64) *Finding{c.denied, c.oversized, c.rated, c.crowded} {
		if found := find(r, now); found != nil {
			stopped = true
			c.report(*found)
		}
	}
	if r.approval != nil {
		c.report(Finding{Rule: r.name, Effect: "approval"})
	}
	if !stopped {
		c.take(r, now)
	}
	if r.timeout > 0 || r.maxOutput > 0 || len(r.redact) > 0 {
		c.watched = append(c.watched, r)
	}
}

// Timeout returns how many milliseconds the call may take, from Start on; 0 is no
// limit. Judge may lower it.
func (c *Check) Timeout() int64 { return c.timeout }

// MaxOutputBytes returns how large the result may be; 0 is no limit.
func (c *Check) MaxOutputBytes() int64 { return c.maxOutput }

// Approval returns, behind Judge, how a human is to be asked by all rules that say so;
// nil where none does. The shortest times hold, and what one of the rules does not let
// be remembered or edited is not.
func (c *Check) Approval() *Approval {
	return merged(c.approvals)
}

func merged(approvals []*Approval) *Approval {
	if len(approvals) == 0 {
		return nil
	}
	all := *approvals[0]
	all.Remember.By = slices.Clone(all.Remember.By)
	for _, a := range approvals[1:] {
		all.join(a)
	}
	return &all
}

// Redacts reports whether Redact must see the result.
func (c *Check) Redacts() bool {
	return c.redactor != nil || slices.ContainsFunc(c.watched, func(r *rule) bool { return len(r.redact) > 0 })
}

// Redact appends the result of the call as it goes out. result is the text of
// {"content": [...], ...}. The error says that it cannot be redacted: it must not go
// out then, and the text is dst.
func (c *Check) Redact(dst, result []byte) ([]byte, error) {
	for _, r := range c.watched {
		if watcher := newRedactor(r.redact, c.plan.key); watcher != nil {
			if err := watcher.result(new(writer), result); err != nil || watcher.changed {
				c.report(Finding{Rule: r.name, Effect: "redact"})
			}
		}
	}
	if c.redactor == nil {
		return append(dst, result...), nil
	}
	r, out := *c.redactor, writer{dst} // its own changed
	if err := r.result(&out, result); err != nil {
		return dst, err
	}
	return out.text, nil
}

// End ends the call, however that has come about: it is no longer under way. size is how
// large the result was, or -1 where there was none. It may be called again, to no
// effect.
func (c *Check) End(now int64, size int) {
	if c.ended || c.plan == nil {
		return
	}
	c.ended = true
	limits.Lock()
	for _, w := range c.held {
		w.running--
	}
	limits.Unlock()
	for _, r := range c.watched {
		if r.timeout > 0 && now-c.began >= r.timeout {
			c.report(Finding{Rule: r.name, Effect: "timeout"})
		}
		if r.maxOutput > 0 && int64(size) > r.maxOutput {
			c.report(Finding{Rule: r.name, Effect: "maxOutputBytes", Code: OutputCode})
		}
	}
}
