package policy

import (
	"errors"

	"github.com/webmcp-wasm/webmcp/hooks/schema"
)

// Finding is what a rule has done to a call, or in report mode would have done.
type Finding struct {
	Rule    string // its name, or its place in its document
	Effect  string // the member of the rule, such as "rate"; "default" where no rule names the tool
	Code    string // for programs; empty for what ends no call
	Message string // for the agent
	Wait    int64  // in how many milliseconds a call may be let through; 0: nobody knows

	kind int
	_    incomparable
}

// Check is the way of one call through the rules about its tool. The zero Check is not
// started. It is not safe for concurrent use.
type Check struct {
	plan   *Plan
	of     documents
	size   int64
	began  int64
	state  []state // by entry of the plan
	at     int     // where walk is
	want   state   // what it looks for
	peeks  bool    // it counts nowhere
	ended  bool
	again  bool
	judged bool // Judge was called

	// Refusal says why Start or Judge has refused the call; nil otherwise.
	Refusal *Finding
	// Reports are what rules in report mode would have done.
	Reports []Finding
}

// state is what has become of a rule.
type state uint8

const (
	applies state = 1 << iota
	stops         // it applies, and is not in report mode
	current       // it applies in the stage under way
	asks          // it stops, and would also for the input as it is now
	holds         // it counts the call among those under way
	seen          // it counts for the audit log
	watched       // likewise, in report mode
)

// begins returns the state of a rule that applies.
func (r *rule) begins() state {
	if r.report {
		return applies
	}
	return applies | stops | asks
}

// walk returns the first rule in a state, and next the one after that; nil is the end.
//
//go:noinline
func (c *Check) walk(want state) *rule {
	c.at, c.want = -1, want
	return c.next()
}

//go:noinline
func (c *Check) next() *rule {
	for c.at++; c.at < len(c.state); c.at++ {
		if c.state[c.at]&c.want == c.want {
			return c.plan.entries[c.at].rule
		}
	}
	return nil
}

// Start begins a call, before its first hook. now is a clock in milliseconds that never
// goes back, size the bytes of the input as JSON, or -1 where that is not known, and
// context what is known of the user. It reports whether the call may go on. End must be
// called in any case.
func (c *Check) Start(p *Plan, now int64, size int, context *Context) bool {
	n := len(p.entries)
	if cap(c.state) < n {
		c.state = make([]state, n)
	}
	*c = Check{plan: p, size: int64(size), began: now, peeks: c.peeks, state: c.state[:n]}
	clear(c.state)
	c.of[ofTool] = p.about
	if context != nil {
		c.of[ofContext] = &context.document
	}
	if p.unsure {
		c.report(nil, "default", DeniedCode, unnamedText)
	}
	if p.unnamed {
		c.Refusal = &Finding{Effect: "default", Code: DeniedCode, Message: unnamedText}
	}
	return c.stage(false, now)
}

// Judge goes on behind validation, with the input as it is there; nil is one that JSON
// cannot say, of which nothing is known. It reports whether the call may go on.
func (c *Check) Judge(now int64, input *schema.Document) bool {
	c.of[ofInput], c.judged = input, true
	return c.stage(true, now)
}

// Again is Judge once more, for an input that the human has changed. Nothing is counted
// or reported again, and what held for the first input still holds; Approval returns
// what rules say about asking with the new one.
func (c *Check) Again(now int64, input *schema.Document) bool {
	c.again = true
	return c.Judge(now, input)
}

// stage lets the rules apply whose conditions are met.
func (c *Check) stage(late bool, now int64) bool {
	for i := range c.state {
		e := &c.plan.entries[i]
		s := c.state[i] &^ current
		if e.late == late {
			s &^= asks
			if (e.sure || e.applies(&c.of)) && !(c.again && e.report) {
				s |= e.begins() | current
			}
		}
		c.state[i] = s
	}
	limits.Lock()
	for r := c.walk(current | stops); r != nil; r = c.next() {
		c.against(r, now)
	}
	for r := c.walk(current); r != nil && !c.again; r = c.next() {
		stopped := c.Refusal != nil || c.peeks
		if r.report {
			stopped = c.against(r, now) || stopped
			if r.asks > 0 {
				c.report(r, "approval", "", "")
			}
		}
		for _, l := range r.limits {
			if l != nil && !stopped { // in report mode too, they count what they would have let through
				l.pass(c.plan.tool.Name, now, 1)
				if l.span == 0 {
					c.state[c.at] |= holds
				}
			}
		}
	}
	limits.Unlock()
	return c.Refusal == nil
}

// The kinds of what ends a call, in the order in which they are told.
const (
	byDenial = iota
	bySize
	byRate
	byConcurrency
	allKinds
)

// against notes what a rule has against the call, and reports whether there is anything.
// Of several rules that end the call, their order does not decide which is told.
func (c *Check) against(r *rule, now int64) (stops bool) {
	for kind := byDenial; kind < allKinds && !(c.again && kind > bySize); kind++ { // the others count the call itself
		if f := c.find(kind, r, now); f != nil {
			stops = true
			if r.report {
				c.add(f)
			} else if c.Refusal == nil || c.Refusal.after(f) {
				c.Refusal = f
			}
		}
	}
	return stops
}

// find returns what a rule has against the call, or nil.
func (c *Check) find(kind int, r *rule, now int64) *Finding {
	effect, code, message, wait := "deny", DeniedCode, deniedText, int64(0)
	switch kind {
	case byDenial:
		if !r.denies {
			return nil
		}
		if s := r.document.str(r.node, "code"); s != "" {
			code = s
		}
		if s := r.document.str(r.node, "deny"); s != "" {
			message = s
		}
	case bySize:
		most := r.most[maxInput]
		if most == 0 || c.size >= 0 && c.size <= most {
			return nil
		}
		effect, code, message = "maxInputBytes", InputCode, "the input is too large, send less: the limit is "+itoa(most)+" bytes"
	default:
		l := r.limits[kind-byRate]
		if l == nil {
			return nil
		}
		passes := false
		if wait, passes = l.pass(c.plan.tool.Name, now, 0); passes {
			return nil
		}
		effect, code, message = "concurrency", ConcurrencyCode, concurrencyText
		if kind == byRate {
			effect, code, message = "rate", RateCode, "the limit is "+l.text()+". Try again in "+itoa(Seconds(wait))+" s"
		}
	}
	return &Finding{Rule: r.name(), Effect: effect, Code: code, Message: message, Wait: wait, kind: kind}
}

// name returns the name of the rule, or its place.
func (r *rule) name() string {
	if s := r.document.str(r.node, "name"); s != "" {
		return s
	}
	return r.document.opts.Label + "#" + r.place
}

// after reports whether another finding is to be told instead: the one that comes first
// of the kinds, with the longer wait, and then the first by its texts.
func (f *Finding) after(g *Finding) bool {
	if f.kind != g.kind {
		return f.kind > g.kind
	}
	if f.Wait != g.Wait {
		return g.Wait > f.Wait
	}
	return f.texts() > g.texts()
}

//go:noinline
func (f *Finding) texts() string { return f.Code + "\x00" + f.Message + "\x00" + f.Rule }

// Seconds returns a time as agents are told it: in seconds, never too few.
func Seconds(milliseconds int64) int64 { return (milliseconds + 999) / 1000 }

// report notes what would have been by a rule in report mode; nil is none.
//
//go:noinline
func (c *Check) report(r *rule, effect, code, message string) {
	f := &Finding{Effect: effect, Code: code, Message: message}
	if r != nil {
		f.Rule = r.name()
	}
	c.add(f)
}

//go:noinline
func (c *Check) add(f *Finding) { c.Reports = append(c.Reports, *f) }

// Timeout returns how many milliseconds the call may take, from Start on; 0 is no
// limit. Judge may lower it.
func (c *Check) Timeout() int64 { return c.most(timeout) }

// MaxOutputBytes returns how large the result may be; 0 is no limit.
func (c *Check) MaxOutputBytes() int64 { return c.most(maxOutput) }

func (c *Check) most(of int) (most int64) {
	for r := c.walk(stops); r != nil; r = c.next() {
		most = least(most, r.most[of])
	}
	return most
}

// Redacts reports whether Redact must see the result.
func (c *Check) Redacts() bool {
	for r := c.walk(applies); r != nil; r = c.next() {
		if r.redact > 0 {
			return true
		}
	}
	return false
}

// Unredactable is what a log says of an output that does not go out.
const Unredactable = "the output is not JSON, and so cannot be redacted"

var errUnreadable = errors.New(Unredactable)

// Redact appends the result of the call as it goes out. result is the text of
// {"content": [...], ...}. The error says that it cannot be redacted: it must not go
// out then, and the text is dst.
func (c *Check) Redact(dst, result []byte) ([]byte, error) {
	redacts := false
	for r := c.walk(applies); r != nil; r = c.next() {
		if r.redact > 0 && r.report {
			if watcher := c.redactor(r, nil, result); watcher.unreadable || watcher.changed {
				c.report(r, "redact", "", "")
			}
		}
		redacts = redacts || r.redact > 0 && !r.report
	}
	if !redacts {
		return append(dst, result...), nil
	}
	r := c.redactor(nil, dst, result)
	if r.unreadable {
		return dst, errUnreadable
	}
	return r.text, nil
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
	for r := c.walk(holds); r != nil; r = c.next() {
		r.limits[1].pass(c.plan.tool.Name, now, -1)
	}
	limits.Unlock()
	for r := c.walk(applies); r != nil; r = c.next() {
		if !r.report {
			continue
		}
		if most := r.most[timeout]; most > 0 && now-c.began >= most {
			c.report(r, "timeout", "", "")
		}
		if most := r.most[maxOutput]; most > 0 && int64(size) > most {
			c.report(r, "maxOutputBytes", OutputCode, "")
		}
	}
}
