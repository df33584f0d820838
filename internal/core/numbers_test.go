package core

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/hooks/pipeline"
)

// unpack reads a step as the glue does.
func unpack(n uint32) pipeline.Step {
	s := pipeline.Step{Op: pipeline.Op(n & OpMask)}
	switch field := n >> PhaseShift & PhaseMask; s.Op {
	case pipeline.Hooks:
		s.Phase, s.From, s.Detached = pipeline.Phase(field), int(n>>FromShift), n&Detached != 0
	case pipeline.Settle:
		s.Outcome = pipeline.Outcome(field)
	}
	return s
}

func TestEveryStepFitsIntoOneInteger(t *testing.T) {
	t.Parallel()
	steps := []pipeline.Step{{}, {Op: pipeline.Gate}, {Op: pipeline.Validate}, {Op: pipeline.Judge}, {Op: pipeline.Approve}, {Op: pipeline.Call}, {Op: pipeline.Check}}
	for o := pipeline.Succeeded; o <= pipeline.WasAborted; o++ {
		steps = append(steps, pipeline.Step{Op: pipeline.Settle, Outcome: o})
	}
	for p := pipeline.Before; p < pipeline.Phases; p++ {
		for _, from := range []int{0, 1, 2, 1000, 1<<25 - 1} {
			steps = append(steps,
				pipeline.Step{Op: pipeline.Hooks, Phase: p, From: from},
				pipeline.Step{Op: pipeline.Hooks, Phase: p, From: from, Detached: true})
		}
	}
	seen := map[uint32]bool{}
	for _, step := range steps {
		n := pack(step)
		require.Equal(t, step, unpack(n))
		require.False(t, seen[n], "%+v looks like another step", step)
		seen[n] = true
	}
	require.Zero(t, pack(pipeline.Step{}), "the glue takes 0 for no step")
}

func TestNumbersThatMeanDifferentThingsDiffer(t *testing.T) {
	t.Parallel()
	for name, group := range map[string][]int{
		"owners":          {int(ToolOwner), int(GoOwner), GlobalScope},
		"work of Go code": {int(pipeline.Before), int(pipeline.After), int(pipeline.Error), int(pipeline.Denied), Handler, Validator},
		"validations":     {Valid, Filled, Invalid},
	} {
		seen := map[int]bool{}
		for _, n := range group {
			require.False(t, seen[n], "two %s are %d", name, n)
			seen[n] = true
		}
	}
}
