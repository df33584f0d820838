package hooks_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/hooks"
)

// What the agent is not told, the developer is.

func TestWhatWasWithheldIsToldToTheLog(t *testing.T) {
	t.Parallel()
	for name, tool := range map[string]*hooks.Tool{
		"its_hook_fails": {
			Handler: func(context.Context, *hooks.Call) (any, error) { return "SECRET", nil },
			Hooks:   hooks.Set{After: []hooks.Hook{func(context.Context, *hooks.Call) error { return errors.New("cannot redact SECRET") }}},
		},
		"its_output_is_wrong": {
			Contract: hooks.Contract{OutputSchema: `{"type":"number"}`},
			Handler:  func(context.Context, *hooks.Call) (any, error) { return "SECRET", nil },
		},
	} {
		tool.Contract.Name, tool.Contract.Description = name, "Withholds."
		require.NotContains(t, hooks.Run(t.Context(), tool, nil).Text(), "SECRET", name)
		lines := logged(tool)
		require.Len(t, lines, 1, name)
		require.Contains(t, lines[0], "webmcp: the output was withheld: ", name)
		require.Contains(t, lines[0], "SECRET", name)
	}
}

func TestAnObserverThatFailsIsToldToTheLog(t *testing.T) {
	t.Parallel()
	tool := &hooks.Tool{
		Contract: hooks.Contract{Name: "observed_badly", Description: "Fails."},
		Handler:  func(context.Context, *hooks.Call) (any, error) { return nil, errors.New("no") },
		Hooks:    hooks.Set{Error: []hooks.Hook{func(context.Context, *hooks.Call) error { return errors.New("the log is full") }}},
	}
	hooks.Run(t.Context(), tool, nil)
	require.Equal(t, []string{"webmcp: hook failed: error: the log is full"}, logged(tool))
}

func TestAnObserverThatIsNotWaitedForIsToldToTheLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		released := make(chan struct{})
		tool := &hooks.Tool{
			Contract: hooks.Contract{Name: "observed_slowly", Description: "Fails."},
			Handler:  func(context.Context, *hooks.Call) (any, error) { return nil, errors.New("no") },
			Hooks: hooks.Set{Error: []hooks.Hook{func(context.Context, *hooks.Call) error {
				<-released
				return nil
			}}},
		}
		hooks.Run(t.Context(), tool, nil)
		require.Equal(t, []string{"webmcp: hook failed: error: it has not returned in time; the result does not wait for it any longer"}, logged(tool))
		close(released)
	})
}

// spiteful is an error that panics when somebody looks into it.
type spiteful struct{ inIs, inAs bool }

func (spiteful) Error() string { return "spiteful" }

func (e spiteful) Is(error) bool { return e.inIs && panicking() }
func (e spiteful) As(any) bool   { return e.inAs && panicking() }

func panicking() bool { panic("nobody looks into me") }

func TestAnErrorThatPanicsWhenItIsLookedIntoIsAPanic(t *testing.T) {
	t.Parallel()
	for name, err := range map[string]error{"panics_in_is": spiteful{inIs: true}, "panics_in_as": spiteful{inAs: true}} {
		tool := &hooks.Tool{
			Contract: hooks.Contract{Name: name, Description: "Panics."},
			Handler:  func(context.Context, *hooks.Call) (any, error) { return nil, err },
		}
		require.Equal(t, "Error: internal error: the tool's Go code panicked", hooks.Run(t.Context(), tool, nil).Text())
		require.Equal(t, []string{"webmcp: Go code panicked: nobody looks into me"}, logged(tool))
	}
}
