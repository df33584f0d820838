package jsontape_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/internal/jsontape"
)

func parse(t testing.TB, text string) *jsontape.Tape {
	t.Helper()
	var tape jsontape.Tape
	require.NoError(t, tape.Parse([]byte(text)))
	return &tape
}

func TestValueOfEveryKind(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]any{
		`null`:                                   nil,
		` true `:                                 true,
		"\t\r\n false":                           false,
		`0`:                                      0.0,
		`-12`:                                    -12.0,
		`123456789012345`:                        123456789012345.0,
		`9007199254740993`:                       9007199254740992.0,
		`1.5e3`:                                  1500.0,
		`1e-400`:                                 0.0,
		`""`:                                     "",
		`"plain text, over 8"`:                   "plain text, over 8",
		`"grüße 😀"`:                              "grüße 😀",
		`"\"\\\/\b\f\n\r\t"`:                     "\"\\/\b\f\n\r\t",
		`"\u0041\u00e4\uD83D\ude00"`:             "Aä😀",
		`"\ud83d"`:                               "\ufffd",
		`"\ud83d\u0041"`:                         "\ufffdA",
		`"\ude00\ud83d"`:                         "\ufffd\ufffd",
		`"\ud83d\ud83d\ude00"`:                   "\ufffd😀",
		"\"a\xffb\xc3\"":                         "a\ufffdb\ufffd",
		`[]`:                                     []any{},
		`{}`:                                     map[string]any{},
		`[ [ ] , { } , 1 ]`:                      []any{[]any{}, map[string]any{}, 1.0},
		`{ "a" : { "b" : [1,2] } , "c" : null }`: map[string]any{"a": map[string]any{"b": []any{1.0, 2.0}}, "c": nil},
		`{"__proto__":{"x":1},"constructor":2}`:  map[string]any{"__proto__": map[string]any{"x": 1.0}, "constructor": 2.0},
		`{"a":1,"a":[2,{"b":3,"b":4}],"\u0061":5,"c":6}`: map[string]any{"a": 5.0, "c": 6.0},
	} {
		tape := parse(t, text)
		require.Equal(t, want, tape.Value(jsontape.Root), text)
	}
}

func TestATextOfVeryManyValuesIsRefusedBeforeItTakesMemory(t *testing.T) {
	t.Parallel()
	list := func(n int) string { return "[" + strings.Repeat("[],", n-1) + "[]]" }
	parse(t, list(jsontape.MaxValues))
	require.Equal(t, jsontape.ErrTooMany, new(jsontape.Tape).Parse([]byte(list(jsontape.MaxValues+1))))
	parse(t, "{"+strings.Repeat(`"a":1,`, jsontape.MaxValues/2-1)+`"a":1}`)
	require.Equal(t, jsontape.ErrTooMany, new(jsontape.Tape).Parse([]byte("{"+strings.Repeat(`"a":1,`, jsontape.MaxValues/2+1)+`"a":1}`)))

	huge := []byte(list(4 << 20))
	allocated := testing.Benchmark(func(b *testing.B) {
		for b.Loop() {
			_ = new(jsontape.Tape).Parse(huge)
		}
	}).AllocedBytesPerOp()
	require.Less(t, allocated, int64(len(huge))*2, "not much more than its text")
}

func TestMalformedTextNamesTheByte(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		offset  int
		message string
	}{
		``:                            {0, "ends where a value"},
		`  `:                          {2, "ends where a value"},
		`[1,]`:                        {3, `found "]" instead of a value`},
		`[1 2]`:                       {3, `found "2" instead of ',' or the closing bracket`},
		`[1}`:                         {2, "instead of ',' or"},
		`[1`:                          {2, "ends where ',' or"},
		`[`:                           {1, "ends where a value"},
		`{`:                           {1, "ends where a value"},
		`{"a":1,}`:                    {7, "instead of a property name in quotes"},
		`{a:1}`:                       {1, `found "a" instead of a property name`},
		`{"a" 1}`:                     {5, "instead of ':'"},
		`{"a":}`:                      {5, `found "}" instead of a value`},
		`{"a":`:                       {5, "ends where a value"},
		`{"a":1]`:                     {6, "instead of ',' or the closing bracket"},
		`1 2`:                         {2, "instead of the end of the text"},
		`]`:                           {0, "instead of a value"},
		`tru`:                         {0, `found "t"`},
		`nul`:                         {0, `found "n"`},
		`falsy`:                       {0, `found "f"`},
		`nulll`:                       {4, "the end of the text"},
		`NaN`:                         {0, `found "N"`},
		`ä`:                           {0, `found "ä"`},
		`01`:                          {0, "begins with 0"},
		`-`:                           {1, "ends where a digit"},
		`-01`:                         {1, "begins with 0"},
		`[01,2,3,4,5,6]`:              {1, "begins with 0"},
		`[1,00.5,3,4,5,6]`:            {3, "begins with 0"},
		`[0000000000000000]`:          {1, "begins with 0"},
		`1.`:                          {2, "a digit"},
		`1.e1`:                        {2, "a digit"},
		`1e`:                          {2, "a digit"},
		`1e+`:                         {3, "a digit"},
		`+1`:                          {0, `found "+"`},
		`.5`:                          {0, `found "."`},
		`[1e400]`:                     {1, "no float64"},
		`"abc`:                        {4, "ends where the closing quote"},
		`"a long text without an end`: {27, "ends where the closing quote"},
		`"\x"`:                        {1, "invalid escape"},
		`"\u12g4"`:                    {1, "invalid escape"},
		`"\u12"`:                      {1, "invalid escape"},
		`"\`:                          {1, "invalid escape"},
		"\"a\nb\"":                    {2, "control character"},
		"\"abcdefghijklm\x00\"":       {14, "control character"},
	} {
		var tape jsontape.Tape
		err := tape.Parse([]byte(text))
		var syntax *jsontape.SyntaxError
		require.ErrorAs(t, err, &syntax, text)
		require.Equal(t, want.offset, syntax.Offset, text)
		require.Contains(t, err.Error(), want.message, text)
		require.False(t, json.Valid([]byte(text)) && !strings.Contains(text, "e400"), text)
		require.Equal(t, jsontape.Null, tape.Kind(jsontape.Root), "a failed tape holds null")
	}
	require.EqualError(t, new(jsontape.Tape).Parse([]byte("[1,]")), `invalid JSON: found "]" instead of a value at byte 3`)
}

func TestDepthEndsAtMaxDepth(t *testing.T) {
	t.Parallel()
	nested := func(n int) []byte { return []byte(strings.Repeat("[", n) + strings.Repeat("]", n)) }
	var tape jsontape.Tape
	require.NoError(t, tape.Parse(nested(jsontape.MaxDepth)))
	require.ErrorIs(t, tape.Parse(nested(jsontape.MaxDepth+1)), jsontape.ErrTooDeep)
	require.ErrorIs(t, tape.Parse([]byte(strings.Repeat(`{"a":`, 5000))), jsontape.ErrTooDeep)
	require.NoError(t, tape.Parse([]byte("["+strings.Repeat("[],", 5000)+"[]]")), "width is not depth")
}

func TestWalkVisitsChildrenInOrder(t *testing.T) {
	t.Parallel()
	text := `{"a":[1,[2,3],{}],"b":{"c":"d"},"e":null}`
	tape := parse(t, text)
	require.Equal(t, 3, tape.Len(jsontape.Root))
	var names []string
	for k, end := tape.Children(jsontape.Root); k < end; k = tape.Next(k + 1) {
		names = append(names, string(tape.Text(k))+"="+string(tape.Raw(k+1)))
	}
	require.Equal(t, []string{`a=[1,[2,3],{}]`, `b={"c":"d"}`, `e=null`}, names)

	list, ok := tape.Member(jsontape.Root, "a")
	require.True(t, ok)
	var kinds []string
	for e, end := tape.Children(list); e < end; e = tape.Next(e) {
		kinds = append(kinds, tape.Kind(e).String())
	}
	require.Equal(t, []string{"number", "array", "object"}, kinds)
	require.Equal(t, 3, tape.Len(list))

	inner, _ := tape.Member(jsontape.Root, "b")
	_, ok = tape.Member(inner, "missing")
	require.False(t, ok)
	c, _ := tape.Member(inner, "c")
	require.Equal(t, `"d"`, string(tape.Raw(c)))
}

func TestStringsCompareByValue(t *testing.T) {
	t.Parallel()
	tape := parse(t, `["abc","\u0061bc","ä","\u00e4","\ud83d\ude00"]`)
	at := func(i int) jsontape.Node { return jsontape.Node(1 + i) }
	require.True(t, tape.Plain(at(0)))
	require.False(t, tape.Plain(at(1)))
	for i, want := range []string{"abc", "abc", "ä", "ä", "😀"} {
		require.True(t, tape.Equal(at(i), want), want)
		require.False(t, tape.Equal(at(i), want+"x"), want)
		require.Equal(t, want, tape.Str(at(i)))
		require.Equal(t, ">"+want, string(tape.AppendStr([]byte(">"), at(i))))
		require.Equal(t, len([]rune(want)), tape.RuneCount(at(i)), want)
	}
}

// What Is says for certain must be so, and it must know the names that schemas mostly have.
func TestANameIsFoundOnlyWhereItIs(t *testing.T) {
	t.Parallel()
	plain := []string{"", "a", "b", "ab", "size of7", "size of 8", "size of 9", "size of 10", "size of a long one", "size of a long two", "size of a lang two"}
	other := []string{`\u0061`, `\"`, `\\`, "ä", "\u2028", "a\xff", "a\ufffd", `a"b`, "\x01", `a\tb`}
	var text []byte
	values := append(slices.Clone(plain), other...)
	for i, value := range values {
		text = append(jsontape.AppendString(append(text, "[,"[min(i, 1)]), value), ' ')
	}
	// The same once more as they stand, where that is JSON: then they mean something else, or are invalid UTF-8.
	for _, raw := range []string{`\u0061`, `\"`, `\\`, "a\xff", `a\tb`} {
		text = append(append(append(text, `,"`...), raw...), '"')
	}
	tape := parse(t, string(text)+"]       ")
	for i, value := range values {
		name := jsontape.NewName(value)
		at := 0
		for e, end := tape.Children(jsontape.Root); e < end; e = tape.Next(e) {
			is := tape.Is(tape.Entry(e), &name)
			if is {
				require.True(t, tape.Equal(e, value), "%q is not %q", tape.Raw(e), value)
			}
			if at == i && i < len(plain) {
				require.True(t, is, "%q", value)
			}
			at++
		}
	}
	short := parse(t, `["a"]`) // so near the end, Is does not look
	name := jsontape.NewName("a")
	require.False(t, short.Is(short.Entry(1), &name))
}

func TestDuplicatesLeaveTheLastMemberOnly(t *testing.T) {
	t.Parallel()
	var many strings.Builder
	for i := range 200 {
		many.WriteString(`"k` + strings.Repeat("x", i%100) + `":[` + strings.Repeat("1,", i) + `1],`)
	}
	tape := parse(t, `[{"a":{"b":1},"c":2,"a":3},{`+many.String()+`"z":0},"after"]`)
	first := jsontape.Node(1)
	require.Equal(t, 2, tape.Len(first))
	require.Equal(t, `{"c":2,"a":3}`, string(tape.AppendJSON(nil, first)))
	second := tape.Next(first)
	require.Equal(t, 101, tape.Len(second))
	value, _ := tape.Member(second, "k")
	require.Equal(t, 101, tape.Len(value))
	require.True(t, tape.Equal(tape.Next(second), "after"))
}

func requireUnique(t *testing.T, tape *jsontape.Tape, n jsontape.Node) {
	t.Helper()
	switch tape.Kind(n) {
	case jsontape.Array:
		for e, end := tape.Children(n); e < end; e = tape.Next(e) {
			requireUnique(t, tape, e)
		}
	case jsontape.Object:
		object, _ := tape.Value(n).(map[string]any)
		require.Len(t, object, tape.Len(n), "%s", tape.Raw(n))
		for k, end := tape.Children(n); k < end; k = tape.Next(k + 1) {
			requireUnique(t, tape, k+1)
		}
	}
}

// Parse expects the objects of a list to have the same names.
func TestObjectsThatAreNearlyAlike(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a long name", 3)
	names := []string{``, `a`, `b`, `a7bytes`, `an8bytes`, `an9bytesX`, `a name of 15by`, `a name of 16byt`, `a name of 17byte`, long, long + "!", `\u0061`, `ä`, "a\xff"}
	var objects []string
	for i, first := range names {
		for j, second := range names {
			object := `{"` + first + `":` + strings.Repeat("[", i%3) + `{"b":1,"a":2}` + strings.Repeat("]", i%3)
			if (i+j)%4 > 0 {
				object += `,"` + second + `":"x"`
			}
			if (i+j)%5 > 1 {
				object += ` , "b" : {"a":0,"b":{},"a":{"b":1}}`
			}
			objects = append(objects, object+"}", `{}`, `"b"`, `{"b":1,"a":2}`, `{"b":1,"b":2}`)
			objects = append(objects, object+"}", object+`,"a":1}`, object+`,"`+second+`":1}`)
		}
	}
	for _, text := range []string{
		"[" + strings.Join(objects, ",") + "]",
		`[{"a":1},"a",{"a":2,"a":3},"and more"]`,                           // what follows an object is none of its names
		`[{"a":{"b":1},"a":["c",1,"c",1]},{"d":{"c":1,"c":2}},"and more"]`, // where the object with b was, the list is now
		`{"list":[` + strings.Join(objects, " , ") + `],"other":` + strings.Join(objects, `,"a":`) + "}",
	} {
		var want any
		require.NoError(t, json.Unmarshal([]byte(text), &want))
		tape := parse(t, text)
		require.Equal(t, want, tape.Value(jsontape.Root))
		requireUnique(t, tape, jsontape.Root)
	}
}

func TestTapeIsReusedWithoutAllocating(t *testing.T) {
	var tape jsontape.Tape
	text := []byte(`{"items":[{"id":1,"name":"a name","ok":true},{"id":2,"name":"b","ok":null}],"n":-1.5}`)
	require.NoError(t, tape.Parse(text))
	require.Zero(t, testing.AllocsPerRun(100, func() { _ = tape.Parse(text) }))
}

// FuzzParseAgreesWithEncodingJSON: the same texts are accepted, and they mean the same.
func FuzzParseAgreesWithEncodingJSON(f *testing.F) {
	for _, seed := range []string{
		`{"a":[1,2.5e-7,-0,"x\u00e4\ud83d\ude00\ud800"],"a":{"b":null}}`, "\"\xff\xfe12345678\"", ` [ true , false ] `, `1e400`,
		`[1e308,123456789012345678901234567890,0.1,1E+2]`, `{"":{"":[[[{}]]]}}`, `"\u0000\b\f\n\r\t\"\\\/"`, `{"a":1,"\u0061":2}`,
		`[{"a":1,"b":2,"name of 17 bytes!":3},{"a":1,"b":{"a":4,"c":[],"a":5},"name of 17 bytes!":3},{"a":1,"b":{"a":1},"b":5},{"a":1}]`,
		`[[{"a":{}},{"a":{},"a":1}],{"a":{"":1}},"a",{"a":-12345678.12345678,"a":0.0}]`,
	} {
		f.Add([]byte(seed))
	}
	var reused jsontape.Tape
	f.Fuzz(func(t *testing.T, text []byte) { requireAgreement(t, &reused, text) })
}

// requireAgreement parses text and compares with encoding/json: whether it is JSON, what it means, and how that is
// written again.
func requireAgreement(t *testing.T, tape *jsontape.Tape, text []byte) {
	t.Helper()
	err := tape.Parse(text)
	var want any
	wantErr := json.Unmarshal(text, &want)
	if errors.Is(err, jsontape.ErrTooDeep) {
		return
	}
	require.Equal(t, wantErr == nil, err == nil, "%q: ours %v, theirs %v", text, err, wantErr)
	if err != nil {
		return
	}
	got := tape.Value(jsontape.Root)
	require.Equal(t, want, got, "%q", text)
	requireUnique(t, tape, jsontape.Root)

	written, err := jsontape.Append(nil, got)
	require.NoError(t, err)
	var oracle bytes.Buffer
	encoder := json.NewEncoder(&oracle)
	encoder.SetEscapeHTML(false)
	require.NoError(t, encoder.Encode(want))
	// encoding/json escapes the line separators, which JSON does not ask for.
	theirs := strings.NewReplacer(`\u2028`, "\u2028", `\u2029`, "\u2029").Replace(strings.TrimSuffix(oracle.String(), "\n"))
	if !strings.Contains(string(text), "u202") { // a text may spell such an escape itself: \\u2028
		require.Equal(t, theirs, string(written))
	}

	var again any
	require.NoError(t, json.Unmarshal(tape.AppendJSON(nil, jsontape.Root), &again))
	require.Equal(t, want, again)
}

// writer makes random JSON texts of all that Parse reads in ways of its own: names that come again and others, short
// and long strings and numbers, and white space.
type writer struct {
	*rand.Rand
	text []byte
}

func (w *writer) pick(from ...string) { w.text = append(w.text, from[w.IntN(len(from))]...) }

func (w *writer) space() { w.pick("", "", "", "", " ", "\n\t\r ") }

func (w *writer) string() {
	w.text = append(w.text, '"')
	for range w.IntN(1 + w.IntN(20)) {
		if w.IntN(3) > 0 {
			w.pick("a", "B", "7", " ", "~", "\x7f")
		} else {
			w.pick(`\"`, `\\`, `\/`, `\b`, `\f`, `\n`, `\r`, `\t`, `\u0041`, `\u00E4`, `\ud83d\uDE00`, `\ud83d`, `\ude00`, "ä", "😀", "\xff", "!", "#")
		}
	}
	w.text = append(w.text, '"')
}

func (w *writer) number() {
	digits := func(most int) {
		for range 1 + w.IntN(most) {
			w.pick("0", "1", "5", "9")
		}
	}
	w.pick("", "", "-")
	if w.pick("1", "9", "0"); w.text[len(w.text)-1] != '0' && w.IntN(3) > 0 {
		digits(9)
	}
	if w.IntN(3) == 0 {
		w.text = append(w.text, '.')
		digits(9)
	}
	if w.IntN(6) == 0 {
		w.pick("e", "E", "e+", "E-")
		digits(2)
	}
}

func (w *writer) value(depth int) {
	w.space()
	switch kind := w.IntN(10); {
	case depth > 0 && kind < 2:
		w.list('[', ']', depth, func() {})
	case depth > 0 && kind < 6:
		w.list('{', '}', depth, func() {
			if w.space(); w.IntN(4) > 0 {
				w.pick(`"a"`, `"b"`, `"name"`, `"of 8byte"`, `"of 16 bytes here"`, `"\u0061"`, `""`, `"ä"`)
			} else {
				w.string()
			}
			w.space()
			w.text = append(w.text, ':')
		})
	case kind < 7:
		w.string()
	case kind < 9:
		w.number()
	default:
		w.pick("true", "false", "null")
	}
	w.space()
}

func (w *writer) list(open, closing byte, depth int, name func()) {
	w.text = append(w.text, open)
	if w.space(); w.IntN(5) > 0 {
		name()
		w.value(depth - 1)
		for range w.IntN(4) {
			w.text = append(w.text, ',')
			name()
			w.value(depth - 1)
		}
	}
	w.text = append(w.text, closing)
}

func TestRandomTextsMeanWhatEncodingJSONReads(t *testing.T) {
	t.Parallel()
	w := writer{Rand: rand.New(rand.NewPCG(1, 2))}
	var reused jsontape.Tape
	for range 1000 {
		w.text = w.text[:0]
		w.value(4)
		requireAgreement(t, &reused, slices.Clip(bytes.Clone(w.text)))

		// A text that is nearly as good.
		at := w.IntN(len(w.text))
		switch w.IntN(3) {
		case 0:
			w.text = w.text[:at]
		case 1:
			w.text = slices.Delete(w.text, at, at+1)
		case 2:
			w.text[at] = "\"\\{}[]:,0-.eutx "[w.IntN(16)]
		}
		requireAgreement(t, &reused, slices.Clip(bytes.Clone(w.text)))
	}
}

// The package is part of a module where each import costs a page a download.
func TestImportsStaySmall(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("go", "list", "-deps", ".").CombinedOutput()
	require.NoError(t, err, string(out))
	deps := strings.Fields(string(out))
	require.Contains(t, deps, "strconv")
	for _, banned := range []string{"fmt", "reflect", "encoding/json", "regexp", "time", "net/url", "os", "context", "encoding/binary"} {
		require.NotContains(t, deps, banned)
	}
}

func TestTheLastObjectWithTwoMembersOfOneNameIsKnown(t *testing.T) {
	t.Parallel()
	var tape jsontape.Tape
	for text, want := range map[string]string{
		`{"a":1}`:                              "",
		`[{"a":1},{"a":2}]`:                    "",
		`{"a":1,"a":2}`:                        `{"a":1,"a":2}`,
		`[0,{"b":{"a":1,"\u0061":2}},{"a":3}]`: `{"a":1,"\u0061":2}`,
		`[{"a":1,"a":2},{"b":1,"b":2}]`:        `{"b":1,"b":2}`,
		`{"x":{"a":1,"a":2},"x":0}`:            `{"x":{"a":1,"a":2},"x":0}`,
		`[1]`:                                  "",
	} {
		require.NoError(t, tape.Parse([]byte(text)))
		object, found := tape.Twice()
		require.Equal(t, want != "", found, text)
		if found {
			require.Equal(t, want, string(tape.Raw(object)))
		}
	}
}

func benchText(items int) []byte {
	text := []byte(`{"items":[`)
	for i := range items {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(text, `{"id":"product-17","name":"Mechanical keyboard","quantity":3,"price":129.95,"tags":["new","sale"],"gift":false}`...)
	}
	return append(text, `],"email":"ada@example.com"}`...)
}

func BenchmarkParse(b *testing.B) {
	for name, text := range map[string][]byte{"1KB": benchText(9), "50KB": benchText(450)} {
		b.Run(name, func(b *testing.B) {
			var tape jsontape.Tape
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if err := tape.Parse(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
