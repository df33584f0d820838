//go:build js && wasm

package bridge

import (
	"context"
	"runtime"
	"sync"
	"syscall/js"

	"github.com/webmcp-wasm/webmcp/hooks"
	"github.com/webmcp-wasm/webmcp/hooks/pipeline"
	"github.com/webmcp-wasm/webmcp/internal/browser"
	"github.com/webmcp-wasm/webmcp/internal/core"
	"github.com/webmcp-wasm/webmcp/internal/registry"
)

func publish() { core.Publish() }

func addHooks(scope int32, set hooks.Set, replace bool) { core.AddHooks(scope, refs(set), replace) }

func init() { browser.Regexp = core.Regexp }

func enforce(p *hooks.Policy) { core.AddPolicy(p.Rules()) }

func setContext(values map[string]any) error {
	context, err := hooks.ContextOf(values)
	core.SetContext(context)
	return err
}

func newScope(parent *Scope) *Scope {
	s := &Scope{core.NewScope(parent.in())}
	runtime.AddCleanup(s, core.FreeScope, s.number)
	return s
}

// in returns the number of the scope; nil is in none but the global one.
func (s *Scope) in() int32 {
	if s == nil {
		return core.GlobalScope
	}
	return s.number
}

// refs returns a set as the pipeline of the browser knows it.
func refs(set hooks.Set) pipeline.Set[core.Ref, core.Ref] {
	list := func(hooks []hooks.Hook) []core.Ref {
		refs := make([]core.Ref, len(hooks))
		for i, hook := range hooks {
			refs[i] = core.Ref{Owner: core.GoOwner, Hook: hook}
		}
		return refs
	}
	return pipeline.Set[core.Ref, core.Ref]{
		Before: list(set.Before), After: list(set.After), Error: list(set.Error), Denied: list(set.Denied),
		Approval: approvalRefs(set.Approval), Timeout: int64(set.Timeout),
	}
}

// registered is a tool of Go with the values of the context that it was
// registered with.
type registered struct {
	tool   *hooks.Tool
	values context.Context
}

// hintsOf returns the hints of a contract as package core has them.
func hintsOf(a hooks.Annotations) (hints int32) {
	for bit, has := range map[int32]bool{
		core.ReadOnly: a.ReadOnlyHint, core.UntrustedContent: a.UntrustedContentHint, core.Consequential: a.ConsequentialHint, core.Debugging: a.Debugging,
	} {
		if has {
			hints |= bit
		}
	}
	return hints
}

// register does what Register says, for a tool that nobody changes any more and
// the text of its contract.
func register(ctx context.Context, t *hooks.Tool, contract string, scope *Scope) (release func(), err error) {
	number := core.AddTool(&registry.Tool[core.Ref]{
		Name: t.Contract.Name, Hooks: refs(hooks.SetOf(t)), Data: &registered{t, context.WithoutCancel(ctx)},
	}, hintsOf(t.Contract.Annotations))
	answer := <-settled(core.Glue().Call("registerGo", number, contract, t.Validate != nil, scope.in()))
	if e := answer.Get("error"); e.Truthy() {
		return nil, &Error{e.Get("name").String(), e.Get("message").String()}
	}
	end := sync.OnceFunc(func() { answer.Get("release").Invoke() })
	stop := context.AfterFunc(ctx, end)
	return func() { stop(); end() }, nil
}

// settled returns a channel that gets the value of a promise that does not
// reject.
func settled(promise js.Value) <-chan js.Value {
	c := make(chan js.Value, 1)
	var then js.Func
	then = js.FuncOf(func(_ js.Value, args []js.Value) any {
		then.Release()
		c <- args[0]
		return nil
	})
	promise.Call("then", then)
	return c
}
