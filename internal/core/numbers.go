package core

import "github.com/webmcp-wasm/webmcp/hooks/pipeline"

// The glue and Go speak in numbers. What they mean stands in Go alone: in package
// pipeline (operations, events, phases, outcomes), in package registry (states),
// and here. Package internal/glue writes them into the glue when it joins it.

// Interface is the version of what the glue and a module say to each other:
// exports, imports, numbers, methods. A module exports a function whose name ends
// in it (glue.go), and the glue runs no module of another one. It is raised with
// every change; a test in package glue says when.
const Interface = 1

// NoNumber is where a tool, a call, a schema or a pattern has no number.
const NoNumber = -1

// NoTicket stands in for the ticket of a step where nobody waits for the answer.
const NoTicket = 0

// GlobalScope is the number of the scope that every tool is in. As the scope of
// a tool or the parent of a scope it says: in no other.
const GlobalScope = 0

// Fresh is set in the answer of webmcp_start when the tool has another plan than
// at its last call; the glue then reads it.
const Fresh = 1 << 30

// The owners of a hook in a plan that are not a scope's number.
const (
	ToolOwner int32 = -1 // the tool itself
	GoOwner   int32 = -2 // a Go hook
)

// What Go code is asked for, besides the hooks of a phase.
const (
	Handler   = pipeline.Phases + iota // the function of a tool of Go
	Validator                          // its further validation
	When                               // that of an approval of Go
	Describe                           // of one
	Details                            // of one
)

// Taken is the answer of webmcp_acquire that is not an owner: another tool has
// the name.
const Taken = 0

// The answers of webmcp_validate.
const (
	Valid   = iota
	Filled  // valid, and the reply is the input with its defaults filled in
	Invalid // the reply lists the issues: [{path, message}]
)

// The hints of a tool's contract, which rules can name.
const (
	ReadOnly = 1 << iota
	UntrustedContent
	Consequential
	Debugging
)

// When webmcp_rule asks the policy.
const (
	RuleStart  = iota // before the first hook
	RuleInput         // behind validation
	RuleEdited        // once a human has changed the input
)

// The answers of webmcp_rule.
const (
	RulePass   = iota
	RuleMore   // rules with a condition apply
	RuleRefuse // the call must not go on
)

// What the answer of webmcp_ruled has.
const (
	RuledReports = 1 << iota
	RuledLogs
	RuledMasks
	RuledMore
)

// What a plan says of the policy.
const (
	PlanRuled = 1 << iota // rules are about the tool
	PlanLogs              // its calls may have to be in the audit log
	PlanMasks             // and masked there
)

// Never is in how many milliseconds something is due at the desk that never is.
const Never = -1

// The events of webmcp_desk, with what goes with each.
const (
	DeskTick      = iota
	DeskFetch     // a question; for how many milliseconds, or 0
	DeskDecide    // a question; whether it is approved; an approval.Keep
	DeskEdit      // a question that is approved with another input
	DeskFail      // a question that nobody can be asked
	DeskAbort     // a call that does not wait any more
	DeskClose     // a tool that is not registered any more
	DeskEnded     // a question whose leader has settled
	DeskLeave     // nothing: the page may be about to go
	DeskForget    // the tool whose rules are forgotten
	DeskForgetAll // nothing
)

// A step in one integer, as pack makes it: the operation; the phase or the
// outcome; a bit; the first hook.
const (
	OpMask     = 1<<4 - 1
	PhaseShift = 4
	PhaseMask  = 1<<2 - 1 // once shifted
	Detached   = 1 << 6
	FromShift  = 7
)

// pack puts a step into one integer. It is 0 for no step.
func pack(s pipeline.Step) uint32 {
	n := uint32(s.Op) | uint32(s.Phase|pipeline.Phase(s.Outcome))<<PhaseShift | uint32(s.From)<<FromShift
	if s.Detached {
		n |= Detached
	}
	return n
}
