package hooks_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/hooks"
	"github.com/webmcp-wasm/webmcp/hooks/schema"
)

func TestAContractHoldsForWhatBeforeHooksMadeOfTheInput(t *testing.T) {
	t.Parallel()
	var seen []error
	tool := &hooks.Tool{
		Contract: hooks.Contract{Name: "add", Description: "Adds.", InputSchema: `{
			"type": "object",
			"properties": {"quantity": {"type": "integer", "maximum": 10}, "code": {"type": "string", "pattern": "^[A-Z]+$", "default": "A"}},
			"required": ["quantity"]
		}`},
		Handler: func(_ context.Context, c *hooks.Call) (any, error) { return c.Input, nil },
		Hooks: hooks.Set{
			Before: []hooks.Hook{func(_ context.Context, c *hooks.Call) error {
				if raw := c.Input.(map[string]any); raw["enrich"] != nil {
					c.Input = map[string]any{"quantity": raw["enrich"]}
				}
				return nil
			}},
			Error: []hooks.Hook{func(_ context.Context, c *hooks.Call) error { seen = append(seen, c.Err); return nil }},
		},
	}
	for name, test := range map[string]struct {
		input map[string]any
		text  string
	}{
		"valid, with a default":  {map[string]any{"quantity": 2}, `{"code":"A","quantity":2}`},
		"missing":                {map[string]any{}, "Error: invalid input: quantity: is required"},
		"too large":              {map[string]any{"quantity": 11}, "Error: invalid input: quantity: must be <= 10, got 11"},
		"made valid by a hook":   {map[string]any{"enrich": 3}, `{"code":"A","quantity":3}`},
		"made invalid by a hook": {map[string]any{"quantity": 1, "enrich": "x"}, `Error: invalid input: quantity: must be an integer, got "x"`},
		"a pattern":              {map[string]any{"quantity": 1, "code": "a"}, `Error: invalid input: code: must match the pattern ^[A-Z]+$, got "a"`},
	} {
		require.Equal(t, test.text, hooks.Run(t.Context(), tool, test.input).Text(), name)
	}
	require.Len(t, seen, 4)
	require.ErrorAs(t, seen[0], new(*schema.ValidationError))
}

func TestAnOutputThatBreaksTheContractIsAnError(t *testing.T) {
	t.Parallel()
	tool := &hooks.Tool{
		Contract: hooks.Contract{Name: "get", Description: "Gets.", OutputSchema: `{"type": "object", "required": ["ok"], "properties": {"more": {"default": 1}}}`},
		Handler:  func(_ context.Context, c *hooks.Call) (any, error) { return c.Input, nil },
		Hooks: hooks.Set{After: []hooks.Hook{func(_ context.Context, c *hooks.Call) error {
			if out, ok := c.Output.(map[string]any); ok && out["secret"] != nil {
				c.Output = map[string]any{"ok": "redacted"}
			}
			return nil
		}}},
	}
	require.Equal(t, `{"ok":true}`, hooks.Run(t.Context(), tool, map[string]any{"ok": true}).Text(), "an output is not filled in")
	require.Equal(t, `{"ok":"redacted"}`, hooks.Run(t.Context(), tool, map[string]any{"secret": 1}).Text(), "checked behind the after hooks")
	bad := hooks.Run(t.Context(), tool, map[string]any{"password": "1234"})
	require.True(t, bad.IsError)
	require.Equal(t, "Error: the tool has run, but its output cannot be passed on", bad.Text())
}

func TestOnlyInputsAreFilledInAndOnlyWhereSomethingIsMissing(t *testing.T) {
	t.Parallel()
	both := `{"type": "object", "properties": {"n": {"type": "integer", "default": 1}, "more": {"type": "object"}}, "not": {"required": ["bad"]}}`
	var seen any
	tool := &hooks.Tool{
		Contract: hooks.Contract{Name: "same", Description: "Returns it.", InputSchema: both, OutputSchema: both},
		Handler: func(_ context.Context, c *hooks.Call) (any, error) {
			seen = c.Input
			return map[string]any{}, nil
		},
	}
	for range 2 { // the schema is compiled once for both uses
		input := map[string]any{"more": map[string]any{}}
		require.Equal(t, "{}", hooks.Run(t.Context(), tool, input).Text(), "an output was filled in")
		require.Equal(t, map[string]any{"n": 1.0, "more": map[string]any{}}, seen)
		require.Equal(t, map[string]any{"more": map[string]any{}}, input, "the caller's value was filled in")

		input = map[string]any{"n": 2, "more": map[string]any{}}
		hooks.Run(t.Context(), tool, input)
		require.Equal(t, map[string]any{"n": 2.0, "more": map[string]any{}}, seen, "a value that lacks nothing stays as JSON carries it")
	}
	require.True(t, hooks.Run(t.Context(), tool, map[string]any{"bad": 1}).IsError)
}

func TestValidateComesBehindTheContract(t *testing.T) {
	t.Parallel()
	tool := &hooks.Tool{
		Contract: hooks.Contract{Name: "both", Description: "Checks twice.", InputSchema: `{"properties": {"n": {"type": "integer", "default": 1}}}`},
		Validate: func(_ context.Context, input any) (any, error) {
			if input.(map[string]any)["n"] == 1.0 {
				return "parsed", nil
			}
			return nil, errors.New("must be 1")
		},
		Handler: func(_ context.Context, c *hooks.Call) (any, error) { return c.Input, nil },
	}
	for text, input := range map[string]map[string]any{
		"parsed":           {},
		"Error: must be 1": {"n": 2},
		`Error: invalid input: n: must be an integer, got ""`: {"n": ""},
	} {
		require.Equal(t, text, hooks.Run(t.Context(), tool, input).Text())
	}
}

func TestAnInputThatIsNotJSONReachesNoHook(t *testing.T) {
	t.Parallel()
	called := func(context.Context, *hooks.Call) error { t.Error("called"); return nil }
	tool := &hooks.Tool{
		Contract: contract,
		Handler:  func(context.Context, *hooks.Call) (any, error) { return nil, called(context.Background(), nil) },
		Hooks:    hooks.Set{Before: []hooks.Hook{called}, Error: []hooks.Hook{called}},
	}
	result := hooks.Run(t.Context(), tool, map[string]any{"f": func() {}})
	require.True(t, result.IsError)
	require.Contains(t, result.Text(), "Error: the input that Go code set: cannot write f as JSON: ")
}

func TestASchemaThatCannotBeEnforcedFailsEveryCall(t *testing.T) {
	t.Parallel()
	tool := &hooks.Tool{
		Contract: hooks.Contract{Name: "get", Description: "Gets.", InputSchema: `{"$ref": "https://example.com/other"}`},
		Handler:  func(context.Context, *hooks.Call) (any, error) { t.Error("called"); return nil, nil },
	}
	for range 2 {
		result := hooks.Run(t.Context(), tool, map[string]any{})
		require.True(t, result.IsError)
		require.Contains(t, result.Text(), "$ref")
	}
}
