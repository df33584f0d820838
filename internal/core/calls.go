//go:build js && wasm

package core

import (
	"github.com/webmcp-wasm/webmcp/hooks/pipeline"
	"github.com/webmcp-wasm/webmcp/hooks/policy"
	"github.com/webmcp-wasm/webmcp/internal/registry"
)

// Call is one invocation. It keeps its number when it has settled, and is used
// again for a later invocation; its machine's tickets go on counting, so that
// late events of the earlier one are recognised.
type Call struct {
	machine pipeline.Machine
	ticket  uint32
	tool    *registry.Tool[Ref]
	plan    *pipeline.Plan[Ref, Ref]
	shape   pipeline.Shape
	rules   *policy.Plan // nil: no policy is about the tool
	check   policy.Check
	cancel  func() // ends the context of the Go code that works for the call
	data    any    // what package bridge keeps for the call
}

var (
	calls []*Call
	spare []int32 // the numbers of settled calls
)

// CallNumber returns the call with that number. It is only good until the call
// settles.
func CallNumber(n int32) *Call { return calls[n] }

// Hooks returns the hooks of one phase of the call, in order.
func (c *Call) Hooks(p pipeline.Phase) []Ref { return c.plan.Hooks[p] }

// Approvals returns the approvals that decide about a call, from the outside in. It is no
// method, whose name the drop-in module would have to hold.
func Approvals(c *Call) []Ref { return c.plan.Approval }

// Tool returns the tool that is called.
func (c *Call) Tool() *registry.Tool[Ref] { return c.tool }

// Data returns what SetData has kept for the call, or nil.
func (c *Call) Data() any { return c.data }

// SetData keeps something until the call settles.
func (c *Call) SetData(data any) { c.data = data }

// Waits reports whether the call still waits for the end of the step with this
// ticket.
func (c *Call) Waits(ticket uint32) bool { return c.tool != nil && c.ticket == ticket }

// OnAbort sets what is called when the call's signal aborts; nil: nothing. It
// must not block.
func (c *Call) OnAbort(cancel func()) { c.cancel = cancel }

// webmcp_start prepares an invocation of a tool and returns its number, with the
// bit Fresh, or NoNumber when the tool is not registered (any more).
//
//go:wasmexport webmcp_start
func webmcpStart(tool int32) int32 {
	t := tools.get(tool)
	if t == nil {
		return NoNumber
	}
	n := takeCall()
	c := calls[n]
	plan, isFresh := Tools.Plan(t)
	c.tool, c.plan, c.shape = t, plan, plan.Shape()
	c.shape.Validate, c.shape.Check = true, true // the glue knows whether there is a schema
	if c.rules = planFor(t, isFresh); c.rules != nil {
		c.shape.Gate, c.shape.Judge = true, c.rules.Judges()
		c.shape.Approve = c.shape.Approve || c.rules.Asks()
	}
	if isFresh {
		writePlan(plan, c.rules)
		n |= Fresh
	}
	return n
}

// webmcp_begin begins a call that webmcp_start prepared, and returns its first
// step in the form of pack. The ticket of that step is webmcp_ticket; each
// further step of the call has the next one.
//
//go:wasmexport webmcp_begin
func webmcpBegin(call int32) uint32 {
	c := calls[call]
	return c.answer(call, c.machine.Start(c.shape))
}

// webmcp_ticket returns the ticket of the newest step of a call.
//
//go:wasmexport webmcp_ticket
func webmcpTicket(call int32) uint32 { return calls[call].ticket }

// webmcp_step takes the event that ended the step with this ticket, and returns
// the next step.
//
//go:wasmexport webmcp_step
func webmcpStep(call int32, ticket uint32, event, count int32) uint32 {
	c := calls[call]
	return c.answer(call, c.machine.Next(ticket, pipeline.Event(event), int(count)))
}

// webmcp_abort takes note that the signal aborted of the call whose newest step
// has this ticket, and returns the next step. It does nothing where that call has
// settled and another one has its number.
//
//go:wasmexport webmcp_abort
func webmcpAbort(call int32, ticket uint32) uint32 {
	c := calls[call]
	if !c.Waits(ticket) {
		return pack(pipeline.Step{})
	}
	if c.cancel != nil {
		c.cancel()
	}
	return c.answer(call, c.machine.Abort())
}

// webmcp_expire takes note that the time is used up of the call whose newest step
// has this ticket, and returns the next step. It does nothing where that call has
// settled. The context of Go code has that deadline itself.
//
//go:wasmexport webmcp_expire
func webmcpExpire(call int32, ticket uint32) uint32 {
	c := calls[call]
	if !c.Waits(ticket) {
		return pack(pipeline.Step{})
	}
	return c.answer(call, c.machine.Expire())
}

// answer packs a step; the number of a call that settles is free.
func (c *Call) answer(number int32, s pipeline.Step) uint32 {
	if s.Op == pipeline.None {
		return pack(s)
	}
	c.ticket = s.Ticket
	if s.Op == pipeline.Settle {
		c.tool, c.plan, c.cancel, c.data = nil, nil, nil, nil
		spare = append(spare, number)
	}
	return pack(s)
}

// takeCall returns the number of a call that nobody uses.
func takeCall() int32 {
	if n := len(spare); n > 0 {
		number := spare[n-1]
		spare = spare[:n-1]
		return number
	}
	calls = append(calls, new(Call))
	return int32(len(calls) - 1)
}

// planText is the plan that webmcp_plan shows: how long a call may take, in
// milliseconds, or 0; what a policy says of the tool; the number of hooks in each phase, and of approvals; then the
// owner and index of each.
var planText []int32

func writePlan(p *pipeline.Plan[Ref, Ref], rules *policy.Plan) {
	timeout := p.Timeout
	if rules != nil {
		limit, _ := rules.Timeout()
		timeout = pipeline.Shortest(timeout, limit*1_000_000)
	}
	// In a page, no timer takes longer than 24 days; a longer timeout must not become none.
	planText = append(planText[:0], int32(min(timeout/1_000_000+min(timeout%1_000_000, 1), 1<<31-1)), ruledBits(rules))
	all := append(p.Hooks[:], p.Approval)
	for _, refs := range all {
		planText = append(planText, int32(len(refs)))
	}
	for _, refs := range all {
		for _, r := range refs {
			planText = append(planText, r.Owner, r.Index)
		}
	}
}

// ruledBits returns what the policy does with the calls of a plan, as PlanRuled and those
// behind it say it.
func ruledBits(rules *policy.Plan) int32 {
	if rules == nil {
		return 0
	}
	return PlanRuled | truth(rules.Logs())*PlanLogs | truth(rules.Masks())*PlanMasks
}

// webmcp_plan returns the address of the plan that the last webmcp_start found
// to be fresh.
//
//go:wasmexport webmcp_plan
func webmcpPlan() uint32 { return address(&planText[0]) }
