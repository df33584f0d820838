package policy_test

import (
	"encoding/json"
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/hooks/policy"
	"github.com/webmcp-wasm/webmcp/hooks/schema"
	"github.com/webmcp-wasm/webmcp/hooks/schema/re2"
)

type object = map[string]any

// anyCondition returns a condition about a and b of an input, or of a context.
func anyCondition(r *rand.Rand, depth int) object {
	one := func() any {
		if depth == 0 {
			return object{"required": []any{pick(r, []string{"a", "b"})}}
		}
		return anyCondition(r, depth-1)
	}
	switch r.IntN(10) {
	case 0:
		return object{"not": one()}
	case 1:
		return object{"anyOf": []any{one(), one()}}
	case 2:
		return object{"oneOf": []any{one(), one()}}
	case 3:
		return object{"allOf": []any{one(), one()}, "type": "object"}
	case 4:
		return object{"if": one(), "then": one(), "else": one()}
	case 5:
		return object{"required": []any{"a"}, "title": "a must be there"}
	}
	return object{"properties": object{
		pick(r, []string{"a", "b"}): pick(r, []any{
			object{"const": 1},
			object{"minimum": 2},
			object{"enum": []any{1, "x", nil}},
			object{"pattern": "^x"},
			object{"type": []any{"string", "null"}},
			object{"minLength": 1},
			object{"prefixItems": []any{true, object{"const": 2}}},
			object{"items": object{"maximum": 3}},
			object{"contains": object{"const": 1}, "maxContains": 1},
			object{"propertyNames": object{"maxLength": 1}},
			object{"additionalProperties": false},
			object{},
			true, false,
		}),
	}}
}

func anyParts(r *rand.Rand) object {
	if r.IntN(2) == 0 {
		return anyCondition(r, 2)
	}
	long := object{}
	for _, part := range []string{"input", "context", "tool"} {
		if r.IntN(2) == 0 {
			long[part] = anyCondition(r, 1)
		}
	}
	if r.IntN(2) == 0 {
		long["tool"] = object{"properties": object{"readOnlyHint": object{"const": r.IntN(2) == 0}}}
	}
	if len(long) == 0 {
		long["context"] = object{"required": []any{"a"}}
	}
	return long
}

func anySelector(r *rand.Rand) any {
	one := func() any {
		return pick(r, []any{"*", "get_*", "*_user", "delete_user", object{"hint": "writes"}, object{"hint": "readOnly", "name": "*"}, object{"name": "get*"}})
	}
	if r.IntN(3) == 0 {
		return []any{one(), one()}
	}
	return one()
}

// effects are the effects that a rule may have, and their values.
var effects = map[string]func(r *rand.Rand) any{
	"deny": func(r *rand.Rand) any { return pick(r, []any{true, "no", "never"}) },
	"approval": func(r *rand.Rand) any {
		return pick(r, []any{
			true,
			object{},
			object{"title": "Sure?", "timeout": "never", "hold": "5s"},
			object{"edit": true, "verify": "passkey"},
			object{"remember": "tool"},
			object{"remember": []any{"arguments", object{"by": []any{"/a"}}, "call"}},
		})
	},
	"rate": func(r *rand.Rand) any {
		return pick(r, []any{"2/s", "3/min", "4/h", object{"limit": 2, "per": "min"}, object{"limit": 1, "per": "h", "of": "rule"}})
	},
	"concurrency":    func(r *rand.Rand) any { return pick(r, []any{1, 2, 1e1, object{"limit": 3, "of": "tool"}}) },
	"timeout":        func(r *rand.Rand) any { return pick(r, []any{"20s", "1500ms", "2min", "1h"}) },
	"maxInputBytes":  func(r *rand.Rand) any { return pick(r, []any{1, 10, 100}) },
	"maxOutputBytes": func(r *rand.Rand) any { return pick(r, []any{1000, 2147483647}) },
	"redact":         func(r *rand.Rand) any { return object{pick(r, outputs): pick(r, someMasks), "/x": pick(r, someMasks)} },
	"audit":          func(*rand.Rand) any { return true },
}

var effectNames = slices.Sorted(maps.Keys(effects))

// output has one secret at each of some places.
const output = `{"x": "secret-x@example.com", "l": [{"y": "secret-y-1234"}, {"y": "secret-z-5678"}], "o": {"y": {"deep": "secret-deep"}}}`

var (
	outputs = []string{"/x", "/*", "/l/*/y", "/l/0", "/l/1/y", "/o", "/o/y/deep", "/nowhere"}
	secrets = []string{"secret-x@example.com", "secret-y-1234", "secret-z-5678", "secret-deep"}
)

func anyRule(r *rand.Rand) object {
	rule := object{"tools": anySelector(r)}
	for range 1 + r.IntN(3) {
		name := pick(r, effectNames)
		rule[name] = effects[name](r)
	}
	if rule["deny"] != nil && r.IntN(2) == 0 {
		rule["code"] = pick(r, []string{"NO", "TOO_MUCH"})
	}
	for name, value := range map[string]any{"when": anyParts(r), "unless": anyParts(r), "except": anySelector(r), "name": "a rule", "description": "text"} {
		if r.IntN(4) == 0 {
			rule[name] = value
		}
	}
	if r.IntN(6) == 0 {
		rule["mode"] = pick(r, []string{"enforce", "report"})
	}
	return rule
}

func anyDocument(r *rand.Rand) object {
	rules := []any{}
	for range r.IntN(5) {
		rules = append(rules, anyRule(r))
	}
	d := object{"webmcp": 1, "rules": rules}
	if r.IntN(5) == 0 {
		d["default"] = pick(r, []string{"allow", "deny"})
	}
	if r.IntN(8) == 0 {
		d["mode"] = pick(r, []string{"enforce", "report"})
	}
	return d
}

func textOf(t testing.TB, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	require.NoError(t, err)
	return string(text)
}

// situation is a call to try.
type situation struct {
	tool           policy.Tool
	input, context string
}

func anySituation(r *rand.Rand) situation {
	values := []string{``, `{}`, `{"a": 1}`, `{"a": 2, "b": "x"}`, `{"b": null}`, `{"a": [1, 2], "b": [3]}`, `{"a": "xyz", "b": {"c": 1}}`, `{"a": [1, "x", 1]}`}
	return situation{
		pick(r, []policy.Tool{{Name: "get_user", ReadOnly: true}, {Name: "delete_user"}, {Name: "save", Consequential: true}}),
		pick(r, values), pick(r, values),
	}
}

// said is what a policy makes of the same call, made several times.
type said struct {
	outcome                      int // of the first: 0 allow, 1 ask, 2 deny
	refusal                      string
	through                      int // how many, all under way at once
	timeout, maxInput, maxOutput int64
	out                          string
	hidden                       []bool // the secrets
	audit                        bool
}

func (s situation) try(t testing.TB, documents ...*policy.Document) (said said) {
	t.Helper()
	p := policy.New(key, documents...)
	plan := p.Plan(s.tool)
	var input *schema.Document
	if s.input != "" {
		input = read(t, s.input)
	}
	context := contextOf(t, s.context)
	e := p.Explain(s.tool, 0, len(s.input), input, context)
	said.timeout, said.maxInput, said.maxOutput, said.audit = e.Timeout, e.MaxInputBytes, e.MaxOutputBytes, e.Audit
	for i := range 6 {
		var c policy.Check
		goesOn := c.Start(plan, int64(i), len(s.input), context)
		require.True(t, goesOn || plan.Gates(), "a gate that was not announced")
		if goesOn && plan.Judges() {
			goesOn = c.Judge(int64(i), input)
		}
		defer c.End(10, 0)
		if i == 0 {
			switch {
			case !goesOn:
				said.outcome, said.refusal = 2, c.Refusal.Code+" "+c.Refusal.Message
				require.Equal(t, "deny", e.Outcome)
			case c.Approval() != nil:
				said.outcome = 1
				require.Equal(t, "ask", e.Outcome)
				require.True(t, plan.Asks())
			default:
				require.Equal(t, "allow", e.Outcome)
			}
			out := []byte(texted(output))
			if c.Redacts() {
				var err error
				out, err = c.Redact(nil, out)
				require.NoError(t, err)
			}
			said.out = string(out)
			for _, secret := range secrets {
				said.hidden = append(said.hidden, !strings.Contains(said.out, secret))
			}
		}
		if goesOn {
			said.through++
		}
	}
	return said
}

// fresh parses a document, whose counts are at their beginning then.
func fresh(t testing.TB, d object) *policy.Document { return parsed(t, textOf(t, d)) }

// tighter checks that nothing is laxer in b than in a.
func tighter(t *testing.T, a, b said, of any) {
	t.Helper()
	text := textOf(t, of)
	require.GreaterOrEqual(t, b.outcome, a.outcome, text)
	require.LessOrEqual(t, b.through, a.through, text)
	for _, limits := range [][2]int64{{a.timeout, b.timeout}, {a.maxInput, b.maxInput}, {a.maxOutput, b.maxOutput}} {
		if limits[0] > 0 && b.outcome < 2 {
			require.Positive(t, limits[1], text)
			require.LessOrEqual(t, limits[1], limits[0], text)
		}
	}
	if b.outcome < 2 {
		for i, hidden := range a.hidden {
			require.True(t, b.hidden[i] || !hidden, "%s is not hidden any more: %s", secrets[i], text)
		}
		require.True(t, b.audit || !a.audit)
	}
}

func TestARuleOrADocumentCanOnlyTighten(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	outcomes := [3]int{}
	for range 1500 {
		base, s := anyDocument(r), anySituation(r)
		rules := base["rules"].([]any)
		if base["default"] == "deny" && r.IntN(3) > 0 { // or nothing ever gets through
			rules = append(rules, object{"tools": "*"})
			base["rules"] = rules
		}
		before := s.try(t, fresh(t, base))
		outcomes[before.outcome]++

		another := anyDocument(r)
		tighter(t, before, s.try(t, fresh(t, base), fresh(t, another)), []any{base, another, s})

		more := maps.Clone(base)
		added := anyRule(r)
		if base["default"] == "deny" { // there, naming a tool is what lets it through
			added["when"] = anyParts(r)
		}
		more["rules"] = append(slices.Clone(rules), added)
		tighter(t, before, s.try(t, fresh(t, more)), []any{more, s})

		// A rule that reports changes nothing but what is in the audit log.
		added["mode"] = "report"
		more["rules"] = append(slices.Clone(rules), added)
		after := s.try(t, fresh(t, more))
		if base["mode"] != "report" {
			after.audit = before.audit
			require.Equal(t, before, after, textOf(t, []any{more, s}))
		}
	}
	require.Greater(t, slices.Min(outcomes[:]), 50, "allow, ask and deny were all tried")
}

func TestTheOrderOfRulesAndDocumentsMeansNothing(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	for range 1000 {
		one, two, s := anyDocument(r), anyDocument(r), anySituation(r)
		before := s.try(t, fresh(t, one), fresh(t, two))
		shuffled := slices.Clone(one["rules"].([]any))
		r.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		other := maps.Clone(one)
		other["rules"] = shuffled
		require.Equal(t, before, s.try(t, fresh(t, two), fresh(t, other)), textOf(t, []any{one, two, s}))
	}
}

// The strict reading of a condition implies the loose one, and where nothing is
// unknown, both say what JSON Schema says.
func TestReadingsOfAConditionAgreeWhereEverythingIsKnown(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 8))
	differ, same := 0, 0
	for range 3000 {
		condition, s := anyCondition(r, 3), anySituation(r)
		if s.input == "" {
			continue
		}
		text := textOf(t, condition)
		plain, err := schema.Compile([]byte(text), schema.Options{Regexp: re2.Compile, NoDefaults: true})
		require.NoError(t, err)
		_, invalid := plain.Validate([]byte(s.input))
		loose := outcome(t, of(t, `{"tools": "*", "deny": true, "when": `+text+`}`), s.tool, s.input, "") != "allow"
		strict := outcome(t, of(t, `{"tools": "*", "deny": true, "unless": `+text+`}`), s.tool, s.input, "") == "allow"
		require.True(t, loose || !strict, "%s of %s", text, s.input)
		if loose == strict {
			require.Equal(t, invalid == nil, loose, "%s of %s", text, s.input)
			same++
		} else {
			differ++
		}
	}
	require.Greater(t, min(differ, same), 200)
}

// junk is what stands somewhere by mistake.
var junk = []any{
	nil, true, false, 0, 1, -1, 1.5, 1e3, 100_000, 1e12, "", " ", "x", "X", "30/min", "030/min", "100000/s", "20s", "0s", "1000000s", "never", "deny", "report", "/a", "/a~", "*", "a b", "passkey",
	[]any{},
	[]any{"x"},
	[]any{"*"},
	[]any{[]any{"x"}},
	object{},
	object{"x": 1},
	object{"hint": "writes"},
	object{"limit": 1},
	object{"limit": 1, "per": "s"},
	object{"by": []any{"/a"}},
	object{"by": []any{}},
	object{"input": object{"type": "object"}},
	object{"type": "nothing"},
	object{"/a": "full"},
	object{"required": []any{1}},
}

// spoil changes one thing in a value, anywhere.
func spoil(r *rand.Rand, v any) any {
	if r.IntN(4) == 0 {
		return pick(r, junk)
	}
	switch v := v.(type) {
	case object:
		names := slices.Sorted(maps.Keys(v))
		spoilt := maps.Clone(v)
		if len(names) == 0 || r.IntN(8) == 0 {
			spoilt[pick(r, []string{"deny", "Deny", "code", "when", "name", "rate", "mode", "hint", "of", "x-note", "$ref", "input", "/z", "webmcp", "$schema"})] = pick(r, junk)
			return spoilt
		}
		name := pick(r, names)
		switch r.IntN(8) {
		case 0:
			delete(spoilt, name)
		case 1:
			spoilt[name+"s"] = v[name]
			delete(spoilt, name)
		default:
			spoilt[name] = spoil(r, v[name])
		}
		return spoilt
	case []any:
		if len(v) == 0 {
			return pick(r, junk)
		}
		spoilt := slices.Clone(v)
		i := r.IntN(len(v))
		spoilt[i] = spoil(r, v[i])
		return spoilt
	}
	return pick(r, junk)
}

func TestTheSchemaAndTheParserRefuseTheSame(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("policy.schema.json")
	require.NoError(t, err)
	published, err := schema.Compile(text, schema.Options{Regexp: re2.Compile, Formats: map[string]func(string) bool{"json-pointer": nil}}) // the patterns decide
	require.NoError(t, err)
	require.Empty(t, published.Warnings())
	good, bad := 0, 0
	try := func(d any) {
		text := textOf(t, d)
		_, refused := policy.Parse([]byte(text), options)
		_, invalid := published.Validate([]byte(text))
		require.Equal(t, refused == nil, invalid == nil, "%s\nthe parser: %v\nthe schema: %v", text, refused, invalid)
		if refused == nil {
			good++
			return
		}
		bad++
		requirePlaces(t, text, refused)
	}
	for _, value := range junk { // everywhere, once
		for _, name := range append(slices.Clone(effectNames), "tools", "except", "when", "unless", "mode", "name", "description", "code") {
			rule := object{"tools": "*", "deny": true}
			rule[name] = value
			try(object{"webmcp": 1, "rules": []any{rule}})
		}
		for name, options := range map[string][]string{
			"approval": {"title", "timeout", "hold", "remember", "edit", "verify"}, "rate": {"limit", "per", "of"}, "concurrency": {"limit", "of"},
			"tools": {"name", "hint"}, "redact": {"/a", "a"}, "when": {"input", "context", "tool", "minimum", "type", "required", "properties", "not", "anyOf", "items", "minLength"},
		} {
			for _, option := range options {
				good := object{"rate": object{"limit": 1, "per": "s"}, "concurrency": object{"limit": 1}}
				of, _ := good[name].(object)
				if of == nil {
					of = object{}
				}
				of[option] = value
				rule := object{"tools": "*", "deny": true}
				rule[name] = of
				try(object{"webmcp": 1, "rules": []any{rule}})
			}
		}
		for _, name := range []string{"webmcp", "rules", "default", "mode", "description", "$schema"} {
			d := object{"webmcp": 1, "rules": []any{}}
			d[name] = value
			try(d)
		}
	}
	r := rand.New(rand.NewPCG(9, 10))
	for range 4000 {
		var d any = anyDocument(r)
		for range r.IntN(3) {
			d = spoil(r, d)
		}
		try(d)
	}
	require.Greater(t, min(good, bad), 1000)
}

// requirePlaces checks that what is wrong with a document is said with a place in it.
func requirePlaces(t testing.TB, text string, err error) {
	t.Helper()
	var wrong *policy.ParseError
	require.True(t, errors.As(err, &wrong), "%v", err)
	require.NotEmpty(t, wrong.Issues)
	require.LessOrEqual(t, len(wrong.Issues), max(schema.MaxIssues, 2*strings.Count(text, "when")+2*strings.Count(text, "unless")))
	var document any
	if json.Unmarshal([]byte(text), &document) != nil {
		return // its place is a byte
	}
	for _, issue := range wrong.Issues {
		require.NotEmpty(t, issue.Expected)
		at, place := document, issue.Path
		if strings.HasPrefix(issue.Expected, "is required") { // what is missing has no place yet
			place = place[:strings.LastIndex(place, "/")]
		}
		if place == "" {
			continue
		}
		for _, token := range strings.Split(place, "/")[1:] {
			token = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
			switch v := at.(type) {
			case object:
				require.Contains(t, v, token, "%s of %s", issue, text)
				at = v[token]
			case []any:
				i, err := strconv.Atoi(token)
				require.NoError(t, err)
				require.Less(t, i, len(v))
				at = v[i]
			default:
				require.Fail(t, "a place that there is not", "%s of %s", issue, text)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 50 {
		f.Add(textOf(f, anyDocument(r)), `{"a": 1}`)
		f.Add(textOf(f, spoil(r, anyDocument(r))), `{}`)
	}
	f.Fuzz(func(t *testing.T, text, input string) {
		d, err := policy.Parse([]byte(text), options)
		if err != nil {
			if !strings.ContainsAny(text, "\ufffd") && !strings.Contains(text, `\u`) {
				requirePlaces(t, text, err)
			}
			return
		}
		for _, s := range []situation{{policy.Tool{Name: "get_user", ReadOnly: true}, "", ""}, {policy.Tool{Name: "save"}, `{"a": 1}`, `{"a": 1}`}} {
			if new(schema.Document).Read([]byte(input)) == nil {
				s.input = input
			}
			s.try(t, d)
		}
	})
}
