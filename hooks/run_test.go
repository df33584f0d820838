package hooks_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
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
	require.Equal(t, &hooks.Denial{Code: "DENIED", Message: "the call was denied, and nothing was done"}, seen.Denial)
	require.Equal(t, "pay", seen.Tool.Name)
	require.Equal(t, hooks.Result{
		IsError: true, Code: "DENIED", Content: []hooks.Content{{"type": "text", "text": "Denied: the call was denied, and nothing was done"}},
		Executed: new(false),
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
	tool.Contract.Name = "failing_observers"
	require.Equal(t, "Error: first", hooks.Run(t.Context(), tool, nil, outer).Text())
	require.Equal(t, []string{"outer.before", "tool.before", "outer.error"}, j.all())
	require.Equal(t, []string{
		"webmcp: hook failed: error: second",
		"webmcp: hook failed: error: internal error: the tool's Go code panicked",
	}, logged(tool))
}

func TestObserversDelayTheResultForABoundedTimeInAll(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var j journal
		outer := j.scope("outer", nil)
		release := make(chan struct{})
		start := time.Now()
		tool := j.tool(func(context.Context, *hooks.Call) error { return errors.New("failed") })
		tool.Contract.Name = "slow_observers"
		bounded := func(ctx context.Context) {
			end, ok := ctx.Deadline()
			require.True(t, ok)
			require.Equal(t, time.Second, end.Sub(start), "the observers have a second in all")
		}
		tool.Hooks.Error = []hooks.Hook{
			func(ctx context.Context, _ *hooks.Call) error {
				j.add("slow")
				bounded(ctx)
				<-time.After(600 * time.Millisecond)
				return nil
			},
			func(ctx context.Context, _ *hooks.Call) error {
				j.add("stuck")
				bounded(ctx)
				<-release
				require.Error(t, ctx.Err(), "its time is up")
				return nil
			},
			func(ctx context.Context, _ *hooks.Call) error {
				<-release
				j.add("detached")
				require.NoError(t, ctx.Err(), "who is not waited for has time")
				return errors.New("not heard")
			},
		}

		require.Equal(t, "Error: failed", hooks.Run(t.Context(), tool, nil, outer).Text())
		require.Equal(t, time.Second, time.Since(start))
		synctest.Wait()
		require.Equal(t, []string{"outer.before", "tool.before", "slow", "stuck", "outer.error"}, j.all())
		close(release)
		synctest.Wait()
		require.Equal(t, "detached", j.all()[5])
		require.Len(t, j.all(), 6)
		require.Equal(t, []string{
			"webmcp: hook failed: error: it has not returned in time; the result does not wait for it any longer",
			"webmcp: hook failed: error: not heard",
		}, logged(tool))
	})
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

// polled is a context that says that it is cancelled only to those who ask, so
// that who does not look goes on.
type polled struct {
	context.Context
	aborted atomic.Bool
}

func (p *polled) Err() error {
	if p.aborted.Load() {
		return context.Canceled
	}
	return nil
}

func TestTheSignalIsLookedAtBeforeEachStep(t *testing.T) {
	t.Parallel()
	for during, want := range map[string]string{
		"nothing":  "error",
		"first":    "first error",
		"second":   "first second error",
		"validate": "first second validate error",
		"fn":       "first second validate fn after last",
		"after":    "first second validate fn after last",
	} {
		ctx := &polled{Context: context.Background()}
		var j journal
		note := func(name string) hooks.Hook {
			return func(context.Context, *hooks.Call) error {
				j.add(name)
				if name == during {
					ctx.aborted.Store(true)
				}
				return nil
			}
		}
		ctx.aborted.Store(during == "nothing")
		result := hooks.Run(ctx, &hooks.Tool{
			Contract: contract,
			Handler:  func(ctx context.Context, c *hooks.Call) (any, error) { return "done", note("fn")(ctx, c) },
			Validate: func(ctx context.Context, input any) (any, error) { return input, note("validate")(ctx, nil) },
			Hooks: hooks.Set{
				Before: []hooks.Hook{note("first"), note("second")},
				After:  []hooks.Hook{note("after"), note("last")},
				Error:  []hooks.Hook{note("error")},
			},
		}, nil)
		require.Equal(t, want, strings.Join(j.all(), " "), "aborted during %s", during)
		text := "Error: the call was aborted"
		if strings.Contains(want, "fn") {
			text = "done"
		}
		require.Equal(t, text, result.Text(), "aborted during %s", during)
	}
}

func TestWhatIgnoresTheSignalBeforeTheFunctionIsAbandoned(t *testing.T) {
	t.Parallel()
	for _, stage := range []string{"hook", "validation"} {
		ctx, cancel := context.WithCancelCause(t.Context())
		release, entered := make(chan struct{}), make(chan struct{})
		block := func() {
			close(entered)
			<-release
		}
		var j journal
		tool := j.tool()
		if stage == "hook" {
			tool.Hooks.Before = append(tool.Hooks.Before, func(_ context.Context, c *hooks.Call) error {
				block()
				c.Input = "late"
				return nil
			})
		} else {
			tool.Validate = func(context.Context, any) (any, error) {
				block()
				return "late", nil
			}
		}
		tool.Hooks.Error = append(tool.Hooks.Error, func(_ context.Context, c *hooks.Call) error {
			require.Equal(t, "in", c.Input)
			require.ErrorAs(t, c.Err, new(*hooks.AbortError))
			return nil
		})
		go func() { <-entered; cancel(errors.New("the agent left")) }()
		result := hooks.Run(ctx, tool, "in")
		close(release)
		require.Equal(t, "Error: the call was aborted: the agent left", result.Text(), stage)
		require.Equal(t, []string{"tool.before", "tool.error"}, j.all(), stage)
	}
}

func TestAnAbortNamesItsCause(t *testing.T) {
	t.Parallel()
	cause := errors.New("the agent left")
	for want, err := range map[string]error{
		"the call was aborted":                            &hooks.AbortError{Cause: context.Canceled},
		"the call was aborted: the agent left":            &hooks.AbortError{Cause: cause},
		"the call was aborted: context deadline exceeded": &hooks.AbortError{Cause: context.DeadlineExceeded},
	} {
		require.EqualError(t, err, want)
		require.ErrorIs(t, err, context.Canceled)
	}
	require.EqualError(t, new(hooks.AbortError), "the call was aborted")
	require.ErrorIs(t, &hooks.AbortError{Cause: cause}, cause)
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

func TestARunningAfterHookIsAwaited(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		tool := &hooks.Tool{
			Contract: contract,
			Handler:  func(context.Context, *hooks.Call) (any, error) { return "secret", nil },
			Hooks: hooks.Set{After: []hooks.Hook{func(ctx context.Context, c *hooks.Call) error {
				cancel()
				<-ctx.Done()
				<-time.After(time.Second)
				c.Output = "redacted"
				return nil
			}}},
		}
		require.Equal(t, "redacted", hooks.Run(ctx, tool, nil).Text())
	})
}

func TestACallIsAHooksOwnButForItsInputOrOutput(t *testing.T) {
	t.Parallel()
	spoil := func(_ context.Context, c *hooks.Call) error {
		*c = hooks.Call{ID: "spoilt", Input: "input", Output: "output", Err: errors.New("err"), Denial: &hooks.Denial{}}
		return nil
	}
	fail := func(ctx context.Context, c *hooks.Call) error { _ = spoil(ctx, c); return errors.New("failed") }
	deny := func(ctx context.Context, c *hooks.Call) error { _ = spoil(ctx, c); return hooks.Deny("NO", "denied") }
	var seen hooks.Call
	see := func(_ context.Context, c *hooks.Call) error {
		seen = hooks.Call{ID: c.ID, Tool: c.Tool, Input: c.Input, Output: c.Output, Err: c.Err, Denial: c.Denial, Metadata: c.Metadata}
		return nil
	}
	handler := func(context.Context, *hooks.Call) (any, error) { return "out", nil }
	type list = []hooks.Hook
	for name, test := range map[string]struct {
		set     hooks.Set
		handler hooks.Handler
		want    hooks.Call // of what see saw
	}{
		"before":           {hooks.Set{Before: list{spoil, see}}, handler, hooks.Call{Input: "input"}},
		"a failing before": {hooks.Set{Before: list{fail}, Error: list{see}}, handler, hooks.Call{Input: "in", Err: errors.New("failed")}},
		"a denying before": {hooks.Set{Before: list{deny}, Denied: list{spoil, see}}, handler, hooks.Call{Input: "input", Denial: &hooks.Denial{Code: "NO", Message: "denied"}}},
		"the handler": {
			hooks.Set{After: list{see}},
			func(ctx context.Context, c *hooks.Call) (any, error) { return "out", spoil(ctx, c) },
			hooks.Call{Input: "in", Output: "out"},
		},
		"after":           {hooks.Set{After: list{spoil, see}}, handler, hooks.Call{Input: "in", Output: "output"}},
		"a failing after": {hooks.Set{After: list{fail}, Error: list{spoil, see}}, handler, hooks.Call{Input: "in", Err: errors.New("failed")}},
	} {
		hooks.Run(t.Context(), &hooks.Tool{Contract: contract, Handler: test.handler, Hooks: test.set}, "in")
		require.NotEqual(t, "spoilt", seen.ID, name)
		require.NotNil(t, seen.Metadata, name)
		test.want.ID, test.want.Metadata, test.want.Tool = seen.ID, seen.Metadata, contract
		require.Equal(t, test.want, seen, name)
	}
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
