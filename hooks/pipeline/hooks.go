package pipeline

import "sync/atomic"

// Phase is the part of an invocation in which a hook runs.
type Phase uint8

// The four phases, in the order in which Plan and Shape hold them.
const (
	Before Phase = iota // on the way in: enrich the input, or deny
	After               // on the way out: transform the output
	Error               // observe a failure
	Denied              // observe a denial
)

// Phases is the number of phases.
const Phases = 4

// String returns the name of the phase as hooks and logs spell it.
func (p Phase) String() string {
	return [...]string{"before", "after", "error", "denied"}[p%Phases]
}

// Set holds hooks by phase, and policies about approval. H and A are a Go hook and
// a Go policy natively, and both a small integer in the browser, where the thing
// itself stays with JavaScript. The order of a slice is the order of execution. The
// zero Set has neither.
type Set[H, A any] struct {
	Before, After, Error, Denied []H
	Approval                     []A   // decide whether a human is asked, behind validation
	Timeout                      int64 // nanoseconds that a call may take; 0 or less: no limit from here
}

// Shortest returns the shorter of two timeouts: policy can be added, not removed.
func Shortest(a, b int64) int64 {
	if a <= 0 || b > 0 && b < a {
		return max(b, 0)
	}
	return a
}

// Phase returns the hooks of one phase; the slice is shared, not a copy.
func (s *Set[H, A]) Phase(p Phase) []H {
	switch p {
	case Before:
		return s.Before
	case After:
		return s.After
	case Error:
		return s.Error
	default:
		return s.Denied
	}
}

// Concat returns a Set that runs the hooks of s and then those of t. It shares
// no memory with either, so later changes to s or t do not reach it.
func (s *Set[H, A]) Concat(t Set[H, A]) Set[H, A] {
	return Set[H, A]{
		Before: join(s.Before, t.Before),
		After:  join(s.After, t.After),
		Error:  join(s.Error, t.Error),
		Denied: join(s.Denied, t.Denied),

		Approval: join(s.Approval, t.Approval),
		Timeout:  Shortest(s.Timeout, t.Timeout),
	}
}

// join returns the items of both in a slice of its own. It is not inlined: the module
// of a page would be larger.
//
//go:noinline
func join[T any](a, b []T) []T { return append(append(make([]T, 0, len(a)+len(b)), a...), b...) }

// Scope is a place that hooks are attached to and that tools are registered
// in. Scopes nest: a tool in a scope runs the hooks of every scope around it,
// outermost first. It is safe for concurrent use and never blocks: readers see
// either the Set before a change or the one after it.
type Scope[H, A any] struct {
	parent *Scope[H, A]
	set    atomic.Pointer[Set[H, A]]
}

// NewScope returns an empty scope inside parent, or an outermost one when
// parent is nil.
func NewScope[H, A any](parent *Scope[H, A]) *Scope[H, A] {
	s := &Scope[H, A]{parent: parent}
	s.set.Store(new(Set[H, A]))
	return s
}

// Add appends hooks to those that the scope has.
func (s *Scope[H, A]) Add(hooks Set[H, A]) {
	s.Update(func(old Set[H, A]) Set[H, A] { return old.Concat(hooks) })
}

// Replace drops the hooks that the scope has and sets these instead.
func (s *Scope[H, A]) Replace(hooks Set[H, A]) {
	s.Update(func(Set[H, A]) Set[H, A] { return new(Set[H, A]).Concat(hooks) })
}

// Update sets the hooks of the scope to what change returns for the present
// ones. change must not modify its argument and may be called again when
// another goroutine was faster.
func (s *Scope[H, A]) Update(change func(Set[H, A]) Set[H, A]) {
	for {
		old := s.set.Load()
		next := change(*old)
		if s.set.CompareAndSwap(old, &next) {
			return
		}
	}
}

// Hooks returns the present hooks of the scope itself, without its parents'.
// The slices must not be modified.
func (s *Scope[H, A]) Hooks() Set[H, A] { return *s.set.Load() }

// Plan is the hooks of one invocation, in order, by phase, and how long it may
// take. It is immutable: a later change to a scope or a tool makes another Plan.
type Plan[H, A any] struct {
	Hooks    [Phases][]H
	Approval []A   // what decides whether a human is asked, from the outside in
	Timeout  int64 // nanoseconds; 0: no limit
}

// Compile fixes the order of an invocation's hooks. Before hooks run from the
// outside in, and so does what decides about approval: global, then each scope from outermost to innermost, then the
// tool's own. The other phases run from the inside out. Hooks of one scope keep
// their order in every phase. Of several timeouts the shortest holds.
//
// scopes are the innermost scopes that the tool is registered in. With several
// (the same tool mounted twice) all of them apply, in that order, and a scope
// that they share applies once: a second registration can add policy, never
// remove it. A nil scope stands for none. The Plan shares no memory with its
// sources.
func Compile[H, A any](global *Scope[H, A], scopes []*Scope[H, A], tool Set[H, A]) *Plan[H, A] {
	sets := make([]Set[H, A], 0, 4)
	if global != nil {
		sets = append(sets, global.Hooks())
	}
	var seen []*Scope[H, A]
	for _, leaf := range scopes {
		seen = appendChain(seen, leaf)
	}
	for _, s := range seen {
		sets = append(sets, s.Hooks())
	}
	sets = append(sets, tool)

	plan := new(Plan[H, A])
	for i := range sets {
		plan.Hooks[Before] = append(plan.Hooks[Before], sets[i].Before...)
		plan.Approval = append(plan.Approval, sets[i].Approval...)
		plan.Timeout = Shortest(plan.Timeout, sets[i].Timeout)
	}
	for i := len(sets) - 1; i >= 0; i-- {
		for p := After; p <= Denied; p++ {
			plan.Hooks[p] = append(plan.Hooks[p], sets[i].Phase(p)...)
		}
	}
	return plan
}

// appendChain appends s and its parents, outermost first, leaving out what is
// there already.
func appendChain[H, A any](chain []*Scope[H, A], s *Scope[H, A]) []*Scope[H, A] {
	if s == nil {
		return chain
	}
	for _, c := range chain {
		if c == s {
			return chain
		}
	}
	return append(appendChain(chain, s.parent), s)
}

// Shape returns what a Machine needs to know of the plan.
func (p *Plan[H, A]) Shape() Shape {
	var s Shape
	for i := range p.Hooks {
		s.Hooks[i] = len(p.Hooks[i])
	}
	s.Approve = len(p.Approval) > 0
	return s
}
