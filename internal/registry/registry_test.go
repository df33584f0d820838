package registry

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/webmcp-wasm/webmcp/hooks/pipeline"
)

func TestTheSameToolTwiceStaysUntilItsLastOwnerLeaves(t *testing.T) {
	t.Parallel()
	r := New[string]()
	tool := &Tool[string]{Name: "save"}
	first, begin, err := r.Acquire(tool, nil)
	require.NoError(t, err)
	require.True(t, begin)
	second, begin, err := r.Acquire(tool, nil)
	require.NoError(t, err)
	require.False(t, begin, "the browser was asked twice")
	r.Settled(tool, first, true)
	require.Equal(t, Registered, tool.State())

	require.False(t, r.Release(first))
	require.False(t, r.Release(first), "a registration ended twice")
	require.Equal(t, Registered, tool.State())
	require.True(t, r.Release(second))
	require.Equal(t, Idle, tool.State())
}

func TestAnotherToolUnderATakenNameIsRefused(t *testing.T) {
	t.Parallel()
	r := New[string]()
	tool, other := &Tool[string]{Name: "save"}, &Tool[string]{Name: "save"}
	o, _, err := r.Acquire(tool, nil)
	require.NoError(t, err)
	_, _, err = r.Acquire(other, nil)
	require.ErrorIs(t, err, ErrTaken)
	require.Equal(t, Idle, other.State())

	require.True(t, r.Release(o))
	_, begin, err := r.Acquire(other, nil)
	require.NoError(t, err, "the name is free as soon as its owner left")
	require.True(t, begin)
}

func TestWhenTheBrowserRefusesAllOwnersAreGone(t *testing.T) {
	t.Parallel()
	r := New[string]()
	tool := &Tool[string]{Name: "save"}
	first, _, _ := r.Acquire(tool, nil)
	second, _, _ := r.Acquire(tool, nil)
	r.Settled(tool, first, false)
	require.Equal(t, Idle, tool.State())
	require.False(t, r.Release(first))
	require.False(t, r.Release(second))
	_, begin, err := r.Acquire(&Tool[string]{Name: "save"}, nil)
	require.NoError(t, err)
	require.True(t, begin)
}

func TestAnAnswerToARegistrationThatWasGivenUpChangesNothing(t *testing.T) {
	t.Parallel()
	r := New[string]()
	tool := &Tool[string]{Name: "save"}
	first, _, _ := r.Acquire(tool, nil)
	require.True(t, r.Release(first))
	second, begin, _ := r.Acquire(tool, nil)
	require.True(t, begin)
	r.Settled(tool, first, false)
	require.Equal(t, Registering, tool.State())
	r.Settled(tool, second, true)
	r.Settled(tool, second, false)
	require.Equal(t, Registered, tool.State())
}

func TestTheOwnerThatAskedMayLeaveBeforeTheAnswer(t *testing.T) {
	t.Parallel()
	r := New[string]()
	tool := &Tool[string]{Name: "save"}
	first, _, _ := r.Acquire(tool, nil)
	_, _, _ = r.Acquire(tool, nil)
	require.False(t, r.Release(first))
	r.Settled(tool, first, true)
	require.Equal(t, Registered, tool.State())
}

func TestAPlanIsMadeAnewOnlyAfterAChange(t *testing.T) {
	t.Parallel()
	r := New[string]()
	scope := NewScope[string](nil)
	add(r, scope, "scope")
	tool := &Tool[string]{Name: "save", Hooks: pipeline.Set[string]{Before: []string{"tool"}}}
	o, _, _ := r.Acquire(tool, scope)

	plan, fresh := r.Plan(tool)
	require.True(t, fresh)
	require.Equal(t, []string{"scope", "tool"}, plan[pipeline.Before])
	same, fresh := r.Plan(tool)
	require.False(t, fresh)
	require.Same(t, plan, same)

	add(r, r.Global(), "global")
	changed, fresh := r.Plan(tool)
	require.True(t, fresh)
	require.Equal(t, []string{"global", "scope", "tool"}, changed[pipeline.Before])
	require.Equal(t, []string{"scope", "tool"}, plan[pipeline.Before], "a plan in use changed")

	add(r, scope, "more")
	changed, _ = r.Plan(tool)
	require.Equal(t, []string{"global", "scope", "more", "tool"}, changed[pipeline.Before])

	r.Release(o)
	bare, _ := r.Plan(tool)
	require.Equal(t, []string{"global", "tool"}, bare[pipeline.Before])
}

func TestAToolRunsTheHooksOfEveryScopeAroundIt(t *testing.T) {
	t.Parallel()
	r := New[string]()
	outer := NewScope[string](nil)
	inner := NewScope(outer)
	tool := &Tool[string]{Name: "save"}
	_, _, err := r.Acquire(tool, inner)
	require.NoError(t, err)
	_, _ = r.Plan(tool)

	add(r, inner, "inner")
	add(r, outer, "outer")
	plan, fresh := r.Plan(tool)
	require.True(t, fresh)
	require.Equal(t, []string{"outer", "inner"}, plan[pipeline.Before])
}

// add gives a scope one more before hook.
func add(r *Registry[string], s *Scope[string], hook string) {
	r.Update(s, func(old pipeline.Set[string]) pipeline.Set[string] {
		return old.Concat(pipeline.Set[string]{Before: []string{hook}})
	})
}

func TestAStateIsNamedAsPagesSeeIt(t *testing.T) {
	t.Parallel()
	require.Equal(t, "idle", Idle.String())
	require.Equal(t, "registering", Registering.String())
	require.Equal(t, "registered", Registered.String())
	require.Equal(t, 3, States)
}

// TestAnyHistoryKeepsOneToolPerName plays random registrations against the
// simplest model: the owners of each tool.
func TestAnyHistoryKeepsOneToolPerName(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := New[string]()
		tools := []*Tool[string]{{Name: "a"}, {Name: "a"}, {Name: "b"}}
		owners := map[*Tool[string]][]Owner{}
		asked := map[*Tool[string]]Owner{}
		drawTool := func(t *rapid.T) *Tool[string] { return rapid.SampledFrom(tools).Draw(t, "tool") }
		rival := func(tool *Tool[string]) bool {
			for other, o := range owners {
				if other != tool && other.Name == tool.Name && len(o) > 0 {
					return true
				}
			}
			return false
		}
		t.Repeat(map[string]func(*rapid.T){
			"acquire": func(t *rapid.T) {
				tool := drawTool(t)
				o, begin, err := r.Acquire(tool, nil)
				if rival(tool) {
					require.ErrorIs(t, err, ErrTaken)
					return
				}
				require.NoError(t, err)
				require.Equal(t, len(owners[tool]) == 0, begin)
				if begin {
					asked[tool] = o
				}
				owners[tool] = append(owners[tool], o)
			},
			"release": func(t *rapid.T) {
				tool := drawTool(t)
				if len(owners[tool]) == 0 {
					return
				}
				i := rapid.IntRange(0, len(owners[tool])-1).Draw(t, "owner")
				o := owners[tool][i]
				owners[tool] = append(owners[tool][:i:i], owners[tool][i+1:]...)
				require.Equal(t, len(owners[tool]) == 0, r.Release(o))
			},
			"settle": func(t *rapid.T) {
				tool, ok := drawTool(t), rapid.Bool().Draw(t, "ok")
				pending := tool.State() == Registering
				r.Settled(tool, asked[tool], ok)
				if pending && !ok {
					owners[tool] = nil
				}
			},
			"": func(t *rapid.T) {
				for _, tool := range tools {
					require.Equal(t, len(owners[tool]) > 0, tool.State() != Idle)
				}
			},
		})
	})
}
