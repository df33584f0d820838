package hooks_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/hooks"
	"github.com/webmcp-wasm/webmcp/internal/cases"
	"github.com/webmcp-wasm/webmcp/internal/cases/gocases"
)

// The same tables run in a page: see TestTheTableOfCases in e2e.

func TestTheTableOfCases(t *testing.T) {
	t.Parallel()
	for _, c := range cases.All() {
		want, instead, ok := c.For(cases.Native)
		if !ok {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			got := play(t, c)
			require.NoError(t, cases.Compare(got, want, instead))
		})
	}
}

// play runs a case.
func play(t *testing.T, c cases.Case) cases.Want {
	reason := context.Canceled
	if c.Reason != "" {
		reason = errors.New(c.Reason)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	abort := func() { cancel(reason) }
	if c.Aborted {
		abort()
	}
	var ran, saw journal
	human := hooks.ApproverFunc(func(_ context.Context, q hooks.Question) (hooks.Decision, error) {
		input, err := json.Marshal(q.Input)
		saw.add("asked " + q.Title + "|" + q.Sentence + "|" + q.Details + " " + string(input))
		return hooks.Decision{Approve: c.Human == "approve", Reason: c.Human}, err
	})
	ctx = hooks.WithApprovals(ctx, hooks.NewApprovals(human))
	p := &gocases.Play{Case: c, Ran: ran.add, Saw: saw.add, Abort: abort}
	outer := hooks.NewScope(nil)
	outer.Add(p.Outer())
	inner := hooks.NewScope(outer)
	inner.Add(p.Inner())
	var input any
	require.NoError(t, json.Unmarshal([]byte(c.InputText()), &input))
	result, err := json.Marshal(hooks.Run(ctx, p.Tool(), input, inner))
	require.NoError(t, err)
	return cases.Want{Result: string(result), Ran: strings.Join(ran.all(), " "), Saw: strings.Join(saw.all(), "; ")}
}

func TestTheTableOfContracts(t *testing.T) {
	t.Parallel()
	for _, c := range cases.Contracts() {
		want, instead, ok := c.For(cases.Native)
		if !ok {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			tool := gocases.ToolOf(c)
			ran := false
			tool.Hooks.Before = []hooks.Hook{func(context.Context, *hooks.Call) error { ran = true; return nil }}
			text := ""
			if err := tool.Check(); err != nil {
				require.ErrorAs(t, err, new(*hooks.ConfigurationError))
				text = err.Error()
			}
			require.NoError(t, cases.CompareText(text, want, instead))
			result := hooks.Run(t.Context(), tool, map[string]any{})
			require.Equal(t, text != "", result.IsError)
			require.Equal(t, text == "", ran, "no hook runs for a tool that cannot be registered")
			if text != "" {
				require.Equal(t, "Error: "+text, result.Text())
			}
		})
	}
}
