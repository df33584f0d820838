package hooks_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/hooks"
)

// The same ends in a page are in e2e/executed_test.go; those of approvals are in
// approval_test.go.

func TestWhatWasRefusedOrHasFailedSaysWhetherTheHandlerWasCalled(t *testing.T) {
	failing := func(context.Context, *hooks.Call) error { return errors.New("broken") }
	hanging := func(context.Context, *hooks.Call) error { time.Sleep(time.Hour); return nil }
	before := func(h hooks.Hook) hooks.Tool { return hooks.Tool{Hooks: hooks.Set{Before: []hooks.Hook{h}}} }
	after := func(h hooks.Hook) hooks.Tool { return hooks.Tool{Hooks: hooks.Set{After: []hooks.Hook{h}}} }
	handler := func(h hooks.Handler) hooks.Tool { return hooks.Tool{Handler: h} }
	for name, c := range map[string]struct {
		tool     hooks.Tool
		input    any
		aborted  bool
		text     string
		executed bool
	}{
		"no_tool":      {tool: hooks.Tool{Contract: hooks.Contract{InputSchema: "{"}}, text: "is not JSON"},
		"no_json":      {input: make(chan int), text: "cannot write value as JSON"},
		"aborted":      {aborted: true, text: "the call was aborted"},
		"denied":       {tool: before(func(context.Context, *hooks.Call) error { return hooks.Deny("NO", "no") }), text: "Denied: no"},
		"before_fails": {tool: before(failing), text: "broken"},
		"before_late":  {tool: before(hanging), text: "has not finished"},
		"invalid":      {tool: hooks.Tool{Contract: hooks.Contract{InputSchema: `{"required":["n"]}`}}, input: map[string]any{}, text: "invalid input"},
		"not_validated": {
			tool: hooks.Tool{Validate: func(context.Context, any) (any, error) { return nil, errors.New("broken") }}, text: "broken",
		},

		"fails":    {tool: handler(func(context.Context, *hooks.Call) (any, error) { return nil, errors.New("broken") }), text: "broken", executed: true},
		"panics":   {tool: handler(func(context.Context, *hooks.Call) (any, error) { panic("broken") }), text: "panicked", executed: true},
		"no_value": {tool: handler(func(context.Context, *hooks.Call) (any, error) { return make(chan int), nil }), text: "cannot write value as JSON", executed: true},
		"late":     {tool: handler(func(context.Context, *hooks.Call) (any, error) { time.Sleep(time.Hour); return nil, nil }), text: "has not finished", executed: true},
		"too_large": {
			tool: handler(func(context.Context, *hooks.Call) (any, error) {
				return strings.Repeat("x", hooks.MaxOutputBytes+1), nil
			}),
			text: "the result is too large", executed: true,
		},
		"after_fails": {tool: after(failing), text: "the tool has run", executed: true},
		"after_late":  {tool: after(hanging), text: "has not finished", executed: true},
		"not_allowed": {tool: hooks.Tool{Contract: hooks.Contract{OutputSchema: `{"type":"number"}`}}, text: "the tool has run", executed: true},
	} {
		synctest.Test(t, func(t *testing.T) {
			tool := c.tool
			var ran atomic.Bool // what is late runs on
			tool.Contract.Name, tool.Contract.Description = "executed_"+name, "Ends."
			tool.Hooks.Timeout = time.Minute
			handle := tool.Handler
			tool.Handler = func(ctx context.Context, call *hooks.Call) (any, error) {
				ran.Store(true)
				if handle == nil {
					return "done", nil
				}
				return handle(ctx, call)
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if c.aborted {
				cancel()
			}
			result := hooks.Run(ctx, &tool, c.input)
			require.True(t, result.IsError, name)
			require.Contains(t, result.Text(), c.text, name)
			require.Equal(t, new(c.executed), result.Executed, name)
			require.Equal(t, c.executed, ran.Load(), "%s: the test is wrong about what runs", name)
			said, err := json.Marshal(result)
			require.NoError(t, err)
			require.Contains(t, string(said), `"executed":`+map[bool]string{true: "true", false: "false"}[c.executed])
			time.Sleep(2 * time.Hour) // until what is late is done
		})
	}
}

func TestAResultThatHasNotFailedSaysNothingOfItsHandler(t *testing.T) {
	t.Parallel()
	own := hooks.Result{Content: hooks.TextResult("no").Content, IsError: true}
	said := hooks.Result{Content: hooks.TextResult("no").Content, IsError: true, Executed: new(false)}
	for _, output := range []any{"done", own, said} {
		result := hooks.Run(t.Context(), &hooks.Tool{
			Contract: hooks.Contract{Name: "own", Description: "Answers."},
			Handler:  func(context.Context, *hooks.Call) (any, error) { return output, nil },
		}, nil)
		require.Equal(t, hooks.ResultOf(output), result)
	}
	require.Nil(t, hooks.ResultOf(own).Executed, "a result that the handler has made goes as it is")
	require.Equal(t, new(false), hooks.ResultOf(said).Executed)
}
