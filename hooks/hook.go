package hooks

import (
	"context"
	"errors"
	"maps"
	"sync"
	"time"

	"github.com/webmcp-wasm/webmcp/hooks/pipeline"
	"github.com/webmcp-wasm/webmcp/internal/texts"
)

// Hook looks at one call of a tool, in the phase that it is attached to.
//
//   - Before: assign c.Input to change the input; return Deny to deny the call;
//     any other error fails the call. The function has not run yet.
//   - After: assign c.Output to change the output; an error fails the call.
//   - Error and Denied: read c.Err or c.Denial. What these hooks return is
//     logged and changes nothing, and they may delay the result by
//     ObserverWait in all. An error hook may change what the agent reads of the
//     failure, with c.Message and c.SetMessage.
//
// What a hook assigns is passed on as JSON carries it, in a page and natively:
// the next one gets nil, bool, float64, string, []any and map[string]any. Assign
// these, other numbers, []string, []map[string]any, map[string]string, or what
// has a MarshalJSON method; all else fails the call, and so does a whole number
// that JavaScript would round. For structs, see package typed.
//
// It is passed on as a copy: what a hook or handler has kept, and changes later, is
// not what the next one sees, what is validated, runs or goes out.
//
// ctx is cancelled when the signal of the invocation aborts, and for observers
// when their time is up. What a before hook returns then is dropped, and one that
// goes on all the same is abandoned: it must not modify a map or slice that it
// got. A hook that panics fails its own invocation only. Hooks of different
// invocations run at the same time.
type Hook func(ctx context.Context, c *Call) error

// ObserverWait is how long the error and denied hooks of one call may delay its
// result in all. What they do later still happens, but nobody waits for it.
const ObserverWait time.Duration = pipeline.ObserverWait

// Handler is the function of a tool: it gets the input of c and returns the
// output, which is of the types that a hook may assign. A Result goes to the
// agent as it is, an error is a failure, any other value goes as text. A handler
// is always awaited, even when ctx is cancelled.
type Handler func(ctx context.Context, c *Call) (output any, err error)

// Call is one invocation as a hook or a handler sees it. Each gets a Call of
// its own, in which only Input, in a before hook, and Output, in an after hook,
// are taken over for the next one.
type Call struct {
	ID       string    // of the invocation
	Tool     Contract  // of the tool that is called
	Input    any       // as encoding/json decodes into any
	Output   any       // of the handler, for after hooks; nil elsewhere
	Err      error     // why the call failed; nil outside of error hooks
	Denial   *Denial   // why the call was denied; nil outside of denied hooks
	Metadata *Metadata // shared by everything that runs for the invocation
	Approval *Decided  // what was decided about the call; nil where nobody has

	message *message // of a failure, for error hooks; nil elsewhere
	texts   *texted  // of a driver that has the values as JSON; nil elsewhere
}

// Contract is what an agent knows of a tool.
type Contract struct {
	Name         string // 1 to 128 of A-Z a-z 0-9 _ - .
	Title        string // for people; may be empty
	Description  string // for agents; must not be empty
	InputSchema  string // JSON Schema, enforced, its defaults filled in; empty: anything
	OutputSchema string // JSON Schema, enforced; empty: anything
	Annotations  Annotations
}

// Annotations are hints about a tool. They are not enforced.
type Annotations struct {
	ReadOnlyHint         bool // it changes nothing
	UntrustedContentHint bool // its output may hold text of third parties
	ConsequentialHint    bool // it spends money, sends mail, or the like
	Debugging            bool // it is for developers
}

// Tool is a function that agents may call.
type Tool struct {
	Contract Contract
	Handler  Handler
	Hooks    Set
	Approval *Approval // stands behind those of Hooks; nil: none
	// Validate checks the input after all before hooks and after the contract's
	// schema, and returns the input that the handler gets; an error fails the
	// call. Nil: no further validation.
	Validate func(ctx context.Context, input any) (any, error)
}

// Denial is the decision that a call must not happen. The agent reads both.
type Denial struct {
	Code    string // for programs, such as "USER_DENIED"
	Message string // for the agent: what it may do instead
	Rule    string // of a policy that has denied the call: its name, its place, or "default"; empty where it was a hook or a human
}

// Deny returns the error with which a before hook denies a call. An empty code
// is "DENIED", an empty message a general one. Wrapping it keeps the denial.
func Deny(code, message string) error {
	return (&Denial{Code: code, Message: message}).filled()
}

// Error returns the text that the agent gets.
func (d *Denial) Error() string { return texts.DeniedPrefix + d.Message }

// AsDenial returns the denial in err, or nil when it has none.
func AsDenial(err error) *Denial {
	var d *Denial
	if errors.As(err, &d) {
		return d
	}
	return nil
}

// Metadata is a bag for what hooks of one invocation tell each other. It is
// safe for concurrent use. The zero Metadata is empty and ready.
type Metadata struct {
	mu     sync.Mutex
	values map[string]any
	own    map[any]any // of hooks of this package, by keys that nobody else has
}

// Get returns the value under key, or nil.
func (m *Metadata) Get(key string) any {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.values[key]
}

// Set sets the value under key. For JavaScript hooks to see it, it must be
// something that JSON can say.
func (m *Metadata) Set(key string, value any) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.values == nil {
		m.values = make(map[string]any)
	}
	m.values[key] = value
}

// Delete removes key.
func (m *Metadata) Delete(key string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.values, key)
}

// claim keeps a value under a key that a hook of this package has, unless there is one,
// and returns what is kept. A nil Metadata, as a test that calls a hook may have it,
// keeps nothing.
func (m *Metadata) claim(key, value any) (kept any, first bool) {
	if m == nil {
		return value, true
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if kept, has := m.own[key]; has {
		return kept, false
	}
	if m.own == nil {
		m.own = map[any]any{}
	}
	m.own[key] = value
	return value, true
}

// All returns a copy of the bag.
func (m *Metadata) All() map[string]any {
	m.mu.Lock()
	defer m.mu.Unlock()
	return maps.Clone(m.values)
}
