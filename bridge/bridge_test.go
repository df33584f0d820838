package bridge_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/bridge"
	"github.com/webmcp-wasm/webmcp/hooks"
)

func handler(context.Context, *hooks.Call) (any, error) { return "done", nil }

func TestWhatCannotBeRegisteredSaysWhy(t *testing.T) {
	t.Parallel()
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct {
		rule string
		ctx  context.Context
		tool hooks.Tool
		name string // of the *Error; empty: it is context.Canceled
		text string
	}{
		{
			"a tool needs a handler", context.Background(),
			hooks.Tool{Contract: hooks.Contract{Name: "a", Description: "x"}},
			"ConfigurationError", "the tool a has no handler",
		},
		{
			"an input schema is JSON", context.Background(),
			hooks.Tool{Contract: hooks.Contract{Name: "a", Description: "x", InputSchema: "{"}, Handler: handler},
			"ConfigurationError", "the schema of the tool a is not JSON: ",
		},
		{
			"an output schema is JSON", context.Background(),
			hooks.Tool{Contract: hooks.Contract{Name: "a", Description: "x", OutputSchema: "{"}, Handler: handler},
			"ConfigurationError", "the outputSchema of the tool a is not JSON: ",
		},
		{
			"an approval has no mistakes", context.Background(),
			hooks.Tool{Contract: hooks.Contract{Name: "a", Description: "x"}, Handler: handler, Approval: &hooks.Approval{Only: 9}},
			"ConfigurationError", "the approval of the tool a: an approval has an Only that is no hint that there is",
		},
		{"a cancelled registration is none", cancelled, hooks.Tool{Contract: hooks.Contract{Name: "a", Description: "x"}, Handler: handler}, "", ""},
		{
			"there must be a page", context.Background(),
			hooks.Tool{Contract: hooks.Contract{Name: "a", Description: "x", InputSchema: "{}"}, Handler: handler},
			"NotSupportedError", "the tool a needs a page: build this program with GOOS=js GOARCH=wasm",
		},
	} {
		t.Run(c.rule, func(t *testing.T) {
			t.Parallel()
			scope := bridge.NewScope(bridge.NewScope(nil, hooks.Set{}), hooks.Set{})
			release, err := bridge.Register(c.ctx, &c.tool, scope)
			require.Nil(t, release)
			if c.name == "" {
				require.ErrorIs(t, err, context.Canceled)
				return
			}
			var failure *bridge.Error
			require.ErrorAs(t, err, &failure)
			require.Equal(t, c.name, failure.Name)
			require.Contains(t, failure.Message, c.text)
		})
	}
}

func TestAnAbortErrorIsACancelledContext(t *testing.T) {
	t.Parallel()
	require.ErrorIs(t, &bridge.Error{Name: "AbortError", Message: "stopped"}, context.Canceled)
	require.NotErrorIs(t, &bridge.Error{Name: "TypeError", Message: "stopped"}, context.Canceled)
}
