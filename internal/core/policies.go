//go:build js && wasm

package core

import (
	"github.com/webmcp-wasm/webmcp/hooks/policy"
	"github.com/webmcp-wasm/webmcp/hooks/schema"
	"github.com/webmcp-wasm/webmcp/internal/registry"
)

var (
	policies *policy.Policy // nil: there is none
	user     *policy.Context
	byGo     bool       // Go code says what is known of the user
	hashKey  policy.Key // under which values are equal that are redacted with the mask hash
)

// ruled is what the policy makes of a tool: Tool.Rules has it.
type ruled struct {
	tool policy.Tool
	plan *policy.Plan
}

// AddPolicy puts a policy in force, besides those that are.
func AddPolicy(p *policy.Policy) {
	if policies != nil {
		p = policies.And(p)
	}
	policies = p
	Tools.Outdate()
}

// SetContext sets what conditions know of the user in calls that begin from now on. It is for
// Go code: JavaScript says nothing more of the user then.
func SetContext(c *policy.Context) { user, byGo = c, true }

// ToolOf returns what policies know of a tool, by its name and hints.
func ToolOf(name string, hints int32) policy.Tool {
	return policy.Tool{
		Name: name, ReadOnly: hints&ReadOnly != 0, UntrustedContent: hints&UntrustedContent != 0,
		Consequential: hints&Consequential != 0, Debugging: hints&Debugging != 0,
	}
}

// planFor returns what the policy does with calls of a tool that start now; nil where no
// rule is about it. With isFresh, that may have changed.
func planFor(t *registry.Tool[Ref], isFresh bool) *policy.Plan {
	if policies == nil {
		return nil
	}
	of := t.Rules.(*ruled)
	if isFresh {
		of.plan = policies.Plan(of.tool)
	}
	if !of.plan.Gates() && !of.plan.Judges() {
		return nil
	}
	return of.plan
}

// webmcp_policy_key sets the key of the mask hash, for documents to come: n bytes of the
// buffer that nobody else knows.
//
//go:wasmexport webmcp_policy_key
func webmcpPolicyKey(n int32) { copy(hashKey[:], inbox[:n]) }

// webmcp_policy puts a document in force: n bytes of the buffer, behind those of its
// label. The answer is whether it is: if not, the reply says what is wrong with it.
//
//go:wasmexport webmcp_policy
func webmcpPolicy(label, n int32) int32 {
	d, err := policy.Parse(inbox[label:label+n], policy.Options{Label: Text(label), Regexp: Regexp})
	if err != nil {
		reply = append(reply[:0], err.Error()...)
		return 0
	}
	AddPolicy(policy.New(hashKey, d))
	return 1
}

// webmcp_context sets what conditions know of the user: the first n bytes of the
// buffer, which are an object in JSON. The answer is whether it counts: not where Go code has
// said it.
//
//go:wasmexport webmcp_context
func webmcpContext(n int32) int32 {
	if byGo {
		return 0
	}
	c, err := policy.NewContext(inbox[:n])
	if err != nil { // nothing is known: that counts against calls
		c = nil
	}
	user = c
	return 1
}

// webmcp_effects replies with what rules without a condition do to each call of a tool,
// as policy.Effects has it: once for each plan.
//
//go:wasmexport webmcp_effects
func webmcpEffects(call int32) { reply = calls[call].rules.AppendEffects(reply[:0]) }

// webmcp_rule asks the policy about a call: at RuleStart, before the first hook, with how many bytes
// the input has, or NoNumber; at RuleInput, behind validation, with the input as the first n
// bytes of the buffer, or with NoNumber as the last one that was validated; at RuleEdited once
// more, with the input that a human has changed. The answer is RulePass; RuleMore, where the
// reply has what all rules do that apply to this call; or RuleRefuse, with why in the reply.
//
//go:wasmexport webmcp_rule
func webmcpRule(call, stage int32, now float64, size, n int32) int32 {
	c := &calls[call].check
	at := int64(now)
	goesOn := false
	if stage == RuleStart {
		goesOn = c.Start(calls[call].rules, at, int(size), user)
	} else {
		input := &document
		if n != NoNumber {
			input = new(schema.Document)
			if input.Read(Bytes(n)) != nil {
				input = nil
			}
		}
		if stage == RuleInput {
			goesOn = c.Judge(at, input)
		} else {
			goesOn = c.Again(at, input)
		}
	}
	switch {
	case !goesOn:
		reply = c.Refusal.AppendJSON(reply[:0])
		return RuleRefuse
	case c.Varies():
		reply = c.AppendEffects(reply[:0])
		return RuleMore
	}
	return RulePass
}

// webmcp_redact makes of a result, the first n bytes of the buffer, what the policy lets out. The
// answer is whether it may go out: the reply has it then.
//
//go:wasmexport webmcp_redact
func webmcpRedact(call, n int32) int32 {
	text, err := calls[call].check.Redact(reply[:0], inbox[:n])
	if err != nil {
		return 0
	}
	reply = text
	return 1
}

// webmcp_ruled ends the policy's part in a call: size is that of the result, or NoNumber. The
// answer has RuledReports, where rules in report mode would have done something: the reply
// lists it; RuledLogs, where the call has to be in the audit log; RuledMasks and RuledMore as
// policy.Check.Log says it. The call has settled, and its number is good until the next
// one starts.
//
//go:wasmexport webmcp_ruled
func webmcpRuled(call int32, now float64, size int32) int32 {
	c := &calls[call].check
	c.End(int64(now), int(size))
	logged, masked, further := c.Log()
	answer := truth(logged)*RuledLogs | truth(masked)*RuledMasks | truth(further)*RuledMore
	if len(c.Reports) == 0 {
		return answer
	}
	reply = c.AppendReports(reply[:0])
	return answer | RuledReports
}

// webmcp_mask makes of a value that a call is about, the first n bytes of the buffer, what may
// be in the audit log; with isResult, of the result that went out. The answer is whether it may
// be there: the reply has it then. It comes behind webmcp_ruled.
//
//go:wasmexport webmcp_mask
func webmcpMask(call, isResult, n int32) int32 {
	text, err := calls[call].check.Mask(reply[:0], inbox[:n], isResult != 0)
	if err != nil {
		return 0
	}
	reply = text
	return 1
}

// webmcp_explain replies with what the policy would do to a call of a tool, as
// policy.Explanation has it: the first n bytes of the buffer are its validated input, whose
// JSON had so many bytes as it was sent.
//
//go:wasmexport webmcp_explain
func webmcpExplain(tool int32, now float64, size, n int32) {
	p := policies
	if p == nil {
		p = policy.New(policy.Key{})
	}
	input := new(schema.Document)
	if input.Read(Bytes(n)) != nil {
		input = nil
	}
	reply = p.AppendExplanation(reply[:0], tools.get(tool).Rules.(*ruled).tool, int64(now), int(size), input, user)
}
