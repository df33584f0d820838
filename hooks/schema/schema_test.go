package schema_test

import (
	"errors"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/hooks/schema"
	"github.com/webmcp-wasm/webmcp/hooks/schema/re2"
	"github.com/webmcp-wasm/webmcp/internal/jsontape"
)

func compile(t testing.TB, text string) *schema.Schema {
	t.Helper()
	s, err := schema.Compile([]byte(text), schema.Options{Regexp: re2.Compile})
	require.NoError(t, err)
	return s
}

const order = `{"type":"object","properties":{
	"productId":{"type":"string","minLength":3},"quantity":{"type":"integer","minimum":1,"maximum":10},
	"email":{"type":"string","format":"email"},"size":{"enum":["S","M","L"]}},
	"required":["productId","quantity"],"additionalProperties":false}`

const payment = `{"oneOf":[
	{"type":"object","properties":{"kind":{"const":"card"},"number":{"type":"string"}},"required":["kind","number"]},
	{"type":"object","properties":{"kind":{"const":"iban"},"iban":{"type":"string","minLength":5}},"required":["kind","iban"]}]}`

func TestIssuesTellTheAgentWhatToSend(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ schema, input, want string }{
		{order, `{}`, `productId: is required; quantity: is required`},
		{order, `{"productId":"abc","quantity":12}`, `quantity: must be <= 10, got 12`},
		{order, `{"productId":"abc","quantity":"2"}`, `quantity: must be an integer, got "2"`},
		{
			order, `{"productId":"x","quantity":2.5,"email":"nope","size":"XL","colour":"red"}`,
			`productId: must have at least 3 characters, got "x"; quantity: must be an integer, got 2.5; email: must be an email address, got "nope"; ` +
				`size: must be one of "S", "M", "L", got "XL"; colour: is not allowed (allowed: productId, quantity, email, size)`,
		},
		{order, `["abc"]`, `must be an object, got ["abc"]`},
		{payment, `{"kind":"iban","iban":"DE"}`, `iban: must have at least 5 characters, got "DE"`},
		{payment, `{"kind":"cash"}`, `kind: must be "card" or "iban", got "cash"`},
		{payment, `7`, `must be an object, got 7`},
		{
			`{"anyOf":[{"properties":{"kind":{"const":"a"}}},{"properties":{"kind":{"const":"b"}},"required":["x","y"]}]}`, `{"kind":"b"}`,
			`x: is required; y: is required`,
		},
		{`{"properties":{"items":{"items":{"properties":{"id":{"type":"integer"}}}}}}`, `{"items":[{},{"id":1},{"id":"x"}]}`, `items[2].id: must be an integer, got "x"`},
		{`{"items":{"anyOf":[{"type":"string"},{"type":"null"},{"type":"integer"}]}}`, `["a",null,true]`, `[2]: must be null, a string or an integer, got true`},
		{`{"anyOf":[{"required":["a"]},{"required":["b"]}]}`, `{"c":1}`, `must have one of the 2 allowed forms: a is required, or b is required`},
		{`{"anyOf":[{"minimum":5},{"maximum":1}]}`, `3`, `must have one of the 2 allowed forms: must be >= 5, or must be <= 1`},
		{`{"oneOf":[{"minimum":2},{"maximum":5}]}`, `3`, `must have exactly one of the 2 allowed forms, but has those of number 1 and 2, got 3`},
		{`{"not":{"type":"string"}}`, `"s"`, `must not be valid against {"type":"string"}, got "s"`},
		{`{"uniqueItems":true}`, `[1,{"a":1,"b":2},1.5,{"b":2.0,"a":1}]`, `must have no equal items, but those at 1 and 3 are, got [1,{"a":1,"b":2},1.5,{"b":2.0,"a":1}]`},
		{`{"contains":{"const":5}}`, `[1]`, `must contain at least 1 item valid against {"const":5}, got [1]`},
		{`{"contains":{"const":5},"maxContains":1}`, `[5,5]`, `must contain at most 1 item valid against {"const":5}, got [5,5]`},
		{`{"minItems":2}`, `[]`, `must have at least 2 items, got []`},
		{`{"maxProperties":1}`, `{"a":1,"b":2}`, `must have at most 1 property, got {"a":1,"b":2}`},
		{`{"minProperties":2}`, `{}`, `must have at least 2 properties, got {}`},
		{`{"maxLength":1}`, `"äö"`, `must have at most 1 character, got "äö"`},
		{`{"pattern":"^a"}`, `"b"`, `must match the pattern ^a, got "b"`},
		{`{"propertyNames":{"pattern":"^[a-z]+$"}}`, `{"a b":1}`, `["a b"]: is a name that is not allowed: it must match the pattern ^[a-z]+$`},
		{`{"dependentRequired":{"card":["billing"]}}`, `{"card":1}`, `billing: is required where card is given`},
		{`{"dependentSchemas":{"card":{"required":["billing"]}}}`, `{"card":1}`, `billing: is required`},
		{`{"if":{"required":["a"]},"then":{"required":["b"]},"else":{"required":["c"]}}`, `{}`, `c: is required`},
		{`{"properties":{"a":{}},"unevaluatedProperties":false}`, `{"a":1,"b":2}`, `b: is not allowed`},
		{`{"prefixItems":[{}],"unevaluatedItems":{"type":"null"}}`, `[1,2]`, `[1]: must be null, got 2`},
		{`{"multipleOf":0.01}`, `1.005`, `must be a multiple of 0.01, got 1.005`},
		{`{"const":{"a":[1,2]}}`, `{"a":[1,3]}`, `must be {"a":[1,2]}, got {"a":[1,3]}`},
		{`{"format":"date"}`, `"2026-02-30"`, `must be a date such as 2026-01-31, got "2026-02-30"`},
		{`false`, `1`, `is not allowed`},
		{`{"properties":{"a":{},"n":{"type":"integer"}},"additionalProperties":false}`, `{"\u006e":"x"}`, `n: must be an integer, got "x"`},
		{`{"properties":{"a":{},"n":{"type":"integer"}},"additionalProperties":false}`, `{"n":"x","n":2,"a\u0062":1}`, `ab: is not allowed (allowed: a, n)`},
		{
			`{"properties":{"a":{"properties":{"":false,"b\"c":{"items":[false]},"ä":false}}}}`, `{"a":{"":1,"b\"c":[1],"ä":1}}`,
			`a[""]: is not allowed; a["b\"c"][0]: is not allowed; a.ä: is not allowed`,
		},
		{`{"type":"null"}`, `"` + strings.Repeat("ä", 60) + `"`, `must be null, got "` + strings.Repeat("ä", 28) + `...`},
		{
			`{"items":false}`, `[` + strings.Repeat("1,", 10) + `1]`,
			strings.Join([]string{
				"[0]: is not allowed", "[1]: is not allowed", "[2]: is not allowed", "[3]: is not allowed", "[4]: is not allowed",
				"[5]: is not allowed", "[6]: is not allowed", "[7]: is not allowed", "[8]: is not allowed", "[9]: is not allowed", "and more",
			}, "; "),
		},
		{`true`, `{"a":`, `invalid JSON: the text ends where a value should be at byte 5`},
	} {
		changed, err := compile(t, test.schema).Validate([]byte(test.input))
		require.EqualError(t, err, test.want)
		require.Nil(t, changed)
	}
}

func TestIssueHoldsItsParts(t *testing.T) {
	t.Parallel()
	_, err := compile(t, order).Validate([]byte(`{"productId":"abc","quantity":12}`))
	var invalid *schema.ValidationError
	require.ErrorAs(t, err, &invalid)
	require.False(t, invalid.More)
	require.Len(t, invalid.Issues, 1)
	issue := invalid.Issues[0]
	require.Equal(t, []string{"quantity", "must be <= 10", "12"}, []string{issue.Path, issue.Expected, issue.Got})
}

func TestASchemaSaysItselfWhatIsWrong(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ schema, input, want string }{
		{`{"type":"string","pattern":"^a","errorMessage":"must be a name"}`, `"b"`, `must be a name, got "b"`},
		{`{"type":"string","errorMessage":"must be a name"}`, `1`, `must be a name, got 1`},
		{`{"properties":{"a":{"enum":[1,2],"errorMessage":"must be few"}}}`, `{"a":3}`, `a: must be few, got 3`},
		{`{"properties":{"a":{"minimum":1}},"errorMessage":"must be good"}`, `{"a":0}`, `must be good, got {"a":0}`},
		{`{"$ref":"#/$defs/a","$defs":{"a":{"const":1,"errorMessage":"must be one"}}}`, `2`, `must be one, got 2`},
		{`{"anyOf":[{"type":"string","errorMessage":"must be a name"},{"properties":{"b":{"const":1,"errorMessage":"must be one"}},"type":"object"}]}`, `{"b":2}`, `b: must be one, got 2`},
		{`{"not":{"const":1,"errorMessage":"must be one"}}`, `1`, `must not be valid against {"const":1,"errorMessage":"must be one"}, got 1`},
		{`{"minimum":1,"errorMessage":{"minimum":"of ajv-errors"}}`, `0`, `must be >= 1, got 0`},
	} {
		s := compile(t, test.schema)
		_, err := s.Validate([]byte(test.input))
		require.EqualError(t, err, test.want)
		require.Empty(t, s.Warnings())
	}
	_, err := compile(t, `{"type":"object","unevaluatedProperties":false,"allOf":[{"properties":{"a":{}},"errorMessage":"x"}]}`).Validate([]byte(`{"a":1}`))
	require.NoError(t, err, "what it evaluates counts")
}

func TestWhatPeopleWriteIsToldByJSONPointers(t *testing.T) {
	t.Parallel()
	s, err := schema.Compile([]byte(`{"properties":{"a/b":{"items":{"type":"object","required":["~"],"additionalProperties":false,"properties":{"~":{"minimum":1}}}}}}`), schema.Options{Authored: true})
	require.NoError(t, err)
	for input, want := range map[string]string{
		`{"a/b":[{"~":1},{}]}`:            "/a~1b/1/~0: is required",
		`{"a/b":[{"~":0}]}`:               "/a~1b/0/~0: must be >= 1, got 0",
		`{"a/b":[{"~":1,"x":1}]}`:         "/a~1b/0/x: is not allowed (allowed: ~)",
		`[1`:                              "invalid JSON: the text ends where ',' or the closing bracket should be at byte 2",
		`{"x":1,"x":1}`:                   "has two members of one name",
		`{"a/b":[{"~":1},{"~":1,"~":2}]}`: "/a~1b/1: has two members of one name",
		`{"x":[1,{"y":1,"\u0079":2}]}`:    "/x/1: has two members of one name",
		`{"a/b":[{"~":0,"~":0}],"z":1}`:   "/a~1b/0/~0: must be >= 1, got 0; /a~1b/0: has two members of one name",
	} {
		_, err := s.Validate([]byte(input))
		require.EqualError(t, err, want, input)
	}
	_, err = s.Validate([]byte(`{"a/b":[{"~":1}]}`))
	require.NoError(t, err)
}

func TestWhatCannotBeEnforcedDoesNotCompile(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		schema, pointer, message string
		unsupported              bool
	}{
		{`{"properties":{"a":{"requried":["x"]}}}`, "#/properties/a/requried", "correct its spelling", true},
		{`{"$dynamicRef":"#x"}`, "#/$dynamicRef", "use $ref", true},
		{`{"$recursiveRef":"#"}`, "#/$recursiveRef", "use $ref", true},
		{`{"items":{"nullable":true}}`, "#/items/nullable", `add "null" to type`, true},
		{`{"$ref":"other.json"}`, "#/$ref", "leaves the document", true},
		{`{"$id":"https://example.com/a","$ref":"b"}`, "#/$ref", "leaves the document", true},
		{`{"$ref":"#/$defs/x"}`, "#/$ref", "refers to nothing", false},
		{`{"$ref":"#x"}`, "#/$ref", "refers to nothing", false},
		{`{"$ref":"#/a%2"}`, "#/$ref", "refers to nothing", false},
		{`{"allOf":[{}],"$ref":"#/allOf/01"}`, "#/$ref", "refers to nothing", false},
		{`{"$ref":1}`, "#/$ref", "must be a string", false},
		{`{"$ref":"#"}`, "#", "without end", false},
		{`{"$defs":{"a":{"anyOf":[{"not":{"$ref":"#/$defs/a"}}]}}}`, "#/$defs/a", "without end", false},
		{`{"$defs":{"a":{"$anchor":"x"},"b":{"$anchor":"x"}}}`, "#/$defs/b", "twice", false},
		{`{"$defs":{"a":{"$id":"x"},"b":{"$id":"x"}}}`, "#/$defs/b", "twice", false},
		{`{"$id":5}`, "#", "must be a string", false},
		{`{"type":"strng"}`, "#/type", "must be", false},
		{`{"type":[]}`, "#/type", "must not be empty", false},
		{`{"type":["string",1]}`, "#/type", "array of strings", false},
		{`{"enum":"a"}`, "#/enum", "must be an array", false},
		{`{"minimum":"1"}`, "#/minimum", "must be a number", false},
		{`{"exclusiveMinimum":true}`, "#/exclusiveMinimum", "must be a number", false},
		{`{"multipleOf":0}`, "#/multipleOf", "over 0", false},
		{`{"multipleOf":0.12345678901234567891}`, "#/multipleOf", "18 digits", false},
		{`{"minLength":-1}`, "#/minLength", "whole number", false},
		{`{"maxItems":1.5}`, "#/maxItems", "whole number", false},
		{`{"uniqueItems":1}`, "#/uniqueItems", "boolean", false},
		{`{"required":"a"}`, "#/required", "array of strings", false},
		{`{"required":true}`, "#/required", "array of strings", false},
		{`{"properties":[]}`, "#/properties", "must be an object", false},
		{`{"properties":{"a/b":5}}`, "#/properties/a~1b", "must be an object or a boolean, not 5", false},
		{`{"allOf":[]}`, "#/allOf", "not empty", false},
		{`{"items":[{}],"prefixItems":[{}]}`, "#/items", "prefixItems", false},
		{`{"pattern":"("}`, "#/pattern", "pattern ( does not compile", false},
		{`{"patternProperties":{"(?=a)":{}}}`, "#/patternProperties", "does not compile", false},
		{`{"dependencies":{"a":5}}`, "#/dependencies/a", "must be an object or a boolean", false},
		{`{"properties":{"n":{"type":"number","default":"1"}}}`, "#/properties/n/default", `must be a number, got "1"`, false},
		{`{"$defs":{"n":{"properties":{"c":{"$ref":"#/$defs/n","default":{}}}}},"$ref":"#/$defs/n"}`, "#/$defs/n/properties/c/default", "deeper than 1000", false},
		{`[]`, "#", "must be an object or a boolean", false},
		{`{"type":`, "#", "invalid JSON", false},
		{strings.Repeat(`{"not":`, 1001) + `true` + strings.Repeat("}", 1001), "#", "deeper than 1000", false},
	} {
		_, err := schema.Compile([]byte(test.schema), schema.Options{Regexp: re2.Compile})
		var wrong *schema.CompileError
		require.ErrorAs(t, err, &wrong, test.schema)
		require.Equal(t, test.pointer, wrong.Pointer, test.schema)
		require.ErrorContains(t, err, test.message, test.schema)
		require.Equal(t, test.unsupported, errors.Is(err, schema.ErrUnsupported), test.schema)
	}
	_, err := schema.Compile([]byte(`{"pattern":"a"}`), schema.Options{})
	require.ErrorIs(t, err, schema.ErrUnsupported)
	require.EqualError(t, err, "schema #/pattern: pattern needs Options.Regexp to compile patterns")
}

func TestAnnotationsAreLetThrough(t *testing.T) {
	t.Parallel()
	text := `{"$schema":"https://json-schema.org/draft/2020-12/schema","$comment":"c","title":"t","description":"d","examples":[1],"deprecated":true,
		"readOnly":true,"writeOnly":true,"contentMediaType":"m","contentEncoding":"e","contentSchema":{},"x-order":1,"unit":"m","format":"money"}`
	s, err := schema.Compile([]byte(text), schema.Options{Annotations: []string{"unit"}, Formats: map[string]func(string) bool{"money": nil}})
	require.NoError(t, err)
	_, err = s.Validate([]byte(`"anything"`))
	require.NoError(t, err)
}

func TestAnUnknownFormatIsAnAnnotationWithAWarning(t *testing.T) {
	t.Parallel()
	s := compile(t, `{"properties":{"to":{"format":"emial"},"on":{"format":"date"},"n":{"format":"double"}}}`)
	_, err := s.Validate([]byte(`{"to":"anything"}`))
	require.NoError(t, err)
	require.Equal(t, []string{`#/properties/to/format: the format "emial" is not known, and not enforced: use pattern instead`}, s.Warnings())
}

func TestFormatsOfNumbersAreRanges(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ format, input, want string }{
		{"int32", `2147483647`, ""},
		{"int32", `-2147483648`, ""},
		{"int32", `2147483648`, "must be <= 2147483647, got 2147483648"},
		{"int32", `-2147483649`, "must be >= -2147483648, got -2147483649"},
		{"int32", `1.5`, "must be an integer, got 1.5"},
		{"int32", `1.0`, ""},
		{"int32", `"text"`, ""},
		{"int64", `9223372036854775807`, ""},
		{"int64", `9223372036854775808`, "must be <= 9223372036854775807, got 9223372036854775808"},
		{"int64", `-9223372036854775809`, "must be >= -9223372036854775808, got -9223372036854775809"},
		{"float", `3.4e38`, ""},
		{"float", `-3.5e38`, "must be >= -340282346638528859811704183484516925440, got -3.5e38"},
		{"double", `1.5e308`, ""},
	} {
		s := compile(t, `{"format":"`+test.format+`"}`)
		require.Empty(t, s.Warnings())
		_, err := s.Validate([]byte(test.input))
		if test.want == "" {
			require.NoError(t, err, "%s %s", test.format, test.input)
			continue
		}
		require.EqualError(t, err, test.want)
	}
	_, err := compile(t, `{"format":"double"}`).Validate([]byte(`1e400`))
	require.Error(t, err)
}

func TestFormatsCanBeAdded(t *testing.T) {
	t.Parallel()
	s, err := schema.Compile([]byte(`{"format":"even"}`), schema.Options{Formats: map[string]func(string) bool{"even": func(s string) bool { return len(s)%2 == 0 }}})
	require.NoError(t, err)
	_, err = s.Validate([]byte(`"ab"`))
	require.NoError(t, err)
	_, err = s.Validate([]byte(`"abc"`))
	require.EqualError(t, err, `must be in the format even, got "abc"`)
}

// What the official suite leaves open about the formats.
func TestFormats(t *testing.T) {
	t.Parallel()
	for format, cases := range map[string]struct{ valid, invalid []string }{
		"date":      {[]string{"2000-02-29", "2024-02-29", "0001-01-01", "2026-12-31", "2026-11-30"}, []string{"1900-02-29", "2026-00-10", "2026-13-10", "2026-01-00", "2026-01-32", "2026-04-31", "2026-1-1", ""}},
		"time":      {[]string{"00:00:00Z", "00:00:00.1z", "23:59:59+23:59", "12:00:00.000001-23:59", "23:59:60Z", "00:29:60+00:30", "23:29:60-00:30"}, []string{"24:00:00Z", "12:60:00Z", "23:59:61Z", "12:00:00+24:00", "12:00:00-00:60", "22:59:60Z", "23:58:60Z", "00:29:60Z", "23:59:60+00:30", "12:00:00.Z", "12:00Z", "12:00:00+0100", "12:00:00Zx", ""}},
		"date-time": {[]string{"2026-01-31T14:30:00Z", "2026-01-31t14:30:00z"}, []string{"2026-01-31", "2026-01-31T", "2026-01-31 14:30:00Z", "2026-01-31T14:30:00", "2026-02-31T14:30:00Z", ""}},
		"email": {
			[]string{
				"a@b", "a+b@example.co.uk", `"a\"b"@example.com`, `"~ "@b`, `"a"@b`, "a@[1.2.3.4]", "a@[IPv6:::1]", "a.b@c",
				strings.Repeat("a", 64) + "@b.c", "a@" + strings.Repeat("b.", 125) + "cc",
			},
			[]string{
				"@b", "a@", "a@b@c", "a b@c", "a@-b.c", "ä@b.c", `"a"b"@c`, `"a\"@c`, "a@[::1]", "a@[1.2.3]", strings.Repeat("a", 65) + "@b.c", "a@" + strings.Repeat("b.", 126) + "c", "",
				".a@b", "a.@b", "a..b@c", `""@c`, `"ä"@c`, "\"\x7f\"@c", "\"\x1f\"@c", `"a\` + "\x1f" + `"@c`, `"a@c`, `a"@c`, "a@[IPv6:1]", "a@[IPv6:::1", "a@[]",
				" a@[1.2.3.4]", " a@[IPv6:::1]",
			},
		},
		"hostname": {[]string{"a", "a-b", strings.Repeat("a", 63), strings.Repeat("a.", 126) + "a", "1.2.3.4", "xn--4gbwdl.xn--wgbh1c"}, []string{"", ".", "a..b", "a.", "-a", "a-", "a_b", strings.Repeat("a", 64), "ä.de", strings.Repeat("a.", 126) + "aa", strings.Repeat("a.", 127) + "a"}},
		"ipv4":     {[]string{"0.0.0.0", "255.255.255.255"}, []string{"256.1.1.1", "1.1.1.256", "1.2.3.a", "1..2.3", "1.2.3", "1.2.3.4.5", "1.2.3.", "01.2.3.4", "1.2.3.1000", ""}},
		"ipv6":     {[]string{"::", "1::", "::1.2.3.4", "1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:1.2.3.4", "ABCD::ef01", "::2:3:4:5:6:7:8"}, []string{"1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "12345::", "1:2:3:4::5:6:7:8", "::1:", ":1::", "::1.2.3.4:5", "1:2:3:4:5:1.2.3.4", ":::", "1:::2", "1.2.3.4::", "::1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:1.2.3.4", "g::", ""}},
		"uri": {
			[]string{"a:", "https://user:pw@[::1]:80/a?b=c#d", "http://[v1.x]/", "data:,x", "file:///a/b", "a+-.1:", "a://h:", "http://h:80?q/?:@#f/?:@", "http://a:b@h/@:", "a:%41%5a%aF", "a:-._~!$&'()*+,;=", "a://%41", "http://[::1]", "http://[::1]:", "http://[v1.a:b]"},
			[]string{"", "a", "1a:b", "http://a b", "http://ä.de", "http://[::1", "http://a:port/", "a:%zz", "a:%1", "a:#b#c", "http://[x]/", "http://[::1]80", "http://[::1]:x", "http://[v1.^]/", "http://a/[b]", "a:?[", "a:#[", "a:%4", "a:%g1", "a:%1g", "a:%", "+a:b", "a_b:c", "http://a[@b", "http://h:1:2", "a:<b>", "http://a@b@c", `a:\b`, "://x", "é:x"},
		},
		"uri-reference":         {[]string{"", "/a/b?c#d", "//host/a", "a/b:c", "?q", "#f", "https://a/", "../x"}, []string{"1a:b", "a b", "/ä", "a^", "//[", ":x"}},
		"iri":                   {[]string{"https://ä.de/ö?ü#ß"}, []string{"/ä", "https://ä.de/ ", ""}},
		"iri-reference":         {[]string{"/ä", ""}, []string{"ä^", "a b"}},
		"uri-template":          {[]string{"", "/a/{b}", "{+x,y*}{?q:3}", "/ä{a.b}", "/{%41}"}, []string{"{", "}", "{}", "{a", "{a{b}}", "a}b", "{ä}", "{+}", "a b"}},
		"idn-email":             {[]string{"ä@ö.de", "a@b"}, []string{"ä", "ä@", "ä b@c"}},
		"idn-hostname":          {[]string{"ä.de", "例え.jp", "a"}, []string{"", "-ä", "ä..de", "ä b"}},
		"duration":              {[]string{"P1D", "PT1S", "P1Y2M3DT4H5M6S", "P4W", "PT36H", "P1YT1S"}, []string{"", "P", "PT", "1D", "P1", "PT1D", "P1D2Y", "P1DT", "P1S", "P1Y2W", "P1W2D", "PT1M1M", "p1d", "P1.5D", "PT1S1", "P1DTT1S"}},
		"regex":                 {[]string{"", "^a+$", `\d`}, []string{"(", "[", "a**"}},
		"json-pointer":          {[]string{"", "/", "/a/0", "/~0~1", "/ä"}, []string{"a", "/~", "/~2", "#/a"}},
		"relative-json-pointer": {[]string{"0", "1/a", "10#", "0#"}, []string{"", "/a", "01", "1a", "-1", "1##", "0/~"}},
		"uuid":                  {[]string{"00000000-0000-0000-0000-000000000000", "01234567-aF09-AbCd-Ef01-23456789abcd"}, []string{"000000000000-0000-0000-000000000000", "00000000-0000-0000-0000-0000000000000", "00000000-0000-0000-0000-00000000000g", "{00000000-0000-0000-0000-000000000000}", ""}},
	} {
		s := compile(t, `{"format":"`+format+`"}`)
		for _, value := range cases.valid {
			_, err := s.Validate(jsontape.AppendString(nil, value))
			require.NoError(t, err, format)
		}
		for _, value := range cases.invalid {
			_, err := s.Validate(jsontape.AppendString(nil, value))
			require.Error(t, err, "%s: %s", format, value)
		}
	}
}

func TestNumbersAreExact(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		schema, input string
		valid         bool
	}{
		{`{"multipleOf":0.1}`, `0.3`, true},
		{`{"multipleOf":0.1}`, `4.35`, false},
		{`{"multipleOf":0.01}`, `1234567890123.45`, true},
		{`{"multipleOf":0.0001}`, `0.0075`, true},
		{`{"multipleOf":1e-8}`, `12391239123`, true},
		{`{"multipleOf":0.123456789}`, `1e308`, false},
		{`{"multipleOf":0.5}`, `1e308`, true},
		{`{"multipleOf":0.0016}`, `1`, true},
		{`{"multipleOf":0.0032}`, `1`, false},
		{`{"multipleOf":0.128}`, `1e7`, true},
		{`{"multipleOf":1e-300}`, `1e300`, true},
		{`{"multipleOf":3e-300}`, `1e300`, false},
		{`{"multipleOf":7}`, `-9223372036854775807`, true}, // 7 * 1317624576693539401
		{`{"multipleOf":7}`, `9223372036854775808`, false},
		{`{"multipleOf":1e300}`, `1e-300`, false},
		{`{"multipleOf":10}`, `25`, false},
		{`{"multipleOf":10}`, `0.0e-999999999999999999999`, true},
		{`{"maximum":9007199254740992}`, `9007199254740993`, false},
		{`{"maximum":9007199254740993}`, `9007199254740993.0`, true},
		{`{"exclusiveMaximum":9007199254740993}`, `9007199254740992`, true},
		{`{"minimum":-9007199254740992}`, `-9007199254740993`, false},
		{`{"exclusiveMinimum":0}`, `1e-400`, true},
		{`{"exclusiveMinimum":0}`, `0e99`, false},
		{`{"minimum":0}`, `-0`, true},
		{`{"const":9007199254740993}`, `9007199254740992`, false},
		{`{"const":100}`, `1.00e2`, true},
		{`{"enum":[0]}`, `-0.0`, true},
		{`{"enum":[1]}`, `true`, false},
		{`{"type":"integer"}`, `1.0`, true},
		{`{"type":"integer"}`, `1e308`, true},
		{`{"type":"integer"}`, `12345678901234567890.5`, false},
		{`{"type":"integer"}`, `1e-1`, false},
		{`{"type":"integer"}`, `10e-1`, true},
		{`{"uniqueItems":true}`, `[9007199254740993,9007199254740992]`, true},
		{`{"uniqueItems":true}`, `[1,1.0]`, false},
	} {
		_, err := compile(t, test.schema).Validate([]byte(test.input))
		require.Equal(t, test.valid, err == nil, "%s %s: %v", test.schema, test.input, err)
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	s, err := schema.Compile([]byte(`{"properties":{"a":{"default":"0123456789"}}}`), schema.Options{MaxInputBytes: 12})
	require.NoError(t, err)
	_, err = s.Validate([]byte(`{"a":1,"b":2}`))
	require.ErrorIs(t, err, schema.ErrTooLarge)
	require.EqualError(t, err, "is 13 bytes long, the limit is 12")
	_, err = s.Validate([]byte(`{"a":1,"b":2`))
	require.EqualError(t, err, "invalid JSON: the text ends where ',' or the closing bracket should be at byte 12")
	_, err = s.Validate([]byte(`{}`))
	require.ErrorIs(t, err, schema.ErrTooLarge, "the defaults count")

	large := []byte(`"` + strings.Repeat("a", schema.DefaultMaxInputBytes-1) + `"`)
	_, err = compile(t, `true`).Validate(large)
	require.ErrorIs(t, err, schema.ErrTooLarge)
	unlimited, err := schema.Compile([]byte(`true`), schema.Options{MaxInputBytes: -1})
	require.NoError(t, err)
	_, err = unlimited.Validate(large)
	require.NoError(t, err)

	deep := func(n int) []byte { return []byte(strings.Repeat(`{"a":`, n) + `1` + strings.Repeat(`}`, n)) }
	recursive := compile(t, `{"properties":{"a":{"$ref":"#"}}}`)
	_, err = recursive.Validate(deep(jsontape.MaxDepth))
	require.NoError(t, err)
	_, err = recursive.Validate(deep(jsontape.MaxDepth + 1))
	require.ErrorIs(t, err, schema.ErrTooDeep)
	var invalid *schema.ValidationError
	require.ErrorAs(t, err, &invalid)
	_, err = schema.Compile(deep(jsontape.MaxDepth+1), schema.Options{})
	require.ErrorIs(t, err, schema.ErrTooDeep)
}

func TestAPathShowsTheBeginningOfALongName(t *testing.T) {
	t.Parallel()
	for _, name := range []string{strings.Repeat("x", 1<<20), strings.Repeat("ä", 1<<20), strings.Repeat("a b", 1<<20)} {
		_, err := compile(t, `{"additionalProperties":false}`).Validate([]byte(`{"` + name + `":1}`))
		require.Error(t, err)
		require.Less(t, len(err.Error()), 300)
		require.True(t, utf8.ValidString(err.Error()))
		require.Contains(t, err.Error(), name[:50])
	}
	_, err := compile(t, `{"additionalProperties":false}`).Validate([]byte(`{"` + strings.Repeat("x", 120) + `":1}`))
	require.ErrorContains(t, err, strings.Repeat("x", 120)+":", "one of this length is shown whole")
}

func TestWhatIsNoJSONIsSaidToBeNone(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "{", `{"a":1,}`, "NaN", "1 2"} {
		_, err := compile(t, `true`).Validate([]byte(text))
		require.ErrorIs(t, err, schema.ErrNotJSON, text)
		_, err = schema.Compile([]byte(text), schema.Options{})
		require.ErrorIs(t, err, schema.ErrNotJSON, text)
	}
	_, err := compile(t, `true`).Validate([]byte(`{"a":1,}`))
	require.ErrorContains(t, err, "7", "the message says where")
}

// A schema whose branches recurse doubles the work at each level of the input: that has to end.
func TestBranchesThatMultiplyAreCutOff(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"anyOf":[{"properties":{"a":{"$ref":"#"}},"required":["x"]},{"properties":{"a":{"$ref":"#"}},"required":["y"]},{"type":"number","minimum":2}]}`,
		`{"$defs":{"n":{"properties":{"a":{"allOf":[{"$ref":"#/$defs/n"},{"$ref":"#/$defs/n"}]},"b":{"default":1}}}},"$ref":"#/$defs/n"}`,
	} {
		_, err := compile(t, text).Validate([]byte(strings.Repeat(`{"a":`, 60) + `1` + strings.Repeat(`}`, 60)))
		require.ErrorIs(t, err, schema.ErrTooComplex)
	}
}

// What is valid at the first look costs a step too: looking at hundreds of items ten thousand times takes as long.
func TestItemsAndMembersThatFitAreCounted(t *testing.T) {
	t.Parallel()
	tenfold := func(level int) string {
		return `"l` + strconv.Itoa(level+1) + `":{"allOf":[` + strings.Repeat(`{"$ref":"#/$defs/l`+strconv.Itoa(level)+`"},`, 9) + `{"$ref":"#/$defs/l` + strconv.Itoa(level) + `"}]}`
	}
	var members strings.Builder
	for i := range 200 {
		members.WriteString(`,"k` + strconv.Itoa(i) + `":1`)
	}
	items, object := `[1`+strings.Repeat(",1", 200)+`]`, `{"a":1`+members.String()+`}`
	properties := strings.ReplaceAll(object, ":1", ":{}")
	for name, test := range map[string]struct{ leaf, input string }{
		"items":                    {`{"items":{"type":"number"}}`, items},
		"items, looked at closely": {`{"items":{"type":"number"},"prefixItems":[{}]}`, items},
		"members in order":         {`{"properties":` + properties + `}`, object},
		"members nobody knows":     {`{"properties":{"x":{}}}`, object},
	} {
		for _, levels := range []int{2, 4} {
			s := compile(t, `{"$defs":{"l0":`+test.leaf+`,`+tenfold(0)+`,`+tenfold(1)+`,`+tenfold(2)+`,`+tenfold(3)+`},"$ref":"#/$defs/l`+strconv.Itoa(levels)+`"}`)
			_, err := s.Validate([]byte(test.input))
			if levels == 2 {
				require.NoError(t, err, name)
			} else {
				require.ErrorIs(t, err, schema.ErrTooComplex, name)
			}
		}
	}
}

func TestProtoIsPlainData(t *testing.T) {
	t.Parallel()
	s := compile(t, `{"properties":{"__proto__":{"type":"object","properties":{"n":{"default":1}}},"constructor":{"type":"number"}},"required":["toString"]}`)
	_, err := s.Validate([]byte(`{"__proto__":5,"constructor":"x"}`))
	require.EqualError(t, err, `__proto__: must be an object, got 5; constructor: must be a number, got "x"; toString: is required`)
	changed, err := s.Validate([]byte(`{"__proto__":{},"toString":0}`))
	require.NoError(t, err)
	require.Equal(t, `{"__proto__":{"n":1},"toString":0}`, string(changed))
}

func TestReferencesInTheDocument(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"$id":"Node","properties":{"n":{"type":"integer"},"next":{"$ref":"Node"}}}`,
		`{"$id":"https://example.com/dir/a.json","properties":{"n":{"type":"integer"},"next":{"$ref":"./x/../a.json"}}}`,
		`{"$id":"https://example.com/dir/a.json?v=1","properties":{"n":{"type":"integer"},"next":{"$ref":"?v=1"}}}`,
		`{"$id":"https://example.com/a","properties":{"next":{"$ref":"../../c/.././b"},"n":true},"$defs":{"b":{"$id":"/b","properties":{"n":{"type":"integer"}}}}}`,
		`{"$id":"https://example.com","properties":{"next":{"$ref":"b"},"n":true},"$defs":{"b":{"$id":"/b","properties":{"n":{"type":"integer"}}}}}`,
		`{"$id":"https://example.com/a","properties":{"next":{"$ref":"//other.org/b"}},"$defs":{"b":{"$id":"https://other.org/b","properties":{"n":{"type":"integer"}}}}}`,
		`{"$defs":{"node":{"$anchor":"node","properties":{"n":{"type":"integer"},"next":{"$ref":"#node"}}}},"$ref":"#node"}`,
		`{"definitions":{"node":{"$id":"#node","properties":{"n":{"type":"integer"},"next":{"$ref":"#node"}}}},"$ref":"#/definitions/node"}`,
		`{"properties":{"n":{"type":"integer"},"next":{"$ref":"#"}}}`,
		`{"properties":{"next":{"properties":{"n":{"$ref":"#/examples/0/type%20~1"}}}},"examples":[{"type /":{"type":"integer"}}]}`,
	} {
		s := compile(t, text)
		_, err := s.Validate([]byte(`{"n":1,"next":{"n":2}}`))
		require.NoError(t, err, text)
		_, err = s.Validate([]byte(`{"n":1,"next":{"n":"2"}}`))
		require.EqualError(t, err, `next.n: must be an integer, got "2"`, text)
	}
}

func TestValidTextIsLeftInTheDocument(t *testing.T) {
	t.Parallel()
	s := compile(t, `{"properties":{"n":{"type":"integer","default":7}}}`)
	var document schema.Document
	require.Nil(t, document.Value())
	changed, err := s.ValidateInto(&document, []byte(` {"m":1} `))
	require.NoError(t, err)
	require.Equal(t, `{"m":1,"n":7}`, string(changed))
	require.Equal(t, map[string]any{"m": 1.0, "n": 7.0}, document.Value())

	changed, err = s.ValidateInto(&document, []byte(`{"n":1}`))
	require.NoError(t, err)
	require.Nil(t, changed)
	require.Equal(t, map[string]any{"n": 1.0}, document.Value())

	_, err = s.ValidateInto(&document, []byte(`{"n":`))
	require.ErrorIs(t, err, schema.ErrNotJSON)
	require.Nil(t, document.Value())
	_, err = s.ValidateInto(&document, []byte(`{"n":"x"}`))
	require.EqualError(t, err, `n: must be an integer, got "x"`)
	require.Nil(t, document.Value(), "what is invalid is not handed out")
}

func TestSchemaKeepsNothingOfItsCaller(t *testing.T) {
	t.Parallel()
	text := []byte(`{"properties":{"n":{"const":"word"}}}`)
	s, err := schema.Compile(text, schema.Options{})
	require.NoError(t, err)
	clear(text)
	_, err = s.Validate([]byte(`{"n":1}`))
	require.EqualError(t, err, `n: must be "word", got 1`)
}

func TestSchemaIsSafeForConcurrentUse(t *testing.T) {
	t.Parallel()
	s := compile(t, `{"properties":{"n":{"type":"integer","default":7,"maximum":10},"tags":{"uniqueItems":true}},"unevaluatedProperties":false}`)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 200 {
				changed, err := s.Validate([]byte(`{"tags":["a","b"]}`))
				if err != nil || string(changed) != `{"tags":["a","b"],"n":7}` {
					t.Errorf("got %s, %v", changed, err)
				}
				if _, err := s.Validate([]byte(`{"n":11,"x":1}`)); err == nil || err.Error() != "n: must be <= 10, got 11" {
					t.Errorf("got %v", err)
				}
			}
		})
	}
	all.Wait()
}

func TestValidInputAllocatesNothing(t *testing.T) {
	s := compile(t, order)
	input := []byte(`{"productId":"laptop","quantity":2,"size":"M"}`)
	var document schema.Document
	require.Zero(t, testing.AllocsPerRun(100, func() {
		if _, err := s.ValidateInto(&document, input); err != nil {
			t.Error(err)
		}
	}))
}

// FuzzNothingPanics: whatever the schema and the input are, there is an answer.
func FuzzNothingPanics(f *testing.F) {
	for _, seed := range [][2]string{
		{order, `{"productId":"abc","quantity":12}`},
		{payment, `{"kind":"cash"}`},
		{`{"$id":"a:b","$ref":"#/$defs/x","$defs":{"x":{"default":{},"items":[{}],"additionalItems":false}}}`, `[1,{"a":2}]`},
		{`{"properties":{"a":{"default":1},"b":{"$ref":"#"}},"unevaluatedProperties":{"multipleOf":0.1}}`, `{"b":{},"c":1e99}`},
		{`{"anyOf":[{"contains":{}},{"propertyNames":{"format":"uri"}}],"uniqueItems":true}`, `{"a:b":1}`},
	} {
		f.Add([]byte(seed[0]), []byte(seed[1]))
	}
	f.Fuzz(func(t *testing.T, text, input []byte) {
		s, err := schema.Compile(text, schema.Options{Regexp: re2.Compile})
		if err != nil {
			var wrong *schema.CompileError
			require.ErrorAs(t, err, &wrong)
			return
		}
		changed, err := s.Validate(input)
		if err != nil {
			var invalid *schema.ValidationError
			require.ErrorAs(t, err, &invalid)
			require.NotEmpty(t, invalid.Issues)
			require.Nil(t, changed)
			return
		}
		if changed != nil {
			again, err := s.Validate(changed)
			require.NoError(t, err, "%s", changed)
			require.Nil(t, again, "what has its defaults needs no more")
		}
	})
}
