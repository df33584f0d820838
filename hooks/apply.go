package hooks

import (
	"context"

	"github.com/webmcp-wasm/webmcp/hooks/approval"
	"github.com/webmcp-wasm/webmcp/hooks/pipeline"
	"github.com/webmcp-wasm/webmcp/internal/jsontape"
	"github.com/webmcp-wasm/webmcp/internal/texts"
)

// What hooks, handlers and validations make of a call stands here, for both
// drivers: Run, and package bridge in a page. So a native test sees what the
// page will do: values are passed on as JSON carries them to JavaScript.

// ApplyHook runs a hook on c, for drivers. What c has then is the newest: of a
// before hook the input, also when it denied the call; of an after hook the
// output. A returned *Denial, which c has too, means that a before hook denied
// the call, any other error that the hook failed. A panic is an
// error; so is what cannot be passed on.
func ApplyHook(ctx context.Context, p pipeline.Phase, hook Hook, c *Call) error {
	own := c.shown(nil)
	c.message.begin()
	err := protect(func() error {
		err := hook(ctx, &own)
		switch {
		case p == pipeline.Before:
			denial := AsDenial(err)
			if err != nil && denial == nil {
				return err
			}
			bad := c.takeInput(own.Input)
			if denial != nil {
				c.Denial = denial.filled()
				return c.Denial
			}
			return bad
		case err == nil && p == pipeline.After:
			err = c.takeOutput(own.Output)
		}
		return err
	})
	if err != nil {
		c.message.conceal()
	}
	return err
}

// ApplyValidate runs the further validation of a tool on the input of c, for
// drivers.
func ApplyValidate(ctx context.Context, t *Tool, c *Call) error {
	own := c.shown(nil)
	return protect(func() error {
		input, err := t.Validate(ctx, own.Input)
		if err != nil {
			return err
		}
		return c.takeInput(input)
	})
}

// ApplyHandler calls the handler of a tool for c, for drivers.
func ApplyHandler(ctx context.Context, t *Tool, c *Call) error {
	own := c.shown(t.Handler)
	return protect(func() error {
		output, err := t.Handler(ctx, &own)
		if err == nil {
			err = c.takeOutput(output)
		}
		return err
	})
}

// ApplyWhen asks an approval that Decides about c, for drivers. A returned *Denial, which
// c has too, means that the call is denied, any other error that the approval failed.
func ApplyWhen(ctx context.Context, a *Approval, c *Call) (said approval.Verdict, err error) {
	own := c.shown(nil)
	err = protect(func() (err error) {
		said, err = a.judge(ctx, &own)
		return err
	})
	denial := AsDenial(err)
	if err == nil && said == approval.Deny {
		denial = new(Denial)
	}
	if denial != nil {
		c.Denial = denial.filled()
		return approval.Deny, c.Denial
	}
	return said, err
}

// ApplySay has Describe or Details of an approval speak of c, for drivers.
func ApplySay(say func(c *Call) string, c *Call) (said string, err error) {
	own := c.shown(nil)
	err = protect(func() error {
		said = say(&own)
		return nil
	})
	return said, err
}

// takeInput takes over the input that Go code has set, as JSON carries it, or
// says why that cannot be.
func (c *Call) takeInput(input any) (err error) {
	if c.texts != nil {
		c.texts.input, err = written(c.texts.input, input)
	} else if input, err = jsontape.Own(input); err == nil {
		c.Input = input
	}
	return unsayable("input", err)
}

// takeOutput is takeInput for an output. An error that is returned as the output
// is a failure like one beside it.
func (c *Call) takeOutput(output any) error {
	output, err := unwrapped(output)
	if err != nil {
		return err
	}
	if c.texts != nil {
		c.texts.output, err = written(c.texts.output, output)
	} else if output, err = jsontape.Own(output); err == nil {
		c.Output = output
	}
	return unsayable("output", err)
}

// unwrapped returns an output that is no error and no nil Result.
func unwrapped(output any) (any, error) {
	switch v := output.(type) {
	case *Result:
		if v == nil {
			return nil, nil
		}
	case error:
		return nil, v
	}
	return output, nil
}

func unsayable(what string, err error) error {
	if err == nil {
		return nil
	}
	return &ValueError{what, err}
}

// ValueError is why a call failed in which Go code set an input or output that
// cannot be passed on.
type ValueError struct {
	What string // "input" or "output"
	Err  error  // where and why
}

// Error returns the text that the agent gets.
func (e *ValueError) Error() string { return "the " + e.What + " that Go code set: " + e.Err.Error() }

// Unwrap returns Err.
func (e *ValueError) Unwrap() error { return e.Err }

// filled returns the denial with general texts where it has none.
func (d *Denial) filled() *Denial {
	if d.Code != "" && d.Message != "" {
		return d
	}
	filled := *d
	if d.Code == "" {
		filled.Code = texts.DeniedCode
	}
	if d.Message == "" {
		filled.Message = texts.DeniedMessage
	}
	return &filled
}
