package hooks_test

import (
	"encoding/json"
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/hooks"
)

func TestEveryOutputHasAText(t *testing.T) {
	t.Parallel()
	item := map[string]any{"type": "text", "text": "hi"}
	for name, test := range map[string]struct {
		output any
		text   string
	}{
		"nil":              {nil, ""},
		"a string":         {"42", "42"},
		"a number":         {42, "42"},
		"a bool":           {false, "false"},
		"a map":            {map[string]any{"b": 1, "a": []any{nil}}, `{"a":[null],"b":1}`},
		"a result":         {hooks.TextResult("x"), "x"},
		"a result pointer": {new(hooks.TextResult("x")), "x"},
		"a nil pointer":    {(*hooks.Result)(nil), ""},
		"the form of one":  {map[string]any{"content": []any{item}}, "hi"},
		"not quite one":    {map[string]any{"content": []any{map[string]any{"type": "text"}}}, `{"content":[{"type":"text"}]}`},
	} {
		require.Equal(t, test.text, hooks.ResultOf(test.output).Text(), name)
		require.False(t, hooks.ResultOf(test.output).IsError, name)
	}
}

func TestAnOutputThatCannotBePassedOnIsAFailure(t *testing.T) {
	t.Parallel()
	for text, output := range map[string]any{
		"Error: disk full":                  errors.New("disk full"),
		"Error: an error without a message": errors.New(""),
		"Error: the output that Go code set: cannot write value as JSON: JSON has no +Inf; use nil or a finite number": math.Inf(1),
	} {
		result := hooks.ResultOf(output)
		require.Equal(t, text, result.Text())
		require.True(t, result.IsError)
	}
}

func TestAResultIsTheJSONThatAgentsGet(t *testing.T) {
	t.Parallel()
	text, err := json.Marshal(hooks.Result{IsError: true, Code: "NO", Content: hooks.TextResult("Denied: x").Content})
	require.NoError(t, err)
	require.JSONEq(t, `{"isError":true,"code":"NO","content":[{"type":"text","text":"Denied: x"}]}`, string(text))
	text, err = json.Marshal(hooks.TextResult(""))
	require.NoError(t, err)
	require.JSONEq(t, `{"content":[{"type":"text","text":""}]}`, string(text))
}

func TestADenialIsFoundInAWrappedError(t *testing.T) {
	t.Parallel()
	d := hooks.Deny("A", "b")
	require.Equal(t, &hooks.Denial{Code: "A", Message: "b"}, hooks.AsDenial(errors.Join(errors.New("x"), d)))
	require.Nil(t, hooks.AsDenial(errors.New("x")))
	require.Nil(t, hooks.AsDenial(nil))
}
