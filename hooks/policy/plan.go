package policy

import (
	"slices"

	"github.com/webmcp-wasm/webmcp/hooks/schema"
)

// Key makes the mask hash: the same value has the same hash under one key, and nobody
// without the key can find the value by trying. It must be random, and stay secret.
type Key [16]byte

// Policy is all documents that hold. It never changes, and is safe for concurrent use.
type Policy struct {
	documents []*Document
	key       Key
}

// New returns the policy of some documents, in any order. One that is there twice
// counts once.
func New(key Key, documents ...*Document) *Policy {
	p := &Policy{key: key}
	for _, d := range documents {
		if !slices.Contains(p.documents, d) {
			p.documents = append(p.documents, d)
		}
	}
	return p
}

// And returns the policy of the documents of both, with the key of p.
func (p *Policy) And(q *Policy) *Policy {
	return New(p.key, append(slices.Clone(p.documents), q.documents...)...)
}

// Context is what conditions know of who uses the tools, such as their role. It never
// changes. Nil is one that nobody has given: what a condition says of it is unknown.
type Context struct{ document schema.Document }

// NewContext reads a context, which must be an object in JSON.
func NewContext(text []byte) (*Context, error) {
	c := new(Context)
	if err := c.document.Read([]byte(string(text))); err != nil {
		return nil, err
	}
	return c, nil
}

func (c *Context) doc() *schema.Document {
	if c == nil {
		return nil
	}
	return &c.document
}

// entry is a rule about a tool, with what of its conditions the tool has not decided.
type entry struct {
	*rule
	when, unless *condition
}

// onInput reports whether a condition looks at the input.
func (e *entry) onInput() bool {
	return e.when != nil && e.when.input != nil || e.unless != nil && e.unless.input != nil
}

// applies reports whether the conditions let the rule apply. What is nil is unknown.
func (e *entry) applies(context, input *schema.Document) bool {
	met := func(c *condition) bool { return c.holds(c.context, context) && c.holds(c.input, input) }
	return (e.when == nil || met(e.when)) && (e.unless == nil || !met(e.unless))
}

// decide looks at what the conditions say of the tool. Without ok, the rule never
// applies to it.
func decide(r *rule, tool *schema.Document) (e entry, ok bool) {
	e = entry{r, r.when, r.unless}
	if c := e.when; c != nil {
		if !c.holds(c.tool, tool) {
			return e, false
		}
		if c.input == nil && c.context == nil {
			e.when = nil
		}
	}
	if c := e.unless; c != nil {
		switch {
		case !c.holds(c.tool, tool):
			e.unless = nil
		case c.input == nil && c.context == nil:
			return e, false
		}
	}
	return e, true
}

// effect is what rules do to a call that goes on: limits, of which the smallest holds,
// and all else together.
type effect struct {
	timeout   int64 // milliseconds; 0: none
	maxInput  int64 // bytes; 0: no limit
	maxOutput int64 // bytes; 0: no limit
	approvals []*Approval
	redact    []redaction
	audit     bool
}

// least returns the smaller of two limits, of which 0 is none.
func least(a, b int64) int64 {
	if a == 0 || b > 0 && b < a {
		return b
	}
	return a
}

// add adds the effects of a rule.
func (e *effect) add(r *rule) {
	e.timeout = least(e.timeout, r.timeout)
	e.maxInput = least(e.maxInput, r.maxInput)
	e.maxOutput = least(e.maxOutput, r.maxOutput)
	if r.approval != nil {
		e.approvals = append(slices.Clip(e.approvals), r.approval)
	}
	if len(r.redact) > 0 {
		e.redact = append(slices.Clip(e.redact), r.redact...)
	}
	e.audit = e.audit || r.audit
}

// Plan is what a policy does with the calls of a tool, as far as the tool decides that.
// It never changes, and is safe for concurrent use.
type Plan struct {
	tool     Tool
	key      Key
	early    []entry // without a condition on the input
	late     []entry
	unnamed  bool // a document with default deny does not name the tool
	unsure   bool // the same, of one that only reports
	effect        // of all rules that stop something and have no condition
	redactor *redactor
}

// Plan returns the plan for a tool.
func (p *Policy) Plan(t Tool) *Plan {
	plan := &Plan{tool: t, key: p.key}
	var about *schema.Document // t, once a condition looks at it
	for _, d := range p.documents {
		named := false
		for _, r := range d.rules {
			if !r.about(t) {
				continue
			}
			// A rule with a condition is about some calls: it must not open the tool for all.
			named = named || r.when == nil && r.unless == nil && (!r.report || d.report)
			if about == nil && (r.when != nil || r.unless != nil) {
				about = t.document()
			}
			e, ok := decide(r, about)
			switch {
			case !ok:
				continue
			case e.onInput():
				plan.late = append(plan.late, e)
			default:
				plan.early = append(plan.early, e)
			}
			if e.when == nil && e.unless == nil && !r.report {
				plan.effect.add(r)
			}
		}
		if d.closed && !named {
			plan.unnamed = plan.unnamed || !d.report
			plan.unsure = plan.unsure || d.report
		}
	}
	plan.redactor = newRedactor(plan.effect.redact, p.key)
	return plan
}

// Gates reports whether Start has anything to decide. If not, the call may begin.
func (p *Plan) Gates() bool { return p.unnamed || p.unsure || len(p.early) > 0 || p.sizes(p.late) }

// Sizes reports whether Start wants to know how large the input is.
func (p *Plan) Sizes() bool { return p.sizes(p.early) || p.sizes(p.late) }

func (p *Plan) sizes(entries []entry) bool {
	return slices.ContainsFunc(entries, func(e entry) bool { return e.maxInput > 0 })
}

// Judges reports whether a condition looks at the input, so that Judge has anything to
// decide.
func (p *Plan) Judges() bool { return len(p.late) > 0 }

// Asks reports whether a human may have to approve calls.
func (p *Plan) Asks() bool {
	asks := func(e entry) bool { return e.approval != nil && !e.report }
	return slices.ContainsFunc(p.early, asks) || slices.ContainsFunc(p.late, asks)
}

// Timeout returns how many milliseconds each call may take, whatever its conditions
// are; 0 is no limit. With varies, a condition may lower it.
func (p *Plan) Timeout() (milliseconds int64, varies bool) {
	lowers := func(e entry) bool { return !e.report && e.timeout > 0 && (e.when != nil || e.unless != nil) }
	return p.timeout, slices.ContainsFunc(p.early, lowers) || slices.ContainsFunc(p.late, lowers)
}
