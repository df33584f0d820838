// Package typed makes handlers of functions that take and return Go types. It
// uses encoding/json, which is large in a page's module: an app that minds takes
// a hooks.Handler instead.
package typed

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/webmcp-wasm/webmcp/hooks"
)

// Handler returns a handler that decodes the input into In, calls f, and
// returns its output as JSON: after hooks see what encoding/json decodes into
// any, and a whole number that JavaScript would round fails the call. An input that does not fit In is an error that
// names the field; members that In does not have are refused.
func Handler[In, Out any](f func(ctx context.Context, in In) (Out, error)) hooks.Handler {
	return func(ctx context.Context, c *hooks.Call) (any, error) {
		text, err := json.Marshal(c.Input)
		if err != nil {
			return nil, fmt.Errorf("read the input: %w", err)
		}
		var in In
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&in); err != nil {
			return nil, fmt.Errorf("read the input: %w", err)
		}
		out, err := f(ctx, in)
		if err != nil {
			return nil, err
		}
		text, err = json.Marshal(out)
		if err != nil {
			return nil, fmt.Errorf("write the output: %w", err)
		}
		return json.RawMessage(text), nil
	}
}
