package policy

import (
	"github.com/webmcp-wasm/webmcp/hooks/schema"
	"github.com/webmcp-wasm/webmcp/internal/jsontape"
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
	return (&Policy{key: key}).And(&Policy{documents: documents})
}

// And returns the policy of the documents of both, with the key of p.
//
//go:noinline
func (p *Policy) And(q *Policy) *Policy {
	both := &Policy{key: p.key}
	for _, list := range [...][]*Document{p.documents, q.documents} {
	next:
		for _, d := range list {
			for _, known := range both.documents {
				if known == d {
					continue next
				}
			}
			both.documents = append(both.documents, d)
		}
	}
	return both
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

// entry is a rule about a tool.
type entry struct {
	*rule
	late bool // a condition looks at the input
	sure bool // no condition is open
}

// Plan is what a policy does with the calls of a tool, as far as the tool decides that.
// It never changes, and is safe for concurrent use.
type Plan struct {
	tool    Tool
	about   *schema.Document // tool
	key     Key
	entries []entry
	unnamed bool  // a document with default deny does not name the tool
	unsure  bool  // the same, of one that only reports
	timeout int64 // of all rules that stop something and have no condition

	gates, sizes, judges, asks, varies bool
	measures                           bool // End wants the time and the size of the result
}

// Plan returns the plan for a tool.
func (p *Policy) Plan(t Tool) *Plan {
	plan := &Plan{tool: t, about: t.document(), key: p.key}
	of := &documents{ofTool: plan.about}
	for _, d := range p.documents {
		named := d.str(jsontape.Root, "default") != "deny"
		reports := d.str(jsontape.Root, "mode") == "report"
		for _, r := range d.rules {
			if !r.about(&t) {
				continue
			}
			// A rule with a condition is about some calls: it must not open the tool for all.
			named = named || r.when == nil && r.unless == nil && (!r.report || reports)
			if !r.applies(of) {
				continue
			}
			e := entry{rule: r, sure: true}
			if c := r.when; c != nil {
				e.late, e.sure = c[ofInput] != nil, c[ofInput] == nil && c[ofContext] == nil
			}
			if c := r.unless; c != nil && c[ofTool].Holds(plan.about, true) {
				e.late, e.sure = e.late || c[ofInput] != nil, false
			}
			plan.entries = append(plan.entries, e)
			sizes := r.most[maxInput] > 0
			plan.sizes = plan.sizes || sizes
			plan.gates = plan.gates || sizes || !e.late
			plan.judges = plan.judges || e.late
			plan.measures = plan.measures || r.report && (r.most[timeout] > 0 || r.most[maxOutput] > 0)
			plan.asks = plan.asks || r.asks > 0 && !r.report
			if t := r.most[timeout]; t > 0 && !r.report {
				if e.sure {
					plan.timeout = least(plan.timeout, t)
				} else {
					plan.varies = true
				}
			}
		}
		if !named {
			plan.gates = true
			plan.unnamed = plan.unnamed || !reports
			plan.unsure = plan.unsure || reports
		}
	}
	return plan
}

// about reports whether the rule is about a tool.
func (r *rule) about(t *Tool) bool {
	d := r.document
	except := d.member(r.node, "except")
	return d.names(d.member(r.node, "tools"), t) && (except == 0 || !d.names(except, t))
}

// least returns the smaller of two limits, of which 0 is none.
func least(a, b int64) int64 {
	if a == 0 || b > 0 && b < a {
		return b
	}
	return a
}

// Gates reports whether Start has anything to decide. If not, the call may begin.
func (p *Plan) Gates() bool { return p.gates }

// Sizes reports whether Start wants to know how large the input is.
func (p *Plan) Sizes() bool { return p.sizes }

// Judges reports whether a condition looks at the input, so that Judge has anything to
// decide.
func (p *Plan) Judges() bool { return p.judges }

// Asks reports whether a human may have to approve calls.
func (p *Plan) Asks() bool { return p.asks }

// Timeout returns how many milliseconds each call may take, whatever its conditions
// are; 0 is no limit. With varies, a condition may lower it.
func (p *Plan) Timeout() (milliseconds int64, varies bool) { return p.timeout, p.varies }
