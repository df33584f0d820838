package hooks

import (
	"time"

	"github.com/webmcp-wasm/webmcp/hooks/pipeline"
)

// Set holds the hooks of a scope or a tool, and its limits. The order of a slice is the order in
// which its hooks run. The zero Set has no hooks.
type Set struct {
	Before []Hook // on the way in: change the input, or deny the call
	After  []Hook // on the way out: change the output
	Error  []Hook // observe a failure
	Denied []Hook // observe a denial

	Approval []Approval // have a human decide about calls, behind validation

	// Timeout is how long a call may take, from its first hook to its result; 0 is
	// no limit. Of the timeouts of scopes and tool the shortest holds. A call that
	// takes longer fails with a *TimeoutError, its ctx is cancelled, nobody waits for
	// what runs, and what a handler returns later is dropped. The observers of the
	// failure have ObserverWait, as ever. The time in which a human is asked does not
	// count; a ctx of a tool that has approvals has no deadline, therefore, and ends
	// by being cancelled, with that error as its cause.
	Timeout time.Duration
}

// inner returns the set as package pipeline knows it, with the same slices.
func (s Set) inner() pipeline.Set[Hook, Approval] {
	return pipeline.Set[Hook, Approval]{
		Before: s.Before, After: s.After, Error: s.Error, Denied: s.Denied, Approval: s.Approval, Timeout: int64(s.Timeout),
	}
}

func outer(s pipeline.Set[Hook, Approval]) Set {
	return Set{Before: s.Before, After: s.After, Error: s.Error, Denied: s.Denied, Approval: s.Approval, Timeout: time.Duration(s.Timeout)}
}

// Concat returns a Set that runs the hooks of s and then those of t. It shares no
// memory with either, so later changes to s or t do not reach it.
func (s Set) Concat(t Set) Set {
	in := s.inner()
	return outer(in.Concat(t.inner()))
}

// Scope is a place with hooks that tools run in. Scopes nest: a tool in a scope
// runs the hooks of every scope around it too, outermost first on the way in and
// innermost first on the way out. Make one with NewScope.
//
// It is safe for concurrent use and never blocks. A call that runs keeps the
// hooks with which it started.
type Scope struct {
	in *pipeline.Scope[Hook, Approval]
}

// NewScope returns an empty scope inside parent; nil makes it an outermost one.
func NewScope(parent *Scope) *Scope { return &Scope{pipeline.NewScope(parent.inner())} }

// inner returns the scope as package pipeline knows it: nil for nil.
func (s *Scope) inner() *pipeline.Scope[Hook, Approval] {
	if s == nil {
		return nil
	}
	return s.in
}

// Add appends hooks to those that the scope has. It copies the slices of set.
func (s *Scope) Add(set Set) { s.in.Add(set.inner()) }

// Replace drops the hooks that the scope has and sets these instead. It copies
// the slices of set; the zero Set leaves the scope without hooks.
func (s *Scope) Replace(set Set) { s.in.Replace(set.inner()) }

// Update sets the hooks of the scope to what change returns for the present
// ones. change must not modify its argument, and is called again when another
// goroutine was faster.
func (s *Scope) Update(change func(Set) Set) {
	s.in.Update(func(old pipeline.Set[Hook, Approval]) pipeline.Set[Hook, Approval] { return change(outer(old)).inner() })
}

// Hooks returns the present hooks of the scope itself, without its parents'. The
// slices must not be modified.
func (s *Scope) Hooks() Set { return outer(s.in.Hooks()) }

// compile fixes which hooks a call runs, and in which order.
func compile(scopes []*Scope, tool Set) *pipeline.Plan[Hook, Approval] {
	var few [4]*pipeline.Scope[Hook, Approval] // on the stack
	inner := few[:0]
	for _, s := range scopes {
		inner = append(inner, s.inner())
	}
	return pipeline.Compile(nil, inner, tool.inner())
}
