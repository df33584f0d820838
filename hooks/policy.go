package hooks

import (
	"context"
	"slices"
	"sync"

	"github.com/webmcp-wasm/webmcp/hooks/policy"
	"github.com/webmcp-wasm/webmcp/hooks/schema"
	"github.com/webmcp-wasm/webmcp/internal/jsontape"
)

// Policy is a policy document: rules as data about what agents may do with tools.
// docs/policy.md says what is in one, and policy.schema.json has its form, for editors.
// It is safe for concurrent use. Its limits count the calls of the whole program, in
// whichever ctx it is.
type Policy struct {
	in *policy.Policy

	mu    sync.Mutex
	plans map[policy.Tool]*policy.Plan
}

// maxPlans is how many tools a policy keeps in mind.
const maxPlans = 1024

// hashKey is the key under which values that are redacted with the mask hash are equal.
var hashKey = sync.OnceValue(randomKey)

// ParsePolicy parses a policy document, which is JSON. An error is a
// *policy.ParseError: it lists what is wrong, each with its place, and has no subject:
// put "invalid policy: " or the like before its text.
//
// A program that embeds its document, and panics where that is wrong, cannot run
// without it:
//
//	//go:embed policy.json
//	var document []byte
func ParsePolicy(document []byte) (*Policy, error) {
	d, err := policy.Parse(document, policy.Options{Regexp: regexp})
	if err != nil {
		return nil, policy.Guess(err)
	}
	return policyOf(policy.New(hashKey(), d)), nil
}

// Rules returns the policy as package policy knows it, for drivers of their own.
func (p *Policy) Rules() *policy.Policy { return p.in }

func policyOf(in *policy.Policy) *Policy {
	return &Policy{in: in, plans: map[policy.Tool]*policy.Plan{}}
}

// planFor returns what the policy does with calls of a tool.
func (p *Policy) planFor(c *Contract) *policy.Plan {
	t := knownOf(c)
	p.mu.Lock()
	defer p.mu.Unlock()
	plan := p.plans[t]
	if plan == nil {
		if len(p.plans) == maxPlans {
			clear(p.plans)
		}
		plan = p.in.Plan(t)
		p.plans[t] = plan
	}
	return plan
}

// knownOf returns what policies know of a tool.
func knownOf(c *Contract) policy.Tool {
	return policy.Tool{
		Name: c.Name, ReadOnly: c.Annotations.ReadOnlyHint, UntrustedContent: c.Annotations.UntrustedContentHint,
		Consequential: c.Annotations.ConsequentialHint, Debugging: c.Annotations.Debugging,
	}
}

// Explain says what the policy would do to a call of a tool now, and which rules say
// so. Nothing runs, and no limit counts it. context is what is known of the user, as
// WithPolicyContext takes it; nil: nothing is. The error is that of an input that is no
// JSON, an *InputError where the contract of the tool does not allow it, or that of a
// context.
func (p *Policy) Explain(t *Tool, input any, context map[string]any) (*policy.Explanation, error) {
	sent, err := jsontape.Append(nil, input)
	if err != nil {
		return nil, unsayable("input", err)
	}
	if text := t.Contract.InputSchema; text != "" {
		if input, err = enforce(text, input, true); err != nil {
			return nil, &InputError{err}
		}
	}
	var known *policy.Context
	if context != nil {
		if known, err = readContext(context); err != nil {
			return nil, err
		}
	}
	return p.in.Explain(knownOf(&t.Contract), now(), len(sent), conditioned(input), known), nil
}

// conditioned returns a value as conditions look at it; nil where JSON cannot say it.
func conditioned(v any) *schema.Document {
	text, err := jsontape.Append(nil, v)
	d := new(schema.Document)
	if err != nil || d.Read(text) != nil {
		return nil
	}
	return d
}

type policyKey struct{}

// WithPolicy returns a ctx in which Run applies a policy, besides those that ctx has
// already: a further one can tighten what the others say, and never loosen it. The
// order means nothing, and one that is there twice counts once.
//
// What the policy decides without the input, such as a rate or a plain denial, it
// decides before the first hook; the rest behind validation. A call that it denies is
// seen by denied hooks, as any other. The result has the code of the rule, or
// POLICY_DENIED; RATE_LIMITED, with the member "retryAfter", in seconds;
// CONCURRENCY_LIMITED; INPUT_TOO_LARGE. A result that is too large, or cannot be
// redacted where it has to be, is a failure with the code OUTPUT_TOO_LARGE or
// REDACTION_FAILED. What a rule in report mode would have done is logged.
//
// What a rule says about approvals, Run asks like a hooks.Approval of an outermost
// scope. There is no counterpart of its hold here, since Run blocks.
func WithPolicy(ctx context.Context, p *Policy) context.Context {
	if outer := policyIn(ctx); outer != nil && outer != p {
		p = policyOf(outer.in.And(p.in))
	}
	return context.WithValue(ctx, policyKey{}, p)
}

// policyIn returns the policy of a ctx, or nil.
func policyIn(ctx context.Context) *Policy {
	p, _ := ctx.Value(policyKey{}).(*Policy)
	return p
}

type policyContextKey struct{}

// known is what is known of a user.
type known struct {
	context *policy.Context
	text    string // the same as JSON
}

// WithPolicyContext returns a ctx for Run in which the conditions of policies know
// these values of whoever uses the tools, such as their role. They are copied, and
// replace those that ctx has. What JSON cannot say is logged, and conditions know
// nothing then, which counts against the call.
func WithPolicyContext(ctx context.Context, values map[string]any) context.Context {
	k := new(known)
	var err error
	if k.context, err = readContext(values); err != nil {
		logContext(err)
	} else if text, err := jsontape.Append(nil, values); err == nil {
		k.text = string(text)
	}
	return context.WithValue(ctx, policyContextKey{}, k)
}

// knownIn returns what is known of the user in a ctx, or nil.
func knownIn(ctx context.Context) *known {
	k, _ := ctx.Value(policyContextKey{}).(*known)
	return k
}

// ContextOf returns what is known of a user as package policy knows it, for drivers of their own. It
// is nil where the error says that JSON cannot say the values.
func ContextOf(values map[string]any) (*policy.Context, error) { return readContext(values) }

func readContext(values map[string]any) (*policy.Context, error) {
	if values == nil {
		values = map[string]any{}
	}
	text, err := jsontape.Append(nil, values)
	if err != nil {
		return nil, unsayable("context", err)
	}
	return policy.NewContext(text)
}

// approvalOfRules returns what rules say about asking a human.
func approvalOfRules(a *policy.Approval) Approval {
	return Approval{
		Title:    a.Title,
		Timeout:  timeoutOf(a.Timeout),
		Remember: Remember{Tool: a.Remember.Tool, Arguments: a.Remember.Arguments, By: slices.Clone(a.Remember.By)},
		Edit:     a.Edit,
		verify:   a.Verify,
	}
}
