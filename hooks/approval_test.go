package hooks_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/hooks"
	"github.com/webmcp-wasm/webmcp/hooks/approval"
)

// Tests that sleep do so in a bubble of synctest, whose clock jumps: what takes its time
// there is a human, a handler or a question.

// says is an Approver that always decides so.
func says(d hooks.Decision) hooks.Approver {
	return hooks.ApproverFunc(func(context.Context, hooks.Question) (hooks.Decision, error) { return d, nil })
}

// silent is an Approver whose human never answers.
var silent = hooks.ApproverFunc(func(ctx context.Context, _ hooks.Question) (hooks.Decision, error) {
	<-ctx.Done()
	return hooks.Decision{Approve: true}, nil // too late
})

// verdict is a When that always says so.
func verdict(v approval.Verdict, err error) func(context.Context, *hooks.Call) (approval.Verdict, error) {
	return func(context.Context, *hooks.Call) (approval.Verdict, error) { return v, err }
}

// asked returns a tool with these approvals, which notes in j what runs.
func (j *journal) asked(policies ...hooks.Approval) *hooks.Tool {
	t := j.tool()
	t.Hooks.Approval = policies
	return t
}

func TestEveryEndOfAnApproval(t *testing.T) {
	const (
		approved = "tool.before fn tool.after"
		denied   = "tool.before tool.denied"
		failed   = "tool.before tool.error"

		policyError = "Error: the page could not find out whether this call may be made. Nothing was done. Trying again will not help: tell the user"
		unavailable = "Error: this call needs the approval of the user, who cannot be asked now. Nothing was done. Tell the user"
		timeout     = "Error: the user was asked to approve this call and has not answered in time. Nothing was done. Tell the user, and try again only when they ask for it"
		userDenied  = "Denied: the user did not approve this call. Nothing was done. Do not try it again unchanged: ask the user what they want"
	)
	yes := says(hooks.Decision{Approve: true})
	one := func(a hooks.Approval) []hooks.Approval { return []hooks.Approval{a} }
	hang := func(ctx context.Context, _ *hooks.Call) (approval.Verdict, error) {
		<-ctx.Done()
		return approval.Allow, nil
	}
	for name, test := range map[string]struct {
		policies []hooks.Approval
		approver hooks.Approver
		nobody   bool // there are no Approvals in the ctx
		abort    time.Duration
		limit    time.Duration // of the call

		code, text, ran string
		took            time.Duration
		log             string
		executed        bool // the result says nothing of it
	}{
		"approved":           {policies: one(hooks.Approval{}), approver: yes, text: `{}`, ran: approved, executed: true},
		"denied":             {policies: one(hooks.Approval{}), approver: says(hooks.Decision{}), code: "USER_DENIED", text: userDenied, ran: denied},
		"denied_with_reason": {policies: one(hooks.Approval{}), approver: says(hooks.Decision{Reason: "too %s dear"}), code: "USER_DENIED", text: "Denied: the user did not approve this call, and says: too %s dear. Nothing was done. Do not try it again unchanged", ran: denied},

		"not_in_time":              {policies: one(hooks.Approval{}), approver: silent, code: "APPROVAL_TIMEOUT", text: timeout, ran: failed, took: 2 * time.Minute},
		"not_in_its_time":          {policies: []hooks.Approval{{Timeout: time.Hour}, {Timeout: time.Second}, {Timeout: -1}}, approver: silent, code: "APPROVAL_TIMEOUT", text: timeout, ran: failed, took: time.Second},
		"no_end":                   {policies: one(hooks.Approval{Timeout: -1}), approver: silent, abort: 24 * time.Hour, text: "Error: the call was aborted", ran: failed, took: 24 * time.Hour},
		"aborted":                  {policies: one(hooks.Approval{}), approver: silent, abort: time.Second, text: "Error: the call was aborted", ran: failed, took: time.Second},
		"aborted_while_it_decides": {policies: one(hooks.Approval{When: hang}), approver: yes, abort: time.Second, text: "Error: the call was aborted", ran: failed, took: time.Second},
		"time_of_the_human":        {policies: one(hooks.Approval{}), approver: silent, limit: time.Minute, code: "APPROVAL_TIMEOUT", text: timeout, ran: failed, took: 2 * time.Minute},
		"time_of_the_policy":       {policies: one(hooks.Approval{When: hang}), approver: yes, limit: time.Second, code: "TIMEOUT", text: "Error: the tool time_of_the_policy has not finished within 1000 ms", ran: failed, took: time.Second},

		"no_approvals": {policies: one(hooks.Approval{}), nobody: true, code: "APPROVAL_UNAVAILABLE", text: unavailable, ran: failed},
		"no_approver":  {policies: one(hooks.Approval{}), code: "APPROVAL_UNAVAILABLE", text: unavailable, ran: failed, log: "webmcp: nobody can be asked: there is nobody to ask: the Approver is nil"},
		"approver_fails": {policies: one(hooks.Approval{}), approver: hooks.ApproverFunc(func(context.Context, hooks.Question) (hooks.Decision, error) {
			return hooks.Decision{Approve: true}, errors.New("no terminal")
		}), code: "APPROVAL_UNAVAILABLE", text: unavailable, ran: failed, log: "webmcp: nobody can be asked: no terminal"},
		"approver_panics": {policies: one(hooks.Approval{}), approver: hooks.ApproverFunc(func(context.Context, hooks.Question) (hooks.Decision, error) {
			panic("no terminal")
		}), code: "APPROVAL_UNAVAILABLE", text: unavailable, ran: failed, log: "webmcp: nobody can be asked: internal error: the tool's Go code panicked"},
		"approver_exits": {policies: one(hooks.Approval{}), approver: hooks.ApproverFunc(func(context.Context, hooks.Question) (hooks.Decision, error) {
			runtime.Goexit()
			return hooks.Decision{Approve: true}, nil
		}), code: "APPROVAL_UNAVAILABLE", text: unavailable, ran: failed, log: "webmcp: nobody can be asked: internal error: the tool's Go code ended its goroutine"},

		"policy_allows":           {policies: one(hooks.Approval{When: verdict(approval.Allow, nil)}), approver: says(hooks.Decision{}), text: `{}`, ran: approved, executed: true},
		"policy_denies":           {policies: one(hooks.Approval{When: verdict(approval.Deny, nil)}), approver: yes, code: "DENIED", text: "Denied: the call was denied, and nothing was done", ran: denied},
		"policy_denies_with_code": {policies: one(hooks.Approval{When: verdict(approval.Allow, fmt.Errorf("so: %w", hooks.Deny("TOO_MUCH", "Buy less.")))}), approver: yes, code: "TOO_MUCH", text: "Denied: Buy less.", ran: denied},
		"policy_fails":            {policies: one(hooks.Approval{When: verdict(approval.Allow, errors.New("no database"))}), approver: yes, code: "APPROVAL_POLICY_ERROR", text: policyError, ran: failed, log: "webmcp: an approval failed: no database"},
		"policy_of_no_verdict":    {policies: one(hooks.Approval{When: verdict(approval.Deny+1, nil)}), approver: yes, code: "APPROVAL_POLICY_ERROR", text: policyError, ran: failed, log: "webmcp: an approval failed: When of an approval returned the verdict 3, which there is not"},
		"policy_panics":           {policies: one(hooks.Approval{When: func(context.Context, *hooks.Call) (approval.Verdict, error) { panic("oops") }}), approver: yes, code: "APPROVAL_POLICY_ERROR", text: policyError, ran: failed, log: "webmcp: an approval failed: internal error: the tool's Go code panicked"},
		"policy_exits":            {policies: one(hooks.Approval{When: func(context.Context, *hooks.Call) (approval.Verdict, error) { runtime.Goexit(); return 0, nil }}), approver: yes, code: "APPROVAL_POLICY_ERROR", text: policyError, ran: failed, log: "webmcp: an approval failed: internal error: the tool's Go code ended its goroutine"},
		"policy_hangs":            {policies: one(hooks.Approval{When: hang}), approver: yes, code: "APPROVAL_POLICY_ERROR", text: policyError, ran: failed, took: 10 * time.Second, log: "webmcp: an approval failed: it has not returned within 10s"},
		"describe_panics":         {policies: one(hooks.Approval{Describe: func(*hooks.Call) string { panic("oops") }}), approver: yes, code: "APPROVAL_POLICY_ERROR", text: policyError, ran: failed, log: "webmcp: an approval failed: internal error: the tool's Go code panicked"},

		"denies_before_it_asks":     {policies: []hooks.Approval{{}, {When: verdict(approval.Deny, nil)}}, nobody: true, code: "DENIED", text: "Denied: the call was denied, and nothing was done", ran: denied},
		"asks_though_another_would": {policies: []hooks.Approval{{When: verdict(approval.Ask, nil)}, {When: verdict(approval.Allow, nil)}}, approver: says(hooks.Decision{}), code: "USER_DENIED", text: userDenied, ran: denied},
		"the_outer_denial":          {policies: []hooks.Approval{{When: verdict(0, hooks.Deny("OUTER", "outer"))}, {When: verdict(0, hooks.Deny("INNER", "inner"))}}, approver: yes, code: "OUTER", text: "Denied: outer", ran: denied},

		"not_about_the_tool": {policies: one(hooks.Approval{Only: hooks.Consequential}), nobody: true, text: `{}`, ran: approved, executed: true},
		"about_what_writes":  {policies: one(hooks.Approval{Only: hooks.Writes}), approver: says(hooks.Decision{}), code: "USER_DENIED", text: userDenied, ran: denied},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var j journal
				tool := j.asked(test.policies...)
				tool.Contract.Name = name
				tool.Hooks.Timeout = test.limit
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				if test.abort > 0 {
					time.AfterFunc(test.abort, cancel)
				}
				a := hooks.NewApprovals(test.approver)
				if !test.nobody {
					ctx = hooks.WithApprovals(ctx, a)
				}
				began := time.Now()
				result := hooks.Run(ctx, tool, map[string]any{})
				require.InDelta(t, test.took, time.Since(began), float64(2*time.Millisecond))
				require.Equal(t, test.text, result.Text())
				require.Equal(t, test.code, result.Code)
				require.Equal(t, test.ran, strings.Join(j.all(), " "))
				if test.executed {
					require.Nil(t, result.Executed)
				} else {
					require.True(t, result.IsError)
					require.Equal(t, new(false), result.Executed)
				}
				if test.log == "" {
					require.Empty(t, logged(tool))
				} else {
					require.Contains(t, logged(tool), test.log)
				}
				synctest.Wait() // and nothing is left: a goroutine that is fails the test
				require.Empty(t, a.Pending())
			})
		})
	}
}

func TestAPolicyWithAMistakeNeverLetsACallThrough(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		policy hooks.Approval
		says   string
	}{
		"bad_hint":    {hooks.Approval{Only: hooks.Writes + 1}, "an approval has an Only that is no hint that there is"},
		"bad_pointer": {hooks.Approval{Remember: hooks.Remember{By: []string{"id"}}}, `an approval has a Remember.By with id: it must be a list of JSON Pointers, such as "/productId"`},
	} {
		var j journal
		tool := j.tool()
		tool.Contract.Name = name
		scope := hooks.NewScope(nil)
		scope.Add(hooks.Set{Approval: []hooks.Approval{test.policy}})
		ctx := hooks.WithApprovals(t.Context(), hooks.NewApprovals(says(hooks.Decision{Approve: true})))
		require.Equal(t, "APPROVAL_POLICY_ERROR", hooks.Run(ctx, tool, nil, scope).Code)
		require.NotContains(t, j.all(), "fn")
		require.Equal(t, []string{"webmcp: an approval failed: " + test.says}, logged(tool))

		tool.Approval = &test.policy
		require.EqualError(t, tool.Check(), "the approval of the tool "+name+": "+test.says)
	}
}

func TestErrorHooksSeeWhyACallWasNotApproved(t *testing.T) {
	t.Parallel()
	broken := errors.New("no database")
	var seen error
	tool := &hooks.Tool{
		Contract: hooks.Contract{Name: "seen_unapproved", Description: "Fails."},
		Handler:  func(context.Context, *hooks.Call) (any, error) { return nil, errors.New("not called") },
		Approval: &hooks.Approval{When: verdict(0, broken)},
		Hooks: hooks.Set{Error: []hooks.Hook{func(_ context.Context, c *hooks.Call) error {
			seen = c.Err
			return nil
		}}},
	}
	result := hooks.Run(t.Context(), tool, nil)
	require.NotContains(t, result.Text(), "database")
	var unapproved *hooks.ApprovalError
	require.ErrorAs(t, seen, &unapproved)
	require.Equal(t, "APPROVAL_POLICY_ERROR", unapproved.Code)
	require.ErrorIs(t, seen, broken)
}

func TestWhatIsApprovedIsWhatRuns(t *testing.T) {
	t.Parallel()
	var kept, validated []map[string]any
	var ran any
	tool := &hooks.Tool{
		Contract: contract,
		Handler: func(_ context.Context, c *hooks.Call) (any, error) {
			ran = c.Input
			return nil, nil
		},
		Validate: func(_ context.Context, input any) (any, error) {
			validated = append(validated, input.(map[string]any))
			return input, nil
		},
	}
	keep := func(input any) { kept = append(kept, input.(map[string]any)) }
	keeps := func(_ context.Context, c *hooks.Call) error {
		keep(c.Input)
		c.Input = map[string]any{"amount": 1, "to": map[string]any{"name": "Ada"}}
		keep(c.Input)
		return nil
	}
	tool.Hooks.Before = []hooks.Hook{keeps, func(_ context.Context, c *hooks.Call) error {
		keep(c.Input)
		return nil
	}}
	tool.Approval = &hooks.Approval{
		When: func(_ context.Context, c *hooks.Call) (approval.Verdict, error) {
			keep(c.Input)
			return approval.Ask, nil
		},
		Describe: func(c *hooks.Call) string {
			keep(c.Input)
			return fmt.Sprint("Pay ", c.Input.(map[string]any)["amount"])
		},
	}
	want := map[string]any{"amount": 1.0, "to": map[string]any{"name": "Ada"}}
	var a *hooks.Approvals
	a = hooks.NewApprovals(hooks.ApproverFunc(func(_ context.Context, q hooks.Question) (hooks.Decision, error) {
		require.Equal(t, want, q.Input)
		require.Equal(t, "Pay 1", q.Sentence)
		text := `{"amount":1,"to":{"name":"Ada"}}`
		sum := sha256.Sum256([]byte(text))
		require.Equal(t, hex.EncodeToString(sum[:]), q.Digest)
		keep(a.Pending()[0].Input)
		keep(q.Input)
		for _, input := range append(kept, validated...) {
			input["amount"] = 9999.0
			if to, ok := input["to"].(map[string]any); ok {
				to["name"] = "Mallory"
			}
		}
		require.Equal(t, want, a.Pending()[0].Input)
		return hooks.Decision{Approve: true}, nil
	}))
	result := hooks.Run(hooks.WithApprovals(t.Context(), a), tool, map[string]any{})
	require.False(t, result.IsError, result.Text())
	require.Equal(t, want, ran)
}

func TestNobodyIsAskedAboutWhatCannotSucceed(t *testing.T) {
	t.Parallel()
	var j journal
	tool := j.asked(hooks.Approval{})
	tool.Contract.InputSchema = `{"type":"object","required":["id"]}`
	ctx := hooks.WithApprovals(t.Context(), hooks.NewApprovals(hooks.ApproverFunc(func(context.Context, hooks.Question) (hooks.Decision, error) {
		j.add("asked")
		return hooks.Decision{Approve: true}, nil
	})))
	require.True(t, hooks.Run(ctx, tool, map[string]any{}).IsError)
	require.NotContains(t, j.all(), "asked")
	require.False(t, hooks.Run(ctx, tool, map[string]any{"id": 1}).IsError)
	require.Contains(t, j.all(), "asked")
}

func TestTheQuestionOfSeveralPolicies(t *testing.T) {
	t.Parallel()
	text := func(s string) func(*hooks.Call) string { return func(*hooks.Call) string { return s } }
	outer := hooks.NewScope(nil)
	outer.Add(hooks.Set{Approval: []hooks.Approval{{Title: "outer", Describe: text("outer"), Details: text("outer"), Timeout: time.Minute, Remember: hooks.Remember{Tool: true, By: []string{"/a"}}}}})
	inner := hooks.NewScope(outer)
	inner.Add(hooks.Set{Approval: []hooks.Approval{{Title: "inner", Describe: text("inner"), Timeout: time.Hour, Remember: hooks.Remember{By: []string{"/b/0/c~1d"}}}}})
	var j journal
	tool := j.tool()
	tool.Approval = &hooks.Approval{Only: hooks.Consequential, Title: "not about the tool"}
	asked := make(chan hooks.Question, 1)
	a := hooks.NewApprovals(hooks.ApproverFunc(func(_ context.Context, q hooks.Question) (hooks.Decision, error) {
		asked <- q
		return hooks.Decision{Approve: true, By: "Ada", Remember: approval.ForArgs}, nil
	}))
	ctx := hooks.WithApprovals(t.Context(), a)
	require.False(t, hooks.Run(ctx, tool, map[string]any{"a": 1, "b": []any{map[string]any{"c/d": 2}}, "e": 3}, inner).IsError)
	q := <-asked
	require.Equal(t, []string{"inner", "inner", "outer"}, []string{q.Title, q.Sentence, q.Details})
	require.Equal(t, time.Minute, q.Deadline.Sub(q.Since))
	require.Equal(t, hooks.Remember{Arguments: true, By: []string{"/a", "/b/0/c~1d"}}, q.Remember)
	require.Equal(t, contract, q.Tool)
	rules := a.Remembered()
	require.Len(t, rules, 1)
	require.Equal(t, map[string]any{"/a": 1.0, "/b/0/c~1d": 2.0}, rules[0].Arguments)
	require.Equal(t, []any{"save", true, "Ada"}, []any{rules[0].Tool, rules[0].Approve, rules[0].By})
}

// A further policy, wherever it is added, never makes of a call that was denied or
// asked about one that is less so.
func TestAFurtherPolicyNeverLoosensACall(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	strictness := func(t *testing.T, tool []approval.Verdict, inner []approval.Verdict, outer []approval.Verdict) approval.Verdict {
		set := func(verdicts []approval.Verdict) (s hooks.Set) {
			for _, v := range verdicts {
				s.Approval = append(s.Approval, hooks.Approval{When: verdict(v, nil)})
			}
			return s
		}
		around := hooks.NewScope(nil)
		around.Add(set(outer))
		in := hooks.NewScope(around)
		in.Update(func(old hooks.Set) hooks.Set { return old.Concat(set(inner)) })
		var j journal
		subject := j.asked(set(tool).Approval...)
		got := approval.Allow
		ctx := hooks.WithApprovals(t.Context(), hooks.NewApprovals(hooks.ApproverFunc(func(context.Context, hooks.Question) (hooks.Decision, error) {
			got = approval.Ask
			return hooks.Decision{Approve: true}, nil
		})))
		if hooks.Run(ctx, subject, nil, in).IsError {
			require.Equal(t, approval.Allow, got, "the human is asked about what is denied")
			return approval.Deny
		}
		return got
	}
	for range 200 {
		var places [3][]approval.Verdict
		for i := range places {
			for range random.IntN(3) {
				places[i] = append(places[i], approval.Verdict(random.IntN(3)))
			}
		}
		before := strictness(t, places[0], places[1], places[2])
		at, further := random.IntN(3), approval.Verdict(random.IntN(3))
		i := random.IntN(len(places[at]) + 1)
		places[at] = append(places[at][:i:i], append([]approval.Verdict{further}, places[at][i:]...)...)
		after := strictness(t, places[0], places[1], places[2])
		require.Equal(t, max(before, further), after, "%v", places)
	}
}

func TestWhatHooksSeeOfADecision(t *testing.T) {
	t.Parallel()
	for _, approve := range []bool{true, false} {
		seen := map[string]hooks.Decided{}
		see := func(phase string) hooks.Hook {
			return func(_ context.Context, c *hooks.Call) error {
				if c.Approval != nil {
					seen[phase] = *c.Approval
					c.Approval.By = "Mallory" // its own
				}
				return nil
			}
		}
		tool := &hooks.Tool{
			Contract: contract,
			Approval: new(hooks.Approval),
			Handler: func(ctx context.Context, c *hooks.Call) (any, error) {
				return nil, see("handler")(ctx, c)
			},
			Hooks: hooks.Set{
				Before: []hooks.Hook{see("before")}, Denied: []hooks.Hook{see("denied")}, Error: []hooks.Hook{see("error")},
				After: []hooks.Hook{see("after"), func(context.Context, *hooks.Call) error { return errors.New("withheld") }},
			},
		}
		ctx := hooks.WithApprovals(t.Context(), hooks.NewApprovals(says(hooks.Decision{Approve: approve, By: "Ada"})))
		began := time.Now()
		hooks.Run(ctx, tool, map[string]any{})
		phases := []string{"denied"}
		if approve {
			phases = []string{"handler", "after", "error"}
		}
		require.Len(t, seen, len(phases))
		for _, phase := range phases {
			d := seen[phase]
			require.Equal(t, approve, d.Approve)
			require.Equal(t, []string{"ask", "Ada"}, []string{d.How, d.By})
			require.False(t, d.At.Before(began))
			require.LessOrEqual(t, d.Waited, time.Since(began))
			require.Equal(t, "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a", d.Digest, "of {}")
		}
	}
}

func TestAPolicyIsAskedAgainOnceTheHumanHasApproved(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		then approval.Verdict
		err  error
		code string
	}{
		"denies": {approval.Deny, nil, "DENIED"},
		"fails":  {approval.Allow, errors.New("no database"), "APPROVAL_POLICY_ERROR"},
		"asks":   {approval.Ask, nil, ""},
		"allows": {approval.Allow, nil, ""},
	} {
		var j journal
		times := 0
		tool := j.asked(hooks.Approval{When: func(context.Context, *hooks.Call) (approval.Verdict, error) {
			if times++; times == 1 {
				return approval.Ask, nil
			}
			return test.then, test.err
		}})
		ctx := hooks.WithApprovals(t.Context(), hooks.NewApprovals(says(hooks.Decision{Approve: true})))
		require.Equal(t, test.code, hooks.Run(ctx, tool, nil).Code, name)
		require.Equal(t, 2, times, name)
		if test.code == "" {
			require.Contains(t, j.all(), "fn", name)
		} else {
			require.NotContains(t, j.all(), "fn", name)
		}
	}
}

func TestAnAbortWhileTheHumanDecidesIsFoundAfterwards(t *testing.T) {
	t.Parallel()
	var j journal
	var a *hooks.Approvals
	for range 50 { // either may be seen first
		ctx, cancel := context.WithCancel(t.Context())
		a = hooks.NewApprovals(hooks.ApproverFunc(func(context.Context, hooks.Question) (hooks.Decision, error) {
			cancel()
			return hooks.Decision{Approve: true}, nil
		}))
		require.Equal(t, "Error: the call was aborted", hooks.Run(hooks.WithApprovals(ctx, a), j.asked(hooks.Approval{}), nil).Text())
		cancel()
	}
	require.NotContains(t, j.all(), "fn")
	require.Empty(t, a.Pending())
}

func TestTheTimeOfTheHumanIsNotThatOfTheCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := hooks.ApproverFunc(func(context.Context, hooks.Question) (hooks.Decision, error) {
			time.Sleep(time.Minute)
			return hooks.Decision{Approve: true}, nil
		})
		for handler, code := range map[time.Duration]string{2 * time.Second: "", 4 * time.Second: "TIMEOUT"} {
			tool := &hooks.Tool{
				Contract: contract, Approval: new(hooks.Approval),
				Hooks: hooks.Set{Timeout: 5 * time.Second, Before: []hooks.Hook{func(context.Context, *hooks.Call) error {
					time.Sleep(2 * time.Second)
					return nil
				}}},
				Handler: func(ctx context.Context, _ *hooks.Call) (any, error) {
					select {
					case <-time.After(handler):
					case <-ctx.Done():
						require.ErrorIs(t, context.Cause(ctx), context.DeadlineExceeded)
					}
					return nil, nil
				},
			}
			began := time.Now()
			result := hooks.Run(hooks.WithApprovals(t.Context(), hooks.NewApprovals(slow)), tool, nil)
			require.Equal(t, code, result.Code, result.Text())
			if code != "" {
				require.Equal(t, new(true), result.Executed, "the handler has run")
			}
			require.Equal(t, min(handler, 3*time.Second)+62*time.Second, time.Since(began))
		}
	})
}

func TestQuestionsTimeOutEachInItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := hooks.WithApprovals(t.Context(), hooks.NewApprovals(silent))
		var calls sync.WaitGroup
		for _, timeout := range []time.Duration{time.Minute, time.Second, time.Hour, time.Second / 3} {
			calls.Go(func() {
				var j journal
				began := time.Now()
				require.Equal(t, "APPROVAL_TIMEOUT", hooks.Run(ctx, j.asked(hooks.Approval{Timeout: timeout}), nil).Code)
				require.InDelta(t, timeout, time.Since(began), float64(2*time.Millisecond))
			})
			synctest.Wait()
		}
		calls.Wait()
	})
}

func TestOneQuestionForTheSameCallAtOnce(t *testing.T) {
	for name, test := range map[string]struct {
		decision hooks.Decision
		ran      int32
		text     string
	}{
		"approved": {hooks.Decision{Approve: true}, 1, `{"n":1}`},
		"denied":   {hooks.Decision{}, 0, "Denied: the user did not approve this call. Nothing was done. Do not try it again unchanged: ask the user what they want"},
	} {
		synctest.Test(t, func(t *testing.T) {
			var asked, ran, before atomic.Int32
			release := make(chan struct{})
			a := hooks.NewApprovals(hooks.ApproverFunc(func(context.Context, hooks.Question) (hooks.Decision, error) {
				asked.Add(1)
				<-release
				return test.decision, nil
			}))
			tool := &hooks.Tool{
				Contract: contract, Approval: new(hooks.Approval),
				Handler: func(context.Context, *hooks.Call) (any, error) {
					time.Sleep(time.Minute) // calls may come while it runs
					return map[string]any{"n": ran.Add(1)}, nil
				},
				Hooks: hooks.Set{Before: []hooks.Hook{func(context.Context, *hooks.Call) error { before.Add(1); return nil }}},
			}
			results := make(chan hooks.Result, 4)
			call := func() {
				results <- hooks.Run(hooks.WithApprovals(t.Context(), a), tool, map[string]any{"b": 1, "a": 2})
			}
			go call()
			go call()
			synctest.Wait()
			require.Len(t, a.Pending(), 1)
			close(release)
			if test.ran > 0 {
				synctest.Wait()
				go call() // joins what runs
				synctest.Wait()
				require.EqualValues(t, 3, before.Load(), "each has its hooks on the way in")
				require.EqualValues(t, 1, asked.Load(), name)
			}
			for range before.Load() {
				result := <-results
				require.Equal(t, test.text, result.Text(), name)
				result.Content[0]["text"] = "changed" // its own
			}
			require.Equal(t, test.ran, ran.Load())
			synctest.Wait()
			require.Empty(t, a.Pending())

			go call() // later it is another question
			synctest.Wait()
			require.EqualValues(t, 2, asked.Load())
			<-results
		})
	}
}

func TestACallJoinsNoneInOtherScopes(t *testing.T) {
	t.Parallel()
	strict := hooks.NewScope(nil)
	strict.Add(hooks.Set{After: []hooks.Hook{func(_ context.Context, c *hooks.Call) error { c.Output = "redacted"; return nil }}})
	tool := &hooks.Tool{
		Contract: contract, Approval: &hooks.Approval{Remember: hooks.Remember{Tool: true}},
		Handler: func(context.Context, *hooks.Call) (any, error) { return "SECRET", nil },
	}
	var both sync.WaitGroup
	both.Add(2)
	a := hooks.NewApprovals(hooks.ApproverFunc(func(_ context.Context, q hooks.Question) (hooks.Decision, error) {
		both.Done()
		both.Wait() // until both are asked about
		return hooks.Decision{Approve: true, Remember: approval.ForTool}, nil
	}))
	ctx := hooks.WithApprovals(t.Context(), a)
	plain := make(chan hooks.Result, 1)
	go func() { plain <- hooks.Run(ctx, tool, nil) }()
	require.Equal(t, "redacted", hooks.Run(ctx, tool, nil, strict).Text())
	require.Equal(t, "SECRET", (<-plain).Text())
}

func TestTheNextCallLeadsWhereTheFirstIsAborted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked, ran atomic.Int32
		release := make(chan struct{})
		a := hooks.NewApprovals(hooks.ApproverFunc(func(ctx context.Context, _ hooks.Question) (hooks.Decision, error) {
			asked.Add(1)
			select {
			case <-release:
				return hooks.Decision{Approve: true}, nil
			case <-ctx.Done():
				return hooks.Decision{}, ctx.Err()
			}
		}))
		tool := &hooks.Tool{Contract: contract, Approval: new(hooks.Approval), Handler: func(context.Context, *hooks.Call) (any, error) {
			ran.Add(1)
			return "done", nil
		}}
		call := func(ctx context.Context) <-chan hooks.Result {
			result := make(chan hooks.Result, 1)
			go func() { result <- hooks.Run(hooks.WithApprovals(ctx, a), tool, nil) }()
			synctest.Wait()
			return result
		}
		first, abort := context.WithCancel(t.Context())
		third, abortThird := context.WithCancel(t.Context())
		one, two, three := call(first), call(t.Context()), call(third)
		abort()
		require.Equal(t, "Error: the call was aborted", (<-one).Text())
		abortThird()
		require.Equal(t, "Error: the call was aborted", (<-three).Text())
		require.Len(t, a.Pending(), 1)
		close(release)
		require.Equal(t, "done", (<-two).Text())
		require.Equal(t, []int32{1, 1}, []int32{asked.Load(), ran.Load()})
		synctest.Wait()
		require.Empty(t, a.Pending())
	})
}

func TestADecisionIsRemembered(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		offer   hooks.Remember
		when    bool
		keep    approval.Keep
		approve bool
		asked   string // about which calls of {"id":1,"n":1}, {"n":2,"id":1}, {"id":1,"n":1}, {"id":2,"n":1}
	}{
		"nothing":                  {offer: hooks.Remember{Tool: true, Arguments: true}, keep: approval.ForCall, approve: true, asked: "1234"},
		"the_tool":                 {offer: hooks.Remember{Tool: true}, keep: approval.ForTool, approve: true, asked: "1"},
		"a_denial":                 {offer: hooks.Remember{Tool: true}, keep: approval.ForTool, asked: "1"},
		"the_arguments":            {offer: hooks.Remember{Arguments: true}, keep: approval.ForArgs, approve: true, asked: "124"},
		"arguments_that_count":     {offer: hooks.Remember{By: []string{"/id"}}, keep: approval.ForArgs, approve: true, asked: "14"},
		"a_tool_that_is_not_meant": {offer: hooks.Remember{Arguments: true}, keep: approval.ForTool, approve: true, asked: "1234"},
		"what_a_when_asks":         {offer: hooks.Remember{Tool: true, Arguments: true}, when: true, keep: approval.ForTool, approve: true, asked: "1234"},
		"what_there_is_not":        {offer: hooks.Remember{Tool: true, Arguments: true}, keep: approval.ForTool + 1, approve: true, asked: "1234"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			asked, call := "", 0
			a := hooks.NewApprovals(hooks.ApproverFunc(func(_ context.Context, q hooks.Question) (hooks.Decision, error) {
				asked += fmt.Sprint(call)
				return hooks.Decision{Approve: test.approve, By: "Ada", Reason: "no", Remember: test.keep}, nil
			}))
			policy := hooks.Approval{Remember: test.offer}
			if test.when {
				policy.When = verdict(approval.Ask, nil)
			}
			var how []string
			see := []hooks.Hook{func(_ context.Context, c *hooks.Call) error {
				how = append(how, c.Approval.How+" "+c.Approval.By)
				return nil
			}}
			tool := &hooks.Tool{
				Contract: contract, Approval: &policy,
				Handler: func(context.Context, *hooks.Call) (any, error) { return "done", nil },
				Hooks:   hooks.Set{After: see, Denied: see},
			}
			ctx := hooks.WithApprovals(t.Context(), a)
			inputs := []any{map[string]any{"id": 1, "n": 1}, map[string]any{"n": 2, "id": 1}, map[string]any{"n": 1, "id": 1}, map[string]any{"id": 2, "n": 1}}
			for i, input := range inputs {
				call = i + 1
				result := hooks.Run(ctx, tool, input)
				require.Equal(t, test.approve, !result.IsError)
				want := "remembered Ada"
				if strings.Contains(asked, fmt.Sprint(call)) {
					want = "ask Ada"
				}
				require.Equal(t, want, how[i])
				if !test.approve {
					require.Equal(t, "USER_DENIED", result.Code)
				}
			}
			require.Equal(t, test.asked, asked)
			rules := a.Remembered()
			require.Equal(t, len(test.asked) < 4, len(rules) > 0)
			a.Forget("another")
			require.Equal(t, rules, a.Remembered())
			call = 5
			if len(rules) > 0 {
				require.Equal(t, test.approve, rules[0].Approve)
				hooks.Run(ctx, tool, inputs[0])
				require.Equal(t, test.asked, asked)
			}
			a.Forget(contract.Name)
			require.Empty(t, a.Remembered())
			hooks.Run(ctx, tool, inputs[0])
			require.Equal(t, test.asked+"5", asked)
			a.Forget("")
			require.Empty(t, a.Remembered())
		})
	}
}

func TestARememberedApprovalOverridesNothing(t *testing.T) {
	t.Parallel()
	var j journal
	scope := hooks.NewScope(nil)
	tool := j.asked(hooks.Approval{Remember: hooks.Remember{Tool: true}})
	asked := 0
	a := hooks.NewApprovals(hooks.ApproverFunc(func(context.Context, hooks.Question) (hooks.Decision, error) {
		asked++
		return hooks.Decision{Approve: true, Remember: approval.ForTool}, nil
	}))
	ctx := hooks.WithApprovals(t.Context(), a)
	run := func() string { return hooks.Run(ctx, tool, nil, scope).Code }
	require.Empty(t, run())
	require.Empty(t, run())
	require.Equal(t, 1, asked)
	scope.Replace(hooks.Set{Approval: []hooks.Approval{{}}})
	require.Empty(t, run())
	require.Equal(t, 2, asked, "an outer policy that lets nothing be remembered asks")
	scope.Replace(hooks.Set{Approval: []hooks.Approval{{When: verdict(approval.Deny, nil)}}})
	require.Equal(t, "DENIED", run())
	scope.Replace(hooks.Set{})
	other := j.asked(hooks.Approval{Remember: hooks.Remember{Tool: true}})
	require.Empty(t, hooks.Run(ctx, other, nil, scope).Code)
	require.Equal(t, 3, asked, "another tool, though its name is the same")
}

func TestARememberedDecisionTakesWaitingCallsAlong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		decide := map[float64]chan hooks.Decision{1: make(chan hooks.Decision), 2: make(chan hooks.Decision)}
		over := make(chan float64, 2)
		a := hooks.NewApprovals(hooks.ApproverFunc(func(ctx context.Context, q hooks.Question) (hooks.Decision, error) {
			n := q.Input.(map[string]any)["n"].(float64)
			select {
			case d := <-decide[n]:
				return d, nil
			case <-ctx.Done():
				over <- n
				return hooks.Decision{}, ctx.Err()
			}
		}))
		tool := &hooks.Tool{Contract: contract, Approval: &hooks.Approval{Remember: hooks.Remember{Tool: true}}, Handler: func(_ context.Context, c *hooks.Call) (any, error) {
			if c.Approval.How == "remembered" {
				require.Equal(t, 1.0, <-over, "its Approver is told, while the handler runs")
			}
			return c.Approval.How, nil
		}}
		texts := make(chan string, 2)
		for n := range decide {
			go func() {
				texts <- hooks.Run(hooks.WithApprovals(t.Context(), a), tool, map[string]any{"n": n}).Text()
			}()
		}
		synctest.Wait()
		require.Len(t, a.Pending(), 2)
		decide[2] <- hooks.Decision{Approve: true, Remember: approval.ForTool}
		require.ElementsMatch(t, []string{"ask", "remembered"}, []string{<-texts, <-texts})
	})
}

func TestInTurnAsksOneQuestionAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var at, most, asked atomic.Int32
		approver := hooks.InTurn(hooks.ApproverFunc(func(context.Context, hooks.Question) (hooks.Decision, error) {
			most.Store(max(most.Load(), at.Add(1)))
			asked.Add(1)
			time.Sleep(time.Second)
			at.Add(-1)
			return hooks.Decision{Approve: true}, nil
		}))
		a := hooks.NewApprovals(approver)
		tool := &hooks.Tool{
			Contract: contract, Approval: &hooks.Approval{Timeout: 3500 * time.Millisecond},
			Handler: func(context.Context, *hooks.Call) (any, error) { return nil, nil },
		}
		codes := make(chan string, 10)
		for n := range 10 {
			go func() {
				codes <- hooks.Run(hooks.WithApprovals(t.Context(), a), tool, map[string]any{"n": n}).Code
			}()
		}
		counts := map[string]int{}
		for range 10 {
			counts[<-codes]++
		}
		require.Equal(t, map[string]int{"": 3, "APPROVAL_TIMEOUT": 7}, counts)
		time.Sleep(time.Minute)
		require.Equal(t, []int32{1, 4}, []int32{most.Load(), asked.Load()}, "who is not asked in time is not asked later")
	})
}

func TestAThousandCallsAtOnce(t *testing.T) {
	t.Parallel()
	var asked, ran atomic.Int32
	a := hooks.NewApprovals(hooks.ApproverFunc(func(_ context.Context, q hooks.Question) (hooks.Decision, error) {
		asked.Add(1)
		runtime.Gosched()
		switch n := int(q.Input.(map[string]any)["n"].(float64)); {
		case n%5 == 4:
			return hooks.Decision{}, errors.New("nobody")
		case n%2 == 0:
			return hooks.Decision{Approve: true}, nil
		}
		return hooks.Decision{Reason: fmt.Sprint(q.Input)}, nil
	}))
	tool := &hooks.Tool{
		Contract: hooks.Contract{Name: "thousand", Description: "Counts."}, Approval: &hooks.Approval{Remember: hooks.Remember{Arguments: true}},
		Handler: func(_ context.Context, c *hooks.Call) (any, error) {
			ran.Add(1)
			return c.Input, nil
		},
	}
	before := runtime.NumGoroutine()
	var calls sync.WaitGroup
	for n := range 1000 {
		calls.Go(func() {
			ctx, cancel := context.WithCancel(hooks.WithApprovals(t.Context(), a))
			defer cancel()
			if n%7 == 0 {
				cancel()
			} else if n%11 == 0 {
				go cancel()
			}
			n %= 500 // some join
			result := hooks.Run(ctx, tool, map[string]any{"n": n})
			switch text := result.Text(); {
			case text == "Error: the call was aborted":
			case n%5 == 4:
				require.Equal(t, "APPROVAL_UNAVAILABLE", result.Code)
			case n%2 == 0:
				require.Equal(t, fmt.Sprintf(`{"n":%d}`, n), text)
			default:
				require.Equal(t, "USER_DENIED", result.Code)
				require.Contains(t, text, fmt.Sprintf("map[n:%d]", n))
			}
		})
	}
	calls.Wait()
	require.Empty(t, a.Pending())
	require.LessOrEqual(t, ran.Load(), asked.Load())
	require.Eventually(t, func() bool { return runtime.NumGoroutine() <= before+20 }, 10*time.Second, time.Millisecond, "goroutines are left")
}

func TestSetsKeepTheirApprovals(t *testing.T) {
	t.Parallel()
	titles := func(s hooks.Set) (titles string) {
		for _, a := range s.Approval {
			titles += a.Title
		}
		return titles
	}
	one, two := hooks.Set{Approval: []hooks.Approval{{Title: "1"}}}, hooks.Set{Approval: []hooks.Approval{{Title: "2"}}}
	require.Equal(t, "12", titles(one.Concat(two)))
	s := hooks.NewScope(nil)
	s.Add(one)
	s.Add(two)
	require.Equal(t, "12", titles(s.Hooks()))
	s.Update(func(old hooks.Set) hooks.Set { return two.Concat(old) })
	require.Equal(t, "212", titles(s.Hooks()))
	s.Replace(one)
	require.Equal(t, "1", titles(s.Hooks()))
	tool := &hooks.Tool{Hooks: two, Approval: &one.Approval[0]}
	require.Equal(t, "21", titles(hooks.SetOf(tool)))
	require.Equal(t, "2", titles(tool.Hooks))
}
