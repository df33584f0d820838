package hooks_test

import (
	"context"
	"errors"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/hooks"
)

func TestAPanicIsToldToTheLogAndNotToTheAgent(t *testing.T) {
	t.Parallel()
	for reason, value := range map[string]any{
		"disk full": errors.New("disk full"),
		"secret":    "secret",
		"a value that is neither an error nor a string": 42,
	} {
		tool := &hooks.Tool{
			Contract: hooks.Contract{Name: "panics with " + reason},
			Handler:  func(context.Context, *hooks.Call) (any, error) { panic(value) },
		}
		var seen *hooks.PanicError
		tool.Hooks.Error = []hooks.Hook{func(_ context.Context, c *hooks.Call) error {
			require.ErrorAs(t, c.Err, &seen)
			return nil
		}}
		require.Equal(t, "Error: internal error: the tool's Go code panicked", hooks.Run(t.Context(), tool, nil).Text())
		require.Equal(t, value, seen.Value)
		require.Contains(t, string(seen.Stack), "protect_test.go", "the stack does not show where")
		require.Equal(t, []string{"webmcp: Go code panicked: " + reason}, logged(tool))
	}
}

func TestProtectReturnsWhatItsFunctionReturns(t *testing.T) {
	t.Parallel()
	err := errors.New("failed")
	require.Same(t, err, hooks.Protect(func() error { return err }))
	require.NoError(t, hooks.Protect(func() error { return nil }))
}

func TestAHookThatEndsItsGoroutineFailsTheCall(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context()) // a call that can be aborted runs its hooks in goroutines
	defer cancel()
	for phase, set := range map[string]hooks.Set{
		"before": {Before: []hooks.Hook{func(context.Context, *hooks.Call) error { runtime.Goexit(); return nil }}},
		"error":  {Error: []hooks.Hook{func(context.Context, *hooks.Call) error { runtime.Goexit(); return nil }}},
	} {
		result := hooks.Run(ctx, &hooks.Tool{
			Handler: func(context.Context, *hooks.Call) (any, error) { return nil, errors.New("failed") },
			Hooks:   set,
		}, nil)
		want := "Error: failed"
		if phase == "before" {
			want = "Error: internal error: the tool's Go code ended its goroutine"
		}
		require.Equal(t, want, result.Text(), phase)
	}
}
