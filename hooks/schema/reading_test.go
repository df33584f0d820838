package schema_test

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/hooks/schema"
	"github.com/webmcp-wasm/webmcp/hooks/schema/re2"
	"github.com/webmcp-wasm/webmcp/internal/jsontape"
)

// Another implementation of Holds: it writes a condition as it is read, which is a JSON
// Schema again, and has that checked.

// rewriter writes a condition as it is read.
type rewriter struct{ tape *jsontape.Tape }

// for which types keywords are.
var typed = map[string]string{
	"properties": "object", "patternProperties": "object", "additionalProperties": "object", "propertyNames": "object",
	"required": "object", "minProperties": "object", "maxProperties": "object", "dependentRequired": "object",
	"dependentSchemas": "object", "dependencies": "object",
	"items": "array", "prefixItems": "array", "additionalItems": "array", "contains": "array", "minItems": "array",
	"maxItems": "array", "uniqueItems": "array",
	"minimum": "number", "maximum": "number", "exclusiveMinimum": "number", "exclusiveMaximum": "number", "multipleOf": "number",
	"minLength": "string", "maxLength": "string", "pattern": "string", "format": "string",
}

// schema writes a schema in a reading.
func (w *rewriter) schema(out *writer, n jsontape.Node, strict bool) {
	t := w.tape
	if t.Kind(n) != jsontape.Object {
		out.node(t, n) // true or false
		return
	}
	var clauses writer // what must hold besides
	var types []string
	out.put("{")
	_, hasType := t.Member(n, "type")
	for k, end := t.Children(n); k < end; k = t.Next(k + 1) {
		name, value := t.Str(k), k+1
		kind := typed[name]
		if name == "format" && t.Kind(value) == jsontape.String && strings.Contains(" int32 int64 float double ", " "+t.Str(value)+" ") {
			kind = "number"
		}
		if kind != "" && !slices.Contains(types, kind) {
			types = append(types, kind)
		}
		switch name {
		case "default", // nothing is filled in
			"then", "else", // of if
			"maxContains": // of contains
			continue
		case "allOf": // joins the clauses
			for e, end := t.Children(value); e < end; e = t.Next(e) {
				w.schema(&clauses, e, strict)
				clauses.put(",")
			}
			continue
		case "oneOf":
			w.oneOf(&clauses, value, strict)
			continue
		case "if":
			w.choice(&clauses, n, strict)
			continue
		}
		out.name(name)
		switch name {
		case "not":
			w.schema(out, value, !strict)
		case "contains":
			w.schema(out, value, strict)
			if most, has := t.Member(n, "maxContains"); has {
				clauses.put(`{"minContains":0,"contains":`)
				w.schema(&clauses, value, !strict)
				clauses.put(`,"maxContains":`)
				clauses.node(t, most)
				clauses.put("},")
			}
		case "properties", "patternProperties", "dependentSchemas", "dependencies":
			w.named(out, value, strict)
			if strict && name == "properties" {
				w.needed(&clauses, value)
			}
		case "anyOf", "prefixItems", "items", "additionalProperties", "propertyNames", "additionalItems":
			if t.Kind(value) != jsontape.Array {
				w.schema(out, value, strict)
				break
			}
			w.list(out, value, strict)
			if strict && name != "anyOf" {
				clauses.put(`{"minItems":` + strconv.Itoa(t.Len(value)) + "},")
			}
		default:
			out.node(t, value)
		}
		out.put(",")
	}
	if strict && !hasType && len(types) > 0 {
		clauses.put("{")
		list, _ := json.Marshal(types)
		clauses.put(`"type":` + string(list))
		clauses.end("},")
	}
	if len(clauses.text) > 0 {
		out.put(`"allOf":[`)
		out.put(string(clauses.text))
		out.end("]")
	}
	out.end("}")
}

// named writes an object whose members are schemas, or lists of names.
func (w *rewriter) named(out *writer, n jsontape.Node, strict bool) {
	t := w.tape
	out.put("{")
	for m, end := t.Children(n); m < end; m = t.Next(m + 1) {
		name := t.Str(m)
		out.name(name)
		if t.Kind(m+1) == jsontape.Array {
			out.node(t, m+1)
		} else {
			w.schema(out, m+1, strict)
		}
		out.put(",")
	}
	out.end("}")
}

// needed writes that the properties must be there of which something is said.
func (w *rewriter) needed(clauses *writer, properties jsontape.Node) {
	t := w.tape
	for m, end := t.Children(properties); m < end; m = t.Next(m + 1) {
		if t.Kind(m+1) == jsontape.Object && t.Len(m+1) > 0 {
			clauses.put(`{"required":[`)
			clauses.node(t, m)
			clauses.put("]},")
		}
	}
}

// list writes a list of schemas.
func (w *rewriter) list(out *writer, n jsontape.Node, strict bool) {
	out.put("[")
	for e, end := w.tape.Children(n); e < end; e = w.tape.Next(e) {
		w.schema(out, e, strict)
		out.put(",")
	}
	out.end("]")
}

// oneOf writes that exactly one schema holds. That certainly is so where only one of
// them may hold, and one certainly does; and it may be so where one may hold, and no
// two certainly do.
func (w *rewriter) oneOf(out *writer, list jsontape.Node, strict bool) {
	var loose, sure writer
	w.list(&loose, list, false)
	w.list(&sure, list, true)
	loosely, strictly := string(loose.text), string(sure.text)
	if strict {
		out.put(`{"oneOf":` + loosely + `,"anyOf":` + strictly + "},")
		return
	}
	out.put(`{"anyOf":` + loosely + `,"allOf":[{"anyOf":[{"oneOf":` + strictly + `},{"not":{"anyOf":` + strictly + "}}]}]},")
}

// choice writes if, then and else of a schema. Where nobody knows whether if holds,
// both of the others must, or, loosely, one.
func (w *rewriter) choice(out *writer, n jsontape.Node, strict bool) {
	branch := func(name string, strict bool) string {
		value, has := w.tape.Member(n, name)
		if !has {
			return "true"
		}
		var text writer
		w.schema(&text, value, strict)
		return string(text.text)
	}
	loosely, strictly := branch("if", false), branch("if", true)
	then, otherwise := branch("then", strict), branch("else", strict)
	if strict {
		out.put(`{"anyOf":[{"not":` + loosely + "}," + then + `]},{"anyOf":[` + strictly + "," + otherwise + "]},")
		return
	}
	out.put(`{"anyOf":[{"allOf":[` + loosely + "," + then + `]},{"allOf":[{"not":` + strictly + "}," + otherwise + "]}]},")
}

// writer writes JSON.
type writer struct{ text []byte }

func (w *writer) put(s string) { w.text = append(w.text, s...) }

func (w *writer) node(t *jsontape.Tape, n jsontape.Node) { w.text = t.AppendJSON(w.text, n) }

func (w *writer) name(s string) { w.text = append(jsontape.AppendString(w.text, s), ':') }

// end ends a list or an object, behind whose last part a comma may stand.
func (w *writer) end(bracket string) {
	w.text = append([]byte(strings.TrimSuffix(string(w.text), ",")), bracket...)
}

// rewritten returns the schema that a condition is in a reading.
func rewritten(t testing.TB, condition string, strict bool) *schema.Schema {
	t.Helper()
	w := rewriter{new(jsontape.Tape)}
	require.NoError(t, w.tape.Parse([]byte(condition)))
	var out writer
	w.schema(&out, jsontape.Root, strict)
	s, err := schema.Compile(out.text, schema.Options{Regexp: re2.Compile, NoDefaults: true})
	require.NoError(t, err, "%s of %s", out.text, condition)
	return s
}

type object = map[string]any

func oneFrom[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// anyCondition returns a condition of any keywords.
func anyCondition(r *rand.Rand, depth int) any {
	sub := func() any {
		if depth == 0 {
			return oneFrom(r, []any{true, false, object{}, object{"minimum": 2}, object{"const": "x"}, object{"title": "x"}})
		}
		return anyCondition(r, depth-1)
	}
	subs := func() []any {
		list := []any{}
		for range 1 + r.IntN(3) {
			list = append(list, sub())
		}
		return list
	}
	named := func() object {
		all := object{}
		for range r.IntN(3) {
			all[oneFrom(r, []string{"a", "b", "c"})] = sub()
		}
		return all
	}
	names := func() []string { return oneFrom(r, [][]string{{}, {"a"}, {"b"}, {"a", "b"}}) }
	keywords := []struct {
		name  string
		value func() any
	}{
		{"type", func() any {
			return oneFrom(r, []any{"object", "array", "number", "integer", "string", []string{"null", "array"}, "boolean"})
		}},
		{"const", func() any { return oneFrom(r, []any{1, "x", nil, []any{1}, object{"a": 1}}) }},
		{"enum", func() any { return oneFrom(r, [][]any{{1, 2}, {"x", nil}, {}, {true}}) }},
		{"allOf", func() any { return subs() }},
		{"anyOf", func() any { return subs() }},
		{"oneOf", func() any { return subs() }},
		{"not", sub},
		{"if", sub},
		{"then", sub},
		{"else", sub},
		{"properties", func() any { return named() }},
		{"properties", func() any { return named() }},
		{"patternProperties", func() any { return oneFrom(r, []any{object{}, object{"^[ab]": sub()}}) }},
		{"additionalProperties", sub},
		{"propertyNames", sub},
		{"required", func() any { return names() }},
		{"dependentRequired", func() any { return oneFrom(r, []any{object{}, object{"a": names()}}) }},
		{"dependentSchemas", func() any { return named() }},
		{"dependencies", func() any { return oneFrom(r, []any{object{}, object{"a": names()}, object{"a": sub()}}) }},
		{"minProperties", func() any { return r.IntN(3) }},
		{"maxProperties", func() any { return r.IntN(3) }},
		{"items", sub},
		{"prefixItems", func() any { return subs() }},
		{"contains", sub},
		{"contains", sub},
		{"minItems", func() any { return r.IntN(3) }},
		{"maxItems", func() any { return r.IntN(3) }},
		{"uniqueItems", func() any { return r.IntN(2) == 0 }},
		{"minimum", func() any { return r.IntN(3) }},
		{"exclusiveMaximum", func() any { return r.IntN(3) }},
		{"multipleOf", func() any { return 1 + r.IntN(2) }},
		{"minLength", func() any { return r.IntN(3) }},
		{"maxLength", func() any { return r.IntN(3) }},
		{"pattern", func() any { return oneFrom(r, []string{"^x", "a"}) }},
		{"format", func() any { return oneFrom(r, []string{"date", "int32", "email", "float"}) }},
		{"title", func() any { return "a title" }},
		{"errorMessage", func() any { return "must be better" }},
	}
	condition := object{}
	for range 1 + r.IntN(3) {
		k := oneFrom(r, keywords)
		condition[k.name] = k.value()
	}
	if condition["contains"] != nil {
		for _, name := range []string{"minContains", "maxContains"} {
			if r.IntN(2) == 0 {
				condition[name] = r.IntN(3)
			}
		}
	}
	if list, isList := condition["items"].([]any); isList && len(list) == 0 || condition["prefixItems"] != nil {
		delete(condition, "items")
	}
	if r.IntN(8) == 0 && condition["prefixItems"] == nil && condition["items"] == nil {
		condition["items"], condition["additionalItems"] = subs(), sub()
	}
	return condition
}

func anyInput(r *rand.Rand, depth int) any {
	switch n := r.IntN(8); {
	case depth > 0 && n < 3:
		o := object{}
		for _, name := range []string{"a", "b", "x"} {
			if r.IntN(2) == 0 {
				o[name] = anyInput(r, depth-1)
			}
		}
		return o
	case depth > 0 && n < 5:
		list := []any{}
		for range r.IntN(4) {
			list = append(list, anyInput(r, depth-1))
		}
		return list
	}
	return oneFrom(r, []any{nil, true, 0, 1, 2, 3, 1.5, 1e12, "", "x", "xa", "2026-01-31", "a@b.example"})
}

// The strict reading implies the loose one, and where they agree they say what JSON
// Schema says.
func TestAConditionIsReadAsASchemaThatIsWrittenFor(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(13, 14))
	said := map[[2]bool]int{}
	for range 6000 {
		text, err := json.Marshal(anyCondition(r, 2))
		require.NoError(t, err)
		s, err := schema.Compile(text, schema.Options{Regexp: re2.Compile, NoDefaults: true, Condition: true})
		require.NoError(t, err, "%s", text)
		plain, err := schema.Compile(text, schema.Options{Regexp: re2.Compile, NoDefaults: true})
		require.NoError(t, err)
		loosely, strictly := rewritten(t, string(text), false), rewritten(t, string(text), true)
		for range 5 {
			input, err := json.Marshal(anyInput(r, 2))
			require.NoError(t, err)
			var d schema.Document
			require.NoError(t, d.Read(input))
			got := [2]bool{s.Holds(&d, false), s.Holds(&d, true)}
			_, loose := loosely.Validate(input)
			_, strict := strictly.Validate(input)
			require.Equal(t, [2]bool{loose == nil, strict == nil}, got, "%s of %s", text, input)
			require.True(t, got[0] || !got[1])
			if got[0] == got[1] {
				_, err := plain.Validate(input)
				require.Equal(t, err == nil, got[0], "%s of %s", text, input)
			}
			said[got]++
		}
	}
	require.Len(t, said, 3)
	for _, n := range said {
		require.Greater(t, n, 2000)
	}
}

func TestWhatIsNotThereIsUnknown(t *testing.T) {
	t.Parallel()
	s, err := schema.Compile([]byte(`{"type":"object"}`), schema.Options{Condition: true})
	require.NoError(t, err)
	for name, d := range map[string]*schema.Document{"nothing": nil, "nothing that was read": new(schema.Document)} {
		require.Equal(t, []bool{true, false}, []bool{s.Holds(d, false), s.Holds(d, true)}, name)
	}
	var read schema.Document
	require.Error(t, read.Read([]byte(`{`)))
	require.Equal(t, []bool{true, false}, []bool{s.Holds(&read, false), s.Holds(&read, true)}, "no JSON")
	require.NoError(t, read.Read([]byte(`[]`)))
	require.Equal(t, []bool{false, false}, []bool{s.Holds(&read, false), s.Holds(&read, true)})
	var none *schema.Schema
	require.True(t, none.Holds(nil, true))
}

func TestAConditionThatTakesTooLongIsUnknown(t *testing.T) {
	t.Parallel()
	condition := `{"required":["a"]}`
	for range 30 {
		condition = `{"oneOf":[` + condition + `,{"required":["b"]}]}`
	}
	s, err := schema.Compile([]byte(condition), schema.Options{Condition: true})
	require.NoError(t, err)
	var read schema.Document
	require.NoError(t, read.Read([]byte(`{"a":1}`)))
	require.Equal(t, []bool{true, false}, []bool{s.Holds(&read, false), s.Holds(&read, true)})
}

func TestAConditionRefersToNothing(t *testing.T) {
	t.Parallel()
	for text, pointer := range map[string]string{
		`{"$ref":"#/$defs/a","$defs":{"a":true}}`:          "#/$ref",
		`{"properties":{"a":{"$id":"https://a.example"}}}`: "#/properties/a/$id",
		`{"items":{"unevaluatedProperties":false}}`:        "#/items/unevaluatedProperties",
		`{"definitions":{}}`:                               "#/definitions",
		`{"format":"colour"}`:                              "#/format",
	} {
		_, err := schema.Compile([]byte(text), schema.Options{Condition: true})
		var wrong *schema.CompileError
		require.ErrorAs(t, err, &wrong, text)
		require.Equal(t, pointer, wrong.Pointer)
		_, err = schema.Compile([]byte(text), schema.Options{})
		require.NoError(t, err, "else it may")
	}
}
