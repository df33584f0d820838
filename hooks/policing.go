package hooks

import (
	"cmp"
	"errors"
	"time"

	"github.com/webmcp-wasm/webmcp/hooks/pipeline"
	"github.com/webmcp-wasm/webmcp/hooks/policy"
	"github.com/webmcp-wasm/webmcp/internal/jsontape"
)

// policed is what Run has of a policy for one call.
type policed struct {
	plan  *policy.Plan // nil: there is no policy
	check policy.Check
	user  *known // nil: nobody has said anything of the user
	wait  int64  // in how many milliseconds the call may be made that was refused; 0: nobody knows
}

// began is where the clock of policies begins.
var began = time.Now()

// now returns the time as policies measure it.
func now() int64 { return time.Since(began).Milliseconds() }

// timeoutOf returns a time of package policy.
func timeoutOf(milliseconds int64) time.Duration {
	return time.Duration(milliseconds) * time.Millisecond
}

// start begins the check of a call whose policy has nothing to decide before the first
// hook.
func (p *policed) start(size int) bool {
	var user *policy.Context
	if p.user != nil {
		user = p.user.context
	}
	return p.check.Start(p.plan, now(), size, user)
}

// end ends the check, and logs what would have been.
func (p *policed) end(tool string, result Result) {
	if p.plan == nil {
		return
	}
	size := -1
	if !result.IsError {
		size = result.size()
	}
	p.check.End(now(), size)
	for _, f := range p.check.Reports {
		logReport(tool, f)
	}
}

// gate asks the policy what needs no input.
func (r *run) gate() pipeline.Event {
	if r.ctx.Err() != nil {
		return r.stop()
	}
	size := -1
	if r.rules.plan.Sizes() {
		if text, err := jsontape.Append(nil, r.call.Input); err == nil {
			size = len(text)
		}
	}
	if !r.rules.start(size) {
		return r.refused()
	}
	r.lower()
	return pipeline.Done
}

// weigh asks the policy about the validated input.
func (r *run) weigh() pipeline.Event {
	if r.ctx.Err() != nil {
		return r.stop()
	}
	if !r.rules.check.Judge(now(), conditioned(r.call.Input)) {
		return r.refused()
	}
	r.lower()
	return pipeline.Done
}

// asking returns the approvals that may concern the call, that of the policy before those
// of scopes and tool.
func (r *run) asking() []Approval {
	if r.rules.plan == nil {
		return r.policies
	}
	if a := r.rules.check.Approval(); a != nil {
		return append([]Approval{approvalOfRules(a)}, r.policies...)
	}
	return r.policies
}

// refused ends a call that the policy does not allow.
func (r *run) refused() pipeline.Event {
	f := r.rules.check.Refusal
	r.rules.wait = f.Wait
	return r.deny(&Denial{f.Code, f.Message, cmp.Or(f.Rule, f.Effect)})
}

// lower shortens the time of the call to what the rules allow that apply to it.
func (r *run) lower() {
	limit := timeoutOf(r.rules.check.Timeout())
	if r.clock == nil || limit == 0 || r.late.Limit > 0 && r.late.Limit <= limit {
		return
	}
	r.late.Limit = limit
	r.clock.lower(limit)
}

// redact makes of a result what the policy lets out.
func (r *run) redact() pipeline.Event {
	if r.rules.plan == nil {
		return pipeline.Done
	}
	if r.rules.check.Redacts() {
		redacted, err := r.answer.redacted(&r.rules.check)
		if err != nil {
			r.code = policy.RedactionCode
			return r.withhold(err)
		}
		r.answer = redacted
	}
	if limit := int(r.rules.check.MaxOutputBytes()); limit > 0 {
		if err := r.answer.tooLarge(limit); err != nil {
			r.code = policy.OutputCode
			return r.fail(err)
		}
	}
	return pipeline.Done
}

var errNoResult = errors.New("what is left of the result is none")
