// Package typed makes handlers of functions that take and return Go types. It
// uses encoding/json, which is large in a page's module: an app that minds takes
// a hooks.Handler instead.
package typed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/webmcp-wasm/webmcp/hooks"
)

// Handler returns a handler that decodes the input into In, calls f, and
// returns its output as JSON: after hooks see what encoding/json decodes into
// any, and a whole number that JavaScript would round fails the call. An input that does not fit In is an error that
// names the field, and so is a whole number for an integer of Go's that JavaScript may have rounded: it is over 2^53.
// Members that In does not have are left out, as the contract allowed them or a hook has added them; a contract with
// additionalProperties false allows none but its own.
func Handler[In, Out any](f func(ctx context.Context, in In) (Out, error)) hooks.Handler {
	return func(ctx context.Context, c *hooks.Call) (any, error) {
		text, err := json.Marshal(unrounded(c.Input))
		if err != nil {
			return nil, fmt.Errorf("read the input: %w", err)
		}
		var in In
		if err := json.Unmarshal(text, &in); err != nil {
			return nil, fmt.Errorf("read the input: %w", explained(err))
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

// rounded ends the text of a number that JavaScript may have rounded: it is then
// one that encoding/json decodes into floats only.
const rounded = "e0"

// maxExact is the largest whole number up to which JavaScript has all of them.
const maxExact = 1<<53 - 1

// unrounded returns an input for json.Marshal, in which each whole number that
// may have been rounded says so. The input itself is not changed.
func unrounded(input any) any {
	switch v := input.(type) {
	case float64:
		if math.Abs(v) > maxExact && math.Abs(v) < 1e21 { // from there on it is written with an exponent anyway
			return json.Number(strconv.FormatFloat(v, 'f', 0, 64) + rounded)
		}
	case []any:
		list := make([]any, len(v))
		for i, item := range v {
			list[i] = unrounded(item)
		}
		return list
	case map[string]any:
		object := make(map[string]any, len(v))
		for key, member := range v {
			object[key] = unrounded(member)
		}
		return object
	}
	return input
}

// explained says of an error of json.Unmarshal what was rounded, if that is why.
func explained(err error) error {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		if number, ok := strings.CutSuffix(wrong.Value, rounded); ok {
			return fmt.Errorf("%s: JavaScript may have rounded the %s; use a string", wrong.Field, number)
		}
	}
	return err
}
