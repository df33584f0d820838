package hooks_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/hooks"
	"github.com/webmcp-wasm/webmcp/hooks/pipeline"
)

// journal collects what ran.
type journal struct {
	mu    sync.Mutex
	lines []string
}

func (j *journal) add(line string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lines = append(j.lines, line)
}

func (j *journal) all() []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.lines)
}

// note returns a set whose hooks note that they ran.
func (j *journal) note(name string) hooks.Set {
	hook := func(p pipeline.Phase) []hooks.Hook {
		return []hooks.Hook{func(context.Context, *hooks.Call) error {
			j.add(name + "." + p.String())
			return nil
		}}
	}
	return hooks.Set{
		Before: hook(pipeline.Before), After: hook(pipeline.After),
		Error: hook(pipeline.Error), Denied: hook(pipeline.Denied),
	}
}

func (j *journal) scope(name string, parent *hooks.Scope) *hooks.Scope {
	s := hooks.NewScope(parent)
	s.Add(j.note(name))
	return s
}

// contract is the contract of tools whose contract does not matter.
var contract = hooks.Contract{Name: "save", Description: "Save."}

func (j *journal) tool(before ...hooks.Hook) *hooks.Tool {
	set := j.note("tool")
	set.Before = append(set.Before, before...)
	return &hooks.Tool{
		Contract: contract,
		Handler: func(_ context.Context, c *hooks.Call) (any, error) {
			j.add("fn")
			return c.Input, nil
		},
		Hooks: set,
	}
}

func TestTheOrderOfACall(t *testing.T) {
	t.Parallel()
	failing := errors.New("disk full")
	for name, test := range map[string]struct {
		before hooks.Hook
		want   string
		text   string
	}{
		"success": {nil, "outer.before inner.before tool.before fn tool.after inner.after outer.after", "in"},
		"denial": {
			func(context.Context, *hooks.Call) error { return hooks.Deny("NO", "not today") },
			"outer.before inner.before tool.before tool.denied inner.denied outer.denied", "Denied: not today",
		},
		"a wrapped denial": {
			func(context.Context, *hooks.Call) error {
				return fmt.Errorf("policy: %w", hooks.Deny("NO", "not today"))
			},
			"outer.before inner.before tool.before tool.denied inner.denied outer.denied", "Denied: not today",
		},
		"failure": {
			func(context.Context, *hooks.Call) error { return failing },
			"outer.before inner.before tool.before tool.error inner.error outer.error", "Error: disk full",
		},
		"panic": {
			func(context.Context, *hooks.Call) error { panic("secret") },
			"outer.before inner.before tool.before tool.error inner.error outer.error",
			"Error: internal error: the tool's Go code panicked",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var j journal
			inner := j.scope("inner", j.scope("outer", nil))
			tool := j.tool()
			if test.before != nil {
				tool = j.tool(test.before)
			}
			result := hooks.Run(t.Context(), tool, "in", inner)
			require.Equal(t, test.want, strings.Join(j.all(), " "))
			require.Equal(t, test.text, result.Text())
			require.Equal(t, name != "success", result.IsError)
		})
	}
}

func TestInputFlowsThroughBeforeHooksAndOutputThroughAfterHooks(t *testing.T) {
	t.Parallel()
	add := func(s string) hooks.Hook {
		return func(_ context.Context, c *hooks.Call) error {
			c.Input = c.Input.(string) + s
			return nil
		}
	}
	result := hooks.Run(t.Context(), &hooks.Tool{
		Contract: contract,
		Handler:  func(_ context.Context, c *hooks.Call) (any, error) { return c.Input.(string) + "!", nil },
		Hooks: hooks.Set{
			Before: []hooks.Hook{add("b"), add("c")},
			After: []hooks.Hook{
				func(_ context.Context, c *hooks.Call) error {
					c.Output = strings.ToUpper(c.Output.(string))
					return nil
				},
				func(_ context.Context, c *hooks.Call) error {
					require.Equal(t, "abc", c.Input)
					c.Output = c.Output.(string) + "?"
					return nil
				},
			},
		},
	}, "a")
	require.Equal(t, "ABC!?", result.Text())
}

func TestNilIsAnInputAndAnOutputLikeAnyOther(t *testing.T) {
	t.Parallel()
	result := hooks.Run(t.Context(), &hooks.Tool{
		Contract: contract,
		Handler: func(_ context.Context, c *hooks.Call) (any, error) {
			require.Nil(t, c.Input)
			return "out", nil
		},
		Hooks: hooks.Set{
			Before: []hooks.Hook{func(_ context.Context, c *hooks.Call) error { c.Input = nil; return nil }},
			After:  []hooks.Hook{func(_ context.Context, c *hooks.Call) error { c.Output = nil; return nil }},
		},
	}, "in")
	require.Equal(t, hooks.TextResult(""), result)
}

func TestDeniedHooksSeeTheNewestInputAndTheDenial(t *testing.T) {
	t.Parallel()
	var seen hooks.Call
	result := hooks.Run(t.Context(), &hooks.Tool{
		Contract: hooks.Contract{Name: "pay", Description: "Pays."},
		Handler:  func(context.Context, *hooks.Call) (any, error) { t.Error("called"); return nil, nil },
		Hooks: hooks.Set{
			Before: []hooks.Hook{
				func(_ context.Context, c *hooks.Call) error { c.Input = "enriched"; return nil },
				func(_ context.Context, c *hooks.Call) error {
					c.Input = "beside the denial"
					return hooks.Deny("", "")
				},
			},
			Denied: []hooks.Hook{func(_ context.Context, c *hooks.Call) error { seen = *c; return nil }},
		},
	}, "in")
	require.Equal(t, "beside the denial", seen.Input)
	require.Equal(t, &hooks.Denial{Code: "DENIED", Message: "the call was denied"}, seen.Denial)
	require.Equal(t, "pay", seen.Tool.Name)
	require.Equal(t, hooks.Result{
		IsError: true, Code: "DENIED", Content: []hooks.Content{{"type": "text", "text": "Denied: the call was denied"}},
	}, result)
}

func TestValidationSeesTheEnrichedInputAndReplacesIt(t *testing.T) {
	t.Parallel()
	tool := &hooks.Tool{
		Contract: contract,
		Handler:  func(_ context.Context, c *hooks.Call) (any, error) { return c.Input, nil },
		Validate: func(_ context.Context, input any) (any, error) {
			if input == "bad" {
				return nil, errors.New("quantity: must be <= 10")
			}
			return input.(string) + " parsed", nil
		},
		Hooks: hooks.Set{Before: []hooks.Hook{func(_ context.Context, c *hooks.Call) error {
			if c.Input == "raw" {
				c.Input = "enriched"
			}
			return nil
		}}},
	}
	require.Equal(t, "enriched parsed", hooks.Run(t.Context(), tool, "raw").Text())
	bad := hooks.Run(t.Context(), tool, "bad")
	require.True(t, bad.IsError)
	require.Equal(t, "Error: quantity: must be <= 10", bad.Text())
}

func TestAFailingAfterHookDoesNotLeakTheOutput(t *testing.T) {
	t.Parallel()
	for name, err := range map[string]error{
		"an error": errors.New("cannot redact"),
		"a denial": hooks.Deny("X", "too late to deny"),
	} {
		var j journal
		tool := j.tool()
		tool.Hooks.After = []hooks.Hook{func(context.Context, *hooks.Call) error { return err }}
		result := hooks.Run(t.Context(), tool, "secret")
		require.True(t, result.IsError, name)
		require.NotContains(t, result.Text(), "secret")
		require.Equal(t, []string{"tool.before", "fn", "tool.error"}, j.all())
	}
}

func TestAFailingObserverChangesNothingAndTheNextOneRuns(t *testing.T) {
	t.Parallel()
	var j journal
	outer := j.scope("outer", nil)
	tool := j.tool(func(context.Context, *hooks.Call) error { return errors.New("first") })
	tool.Hooks.Error = []hooks.Hook{
		func(_ context.Context, c *hooks.Call) error {
			c.Err = errors.New("changed")
			return errors.New("second")
		},
		func(context.Context, *hooks.Call) error { panic("third") },
	}
	require.Equal(t, "Error: first", hooks.Run(t.Context(), tool, nil, outer).Text())
	require.Equal(t, []string{"outer.before", "tool.before", "outer.error"}, j.all())
}

func TestAnObserverThatNeverReturnsDelaysTheResultForABoundedTime(t *testing.T) {
	t.Parallel()
	var j journal
	outer := j.scope("outer", nil)
	release := make(chan struct{})
	defer close(release)
	tool := j.tool(func(context.Context, *hooks.Call) error { return errors.New("failed") })
	tool.Hooks.Error = []hooks.Hook{func(ctx context.Context, _ *hooks.Call) error {
		<-release
		return ctx.Err()
	}}
	require.Equal(t, "Error: failed", hooks.Run(t.Context(), tool, nil, outer).Text())
	require.Eventually(t, func() bool { return slices.Contains(j.all(), "outer.error") }, time.Minute, time.Millisecond,
		"the observers behind the late one never ran")
}

func TestAnAbortedCallNeverReachesTheFunction(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var j journal
	var seen error
	tool := j.tool()
	tool.Hooks.Error = append(tool.Hooks.Error, func(ctx context.Context, c *hooks.Call) error {
		seen = c.Err
		require.NoError(t, ctx.Err(), "observers must be able to work")
		return nil
	})
	result := hooks.Run(ctx, tool, nil)
	require.Equal(t, "Error: the call was aborted", result.Text())
	require.ErrorIs(t, seen, context.Canceled)
	require.Equal(t, []string{"tool.error"}, j.all())
}

func TestABeforeHookThatIgnoresTheSignalIsAbandoned(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(t.Context())
	release, entered := make(chan struct{}), make(chan struct{})
	var j journal
	tool := j.tool(func(_ context.Context, c *hooks.Call) error {
		close(entered)
		<-release
		c.Input = "late"
		return nil
	})
	tool.Hooks.Error = append(tool.Hooks.Error, func(_ context.Context, c *hooks.Call) error {
		require.Equal(t, "in", c.Input)
		return nil
	})
	go func() { <-entered; cancel(errors.New("the agent left")) }()
	result := hooks.Run(ctx, tool, "in")
	close(release)
	require.Equal(t, "Error: the call was aborted: the agent left", result.Text())
	require.Equal(t, []string{"tool.before", "tool.error"}, j.all())
}

func TestARunningFunctionIsAwaitedAndItsAfterHooksRun(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	var j journal
	tool := j.tool()
	tool.Handler = func(ctx context.Context, _ *hooks.Call) (any, error) {
		cancel()
		<-ctx.Done()
		j.add("fn")
		return "done", nil
	}
	require.Equal(t, "done", hooks.Run(ctx, tool, nil).Text())
	require.Equal(t, []string{"tool.before", "fn", "tool.after"}, j.all())
}

func TestMetadataAndIDAreTheSameForAllOfAnInvocation(t *testing.T) {
	t.Parallel()
	var ids []string
	observe := func(_ context.Context, c *hooks.Call) error {
		ids = append(ids, c.ID)
		n, _ := c.Metadata.Get("n").(int)
		c.Metadata.Set("n", n+1)
		return nil
	}
	hooks.Run(t.Context(), &hooks.Tool{
		Contract: contract,
		Handler:  func(ctx context.Context, c *hooks.Call) (any, error) { return nil, observe(ctx, c) },
		Hooks: hooks.Set{
			Before: []hooks.Hook{observe},
			After: []hooks.Hook{observe, func(_ context.Context, c *hooks.Call) error {
				require.Equal(t, map[string]any{"n": 3}, c.Metadata.All())
				return nil
			}},
		},
	}, nil)
	require.Len(t, ids, 3)
	require.Regexp(t, `^[0-9a-f]{8}-[0-9a-f]{4}-4`, ids[0])
	require.Equal(t, ids[0], ids[2])
}

func TestAChangeDuringACallDoesNotAffectIt(t *testing.T) {
	t.Parallel()
	var j journal
	scope := hooks.NewScope(nil)
	scope.Add(hooks.Set{Before: []hooks.Hook{func(context.Context, *hooks.Call) error {
		scope.Replace(j.note("new"))
		return nil
	}}})
	tool := j.tool()
	hooks.Run(t.Context(), tool, nil, scope)
	require.Equal(t, []string{"tool.before", "fn", "tool.after"}, j.all())
	hooks.Run(t.Context(), tool, nil, scope)
	require.Equal(t, []string{"new.before", "tool.before", "fn", "tool.after", "new.after"}, j.all()[3:])
}

func TestManyCallsAtOnceDoNotMeet(t *testing.T) {
	t.Parallel()
	scope := hooks.NewScope(nil)
	scope.Add(hooks.Set{
		Before: []hooks.Hook{func(_ context.Context, c *hooks.Call) error { c.Metadata.Set("in", c.Input); return nil }},
		After: []hooks.Hook{func(_ context.Context, c *hooks.Call) error {
			c.Output = fmt.Sprint(c.Output, c.Metadata.Get("in"))
			return nil
		}},
	})
	tool := &hooks.Tool{Contract: contract, Handler: func(_ context.Context, c *hooks.Call) (any, error) { return c.Input, nil }}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Go(func() {
			n := fmt.Sprint(i)
			require.Equal(t, n+n, hooks.Run(ctx, tool, n, scope).Text())
			scope.Add(hooks.Set{})
		})
	}
	wg.Wait()
}

// FuzzRun runs calls through random hooks, each of which acts as its byte says,
// and holds what happened against the rules.
func FuzzRun(f *testing.F) {
	f.Add([]byte{0, 1, 0, 2}, uint8(0))
	f.Add([]byte{2}, uint8(1))
	f.Add([]byte{3, 0, 0, 0, 4}, uint8(2))
	f.Fuzz(func(t *testing.T, acts []byte, fn uint8) {
		acts = acts[:min(len(acts), 24)]
		var j journal
		act := func(p pipeline.Phase, b byte) hooks.Hook {
			return func(_ context.Context, c *hooks.Call) error {
				j.add(p.String())
				switch b % 8 {
				case 0, 1, 2:
					c.Input, c.Output = int(b), int(b)
				case 3:
					return hooks.Deny("C", "denied")
				case 4:
					return errors.New("failed")
				case 5:
					panic("panicked")
				}
				return nil
			}
		}
		tool := &hooks.Tool{Contract: contract, Handler: func(_ context.Context, c *hooks.Call) (any, error) {
			j.add("fn")
			if fn%3 == 0 {
				return nil, errors.New("failed")
			}
			return c.Input, nil
		}}
		outer := hooks.NewScope(nil)
		inner := hooks.NewScope(outer)
		counts := map[string]int{}
		for i, b := range acts {
			p := pipeline.Phase(b / 8 % pipeline.Phases)
			var set hooks.Set
			counts[p.String()]++
			switch list := []hooks.Hook{act(p, b)}; p {
			case pipeline.Before:
				set.Before = list
			case pipeline.After:
				set.After = list
			case pipeline.Error:
				set.Error = list
			case pipeline.Denied:
				set.Denied = list
			}
			switch i % 3 {
			case 0:
				outer.Add(set)
			case 1:
				inner.Add(set)
			case 2:
				tool.Hooks = tool.Hooks.Concat(set)
			}
		}

		result := hooks.Run(context.Background(), tool, 0, inner)

		ran := map[string]int{}
		for _, line := range j.all() {
			ran[line]++
		}
		switch text := result.Text(); {
		case strings.HasPrefix(text, "Denied: "):
			require.Equal(t, "C", result.Code)
			require.Zero(t, ran["fn"]+ran["after"]+ran["error"])
			require.Equal(t, counts["denied"], ran["denied"])
		case strings.HasPrefix(text, "Error: "):
			require.True(t, result.IsError)
			require.Zero(t, ran["denied"])
			require.Equal(t, counts["error"], ran["error"])
		default:
			require.False(t, result.IsError)
			require.Zero(t, ran["error"]+ran["denied"])
			require.Equal(t, counts["before"], ran["before"])
			require.Equal(t, counts["after"], ran["after"])
			require.Equal(t, 1, ran["fn"])
		}
	})
}
