//go:build js && wasm

package core

import (
	"github.com/webmcp-wasm/webmcp/hooks/pipeline"
	"github.com/webmcp-wasm/webmcp/internal/registry"
)

// Ref is one hook. JavaScript keeps its own functions: the glue finds hook
// number Index of a phase in the scope or tool that Owner names. A Go hook has
// the owner GoOwner and is in Hook itself, so that a plan keeps it for as long
// as a call needs it. So with approvals.
type Ref struct {
	Owner, Index int32
	Hook         any
}

// Tools is the registry of this instance.
var Tools = registry.New[Ref]()

var (
	tools  table[*registry.Tool[Ref]]
	scopes = newScopes()
)

// newScopes returns the table of scopes; the first number is GlobalScope.
func newScopes() (t table[*registry.Scope[Ref]]) {
	t.add(Tools.Global())
	return t
}

// webmcp_tool makes the tool whose name is the first nameLen bytes of the
// buffer known, with so many hooks of its own in each phase, so many approvals, a
// timeout in milliseconds, 0 for none, and the hints of its contract, and returns its number. The number is free again
// once the last owner of the tool has gone.
//
//go:wasmexport webmcp_tool
func webmcpTool(nameLen, before, after, err, denied, approvals, timeout, hints int32) int32 {
	own := refs(ToolOwner, pipeline.Set[Ref, Ref]{}, before, after, err, denied, approvals)
	own.Timeout = milliseconds(timeout)
	return AddTool(&registry.Tool[Ref]{Name: Text(nameLen), Hooks: own}, hints)
}

// AddTool gives a tool a number. hints are those of its contract.
func AddTool(t *registry.Tool[Ref], hints int32) int32 {
	t.Rules = &ruled{tool: ToolOf(t.Name, hints)}
	return tools.add(t)
}

// webmcp_acquire registers a tool once more, in a scope. The answer is the new
// owner; its negative when the browser must be asked to register the tool; Taken
// when another tool has the name, and then the tool's number is free.
//
//go:wasmexport webmcp_acquire
func webmcpAcquire(tool, scope int32) int32 {
	o, begin, err := Tools.Acquire(tools.get(tool), scopeNumber(scope))
	switch {
	case err != nil:
		tools.remove(tool)
		return Taken
	case begin:
		return -int32(o)
	}
	return int32(o)
}

// webmcp_settled reports whether the browser registered the tool, as
// webmcp_acquire asked for on behalf of owner.
//
//go:wasmexport webmcp_settled
func webmcpSettled(tool, owner, ok int32) {
	t := tools.get(tool)
	if t == nil {
		return
	}
	Tools.Settled(t, registry.Owner(owner), ok != 0)
	if t.State() == registry.Idle {
		tools.remove(tool)
	}
}

// webmcp_release ends one registration of a tool. The answer is 1 when it was
// the last: the browser must drop the tool, and its number is free.
//
//go:wasmexport webmcp_release
func webmcpRelease(tool, owner int32) int32 {
	if !Tools.Release(registry.Owner(owner)) {
		return 0
	}
	tools.remove(tool)
	return 1
}

// webmcp_state returns the registry.State of a tool.
//
//go:wasmexport webmcp_state
func webmcpState(tool int32) int32 {
	if t := tools.get(tool); t != nil {
		return int32(t.State())
	}
	return int32(registry.Idle)
}

// webmcp_scope makes a scope inside another and returns its number.
//
//go:wasmexport webmcp_scope
func webmcpScope(parent int32) int32 { return NewScope(parent) }

// NewScope makes a scope inside the scope with that number; GlobalScope: an
// outermost one.
func NewScope(parent int32) int32 {
	return scopes.add(registry.NewScope(scopeNumber(parent)))
}

// scopeNumber returns the scope that a tool or another scope is in; nil for the
// global one, which needs no naming.
func scopeNumber(n int32) *registry.Scope[Ref] {
	if n == GlobalScope {
		return nil
	}
	return scopes.get(n)
}

// webmcp_scope_free forgets the number of a scope that no registration will
// name again. Registrations that are in it keep it.
//
//go:wasmexport webmcp_scope_free
func webmcpScopeFree(scope int32) { FreeScope(scope) }

// FreeScope forgets the number of a scope.
func FreeScope(scope int32) {
	scopes.remove(scope)
	delete(limits, scope)
}

// webmcp_hooks says how many JavaScript hooks a scope has now: count of them in
// each phase are new, behind those that it had; with replace, they are all that
// it has. So with the approvals, and with the timeout, in milliseconds; 0: none is new. Go's hooks in the
// scope stay, and its timeout.
//
//go:wasmexport webmcp_hooks
func webmcpHooks(scope, before, after, err, denied, approvals, replace, timeout int32) {
	Tools.Update(scopes.get(scope), func(old pipeline.Set[Ref, Ref]) pipeline.Set[Ref, Ref] {
		if replace != 0 {
			old = keepOwner(old, GoOwner)
		}
		next := old.Concat(refs(scope, keepOwner(old, scope), before, after, err, denied, approvals))
		next.Timeout = limit(scope, fromJS, milliseconds(timeout), replace != 0)
		return next
	})
}

// AddHooks appends Go's hooks to a scope; with replace, instead of Go's hooks
// there. JavaScript's hooks in the scope stay. So with the timeouts.
func AddHooks(scope int32, set pipeline.Set[Ref, Ref], replace bool) {
	Tools.Update(scopes.get(scope), func(old pipeline.Set[Ref, Ref]) pipeline.Set[Ref, Ref] {
		if replace {
			old = keepOwner(old, scope)
		}
		next := old.Concat(set)
		next.Timeout = limit(scope, fromGo, set.Timeout, replace)
		return next
	})
}

// limits has the timeouts of a scope, of JavaScript and of Go: neither can lift
// that of the other.
var limits = map[int32][2]int64{}

const fromJS, fromGo = 0, 1

// limit notes a timeout of a scope, and returns the one that holds.
func limit(scope int32, from int, timeout int64, replace bool) int64 {
	both := limits[scope]
	if !replace {
		timeout = pipeline.Shortest(both[from], timeout)
	}
	if both[from] = timeout; both != [2]int64{} {
		limits[scope] = both
	} else {
		delete(limits, scope)
	}
	return pipeline.Shortest(both[fromJS], both[fromGo])
}

func milliseconds(n int32) int64 { return int64(n) * 1_000_000 }

// lists are the lists of a set, in the order of webmcp_hooks.
func lists(s *pipeline.Set[Ref, Ref]) [pipeline.Phases + 1]*[]Ref {
	return [...]*[]Ref{&s.Before, &s.After, &s.Error, &s.Denied, &s.Approval}
}

// refs returns references to what owner has behind what it had before: so many in
// each list. It is not inlined, nor is keepOwner: the module would be larger.
//
//go:noinline
func refs(owner int32, had pipeline.Set[Ref, Ref], counts ...int32) (set pipeline.Set[Ref, Ref]) {
	before := lists(&had)
	for i, list := range lists(&set) {
		*list = make([]Ref, counts[i])
		for n := range *list {
			(*list)[n] = Ref{Owner: owner, Index: int32(len(*before[i]) + n)}
		}
	}
	return set
}

// keepOwner returns what of s belongs to owner.
//
//go:noinline
func keepOwner(s pipeline.Set[Ref, Ref], owner int32) (kept pipeline.Set[Ref, Ref]) {
	from := lists(&s)
	for i, list := range lists(&kept) {
		for _, r := range *from[i] {
			if r.Owner == owner {
				*list = append(*list, r)
			}
		}
	}
	return kept
}
