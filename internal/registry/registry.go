// Package registry decides who owns a tool's name, when a tool has to be
// registered with the browser and when it has to go, and which hooks apply to
// it. It does nothing itself: its answers tell the caller what to do.
//
// The same tool may be registered several times (two components, React's
// StrictMode): it stays until its last owner has left. Another tool under a
// name that is taken is refused.
package registry

import (
	"errors"

	"github.com/webmcp-wasm/webmcp/hooks/pipeline"
)

// ErrTaken is returned for a name that another tool has.
var ErrTaken = errors.New("duplicate tool name")

// State is where a tool stands with the browser.
type State uint8

// The states of a tool.
const (
	Idle        State  = iota // nobody owns it
	Registering               // the browser was asked and has not answered
	Registered                // agents can call it
	States      = iota        // how many there are
)

// String returns the name of the state, as pages see it.
func (s State) String() string {
	return [...]string{"idle", "registering", "registered"}[s%States]
}

// Owner is one registration of a tool. It is positive and never used again.
type Owner int32

// Registry knows the tools of a page by name, and the global hooks. The zero
// Registry is not ready: use New. It is not safe for concurrent use; a page has
// one thread.
type Registry[H any] struct {
	global  *Scope[H]
	names   map[string]*Tool[H]
	owned   map[Owner]*Tool[H]
	last    Owner
	version uint32 // of everything that a plan is made of
}

// New returns a registry without tools and with no global hooks.
func New[H any]() *Registry[H] {
	return &Registry[H]{
		global: NewScope[H](nil),
		names:  make(map[string]*Tool[H]),
		owned:  make(map[Owner]*Tool[H]),
	}
}

// Global returns the scope whose hooks every tool runs.
func (r *Registry[H]) Global() *Scope[H] { return r.global }

// Scope is a place with hooks, which tools are registered in: a pipeline.Scope
// that a Registry alone changes, since it must know.
type Scope[H any] struct {
	hooks *pipeline.Scope[H, H]
}

// NewScope returns an empty scope inside parent, or an outermost one when parent
// is nil.
func NewScope[H any](parent *Scope[H]) *Scope[H] { return &Scope[H]{pipeline.NewScope(parent.inner())} }

// inner returns the scope as package pipeline knows it: nil for nil.
func (s *Scope[H]) inner() *pipeline.Scope[H, H] {
	if s == nil {
		return nil
	}
	return s.hooks
}

// Update sets the hooks of s to what change returns for the present ones, which
// it must not modify. Calls that start from now on see the change. Calls that
// run keep the plan that they started with.
func (r *Registry[H]) Update(s *Scope[H], change func(pipeline.Set[H, H]) pipeline.Set[H, H]) {
	s.hooks.Update(change)
	r.version++
}

// Outdate has all tools get another plan: something has changed that decides about calls.
func (r *Registry[H]) Outdate() { r.version++ }

// Tool is a tool that can be registered. Its fields are set before the first
// Acquire and not changed afterwards.
type Tool[H any] struct {
	Name  string
	Hooks pipeline.Set[H, H]
	Data  any // whatever the caller keeps with the tool
	Rules any // what a policy makes of it, kept by the caller

	state  State
	owners []registration[H] // in the order in which they came
	began  Owner             // whose Acquire asked the browser

	plan    *pipeline.Plan[H, H]
	version uint32 // of the registry, when plan was compiled
}

type registration[H any] struct {
	owner Owner
	scope *Scope[H]
}

// State returns where the tool stands.
func (t *Tool[H]) State() State { return t.state }

// Acquire registers t once more, in scope (nil: in none). begin says that the
// browser must be asked to register it; report its answer with Settled. The
// error is ErrTaken when another tool has the name; then nothing changed.
func (r *Registry[H]) Acquire(t *Tool[H], scope *Scope[H]) (o Owner, begin bool, err error) {
	if other, ok := r.names[t.Name]; ok && other != t {
		return 0, false, ErrTaken
	}
	r.last++
	r.names[t.Name] = t
	r.owned[r.last] = t
	t.owners = append(t.owners, registration[H]{r.last, scope})
	r.version++
	if t.state == Idle {
		t.state, t.began = Registering, r.last
		return r.last, true, nil
	}
	return r.last, false, nil
}

// Settled reports what the browser answered to the registration of t that
// Acquire began for o. When it refused, all owners of t are gone and the name
// is free. An answer to a registration that was given up meanwhile changes
// nothing.
func (r *Registry[H]) Settled(t *Tool[H], o Owner, ok bool) {
	if t.state != Registering || t.began != o {
		return
	}
	if ok {
		t.state = Registered
		return
	}
	for _, reg := range t.owners {
		delete(r.owned, reg.owner)
	}
	r.drop(t)
}

// Release ends one registration. end says that it was the last one and that
// the browser must drop the tool; the name is free at once. Releasing twice,
// or an owner that never was, changes nothing.
func (r *Registry[H]) Release(o Owner) (end bool) {
	t := r.owned[o]
	if t == nil {
		return false
	}
	delete(r.owned, o)
	kept := make([]registration[H], 0, len(t.owners))
	for _, reg := range t.owners {
		if reg.owner != o {
			kept = append(kept, reg)
		}
	}
	t.owners = kept
	r.version++
	if len(kept) > 0 {
		return false
	}
	r.drop(t)
	return true
}

// drop makes t a tool that nobody owns.
func (r *Registry[H]) drop(t *Tool[H]) {
	delete(r.names, t.Name)
	t.state, t.owners = Idle, nil
	r.version++
}

// Plan returns the hooks that a call of t that starts now runs. fresh says that
// it is another plan than the last call got.
func (r *Registry[H]) Plan(t *Tool[H]) (plan *pipeline.Plan[H, H], fresh bool) {
	if t.plan != nil && t.version == r.version {
		return t.plan, false
	}
	scopes := make([]*pipeline.Scope[H, H], len(t.owners))
	for i, reg := range t.owners {
		scopes[i] = reg.scope.inner()
	}
	t.plan, t.version = pipeline.Compile(r.global.hooks, scopes, t.Hooks), r.version
	return t.plan, true
}
