package hooks

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/webmcp-wasm/webmcp/hooks/approval"
)

// Approval is a policy that has a human decide about calls, between the validation of
// the input and the handler. The zero Approval asks about every call.
//
// Policies apply from the outside in, those of scopes before that of the tool, and
// merge by deny before ask before allow: whoever adds one can tighten what the others
// say, and never loosen it. With several that ask, there is one question: the
// innermost title, Describe and Details are shown, the shortest Timeout holds, and
// what one of them does not let be remembered is not.
//
// The human decides about a copy of the validated input that nobody else holds, and
// the handler gets just that. A call that waits for a human while another of the same
// tool, in the same scopes, with the same input does joins it: there is one question,
// the handler runs once, and both get the same result.
//
// The result of a call that was not approved says that nothing was done, in its text
// and by Executed. Its codes are those of a page:
//
//   - USER_DENIED: the human said no, now or earlier. Denied hooks see it.
//   - APPROVAL_TIMEOUT: nobody has decided in time.
//   - APPROVAL_UNAVAILABLE: nobody can be asked. For Run: there is no Approvals in the
//     ctx, or its Approver failed.
//   - APPROVAL_POLICY_ERROR: a policy failed, panicked, or was too slow; or the input of
//     a Decision is not to be had.
//
// Error hooks see the last three as an *ApprovalError. A call whose ctx ends while it
// waits is aborted, as ever.
//
// It means the same in Run, which asks the Approver of its ctx, and for the calls of
// agents in a page, where package bridge has the page ask: in its dialog, and in one
// order with what JavaScript says of approvals. Run has no counterpart of the page's
// hold: it blocks, and what it returns is the answer.
type Approval struct {
	// Only says which tools the policy is about.
	Only Hint

	// When decides whether a human is asked about a call: approval.Allow, approval.Ask
	// or approval.Deny. To deny it with a code and a message, it returns Deny(code,
	// message) as its error. Nil always asks. It is called again once the human has
	// approved, when only a denial counts. What it does to c has no effect.
	//
	// A When that returns another error or verdict, panics, or takes longer than
	// approval.PolicyWait ends the call with the code APPROVAL_POLICY_ERROR.
	When func(ctx context.Context, c *Call) (approval.Verdict, error)

	Title    string               // of the question; may be empty
	Describe func(c *Call) string // says in a sentence what would be done; may be nil
	Details  func(c *Call) string // says what else the human should know; may be nil
	Timeout  time.Duration        // that the question stays open; 0: two minutes; negative: no end
	Remember Remember             // what a decision may be remembered for, beyond the question

	// Edit lets the human change the input before they approve, if all policies that
	// ask do: see Decision.Input.
	Edit bool

	verify string // of a rule of a policy: how the human must prove that it is them
}

// Hint says which tools an Approval is about, by their annotations.
type Hint uint8

// The hints.
const (
	EveryTool     Hint = iota
	Consequential      // tools with ConsequentialHint
	Writes             // tools without ReadOnlyHint
)

// Covers reports whether a policy with the hint is about a tool with these annotations.
// A hint that there is not covers all.
func (h Hint) Covers(a Annotations) bool {
	switch h {
	case Consequential:
		return a.ConsequentialHint
	case Writes:
		return !a.ReadOnlyHint
	}
	return true
}

// Remember says what a decision may be remembered for. A remembered decision answers
// later questions about the tool in the same scopes; it never overrides a denial, and
// it never answers where a policy with a When asks: that asked about this input only.
type Remember struct {
	Tool      bool     // all calls of the tool
	Arguments bool     // calls of the tool with the same arguments
	By        []string // JSON Pointers of the arguments that count, as "/productId"; makes Arguments true
}

// check says what is wrong with a policy.
func (a *Approval) check() error {
	if a.Only > Writes {
		return errors.New("an approval has an Only that is no hint that there is")
	}
	for _, pointer := range a.Remember.By {
		if !strings.HasPrefix(pointer, "/") {
			return errors.New("an approval has a Remember.By with " + pointer + `: it must be a list of JSON Pointers, such as "/productId"`)
		}
	}
	return nil
}

// Question is what a human is asked about a call.
type Question struct {
	ID       string    // of the call; of several that have joined, of the first
	Tool     Contract  // of the tool that is called
	Title    string    // of the policy; may be empty
	Sentence string    // what would be done, as Describe says it; may be empty
	Details  string    // what else the human should know; may be empty
	Input    any       // what the handler will get; a copy
	Digest   string    // of the input, as Decided has it
	Since    time.Time // when it was asked
	Deadline time.Time // when it times out; zero: never
	Remember Remember  // what the decision may be remembered for
	Edit     bool      // whether the human may change the input
	Verify   string    // "passkey": a policy wants proof of who decides, see Decision.Verified; "": none
}

// Decision is the answer to a Question. The zero Decision denies.
type Decision struct {
	Approve  bool
	Reason   string        // of a denial: the agent reads it; may be empty
	By       string        // who has decided, for hooks and logs; may be empty
	Remember approval.Keep // what it is to be remembered for, if the question allows that

	// Input is what the human has made of the input, where they approve another one;
	// nil: it is unchanged. It is validated as that of the agent was, and every When is
	// asked about it. What the handler gets then is new to all but the human: the agent
	// reads so in a second text of the result, with the input itself, and Remember
	// counts for nothing.
	//
	// An Input that does not validate, or that Question.Edit does not allow, ends the
	// call with the code APPROVAL_POLICY_ERROR, and so does one about which a policy
	// asks that does not allow it, or that wants a proof that the Question did not: an Approver answers once, so look at what the human
	// has typed before you return it, with package schema or typed.
	Input    any
	Verified bool // the human has proven who they are as Question.Verify wants it; without, they have not approved
}

// Approver asks a human for Run; calls of agents in a page have the page ask. Approve is called once for each question, for different
// questions at the same time; InTurn has one asked after the other. It should return
// when ctx is done: the question is over then, because its time is, its call was
// aborted, or a decision about another one is remembered for it. What it returns then
// counts for nothing. An error says that nobody can be asked, and so does a panic.
// ctx has the values of the call's.
type Approver interface {
	Approve(ctx context.Context, q Question) (Decision, error)
}

// ApproverFunc is a function that is an Approver.
type ApproverFunc func(ctx context.Context, q Question) (Decision, error)

// Approve calls f.
func (f ApproverFunc) Approve(ctx context.Context, q Question) (Decision, error) { return f(ctx, q) }

// InTurn returns an Approver that asks a one question at a time. One that is over
// before its turn is not asked.
func InTurn(a Approver) Approver {
	turn := make(chan struct{}, 1)
	return ApproverFunc(func(ctx context.Context, q Question) (Decision, error) {
		select {
		case turn <- struct{}{}:
			defer func() { <-turn }()
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			return Decision{}, ctx.Err()
		}
		return a.Approve(ctx, q)
	})
}

// Decided is what was decided about a call, for the hooks and the handler behind the
// decision.
type Decided struct {
	Approve bool
	How     string        // "ask": by the Approver; "remembered": by an earlier decision; in a page also "dialog" and "script"
	By      string        // who, as the Approver said; may be empty
	At      time.Time     // when
	Waited  time.Duration // of the call
	Edited  bool          // the human has changed the input
	Digest  string        // SHA-256, in hex, of the canonical JSON of the input that runs (RFC 8785), as in a page; of a call that Run makes in a page empty
}

// ApprovalError is why a call failed that needed a human.
type ApprovalError struct {
	Code    string // such as "APPROVAL_TIMEOUT"
	Message string // for the agent
	Err     error  // the failure of a policy or of Decision.Input, which the agent does not read; may be nil
}

// Error returns the text that the agent gets.
func (e *ApprovalError) Error() string { return e.Message }

// Unwrap returns Err.
func (e *ApprovalError) Unwrap() error { return e.Err }

// SetOf returns the hooks of a tool with its Approval, for drivers.
func SetOf(t *Tool) Set {
	set := t.Hooks
	if t.Approval != nil {
		set.Approval = append(set.Approval[:len(set.Approval):len(set.Approval)], *t.Approval)
	}
	return set
}
