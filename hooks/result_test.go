package hooks_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"
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

func TestAResultThatIsTooLargeFailsTheCall(t *testing.T) {
	t.Parallel()
	for text, output := range map[string]any{
		"it has 10485761 bytes": strings.Repeat("x", hooks.MaxOutputBytes+1),
		"it has 10485784 bytes": map[string]any{"list": []any{strings.Repeat("x", hooks.MaxOutputBytes/2), strings.Repeat("x", hooks.MaxOutputBytes/2+8)}},
		"and the limit is":      hooks.Result{Content: hooks.TextResult("").Content, More: map[string]any{"structuredContent": strings.Repeat("x", hooks.MaxOutputBytes)}},
	} {
		var seen error
		tool := &hooks.Tool{
			Contract: hooks.Contract{Name: "give", Description: "Gives."},
			Handler:  func(context.Context, *hooks.Call) (any, error) { return output, nil },
			Hooks:    hooks.Set{Error: []hooks.Hook{func(_ context.Context, c *hooks.Call) error { seen = c.Err; return nil }}},
		}
		result := hooks.Run(t.Context(), tool, nil)
		require.True(t, result.IsError)
		require.Contains(t, result.Text(), text)
		require.ErrorContains(t, seen, text, "error hooks hear of it")
		tool.Hooks.After = []hooks.Hook{func(_ context.Context, c *hooks.Call) error { c.Output = "redacted"; return nil }}
		require.Equal(t, "redacted", hooks.Run(t.Context(), tool, nil).Text(), "what after hooks leave counts")
	}
	require.Len(t, hooks.ResultOf(strings.Repeat("x", hooks.MaxOutputBytes)).Text(), hooks.MaxOutputBytes)
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

func TestAMapIsAResultWhenAllOfItsItemsHaveAType(t *testing.T) {
	t.Parallel()
	text, image := map[string]any{"type": "text", "text": "hi"}, map[string]any{"type": "image", "data": "AA=="}
	for name, test := range map[string]struct {
		output map[string]any
		want   hooks.Result // none: it becomes a text
	}{
		"items": {
			map[string]any{"content": []any{text, image, text}},
			hooks.Result{Content: []hooks.Content{text, image, text}},
		},
		"an error": {
			map[string]any{"content": []any{text}, "isError": true, "code": "NO"},
			hooks.Result{Content: []hooks.Content{text}, IsError: true, Code: "NO"},
		},
		"members of other types": {
			map[string]any{"content": []any{image}, "isError": "yes", "code": 1},
			hooks.Result{Content: []hooks.Content{image}, More: map[string]any{"isError": "yes", "code": 1.0}},
		},
		"no items":                      {map[string]any{"content": []any{}}, hooks.Result{}},
		"no content":                    {output: map[string]any{"isError": true}},
		"a content that is no list":     {output: map[string]any{"content": "hi"}},
		"an item that is no object":     {output: map[string]any{"content": []any{text, "hi"}}},
		"an item without a type":        {output: map[string]any{"content": []any{text, map[string]any{"text": "hi"}}}},
		"a type that is no string":      {output: map[string]any{"content": []any{map[string]any{"type": 1, "text": "hi"}}}},
		"a text that is no string":      {output: map[string]any{"content": []any{map[string]any{"type": "text", "text": 1}}}},
		"an item that is another thing": {output: map[string]any{"content": []any{nil}}},
	} {
		if name != "no items" && test.want.Content == nil {
			said, err := json.Marshal(test.output)
			require.NoError(t, err)
			test.want = hooks.TextResult(string(said))
		}
		require.Equal(t, test.want, hooks.ResultOf(test.output), name)
	}
}

func TestTheTextOfAResultIsThatOfItsTextItems(t *testing.T) {
	t.Parallel()
	require.Equal(t, "a\nb", hooks.Result{Content: []hooks.Content{
		{"type": "text", "text": "a"}, {"type": "image", "text": 1}, {"type": "text", "text": "b"},
	}}.Text())
	require.Empty(t, hooks.Result{}.Text())
}

func TestAResultIsTheJSONThatAgentsGet(t *testing.T) {
	t.Parallel()
	text, err := json.Marshal(hooks.Result{IsError: true, Code: "NO", Content: hooks.TextResult("Denied: x").Content})
	require.NoError(t, err)
	require.JSONEq(t, `{"isError":true,"code":"NO","content":[{"type":"text","text":"Denied: x"}]}`, string(text))
	text, err = json.Marshal(hooks.TextResult(""))
	require.NoError(t, err)
	require.JSONEq(t, `{"content":[{"type":"text","text":""}]}`, string(text))
	text, err = json.Marshal(hooks.Result{})
	require.NoError(t, err)
	require.JSONEq(t, `{"content":[]}`, string(text))
}
