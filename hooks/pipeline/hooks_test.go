package pipeline

import (
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

func set(name string) Set[string, string] {
	hooks := func(p Phase) []string {
		return []string{name + "." + p.String() + "1", name + "." + p.String() + "2"}
	}
	return Set[string, string]{Before: hooks(Before), After: hooks(After), Error: hooks(Error), Denied: hooks(Denied), Approval: []string{name + ".approval"}}
}

func scope(name string, parent *Scope[string, string]) *Scope[string, string] {
	s := NewScope(parent)
	s.Add(set(name))
	return s
}

func TestHooksRunFromTheOutsideInAndBack(t *testing.T) {
	t.Parallel()
	global := scope("global", nil)
	outer := scope("outer", nil)
	inner := scope("inner", outer)

	plan := Compile(global, []*Scope[string, string]{inner}, set("tool"))

	require.Equal(t, []string{
		"global.before1", "global.before2", "outer.before1", "outer.before2",
		"inner.before1", "inner.before2", "tool.before1", "tool.before2",
	}, plan.Hooks[Before])
	for _, p := range []Phase{After, Error, Denied} {
		var want []string
		for _, name := range []string{"tool", "inner", "outer", "global"} {
			s := set(name)
			want = append(want, s.Phase(p)...)
		}
		require.Equal(t, want, plan.Hooks[p], "%s", p)
	}
	require.Equal(t, []string{"global.approval", "outer.approval", "inner.approval", "tool.approval"}, plan.Approval)
	require.Equal(t, Shape{Hooks: [Phases]int{8, 8, 8, 8}, Approve: true}, plan.Shape())
}

func TestATwiceRegisteredToolRunsTheHooksOfBothScopesAndSharedOnesOnce(t *testing.T) {
	t.Parallel()
	root := scope("root", nil)
	left, right := scope("left", root), scope("right", root)

	plan := Compile(nil, []*Scope[string, string]{left, nil, right, left}, Set[string, string]{Before: []string{"tool"}})

	require.Equal(t, []string{
		"root.before1", "root.before2", "left.before1", "left.before2", "right.before1", "right.before2", "tool",
	}, plan.Hooks[Before])
}

// roomy returns a set whose slices have room for more, so that an append to them
// writes into memory that others may hold, and are written to by spoil.
func roomy(name string) (s Set[string, string], spoil func()) {
	s = set(name)
	lists := []*[]string{&s.Before, &s.After, &s.Error, &s.Denied, &s.Approval}
	for _, list := range lists {
		*list = append(make([]string, 0, 8), *list...)
	}
	return s, func() {
		for _, list := range lists {
			for i := range (*list)[:cap(*list)] {
				(*list)[:cap(*list)][i] = "spoilt"
			}
		}
	}
}

func TestNothingKeepsTheMemoryOfItsCaller(t *testing.T) {
	t.Parallel()
	for name, made := range map[string]func(given Set[string, string]) (result func() Set[string, string]){
		"Add": func(given Set[string, string]) func() Set[string, string] {
			s := NewScope[string, string](nil)
			s.Add(given)
			return s.Hooks
		},
		"Replace": func(given Set[string, string]) func() Set[string, string] {
			s := scope("old", nil)
			s.Replace(given)
			return s.Hooks
		},
		"Concat, in front": func(given Set[string, string]) func() Set[string, string] {
			joined := given.Concat(Set[string, string]{})
			return func() Set[string, string] { return joined }
		},
		"Concat, behind": func(given Set[string, string]) func() Set[string, string] {
			joined := new(Set[string, string]).Concat(given)
			return func() Set[string, string] { return joined }
		},
		"Compile": func(given Set[string, string]) func() Set[string, string] {
			plan := Compile(nil, nil, given)
			return func() Set[string, string] {
				return Set[string, string]{plan.Hooks[Before], plan.Hooks[After], plan.Hooks[Error], plan.Hooks[Denied], plan.Approval, plan.Timeout}
			}
		},
	} {
		given, spoil := roomy("given")
		result := made(given)
		require.Equal(t, set("given"), result(), name)
		spoil()
		require.Equal(t, set("given"), result(), "%s: a change of what was given reached what was made", name)
	}

	left, _ := roomy("left")
	first, second := left.Concat(set("first")), left.Concat(set("second"))
	for p := range Phase(Phases) {
		want := set("left")
		require.Equal(t, append(want.Phase(p), "first."+p.String()+"1", "first."+p.String()+"2"), first.Phase(p))
		require.Equal(t, append(want.Phase(p), "second."+p.String()+"1", "second."+p.String()+"2"), second.Phase(p))
	}
}

func TestAPlanDoesNotFollowLaterChanges(t *testing.T) {
	t.Parallel()
	global := scope("global", nil)
	plan := Compile(global, nil, set("tool"))
	want := Compile(scope("global", nil), nil, set("tool"))

	global.Add(set("late"))
	global.Replace(set("other"))

	require.Equal(t, want, plan)
}

func TestAddAppendsAndReplaceDrops(t *testing.T) {
	t.Parallel()
	s := NewScope[string, string](nil)
	s.Add(Set[string, string]{Before: []string{"a"}})
	s.Add(Set[string, string]{Before: []string{"b"}, After: []string{"c"}})
	require.Equal(t, []string{"a", "b"}, s.Hooks().Before)
	s.Replace(Set[string, string]{Before: []string{"d"}})
	require.Equal(t, []string{"d"}, s.Hooks().Before)
	require.Empty(t, s.Hooks().After)
}

func TestChangesFromManyGoroutinesAreAllThere(t *testing.T) {
	t.Parallel()
	s := NewScope[int, int](nil)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 50 {
				s.Add(Set[int, int]{Before: []int{i}})
				Compile(s, nil, Set[int, int]{})
			}
		})
	}
	wg.Wait()
	require.Len(t, s.Hooks().Before, 400)
}

// FuzzAfterIsBeforeReversedByScope checks the order that any arrangement of
// scopes gives.
func FuzzAfterIsBeforeReversedByScope(f *testing.F) {
	f.Add([]byte{1, 2, 0, 3}, uint8(1))
	f.Add([]byte{0, 0}, uint8(0))
	f.Fuzz(func(t *testing.T, sizes []byte, leaves uint8) {
		// Scope i has sizes[i]%4 hooks in every phase, all called i, and the
		// parent that the rest of the byte picks among the earlier ones.
		var scopes []*Scope[int, int]
		for i, b := range sizes[:min(len(sizes), 32)] {
			var parent *Scope[int, int]
			if n := int(b / 4); n > 0 && i > 0 {
				parent = scopes[n%i]
			}
			s := NewScope(parent)
			own := slices.Repeat([]int{i}, int(b%4))
			s.Add(Set[int, int]{Before: own, After: own, Error: own, Denied: own})
			scopes = append(scopes, s)
		}
		var in []*Scope[int, int]
		for i := range scopes {
			if leaves>>(i%8)&1 == 1 {
				in = append(in, scopes[i])
			}
		}
		global := NewScope[int, int](nil)
		global.Add(Set[int, int]{Before: []int{-1}, After: []int{-1}})

		plan := Compile(global, in, Set[int, int]{Before: []int{-2}, After: []int{-2}})

		reversed := slices.Clone(plan.Hooks[Before])
		slices.Reverse(reversed) // hooks of one scope are all alike
		require.Equal(t, reversed, plan.Hooks[After])
		require.Equal(t, plan.Hooks[Error], plan.Hooks[Denied])
		require.Equal(t, -1, plan.Hooks[Before][0])
		require.Equal(t, -2, plan.Hooks[Before][len(plan.Hooks[Before])-1])
		seen := map[int]bool{}
		for i, hook := range plan.Hooks[Before] {
			if i > 0 && hook != plan.Hooks[Before][i-1] {
				require.False(t, seen[hook], "a scope applies twice")
			}
			seen[hook] = true
		}
		for _, s := range in {
			for s := s; s != nil; s = s.parent {
				require.True(t, seen[slices.Index(scopes, s)] || len(s.Hooks().Before) == 0, "a scope was left out")
			}
		}
	})
}

func TestOfSeveralTimeoutsTheShortestHolds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ global, outer, inner, tool, want int64 }{
		{0, 0, 0, 0, 0},
		{5, 0, 0, 0, 5},
		{0, 0, 0, 5, 5},
		{5, 4, 3, 2, 2},
		{2, 3, 4, 5, 2},
		{9, 3, 0, 7, 3},
		{-1, 0, 4, -2, 4},
	} {
		limit := func(parent *Scope[string, string], timeout int64) *Scope[string, string] {
			s := NewScope(parent)
			s.Add(Set[string, string]{Timeout: 100})
			s.Replace(Set[string, string]{Timeout: timeout})
			s.Add(Set[string, string]{})
			return s
		}
		inner := limit(limit(nil, c.outer), c.inner)
		plan := Compile(limit(nil, c.global), []*Scope[string, string]{inner}, Set[string, string]{Timeout: c.tool})
		require.Equal(t, c.want, plan.Timeout, "%+v", c)
	}
}
