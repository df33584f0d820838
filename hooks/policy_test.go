package hooks_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/hooks"
	"github.com/webmcp-wasm/webmcp/hooks/approval"
	"github.com/webmcp-wasm/webmcp/hooks/policy"
)

// under returns a ctx with a policy of these rules.
func under(t testing.TB, ctx context.Context, rules string) context.Context {
	t.Helper()
	p, err := hooks.ParsePolicy([]byte(`{"webmcp": 1, "rules": [` + rules + `]}`))
	require.NoError(t, err)
	return hooks.WithPolicy(ctx, p)
}

// returning returns a tool with an output.
func returning(output any) *hooks.Tool {
	return &hooks.Tool{Contract: contract, Handler: func(context.Context, *hooks.Call) (any, error) { return output, nil }}
}

func TestAPlainDenialOfAPolicyComesBeforeTheFirstHook(t *testing.T) {
	t.Parallel()
	var j journal
	ctx := under(t, t.Context(), `{"tools": "save", "deny": "Nobody saves.", "code": "CLOSED"}`)
	result := hooks.Run(ctx, j.tool(), nil, j.scope("outer", nil))
	require.Equal(t, "tool.denied outer.denied", strings.Join(j.all(), " "))
	require.Equal(t, []any{true, "CLOSED", "Denied: Nobody saves.", false}, []any{result.IsError, result.Code, result.Text(), executedOf(t, result)})
}

// executedOf returns the member "executed" of a result as an agent gets it.
func executedOf(t *testing.T, r hooks.Result) any {
	t.Helper()
	return member(t, r, "executed")
}

// member returns a member of a result as an agent gets it.
func member(t *testing.T, r hooks.Result, name string) any {
	t.Helper()
	text, err := r.MarshalJSON()
	require.NoError(t, err)
	var object map[string]any
	require.NoError(t, json.Unmarshal(text, &object))
	return object[name]
}

func quote(text string) string {
	quoted, _ := json.Marshal(text)
	return string(quoted)
}

func TestConditionsLookAtTheValidatedInput(t *testing.T) {
	t.Parallel()
	var j journal
	tool := j.tool(func(_ context.Context, c *hooks.Call) error {
		if input := c.Input.(map[string]any); input["double"] != nil {
			c.Input = map[string]any{"total": 2000}
		}
		return nil
	})
	tool.Contract.InputSchema = `{"type": "object", "properties": {"total": {"type": "number", "default": 7}}, "additionalProperties": false}`
	ctx := under(t, t.Context(), `{"tools": "*", "when": {"properties": {"total": {"exclusiveMinimum": 500}}}, "deny": "Too much.", "code": "TOO_MUCH"}`)
	for _, test := range []struct {
		input map[string]any
		code  string
		text  string
	}{
		{map[string]any{"total": 500}, "", `{"total":500}`},
		{map[string]any{"total": 501}, "TOO_MUCH", "Denied: Too much."},
		{map[string]any{}, "", `{"total":7}`},
		{map[string]any{"double": 1}, "TOO_MUCH", "Denied: Too much."},
		{map[string]any{"total": "1000"}, "", `Error: invalid input: total: must be a number, got "1000"`},
	} {
		result := hooks.Run(ctx, tool, test.input)
		require.Equal(t, []string{test.code, test.text}, []string{result.Code, result.Text()}, test.input)
	}
}

func TestConditionsKnowTheContextOfTheUser(t *testing.T) {
	t.Parallel()
	rule := `{"tools": "*", "unless": {"context": {"properties": {"role": {"const": "admin"}}}}, "deny": "Only admins."}`
	values := map[string]any{"role": "admin"}
	base := under(t, t.Context(), rule)
	admin := hooks.WithPolicyContext(base, values)
	values["role"] = "guest"
	tool := returning("done")
	require.Equal(t, "done", hooks.Run(admin, tool, nil).Text(), "the values are copied")
	for name, ctx := range map[string]context.Context{
		"a guest":           hooks.WithPolicyContext(base, values),
		"replaced":          hooks.WithPolicyContext(admin, map[string]any{"tenant": "acme"}),
		"nothing":           base,
		"none":              hooks.WithPolicyContext(admin, nil),
		"what JSON cannot":  hooks.WithPolicyContext(admin, map[string]any{"role": func() {}}),
		"the other way too": under(t, hooks.WithPolicyContext(t.Context(), values), rule),
	} {
		require.Equal(t, policy.DeniedCode, hooks.Run(ctx, tool, nil).Code, name)
	}
}

func TestOfAThousandCallsAtOnceExactlyTheRateGetsThrough(t *testing.T) {
	t.Parallel()
	var ran atomic.Int32
	tool := returning("")
	tool.Handler = func(context.Context, *hooks.Call) (any, error) { return ran.Add(1), nil }
	ctx := under(t, t.Context(), `{"tools": "*", "rate": "100/h"}`)
	var wait sync.WaitGroup
	var limited atomic.Int32
	for range 1000 {
		wait.Go(func() {
			result := hooks.Run(ctx, tool, nil)
			if !result.IsError {
				return
			}
			limited.Add(1)
			require.Equal(t, policy.RateCode, result.Code)
			require.Equal(t, false, executedOf(t, result))
			require.Contains(t, result.Text(), "Denied: the limit is 100 calls an hour of this tool. Try again in 3")
		})
	}
	wait.Wait()
	require.Equal(t, []int32{100, 900}, []int32{ran.Load(), limited.Load()})
}

func TestWhoComesBackWhenTheyWereToldToIsLetIn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, tool := under(t, t.Context(), `{"tools": "*", "rate": "2/min"}`), returning("done")
		hooks.Run(ctx, tool, nil)
		time.Sleep(10 * time.Second)
		hooks.Run(ctx, tool, nil)
		result := hooks.Run(ctx, tool, nil)
		require.Equal(t, 50.0, member(t, result, "retryAfter"))
		time.Sleep(49 * time.Second)
		require.Equal(t, policy.RateCode, hooks.Run(ctx, tool, nil).Code)
		time.Sleep(time.Second)
		require.Equal(t, "done", hooks.Run(ctx, tool, nil).Text())
		require.Equal(t, 10.0, member(t, hooks.Run(ctx, tool, nil), "retryAfter"))
	})
}

func TestConcurrencyEndsWithTheCall(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx := under(t, t.Context(), `{"tools": "*", "concurrency": 1}`)
		tool := returning(nil)
		tool.Handler = func(context.Context, *hooks.Call) (any, error) {
			time.Sleep(time.Second)
			return nil, errors.New("it failed")
		}
		go hooks.Run(ctx, tool, nil)
		synctest.Wait()
		require.Equal(t, policy.ConcurrencyCode, hooks.Run(ctx, tool, nil).Code)
		time.Sleep(2 * time.Second)
		require.Equal(t, "Error: it failed", hooks.Run(ctx, tool, nil).Text())
	})
}

func TestTheShortestTimeoutHoldsAlsoThatOfARule(t *testing.T) {
	t.Parallel()
	slow := func() *hooks.Tool {
		tool := returning(nil)
		tool.Handler = func(context.Context, *hooks.Call) (any, error) {
			time.Sleep(10 * time.Second)
			return "done", nil
		}
		return tool
	}
	for name, test := range map[string]struct {
		rules string
		own   time.Duration
		input any
		want  string
	}{
		"of a rule":               {`{"tools": "*", "timeout": "3s"}`, 0, nil, "within 3000 ms"},
		"of a rule, the shorter":  {`{"tools": "*", "timeout": "3s"}`, 5 * time.Second, nil, "within 3000 ms"},
		"of the tool":             {`{"tools": "*", "timeout": "3s"}`, time.Second, nil, "within 1000 ms"},
		"of a condition":          {`{"tools": "*", "timeout": "2s", "when": {"required": ["a"]}}`, 0, map[string]any{"a": 1}, "within 2000 ms"},
		"of a condition, shorter": {`{"tools": "*", "timeout": "2s", "when": {"required": ["a"]}}`, 5 * time.Second, map[string]any{"a": 1}, "within 2000 ms"},
		"of a user":               {`{"tools": "*", "timeout": "4s", "when": {"context": {"required": ["a"]}}}`, 0, nil, "within 4000 ms"},
		"not met":                 {`{"tools": "*", "timeout": "2s", "when": {"required": ["a"]}}`, 0, map[string]any{}, "done"},
		"with a human":            {`{"tools": "*", "timeout": "2s", "when": {"required": ["a"]}}, {"tools": "*", "approval": true}`, 0, map[string]any{"a": 1}, "within 2000 ms"},
		"reported":                {`{"tools": "*", "timeout": "2s", "mode": "report"}`, 0, nil, "done"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx := hooks.WithApprovals(under(t, t.Context(), test.rules), hooks.NewApprovals(hooks.ApproverFunc(
					func(context.Context, hooks.Question) (hooks.Decision, error) {
						time.Sleep(time.Minute) // which does not count
						return hooks.Decision{Approve: true}, nil
					})))
				tool := slow()
				tool.Hooks.Timeout = test.own
				result := hooks.Run(ctx, tool, test.input)
				require.Contains(t, result.Text(), test.want)
				require.Equal(t, test.want != "done", result.Code == "TIMEOUT")
				time.Sleep(time.Minute)
			})
		})
	}
}

func TestATimeThatIsUsedUpBeforeAConditionShortensItEndsTheCall(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ran := false
		tool := returning(nil)
		tool.Handler = func(context.Context, *hooks.Call) (any, error) { ran = true; return nil, nil }
		tool.Hooks.Before = []hooks.Hook{func(context.Context, *hooks.Call) error { time.Sleep(3 * time.Second); return nil }}
		ctx := under(t, t.Context(), `{"tools": "*", "timeout": "2s", "when": {"required": ["a"]}}`)
		require.Equal(t, "TIMEOUT", hooks.Run(ctx, tool, map[string]any{"a": 1}).Code)
		require.False(t, ran)
	})
}

func TestSizesOfAPolicy(t *testing.T) {
	t.Parallel()
	ctx := under(t, t.Context(), `{"tools": "*", "maxInputBytes": 10, "maxOutputBytes": 20}`)
	require.Equal(t, "12345678901234567890", hooks.Run(ctx, returning("12345678901234567890"), "12345678").Text())
	result := hooks.Run(ctx, returning("x"), "123456789")
	require.Equal(t, []any{policy.InputCode, false}, []any{result.Code, executedOf(t, result)})
	result = hooks.Run(ctx, returning("123456789012345678901"), nil)
	require.Equal(t, policy.OutputCode, result.Code)
	require.True(t, result.IsError)
	require.NotContains(t, result.Text(), "1234567890")
}

func TestARuleRedactsAllFormsOfAnOutput(t *testing.T) {
	t.Parallel()
	ctx := under(t, t.Context(), `{"tools": "*", "redact": {"/email": "email", "/cards/*/number": "last4", "/notes": "remove"}}`)
	output := map[string]any{"email": "ada@example.com", "cards": []any{map[string]any{"number": "4111111111111234"}}, "notes": "x", "id": 7}
	const want = `{"cards":[{"number":"***1234"}],"email":"a***@example.com","id":7}`
	tool := returning(output)
	tool.Contract.OutputSchema = `{"type": "object", "required": ["notes"]}`
	text, err := hooks.Run(ctx, tool, nil).MarshalJSON()
	require.NoError(t, err)
	require.JSONEq(t, `{"content": [{"type": "text", "text": `+quote(want)+`}], "structuredContent": `+want+`}`, string(text))
	for name, output := range map[string]any{
		"text":   `{"cards": [{"number": "4111111111111234"}], "email": "ada@example.com", "id": 7, "notes": 1}`,
		"result": hooks.TextResult(`{"cards": [{"number": "4111111111111234"}], "email": "ada@example.com", "id": 7, "notes": 1}`),
	} {
		require.JSONEq(t, want, hooks.Run(ctx, returning(output), nil).Text(), name)
	}
	require.Empty(t, hooks.Run(ctx, returning(nil), nil).Text())
}

func TestWhatCannotBeRedactedIsNotLetOut(t *testing.T) {
	t.Parallel()
	ctx := under(t, t.Context(), `{"tools": "*", "redact": {"/email": "remove"}}`)
	for _, output := range []any{
		"ada@example.com",
		hooks.Result{Content: []hooks.Content{{"type": "image", "data": "ada@example.com"}}},
		hooks.Result{IsError: true, Content: []hooks.Content{{"type": "text", "text": "ada@example.com"}}},
	} {
		var seen error
		tool := returning(output)
		tool.Hooks.Error = []hooks.Hook{func(_ context.Context, c *hooks.Call) error { seen = c.Err; return nil }}
		result := hooks.Run(ctx, tool, nil)
		require.Equal(t, []any{policy.RedactionCode, true}, []any{result.Code, result.IsError})
		require.NotContains(t, result.Text(), "ada")
		require.Error(t, seen)
	}
}

func TestAFurtherPolicyCanOnlyTighten(t *testing.T) {
	t.Parallel()
	strict, err := hooks.ParsePolicy([]byte(`{"webmcp": 1, "rules": [{"tools": "save", "deny": true}]}`))
	require.NoError(t, err)
	lax, err := hooks.ParsePolicy([]byte(`{"webmcp": 1, "default": "allow", "rules": [{"tools": "*", "rate": "1/h"}]}`))
	require.NoError(t, err)
	both := hooks.WithPolicy(hooks.WithPolicy(t.Context(), strict), lax)
	require.Equal(t, policy.DeniedCode, hooks.Run(both, returning("x"), nil).Code)
	other := returning("x")
	other.Contract.Name = "other"
	again := hooks.WithPolicy(hooks.WithPolicy(both, lax), strict)
	require.Equal(t, "x", hooks.Run(again, other, nil).Text(), "twice the same policy counts once")
	require.Equal(t, policy.RateCode, hooks.Run(hooks.WithPolicy(t.Context(), lax), other, nil).Code)
}

func TestARuleHasAHumanAsked(t *testing.T) {
	t.Parallel()
	var asked []hooks.Question
	approve := hooks.Decision{Approve: true, By: "Ada", Remember: approval.ForTool}
	approvals := hooks.NewApprovals(hooks.ApproverFunc(func(_ context.Context, q hooks.Question) (hooks.Decision, error) {
		asked = append(asked, q)
		return approve, nil
	}))
	ctx := hooks.WithApprovals(under(t, t.Context(), `
		{"tools": "save", "approval": {"title": "Save it?", "timeout": "1min", "remember": "tool"}, "when": {"properties": {"n": {"minimum": 5}}}}`), approvals)
	tool := returning("saved")
	require.Equal(t, "saved", hooks.Run(ctx, tool, map[string]any{"n": 1}).Text())
	require.Empty(t, asked)
	for range 2 {
		require.Equal(t, "saved", hooks.Run(ctx, tool, map[string]any{"n": 5}).Text())
	}
	require.Len(t, asked, 1, "the decision is remembered")
	require.Equal(t, []any{"Save it?", time.Minute, hooks.Remember{Tool: true}}, []any{asked[0].Title, asked[0].Deadline.Sub(asked[0].Since), asked[0].Remember})

	// What is known of the user is part of what was decided about.
	hooks.Run(hooks.WithPolicyContext(ctx, map[string]any{"role": "guest"}), tool, map[string]any{"n": 5})
	require.Len(t, asked, 2)

	// The strictest holds, whoever says it.
	tool.Approval = &hooks.Approval{When: func(context.Context, *hooks.Call) (approval.Verdict, error) { return approval.Deny, nil }}
	require.True(t, hooks.Run(ctx, tool, map[string]any{"n": 5}).IsError)
	require.Equal(t, "APPROVAL_UNAVAILABLE", hooks.Run(under(t, t.Context(), `{"tools": "*", "approval": true}`), returning("x"), nil).Code)
}

func TestAnApprovalThatMustBeVerifiedIsNoneWithout(t *testing.T) {
	t.Parallel()
	var decision hooks.Decision
	var asked []hooks.Question
	ctx := hooks.WithApprovals(under(t, t.Context(), `{"tools": "*", "approval": {"verify": "passkey", "remember": ["tool", "arguments"]}}`),
		hooks.NewApprovals(hooks.ApproverFunc(func(_ context.Context, q hooks.Question) (hooks.Decision, error) {
			asked = append(asked, q)
			return decision, nil
		})))
	decision = hooks.Decision{Approve: true}
	require.Equal(t, "APPROVAL_UNAVAILABLE", hooks.Run(ctx, returning("x"), nil).Code)
	for range 2 {
		decision = hooks.Decision{Approve: true, Verified: true, Remember: approval.ForTool}
		require.Equal(t, "x", hooks.Run(ctx, returning("x"), nil).Text())
	}
	decision = hooks.Decision{}
	require.Equal(t, "USER_DENIED", hooks.Run(ctx, returning("x"), nil).Code)
	require.Len(t, asked, 4, "nothing is remembered")
	require.Equal(t, []any{"passkey", hooks.Remember{}}, []any{asked[0].Verify, asked[0].Remember})
}

func TestAnEditIsNoWayAroundAProof(t *testing.T) {
	t.Parallel()
	var asked []string
	decision := hooks.Decision{Approve: true, Input: map[string]any{"n": 9}}
	ctx := hooks.WithApprovals(under(t, t.Context(), `
		{"tools": "*", "approval": {"edit": true}},
		{"tools": "*", "approval": {"edit": true, "verify": "passkey"}, "when": {"properties": {"n": {"minimum": 5}}}}`),
		hooks.NewApprovals(hooks.ApproverFunc(func(_ context.Context, q hooks.Question) (hooks.Decision, error) {
			asked = append(asked, q.Verify)
			return decision, nil
		})))
	require.Equal(t, "APPROVAL_POLICY_ERROR", hooks.Run(ctx, returning("ran"), map[string]any{"n": 1}).Code, "nobody has proven anything of 9")
	decision.Verified = true
	require.Equal(t, "APPROVAL_POLICY_ERROR", hooks.Run(ctx, returning("ran"), map[string]any{"n": 2}).Code, "that was not asked for")
	require.Equal(t, "ran", hooks.Run(ctx, returning("ran"), map[string]any{"n": 7}).Content[0]["text"])
	require.Equal(t, []string{"", "", "passkey"}, asked)
}

func TestAnAbortedCallAsksNoPolicy(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(under(t, t.Context(), `{"tools": "*", "rate": "1/h"}`))
	cancel()
	require.Equal(t, "Error: the call was aborted", hooks.Run(ctx, returning("x"), nil).Text())
	require.Equal(t, "x", hooks.Run(context.WithoutCancel(ctx), returning("x"), nil).Text())
}

func TestARuleInReportModeStopsNothingAndIsLogged(t *testing.T) {
	t.Parallel()
	tool := returning(map[string]any{"email": "ada@example.com"})
	tool.Contract.Name = "reported_on"
	ctx := under(t, t.Context(), `
		{"tools": "*", "mode": "report", "name": "closed", "deny": true},
		{"tools": "*", "mode": "report", "rate": "1/h"},
		{"tools": "*", "mode": "report", "approval": true, "maxOutputBytes": 5, "redact": {"/email": "email"}, "when": {"required": ["a"]}}`)
	for range 2 {
		require.Equal(t, `{"email":"ada@example.com"}`, hooks.Run(ctx, tool, map[string]any{"a": 1}).Text())
	}
	once := []string{
		"deny: closed", "approval: #/rules/2", "redact: #/rules/2", "maxOutputBytes: #/rules/2",
		"deny: closed", "rate: #/rules/1", "approval: #/rules/2", "redact: #/rules/2", "maxOutputBytes: #/rules/2",
	}
	for i := range once {
		once[i] = "webmcp: a rule that only reports would have ended or changed a call: " + once[i]
	}
	require.Equal(t, once, logged(tool))
}

func TestExplainRunsNothing(t *testing.T) {
	t.Parallel()
	p, err := hooks.ParsePolicy([]byte(`{"webmcp": 1, "rules": [{"tools": "save", "rate": "1/h"}, {"tools": "*", "deny": true, "when": {"properties": {"n": {"minimum": 5}}}}]}`))
	require.NoError(t, err)
	tool := returning("x")
	tool.Contract.InputSchema = `{"type": "object", "properties": {"n": {"type": "number", "default": 7}}}`
	for range 3 {
		e, err := p.Explain(tool, map[string]any{"n": 1}, nil)
		require.NoError(t, err)
		require.Equal(t, "allow", e.Outcome)
	}
	e, err := p.Explain(tool, map[string]any{}, map[string]any{"role": "x"})
	require.NoError(t, err)
	require.Equal(t, "deny", e.Outcome, "defaults are filled in")
	_, err = p.Explain(tool, map[string]any{"n": "x"}, nil)
	require.ErrorAs(t, err, new(*hooks.InputError))
	_, err = p.Explain(tool, func() {}, nil)
	require.ErrorAs(t, err, new(*hooks.ValueError))
	_, err = p.Explain(tool, map[string]any{"n": 1}, map[string]any{"f": func() {}})
	require.ErrorAs(t, err, new(*hooks.ValueError))
}

func TestAPolicyThatIsWrongIsNone(t *testing.T) {
	t.Parallel()
	_, err := hooks.ParsePolicy([]byte(`{"webmcp": 1, "rules": [{"tools": "*", "dny": true}]}`))
	var wrong *policy.ParseError
	require.ErrorAs(t, err, &wrong)
	require.Equal(t, "/rules/0/dny: is not known here: did you mean deny?", wrong.Issues[0].String())
}
