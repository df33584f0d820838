// Package gocases makes tools of the cases of package cases, for both drivers of
// Go: hooks.Run and package bridge.
package gocases

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"github.com/webmcp-wasm/webmcp/hooks"
	"github.com/webmcp-wasm/webmcp/hooks/approval"
	"github.com/webmcp-wasm/webmcp/hooks/pipeline"
	"github.com/webmcp-wasm/webmcp/internal/cases"
	"github.com/webmcp-wasm/webmcp/internal/jsontape"
)

// Play is one run of a case.
type Play struct {
	Case cases.Case
	// Ran and Saw are told what ran and what observers saw; Abort aborts the call.
	Ran, Saw func(string)
	Abort    func()
}

// Outer and Inner return the hooks of the scopes.
func (p *Play) Outer() hooks.Set { return p.set("outer", p.Case.Outer) }

// Inner returns the hooks of the inner scope.
func (p *Play) Inner() hooks.Set { return p.set("inner", p.Case.Inner) }

// Tool returns the tool.
func (p *Play) Tool() *hooks.Tool {
	return &hooks.Tool{
		Contract: hooks.Contract{
			Name: "probe", Description: "Shows its input.", InputSchema: p.Case.Schema, OutputSchema: p.Case.OutputSchema,
		},
		Hooks: p.set("tool", p.Case.Tool),
		Handler: func(ctx context.Context, c *hooks.Call) (any, error) {
			p.Ran("fn")
			output := c.Input
			err := p.act(ctx, c, p.Case.Fn, &output)
			return output, err
		},
	}
}

// ToolOf returns the tool of a contract.
func ToolOf(c cases.Contract) *hooks.Tool {
	t := &hooks.Tool{Contract: hooks.Contract{
		Name: c.Tool.Name, Title: c.Tool.Title, Description: c.Tool.Description,
		InputSchema: c.Tool.InputSchema, OutputSchema: c.Tool.OutputSchema,
	}}
	if !c.Nothing {
		t.Handler = func(_ context.Context, c *hooks.Call) (any, error) { return c.Input, nil }
	}
	return t
}

// set returns the hooks of a place, behind one in each phase that writes down
// that it ran.
func (p *Play) set(place string, h cases.Hooks) hooks.Set {
	list := func(phase pipeline.Phase, acts []cases.Act) []hooks.Hook {
		all := []hooks.Hook{func(_ context.Context, c *hooks.Call) error {
			p.Ran(place + "." + phase.String())
			if place == "tool" {
				p.see(phase, c)
			}
			return nil
		}}
		for _, act := range acts {
			all = append(all, func(ctx context.Context, c *hooks.Call) error {
				target := &c.Output
				if phase == pipeline.Before {
					target = &c.Input
				}
				return p.act(ctx, c, act, target)
			})
		}
		return all
	}
	return hooks.Set{
		Approval: p.approvals(place, h.Approval),
		Before:   list(pipeline.Before, h.Before), After: list(pipeline.After, h.After),
		Error: list(pipeline.Error, h.Error), Denied: list(pipeline.Denied, h.Denied),
	}
}

// approvals returns the approvals of a place.
func (p *Play) approvals(place string, policies []cases.Policy) (approvals []hooks.Approval) {
	for _, policy := range policies {
		a := hooks.Approval{
			Only:  map[string]hooks.Hint{"consequential": hooks.Consequential, "writes": hooks.Writes}[policy.Only],
			Title: policy.Title, Describe: p.say(place+".describe", policy.Describe), Details: p.say(place+".details", policy.Details),
		}
		if act := policy.When; act.Do != "" {
			a.When = func(ctx context.Context, c *hooks.Call) (approval.Verdict, error) {
				p.Ran(place + ".when")
				if act.Do == cases.Judge {
					return verdict(act.Text), nil
				}
				return approval.Ask, p.act(ctx, c, act, &c.Input)
			}
		}
		approvals = append(approvals, a)
	}
	return approvals
}

func verdict(text string) approval.Verdict {
	verdict, ok := map[string]approval.Verdict{"allow": approval.Allow, "ask": approval.Ask, "deny": approval.Deny}[text]
	if !ok {
		return approval.Deny + 1
	}
	return verdict
}

// say returns a function that says a text of a question; nil for the zero Act.
func (p *Play) say(name string, act cases.Act) func(c *hooks.Call) string {
	if act.Do == "" {
		return nil
	}
	return func(c *hooks.Call) string {
		p.Ran(name)
		_ = p.act(context.Background(), c, act, new(any)) // it panics, or does nothing
		return act.Text
	}
}

// see says what an observer was told.
func (p *Play) see(phase pipeline.Phase, c *hooks.Call) {
	if phase != pipeline.After && c.Output != nil {
		p.Saw("an output")
	}
	switch phase {
	case pipeline.Error:
		p.Saw(nameOf(c.Err) + ": " + hooks.ErrorText(c.Err))
	case pipeline.Denied:
		input, err := jsontape.Append(nil, c.Input)
		if err != nil {
			input = []byte(err.Error())
		}
		p.Saw(c.Denial.Code + ": " + c.Denial.Message + " " + string(input))
	}
}

// nameOf returns what a program finds in an error with errors.As.
func nameOf(err error) string {
	var own *cases.OwnError
	var unapproved *hooks.ApprovalError
	var aborted *hooks.AbortError
	var input *hooks.InputError
	var output *hooks.OutputError
	var panicked *hooks.PanicError
	switch {
	case errors.As(err, &unapproved):
		return "NotAllowedError" // as in JavaScript
	case errors.As(err, &own):
		return fmt.Sprint("OwnError ", own.Number)
	case errors.As(err, &aborted) && errors.Is(err, context.Canceled):
		return "AbortError"
	case errors.As(err, &input), errors.As(err, &output):
		return "ValidationError"
	case errors.As(err, &panicked):
		return "PanicError"
	}
	return "Error"
}

// act does what a hook or the function does; target is what it may set.
func (p *Play) act(ctx context.Context, c *hooks.Call, act cases.Act, target *any) error {
	switch act.Do {
	case cases.Abort:
		p.Abort()
		<-ctx.Done()
		switch {
		case act.Code != "":
			act.Do = cases.Deny
		case act.Text != "":
			act.Do = cases.Fail
		case act.Value.JS != "":
			act.Do = cases.Set
		default:
			return nil
		}
		return p.act(ctx, c, act, target)
	case cases.Set:
		*target = value(act.Value.Go)
	case cases.Deny:
		if act.Value.Go != nil {
			*target = value(act.Value.Go)
		}
		return hooks.Deny(act.Code, act.Text)
	case cases.Fail:
		if act.Value.Go != nil {
			return value(act.Value.Go).(error)
		}
		return errors.New(act.Text)
	case cases.Say:
		c.SetMessage(act.Text)
	case cases.Blurt:
		return errors.New(c.Message())
	case cases.Put:
		c.Metadata.Set(act.Text, value(act.Value.Go))
	case cases.Drop:
		c.Metadata.Delete(act.Text)
	case cases.Take:
		*target = said(c.Metadata.Get(act.Text))
	case cases.Panic:
		panic("SECRET")
	case cases.Goexit:
		runtime.Goexit()
	}
	return nil
}

// said returns a text for what JSON would not carry.
func said(v any) any {
	switch v := v.(type) {
	case *cases.Own:
		return fmt.Sprint("own ", v.Number)
	case int64:
		return fmt.Sprint("int64 ", v)
	}
	return v
}

// value makes the special values.
func value(v any) any {
	special, _ := v.(cases.Special)
	switch special {
	case cases.Result:
		r := hooks.TextResult("one")
		r.IsError, r.Code, r.More = true, "NO", map[string]any{"structuredContent": map[string]any{"a": 1}}
		return r
	case cases.NilResult:
		return (*hooks.Result)(nil)
	case cases.BareDenial:
		return &hooks.Denial{}
	case cases.Wrapped:
		return fmt.Errorf("policy: %w", hooks.Deny("NO", "not today"))
	}
	return v
}
