package glue

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/webmcp-wasm/webmcp/hooks/approval"
	"github.com/webmcp-wasm/webmcp/hooks/pipeline"
	"github.com/webmcp-wasm/webmcp/hooks/schema"
	"github.com/webmcp-wasm/webmcp/internal/core"
	"github.com/webmcp-wasm/webmcp/internal/jsontape"
	"github.com/webmcp-wasm/webmcp/internal/registry"
	"github.com/webmcp-wasm/webmcp/internal/texts"
)

// numbers are what the glue calls the numbers that it shares with Go. Their
// values stand in Go alone.
var numbers = []struct {
	name  string
	value int
}{
	// operations
	{"NONE", int(pipeline.None)},
	{"GATE", int(pipeline.Gate)},
	{"HOOKS", int(pipeline.Hooks)},
	{"VALIDATE", int(pipeline.Validate)},
	{"JUDGE", int(pipeline.Judge)},
	{"APPROVE", int(pipeline.Approve)},
	{"CALL", int(pipeline.Call)},
	{"CHECK", int(pipeline.Check)},
	{"SETTLE", int(pipeline.Settle)},
	// a step, packed
	{"OP_MASK", core.OpMask},
	{"PHASE_SHIFT", core.PhaseShift},
	{"PHASE_MASK", core.PhaseMask},
	{"DETACHED", core.Detached},
	{"FROM_SHIFT", core.FromShift},
	// events
	{"DONE", int(pipeline.Done)},
	{"DENY", int(pipeline.Deny)},
	{"FAIL", int(pipeline.Fail)},
	{"ABORT", int(pipeline.Abort)},
	{"LATE", int(pipeline.Late)},
	{"SHARED", int(pipeline.Shared)},
	// phases, and what Go is told instead of one
	{"BEFORE", int(pipeline.Before)},
	{"AFTER", int(pipeline.After)},
	{"ERROR", int(pipeline.Error)},
	{"DENIED", int(pipeline.Denied)},
	{"HANDLER", core.Handler},
	{"VALIDATOR", core.Validator},
	{"APPROVAL_WHEN", core.When},
	{"APPROVAL_DESCRIBE", core.Describe},
	{"APPROVAL_DETAILS", core.Details},
	// outcomes
	{"SUCCEEDED", int(pipeline.Succeeded)},
	{"WAS_DENIED", int(pipeline.WasDenied)},
	{"INTERFACE", core.Interface},
	// what has a number
	{"NO_NUMBER", core.NoNumber},
	{"NO_TICKET", core.NoTicket},
	{"GLOBAL_SCOPE", core.GlobalScope},
	{"TOOL_OWNER", int(core.ToolOwner)},
	{"GO_OWNER", int(core.GoOwner)},
	// answers of exports
	{"FRESH", core.Fresh},
	{"TAKEN", core.Taken},
	{"VALID", core.Valid},
	{"FILLED", core.Filled},
	// policies
	{"READ_ONLY", core.ReadOnly},
	{"UNTRUSTED_CONTENT", core.UntrustedContent},
	{"CONSEQUENTIAL", core.Consequential},
	{"DEBUGGING", core.Debugging},
	{"RULE_START", core.RuleStart},
	{"RULE_INPUT", core.RuleInput},
	{"RULE_EDITED", core.RuleEdited},
	{"RULE_PASS", core.RulePass},
	{"RULE_REFUSE", core.RuleRefuse},
	{"RULED_REPORTS", core.RuledReports},
	{"RULED_LOGS", core.RuledLogs},
	{"RULED_MASKS", core.RuledMasks},
	{"RULED_MORE", core.RuledMore},
	{"PLAN_RULED", core.PlanRuled},
	{"PLAN_LOGS", core.PlanLogs},
	{"PLAN_MASKS", core.PlanMasks},
	// the desk
	{"NEVER", core.Never},
	{"DESK_TICK", core.DeskTick},
	{"DESK_FETCH", core.DeskFetch},
	{"DESK_DECIDE", core.DeskDecide},
	{"DESK_EDIT", core.DeskEdit},
	{"DESK_FAIL", core.DeskFail},
	{"DESK_ABORT", core.DeskAbort},
	{"DESK_CLOSE", core.DeskClose},
	{"DESK_ENDED", core.DeskEnded},
	{"DESK_LEAVE", core.DeskLeave},
	{"DESK_FORGET", core.DeskForget},
	{"DESK_FORGET_ALL", core.DeskForgetAll},
	{"DESK_SETTLE", int(approval.Settle)},
	{"DESK_PEND", int(approval.Pend)},
	{"DESK_ANSWER", int(approval.Answer)},
	{"DESK_DROP", int(approval.Drop)},
	{"APPROVED", int(approval.Approved)},
	{"REFUSED", int(approval.Denied)},
	{"TOO_LATE", int(approval.TimedOut)},
	{"GONE", int(approval.Gone)},
	{"FOR_CALL", int(approval.ForCall)},
	{"FOR_ARGUMENTS", int(approval.ForArgs)},
	{"FOR_TOOL", int(approval.ForTool)},
	// limits
	{"MAX_DEPTH", jsontape.MaxDepth},
	{"MAX_VALUES", jsontape.MaxValues},
	{"DEFAULT_MAX_INPUT_BYTES", schema.DefaultMaxInputBytes},
	{"MAX_OUTPUT_BYTES", pipeline.MaxOutputBytes},
	{"OBSERVER_WAIT", pipeline.ObserverWait / 1_000_000}, // in milliseconds, as what follows
	{"POLICY_WAIT", approval.PolicyWait / 1_000_000},
	{"APPROVAL_WAIT", approval.Timeout / 1_000_000},
	{"APPROVAL_HOLD", approval.Hold / 1_000_000},
}

// names are lists of the names that numbers have.
var names = []struct {
	name  string
	items []string
}{
	{"PHASES", spell[pipeline.Phase](pipeline.Phases)},
	{"STATES", spell[registry.State](registry.States)},
}

// spell returns the names of the first n values of a type.
func spell[T interface {
	~uint8
	fmt.Stringer
}](n int) (items []string) {
	for i := range n {
		items = append(items, T(i).String())
	}
	return items
}

// declarations returns the constants that code needs, as JavaScript.
func declarations(code string) string {
	needed := constantsIn(code)
	var all []string
	declare := func(name, format string, value any) {
		if slices.Contains(needed, name) {
			all = append(all, fmt.Sprintf("%s = "+format, name, value))
		}
	}
	for _, n := range numbers {
		declare(n.name, "%d", n.value)
	}
	for _, n := range names {
		declare(n.name, "['%s']", strings.Join(n.items, "', '"))
	}
	for _, name := range slices.Sorted(maps.Keys(texts.ForGlue)) {
		declare(name, "%q", texts.ForGlue[name])
	}
	return "// From Go.\nconst " + strings.Join(all, ", ") + ";\n"
}

var (
	// unspoken is what is not code: comments and strings. A word in a template or
	// a regular expression counts as code.
	unspoken = regexp.MustCompile(`(?m)^\s*(?://|/\*\*|\*).*$|\s//\s.*$|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"`)
	constant = regexp.MustCompile(`(?:^|[^.\w])([A-Z][A-Z0-9_]+)\b`)
	declared = regexp.MustCompile(`(?m)^\s*const ([A-Z][A-Z0-9_]+) = `)
)

// constantsIn returns the names in code that are written like constants, but for
// JavaScript's own.
func constantsIn(code string) (found []string) {
	for _, m := range constant.FindAllStringSubmatch(unspoken.ReplaceAllString(code, ""), -1) {
		if m[1] != "JSON" && m[1] != "URL" {
			found = append(found, m[1])
		}
	}
	return found
}

// knownConstants returns the constants that Go gives, numbers and texts, and
// those of code.
func knownConstants(code []byte) map[string]bool {
	known := map[string]bool{}
	for _, n := range numbers {
		known[n.name] = true
	}
	for _, n := range names {
		known[n.name] = true
	}
	for name := range texts.ForGlue {
		known[name] = true
	}
	for _, m := range declared.FindAllSubmatch(code, -1) {
		known[string(m[1])] = true
	}
	for _, m := range taken.FindAllSubmatch(code, -1) { // another file declares them
		for name := range strings.SplitSeq(string(m[1]), ", ") {
			known[name] = true
		}
	}
	return known
}

// checkConstants returns an error for a constant in code that nobody declares: a
// mistyped one would be undefined in a page, and not before it is reached.
func checkConstants(code []byte) error {
	known := knownConstants(code)
	for _, name := range constantsIn(string(code)) {
		if !known[name] {
			return fmt.Errorf("the glue names %s, which neither one of its files nor Go (numbers.go) declares", name)
		}
	}
	return nil
}
