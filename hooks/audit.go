package hooks

import (
	"context"
	"errors"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/webmcp-wasm/webmcp/hooks/pipeline"
	"github.com/webmcp-wasm/webmcp/hooks/policy"
	"github.com/webmcp-wasm/webmcp/internal/jsontape"
	"github.com/webmcp-wasm/webmcp/internal/texts"
)

// AuditEntry says what has become of one call. It holds nothing that the agent does not
// know, and of that only what the policy lets be seen: what a rule redacts is masked in it,
// in what was sent as in what was answered. An entry of a page has the same members in
// JSON.
type AuditEntry struct {
	Time     time.Time // when the call ended
	ID       string    // of the invocation
	Tool     string
	Outcome  string        // "ok", "denied", "error" or "aborted"; in a page also "pending": it was left before the call ended
	Code     string        // for programs, as in the Result; may be empty
	Executed bool          // the handler was called: if not, nothing was done
	Rule     string        // the rule that has ended the call; empty where none has
	Rules    []string      // the rules that have applied
	Reports  []AuditReport // what rules in report mode would have done
	Approval *Decided      // who has decided about the call, and how; nil: nobody
	Proof    any           // what has proven who that was, in a page; as JSON has it
	Duration time.Duration // of the call, with the time that a human took

	// Sizes, in bytes, of what was sent and what was answered.
	InputBytes, OutputBytes int
	// Input is what the agent has sent, as JSON, Changed what a human has made of that before
	// they approved it, and Output what the agent reads: of a result that is one text that, of
	// another one its JSON. Each is cut at MaxAuditText.
	Input, Changed, Output string
	// Withheld lists which of "input", "changed", "output" and "proof" are left out because
	// rules name something in them that could not be masked.
	Withheld []string
}

// AuditReport is what a rule in report mode would have done to a call.
type AuditReport struct{ Rule, Effect, Code string }

// MaxAuditText is how many characters of an input or output an AuditEntry has. In a
// page, webmcp.audit.configure may say otherwise.
const MaxAuditText = 2000

type auditKey struct{}

// WithAudit returns a ctx in which Run tells sink of each call that a rule of the policy
// with "audit" is about, and of those to which one in report mode would have done
// something, besides whom ctx has already. Run tells of a call once, when it has ended,
// and returns behind that: a sink that takes long should leave that to a goroutine. What
// it panics with is logged, and changes no call. It is called at the same time for
// calls that are.
//
// Without a policy no call is told of: see Audit for hooks that do that.
func WithAudit(ctx context.Context, sink func(AuditEntry)) context.Context {
	outer := auditIn(ctx)
	return context.WithValue(ctx, auditKey{}, append(outer[:len(outer):len(outer)], sink))
}

func auditIn(ctx context.Context) []func(AuditEntry) {
	sinks, _ := ctx.Value(auditKey{}).([]func(AuditEntry))
	return sinks
}

// audit is what a call keeps for the audit log.
type audit struct {
	sinks []func(AuditEntry)
	began time.Time
	sent  []byte // the input, as the agent has sent it
}

// keepSent takes note of what the agent has sent, where the call may have to be in the
// audit log.
func (r *run) keepSent() {
	sinks := auditIn(r.ctx)
	if len(sinks) == 0 || r.rules.plan == nil || !r.rules.plan.Logs() {
		return
	}
	r.audit = audit{sinks: sinks, began: time.Now()}
	r.audit.sent, _ = jsontape.Append(nil, r.call.Input) // an Own one, which JSON can say
}

// tell tells of a call that has ended with a result.
func (r *run) tell(o pipeline.Outcome, result Result) {
	if len(r.audit.sinks) == 0 {
		return
	}
	check := &r.rules.check
	masked, further := r.rules.plan.Masks(), true
	asked := check.Started() // or it has ended before the policy was asked: the worst is assumed
	if asked {
		logged := false
		if logged, masked, further = check.Log(); !logged {
			return
		}
	}
	e := AuditEntry{
		Time: time.Now(), ID: r.call.ID, Tool: r.call.Tool.Name, Outcome: outcomeOf(o, result, r.call.Err), Code: result.Code, Executed: r.called,
		Approval: r.call.Approval, Duration: time.Since(r.audit.began),
	}
	if d := r.call.Denial; o == pipeline.WasDenied {
		e.Rule = d.Rule
	}
	if asked {
		e.Rules = check.Rules()
	}
	for _, f := range check.Reports {
		e.Reports = append(e.Reports, AuditReport{f.Rule, f.Effect, f.Code})
	}
	// see returns what is kept of a text.
	see := func(what string, text []byte, mask func(text []byte) ([]byte, error)) string {
		if masked {
			shown, err := []byte(nil), errUnmasked
			if asked && mask != nil {
				shown, err = mask(text)
			}
			if err != nil {
				e.Withheld = append(e.Withheld, what)
				return ""
			}
			text = shown
		}
		return cut(string(text))
	}
	value := func(text []byte) ([]byte, error) { return check.Mask(nil, text, false) }
	e.InputBytes, e.Input = len(r.audit.sent), see("input", r.audit.sent, value)
	if r.changed != "" {
		e.Changed = see("changed", []byte(r.changed), value)
	}
	answer := result.auditText(o)
	mask := func(text []byte) ([]byte, error) { return text, nil } // it went out masked, or we have made it
	switch {
	case o != pipeline.Succeeded:
		if e.Rule == "" && r.call.Err != error(r.late) {
			mask = nil // it may quote what is to be masked
		}
	case further:
		mask = func([]byte) ([]byte, error) { return result.masked(check) }
	}
	e.OutputBytes, e.Output = len(answer), see("output", []byte(answer), mask)
	tellAll(r.audit.sinks, e)
}

// Audit returns hooks that tell sink of each call once it has ended, where there is no
// policy to do that: see WithAudit. The entry has what the agent has sent, as the before
// hook of these sees it, and what their after hook sees of the output, or the text of the
// denial or failure: let them be the first of an outermost scope. redact masks both, as
// Redact does; nil masks nothing. Executed is false where it is not known, of a call that
// has failed. What fails behind their after hook is not told again. A call waits for sink
// as for other observers, and a panic in it is logged. Audit panics where sink is nil, or
// redact is wrong.
func Audit(sink func(AuditEntry), redact map[string]string) Set {
	if sink == nil {
		panic("hooks: Audit needs a function")
	}
	rule := map[string]any{"tools": "*", "audit": true}
	if redact != nil {
		rule["redact"] = redact
	}
	plan := mustRule("Audit", rule).planFor(new(Contract))
	begun, told := new(byte), new(byte) // their addresses are keys
	type sent struct {
		at    time.Time
		input []byte
	}
	keep := func(c *Call) sent {
		s := sent{at: time.Now()}
		s.input, _ = jsontape.Append(nil, c.Input)
		kept, _ := c.Metadata.claim(begun, s)
		return kept.(sent)
	}
	tell := func(p pipeline.Phase) []Hook {
		return []Hook{func(ctx context.Context, c *Call) error {
			if _, first := c.Metadata.claim(told, true); !first {
				return nil
			}
			before := keep(c)
			var check policy.Check
			check.Start(plan, now(), -1, nil)
			_, masked, _ := check.Log()
			e := AuditEntry{
				Time: time.Now(), ID: c.ID, Tool: c.Tool.Name, Executed: p == pipeline.After, Approval: c.Approval, Duration: time.Since(before.at),
				InputBytes: len(before.input),
			}
			see := func(what string, text []byte, mask func() ([]byte, error)) string {
				if masked {
					shown, err := mask()
					if err != nil {
						e.Withheld = append(e.Withheld, what)
						return ""
					}
					text = shown
				}
				return cut(string(text))
			}
			e.Input = see("input", before.input, func() ([]byte, error) { return check.Mask(nil, before.input, false) })
			result, outcome := ResultOf(c.Output), pipeline.HasFailed
			mask := func() ([]byte, error) { return nil, errUnmasked } // it may quote what is to be masked
			switch p {
			case pipeline.After:
				e.Outcome, outcome = "ok", pipeline.Succeeded
				mask = func() ([]byte, error) {
					shown, err := result.redacted(&check)
					return []byte(shown.auditText(pipeline.Succeeded)), err
				}
			case pipeline.Denied:
				e.Outcome, e.Code, e.Rule = "denied", c.Denial.Code, c.Denial.Rule
				result = refusal(c.Denial.Error(), false)
				if e.Rule != "" {
					mask = func() ([]byte, error) { return []byte(result.Text()), nil }
				}
			default:
				result = refusal(texts.ErrorPrefix+MessageOf(c), false)
				e.Outcome = outcomeOf(pipeline.HasFailed, result, c.Err)
				if late := (*TimeoutError)(nil); errors.As(c.Err, &late) {
					e.Code = texts.TimeoutCode
				}
			}
			answer := result.auditText(outcome)
			e.OutputBytes, e.Output = len(answer), see("output", []byte(answer), mask)
			inform(ctx, e.Tool, p, func() { sink(e) })
			return nil
		}}
	}
	before := func(_ context.Context, c *Call) error {
		keep(c)
		return nil
	}
	return Set{Before: []Hook{before}, After: tell(pipeline.After), Error: tell(pipeline.Error), Denied: tell(pipeline.Denied)}
}

var errUnmasked = errors.New("it cannot be masked")

// masked returns the text of a result as it may be in the audit log.
func (r Result) masked(check *policy.Check) ([]byte, error) {
	text, err := r.MarshalJSON()
	if err != nil {
		return nil, err
	}
	if text, err = check.Mask(nil, text, true); err != nil {
		return nil, err
	}
	masked, err := readResult(text)
	return []byte(masked.auditText(pipeline.Succeeded)), err
}

// auditText returns a result as it is in the audit log: a text alone as it is, all else
// as JSON.
func (r Result) auditText(o pipeline.Outcome) string {
	if o != pipeline.Succeeded || len(r.Content) == 1 && r.More == nil && !r.IsError && r.Code == "" && r.Executed == nil {
		if text, ok := r.Content[0]["text"].(string); ok && len(r.Content[0]) == 2 {
			return text
		}
	}
	text, _ := r.MarshalJSON()
	return string(text)
}

// tellAll tells all sinks of a call, whatever they do.
func tellAll(sinks []func(AuditEntry), e AuditEntry) {
	for _, sink := range sinks {
		if err := protect(func() error { sink(e); return nil }); err != nil {
			if p := (*PanicError)(nil); errors.As(err, &p) {
				logPanic(e.Tool, p)
			}
		}
	}
}

// outcomeOf returns how a call has ended, in a word.
func outcomeOf(o pipeline.Outcome, result Result, err error) string {
	aborted := (*AbortError)(nil)
	switch {
	case o == pipeline.WasDenied:
		return "denied"
	case !result.IsError:
		return "ok"
	case o != pipeline.Succeeded && errors.As(err, &aborted):
		return "aborted"
	}
	return "error"
}

// cut returns a text that is not too long for the audit log.
func cut(text string) string {
	if len(text) <= MaxAuditText {
		return text
	}
	at, n := 0, 0
	for ; at < len(text) && n < MaxAuditText; n++ {
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
	if at == len(text) {
		return text
	}
	return text[:at] + "… (" + strconv.Itoa(utf8.RuneCountInString(text[at:])) + " characters more)"
}
