package hooks_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
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
			Contract: hooks.Contract{Name: "panics_with_" + strings.ReplaceAll(reason, " ", "_"), Description: "Panics."},
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

func TestCodeThatEndsItsGoroutineFailsTheCall(t *testing.T) {
	t.Parallel()
	ends := func(context.Context, *hooks.Call) error { runtime.Goexit(); return nil }
	for phase, set := range map[string]hooks.Set{
		"before":  {Before: []hooks.Hook{ends}},
		"handler": {},
		"error":   {Error: []hooks.Hook{ends}},
	} {
		result := hooks.Run(context.Background(), &hooks.Tool{
			Contract: contract,
			Handler: func(ctx context.Context, c *hooks.Call) (any, error) {
				if phase == "handler" {
					return nil, ends(ctx, c)
				}
				return nil, errors.New("failed")
			},
			Hooks: set,
		}, nil)
		want := "Error: internal error: the tool's Go code ended its goroutine"
		if phase == "error" {
			want = "Error: failed"
		}
		require.Equal(t, want, result.Text(), phase)
	}
}
