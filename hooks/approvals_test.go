package hooks

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/hooks/approval"
)

// Whoever asks for years must not need ever more memory. What is remembered stays.
func TestApprovalsKeepNothingOfCallsThatAreOver(t *testing.T) {
	t.Parallel()
	asked := 0
	a := NewApprovals(ApproverFunc(func(context.Context, Question) (Decision, error) {
		asked++
		return Decision{Approve: true, Remember: approval.Keep(asked % 2)}, nil // the first for its arguments
	}))
	tool := &Tool{
		Contract: Contract{Name: "save", Description: "Save."}, Approval: &Approval{Remember: Remember{Arguments: true}},
		Handler: func(context.Context, *Call) (any, error) { return nil, nil },
	}
	ctx := WithApprovals(t.Context(), a)
	call := func(n int) { require.False(t, Run(ctx, tool, map[string]any{"n": n}).IsError) }
	for n := range 20 {
		call(n)
	}
	asked = 1
	for n := range 1000 {
		call(1000 + n)
		asked = 1 // the next is for nothing
	}
	for n := 0; n < 20; n += 2 {
		call(n)
	}
	require.Equal(t, 1, asked, "what is remembered is not asked again")
	require.Len(t, a.Remembered(), 10)
	a.Forget("")
	call(1)
	require.Less(t, len(a.numbers), 200)
	require.Empty(t, a.rules)
	require.Empty(t, a.entries)
	require.Empty(t, a.seats)
}
