package hooks

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/webmcp-wasm/webmcp/hooks/approval"
	"github.com/webmcp-wasm/webmcp/hooks/pipeline"
	"github.com/webmcp-wasm/webmcp/internal/jsontape"
	"github.com/webmcp-wasm/webmcp/internal/texts"
)

// concerning returns the approvals of a plan that are about a tool, from the outside
// in.
func concerning(plan *pipeline.Plan[Hook, Approval], t *Tool) (policies []Approval) {
	for _, a := range plan.Approval {
		if a.Only.Covers(t.Contract.Annotations) {
			policies = append(policies, a)
		}
	}
	return policies
}

// approve finds out what the policies say of the call, and waits for the human where
// they ask.
func (r *run) approve() pipeline.Event {
	if r.ctx.Err() != nil {
		return r.stop()
	}
	// What is shown and runs is nobody else's, whatever the stages before have passed on.
	input, err := jsontape.Own(r.call.Input)
	if err != nil {
		return r.fail(unsayable("input", err))
	}
	r.call.Input = input
	asking, event := r.judge(r.asking())
	if event != pipeline.Done || len(asking) == 0 {
		return event
	}
	desk := approvalsIn(r.ctx)
	if desk == nil {
		return r.unapproved(texts.ApprovalUnavailableCode, texts.ApprovalUnavailable, nil)
	}
	q, event := r.question(asking)
	if event != pipeline.Done {
		return event
	}
	r.clock.pause() // the human's time is not the call's
	r.seat = desk.ask(r.ctx, q)
	select {
	case <-r.seat.done:
		r.clock.resume()
		return r.decided(r.seat)
	case <-r.ctx.Done():
		desk.leave(r.seat)
		return r.stop()
	}
}

// judge asks each policy, from the outside in, and returns those that ask. Any event
// but Done ends the call.
func (r *run) judge(policies []Approval) (asking []Approval, event pipeline.Event) {
	merged := approval.Allow
	for _, a := range policies {
		said, err, ok := approval.Ask, error(nil), true
		if Decides(&a) {
			err, ok = r.inTime(func(ctx context.Context, c *Call) (err error) {
				said, err = a.judge(ctx, c)
				return err
			})
		}
		switch denial := AsDenial(err); {
		case !ok:
			return nil, r.stop()
		case denial != nil:
			return nil, r.deny(denial)
		case err != nil:
			return nil, r.undecidable(err)
		}
		switch merged = approval.Merge(merged, said); {
		case merged == approval.Deny:
			return nil, r.deny(new(Denial))
		case said == approval.Ask:
			asking = append(asking, a)
		}
	}
	return asking, pipeline.Done
}

// Decides reports, for drivers, whether an approval has to be asked about each call. All
// others ask a human about all of them.
func Decides(a *Approval) bool { return a.When != nil || a.check() != nil }

// judge returns what the policy says of a call, which it may change.
func (a *Approval) judge(ctx context.Context, c *Call) (approval.Verdict, error) {
	if err := a.check(); err != nil {
		return approval.Deny, err
	}
	said, err := a.When(ctx, c)
	if err == nil && said > approval.Deny {
		err = errors.New("When of an approval returned the verdict " + strconv.Itoa(int(said)) + ", which there is not")
	}
	return said, err
}

var errPolicyLate = errors.New("it has not returned within " + time.Duration(approval.PolicyWait).String())

// inTime runs code of a policy with a copy of the call. It returns an error when that
// fails or takes too long; ok is false when the ctx of the call has ended.
func (r *run) inTime(f func(ctx context.Context, c *Call) error) (err error, ok bool) {
	ctx, cancel := context.WithTimeout(r.ctx, approval.PolicyWait)
	defer cancel()
	own := r.call.shown(nil)
	own.Input = jsontape.Copied(own.Input, nil)
	err, ok = await(ctx, func() error {
		return protect(func() error { return f(ctx, &own) })
	})
	switch {
	case r.ctx.Err() != nil:
		return nil, false
	case !ok:
		return errPolicyLate, true
	}
	return err, true
}

// question returns what the human is asked, of all policies that ask.
func (r *run) question(asking []Approval) (q question, event pipeline.Event) {
	q.ID, q.Tool, q.Input = r.call.ID, r.call.Tool, r.call.Input
	var describe, details func(c *Call) string
	q.timeout = milliseconds(asking[0].Timeout)
	q.Remember = Remember{Tool: true, Arguments: true}
	all := false // the arguments count for one of them
	q.Edit = editable(asking)
	for _, a := range asking {
		if a.Title != "" {
			q.Title = a.Title
		}
		if a.Describe != nil {
			describe = a.Describe
		}
		if a.Details != nil {
			details = a.Details
		}
		if ms := milliseconds(a.Timeout); ms > 0 && (q.timeout == 0 || ms < q.timeout) {
			q.timeout = ms
		}
		keeps := a.Remember
		if a.verify != "" { // each time anew
			q.Verify, keeps = a.verify, Remember{}
		}
		q.Remember.Tool = q.Remember.Tool && keeps.Tool && a.When == nil
		q.Remember.Arguments = q.Remember.Arguments && (keeps.Arguments || len(keeps.By) > 0) && a.When == nil
		q.Remember.By = append(q.Remember.By, keeps.By...)
		all = all || len(keeps.By) == 0
	}
	if all || !q.Remember.Arguments {
		q.Remember.By = nil
	}
	for _, say := range []struct {
		how  func(c *Call) string
		into *string
	}{{describe, &q.Sentence}, {details, &q.Details}} {
		if say.how == nil {
			continue
		}
		var said string
		err, ok := r.inTime(func(_ context.Context, c *Call) error {
			said = say.how(c)
			return nil
		})
		switch {
		case !ok:
			return q, r.stop()
		case err != nil:
			return q, r.undecidable(err)
		}
		*say.into = said
	}
	text := canonical(nil, q.Input)
	q.text, q.Digest = string(text), digestOf(text)
	q.args = argumentsIn(q.Input, q.Remember.By)
	q.place = r.tool
	for _, s := range r.scopes {
		if s != nil {
			q.place = place{q.place, s}
		}
	}
	if user := r.rules.user; user != nil {
		q.place = asUser{q.place, user.text}
	}
	return q, pipeline.Done
}

// milliseconds returns the timeout of a question as package approval has it.
func milliseconds(timeout time.Duration) int64 {
	switch {
	case timeout == 0:
		timeout = approval.Timeout
	case timeout < 0:
		return 0
	}
	return int64((timeout-1)/time.Millisecond) + 1
}

// argumentsIn returns the arguments that count for what is remembered: those that by
// points to, or all of them.
func argumentsIn(input any, by []string) any {
	if by == nil {
		return input
	}
	args := make(map[string]any, len(by))
	for _, pointer := range by {
		if value, ok := valueAt(input, pointer); ok {
			args[pointer] = value
		}
	}
	return args
}

// valueAt returns what a JSON Pointer (RFC 6901) points to.
func valueAt(value any, pointer string) (any, bool) {
	for token := range strings.SplitSeq(pointer[1:], "/") {
		token = jsontape.UnescapeToken(token)
		switch v := value.(type) {
		case map[string]any:
			member, ok := v[token]
			if !ok {
				return nil, false
			}
			value = member
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(v) || strconv.Itoa(i) != token {
				return nil, false
			}
			value = v[i]
		default:
			return nil, false
		}
	}
	return value, true
}

// decided takes how the wait has ended.
func (r *run) decided(s *seat) pipeline.Event {
	if s.leads == nil {
		r.answer = s.shared
		return pipeline.Shared
	}
	switch s.end {
	case approval.Approved:
		if s.edit != nil {
			return r.edited(s)
		}
		r.call.Approval = &s.said
		_, event := r.recheck()
		return event
	case approval.Denied:
		r.call.Approval = &s.said
		message := texts.UserDenied
		if s.reason != "" {
			message = strings.Replace(texts.UserSaid, "%s", s.reason, 1)
		}
		return r.deny(&Denial{Code: texts.UserDeniedCode, Message: message})
	case approval.TimedOut:
		return r.unapproved(texts.ApprovalTimeoutCode, texts.ApprovalTimeout, nil)
	}
	return r.unapproved(texts.ApprovalUnavailableCode, texts.ApprovalUnavailable, nil)
}

// recheck looks, once the human has approved, at what may have changed meanwhile: only
// a denial counts now. Whether ctx has ended is looked at before the handler.
func (r *run) recheck() (asking []Approval, event pipeline.Event) {
	if r.rules.plan != nil && !r.rules.check.Again(now(), conditioned(r.call.Input)) {
		return nil, r.refused()
	}
	return r.judge(r.asking())
}

var (
	errNotEditable = errors.New("the Decision has an Input, and an approval of the tool does not allow that")
	errNotEdited   = errors.New("an approval asks about the Input of the Decision that does not let a human change it")
	errNotProven   = errors.New("a policy wants proof of who approves the Input of the Decision, and did not want it of the input that was asked about")
)

// edited takes the input that the human has approved in place of the agent's.
func (r *run) edited(s *seat) pipeline.Event {
	if !s.leads.Question.Edit {
		return r.undecidable(errNotEditable)
	}
	if s.edit.err != nil {
		return r.undecidable(unsayable("input", s.edit.err))
	}
	input, err, ok := r.validated(s.edit.input)
	if !ok {
		return r.stop()
	}
	if err == nil {
		input, err = jsontape.Own(input) // Validate may have kept it
	}
	if err != nil {
		return r.undecidable(err)
	}
	r.call.Input = input
	if text := canonical(nil, input); string(text) != s.leads.text {
		s.said.Edited, s.said.Digest, r.changed = true, digestOf(text), string(text)
	}
	r.call.Approval = &s.said
	asking, event := r.recheck()
	switch {
	case event != pipeline.Done:
	case !editable(asking):
		return r.undecidable(errNotEdited)
	case s.leads.Question.Verify == "" && slices.ContainsFunc(asking, func(a Approval) bool { return a.verify != "" }):
		return r.undecidable(errNotProven)
	}
	return event
}

// editable reports whether all of the policies let the human change the input.
func editable(policies []Approval) bool {
	return !slices.ContainsFunc(policies, func(a Approval) bool { return !a.Edit })
}

func (r *run) deny(d *Denial) pipeline.Event {
	r.call.Denial = d.filled()
	return pipeline.Deny
}

// undecidable ends a call of which a policy has failed: the log has why, the agent
// reads that nothing was done.
func (r *run) undecidable(err error) pipeline.Event {
	logApproval(r.call.Tool.Name, "an approval failed", err)
	return r.unapproved(texts.ApprovalPolicyErrorCode, texts.ApprovalPolicyError, err)
}

func (r *run) unapproved(code, message string, err error) pipeline.Event {
	r.code = code
	return r.fail(&ApprovalError{code, message, err})
}

// clock is the time of a call, which stands still while a human is asked. That of a
// call without a limit is nil.
type clock struct {
	timer *time.Timer
	left  time.Duration
	limit time.Duration
	since time.Time // when it went on last
	over  func()
}

// forever is the limit of a clock that has none yet.
const forever time.Duration = 1<<63 - 1

// startClock starts a clock that calls over when the time is used up. Without a limit,
// that is never, until it is lowered.
func startClock(limit time.Duration, over func()) *clock {
	if limit <= 0 {
		limit = forever
	}
	return &clock{timer: time.AfterFunc(limit, over), left: limit, limit: limit, since: time.Now(), over: over}
}

// lower shortens the limit. Where that much time is used up already, over is called at
// once.
func (c *clock) lower(limit time.Duration) {
	if limit >= c.limit || !c.timer.Stop() {
		return
	}
	now := time.Now()
	c.left += limit - c.limit - now.Sub(c.since)
	c.limit, c.since = limit, now
	if c.left <= 0 {
		c.left = 0
		c.over()
		return
	}
	c.timer.Reset(c.left)
}

// pause stops the clock, unless its time is used up.
func (c *clock) pause() {
	if c != nil && c.timer.Stop() {
		c.left -= time.Since(c.since)
	}
}

// resume lets the clock go on after a pause. One whose time is used up stays so.
func (c *clock) resume() {
	if c != nil {
		c.since = time.Now()
		c.timer.Reset(max(c.left, 0))
	}
}
