package schema_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/hooks/schema"
	"github.com/webmcp-wasm/webmcp/hooks/schema/re2"
)

func TestDefaultsFillWhatIsMissing(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ schema, input, want string }{
		{`{"properties":{"n":{"default":1}}}`, `{}`, `{"n":1}`},
		{`{"properties":{"n":{"default":1}}}`, ` { } `, `{"n":1}`},
		{`{"properties":{"n":{"default":null}}}`, `{"m":[{}]}`, `{"m":[{}],"n":null}`},
		{`{"properties":{"n":{"default":1}}}`, `{"n":null}`, ``},
		{`{"properties":{"n":{"default":1}}}`, `{"\u006e":2}`, ``},
		{`{"properties":{"n":{"default":1}}}`, `[]`, ``},
		{`{"default":{"n":1}}`, `{}`, ``},
		{`{"properties":{"a\"b":{"default":{"x": [1, "\u0041"]}}}}`, `{}`, `{"a\"b":{"x":[1,"A"]}}`},
		{`{"properties":{"n":{"type":"integer","default":1}},"required":["n"],"minProperties":1}`, `{}`, `{"n":1}`},
		{`{"properties":{"a":{"properties":{"b":{"properties":{"c":{"default":1}}}}}}}`, `{"a":{"b":{}}}`, `{"a":{"b":{"c":1}}}`},
		{`{"properties":{"a":{"properties":{"b":{"default":1}},"default":{}}}}`, `{}`, `{"a":{"b":1}}`},
		{`{"properties":{"a":{"properties":{"b":{"default":1}},"required":["b"],"default":{}}}}`, `{}`, `{"a":{"b":1}}`},
		{`{"properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"type":"string","default":"x"}}}`, `{}`, `{"a":"x"}`},
		{`{"properties":{"a":{"$ref":"#/$defs/a","default":"y"}},"$defs":{"a":{"type":"string","default":"x"}}}`, `{}`, `{"a":"y"}`},
		{`{"items":{"properties":{"n":{"default":1}}}}`, `[{},{"n":2},{"m":3},4]`, `[{"n":1},{"n":2},{"m":3,"n":1},4]`},
		{`{"prefixItems":[{"properties":{"n":{"default":1}}}],"items":{"properties":{"n":{"default":2}}}}`, `[{},{}]`, `[{"n":1},{"n":2}]`},
		{`{"additionalProperties":{"properties":{"n":{"default":1}}}}`, `{"a":{},"b":{}}`, `{"a":{"n":1},"b":{"n":1}}`},
		{`{"patternProperties":{"^a":{"properties":{"n":{"default":1}}}}}`, `{"a":{},"b":{}}`, `{"a":{"n":1},"b":{}}`},
		{`{"allOf":[{"properties":{"n":{"default":1},"m":{"default":2}}},{"properties":{"n":{"default":3}}}]}`, `{}`, `{"n":1,"m":2}`},
		{`{"properties":{"n":{"default":1},"next":{"$ref":"#"}}}`, `{"next":{"next":{}}}`, `{"next":{"next":{"n":1},"n":1},"n":1}`},
		{`{"allOf":[{"properties":{"o":{"default":{}}}},{"properties":{"o":{"properties":{"n":{"default":1}}}}}]}`, `{}`, `{"o":{"n":1}}`},
		{`{"properties":{"kind":{"default":"a"}},"if":{"properties":{"kind":{"const":"a"}}},"else":false}`, `{}`, `{"kind":"a"}`},
		{`{"properties":{"n":{"allOf":[{"type":"integer"},{"default":1}]}}}`, `{}`, `{"n":1}`},
		{`{"allOf":[{"allOf":[{"properties":{"n":{"default":1}}}]}]}`, `{}`, `{"n":1}`},
		{`{"anyOf":[{"properties":{"n":{"default":1}}}]}`, `{}`, `{"n":1}`},
		{`{"anyOf":[{"required":["m"]},{"properties":{"n":{"default":1}}},{"properties":{"o":{"default":1}}}]}`, `{}`, `{"n":1}`},
		{`{"oneOf":[` + branch("a", 1) + `,` + branch("b", 2) + `]}`, `{"kind":"b"}`, `{"kind":"b","n":2}`},
		{`{"oneOf":[` + branch("a", 1) + `,` + branch("b", 2) + `]}`, `{"kind":"a","n":3}`, ``},
		{`{"items":{"oneOf":[` + branch("a", 1) + `,` + branch("b", 2) + `]}}`, `[{"kind":"a"},{"kind":"b"}]`, `[{"kind":"a","n":1},{"kind":"b","n":2}]`},
		{`{"properties":{"kind":{"default":"b"}},"oneOf":[` + branch("a", 1) + `,` + branch("b", 2) + `]}`, `{}`, `{"kind":"b","n":2}`},
		{`{"if":true,"then":{"properties":{"n":{"default":1}}}}`, `{}`, `{"n":1}`},
		{`{"if":{"required":["m"]},"then":{"properties":{"n":{"default":1}}},"else":{"properties":{"n":{"default":2}}}}`, `{"m":0}`, `{"m":0,"n":1}`},
		{`{"if":{"required":["m"]},"then":{"properties":{"n":{"default":1}}},"else":{"properties":{"n":{"default":2}}}}`, `{}`, `{"n":2}`},
		{`{"if":{"required":["m"]},"then":{"properties":{"n":{"default":1}}}}`, `{}`, ``},
		{`{"dependentSchemas":{"m":{"properties":{"n":{"default":1}}}}}`, `{"m":0}`, `{"m":0,"n":1}`},
		{`{"dependentSchemas":{"m":{"properties":{"n":{"default":1}}}}}`, `{}`, ``},
		{`{"not":{"properties":{"n":{"default":1}},"required":["n"]}}`, `{}`, ``},
	} {
		changed, err := compile(t, test.schema).Validate([]byte(test.input))
		require.NoError(t, err, test.schema)
		require.Equal(t, test.want, string(changed), test.schema)
		require.Equal(t, test.want == "", changed == nil, test.schema)
	}
}

// branch is a form of a union, whose n is required and has a default.
func branch(kind string, n int) string {
	return `{"properties":{"kind":{"const":"` + kind + `"},"n":{"default":` + strconv.Itoa(n) + `}},"required":["kind","n"],"additionalProperties":false}`
}

func TestADefaultThatIsNeverFilledInIsWarnedOf(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"not":{"properties":{"n":{"default":1}}}}`:                                        "#/not/properties/n",
		`{"if":{"properties":{"n":{"default":1}}}}`:                                         "#/if/properties/n",
		`{"contains":{"properties":{"n":{"default":1}}}}`:                                   "#/contains/properties/n",
		`{"unevaluatedProperties":{"properties":{"n":{"default":1}}}}`:                      "#/unevaluatedProperties/properties/n",
		`{"items":{"default":1}}`:                                                           "#/items",
		`{"properties":{"n":{"anyOf":[{"type":"null"},{"type":"integer","default":1}]}}}`:   "#/properties/n/anyOf/1",
		`{"properties":{"n":{"default":1}}}`:                                                "",
		`{"default":{},"properties":{"n":{"allOf":[{"default":1}]}}}`:                       "",
		`{"anyOf":[{"properties":{"n":{"default":1}}}]}`:                                    "",
		`{"properties":{"n":{"$ref":"#/$defs/n","default":2}},"$defs":{"n":{"default":1}}}`: "",
		`{"items":{"properties":{"n":{"default":1}}},"$defs":{"unused":{"default":1}}}`:     "",
		`{"not":{"$ref":"#/$defs/a"},"items":{"$ref":"#/$defs/a"},"$defs":{"a":{"properties":{"n":{"default":1},"a":{"$ref":"#/$defs/a"}}}}}`: "",
	} {
		warnings := compile(t, text).Warnings()
		if want == "" {
			require.Empty(t, warnings, text)
			continue
		}
		require.Equal(t, []string{want + ": its default is never filled in, as it stands where no property can be missing"}, warnings)
	}
}

func TestInputIsCheckedWithItsDefaults(t *testing.T) {
	t.Parallel()
	s := compile(t, `{"properties":{"from":{"type":"integer","default":5},"mode":{"default":"x"}},"not":{"required":["mode","strict"]}}`)
	changed, err := s.Validate([]byte(`{"strict":true}`))
	require.ErrorContains(t, err, "must not be valid against")
	require.Nil(t, changed)
	_, err = s.Validate([]byte(`{"from":"x"}`))
	require.EqualError(t, err, `from: must be an integer, got "x"`)
}

func TestDefaultsCanBeLeftOut(t *testing.T) {
	t.Parallel()
	s, err := schema.Compile([]byte(`{"properties":{"n":{"type":"integer","default":"none"}}}`), schema.Options{NoDefaults: true, Regexp: re2.Compile})
	require.NoError(t, err)
	changed, err := s.Validate([]byte(`{}`))
	require.NoError(t, err)
	require.Nil(t, changed)
}
