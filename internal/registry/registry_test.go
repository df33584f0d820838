package registry

import (
	"slices"
	"strconv"
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

func TestAPlanThatIsOutdatedIsMadeAnew(t *testing.T) {
	t.Parallel()
	r := New[string]()
	tool := &Tool[string]{Name: "save"}
	_, _, _ = r.Acquire(tool, nil)
	_, _ = r.Plan(tool)
	_, fresh := r.Plan(tool)
	require.False(t, fresh)
	r.Outdate()
	_, fresh = r.Plan(tool)
	require.True(t, fresh)
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
	tool := &Tool[string]{Name: "save", Hooks: pipeline.Set[string, string]{Before: []string{"tool"}}}
	o, _, _ := r.Acquire(tool, scope)

	plan, fresh := r.Plan(tool)
	require.True(t, fresh)
	require.Equal(t, []string{"scope", "tool"}, plan.Hooks[pipeline.Before])
	same, fresh := r.Plan(tool)
	require.False(t, fresh)
	require.Same(t, plan, same)

	add(r, r.Global(), "global")
	changed, fresh := r.Plan(tool)
	require.True(t, fresh)
	require.Equal(t, []string{"global", "scope", "tool"}, changed.Hooks[pipeline.Before])
	require.Equal(t, []string{"scope", "tool"}, plan.Hooks[pipeline.Before], "a plan in use changed")

	add(r, scope, "more")
	changed, _ = r.Plan(tool)
	require.Equal(t, []string{"global", "scope", "more", "tool"}, changed.Hooks[pipeline.Before])

	r.Release(o)
	bare, _ := r.Plan(tool)
	require.Equal(t, []string{"global", "tool"}, bare.Hooks[pipeline.Before])
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
	require.Equal(t, []string{"outer", "inner"}, plan.Hooks[pipeline.Before])
}

// add gives a scope one more before hook.
func add(r *Registry[string], s *Scope[string], hook string) {
	r.Update(s, func(old pipeline.Set[string, string]) pipeline.Set[string, string] {
		return old.Concat(pipeline.Set[string, string]{Before: []string{hook}})
	})
}

func TestAStateIsNamedAsPagesSeeIt(t *testing.T) {
	t.Parallel()
	require.Equal(t, "idle", Idle.String())
	require.Equal(t, "registering", Registering.String())
	require.Equal(t, "registered", Registered.String())
	require.Equal(t, 3, States)
}

func TestASecondRegistrationAddsItsPolicyAndTakesItAway(t *testing.T) {
	t.Parallel()
	r := New[string]()
	scope := NewScope[string](nil)
	add(r, scope, "policy")
	tool := &Tool[string]{Name: "pay", Hooks: pipeline.Set[string, string]{Before: []string{"tool"}}}
	first, _, _ := r.Acquire(tool, nil)
	r.Settled(tool, first, true)
	bare, _ := r.Plan(tool)
	require.Equal(t, []string{"tool"}, bare.Hooks[pipeline.Before])

	second, _, _ := r.Acquire(tool, scope)
	both, fresh := r.Plan(tool)
	require.True(t, fresh)
	require.Equal(t, []string{"policy", "tool"}, both.Hooks[pipeline.Before])

	require.False(t, r.Release(second))
	alone, fresh := r.Plan(tool)
	require.True(t, fresh)
	require.Equal(t, []string{"tool"}, alone.Hooks[pipeline.Before])
	require.Equal(t, []string{"policy", "tool"}, both.Hooks[pipeline.Before], "a plan in use changed")
}

func TestReleasingTwiceLeavesTheNameToItsNextOwner(t *testing.T) {
	t.Parallel()
	r := New[string]()
	tool, next := &Tool[string]{Name: "save"}, &Tool[string]{Name: "save"}
	o, _, _ := r.Acquire(tool, nil)
	require.True(t, r.Release(o))
	_, _, err := r.Acquire(next, nil)
	require.NoError(t, err)

	require.False(t, r.Release(o))
	require.Equal(t, Registering, next.State())
	_, _, err = r.Acquire(tool, nil)
	require.ErrorIs(t, err, ErrTaken)
}

// model is what a tool's state should be: its registrations, in order, and the
// one whose answer the browser owes.
type model struct {
	owners []Owner
	scopes []string
	state  State
	asked  Owner
}

// TestAnyHistoryKeepsOneToolPerName plays random registrations and answers, late
// and repeated ones too, against the model.
func TestAnyHistoryKeepsOneToolPerName(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := New[string]()
		scopes := map[string]*Scope[string]{"": nil}
		hooks := map[string][]string{} // by scope
		outer := map[string]string{"": "", "root": "", "left": "root", "right": "root", "other": ""}
		for _, name := range []string{"root", "left", "right", "other"} {
			scopes[name] = NewScope(scopes[outer[name]])
			hooks[name] = []string{name}
			add(r, scopes[name], name)
		}
		own := pipeline.Set[string, string]{Before: []string{"tool"}}
		tools := []*Tool[string]{{Name: "a", Hooks: own}, {Name: "a", Hooks: own}, {Name: "b", Hooks: own}}
		models := map[*Tool[string]]*model{}
		for _, tool := range tools {
			models[tool] = new(model)
		}
		history := []Owner{-1, 0, 1 << 30} // all owners that there were, and some that there never were
		last := Owner(0)
		plans := map[*Tool[string]]*pipeline.Plan[string, string]{}

		drawTool := func(t *rapid.T) *Tool[string] { return rapid.SampledFrom(tools).Draw(t, "tool") }
		taken := func(tool *Tool[string]) bool {
			for other, m := range models {
				if other != tool && other.Name == tool.Name && m.state != Idle {
					return true
				}
			}
			return false
		}
		t.Repeat(map[string]func(*rapid.T){
			"acquire": func(t *rapid.T) {
				tool, scope := drawTool(t), rapid.SampledFrom([]string{"", "root", "left", "right", "other"}).Draw(t, "scope")
				if taken(tool) {
					return // the invariant tries it
				}
				o, begin, err := r.Acquire(tool, scopes[scope])
				require.NoError(t, err)
				require.Greater(t, o, last, "an owner was used again")
				last, history = o, append(history, o)
				m := models[tool]
				require.Equal(t, m.state == Idle, begin)
				if begin {
					m.state, m.asked = Registering, o
				}
				m.owners, m.scopes = append(m.owners, o), append(m.scopes, scope)
			},
			"update": func(t *rapid.T) {
				scope := rapid.SampledFrom([]string{"root", "left", "right", "other"}).Draw(t, "scope")
				hook := scope + "." + strconv.Itoa(len(hooks[scope]))
				hooks[scope] = append(hooks[scope], hook)
				add(r, scopes[scope], hook)
			},
			"release": func(t *rapid.T) {
				o := rapid.SampledFrom(history).Draw(t, "owner")
				end := false
				for _, m := range models {
					if i := slices.Index(m.owners, o); i >= 0 {
						m.owners, m.scopes = slices.Delete(m.owners, i, i+1), slices.Delete(m.scopes, i, i+1)
						if end = len(m.owners) == 0; end {
							*m = model{}
						}
					}
				}
				require.Equal(t, end, r.Release(o))
			},
			"settle": func(t *rapid.T) {
				tool, ok := drawTool(t), rapid.Bool().Draw(t, "ok")
				m := models[tool]
				o := rapid.SampledFrom(append(slices.Clone(history), m.asked)).Draw(t, "owner")
				r.Settled(tool, o, ok)
				switch {
				case m.state != Registering || m.asked != o: // a late answer
				case ok:
					m.state = Registered
				default:
					*m = model{}
				}
			},
			"": func(t *rapid.T) {
				for _, tool := range tools {
					m := models[tool]
					if taken(tool) {
						_, _, err := r.Acquire(tool, scopes["other"])
						require.ErrorIs(t, err, ErrTaken)
					}
					require.Equal(t, m.state, tool.State())

					var want []string
					for _, scope := range m.scopes {
						for _, name := range []string{outer[scope], scope} {
							if name != "" && !slices.Contains(want, name) {
								want = append(want, hooks[name]...)
							}
						}
					}
					plan, fresh := r.Plan(tool)
					require.Equal(t, append(want, "tool"), plan.Hooks[pipeline.Before])
					require.Equal(t, plans[tool] != plan, fresh)
					plans[tool] = plan
				}
			},
		})
	})
}
