package policy_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/hooks/policy"
)

// redacted returns a result as a rule lets it out.
func redacted(t testing.TB, redact, result string) (string, error) {
	t.Helper()
	var c policy.Check
	plan := of(t, `{"tools": "*", "redact": `+redact+`}`).Plan(policy.Tool{Name: "get"})
	require.True(t, c.Start(plan, 0, 0, nil))
	require.True(t, c.Redacts())
	out, err := c.Redact(nil, []byte(result))
	return string(out), err
}

// texted returns the result that consists of one text.
func texted(text string) string {
	quoted, _ := json.Marshal(text)
	return `{"content":[{"type":"text","text":` + string(quoted) + `}]}`
}

func TestMasks(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ redact, output, want string }{
		"remove a member":               {`{"/a": "remove"}`, `{"a": 1, "b": 2}`, `{"b":2}`},
		"remove the only one":           {`{"/a": "remove"}`, `{"a": 1}`, `{}`},
		"remove an item":                {`{"/l/1": "remove"}`, `{"l": [1, 2, 3]}`, `{"l":[1,3]}`},
		"full":                          {`{"/a": "full"}`, `{"a": {"b": 1}}`, `{"a":"***"}`},
		"full, of nothing":              {`{"/a": "full"}`, `{"a": null}`, `{"a":"***"}`},
		"email":                         {`{"/a": "email"}`, `{"a": "ada@example.com"}`, `{"a":"a***@example.com"}`},
		"email of one letter":           {`{"/a": "email"}`, `{"a": "a@example.com"}`, `{"a":"***@example.com"}`},
		"email in other letters":        {`{"/a": "email"}`, `{"a": "Ωmega@example.com"}`, `{"a":"Ω***@example.com"}`},
		"email that is none":            {`{"/a": "email"}`, `{"a": "Ada, room 7"}`, `{"a":"***"}`},
		"email that is more":            {`{"/a": "email"}`, `{"a": "Ada <ada@example.com>"}`, `{"a":"***"}`},
		"email without a domain":        {`{"/a": "email"}`, `{"a": "secret@"}`, `{"a":"***"}`},
		"email that is no text":         {`{"/a": "email"}`, `{"a": ["x"]}`, `{"a":"***"}`},
		"last4":                         {`{"/a": "last4"}`, `{"a": "4111 1111 1111 1234"}`, `{"a":"***1234"}`},
		"last4 of a number":             {`{"/a": "last4"}`, `{"a": 41111111}`, `{"a":"***1111"}`},
		"last4 of too little":           {`{"/a": "last4"}`, `{"a": "1234567"}`, `{"a":"***"}`},
		"last4 of others":               {`{"/a": "last4"}`, `{"a": {"b": "12345678"}}`, `{"a":"***"}`},
		"each item":                     {`{"/l/*/n": "last4"}`, `{"l": [{"n": "12345678"}, {"m": 1}, 5]}`, `{"l":[{"n":"***5678"},{"m":1},5]}`},
		"each member":                   {`{"/*/n": "full"}`, `{"a": {"n": 1}, "b": {"n": 2}, "c": 3}`, `{"a":{"n":"***"},"b":{"n":"***"},"c":3}`},
		"a name with a slash":           {`{"/a~1b/c~0d": "full"}`, `{"a/b": {"c~d": 1}}`, `{"a/b":{"c~d":"***"}}`},
		"an empty name":                 {`{"/": "full"}`, `{"": 1}`, `{"":"***"}`},
		"a name with an escape":         {`{"/é": "full"}`, `{"\u00e9": 1}`, `{"é":"***"}`},
		"a path that leads nowhere":     {`{"/a/b/c": "remove"}`, `{"a": {"x": 1}}`, `{"a":{"x":1}}`},
		"an index that is none":         {`{"/l/01": "remove", "/l/-": "full"}`, `{"l": [1, 2]}`, `{"l":[1,2]}`},
		"a list":                        {`{"/0/a": "remove"}`, `[{"a": 1}, {"a": 2}]`, `[{},{"a":2}]`},
		"two masks make the strict one": {`{"/a": "last4", "/*": "email"}`, `{"a": "12345678"}`, `{"a":"***"}`},
		"nothing hides more":            {`{"/a": "remove", "/*": "full"}`, `{"a": 1, "b": 2}`, `{"b":"***"}`},
		"the outer mask":                {`{"/a": "full", "/a/b": "remove"}`, `{"a": {"b": 1}}`, `{"a":"***"}`},
		"a member that is there twice":  {`{"/a": "full"}`, `{"a": "x", "a": "y"}`, `{"a":"***"}`},
		"twice, under another path":     {`{"/a/b": "full"}`, `{"a": {"b": "x"}, "a": {}}`, `{"a":{}}`},
		"twice, behind the paths":       {`{"/z": "full"}`, `{"a": {"b": "x", "b": "y"}}`, `{"a":{"b":"y"}}`},
		"a number as it was written":    {`{"/a": "full"}`, `{"n": 1.50e3}`, `{"n":1.50e3}`},
		"a text with JSON in it":        {`{"/a": "full"}`, `"{\"a\": 1}"`, `"{\"a\":\"***\"}"`},
		"a number":                      {`{"/a": "full"}`, `5`, `5`},
		"nothing":                       {`{"/a": "full"}`, ``, ``},
	} {
		out, err := redacted(t, test.redact, texted(test.output))
		require.NoError(t, err, name)
		require.Equal(t, texted(test.want), out, name)
		if test.output == "" {
			continue
		}
		// The same output for programs.
		out, err = redacted(t, test.redact, `{"content":[],"structuredContent":`+test.output+`}`)
		require.NoError(t, err, name)
		require.Equal(t, `{"content":[],"structuredContent":`+test.want+`}`, out, name)
	}
}

func TestEqualValuesHaveEqualHashesUnderOneKey(t *testing.T) {
	t.Parallel()
	out, err := redacted(t, `{"/*": "hash"}`, texted(`{"a": "ada", "b": "\u0061da", "c": "bob", "d": 1}`))
	require.NoError(t, err)
	require.Regexp(t, `^\{"content":\[\{"type":"text","text":"\{\\"a\\":\\"(#[0-9a-f]{16})\\",\\"b\\":\\"#[0-9a-f]{16}\\",`, out)
	var result struct{ Content []struct{ Text string } }
	require.NoError(t, json.Unmarshal([]byte(out), &result))
	var values map[string]string
	require.NoError(t, json.Unmarshal([]byte(result.Content[0].Text), &values))
	require.Equal(t, values["a"], values["b"])
	require.NotEqual(t, values["a"], values["c"])
	d := parsed(t, `{"webmcp": 1, "rules": [{"tools": "*", "redact": {"/*": "hash"}}]}`)
	var c policy.Check
	c.Start(policy.New(policy.Key{9}, d).Plan(policy.Tool{Name: "get"}), 0, 0, nil)
	other, err := c.Redact(nil, []byte(texted(`{"a": "ada"}`)))
	require.NoError(t, err)
	require.NotContains(t, string(other), values["a"], "another key")
}

func TestWhatCannotBeReadIsNotLetOut(t *testing.T) {
	t.Parallel()
	for name, result := range map[string]string{
		"a sentence":             texted(`the email is ada@example.com`),
		"JSON with more behind":  texted(`{"email": "ada@example.com"} and so on`),
		"a text in a text":       texted(`"the email is ada@example.com"`),
		"one of two":             `{"content":[{"type":"text","text":"{}"},{"type":"text","text":"ada@example.com"}]}`,
		"an image":               `{"content":[{"type":"image","data":"ada@example.com"}]}`,
		"a resource":             `{"content":[{"type":"resource","resource":{"text":"ada@example.com"}}]}`,
		"no item":                `{"content":["ada@example.com"]}`,
		"no kind":                `{"content":[{"text":"{}"}]}`,
		"a member that is text":  `{"content":[],"summary":"ada@example.com"}`,
		"structured, but a text": `{"content":[],"structuredContent":"ada@example.com"}`,
		"beside a text":          `{"content":[{"type":"text","text":"{}","note":"ada@example.com"}]}`,
		"a failure":              `{"content":[{"type":"text","text":"no ada@example.com"}],"isError":true}`,
		"no result":              `[]`,
		"no JSON":                `{`,
	} {
		out, err := redacted(t, `{"/email": "remove"}`, result)
		require.Error(t, err, name)
		require.NotContains(t, err.Error(), "ada")
		require.Empty(t, out, name)
	}
}

func TestWhatElseAResultHasIsRedactedToo(t *testing.T) {
	t.Parallel()
	out, err := redacted(t, `{"/email": "remove", "/summary": "full", "/gone": "remove"}`,
		`{"content":[{"type":"text","text":"{}","_meta":{"email":1}}],"_meta":{"email":1,"a":2},"summary":"x","gone":1,"isError":false,"code":"C"}`)
	require.NoError(t, err)
	require.Equal(t, `{"content":[{"type":"text","text":"{}","_meta":{}}],"_meta":{"a":2},"summary":"***","isError":false,"code":"C"}`, out)
	out, err = redacted(t, `{"/*": "full"}`, `{"content":[],"isError":true,"code":"C","executed":true,"more":1}`)
	require.NoError(t, err)
	require.Equal(t, `{"content":[],"isError":true,"code":"C","executed":true,"more":"***"}`, out, "what says how the call ended stays")
}

func TestConditionalRedactionsJoinTheOthers(t *testing.T) {
	t.Parallel()
	plan := of(t, `{"tools": "*", "redact": {"/a": "full"}},
		{"tools": "*", "redact": {"/b": "full"}, "unless": {"context": {"properties": {"role": {"const": "admin"}}}}},
		{"tools": "*", "redact": {"/c": "full"}, "when": {"properties": {"short": {"const": true}}, "required": ["short"]}}`).Plan(policy.Tool{Name: "get"})
	for input, want := range map[[2]string]string{
		{`{}`, `{}`}:                              `{"a":"***","b":"***","c":1}`,
		{`{}`, `{"role":"admin"}`}:                `{"a":"***","b":1,"c":1}`,
		{`{"short": true}`, `{}`}:                 `{"a":"***","b":"***","c":"***"}`,
		{`{"short": true}`, `{"role": "admin"}`}:  `{"a":"***","b":1,"c":"***"}`,
		{`{"short": false}`, `{"role": "guest"}`}: `{"a":"***","b":"***","c":1}`,
	} {
		var c policy.Check
		require.True(t, c.Start(plan, 0, 0, contextOf(t, input[1])) && c.Judge(0, read(t, input[0])))
		out, err := c.Redact(nil, []byte(texted(`{"a": 1, "b": 1, "c": 1}`)))
		require.NoError(t, err)
		require.Equal(t, texted(want), string(out), input)
	}
}

// The second implementation knows nothing of the first: for each value it asks each
// pointer whether it leads there.

// value is a JSON value with its members in order.
type member struct {
	name  string
	value any
}

func decoded(d *json.Decoder) any {
	token, err := d.Token()
	if err != nil {
		panic(err)
	}
	switch token {
	case json.Delim('['):
		list := []any{}
		for d.More() {
			list = append(list, decoded(d))
		}
		_, _ = d.Token()
		return list
	case json.Delim('{'):
		object := []member{}
		for d.More() {
			name, _ := d.Token()
			m := member{name.(string), decoded(d)}
			object = slices.DeleteFunc(object, func(old member) bool { return old.name == m.name })
			object = append(object, m)
		}
		_, _ = d.Token()
		return object
	}
	return token
}

func encoded(v any) string {
	var b strings.Builder
	switch v := v.(type) {
	case []any:
		for i, item := range v {
			b.WriteString(map[bool]string{true: ",", false: "["}[i > 0] + encoded(item))
		}
		return map[bool]string{true: b.String() + "]", false: "[]"}[len(v) > 0]
	case []member:
		for i, m := range v {
			b.WriteString(map[bool]string{true: ",", false: "{"}[i > 0] + encoded(m.name) + ":" + encoded(m.value))
		}
		return map[bool]string{true: b.String() + "}", false: "{}"}[len(v) > 0]
	}
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v)
	return strings.TrimSuffix(b.String(), "\n")
}

// leads reports whether a pointer leads to a path.
func leads(pointer string, path []string) bool {
	tokens := strings.Split(pointer, "/")[1:]
	if len(tokens) != len(path) {
		return false
	}
	for i, token := range tokens {
		if token != "*" && strings.NewReplacer("~1", "/", "~0", "~").Replace(token) != path[i] {
			return false
		}
	}
	return true
}

// naive returns a value as rules let it out, and whether it stays.
func naive(v any, redactions map[string]string, path []string) (any, bool) {
	masks := map[string]bool{}
	for pointer, mask := range redactions {
		if leads(pointer, path) {
			masks[mask] = true
		}
	}
	text, isText := v.(string)
	if n, ok := v.(json.Number); ok && masks["last4"] {
		text, isText = n.String(), true
	}
	switch {
	case masks["remove"]:
		return nil, false
	case len(masks) > 1 || masks["full"]:
		return "***", true
	case masks["hash"]:
		return fmt.Sprintf("#%016x", policy.SipHash(key, []byte(encoded(v)))), true
	case masks["email"]:
		at := strings.LastIndex(text, "@")
		if !isText || at < 1 || at == len(text)-1 || strings.ContainsAny(text, " \t\r\n<>,;") {
			return "***", true
		}
		local := []rune(text[:at])
		if len(local) == 1 {
			return "***" + text[at:], true
		}
		return string(local[0]) + "***" + text[at:], true
	case masks["last4"]:
		runes := []rune(text)
		if !isText || len(runes) < 8 {
			return "***", true
		}
		return "***" + string(runes[len(runes)-4:]), true
	}
	switch v := v.(type) {
	case []any:
		list := []any{}
		for i, item := range v {
			if item, stays := naive(item, redactions, append(path[:len(path):len(path)], strconv.Itoa(i))); stays {
				list = append(list, item)
			}
		}
		return list, true
	case []member:
		object := []member{}
		for _, m := range v {
			if value, stays := naive(m.value, redactions, append(path[:len(path):len(path)], m.name)); stays {
				object = append(object, member{m.name, value})
			}
		}
		return object, true
	}
	return v, true
}

var (
	someNames  = []string{"a", "b", "0", "1", "a/b", "~", "", "é", "*", "\"\\"}
	someTexts  = []string{"", "x", "ada@example.com", "a@b", "4111 1111 1111 1111", "1234567", "12345678", "Ωμέγα@x", "@x", "x@", "a b@c", "日本語日本語日本語", "</script>"}
	someMasks  = []string{"remove", "full", "email", "last4", "hash"}
	someTokens = []string{"a", "b", "0", "1", "2", "a~1b", "~0", "", "é", "*", "*", "*"}
)

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

func anyValue(r *rand.Rand, depth int) any {
	switch n := r.IntN(10); {
	case depth > 0 && n < 4:
		object := []member{}
		for range r.IntN(5) {
			name := pick(r, someNames)
			if !slices.ContainsFunc(object, func(m member) bool { return m.name == name }) {
				object = append(object, member{name, anyValue(r, depth-1)})
			}
		}
		return object
	case depth > 0 && n < 7:
		list := []any{}
		for range r.IntN(4) {
			list = append(list, anyValue(r, depth-1))
		}
		return list
	case n < 8:
		return pick(r, someTexts)
	}
	return pick(r, []any{nil, true, false, json.Number("0"), json.Number("-1.50"), json.Number("1e5"), json.Number("4111111111111111")})
}

func anyRedactions(r *rand.Rand) map[string]string {
	redactions := map[string]string{}
	for range 1 + r.IntN(4) {
		pointer := ""
		for range 1 + r.IntN(4) {
			pointer += "/" + pick(r, someTokens)
		}
		redactions[pointer] = pick(r, someMasks)
	}
	return redactions
}

// compare holds the redactor against the naive one.
func compare(t *testing.T, redactions map[string]string, value any) {
	t.Helper()
	rule, err := json.Marshal(redactions)
	require.NoError(t, err)
	if _, isText := value.(string); isText {
		return // it is JSON again, or refused
	}
	want, stays := naive(value, redactions, nil)
	require.True(t, stays)
	out, err := redacted(t, string(rule), `{"structuredContent":`+encoded(value)+`,"content":[]}`)
	require.NoError(t, err)
	require.Equal(t, `{"structuredContent":`+encoded(want)+`,"content":[]}`, out, "%s of %s", rule, encoded(value))
	var c policy.Check
	c.Start(of(t, `{"tools": "*", "redact": `+string(rule)+`}`).Plan(policy.Tool{Name: "get"}), 0, 0, nil)
	text, err := c.Redact(nil, []byte(`{"content":[{"type":"text","text":`+encoded(encoded(value))+`}]}`))
	require.NoError(t, err)
	var result struct{ Content []struct{ Text string } }
	require.NoError(t, json.Unmarshal(text, &result))
	require.Equal(t, encoded(want), result.Content[0].Text, "%s of %s", rule, encoded(value))
}

func TestTheRedactorDoesWhatANaiveOneDoes(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		compare(t, anyRedactions(r), anyValue(r, 4))
	}
}

func FuzzRedact(f *testing.F) {
	f.Add(`{"a": {"b": ["ada@example.com", 4111111111111111]}, "a/b": null}`, "/a/b/*", byte(2), "/*", byte(1))
	f.Add(`[1, {"a": "b"}]`, "/1/a", byte(4), "/0", byte(0))
	f.Fuzz(func(t *testing.T, text, one string, first byte, two string, second byte) {
		redactions := map[string]string{one: someMasks[int(first)%len(someMasks)], two: someMasks[int(second)%len(someMasks)]}
		rule, err := json.Marshal(redactions)
		if err != nil {
			t.Skip()
		}
		var back map[string]string
		if json.Unmarshal(rule, &back) != nil || len(back) != len(redactions) {
			t.Skip()
		}
		if _, err := policy.Parse([]byte(`{"webmcp": 1, "rules": [{"tools": "*", "redact": `+string(rule)+`}]}`), options); err != nil {
			t.Skip()
		}
		var c policy.Check
		c.Start(of(t, `{"tools": "*", "redact": `+string(rule)+`}`).Plan(policy.Tool{Name: "get"}), 0, 0, nil)
		quoted, _ := json.Marshal(text)
		out, err := c.Redact(nil, []byte(`{"content":[{"type":"text","text":`+string(quoted)+`}]}`))
		if !json.Valid([]byte(text)) {
			if text != "" {
				require.Error(t, err)
			}
			return
		}
		d := json.NewDecoder(strings.NewReader(strings.ToValidUTF8(text, "\ufffd")))
		d.UseNumber()
		value := decoded(d)
		if err != nil { // a text inside of the text, or what Go reads and we do not
			return
		}
		require.True(t, json.Valid(out))
		if _, isText := value.(string); !isText && plain(text) {
			compare(t, back, value)
		}
	})
}

// plain reports whether both implementations write a text in the same way: it has no
// escapes, nothing that becomes U+FFFD, and nothing that only one of them escapes.
func plain(text string) bool {
	return utf8.ValidString(text) && !strings.Contains(text, `\u`) && !strings.ContainsAny(text, "\ufffd\u2028\u2029\x7f")
}
