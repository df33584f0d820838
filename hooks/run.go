package hooks

import (
	"context"
	"errors"

	"github.com/webmcp-wasm/webmcp/hooks/pipeline"
)

// Run calls a tool as an agent does, through the hooks of scopes and of the
// tool, and returns what the agent gets. It blocks until the call has settled.
//
// scopes are the innermost scopes that the tool is in; nil stands for none. With
// several, all of them apply in that order, and one that they share applies once.
// A scope for all tools comes first. The hooks are those of the moment in which
// Run is called: a change during the call does not affect it.
//
// Run never fails itself: a denial and an error are Results. When ctx is
// cancelled, the call ends before the handler, or when the handler and the after
// hooks have returned. It is safe for concurrent use.
func Run(ctx context.Context, t *Tool, input any, scopes ...*Scope) Result {
	plan := compile(scopes, t.Hooks)
	r := run{
		ctx:  ctx,
		tool: t,
		plan: plan,
		call: Call{ID: newID(), Tool: t.Contract, Input: input, Metadata: new(Metadata)},
	}
	shape := plan.Shape()
	shape.Validate = t.Validate != nil || t.Contract.InputSchema != ""
	shape.Check = t.Contract.OutputSchema != ""

	var m pipeline.Machine
	step := m.Start(shape)
	for step.Op != pipeline.Settle {
		event, count := r.do(step)
		step = m.Next(step.Ticket, event, count)
	}
	return r.result(step.Outcome)
}

// run is the driver's side of one invocation: its values.
type run struct {
	ctx  context.Context
	tool *Tool
	plan *pipeline.Plan[Hook]
	call Call // the newest values
}

// do performs a step, and returns how it ended and after how many hooks.
func (r *run) do(s pipeline.Step) (pipeline.Event, int) {
	switch s.Op {
	case pipeline.Hooks:
		if s.Phase >= pipeline.Error {
			return r.observe(s)
		}
		return r.hooks(s)
	case pipeline.Validate:
		return r.validate(), 0
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
		ctx = context.WithoutCancel(ctx)
	}
	for i, hook := range r.plan[s.Phase][s.From:] {
		if before && r.ctx.Err() != nil {
			return r.abort(), i
		}
		c := r.call
		err, ok := await(ctx, func() error { return hook(r.ctx, &c) })
		switch {
		case !ok:
			return r.abort(), i
		case err == nil && before:
			r.call.Input = c.Input
		case err == nil:
			r.call.Output = c.Output
		case before && AsDenial(err) != nil:
			r.call.Input, r.call.Denial = c.Input, AsDenial(err)
			return pipeline.Deny, i
		default:
			return r.fail(err), i
		}
	}
	return pipeline.Done, len(r.plan[s.Phase]) - s.From
}

func (r *run) validate() pipeline.Event {
	if r.ctx.Err() != nil {
		return r.abort()
	}
	input := r.call.Input
	err, ok := await(r.ctx, func() (err error) {
		if text := r.tool.Contract.InputSchema; text != "" {
			if input, err = enforce(text, input, true); err != nil {
				return err
			}
		}
		if r.tool.Validate != nil {
			input, err = r.tool.Validate(r.ctx, input)
		}
		return err
	})
	switch {
	case !ok:
		return r.abort()
	case err != nil:
		return r.fail(err)
	}
	r.call.Input = input
	return pipeline.Done
}

func (r *run) handle() pipeline.Event {
	if r.ctx.Err() != nil {
		return r.abort()
	}
	c := r.call
	err := Protect(func() (err error) {
		r.call.Output, err = r.tool.Handler(r.ctx, &c)
		return err
	})
	if err != nil {
		return r.fail(err)
	}
	return pipeline.Done
}

// check holds the output against the contract.
func (r *run) check() pipeline.Event {
	if _, err := enforce(r.tool.Contract.OutputSchema, r.call.Output, false); err != nil {
		return r.fail(&OutputError{err})
	}
	return pipeline.Done
}

// OutputError is why a call failed whose output breaks the tool's output schema.
type OutputError struct{ Err error }

// Error returns the text that the agent gets.
func (e *OutputError) Error() string {
	return "the tool returned what its contract does not allow: " + e.Err.Error()
}

// Unwrap returns the *schema.ValidationError.
func (e *OutputError) Unwrap() error { return e.Err }

// observe runs error or denied hooks. They see a context of their own: the
// invocation's may be cancelled already, and they report just that.
func (r *run) observe(s pipeline.Step) (pipeline.Event, int) {
	ctx := context.WithoutCancel(r.ctx)
	if !s.Detached { // all observers, in one step, up to one that is late
		var cancel func()
		ctx, cancel = context.WithTimeout(ctx, ObserverWait)
		defer cancel()
	}
	for i, hook := range r.plan[s.Phase][s.From:] {
		c := r.call
		observe := func() error {
			err := Protect(func() error { return hook(ctx, &c) })
			if err != nil {
				logObserver(c.Tool.Name, s.Phase, err)
			}
			return nil
		}
		if s.Detached {
			go observe()
		} else if _, ok := await(ctx, observe); !ok {
			logObserver(c.Tool.Name, s.Phase, errLate)
			return pipeline.Late, i
		}
	}
	return pipeline.Done, len(r.plan[s.Phase]) - s.From
}

var errLate = errors.New("it has not returned in time; the result does not wait for it any longer")

func (r *run) abort() pipeline.Event {
	r.call.Err = &AbortError{context.Cause(r.ctx)}
	return pipeline.Abort
}

func (r *run) fail(err error) pipeline.Event {
	r.call.Err = err
	if p := (*PanicError)(nil); errors.As(err, &p) {
		logPanic(r.call.Tool.Name, p)
	}
	return pipeline.Fail
}

// AbortError is why a call failed whose signal aborted: errors.Is finds
// context.Canceled in it, and the cause.
type AbortError struct{ Cause error }

// Error returns the text that the agent gets.
func (e *AbortError) Error() string {
	if e.Cause == nil || errors.Is(e.Cause, context.Canceled) {
		return "the call was aborted"
	}
	return "the call was aborted: " + e.Cause.Error()
}

// Unwrap returns the cause, and context.Canceled.
func (e *AbortError) Unwrap() []error { return []error{context.Canceled, e.Cause} }
