package schema_test

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/hooks/schema"
	"github.com/webmcp-wasm/webmcp/hooks/schema/re2"
)

var errGaveUp = errors.New("gave up")

// givesUp compiles patterns that cannot be matched with some strings, as in a browser.
func givesUp(on func(s string) bool) schema.Regexp {
	return func(pattern string) (func(string) (bool, error), error) {
		match, err := re2.Compile(pattern)
		if err != nil {
			return nil, err
		}
		return func(s string) (bool, error) {
			if on(s) {
				return false, errGaveUp
			}
			return match(s)
		}, nil
	}
}

func TestAPatternThatCannotBeMatchedFailsTheInputWhereverItStands(t *testing.T) {
	t.Parallel()
	regexp := givesUp(func(s string) bool { return len(s) > 10 })
	long := strings.Repeat("a", 11)
	for _, text := range []string{
		`{"properties":{"t":{"pattern":"b"}}}`,
		`{"properties":{"t":{"not":{"pattern":"b"}}}}`,
		`{"not":{"properties":{"t":{"pattern":"b"}}}}`,
		`{"if":{"properties":{"t":{"pattern":"b"}}},"then":false}`,
		`{"anyOf":[{"properties":{"t":{"pattern":"b"}}},true]}`,
		`{"oneOf":[{"properties":{"t":{"pattern":"b"}}},true]}`,
		`{"properties":{"l":{"contains":{"pattern":"b"},"minContains":0}}}`,
		`{"patternProperties":{"b":false}}`,
		`{"patternProperties":{"b":{"properties":{"x":{"default":1}}}}}`,
		`{"propertyNames":{"not":{"pattern":"b"}}}`,
		`{"properties":{"t":{"$ref":"#/$defs/t"}},"$defs":{"t":{"not":{"pattern":"b"}}}}`,
		`{"patternProperties":{"b":true},"unevaluatedProperties":true}`,
	} {
		s, err := schema.Compile([]byte(text), schema.Options{Regexp: regexp})
		require.NoError(t, err, text)
		changed, err := s.Validate([]byte(`{"t":"` + long + `","l":["` + long + `"],"` + long + `":{}}`))
		require.ErrorIs(t, err, schema.ErrNotChecked, text)
		require.ErrorContains(t, err, "cannot be matched with the pattern b", text)
		require.Nil(t, changed, text)
	}
}

func TestAPatternIsNotTriedOnWhatIsWrongAnyway(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"pattern":"b","maxLength":3}`:                                        "must have at most 3 characters",
		`{"pattern":"b","type":"number"}`:                                      "must be a number",
		`{"pattern":"b","enum":["b"]}`:                                         `must be "b"`,
		`{"pattern":"b","format":"date"}`:                                      "must be a date",
		`{"$ref":"#/$defs/t","maxLength":3,"$defs":{"t":{"pattern":"b"}}}`:     "must have at most 3 characters",
		`{"not":{"not":{"allOf":[{"pattern":"b"}],"maxLength":3}}}`:            "must not be valid",
		`{"anyOf":[{"maxLength":3,"pattern":"b"},{"type":"null"}],"title":""}`: "must have at most 3 characters",
	} {
		s, err := schema.Compile([]byte(text), schema.Options{Regexp: givesUp(func(s string) bool {
			t.Errorf("%s: the pattern was tried", text)
			return true
		})})
		require.NoError(t, err, text)
		_, err = s.Validate([]byte(`"aaaa"`))
		if strings.Contains(text, `"allOf"`) {
			require.Error(t, err)
			continue
		}
		require.ErrorContains(t, err, want, text)
	}
}

// patterned is a document in which patterns stand where they turn a verdict round, and beside defaults.
func (g generator) patterned() any {
	root, ok := g.document().(map[string]any)
	if !ok {
		root = map[string]any{}
	}
	pattern := map[string]any{"pattern": pick(g, "^a", "b$", "^[a-z]*$", `\d`, "^.$")}
	wrong := func() any {
		return map[string]any{"properties": map[string]any{g.name(): pattern, g.name(): pattern}}
	}
	switch g.IntN(6) {
	case 0:
		root["not"] = wrong()
	case 1:
		root["if"], root["then"], root["else"] = wrong(), g.schema(1), g.schema(1)
	case 2:
		root["anyOf"] = []any{wrong(), g.schema(1), wrong()}
	case 3:
		root["oneOf"] = []any{wrong(), g.schema(1), wrong()}
	case 4:
		root["patternProperties"] = map[string]any{"a": false, "b": map[string]any{"properties": map[string]any{"c": map[string]any{"default": "x"}}}}
	default:
		root["propertyNames"] = map[string]any{"not": pattern}
	}
	return root
}

// FuzzPatternsThatCannotBeMatched: whatever a pattern gives up on, nothing gets through that would not have got through
// had it not, and nothing becomes of it that would not have.
func FuzzPatternsThatCannotBeMatched(f *testing.F) {
	for seed := range uint64(200) {
		f.Add(seed, seed*7)
	}
	f.Fuzz(func(t *testing.T, seed, hard uint64) {
		g := generator{rand.New(rand.NewPCG(seed, 2))}
		text, err := json.Marshal(g.patterned())
		require.NoError(t, err)
		input, err := json.Marshal(g.value(3))
		require.NoError(t, err)
		sound, err := schema.Compile(text, schema.Options{Regexp: re2.Compile})
		if err != nil {
			return
		}
		gaveUp := false
		failing, err := schema.Compile(text, schema.Options{Regexp: givesUp(func(s string) bool {
			isHard := hard>>(uint(len(s))%16)&1 != 0
			gaveUp = gaveUp || isHard
			return isHard
		})})
		if err != nil {
			return // a default that its own pattern gives up on
		}
		gaveUp = false
		want, wantErr := sound.Validate(input)
		got, gotErr := failing.Validate(input)
		if gaveUp {
			require.ErrorIs(t, gotErr, schema.ErrNotChecked, "%s\n%s", text, input)
			require.Nil(t, got)
			return
		}
		require.Equal(t, wantErr, gotErr, "%s\n%s", text, input)
		require.Equal(t, want, got)
	})
}
