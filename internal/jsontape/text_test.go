package jsontape

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

func TestATextKeepsNothingOfWhatItWasMadeOf(t *testing.T) {
	t.Parallel()
	given := json.RawMessage(`{"b":1,"a":"x"}`)
	text, err := TextOf(given)
	require.NoError(t, err)
	copy(given, `{"b":2,"a":"y"}`)
	require.Equal(t, `{"a":"x","b":1}`, string(text.Raw()))
	require.Equal(t, map[string]any{"a": "x", "b": 1.0}, text.Value())

	object := map[string]any{"n": 1.0}
	text, err = (&Text{raw: []byte("null")}).With(object)
	require.NoError(t, err)
	object["n"] = 2.0
	require.Equal(t, map[string]any{"n": 1.0}, text.Value())
	text.Value().(map[string]any)["n"] = 3.0
	require.Equal(t, map[string]any{"n": 1.0}, text.Value())
}

func TestATextOfAGoValueIsThatOfItsOwnCopy(t *testing.T) {
	t.Parallel()
	type unknown struct{}
	for _, v := range []any{
		nil, true, "x", "a\xff\u2028<", 0.0, math.Copysign(0, -1), 1.0, -17.0, 1e15, 9007199254740991.0, 9007199254740992.0, 1e20, 1e21, 1e-7, 0.1,
		math.NaN(), math.Inf(-1), float32(0.1), float32(123456790528), int8(-3), uint16(7), 5, int64(1) << 53, uint64(1) << 60, []any(nil),
		[]any{},
		[]string{"a"},
		[]map[string]any{nil},
		map[string]any(nil),
		map[string]any{},
		map[string]string{"b": "1", "a": "2"},
		json.RawMessage(`{"b":1.50,"a":-0}`),
		json.RawMessage(`9007199254740993`), json.RawMessage(`{`),
		unknown{},
	} {
		for _, v := range []any{v, []any{1.0, v}, map[string]any{"z": 1, "m\xff": []any{map[string]any{"v": v}}}} {
			own, slow := Own(v)
			text, err := TextOf(v)
			if slow != nil {
				require.EqualError(t, err, slow.Error(), "%#v", v)
				continue
			}
			require.NoError(t, err, "%#v", v)
			want, err := Append(nil, own)
			require.NoError(t, err)
			if _, isText := v.(json.RawMessage); !isText { // of that, numbers stay as they are
				require.Equal(t, string(want), string(text.Raw()), "%#v", v)
			}
			said, err := Append(nil, text.Value())
			require.NoError(t, err)
			require.Equal(t, string(want), string(said), "%#v", v)
		}
	}
	cycle := []any{nil}
	cycle[0] = cycle
	_, err := TextOf(cycle)
	require.ErrorIs(t, err, ErrTooDeep)
}

func FuzzATextSaysWhatTheSlowWaySays(f *testing.F) {
	for _, s := range []string{`null`, `{"a":[1,"x",null,{"b":true}],"c":-0}`, `{"a":1,"a":2}`, `"\ud800"`, `[1.50,1e2,9007199254740993]`, "\"\xff\"", `{"é\n":"\\"}`, `[]`, `{}`} {
		for _, o := range []string{`{}`, s} {
			f.Add([]byte(s), []byte(o))
		}
	}
	for _, pair := range [][2]string{{`{"a":1}`, `{"a":1,"b":2}`}, {`[1]`, `[1,2]`}, {`[1,2]`, `[1]`}, {`[]`, `{}`}, {`0`, `false`}, {`""`, `null`}} {
		f.Add([]byte(pair[0]), []byte(pair[1]))
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		var ta, tb Tape
		if ta.Parse(a) != nil || tb.Parse(b) != nil {
			return
		}
		va, vb := ta.Value(Root), tb.Value(Root)
		// What is written of a value, fast and slow.
		for _, v := range []any{va, json.RawMessage(a)} {
			own, slow := Own(v)
			text, fast := TextOf(v)
			require.Equal(t, slow, fast)
			if slow == nil {
				want, err := Append(nil, own)
				require.NoError(t, err)
				got, err := Append(nil, text.Value())
				require.NoError(t, err)
				require.Equal(t, string(want), string(got))
			}
		}
		// What is found to be unchanged, fast and slow.
		ownA, err := Own(va)
		require.NoError(t, err)
		ownB, err := Own(vb)
		require.NoError(t, err)
		sayA, _ := Append(nil, ownA)
		sayB, _ := Append(nil, ownB)
		text := ta.Part(Root)
		with, err := text.With(vb)
		require.NoError(t, err)
		if with == text {
			require.Equal(t, string(sayA), string(sayB))
		} else {
			require.Equal(t, string(sayB), string(with.Raw()))
		}
		if string(sayA) == string(sayB) && string(a) == string(sayA) {
			require.Same(t, text, with)
		}
	})
}

func TestWhatWasTakenOfATapeIsNotChangedByWhatItReadsNext(t *testing.T) {
	t.Parallel()
	var tape Tape
	require.NoError(t, tape.Parse([]byte(`{"a":["one",{"b":"two"}],"a":1,"c":"\n"}`)))
	taken := tape.Take()
	for range 3 {
		require.NoError(t, tape.Parse([]byte(`[[{"x":"y","z":0}],"other",false,null,1,2,3,4,5]`)))
	}
	require.Equal(t, map[string]any{"a": 1.0, "c": "\n"}, taken.Value(Root))
	require.Equal(t, taken.Value(Root), taken.Part(Root).Value())
	require.Len(t, tape.Value(Root), 9)
}

func TestStringsOfShortTextsAreThoseOfTheTape(t *testing.T) {
	t.Parallel()
	for _, size := range []int{1, maxShared * 2} {
		var tape Tape
		source := `{"name":"` + strings.Repeat("x", size) + `","escaped":"\u00e9\"","plain":"é"}`
		require.NoError(t, tape.Parse([]byte(source)))
		text := tape.Part(Root)
		require.Equal(t, tape.Value(Root), text.Value())
		got := text.Value().(map[string]any)["name"].(string)
		shares := unsafe.StringData(got) == &tape.src[9]
		require.Equal(t, size < maxShared, shares, "what is kept of a long text keeps no more than itself")
	}
}
