package typed_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/hooks"
	"github.com/webmcp-wasm/webmcp/hooks/typed"
)

type in struct {
	Quantity int `json:"quantity"`
}

type out struct {
	Total float64 `json:"total"`
}

func price(_ context.Context, in in) (out, error) {
	if in.Quantity < 1 {
		return out{}, fmt.Errorf("quantity: must be at least 1")
	}
	return out{float64(in.Quantity) * 1.5}, nil
}

var contract = hooks.Contract{Name: "price", Description: "Tells the price."}

func TestInputsThatDoNotFitAreErrors(t *testing.T) {
	t.Parallel()
	tool := &hooks.Tool{Contract: contract, Handler: typed.Handler(price)}
	for name, test := range map[string]struct {
		input any
		want  string
	}{
		"another type":  {map[string]any{"quantity": "2"}, "quantity"},
		"a part of one": {map[string]any{"quantity": 1.5}, "quantity"},
		"no JSON":       {func() {}, "the input that Go code set"},
		"an error of f": {map[string]any{}, "must be at least 1"},
	} {
		result := hooks.Run(t.Context(), tool, test.input)
		require.True(t, result.IsError, name)
		require.Contains(t, result.Text(), test.want, name)
	}
}

func TestMembersThatAHookHasAddedAreNoError(t *testing.T) {
	t.Parallel()
	tool := &hooks.Tool{
		Contract: contract,
		Handler:  typed.Handler(price),
		Hooks: hooks.Set{Before: []hooks.Hook{func(_ context.Context, c *hooks.Call) error {
			c.Input.(map[string]any)["tenantId"] = "acme"
			return nil
		}}},
	}
	require.Equal(t, `{"total":3}`, hooks.Run(t.Context(), tool, map[string]any{"quantity": 2, "note": "allowed"}).Text())
	tool.Contract.InputSchema = `{"type":"object","properties":{"quantity":{}},"additionalProperties":false}`
	require.Contains(t, hooks.Run(t.Context(), tool, map[string]any{"quantity": 2}).Text(), "tenantId: is not allowed", "what the contract says counts")
}

func TestAWholeNumberThatMayHaveBeenRoundedIsNoInteger(t *testing.T) {
	t.Parallel()
	type order struct {
		ID     int64   `json:"id"`
		Weight float64 `json:"weight"`
		Lines  []struct {
			ID uint64 `json:"id"`
		} `json:"lines"`
		Any any `json:"any"`
	}
	var got order
	tool := &hooks.Tool{Contract: contract, Handler: typed.Handler(func(_ context.Context, in order) (string, error) {
		got = in
		return "ok", nil
	})}
	for input, want := range map[string]string{
		`{"id":9007199254740991}`:                "ok",
		`{"id":-9007199254740991}`:               "ok",
		`{"id":9007199254740993}`:                "Error: read the input: id: JavaScript may have rounded the number 9007199254740992; use a string",
		`{"id":-9223372036854775808}`:            "Error: read the input: id: JavaScript may have rounded the number -9223372036854775808; use a string",
		`{"lines":[{"id":1},{"id":1e19}]}`:       "Error: read the input: lines.id: JavaScript may have rounded the number 10000000000000000000; use a string",
		`{"weight":9007199254740994,"any":1e19}`: "ok",
		`{"weight":1e300}`:                       "ok",
	} {
		var decoded any
		require.NoError(t, json.Unmarshal([]byte(input), &decoded)) // as a browser does
		require.Equal(t, want, hooks.Run(t.Context(), tool, decoded).Text(), input)
		if want == "ok" {
			var exact order
			require.NoError(t, json.Unmarshal([]byte(input), &exact))
			require.Equal(t, exact, got, input)
		}
	}
}

func TestAfterHooksSeeWhatJSONCarries(t *testing.T) {
	t.Parallel()
	tool := &hooks.Tool{
		Contract: contract,
		Handler:  typed.Handler(price),
		Hooks: hooks.Set{After: []hooks.Hook{func(_ context.Context, c *hooks.Call) error {
			require.Equal(t, map[string]any{"total": 1.5}, c.Output)
			return nil
		}}},
	}
	require.Equal(t, `{"total":1.5}`, hooks.Run(t.Context(), tool, map[string]any{"quantity": 1}).Text())
}

func TestANumberThatJavaScriptWouldRoundIsAnError(t *testing.T) {
	t.Parallel()
	type order struct {
		ID int64 `json:"id"`
	}
	for id, want := range map[int64]string{
		9007199254740991: `{"id":9007199254740991}`,
		9007199254740993: "Error: the output that Go code set: cannot write id as JSON: JavaScript would round 9007199254740993; use a string",
	} {
		tool := &hooks.Tool{Contract: contract, Handler: typed.Handler(func(context.Context, struct{}) (order, error) { return order{id}, nil })}
		require.Equal(t, want, hooks.Run(t.Context(), tool, map[string]any{}).Text())
	}
}
