package hooks_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/hooks"
)

// phases returns a set with one hook in each phase, which writes name and the
// phase down.
func phases(into *[]string, name string) hooks.Set {
	note := func(phase string) []hooks.Hook {
		return []hooks.Hook{func(context.Context, *hooks.Call) error {
			*into = append(*into, name+"."+phase)
			return nil
		}}
	}
	return hooks.Set{Before: note("before"), After: note("after"), Error: note("error"), Denied: note("denied")}
}

// runAll runs all hooks of a set.
func runAll(set hooks.Set) {
	for _, list := range [][]hooks.Hook{set.Before, set.After, set.Error, set.Denied} {
		for _, hook := range list {
			_ = hook(context.Background(), nil)
		}
	}
}

func TestAChangeOfAScopeIsSeenByTheNextCall(t *testing.T) {
	t.Parallel()
	var ran []string
	scope := hooks.NewScope(nil)
	tool := &hooks.Tool{Contract: contract, Handler: func(context.Context, *hooks.Call) (any, error) { return nil, nil }}
	call := func() []string {
		ran = nil
		hooks.Run(context.Background(), tool, nil, scope)
		return ran
	}

	require.Empty(t, call())
	scope.Add(phases(&ran, "a"))
	require.Equal(t, []string{"a.before", "a.after"}, call())
	scope.Add(phases(&ran, "b"))
	require.Equal(t, []string{"a.before", "b.before", "a.after", "b.after"}, call())
	scope.Replace(phases(&ran, "c"))
	require.Equal(t, []string{"c.before", "c.after"}, call())
	scope.Update(func(old hooks.Set) hooks.Set {
		old.After = nil
		return phases(&ran, "d").Concat(old)
	})
	require.Equal(t, []string{"d.before", "c.before", "d.after"}, call())

	ran = nil
	runAll(scope.Hooks())
	require.Equal(t, []string{"d.before", "c.before", "d.after", "d.error", "c.error", "d.denied", "c.denied"}, ran)
}

func TestNoScopeStandsForNone(t *testing.T) {
	t.Parallel()
	var ran []string
	outer := hooks.NewScope(nil)
	outer.Add(phases(&ran, "outer"))
	inner := hooks.NewScope(outer)
	inner.Add(phases(&ran, "inner"))
	tool := &hooks.Tool{Contract: contract, Handler: func(context.Context, *hooks.Call) (any, error) { return nil, nil }}
	hooks.Run(context.Background(), tool, nil, nil, inner, nil, outer)
	require.Equal(t, []string{"outer.before", "inner.before", "inner.after", "outer.after"}, ran)
}

// The scopes of a call are more than there is room for beside it.
func TestAToolMayBeInManyScopes(t *testing.T) {
	t.Parallel()
	var ran, want []string
	var scopes []*hooks.Scope
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		scope := hooks.NewScope(nil)
		scope.Add(phases(&ran, name))
		scopes = append(scopes, scope)
		want = append(want, name+".before")
	}
	tool := &hooks.Tool{Contract: contract, Handler: func(context.Context, *hooks.Call) (any, error) { return nil, nil }}
	hooks.Run(context.Background(), tool, nil, scopes...)
	require.Equal(t, want, ran[:len(want)])
}

func TestAScopeSharesNoMemoryWithWhatItWasGiven(t *testing.T) {
	t.Parallel()
	var ran []string
	given := phases(&ran, "given")
	scope := hooks.NewScope(nil)
	scope.Add(given)
	joined := given.Concat(hooks.Set{})
	for _, list := range [][]hooks.Hook{given.Before, given.After, given.Error, given.Denied} {
		list[0] = nil
	}
	runAll(scope.Hooks())
	runAll(joined)
	require.Len(t, ran, 8)
}
