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

// The tests sleep in a bubble of synctest, whose clock jumps.

func TestACallThatTakesTooLongFails(t *testing.T) {
	wait := func(context.Context, *hooks.Call) error {
		time.Sleep(time.Hour) // what is deaf to its ctx
		return nil
	}
	heed := func(ctx context.Context, _ *hooks.Call) error {
		<-ctx.Done()
		return ctx.Err()
	}
	for name, hook := range map[string]hooks.Hook{"deaf": wait, "heeding": heed} {
		for where, tool := range map[string]*hooks.Tool{
			"before":  {Hooks: hooks.Set{Before: []hooks.Hook{hook}}},
			"handler": {Handler: func(ctx context.Context, c *hooks.Call) (any, error) { return "late", hook(ctx, c) }},
			"after":   {Hooks: hooks.Set{After: []hooks.Hook{hook}}},
			"validation": {Validate: func(ctx context.Context, input any) (any, error) {
				return input, hook(ctx, nil)
			}},
		} {
			if where == "after" && name == "heeding" {
				continue // it sees a context of its own
			}
			synctest.Test(t, func(t *testing.T) {
				tool := *tool
				tool.Contract = hooks.Contract{Name: "slow_" + name + "_" + where, Description: "Slow."}
				handled := false
				if tool.Handler == nil {
					tool.Handler = func(context.Context, *hooks.Call) (any, error) {
						handled = true
						return "done", nil
					}
				}
				var seen error
				tool.Hooks.Error = []hooks.Hook{func(ctx context.Context, c *hooks.Call) error {
					seen = c.Err
					return ctx.Err()
				}}
				tool.Hooks.Timeout = 20 * time.Second
				scope := hooks.NewScope(nil)
				scope.Add(hooks.Set{Timeout: 5 * time.Second})

				began := time.Now()
				result := hooks.Run(t.Context(), &tool, nil, scope)
				require.Equal(t, 5*time.Second, time.Since(began))
				require.True(t, result.IsError)
				require.Equal(t, "TIMEOUT", result.Code)
				require.Equal(t, "Error: the tool "+tool.Contract.Name+" has not finished within 5000 ms", result.Text())
				var late *hooks.TimeoutError
				require.ErrorAs(t, seen, &late)
				require.Equal(t, 5*time.Second, late.Limit)
				require.ErrorIs(t, seen, context.DeadlineExceeded)
				require.Equal(t, where == "after", handled, "%s: the function", where)

				time.Sleep(time.Hour) // until what is deaf is done
				synctest.Wait()
				if where == "handler" && name == "deaf" {
					require.Equal(t, []string{"webmcp: the result came after the timeout and was dropped"}, logged(&tool))
				} else {
					require.Empty(t, logged(&tool), where)
				}
			})
		}
	}
}

func TestAnAbortBeforeTheTimeoutIsAnAbort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		deadlines := make(chan time.Time, 1)
		tool := &hooks.Tool{
			Contract: contract,
			Handler:  func(context.Context, *hooks.Call) (any, error) { return nil, errors.New("not called") },
			Hooks: hooks.Set{Timeout: 5 * time.Second, Before: []hooks.Hook{func(ctx context.Context, _ *hooks.Call) error {
				deadline, _ := ctx.Deadline()
				deadlines <- deadline
				<-ctx.Done()
				return nil
			}}},
		}
		began := time.Now()
		result := hooks.Run(ctx, tool, nil)
		require.Equal(t, "Error: the call was aborted", result.Text())
		require.Empty(t, result.Code)
		require.Equal(t, began.Add(5*time.Second), <-deadlines)
		require.Equal(t, time.Second, time.Since(began))
	})
}

func TestAFunctionThatRunsOutlivesItsAbortUntilTheTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		tool := &hooks.Tool{
			Contract: contract,
			Handler: func(context.Context, *hooks.Call) (any, error) {
				time.Sleep(time.Minute) // past the timeout, by the clock of the bubble
				return "done", nil
			},
			Hooks: hooks.Set{Timeout: 5 * time.Second},
		}
		began := time.Now()
		require.Equal(t, "TIMEOUT", hooks.Run(ctx, tool, nil).Code)
		require.Equal(t, 5*time.Second, time.Since(began))
		tool.Hooks.Timeout = 2 * time.Minute
		require.Equal(t, "Error: the call was aborted", hooks.Run(ctx, tool, nil).Text(), "it had been aborted before")
		require.Equal(t, "done", hooks.Run(t.Context(), tool, nil).Text())
		time.Sleep(time.Minute)
	})
}

func TestSetsKeepTheirTimeouts(t *testing.T) {
	t.Parallel()
	short, long, none := hooks.Set{Timeout: 1}, hooks.Set{Timeout: 2}, hooks.Set{}
	require.Equal(t, short.Timeout, short.Concat(long).Timeout)
	require.Equal(t, short.Timeout, long.Concat(short).Timeout)
	require.Equal(t, long.Timeout, long.Concat(none).Timeout)
	require.Equal(t, long.Timeout, none.Concat(long).Timeout)
	s := hooks.NewScope(nil)
	s.Add(long)
	s.Update(func(old hooks.Set) hooks.Set {
		require.Equal(t, long.Timeout, old.Timeout)
		return short
	})
	require.Equal(t, short.Timeout, s.Hooks().Timeout)
}
