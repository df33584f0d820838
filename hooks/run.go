package hooks

import (
	"context"
	"errors"
	"time"

	"github.com/webmcp-wasm/webmcp/hooks/pipeline"
	"github.com/webmcp-wasm/webmcp/internal/jsontape"
)

// Run calls a tool as an agent does, through the hooks of scopes and of the
// tool, and returns what the agent gets. It blocks until the call has settled.
//
// scopes are the innermost scopes that the tool is in; nil stands for none. With
// several, all of them apply in that order, and one that they share applies once.
// A scope for all tools comes first. The hooks are those of the moment in which
// Run is called: a change during the call does not affect it.
//
// Run never fails itself: a denial and an error are Results, and so is what is
// wrong with the tool (see Tool.Check) or with an input that is not JSON, before
// any hook runs. When ctx is cancelled, the call ends before the handler, or when
// the handler and the after hooks have returned. It is safe for concurrent use.
//
// A call that needs the approval of a human waits for it at the Approvals that ctx has
// from WithApprovals. The policy that ctx has from WithPolicy applies to it.
func Run(ctx context.Context, t *Tool, input any, scopes ...*Scope) Result {
	if err := t.Check(); err != nil {
		return failure(err, false)
	}
	input, err := jsontape.Own(input)
	if err != nil {
		return failure(&ValueError{"input", err}, false)
	}
	plan := compile(scopes, SetOf(t))
	policies := concerning(plan, t)
	asks, varies := len(policies) > 0, false
	var rules policed
	if p := policyIn(ctx); p != nil {
		rules.plan, rules.user = p.planFor(&t.Contract), knownIn(ctx)
		asks = asks || rules.plan.Asks()
		limit := int64(0)
		limit, varies = rules.plan.Timeout()
		plan.Timeout = pipeline.Shortest(plan.Timeout, int64(timeoutOf(limit)))
	}
	awaited, late, clock := context.WithoutCancel(ctx), (*TimeoutError)(nil), (*clock)(nil)
	switch limit := time.Duration(plan.Timeout); {
	case limit <= 0 && !varies:
	case asks || varies:
		late = &TimeoutError{t.Contract.Name, limit}
		var done, end context.CancelCauseFunc
		awaited, done = context.WithCancelCause(awaited)
		defer done(nil)
		ctx, end = context.WithCancelCause(ctx)
		defer end(nil)
		clock = startClock(limit, func() { done(late); end(late) })
		defer clock.pause()
	default:
		late = &TimeoutError{t.Contract.Name, limit}
		var done, end func()
		awaited, done = context.WithTimeoutCause(awaited, limit, late)
		defer done()
		ctx, end = context.WithTimeoutCause(ctx, limit, late)
		defer end()
	}
	r := run{
		ctx:      ctx,
		awaited:  awaited,
		late:     late,
		clock:    clock,
		tool:     t,
		scopes:   scopes,
		plan:     plan,
		policies: policies,
		rules:    rules,
		call:     Call{ID: newID(), Tool: t.Contract, Input: input, Metadata: new(Metadata)},
	}
	shape := plan.Shape()
	shape.Validate = t.Validate != nil || t.Contract.InputSchema != ""
	shape.Check = true
	shape.Approve = asks
	if rules.plan != nil {
		shape.Gate, shape.Judge = rules.plan.Gates(), rules.plan.Judges()
		if !shape.Gate {
			r.rules.start(-1)
		}
	}

	r.keepSent()

	var m pipeline.Machine
	step := m.Start(shape)
	for step.Op != pipeline.Settle {
		event, count := r.do(step)
		step = m.Next(step.Ticket, event, count)
	}
	result := r.settled(step.Outcome)
	r.rules.end(t.Contract.Name, result)
	r.tell(step.Outcome, result)
	result = r.withChange(result)
	if r.seat != nil {
		approvalsIn(ctx).ended(r.seat, result)
	}
	return result
}

// run is the driver's side of one invocation: its values.
type run struct {
	ctx      context.Context
	awaited  context.Context // not cancelled with ctx, but when the time is used up
	late     *TimeoutError   // what it is then; nil: there is no limit
	clock    *clock          // of a call that a human may decide about; nil: there is no limit
	tool     *Tool
	scopes   []*Scope
	plan     *pipeline.Plan[Hook, Approval]
	policies []Approval // that are about the tool
	rules    policed    // of the policy
	call     Call       // the newest values
	called   bool       // the handler was: if not, nothing was done
	changed  string     // the input as JSON, where the human has changed it before they approved
	code     string     // of a call that was not approved
	seat     *seat      // where the call has waited for a human; nil: it has not
	withheld bool       // the call failed behind the handler
	answer   Result     // of a call that succeeds
	audit    audit
}

// do performs a step, and returns how it ended and after how many hooks.
func (r *run) do(s pipeline.Step) (pipeline.Event, int) {
	switch s.Op {
	case pipeline.Gate:
		return r.gate(), 0
	case pipeline.Hooks:
		if s.Phase >= pipeline.Error {
			return r.observe(s)
		}
		return r.hooks(s)
	case pipeline.Validate:
		return r.validate(), 0
	case pipeline.Judge:
		return r.weigh(), 0
	case pipeline.Approve:
		return r.approve(), 0
	case pipeline.Call:
		return r.handle(), 0
	default:
		return r.check(), 0
	}
}

// hooks runs before or after hooks.
func (r *run) hooks(s pipeline.Step) (pipeline.Event, int) {
	before := s.Phase == pipeline.Before
	ctx := r.ctx
	if !before { // what has happened is seen to its end
		ctx = r.awaited
	}
	for i, hook := range r.plan.Hooks[s.Phase][s.From:] {
		if before && r.ctx.Err() != nil {
			return r.stop(), i
		}
		c := r.call
		err, ok := await(ctx, func() error { return ApplyHook(r.ctx, s.Phase, hook, &c) })
		switch {
		case !ok || err != nil && r.isLate():
			return r.stop(), i
		case err == nil:
			r.call.Input, r.call.Output = c.Input, c.Output
		case before && AsDenial(err) != nil:
			r.call.Input, r.call.Denial = c.Input, c.Denial
			return pipeline.Deny, i
		case before:
			return r.fail(err), i
		default:
			return r.withhold(err), i
		}
	}
	return pipeline.Done, len(r.plan.Hooks[s.Phase]) - s.From
}

func (r *run) validate() pipeline.Event {
	if r.ctx.Err() != nil {
		return r.stop()
	}
	input, err, ok := r.validated(r.call.Input)
	switch {
	case !ok:
		return r.stop()
	case err != nil:
		return r.fail(err)
	}
	r.call.Input = input
	return pipeline.Done
}

// validated returns what the schema and Validate of the tool make of an input; ok is
// false when the call has ended meanwhile.
func (r *run) validated(input any) (valid any, err error, ok bool) {
	c := r.call
	c.Input = input
	err, ok = await(r.ctx, func() error {
		if text := r.tool.Contract.InputSchema; text != "" {
			input, err := enforce(text, c.Input, true)
			if err != nil {
				return &InputError{err}
			}
			c.Input = input
		}
		if r.tool.Validate != nil {
			return ApplyValidate(r.ctx, r.tool, &c)
		}
		return nil
	})
	if !ok || err != nil && r.isLate() {
		return nil, nil, false // it may be at work on c still
	}
	return c.Input, err, true
}

func (r *run) handle() pipeline.Event {
	if r.ctx.Err() != nil {
		return r.stop()
	}
	c := r.call
	r.called = true
	err, ok := await(r.awaited, func() error {
		err := ApplyHandler(r.ctx, r.tool, &c)
		if err == nil && r.awaited.Err() != nil {
			logDropped(r.tool.Contract.Name)
		}
		return err
	})
	switch {
	case !ok || err != nil && r.isLate():
		return r.stop()
	case err != nil:
		return r.fail(err)
	}
	r.call.Output = c.Output
	return pipeline.Done
}

// check holds the output against the contract, and makes the result of it.
func (r *run) check() pipeline.Event {
	if text := r.tool.Contract.OutputSchema; text != "" {
		if err := enforceOutput(text, r.call.Output); err != nil {
			return r.withhold(&OutputError{err})
		}
	}
	r.answer = ResultOf(r.call.Output)
	if err := r.answer.tooLarge(MaxOutputBytes); err != nil {
		return r.fail(err)
	}
	r.answer = r.structured(r.answer)
	return r.redact()
}

// enforceOutput checks an output: of a result what it has for programs, unless
// the result says itself that the call has failed.
func enforceOutput(text string, output any) error {
	if result, ok := resultOf(output); ok {
		if result.IsError {
			return nil
		}
		output = result.More["structuredContent"]
	}
	_, err := enforce(text, output, false)
	return err
}

// observe runs error or denied hooks. They see a context of their own: the
// invocation's may be cancelled already, and they report just that.
func (r *run) observe(s pipeline.Step) (pipeline.Event, int) {
	ctx := context.WithoutCancel(r.ctx)
	if s.Phase == pipeline.Error && r.call.message == nil {
		TellErrorHooks(&r.call, ErrorText(r.told()), nil)
	}
	if !s.Detached { // all observers, in one step, up to one that is late
		var cancel func()
		ctx, cancel = context.WithTimeout(ctx, ObserverWait)
		defer cancel()
	}
	for i, hook := range r.plan.Hooks[s.Phase][s.From:] {
		c := r.call
		c.Output = nil // it may be what was to be redacted
		observe := func() error {
			if err := ApplyHook(ctx, s.Phase, hook, &c); err != nil {
				logObserver(c.Tool.Name, s.Phase, err)
			}
			return nil
		}
		if s.Detached {
			go observe()
			continue
		}
		err, ok := await(ctx, observe)
		if err != nil { // it has ended its goroutine
			logObserver(c.Tool.Name, s.Phase, err)
			ConcealMessage(&c)
		}
		if !ok {
			r.call.message.end()
			logObserver(c.Tool.Name, s.Phase, errLate)
			return pipeline.Late, i
		}
	}
	return pipeline.Done, len(r.plan.Hooks[s.Phase]) - s.From
}

var errLate = errors.New("it has not returned in time; the result does not wait for it any longer")

// stop ends the call when its ctx has ended, or its time.
func (r *run) stop() pipeline.Event {
	if r.awaited.Err() != nil || r.isLate() {
		return r.fail(r.late)
	}
	r.call.Err = &AbortError{context.Cause(r.ctx)}
	return pipeline.Abort
}

// isLate reports whether the time is used up, as ctx tells it: a handler that heeds
// that may return before awaited is done.
func (r *run) isLate() bool { return r.late != nil && context.Cause(r.ctx) == error(r.late) }

// withhold fails the call behind the handler. The error may quote what was to be
// redacted, so the agent does not get it.
func (r *run) withhold(err error) pipeline.Event {
	r.withheld = true
	logWithheld(r.call.Tool.Name, err)
	return r.fail(err)
}

func (r *run) fail(err error) pipeline.Event {
	r.call.Err = err
	if p := (*PanicError)(nil); errors.As(err, &p) {
		logPanic(r.call.Tool.Name, p)
	}
	return pipeline.Fail
}
