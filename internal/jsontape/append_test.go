package jsontape_test

import (
	"encoding/json"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/internal/jsontape"
)

type custom struct {
	text string
	err  error
}

func (c custom) MarshalJSON() ([]byte, error) { return []byte(c.text), c.err }

func TestAppendWritesWhatEncodingJSONWrites(t *testing.T) {
	t.Parallel()
	for _, v := range []any{
		nil, true, false, "", "a\"b\\c\n\u0001\u007fä😀", 0, -1, int8(-8), int16(16), int32(32), int64(math.MinInt64),
		uint(1), uint8(8), uint16(16), uint32(32), uint64(math.MaxUint64), uintptr(7),
		0.0, math.Copysign(0, -1), 1.5, 1e21, 1e20, 1e-6, 1e-7, 1.25e-10, math.MaxFloat64, math.SmallestNonzeroFloat64,
		1.0, -17.0, 9007199254740991.0, 9007199254740993.0, 123456789012345680000.0,
		float32(0.1), float32(1e21), float32(1e-7), float32(3.4e38), float32(123456790528), float32(-2),
		[]any{},
		[]any(nil),
		[]any{1, "a", nil, []any{}},
		[]string{"a", "b"},
		[]string(nil),
		[]map[string]any{{"a": 1}, nil},
		map[string]any{},
		map[string]any(nil),
		map[string]any{"z": 1, "a": map[string]any{"__proto__": 2}, "ä": 3, "": 4},
		map[string]string{"b": "2", "a": "1"},
		map[string]string(nil),
		json.RawMessage(` { "b" : [ 1 , 2 ] } `), time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
		custom{text: `"x"`},
	} {
		want, err := json.Marshal(v)
		require.NoError(t, err)
		got, err := jsontape.Append([]byte(">"), v)
		require.NoError(t, err)
		require.Equal(t, ">"+string(want), string(got))
	}
}

func TestAppendReplacesInvalidUTF8(t *testing.T) {
	t.Parallel()
	got, err := jsontape.Append(nil, map[string]any{"\xff": "a\xc3(\xe4\xb8"})
	require.NoError(t, err)
	require.Equal(t, "{\"\ufffd\":\"a\ufffd(\ufffd\ufffd\"}", string(got))
}

func TestAppendSaysWhatCannotBeWritten(t *testing.T) {
	t.Parallel()
	cause := errors.New("no connection")
	for want, v := range map[string]any{
		"cannot write value as JSON: JSON has no NaN; use nil or a finite number":                                        math.NaN(),
		"cannot write items[1].price as JSON: JSON has no +Inf; use nil or a finite number":                              map[string]any{"items": []any{1, map[string]any{"price": math.Inf(1)}}},
		"cannot write [0][1] as JSON: JSON has no -Inf; use nil or a finite number":                                      []any{[]any{0, float32(math.Inf(-1))}},
		"cannot write a.b as JSON: MarshalJSON failed: no connection":                                                    map[string]any{"a": map[string]any{"b": custom{err: cause}}},
		"cannot write value as JSON: MarshalJSON returned invalid JSON: the text ends where a value should be at byte 0": custom{},
	} {
		got, err := jsontape.Append([]byte("kept"), v)
		require.EqualError(t, err, want)
		require.Equal(t, "kept", string(got))
	}
	for _, v := range []any{struct{ A int }{1}, make(chan int), func() {}, complex(1, 2), []byte("bytes"), new(int), []int{1}, errors.New("x")} {
		_, err := jsontape.Append(nil, map[string]any{"order": v})
		var encode *jsontape.EncodeError
		require.ErrorAs(t, err, &encode)
		require.Equal(t, "order", encode.Path)
		require.Contains(t, err.Error(), "MarshalJSON")
	}
	_, err := jsontape.Append(nil, custom{err: cause})
	require.ErrorIs(t, err, cause)
}

func TestAppendRefusesCyclesAndDepth(t *testing.T) {
	t.Parallel()
	object := map[string]any{}
	object["self"] = []any{object}
	_, err := jsontape.Append(nil, object)
	require.ErrorIs(t, err, jsontape.ErrTooDeep)

	nested := func(n int, v any) any {
		for range n {
			v = []any{v}
		}
		return v
	}
	_, err = jsontape.Append(nil, nested(jsontape.MaxDepth, 1))
	require.NoError(t, err)
	_, err = jsontape.Append(nil, nested(jsontape.MaxDepth+1, 1))
	require.ErrorIs(t, err, jsontape.ErrTooDeep)
	_, err = jsontape.Append(nil, nested(jsontape.MaxDepth-1, json.RawMessage(`[1]`)))
	require.NoError(t, err)
	_, err = jsontape.Append(nil, nested(jsontape.MaxDepth-1, json.RawMessage(`[{"a":1}]`)))
	require.ErrorIs(t, err, jsontape.ErrTooDeep)
}

func TestAppendJSONKeepsNumbersAndOrder(t *testing.T) {
	t.Parallel()
	tape := parse(t, ` { "z" : 1.0e2 , "a" : [ 9007199254740993 , "\u0061\ud800\n" , { } ] } `)
	require.Equal(t, `{"z":1.0e2,"a":[9007199254740993,"a`+"\ufffd"+`\n",{}]}`, string(tape.AppendJSON(nil, jsontape.Root)))
}
