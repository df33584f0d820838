package jsontape_test

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/internal/jsontape"
)

func TestCarryMakesWhatEncodingJSONDecodes(t *testing.T) {
	t.Parallel()
	for _, v := range []any{
		nil, true, "a", "", 0, -1, int8(-8), uint16(16), int64(1<<53 - 1), -(1<<53 - 1), uint64(1<<53 - 1), 1.5, 1e300, float32(0.1),
		[]any{},
		[]any(nil),
		[]string{"a"},
		[]string(nil), map[string]any(nil),
		map[string]string{"a": "b"},
		[]any{1, []any{"a", uint8(2)}, map[string]any{"a": int32(1), "b": []string{"c"}, "d": nil}},
		[]map[string]any{{"a": 1}, nil},
		map[string]any{"\xff": "\xff", "a": "b\xc3("},
		time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), json.RawMessage(`{"n":9007199254740991,"big":1e300,"list":[-0.5]}`),
	} {
		text, err := json.Marshal(v)
		require.NoError(t, err)
		var want any
		require.NoError(t, json.Unmarshal(text, &want))
		got, err := jsontape.Carry(v)
		require.NoError(t, err)
		require.Equal(t, want, got, "%#v", v)
	}
}

func TestCarryHasNoNegativeZero(t *testing.T) {
	t.Parallel()
	zero := math.Copysign(0, -1)
	got, err := jsontape.Carry([]any{zero, map[string]any{"z": zero}})
	require.NoError(t, err)
	require.False(t, math.Signbit(got.([]any)[0].(float64)))
	require.False(t, math.Signbit(got.([]any)[1].(map[string]any)["z"].(float64)))
}

func TestCarryCopiesOnlyWhatItHasToChange(t *testing.T) {
	t.Parallel()
	plain := map[string]any{"list": []any{1.0, "a", nil, true}, "object": map[string]any{}}
	got, err := jsontape.Carry(plain)
	require.NoError(t, err)
	got.(map[string]any)["new"] = true
	require.Contains(t, plain, "new", "the same map")

	shared := map[string]any{"a": 1.0}
	list := []any{shared, 1}
	got, err = jsontape.Carry(list)
	require.NoError(t, err)
	require.Equal(t, []any{shared, 1}, list, "what it was given stays as it is")
	got.([]any)[0].(map[string]any)["a"] = 2.0
	require.Equal(t, 2.0, shared["a"])
}

func TestCarryRefusesWhatJavaScriptHasNot(t *testing.T) {
	t.Parallel()
	cycle := map[string]any{}
	cycle["self"] = []any{cycle}
	for name, test := range map[string]struct {
		value any
		want  string
	}{
		"a large number":          {int64(1 << 53), "cannot write value as JSON: JavaScript would round 9007199254740992; use a string"},
		"a small number":          {math.MinInt64, "JavaScript would round -9223372036854775808"},
		"an unsigned number":      {uint64(math.MaxUint64), "JavaScript would round 18446744073709551615"},
		"a large uint":            {uint(1 << 60), "JavaScript would round"},
		"a number inside":         {[]any{map[string]any{"id": 1 << 60}}, "cannot write [0].id as JSON: JavaScript would round 1152921504606846976"},
		"a number in a text":      {json.RawMessage(`[{"id":9007199254740993}]`), "cannot write [0].id as JSON: JavaScript would round 9007199254740993"},
		"a longer number in text": {json.RawMessage(`123456789012345678901234567890`), "JavaScript would round 123456789012345678901234567890"},
		"no number":               {math.NaN(), "JSON has no NaN"},
		"no number inside":        {map[string]any{"a": []any{math.Inf(-1)}}, "cannot write a[0] as JSON: JSON has no -Inf"},
		"a function":              {map[string]any{"f": func() {}}, "cannot write f as JSON: its Go type has no JSON form"},
		"a cycle":                 {cycle, "nested deeper than 1000 levels"},
	} {
		_, err := jsontape.Carry(test.value)
		require.ErrorContains(t, err, test.want, name)
	}
}
