package bridge

import (
	"context"

	"github.com/webmcp-wasm/webmcp/hooks"
	"github.com/webmcp-wasm/webmcp/internal/core"
	"github.com/webmcp-wasm/webmcp/internal/jsontape"
)

// What the package can do is here, and compiles everywhere: tools that know no
// GOOS=js see it too. page.go does it; elsewhere.go says that there is no page.

// Publish sets globalThis.webmcp, the JavaScript API, for scripts of the page
// that have tools and hooks of their own, and fires webmcp:ready on the
// document. Call it once at most.
func Publish() { publish() }

// Configure adds hooks and approvals for every tool of the page, behind those that were
// added before, by Go or by JavaScript. Calls that run are not affected. What Go adds
// stays when JavaScript resets its own.
func Configure(set hooks.Set) { addHooks(core.GlobalScope, set, false) }

// Reset drops the global hooks and approvals that Go has added, and sets these instead.
func Reset(set hooks.Set) { addHooks(core.GlobalScope, set, true) }

// Enforce puts a policy in force for every tool of the page, those of JavaScript too,
// besides the policies that are in force already: a further one can tighten what they say,
// never loosen it, and nothing that the page does takes it away. Calls that run are not
// affected. Call it before Publish, and no call of an agent comes before it. A nil p has
// no rules.
func Enforce(p *hooks.Policy) {
	if p != nil {
		enforce(p)
	}
}

// SetContext sets what the conditions of policies know of whoever uses the page, such as their
// role, for calls that begin from now on. The values are copied, and replace those of an
// earlier call; webmcp.context of JavaScript has no effect from then on. The error says that JSON cannot say the
// values: then conditions know nothing, which counts against calls.
func SetContext(values map[string]any) error { return setContext(values) }

// AuditLog returns the entries of the page's audit log, the oldest first: what
// webmcp.audit.entries returns in JavaScript. There is one log for a page, of the calls of
// all its tools.
func AuditLog() []hooks.AuditEntry { return auditLog() }

// OnAudit calls tell with each entry that comes into the page's audit log, one after the
// other, on a goroutine of its own, until end is called. What tell does, and how long it takes,
// changes no call; a panic is logged.
func OnAudit(tell func(hooks.AuditEntry)) (end func()) { return onAudit(tell) }

// Scope is a place with hooks and approvals of its own, which tools are registered in.
type Scope struct{ number int32 }

// NewScope returns a scope with these hooks, inside parent; nil makes it an
// outermost one.
func NewScope(parent *Scope, set hooks.Set) *Scope {
	s := newScope(parent)
	s.Add(set)
	return s
}

// Add adds hooks behind those that the scope has. Calls that run are not
// affected.
func (s *Scope) Add(set hooks.Set) { addHooks(s.number, set, false) }

// Register makes t a tool that agents can call, in a scope (nil: in none). It
// blocks until the browser has answered. The tool stays until release is called
// or ctx is cancelled; calls that run then go on. The values of ctx reach the
// handler and the Go hooks of its calls. Without WebMCP in the browser,
// the tool is there for webmcp.invokeTool.
//
// The error is an *Error with the name RegistrationError (the name is taken),
// NotAllowedError (the page may not register tools), ConfigurationError (the
// contract is not valid) or NotSupportedError (this program is not in a page), or
// that of ctx. Later changes of t have no effect.
//
// Where an approval asks, that of t, of a scope or one for every tool, the human is
// asked by the page. A WithApprovals among the values of ctx is for hooks.Run alone.
func Register(ctx context.Context, t *hooks.Tool, scope *Scope) (release func(), err error) {
	if err := t.Check(); err != nil {
		return nil, &Error{"ConfigurationError", err.Error()}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	contract, err := contractText(t.Contract)
	if err != nil {
		return nil, err
	}
	tool := *t
	return register(ctx, &tool, contract, scope)
}

// contractText returns a contract as the options that the glue knows.
func contractText(c hooks.Contract) (string, error) {
	options := map[string]any{
		"name": c.Name, "description": c.Description, "schema": map[string]any{},
		"annotations": map[string]any{
			"readOnlyHint": c.Annotations.ReadOnlyHint, "untrustedContentHint": c.Annotations.UntrustedContentHint,
			"consequentialHint": c.Annotations.ConsequentialHint, "debugging": c.Annotations.Debugging,
		},
	}
	if c.Title != "" {
		options["title"] = c.Title
	}
	for key, text := range map[string]string{"schema": c.InputSchema, "outputSchema": c.OutputSchema} {
		if text == "" {
			continue
		}
		var tape jsontape.Tape
		if err := tape.Parse([]byte(text)); err != nil {
			return "", err
		}
		options[key] = tape.Value(jsontape.Root)
	}
	text, err := jsontape.Append(nil, options)
	return string(text), err
}

// Error is an error that JavaScript has thrown, or that the glue reports.
type Error struct {
	Name    string // such as "RegistrationError", "AbortError" or "TypeError"
	Message string
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Is reports whether an AbortError is looked for as context.Canceled.
func (e *Error) Is(target error) bool {
	return e.Name == "AbortError" && target == context.Canceled
}
