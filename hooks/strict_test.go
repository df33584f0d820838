package hooks_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/hooks"
)

func TestWhatAHookHasKeptIsNotWhatRunsOrGoesOut(t *testing.T) {
	t.Parallel()
	var input, output, state map[string]any
	tool := &hooks.Tool{
		Contract: contract,
		Handler: func(_ context.Context, c *hooks.Call) (any, error) {
			require.Equal(t, map[string]any{"n": map[string]any{"n": 1}}, withInts(c.Input))
			state = map[string]any{"user": map[string]any{"email": "SECRET"}}
			return state, nil
		},
		Hooks: hooks.Set{
			Before: []hooks.Hook{
				func(_ context.Context, c *hooks.Call) error {
					input = map[string]any{"n": map[string]any{"n": 1}}
					c.Input = input
					return nil
				},
				func(context.Context, *hooks.Call) error { // as a human might take a while
					input["n"].(map[string]any)["n"] = 9999
					return nil
				},
			},
			After: []hooks.Hook{
				func(_ context.Context, c *hooks.Call) error {
					output = c.Output.(map[string]any)
					output["user"].(map[string]any)["email"] = "***"
					return nil
				},
				func(context.Context, *hooks.Call) error {
					output["user"].(map[string]any)["email"] = "SECRET"
					return nil
				},
			},
		},
	}
	require.Equal(t, `{"user":{"email":"***"}}`, hooks.Run(t.Context(), tool, map[string]any{}).Text())
	require.Equal(t, "SECRET", state["user"].(map[string]any)["email"], "what the handler keeps is its own")
}

// withInts returns the input with its number as an int.
func withInts(input any) any {
	n := input.(map[string]any)["n"].(map[string]any)["n"].(float64)
	return map[string]any{"n": map[string]any{"n": int(n)}}
}

func TestAnErrorHookThatIsLateConcealsTheMessageThatItHasRead(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		read bool
		want string
	}{
		"one that has read it": {true, "Error: the call has failed, and why cannot be passed on"},
		"one that has not":     {false, "Error: SECRET"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				tool := &hooks.Tool{
					Contract: contract,
					Handler:  func(context.Context, *hooks.Call) (any, error) { return nil, errors.New("SECRET") },
				}
				tool.Hooks.Error = []hooks.Hook{func(_ context.Context, call *hooks.Call) error {
					if c.read {
						require.Equal(t, "SECRET", call.Message())
					}
					time.Sleep(2 * hooks.ObserverWait) // in a bubble, whose clock jumps
					call.SetMessage("too late")
					return nil
				}}
				require.Equal(t, c.want, hooks.Run(t.Context(), tool, nil).Text())
				time.Sleep(2 * hooks.ObserverWait) // until the late hook is done
			})
		})
	}
}

func TestMessagesAreForErrorHooks(t *testing.T) {
	t.Parallel()
	look := func(_ context.Context, c *hooks.Call) error {
		c.SetMessage("other")
		require.Empty(t, c.Message())
		return nil
	}
	tool := &hooks.Tool{
		Contract: contract,
		Handler:  func(ctx context.Context, c *hooks.Call) (any, error) { return "out", look(ctx, c) },
		Hooks:    hooks.Set{Before: []hooks.Hook{look}, After: []hooks.Hook{look}},
	}
	require.Equal(t, "out", hooks.Run(t.Context(), tool, nil).Text())
}
