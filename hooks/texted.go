package hooks

import (
	"github.com/webmcp-wasm/webmcp/internal/handlers"
	"github.com/webmcp-wasm/webmcp/internal/jsontape"
)

// texted are the values of a call whose driver has them as JSON. Each hook gets a
// Go value made of it, and what it does not change is not written again.
type texted struct{ input, output *jsontape.Text }

// GiveTexts gives c an input and an output that a driver has as JSON, nil where
// there is none, instead of Input and Output.
func GiveTexts(c *Call, input, output *jsontape.Text) { c.texts = &texted{input, output} }

// TextsOf returns, for drivers, the newest texts of a call that was given some.
// They are the same as those that it was given unless Go code has changed them.
func TextsOf(c *Call) (input, output *jsontape.Text) { return c.texts.input, c.texts.output }

// shown returns c as Go code gets it; a handler that reads texts itself gets that
// of the input.
func (c *Call) shown(h Handler) Call {
	own := *c
	if c.Approval != nil {
		decided := *c.Approval
		own.Approval = &decided
	}
	if c.texts == nil {
		return own
	}
	own.texts = nil
	if input := c.texts.input; input != nil {
		if h != nil && handlers.ReadsText != nil && handlers.ReadsText(h) {
			own.Input = input
		} else {
			own.Input = input.Value()
		}
	}
	if output := c.texts.output; output != nil {
		own.Output = output.Value()
	}
	return own
}

// written returns v as a text: the old one where that says v, and where v cannot
// be written.
func written(old *jsontape.Text, v any) (*jsontape.Text, error) {
	var text *jsontape.Text
	var err error
	if old == nil {
		text, err = jsontape.TextOf(v)
	} else {
		text, err = old.With(v)
	}
	if err != nil {
		return old, err
	}
	return text, nil
}
