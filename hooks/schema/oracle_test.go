package schema_test

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	oracle "github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/hooks/schema"
	"github.com/webmcp-wasm/webmcp/hooks/schema/re2"
)

// generator makes schemas and values that have a fair chance to fit each other: they draw on the same few names,
// numbers and strings.
type generator struct{ *rand.Rand }

func pick[T any](g generator, list ...T) T { return list[g.IntN(len(list))] }

func (g generator) name() string { return pick(g, "a", "b", "c", "ä", "__proto__", "a/b~c") }

func (g generator) number() any {
	return pick[any](g, -2, -1, 0, 1, 2, 3, 4, 0.5, 1.5, 10, 1e3, -0.25)
}

func (g generator) word() string {
	return pick(g, "", "a", "b", "ab", "abc", "äöü", "😀", "x1", "a\"b\\c\n")
}

func (g generator) value(depth int) any {
	n := 7
	if depth == 0 {
		n = 5
	}
	switch g.IntN(n) {
	case 0:
		return nil
	case 1:
		return g.IntN(2) == 0
	case 2, 3:
		return g.number()
	case 4:
		return g.word()
	case 5:
		list := make([]any, g.IntN(4))
		for i := range list {
			list[i] = g.value(depth - 1)
		}
		return list
	}
	object := map[string]any{}
	for range g.IntN(4) {
		object[g.name()] = g.value(depth - 1)
	}
	return object
}

func (g generator) schemas(depth int) []any {
	list := make([]any, 1+g.IntN(3))
	for i := range list {
		list[i] = g.schema(depth - 1)
	}
	return list
}

func (g generator) schema(depth int) any {
	if g.IntN(12) == 0 {
		return g.IntN(3) > 0
	}
	s := map[string]any{}
	for range 1 + g.IntN(3) {
		n := 35
		if depth <= 0 {
			n = 19
		}
		switch g.IntN(n) {
		case 0, 1, 2:
			s["type"] = pick[any](g, "null", "boolean", "number", "integer", "string", "array", "object", "object", "array",
				[]any{"string", "null"}, []any{"integer", "object"}, []any{"number", "array"})
		case 3:
			s["const"] = g.value(1)
		case 4:
			s["enum"] = []any{g.value(1), g.value(1), g.value(0)}
		case 5:
			s[pick(g, "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")] = g.number()
		case 6:
			s["multipleOf"] = pick[any](g, 1, 2, 0.5, 3)
		case 7:
			s[pick(g, "minLength", "maxLength")] = g.IntN(4)
		case 8:
			s["pattern"] = pick(g, "^a", "b$", "^[a-z]*$", `\d`, "^.$")
		case 9, 10:
			s[pick(g, "minItems", "maxItems")] = g.IntN(4)
		case 11:
			s["uniqueItems"] = g.IntN(4) > 0
		case 12, 13:
			s[pick(g, "minProperties", "maxProperties")] = g.IntN(4)
		case 14, 15:
			s["required"] = []any{g.name()}
		case 16:
			s["dependentRequired"] = map[string]any{g.name(): []any{g.name()}}
		case 17, 18:
			s["$ref"] = pick(g, "#/$defs/a", "#/$defs/b")
		case 19, 20, 21:
			properties := map[string]any{}
			for range 1 + g.IntN(3) {
				properties[g.name()] = g.schema(depth - 1)
			}
			s["properties"] = properties
		case 22:
			s["patternProperties"] = map[string]any{pick(g, "^a", "[bc]", "^.$"): g.schema(depth - 1)}
		case 23:
			s["additionalProperties"] = g.schema(depth - 1)
		case 24:
			s["propertyNames"] = g.schema(0)
		case 25:
			s["items"] = g.schema(depth - 1)
		case 26:
			s["prefixItems"] = g.schemas(depth)
		case 27:
			s["contains"] = g.schema(depth - 1)
			if g.IntN(2) == 0 {
				s[pick(g, "minContains", "maxContains")] = g.IntN(3)
			}
		case 28:
			s["allOf"] = g.schemas(depth)
		case 29:
			s["anyOf"] = g.schemas(depth)
		case 30:
			s["oneOf"] = g.schemas(depth)
		case 31:
			s["not"] = g.schema(depth - 1)
		case 32:
			s["if"], s["then"], s["else"] = g.schema(depth-1), g.schema(depth-1), g.schema(depth-1)
		case 33:
			s["dependentSchemas"] = map[string]any{g.name(): g.schema(depth - 1)}
		case 34:
			s[pick(g, "unevaluatedProperties", "unevaluatedItems")] = pick[any](g, false, false, g.schema(depth-1))
		}
	}
	return s
}

// document is a schema with $defs that the references find. Those of a may recurse, through properties only.
func (g generator) document() any {
	root, ok := g.schema(3).(map[string]any)
	if !ok {
		return true
	}
	root["$defs"] = map[string]any{
		"a": map[string]any{"properties": map[string]any{"a": g.schema(1)}, "items": g.schema(1)},
		"b": map[string]any{"type": pick(g, "string", "object", "number")},
	}
	return root
}

// compare makes a schema and some values of the seed, and asks both implementations about them.
func compare(t *testing.T, seed uint64) (valid, invalid int) {
	g := generator{rand.New(rand.NewPCG(seed, 1))}
	text, err := json.Marshal(g.document())
	require.NoError(t, err)
	ours, err := schema.Compile(text, schema.Options{Regexp: re2.Compile})
	require.NoError(t, err, "%s", text)

	var parsed oracle.Schema
	require.NoError(t, json.Unmarshal(text, &parsed), "%s", text)
	theirs, err := parsed.Resolve(nil)
	require.NoError(t, err, "%s", text)

	for range 8 {
		value := g.value(3)
		input, err := json.Marshal(value)
		require.NoError(t, err)
		var decoded any
		require.NoError(t, json.Unmarshal(input, &decoded))
		changed, err := ours.Validate(input)
		require.Nil(t, changed)
		want := theirs.Validate(decoded)
		require.Equal(t, want == nil, err == nil, "seed %d\nschema %s\ninput %s\nours %v\ntheirs %v", seed, text, input, err, want)
		if err == nil {
			valid++
			continue
		}
		invalid++
		var all *schema.ValidationError
		require.ErrorAs(t, err, &all)
		require.NotEmpty(t, all.Issues)
		require.LessOrEqual(t, len(all.Issues), schema.MaxIssues)
		for _, issue := range all.Issues {
			require.NotEmpty(t, issue.Expected)
		}
	}
	return valid, invalid
}

// TestAgreesWithAnotherImplementation asks about schemas and values made at random, always the same ones.
func TestAgreesWithAnotherImplementation(t *testing.T) {
	t.Parallel()
	valid, invalid := 0, 0
	for seed := range uint64(600) {
		v, i := compare(t, seed)
		valid, invalid = valid+v, invalid+i
	}
	t.Logf("both agree: %d valid, %d invalid", valid, invalid)
	require.Greater(t, min(valid, invalid), 1000, "the values should be a fair mix")
}

// FuzzAgreesWithAnotherImplementation goes on with other seeds.
func FuzzAgreesWithAnotherImplementation(f *testing.F) {
	f.Add(uint64(1 << 40))
	f.Fuzz(func(t *testing.T, seed uint64) { compare(t, seed) })
}
