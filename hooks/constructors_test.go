package hooks_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/hooks"
)

func TestOfAThousandCallsAtOnceTheRateLetsThroughWhatItSays(t *testing.T) {
	t.Parallel()
	limit := hooks.RateLimit("100/min", hooks.EachTool)
	var ran, refused atomic.Int32
	tool := &hooks.Tool{
		Contract: contract,
		Handler:  func(context.Context, *hooks.Call) (any, error) { ran.Add(1); return nil, nil },
		Hooks:    limit,
	}
	global := hooks.NewScope(nil) // in two places, and twice in one of them: a call counts once
	global.Add(limit.Concat(limit))
	var calls sync.WaitGroup
	for range 1000 {
		calls.Go(func() {
			if result := hooks.Run(t.Context(), tool, nil, global); result.IsError {
				refused.Add(1)
				if !strings.HasPrefix(result.Text(), "Denied: the limit is 100 calls a minute of this tool. Try again in ") || result.Code != "RATE_LIMITED" {
					t.Error(result.Text())
				}
			}
		})
	}
	calls.Wait()
	require.Equal(t, []int32{100, 900}, []int32{ran.Load(), refused.Load()})
}

func TestACallThatCallsItsToolAgainCountsForEach(t *testing.T) {
	t.Parallel()
	depth := 0
	tool := &hooks.Tool{Contract: contract, Hooks: hooks.RateLimit("3/min", hooks.AllTools)}
	tool.Handler = func(ctx context.Context, _ *hooks.Call) (any, error) {
		depth++
		return hooks.Run(ctx, tool, nil), nil
	}
	require.Contains(t, hooks.Run(t.Context(), tool, nil).Text(), "the limit is 3 calls a minute of these tools")
	require.Equal(t, 3, depth)
}

func TestTheShortestTimeoutHolds(t *testing.T) {
	t.Parallel()
	require.Equal(t, time.Second, hooks.Timeout(time.Minute).Concat(hooks.Timeout(time.Second)).Concat(hooks.RateLimit("1/s", hooks.EachTool)).Timeout)
	for _, wrong := range []time.Duration{0, -1} {
		require.Panics(t, func() { hooks.Timeout(wrong) })
	}
}

func TestRequireDeniesUnlessItIsTrue(t *testing.T) {
	t.Parallel()
	ran := 0
	ask := func(set hooks.Set) hooks.Result {
		tool := &hooks.Tool{Contract: contract, Hooks: set, Handler: func(context.Context, *hooks.Call) (any, error) { ran++; return "ran", nil }}
		return hooks.Run(t.Context(), tool, nil)
	}
	says := func(is bool, err error) func(context.Context, *hooks.Call) (bool, error) {
		return func(context.Context, *hooks.Call) (bool, error) { return is, err }
	}
	no := ask(hooks.Require(says(false, nil), "", ""))
	require.Equal(t, []any{"FORBIDDEN", "Denied: this user may not do that. Trying again will not help: tell the user", false}, []any{no.Code, no.Text(), *no.Executed})
	no = ask(hooks.Require(says(true, errors.New("secret")), "NO", "Ask Ada."))
	require.Equal(t, []string{"NO", "Denied: Ask Ada."}, []string{no.Code, no.Text()})
	require.True(t, ask(hooks.Require(func(context.Context, *hooks.Call) (bool, error) { panic("secret") }, "", "")).IsError)
	require.Zero(t, ran)
	require.Equal(t, "ran", ask(hooks.Require(says(true, nil), "", "")).Text())
	require.Panics(t, func() { hooks.Require(nil, "", "") })
}

func TestRequireOfAContext(t *testing.T) {
	t.Parallel()
	wanted := map[string]any{"role": []string{"admin", "clerk"}}
	for name, c := range map[string]struct {
		wanted, known map[string]any
		passes        bool
	}{
		"same":                       {map[string]any{"role": "admin"}, map[string]any{"role": "admin"}, true},
		"other":                      {map[string]any{"role": "admin"}, map[string]any{"role": "guest"}, false},
		"nothing":                    {map[string]any{"role": "admin"}, map[string]any{}, false},
		"nobody has said":            {map[string]any{"role": "admin"}, nil, false},
		"one of several":             {wanted, map[string]any{"role": "clerk"}, true},
		"has one of several":         {map[string]any{"role": "admin"}, map[string]any{"role": []any{"guest", "admin"}}, true},
		"has none":                   {map[string]any{"role": "admin"}, map[string]any{"role": []any{}}, false},
		"has what is no value":       {map[string]any{"role": "admin"}, map[string]any{"role": []any{map[string]any{}}}, false},
		"all of them":                {map[string]any{"role": "admin", "tenant": 7}, map[string]any{"role": "admin", "tenant": 7}, true},
		"one of them is another":     {map[string]any{"role": "admin", "tenant": 7}, map[string]any{"role": "admin", "tenant": "7"}, false},
		"false is a value":           {map[string]any{"guest": false}, map[string]any{"guest": false}, true},
		"false is not nothing":       {map[string]any{"guest": false}, map[string]any{}, false},
		"what JSON cannot say":       {map[string]any{"role": "admin"}, map[string]any{"role": "admin", "at": time.Now}, false},
		"an object is another thing": {map[string]any{"role": "admin"}, map[string]any{"role": map[string]any{"role": "admin"}}, false},
	} {
		ctx := t.Context()
		if c.known != nil {
			ctx = hooks.WithPolicyContext(ctx, c.known)
		}
		tool := &hooks.Tool{Contract: contract, Hooks: hooks.RequireContext(c.wanted, "", ""), Handler: func(context.Context, *hooks.Call) (any, error) { return "ran", nil }}
		require.Equal(t, c.passes, !hooks.Run(ctx, tool, nil).IsError, name)
	}
	for _, wrong := range []map[string]any{nil, {}, {"role": nil}, {"role": []any{}}, {"role": []any{nil}}, {"role": map[string]any{}}, {"role": math.NaN()}, {"role": time.Now}} {
		require.Panics(t, func() { hooks.RequireContext(wrong, "", "") }, "%v", wrong)
	}
}

func TestEnrichAddsToTheInput(t *testing.T) {
	t.Parallel()
	run := func(set hooks.Set, input any) hooks.Result {
		tool := &hooks.Tool{Contract: contract, Hooks: set, Handler: func(_ context.Context, c *hooks.Call) (any, error) {
			text, err := json.Marshal(c.Input)
			c.Input.(map[string]any)["tags"].([]any)[0] = "mine"
			return string(text), err
		}}
		return hooks.Run(t.Context(), tool, input)
	}
	values := map[string]any{"tenant": "acme", "tags": []any{"a"}}
	static := hooks.Enrich(values)
	values["tenant"] = "other"
	values["tags"].([]any)[0] = "b"
	sent := map[string]any{"tenant": "mine", "year": 2026}
	for range 2 {
		require.Equal(t, `{"tags":["a"],"tenant":"acme","year":2026}`, run(static, sent).Text())
	}
	require.Equal(t, map[string]any{"tenant": "mine", "year": 2026}, sent)

	// The hook alone shares nothing with what it has got, either.
	c := hooks.Call{Input: maps.Clone(sent)}
	for range 2 {
		require.NoError(t, static.Before[0](t.Context(), &c))
		require.Equal(t, []any{"a"}, c.Input.(map[string]any)["tags"])
		c.Input.(map[string]any)["tags"].([]any)[0] = "mine"
	}

	with := func(more map[string]any, err error) hooks.Set {
		return hooks.EnrichWith(func(_ context.Context, c *hooks.Call) (map[string]any, error) { return more, err })
	}
	require.Equal(t, `{"tags":["x"]}`, run(with(map[string]any{"tags": []string{"x"}}, nil), map[string]any{}).Text())
	require.Equal(t, `{"tags":["y"]}`, run(with(nil, nil), map[string]any{"tags": []string{"y"}}).Text())
	require.Equal(t, "Error: no session", run(with(nil, errors.New("no session")), map[string]any{}).Text())
	require.Contains(t, run(with(map[string]any{"at": time.Now}, nil), map[string]any{}).Text(), "the input that Go code set")
	for _, input := range []any{nil, []any{1}, "text"} {
		require.Equal(t, "Error: the input is no object, and so nothing can be added to it", run(static, input).Text())
	}
	cyclic := map[string]any{}
	cyclic["self"] = cyclic
	for _, wrong := range []map[string]any{cyclic, {"n": math.Inf(1)}, {"f": time.Now}} {
		require.Panics(t, func() { hooks.Enrich(wrong) })
		require.True(t, run(with(wrong, nil), map[string]any{}).IsError)
	}
	require.Panics(t, func() { hooks.EnrichWith(nil) })
}

func TestTimingTellsOfEachCallOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var told []string
		timing := hooks.Timing(func(m hooks.Measurement) {
			mu.Lock()
			defer mu.Unlock()
			told = append(told, fmt.Sprint(m.Phase, m.Code, " ", m.Duration, " ", m.Tool.Name, " ", len(m.ID)))
		})
		take := func() (all []string) { all, told = told, nil; return all }
		global := hooks.NewScope(nil)
		global.Add(timing) // and on the tool: once, all the same
		tool := func(set hooks.Set, err error) *hooks.Tool {
			return &hooks.Tool{Contract: contract, Hooks: timing.Concat(set), Handler: func(_ context.Context, c *hooks.Call) (any, error) {
				time.Sleep(time.Duration(c.Input.(float64)) * time.Second) // the clock of the bubble jumps
				return "done", err
			}}
		}
		deny := hooks.Set{Before: []hooks.Hook{func(context.Context, *hooks.Call) error { time.Sleep(time.Second); return hooks.Deny("NO", "") }}}
		fail := hooks.Set{After: []hooks.Hook{func(context.Context, *hooks.Call) error { return errors.New("late") }}}

		require.Equal(t, "done", hooks.Run(t.Context(), tool(hooks.Set{}, nil), 3, global).Text())
		require.Equal(t, []string{"after 3s save 36"}, take())
		hooks.Run(t.Context(), tool(deny, nil), 3, global)
		require.Equal(t, []string{"deniedNO 1s save 36"}, take())
		hooks.Run(t.Context(), tool(hooks.Set{}, errors.New("no")), 2, global)
		require.Equal(t, []string{"error 2s save 36"}, take())
		hooks.Run(t.Context(), tool(hooks.Timeout(2*time.Second), nil), 5, global)
		require.Equal(t, []string{"error 2s save 36"}, take())
		time.Sleep(10 * time.Second) // until the late handler is done
		hooks.Run(t.Context(), tool(fail, nil), 1, global)
		require.Equal(t, []string{"after 1s save 36"}, take(), "what fails behind its after hook")
		early := hooks.NewScope(nil)
		early.Add(deny)
		hooks.Run(t.Context(), tool(hooks.Set{}, nil), 1, early)
		require.Equal(t, []string{"deniedNO 0s save 36"}, take(), "what never came to its before hook")

		var calls sync.WaitGroup
		for _, seconds := range []int{3, 1, 2} {
			calls.Go(func() { hooks.Run(t.Context(), tool(hooks.Set{}, nil), seconds, global) })
		}
		calls.Wait()
		require.Equal(t, []string{"after 1s save 36", "after 2s save 36", "after 3s save 36"}, take())
	})
}

func TestACallbackOfTimingDisturbsNoCall(t *testing.T) {
	t.Parallel()
	for name, callback := range map[string]func(hooks.Measurement){
		"panics":         func(hooks.Measurement) { panic("no") },
		"takes its time": func(hooks.Measurement) { time.Sleep(time.Hour) },
	} {
		for _, err := range []error{nil, errors.New("failed")} {
			synctest.Test(t, func(t *testing.T) {
				tool := &hooks.Tool{Contract: contract, Hooks: hooks.Timing(callback), Handler: func(context.Context, *hooks.Call) (any, error) { return "done", err }}
				start := time.Now()
				result := hooks.Run(t.Context(), tool, nil)
				require.LessOrEqual(t, time.Since(start), hooks.ObserverWait, name)
				require.Contains(t, []string{"done", "Error: failed"}, result.Text(), name)
				time.Sleep(2 * time.Hour) // until the callback is done
			})
		}
	}
	require.Panics(t, func() { hooks.Timing(nil) })
}

func TestRedactChangesNothingOfTheCaller(t *testing.T) {
	t.Parallel()
	rules := map[string]string{"/email": "full", "/cards/*/number": "last4"}
	set := hooks.Redact(rules)
	rules["/name"] = "remove"
	delete(rules, "/email")
	card := map[string]any{"number": "4111111111111111"}
	output := map[string]any{"email": "ada", "name": "Ada", "cards": []any{card, card}, "card": card}
	cyclic := map[string]any{"email": "ada"}
	cyclic["self"] = cyclic
	var outputs sync.WaitGroup
	for range 50 { // at once
		outputs.Go(func() {
			c := hooks.Call{Output: output}
			if err := set.After[0](t.Context(), &c); err != nil {
				t.Error(err)
			}
			text, _ := json.Marshal(c.Output)
			if string(text) != `{"card":{"number":"4111111111111111"},"cards":[{"number":"***1111"},{"number":"***1111"}],"email":"***","name":"Ada"}` {
				t.Error(string(text))
			}
		})
	}
	outputs.Wait()
	require.Equal(t, map[string]any{"email": "ada", "name": "Ada", "cards": []any{card, card}, "card": map[string]any{"number": "4111111111111111"}}, output)

	for name, output := range map[string]any{"cyclic": cyclic, "not finite": map[string]any{"email": math.NaN()}, "a function": time.Now, "a large number": 1 << 60} {
		result := hooks.Run(t.Context(), &hooks.Tool{Contract: contract, Hooks: set, Handler: func(context.Context, *hooks.Call) (any, error) { return output, nil }}, nil)
		require.True(t, result.IsError, name)
		c := hooks.Call{Output: output}
		require.Error(t, set.After[0](t.Context(), &c), name)
	}
	for _, nothing := range []any{nil, ""} {
		c := hooks.Call{Output: nothing}
		require.NoError(t, set.After[0](t.Context(), &c))
		require.Equal(t, nothing, c.Output)
	}
}

// sameAsAPolicy holds the hook against a rule of a policy, which sees the result.
func sameAsAPolicy(t testing.TB, rules map[string]string, output any) {
	t.Helper()
	said, err := json.Marshal(rules)
	require.NoError(t, err)
	hooked := returning(output)
	hooked.Hooks = hooks.Redact(rules)
	got := hooks.Run(t.Context(), hooked, nil)
	want := hooks.Run(under(t, t.Context(), `{"tools": "*", "redact": `+string(said)+`}`), returning(output), nil)
	want.Code = "" // of a policy
	require.Equal(t, want, got, "%s of %v", said, output)
}

var masks = []string{"remove", "full", "email", "last4", "hash"}

func TestRedactDoesWhatARuleOfAPolicyDoes(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	t.Log("seed", seed)
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	var some func(depth int) any
	some = func(depth int) any {
		switch n := r.IntN(8); {
		case depth > 0 && n < 3:
			object := map[string]any{}
			for range r.IntN(5) {
				object[pick("a", "b", "0", "content", "text", "type", "isError", "structuredContent")] = some(depth - 1)
			}
			return object
		case depth > 0 && n < 5:
			list := []any{}
			for range r.IntN(4) {
				list = append(list, some(depth-1))
			}
			return list
		case depth > 0 && n == 5:
			return map[string]any{"content": []any{map[string]any{"type": "text", "text": pick(`{"a": 1}`, `{"b": {"a": "x@y"}}`, "", "no", "[1, 2]")}}, "a": some(depth - 1), "structuredContent": some(depth - 1)}
		}
		return []any{nil, true, 5, -1.5, 4111111111111111, pick("", "x", "ada@example.com", "12345678", `{"a": "12345678"}`, `"x"`, "text")}[r.IntN(6)]
	}
	for range 2000 {
		rules := map[string]string{}
		for range 1 + r.IntN(3) {
			pointer := ""
			for range 1 + r.IntN(3) {
				pointer += "/" + pick("a", "b", "0", "1", "*", "content", "text")
			}
			rules[pointer] = masks[r.IntN(len(masks))]
		}
		sameAsAPolicy(t, rules, some(3))
	}
}

func FuzzRedactDoesWhatARuleOfAPolicyDoes(f *testing.F) {
	for _, m := range table(f).Masks {
		pointers := slices.Sorted(maps.Keys(m.Rules))
		f.Add(m.Output, pointers[0], pointers[len(pointers)-1], byte(0))
	}
	f.Fuzz(func(t *testing.T, output, one, two string, mask byte) {
		rules := map[string]string{one: masks[int(mask)%len(masks)], two: masks[int(mask/8)%len(masks)]}
		if !isRules(rules) {
			t.Skip()
		}
		sameAsAPolicy(t, rules, output)
		var value any
		if json.Unmarshal([]byte(output), &value) == nil {
			sameAsAPolicy(t, rules, value)
		}
	})
}

func isRules(rules map[string]string) (are bool) {
	defer func() { are = recover() == nil }()
	hooks.Redact(rules)
	return are
}
