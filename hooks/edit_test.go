package hooks_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/hooks"
	"github.com/webmcp-wasm/webmcp/hooks/approval"
)

// changedText is what the agent reads behind the output of a call whose input the human
// has changed.
const changedText = "The user changed the input before they approved this call. It ran with this, and not with what you sent: "

// payment is a tool with a schema that has a limit and a default, and a Validate that
// trims.
func payment(j *journal, policies ...hooks.Approval) *hooks.Tool {
	t := j.asked(policies...)
	t.Contract.InputSchema = `{"type":"object","properties":{"amount":{"type":"number","maximum":100},"to":{"type":"string"},"express":{"type":"boolean","default":false}},"required":["amount"]}`
	t.Validate = func(_ context.Context, input any) (any, error) {
		m := input.(map[string]any)
		if to, _ := m["to"].(string); to == "Mallory" {
			return nil, errors.New("to: nobody pays Mallory")
		} else if to != "" {
			m["to"] = strings.TrimSpace(to)
		}
		return m, nil
	}
	return t
}

func TestEveryEndOfAnEdit(t *testing.T) {
	t.Parallel()
	overFifty := func(code error, over approval.Verdict) func(context.Context, *hooks.Call) (approval.Verdict, error) {
		return func(_ context.Context, c *hooks.Call) (approval.Verdict, error) {
			if c.Input.(map[string]any)["amount"].(float64) > 50 {
				return over, code
			}
			return approval.Allow, nil
		}
	}
	edit := hooks.Approval{Edit: true}
	to := func(input any) hooks.Decision { return hooks.Decision{Approve: true, Input: input} }
	for name, test := range map[string]struct {
		policies []hooks.Approval
		decision hooks.Decision

		code, text, ran, log string
		edited               string // the input that the agent reads
	}{
		"changed":           {policies: []hooks.Approval{edit}, decision: to(map[string]any{"amount": 5}), text: `{"amount":5,"express":false}`, edited: `{"amount":5,"express":false}`},
		"validated_in_go":   {policies: []hooks.Approval{edit}, decision: to(map[string]any{"amount": 5, "to": " Bob "}), text: `{"amount":5,"express":false,"to":"Bob"}`, edited: `{"amount":5,"express":false,"to":"Bob"}`},
		"as_it_was":         {policies: []hooks.Approval{edit}, decision: to(map[string]any{"to": "Ada", "amount": 9}), text: `{"amount":9,"express":false,"to":"Ada"}`},
		"denied":            {policies: []hooks.Approval{edit}, decision: hooks.Decision{Input: map[string]any{"amount": 5}}, code: "USER_DENIED", text: "did not approve"},
		"refused_by_schema": {policies: []hooks.Approval{edit}, decision: to(map[string]any{"amount": 500}), code: "APPROVAL_POLICY_ERROR", text: "Nothing was done", log: "amount: must be <= 100"},
		"refused_by_go":     {policies: []hooks.Approval{edit}, decision: to(map[string]any{"amount": 5, "to": "Mallory"}), code: "APPROVAL_POLICY_ERROR", text: "Nothing was done", log: "nobody pays Mallory"},
		"no_json":           {policies: []hooks.Approval{edit}, decision: to(func() {}), code: "APPROVAL_POLICY_ERROR", text: "Nothing was done", log: "input"},
		"not_allowed":       {policies: []hooks.Approval{{}}, decision: to(map[string]any{"amount": 5}), code: "APPROVAL_POLICY_ERROR", text: "Nothing was done", log: "does not allow that"},
		"not_by_the_outer":  {policies: []hooks.Approval{{}, edit}, decision: to(map[string]any{"amount": 5}), code: "APPROVAL_POLICY_ERROR", text: "Nothing was done", log: "does not allow that"},
		"not_by_the_inner":  {policies: []hooks.Approval{edit, {}}, decision: to(map[string]any{"amount": 5}), code: "APPROVAL_POLICY_ERROR", text: "Nothing was done", log: "does not allow that"},
		"one_that_allows":   {policies: []hooks.Approval{edit, {When: overFifty(nil, approval.Ask)}}, decision: to(map[string]any{"amount": 5}), text: `{"amount":5,"express":false}`, edited: `{"amount":5,"express":false}`},
		"into_a_denial":     {policies: []hooks.Approval{edit, {When: overFifty(hooks.Deny("TOO_MUCH", "Less."), 0)}}, decision: to(map[string]any{"amount": 60}), code: "TOO_MUCH", text: "Denied: Less."},
		"into_a_failure":    {policies: []hooks.Approval{edit, {When: overFifty(errors.New("no database"), 0)}}, decision: to(map[string]any{"amount": 60}), code: "APPROVAL_POLICY_ERROR", text: "Nothing was done", log: "no database"},
		"into_another's":    {policies: []hooks.Approval{edit, {When: overFifty(nil, approval.Ask)}}, decision: to(map[string]any{"amount": 60}), code: "APPROVAL_POLICY_ERROR", text: "Nothing was done", log: "asks about the Input of the Decision"},
		"into_one_that_may": {policies: []hooks.Approval{edit, {When: overFifty(nil, approval.Ask), Edit: true}}, decision: to(map[string]any{"amount": 60}), text: `{"amount":60,"express":false}`, edited: `{"amount":60,"express":false}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var j journal
			tool := payment(&j, test.policies...)
			tool.Contract.Name = strings.ReplaceAll("edit_"+name, "'", "_")
			var said *hooks.Decided
			tool.Hooks.After = append(tool.Hooks.After, func(_ context.Context, c *hooks.Call) error {
				said = c.Approval
				return nil
			})
			a := hooks.NewApprovals(says(test.decision))
			result := hooks.Run(hooks.WithApprovals(t.Context(), a), tool, map[string]any{"amount": 9, "to": "Ada"})
			require.Equal(t, test.code, result.Code)
			if test.code != "" {
				require.Contains(t, result.Text(), test.text)
				require.Len(t, result.Content, 1, "nothing ran")
				require.False(t, *result.Executed)
				require.NotContains(t, j.all(), "fn")
				if test.log != "" {
					require.Contains(t, strings.Join(logged(tool), "\n"), test.log)
				}
				return
			}
			require.Equal(t, test.text, result.Content[0]["text"])
			require.Equal(t, test.edited != "", said.Edited)
			if test.edited == "" {
				require.Len(t, result.Content, 1)
				return
			}
			require.Equal(t, []hooks.Content{{"type": "text", "text": test.text}, {"type": "text", "text": changedText + test.edited}}, result.Content)
			require.Equal(t, digest(test.edited), said.Digest)
		})
	}
}

func TestAQuestionSaysWhetherItCanBeEdited(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		policies []hooks.Approval
		want     bool
	}{
		{[]hooks.Approval{{}}, false},
		{[]hooks.Approval{{Edit: true}}, true},
		{[]hooks.Approval{{Edit: true}, {}}, false},
		{[]hooks.Approval{{Edit: true}, {When: verdict(approval.Allow, nil)}}, true},
		{[]hooks.Approval{{Edit: true}, {Edit: true}}, true},
	} {
		var j journal
		var a *hooks.Approvals
		a = hooks.NewApprovals(hooks.ApproverFunc(func(_ context.Context, q hooks.Question) (hooks.Decision, error) {
			require.Equal(t, test.want, q.Edit)
			require.Equal(t, test.want, a.Pending()[0].Edit)
			return hooks.Decision{Approve: true}, nil
		}))
		require.False(t, hooks.Run(hooks.WithApprovals(t.Context(), a), j.asked(test.policies...), map[string]any{}).IsError)
	}
}

// What the human has typed is nobody else's from then on.
func TestAnEditIsACopy(t *testing.T) {
	t.Parallel()
	mine := map[string]any{"amount": 5, "deep": map[string]any{"a": 1}}
	decided := make(chan struct{})
	tool := &hooks.Tool{
		Contract: contract,
		Approval: &hooks.Approval{Edit: true, When: func(_ context.Context, c *hooks.Call) (approval.Verdict, error) {
			if c.Input.(map[string]any)["amount"] == 5.0 {
				mine["amount"] = 9999
				mine["deep"].(map[string]any)["a"] = 9999
				c.Input.(map[string]any)["amount"] = 9999
			}
			return approval.Ask, nil
		}},
		Handler: func(_ context.Context, c *hooks.Call) (any, error) {
			close(decided)
			return c.Input, nil
		},
	}
	result := hooks.Run(hooks.WithApprovals(t.Context(), hooks.NewApprovals(says(hooks.Decision{Approve: true, Input: mine}))), tool, map[string]any{})
	<-decided
	require.Equal(t, `{"amount":5,"deep":{"a":1}}`, result.Content[0]["text"])
	require.Equal(t, changedText+`{"amount":5,"deep":{"a":1}}`, result.Content[1]["text"])
}

func TestNothingIsRememberedOfAnEdit(t *testing.T) {
	t.Parallel()
	var j journal
	tool := payment(&j, hooks.Approval{Edit: true, Remember: hooks.Remember{Tool: true, Arguments: true}})
	for _, keep := range []approval.Keep{approval.ForCall, approval.ForArgs, approval.ForTool} {
		a := hooks.NewApprovals(says(hooks.Decision{Approve: true, Input: map[string]any{"amount": 5}, Remember: keep}))
		ctx := hooks.WithApprovals(t.Context(), a)
		require.False(t, hooks.Run(ctx, tool, map[string]any{"amount": 1}).IsError)
		require.Empty(t, a.Remembered())
	}
}

func TestAFunctionThatFailsTellsOfTheEditToo(t *testing.T) {
	t.Parallel()
	tool := &hooks.Tool{
		Contract: contract,
		Approval: &hooks.Approval{Edit: true},
		Handler:  func(context.Context, *hooks.Call) (any, error) { return nil, errors.New("sold out") },
	}
	ctx := hooks.WithApprovals(t.Context(), hooks.NewApprovals(says(hooks.Decision{Approve: true, Input: map[string]any{"amount": 5}})))
	result := hooks.Run(ctx, tool, map[string]any{"amount": 1})
	require.True(t, result.IsError)
	require.Equal(t, "Error: sold out\n"+changedText+`{"amount":5}`, result.Text())

	tool.Hooks.Before = []hooks.Hook{func(context.Context, *hooks.Call) error { return hooks.Deny("NO", "no") }}
	require.Len(t, hooks.Run(ctx, tool, map[string]any{"amount": 1}).Content, 1)
}

// Its own items are whatever the handler keeps.
func TestTheResultOfAHandlerIsNotWrittenInto(t *testing.T) {
	t.Parallel()
	items := append(make([]hooks.Content, 0, 8), hooks.Content{"type": "text", "text": "mine"})
	tool := &hooks.Tool{
		Contract: contract,
		Approval: &hooks.Approval{Edit: true},
		Handler:  func(context.Context, *hooks.Call) (any, error) { return hooks.Result{Content: items}, nil },
	}
	ctx := hooks.WithApprovals(t.Context(), hooks.NewApprovals(says(hooks.Decision{Approve: true, Input: map[string]any{"amount": 5}})))
	require.Len(t, hooks.Run(ctx, tool, map[string]any{}).Content, 2)
	require.Nil(t, items[:2][1])
}

func TestALongEditIsCutInTheText(t *testing.T) {
	t.Parallel()
	tool := &hooks.Tool{
		Contract: contract,
		Approval: &hooks.Approval{Edit: true},
		Handler:  func(context.Context, *hooks.Call) (any, error) { return "done", nil },
	}
	long := "x" + strings.Repeat("ä", 600_000)
	ctx := hooks.WithApprovals(t.Context(), hooks.NewApprovals(says(hooks.Decision{Approve: true, Input: map[string]any{"a": long}})))
	text := hooks.Run(ctx, tool, map[string]any{}).Content[1]["text"].(string)
	require.Less(t, len(text), 1_000_300)
	require.True(t, strings.HasSuffix(text, "… (200010 bytes more)"), text[len(text)-40:])
}

// Calls that have joined the question get what the leader gets, and read of the edit.
func TestCallsThatJoinReadOfTheEdit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var j journal
		tool := payment(&j, hooks.Approval{Edit: true})
		ctx := hooks.WithApprovals(t.Context(), hooks.NewApprovals(hooks.ApproverFunc(func(context.Context, hooks.Question) (hooks.Decision, error) {
			time.Sleep(time.Second)
			return hooks.Decision{Approve: true, Input: map[string]any{"amount": 5}}, nil
		})))
		results := make(chan hooks.Result, 3)
		for range 3 {
			go func() { results <- hooks.Run(ctx, tool, map[string]any{"amount": 1}) }()
		}
		for range 3 {
			require.Equal(t, changedText+`{"amount":5,"express":false}`, (<-results).Content[1]["text"])
		}
		require.Equal(t, 1, strings.Count(strings.Join(j.all(), " "), "fn"))
	})
}

// The time that the validation of an edit takes is the call's, as that of the first was.
func TestAnEditThatIsValidatedTooLongEndsWithTheCall(t *testing.T) {
	for name, c := range map[string]struct {
		limit, abort time.Duration
		code, text   string
	}{
		"its time is used up": {time.Second, 0, "TIMEOUT", "has not finished within 1000 ms"},
		"it is aborted":       {0, time.Second, "", "Error: the call was aborted"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var j journal
				tool := j.asked(hooks.Approval{Edit: true})
				tool.Hooks.Timeout = c.limit
				tool.Validate = func(ctx context.Context, input any) (any, error) {
					if input.(map[string]any)["amount"] == 5.0 {
						<-ctx.Done()
					}
					return input, nil
				}
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				if c.abort > 0 {
					time.AfterFunc(c.abort, cancel)
				}
				ctx = hooks.WithApprovals(ctx, hooks.NewApprovals(says(hooks.Decision{Approve: true, Input: map[string]any{"amount": 5}})))
				result := hooks.Run(ctx, tool, map[string]any{"amount": 1})
				require.Equal(t, c.code, result.Code)
				require.Contains(t, result.Text(), c.text)
				require.NotContains(t, j.all(), "fn")
			})
		})
	}
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
