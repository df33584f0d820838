package policy_test

import (
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/hooks/policy"
	"github.com/webmcp-wasm/webmcp/hooks/schema"
	"github.com/webmcp-wasm/webmcp/hooks/schema/re2"
	"github.com/webmcp-wasm/webmcp/internal/jsontape"
)

var options = policy.Options{Regexp: re2.Compile}

var key = policy.Key{1, 2, 3}

// parsed returns a document of rules.
func parsed(t testing.TB, text string) *policy.Document {
	t.Helper()
	d, err := policy.Parse([]byte(text), options)
	require.NoError(t, err, text)
	return d
}

// of returns the policy of one document with these rules.
func of(t testing.TB, rules string) *policy.Policy {
	t.Helper()
	return policy.New(key, parsed(t, `{"webmcp": 1, "rules": [`+rules+`]}`))
}

// read returns the text of a value as conditions look at it.
func read(t testing.TB, text string) *schema.Document {
	t.Helper()
	d := new(schema.Document)
	require.NoError(t, d.Read([]byte(text)))
	return d
}

func contextOf(t testing.TB, text string) *policy.Context {
	t.Helper()
	if text == "" {
		return nil
	}
	c, err := policy.NewContext([]byte(text))
	require.NoError(t, err)
	return c
}

// outcome is what becomes of one call: "allow", "ask", or the code of what refuses it.
func outcome(t testing.TB, p *policy.Policy, tool policy.Tool, input, context string) string {
	t.Helper()
	var c policy.Check
	defer c.End(0, 0)
	document := new(schema.Document)
	if input == "" {
		document = nil
	} else {
		document = read(t, input)
	}
	switch {
	case !c.Start(p.Plan(tool), 0, len(input), contextOf(t, context)), !c.Judge(0, document):
		return c.Refusal.Code
	case c.Approval() != nil:
		return "ask"
	}
	return "allow"
}

func TestWhichToolsARuleIsAbout(t *testing.T) {
	t.Parallel()
	writer := policy.Tool{Name: "delete_user"}
	reader := policy.Tool{Name: "get_user", ReadOnly: true, UntrustedContent: true}
	spender := policy.Tool{Name: "check.out-2", Consequential: true, Debugging: true}
	for selector, want := range map[string][3]bool{
		`"tools": "*"`:                                       {true, true, true},
		`"tools": "delete_user"`:                             {true, false, false},
		`"tools": "delete_*"`:                                {true, false, false},
		`"tools": "*_user"`:                                  {true, true, false},
		`"tools": "*e*_*r"`:                                  {true, true, false},
		`"tools": "**out*2"`:                                 {false, false, true},
		`"tools": "get"`:                                     {false, false, false},
		`"tools": "get_user*get_user"`:                       {false, false, false},
		`"tools": ["get_*", "check.out-2"]`:                  {false, true, true},
		`"tools": {"hint": "consequential"}`:                 {false, false, true},
		`"tools": {"hint": "readOnly"}`:                      {false, true, false},
		`"tools": {"hint": "writes"}`:                        {true, false, true},
		`"tools": {"hint": "untrustedContent"}`:              {false, true, false},
		`"tools": {"hint": "debugging"}`:                     {false, false, true},
		`"tools": {"hint": "writes", "name": "*_user"}`:      {true, false, false},
		`"tools": "*", "except": "*_user"`:                   {false, false, true},
		`"tools": "*", "except": ["x", {"hint": "writes"}]`:  {false, true, false},
		`"tools": ["get_*", "delete_*"], "except": "get_*"`:  {true, false, false},
		`"tools": [{"name": "get_*"}, {"hint": "readOnly"}]`: {false, true, false},
	} {
		p := of(t, `{`+selector+`, "deny": true}`)
		for i, tool := range []policy.Tool{writer, reader, spender} {
			require.Equal(t, want[i], outcome(t, p, tool, "{}", "") == policy.DeniedCode, "%s and %s", selector, tool.Name)
		}
	}
}

func TestConditions(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ rule, input, context, want string }{
		"when of the input":                       {`"when": {"properties": {"total": {"exclusiveMinimum": 500}}}`, `{"total": 501}`, "", "NO"},
		"when that does not hold":                 {`"when": {"properties": {"total": {"exclusiveMinimum": 500}}}`, `{"total": 500}`, "", "allow"},
		"when of what is not there":               {`"when": {"properties": {"total": {"exclusiveMinimum": 500}}}`, `{}`, "", "NO"},
		"when of another type":                    {`"when": {"properties": {"total": {"exclusiveMinimum": 500}}}`, `{"total": "1"}`, "", "NO"},
		"when of what must be there":              {`"when": {"properties": {"total": {"exclusiveMinimum": 500}}, "required": ["total"]}`, `{}`, "", "allow"},
		"when of an input that JSON cannot say":   {`"when": {"required": ["total"]}`, ``, "", "NO"},
		"not, of what is not there":               {`"when": {"not": {"properties": {"role": {"const": "admin"}}}}`, `{}`, "", "NO"},
		"not, of what is there":                   {`"when": {"not": {"properties": {"role": {"const": "admin"}}}}`, `{"role": "admin"}`, "", "allow"},
		"unless of the context":                   {`"unless": {"context": {"properties": {"role": {"const": "admin"}}}}`, `{}`, `{"role": "admin"}`, "allow"},
		"unless that does not hold":               {`"unless": {"context": {"properties": {"role": {"const": "admin"}}}}`, `{}`, `{"role": "guest"}`, "NO"},
		"unless of what is not there":             {`"unless": {"context": {"properties": {"role": {"const": "admin"}}}}`, `{}`, `{"tenant": "acme"}`, "NO"},
		"unless without a context":                {`"unless": {"context": {"properties": {"role": {"const": "admin"}}}}`, `{}`, ``, "NO"},
		"when without a context":                  {`"when": {"context": {"required": ["role"]}}`, `{}`, ``, "NO"},
		"unless of another type":                  {`"unless": {"properties": {"total": {"maximum": 5}}}`, `{"total": "many"}`, "", "NO"},
		"unless of an input that JSON cannot say": {`"unless": {"properties": {"total": {"maximum": 5}}}`, ``, "", "NO"},
		"unless with a pattern":                   {`"unless": {"context": {"properties": {"mail": {"pattern": "@acme\\.com$"}}}}`, `{}`, `{"mail": "a@acme.com"}`, "allow"},
		"unless with not":                         {`"unless": {"not": {"properties": {"role": {"const": "guest"}}}}`, `{"role": "admin"}`, "", "allow"},
		"unless with not, of what is not there":   {`"unless": {"not": {"properties": {"role": {"const": "guest"}}}}`, `{}`, "", "NO"},
		"unless, if unknown":                      {`"unless": {"if": {"properties": {"a": {"const": 1}}}, "then": {"required": ["b"]}, "else": {"required": ["c"]}}`, `{"b": 1}`, "", "NO"},
		"unless, if unknown and both hold":        {`"unless": {"if": {"properties": {"a": {"const": 1}}}, "then": {"required": ["b"]}, "else": {"required": ["c"]}}`, `{"b": 1, "c": 1}`, "", "allow"},
		"unless, if known":                        {`"unless": {"if": {"properties": {"a": {"const": 1}}}, "then": {"required": ["b"]}, "else": {"required": ["c"]}}`, `{"a": 1, "b": 1}`, "", "allow"},
		"unless, oneOf, of which one may hold":    {`"unless": {"oneOf": [{"properties": {"a": {"const": 1}}}, {"required": ["b"]}]}`, `{"b": 1}`, "", "NO"},
		"unless, oneOf, of which one holds":       {`"unless": {"oneOf": [{"properties": {"a": {"const": 1}}}, {"required": ["b"]}]}`, `{"a": 2, "b": 1}`, "", "allow"},
		"unless of items":                         {`"unless": {"properties": {"l": {"prefixItems": [{"const": 1}, {"const": 2}]}}}`, `{"l": [1]}`, "", "NO"},
		"unless with maxContains":                 {`"unless": {"properties": {"l": {"contains": {"maximum": 1}, "maxContains": 1}}}`, `{"l": [1, "x"]}`, "", "NO"},
		"unless of a number's range":              {`"unless": {"properties": {"n": {"format": "int32"}}}`, `{"n": 3}`, "", "allow"},
		"when and unless":                         {`"when": {"required": ["a"]}, "unless": {"required": ["b"]}`, `{"a": 1}`, "", "NO"},
		"when and unless, both met":               {`"when": {"required": ["a"]}, "unless": {"required": ["b"]}`, `{"a": 1, "b": 1}`, "", "allow"},
		"the long form, all parts":                {`"when": {"input": {"required": ["a"]}, "context": {"required": ["b"]}}`, `{"a": 1}`, `{"b": 1}`, "NO"},
		"the long form, one part":                 {`"when": {"input": {"required": ["a"]}, "context": {"required": ["b"]}}`, `{"a": 1}`, `{}`, "allow"},
		"when of the tool":                        {`"when": {"tool": {"properties": {"readOnlyHint": {"const": true}}}}`, `{}`, "", "NO"},
		"when of another tool":                    {`"when": {"tool": {"properties": {"name": {"pattern": "^set"}}}}`, `{}`, "", "allow"},
		"unless of the tool":                      {`"unless": {"tool": {"properties": {"readOnlyHint": {"const": true}}}}`, `{}`, "", "allow"},
		"unless of another tool":                  {`"unless": {"tool": {"properties": {"readOnlyHint": {"const": false}}}}`, `{}`, "", "NO"},
		"unless of the tool and of the user":      {`"unless": {"tool": {"properties": {"readOnlyHint": {"const": true}}}, "context": {"required": ["a"]}}`, `{}`, `{"a": 1}`, "allow"},
	} {
		p := of(t, `{"tools": "*", `+test.rule+`, "deny": "no", "code": "NO"}`)
		require.Equal(t, test.want, outcome(t, p, policy.Tool{Name: "get", ReadOnly: true}, test.input, test.context), name)
	}
}

func TestAConditionOnTheInputWaitsForIt(t *testing.T) {
	t.Parallel()
	for rules, want := range map[string][2]bool{ // gates, judges
		``:                                 {false, false},
		`{"tools": "other", "deny": true}`: {false, false},
		`{"tools": "*", "deny": true}`:     {true, false},
		`{"tools": "*", "rate": "1/min"}`:  {true, false},
		`{"tools": "*", "deny": true, "when": {"context": {"required": ["a"]}}}`:                        {true, false},
		`{"tools": "*", "deny": true, "when": {"tool": {"properties": {"name": {"const": "other"}}}}}`:  {false, false},
		`{"tools": "*", "deny": true, "unless": {"tool": {"properties": {"name": {"const": "save"}}}}}`: {false, false},
		`{"tools": "*", "deny": true, "when": {"required": ["a"]}}`:                                     {false, true},
		`{"tools": "*", "maxInputBytes": 5, "when": {"required": ["a"]}}`:                               {true, true},
	} {
		plan := of(t, rules).Plan(policy.Tool{Name: "save"})
		require.Equal(t, want, [2]bool{plan.Gates(), plan.Judges()}, rules)
	}
}

func TestDefaultDenyLetsOnlyNamedToolsThrough(t *testing.T) {
	t.Parallel()
	for rules, want := range map[string]string{
		``:                                 policy.DeniedCode,
		`{"tools": "save"}`:                "allow",
		`{"tools": "s*", "rate": "2/min"}`: "allow",
		`{"tools": "other"}`:               policy.DeniedCode,
		`{"tools": "save", "mode": "report", "deny": true}`:                       policy.DeniedCode,
		`{"tools": "save", "when": {"required": ["a"]}, "approval": true}`:        policy.DeniedCode,
		`{"tools": "save", "unless": {"required": ["a"]}, "approval": true}`:      policy.DeniedCode,
		`{"tools": "save"}, {"tools": "save", "approval": true}`:                  "ask",
		`{"tools": "save", "deny": "no", "code": "NO"}`:                           "NO",
		`{"tools": ["save", "other"], "except": "save", "deny": "no"}`:            policy.DeniedCode,
		`{"tools": "save"}, {"tools": "*", "deny": "no", "code": "NO"}`:           "NO",
		`{"tools": "save"}, {"tools": "*", "unless": {"required": ["a"]}}`:        "allow",
		`{"tools": "save"}, {"tools": "*", "deny": true, "mode": "report"}`:       "allow",
		`{"tools": {"hint": "writes"}, "timeout": "1s", "description": "writes"}`: "allow",
	} {
		closed := parsed(t, `{"webmcp": 1, "default": "deny", "rules": [`+rules+`]}`)
		require.Equal(t, want, outcome(t, policy.New(key, closed), policy.Tool{Name: "save"}, "{}", ""), rules)
		open := parsed(t, `{"webmcp": 1, "rules": [{"tools": "save", "audit": true}]}`)
		require.Equal(t, want, outcome(t, policy.New(key, open, closed), policy.Tool{Name: "save"}, "{}", ""), "beside another document: %s", rules)
	}
}

func TestARateLetsExactlyItsLimitThroughAndSaysWhenToComeBack(t *testing.T) {
	t.Parallel()
	plan := of(t, `{"tools": "*", "rate": "100/min"}`).Plan(policy.Tool{Name: "save"})
	through := []int64{}
	for i := range int64(1000) { // 20 ms from call to call
		var c policy.Check
		if c.Start(plan, i*20, 0, nil) {
			through = append(through, i*20)
		} else {
			require.Equal(t, policy.RateCode, c.Refusal.Code)
			require.Equal(t, 60_000-i*20, c.Refusal.Wait)
			require.Contains(t, c.Refusal.Message, "100 calls a minute of this tool. Try again in "+strconv.FormatInt(policy.Seconds(c.Refusal.Wait), 10)+" s")
		}
		c.End(i*20, 0)
	}
	require.Len(t, through, 100)

	// Any minute has no more, wherever it begins.
	for now := int64(20_000); now < 400_000; now += 137 {
		var c policy.Check
		if c.Start(plan, now, 0, nil) {
			through = append(through, now)
		} else {
			before := now + c.Refusal.Wait
			require.LessOrEqual(t, c.Refusal.Wait, int64(60_000))
			require.Equal(t, through[len(through)-100]+60_000, before, "when to come back")
		}
	}
	for i := 100; i < len(through); i++ {
		require.GreaterOrEqual(t, through[i]-through[i-100], int64(60_000))
	}
	require.Greater(t, len(through), 600)

	// Who comes back when they were told to is let in, and not a moment earlier.
	now := int64(1_000_000)
	for range 100 {
		var c policy.Check
		require.True(t, c.Start(plan, now, 0, nil))
	}
	var c policy.Check
	require.False(t, c.Start(plan, now, 0, nil))
	wait := c.Refusal.Wait
	require.False(t, c.Start(plan, now+wait-1, 0, nil))
	require.True(t, c.Start(plan, now+wait, 0, nil))
}

func TestAClockThatGoesBackLetsNothingThroughTwice(t *testing.T) {
	t.Parallel()
	plan := of(t, `{"tools": "*", "rate": "2/s"}`).Plan(policy.Tool{Name: "save"})
	passed := 0
	for _, now := range []int64{5000, 100, 200, 5500, 5999} {
		var c policy.Check
		if c.Start(plan, now, 0, nil) {
			passed++
		}
	}
	require.Equal(t, 2, passed)
}

func TestLimitsOfToolsAndOfRules(t *testing.T) {
	t.Parallel()
	count := func(p *policy.Policy, tool string, n int) (through int) {
		for range n {
			var c policy.Check
			if c.Start(p.Plan(policy.Tool{Name: tool}), 0, 0, nil) {
				through++
			}
		}
		return through
	}
	p := of(t, `{"tools": "*", "rate": {"limit": 3, "per": "h", "of": "tool"}}`)
	require.Equal(t, []int{3, 3}, []int{count(p, "a", 5), count(p, "b", 5)})
	p = of(t, `{"tools": "*", "rate": {"limit": 3, "per": "h", "of": "rule"}}`)
	require.Equal(t, []int{2, 1}, []int{count(p, "a", 2), count(p, "b", 5)})
	p = of(t, `{"tools": "*", "concurrency": 2}`)
	require.Equal(t, []int{2, 2}, []int{count(p, "a", 5), count(p, "b", 5)})
	p = of(t, `{"tools": "*", "concurrency": {"limit": 3, "of": "rule"}}`)
	require.Equal(t, []int{2, 1}, []int{count(p, "a", 2), count(p, "b", 5)})
}

func TestACallThatIsRefusedTakesNothingOfOtherLimits(t *testing.T) {
	t.Parallel()
	p := of(t, `{"tools": "*", "rate": {"limit": 2, "per": "h", "of": "rule"}}, {"tools": "narrow", "rate": "1/h"}, {"tools": "narrow", "concurrency": 1}`)
	start := func(tool string) string {
		var c policy.Check
		if c.Start(p.Plan(policy.Tool{Name: tool}), 0, 0, nil) {
			c.End(0, 0)
			return ""
		}
		return c.Refusal.Code
	}
	require.Empty(t, start("narrow"))
	for range 5 {
		require.Equal(t, policy.RateCode, start("narrow"))
	}
	require.Empty(t, start("wide"))
	require.Equal(t, policy.RateCode, start("wide"))
}

func TestAnInputThatTheHumanHasChangedIsJudgedAgain(t *testing.T) {
	t.Parallel()
	plan := of(t, `{"tools": "*", "approval": {"edit": true}},
		{"tools": "*", "rate": "1/h", "when": {"required": ["a"]}},
		{"tools": "*", "deny": "no", "code": "NO", "when": {"properties": {"a": {"minimum": 10}}}},
		{"tools": "*", "approval": {"verify": "passkey"}, "when": {"properties": {"a": {"minimum": 5}}}},
		{"tools": "*", "mode": "report", "deny": true, "when": {"required": ["a"]}},
		{"tools": "*", "redact": {"/x": "full"}, "when": {"properties": {"a": {"maximum": 1}}}}`).Plan(policy.Tool{Name: "save"})
	var c policy.Check
	require.True(t, c.Start(plan, 0, 0, nil) && c.Judge(0, read(t, `{"a": 1}`)))
	require.Equal(t, policy.Approval{Edit: true}, *c.Approval())
	require.True(t, c.Again(0, read(t, `{"a": 5}`)))
	require.Equal(t, policy.Approval{Verify: "passkey"}, *c.Approval())
	require.True(t, c.Redacts(), "what held for the first input")
	require.True(t, c.Again(0, read(t, `{"a": 2}`)))
	require.Equal(t, policy.Approval{Edit: true}, *c.Approval())
	require.False(t, c.Again(0, read(t, `{"a": 10}`)))
	require.Equal(t, "NO", c.Refusal.Code)
	require.Len(t, c.Reports, 1)
}

func TestADenialIsToldBeforeALimit(t *testing.T) {
	t.Parallel()
	p := of(t, `{"tools": "*", "rate": "1/h"}, {"tools": "*", "deny": "no", "code": "ZZZ"}, {"tools": "*", "maxInputBytes": 1}`)
	for range 3 {
		require.Equal(t, "ZZZ", outcome(t, p, policy.Tool{Name: "save"}, "{}", ""))
	}
	p = of(t, `{"tools": "*", "concurrency": 1}, {"tools": "*", "rate": "1/h"}`)
	var first, second policy.Check
	require.True(t, first.Start(p.Plan(policy.Tool{Name: "save"}), 0, 0, nil))
	require.False(t, second.Start(p.Plan(policy.Tool{Name: "save"}), 0, 0, nil))
	require.Equal(t, policy.RateCode, second.Refusal.Code, "the one that says when to come back")
}

func TestConcurrencyIsGivenBackOnce(t *testing.T) {
	t.Parallel()
	plan := of(t, `{"tools": "*", "concurrency": 1}`).Plan(policy.Tool{Name: "save"})
	var first, second, third policy.Check
	require.True(t, first.Start(plan, 0, 0, nil))
	require.False(t, second.Start(plan, 0, 0, nil))
	require.Equal(t, policy.ConcurrencyCode, second.Refusal.Code)
	second.End(0, -1)
	first.End(0, 0)
	first.End(0, 0)
	require.True(t, second.Start(plan, 0, 0, nil))
	require.False(t, third.Start(plan, 0, 0, nil))
}

func TestLimitsForgetToolsInWhichNothingCounts(t *testing.T) {
	t.Parallel()
	p := of(t, `{"tools": "*", "rate": "5/s", "concurrency": 5}`)
	for i := range int64(100_000) {
		var c policy.Check
		require.True(t, c.Start(p.Plan(policy.Tool{Name: "t" + strconv.FormatInt(i, 10)}), i*100, 0, nil))
		c.End(i*100, 0)
	}
	require.LessOrEqual(t, policy.Windows(p), 2*128)
}

func TestTheSmallestLimitHolds(t *testing.T) {
	t.Parallel()
	plan := of(t, `
		{"tools": "*", "timeout": "20s", "maxOutputBytes": 100},
		{"tools": "save", "timeout": "1500ms", "maxOutputBytes": 200},
		{"tools": "other", "timeout": "1s"},
		{"tools": "*", "timeout": "1s", "maxOutputBytes": 50, "when": {"properties": {"fast": {"const": true}}, "required": ["fast"]}},
		{"tools": "*", "timeout": "5ms", "mode": "report"}`).Plan(policy.Tool{Name: "save"})
	limit, varies := plan.Timeout()
	require.Equal(t, int64(1500), limit)
	require.True(t, varies)
	var c policy.Check
	require.True(t, c.Start(plan, 0, 0, nil) && c.Judge(0, read(t, `{}`)))
	require.Equal(t, []int64{1500, 100}, []int64{c.Timeout(), c.MaxOutputBytes()})
	require.True(t, c.Start(plan, 0, 0, nil) && c.Judge(0, read(t, `{"fast": true}`)))
	require.Equal(t, []int64{1000, 50}, []int64{c.Timeout(), c.MaxOutputBytes()})
}

func TestAnInputThatIsTooLargeIsRefused(t *testing.T) {
	t.Parallel()
	plan := of(t, `{"tools": "*", "maxInputBytes": 10}`).Plan(policy.Tool{Name: "save"})
	require.True(t, plan.Sizes())
	for size, want := range map[int]bool{0: true, 10: true, 11: false, -1: false} {
		var c policy.Check
		require.Equal(t, want, c.Start(plan, 0, size, nil), size)
		if !want {
			require.Equal(t, policy.InputCode, c.Refusal.Code)
		}
	}
}

func TestReportModeStopsNothingAndSaysWhatWouldHaveBeen(t *testing.T) {
	t.Parallel()
	for name, document := range map[string]string{
		"rules":    `{"webmcp": 1, "rules": [{"tools": "*", "mode": "report", "name": "r", %}]}`,
		"document": `{"webmcp": 1, "mode": "report", "rules": [{"tools": "*", "name": "r", %}]}`,
	} {
		for effect, want := range map[string]policy.Finding{
			`"deny": "no", "code": "NO"`:                {Rule: "r", Effect: "deny", Code: "NO", Message: "no"},
			`"approval": true`:                          {Rule: "r", Effect: "approval"},
			`"timeout": "1s"`:                           {Rule: "r", Effect: "timeout"},
			`"maxOutputBytes": 5`:                       {Rule: "r", Effect: "maxOutputBytes", Code: policy.OutputCode},
			`"redact": {"/a": "remove"}`:                {Rule: "r", Effect: "redact"},
			`"deny": true, "when": {"required": ["a"]}`: {Rule: "r", Effect: "deny", Code: policy.DeniedCode, Message: "the policy does not allow this call"},
		} {
			d := parsed(t, replace(document, effect))
			var c policy.Check
			require.True(t, c.Start(policy.New(key, d).Plan(policy.Tool{Name: "save"}), 0, 20, nil))
			require.True(t, c.Judge(0, read(t, `{"a": 1}`)))
			require.Nil(t, c.Approval())
			require.Zero(t, c.Timeout()+c.MaxOutputBytes())
			const result = `{"content":[{"type":"text","text":"{\"a\":1}"}]}`
			out, err := c.Redact(nil, []byte(result))
			require.NoError(t, err)
			require.Equal(t, result, string(out))
			c.End(1000, 6)
			require.Equal(t, []policy.Finding{want}, c.Reports, "%s: %s", name, effect)
		}
	}
}

func TestALimitInReportModeCountsWhatItWouldLetThrough(t *testing.T) {
	t.Parallel()
	plan := of(t, `{"tools": "*", "mode": "report", "rate": "2/min"}, {"tools": "*", "mode": "report", "concurrency": 1}`).Plan(policy.Tool{Name: "save"})
	var reports []string
	for range 4 {
		var c policy.Check
		require.True(t, c.Start(plan, 0, 0, nil))
		for _, r := range c.Reports {
			reports = append(reports, r.Effect)
		}
		c.End(0, 0)
	}
	require.Equal(t, []string{"rate", "rate"}, reports)
}

func TestARuleThatEnforcesIsStrictInADocumentThatReports(t *testing.T) {
	t.Parallel()
	d := parsed(t, `{"webmcp": 1, "mode": "report", "default": "deny", "rules": [{"tools": "save", "mode": "enforce", "deny": "no"}]}`)
	require.Equal(t, policy.DeniedCode, outcome(t, policy.New(key, d), policy.Tool{Name: "save"}, "{}", ""))
	var c policy.Check
	require.True(t, c.Start(policy.New(key, d).Plan(policy.Tool{Name: "other"}), 0, 0, nil))
	require.Len(t, c.Reports, 1)
	require.Equal(t, "default", c.Reports[0].Effect)
}

func TestADocumentThatIsThereTwiceCountsOnce(t *testing.T) {
	t.Parallel()
	d := parsed(t, `{"webmcp": 1, "rules": [{"tools": "*", "rate": "2/min"}]}`)
	p := policy.New(key, d, d).And(policy.New(key, d))
	require.Equal(t, []string{"allow", "allow", policy.RateCode}, []string{
		outcome(t, p, policy.Tool{Name: "a"}, "{}", ""), outcome(t, p, policy.Tool{Name: "a"}, "{}", ""), outcome(t, p, policy.Tool{Name: "a"}, "{}", ""),
	})
	require.Equal(t, policy.RateCode, outcome(t, policy.New(key, d), policy.Tool{Name: "a"}, "{}", ""), "the counts are the document's")
}

func TestACallWithoutConditionsAllocatesNothing(t *testing.T) {
	plan := of(t, `{"tools": "*", "rate": "99999/s", "timeout": "20s", "audit": true}, {"tools": {"hint": "consequential"}, "approval": true}`).Plan(policy.Tool{Name: "save"})
	var c policy.Check
	now := int64(0)
	for range 5000 { // until nothing grows any more
		now += 1000
		c.Start(plan, now, 0, nil)
		c.End(now, 0)
	}
	require.Zero(t, testing.AllocsPerRun(1000, func() {
		now += 1000
		c.Start(plan, now, 0, nil)
		c.End(now, 0)
	}))
}

func TestWhatIsWrongWithADocumentIsSaidWithItsPlace(t *testing.T) {
	t.Parallel()
	rule := func(members string) string { return `{"webmcp": 1, "rules": [{"tools": "*", ` + members + `}]}` }
	const (
		idle    = "/rules/0: must be a rule with an effect: deny, approval, rate, concurrency, timeout, maxInputBytes, maxOutputBytes, redact or audit, got "
		members = "(allowed: tools, name, description, except, when, unless, mode, deny, code, approval, rate, concurrency, timeout, maxInputBytes, maxOutputBytes, redact, audit)"
	)
	for text, want := range map[string]string{
		`{`:                              "invalid JSON: the text ends where a value should be at byte 1",
		`[]`:                             "must be an object, got []",
		`{"rules": []}`:                  `/webmcp: is required`,
		`{"webmcp": 2, "rules": []}`:     "/webmcp: must be 1, got 2",
		`{"webmcp": 1}`:                  `/rules: is required`,
		`{"webmcp": 1, "rules": {}}`:     "/rules: must be an array, got {}",
		`{"webmcp": 1, "rule": []}`:      "/rule: is not allowed (allowed: webmcp, rules, $schema, description, default, mode); /rules: is required",
		`{"webmcp": 1, "rules": [true]}`: "/rules/0: must be an object, got true",
		`{"webmcp": 1, "rules": [], "rules": []}`:                             "has two members of one name",
		`{"webmcp": 1, "rules": [{"tools": "*", "deny": true, "deny": "x"}]}`: "/rules/0: has two members of one name",
		`{"webmcp": 1, "rules": [], "default": "forbid"}`:                     `/default: must be one of "allow", "deny", got "forbid"`,
		`{"webmcp": 1, "rules": [{"deny": true}]}`:                            `/rules/0/tools: is required`,
		rule(`"name": "x"`):                                                   idle + `{"tools": "*", "name": "x"}`,
		rule(`"aproval": true`):                                               "/rules/0/aproval: is not allowed " + members + "; " + idle + `{"tools": "*", "aproval": true}`,
		rule(`"zzz": 5, "audit": true`):                                       "/rules/0/zzz: is not allowed " + members,
		rule(`"deny": false`):                                                 "/rules/0/deny: must be a text for the agent, or true, got false",
		rule(`"deny": ""`):                                                    `/rules/0/deny: must be a text that is not empty, got ""`,
		rule(`"audit": true, "code": "NO"`):                                   "/rules/0/deny: is required where code is given",
		rule(`"deny": true, "code": "no"`):                                    `/rules/0/code: must be a code such as "TOO_MUCH": up to 64 of A-Z 0-9 _, got "no"`,
		rule(`"rate": "30/minute"`):                                           `/rules/0/rate: must be a rate such as "30/min", with s, min or h, got "30/minute"`,
		rule(`"rate": {"limit": 0, "per": "min"}`):                            "/rules/0/rate/limit: must be >= 1, got 0",
		rule(`"rate": {"limit": 3}`):                                          "/rules/0/rate/per: is required",
		rule(`"timeout": 20`):                                                 `/rules/0/timeout: must be a time such as "20s", with ms, s, min or h, got 20`,
		rule(`"timeout": "0s"`):                                               `/rules/0/timeout: must be a time such as "20s", with ms, s, min or h, got "0s"`,
		rule(`"concurrency": 1.5`):                                            "/rules/0/concurrency: must be an integer, got 1.5",
		rule(`"redact": {"email": "email"}`):                                  `/rules/0/redact/email: is a name that is not allowed: it must be a JSON Pointer, such as "/email" or "/cards/*/number"`,
		rule(`"redact": {"/a/b": "last"}`):                                    `/rules/0/redact/~1a~1b: must be one of "remove", "full", "email", "last4", "hash", got "last"`,
		rule(`"redact": {}`):                                                  "/rules/0/redact: must have at least 1 property, got {}",
		rule(`"audit": 1`):                                                    `/rules/0/audit: must be true, or left out, got 1`,
		rule(`"approval": "yes"`):                                             `/rules/0/approval: must be true, or an object with options, got "yes"`,
		rule(`"approval": {"verify": "password"}`):                            `/rules/0/approval/verify: must be "passkey", got "password"`,
		rule(`"approval": {"hold": "ever"}`):                                  `/rules/0/approval/hold: must be a time such as "20s", with ms, s, min or h, got "ever"`,
		rule(`"approval": {"remember": {"by": ["id"]}}`):                      `/rules/0/approval/remember/by/0: must be a JSON Pointer, such as "/email" or "/cards/*/number", got "id"`,
		rule(`"deny": true, "when": {}`):                                      "/rules/0/when: must have at least 1 property, got {}",
		rule(`"deny": true, "when": true`):                                    "/rules/0/when: must be an object, got true",
		rule(`"deny": true, "when": {"propertys": {}}`):                       `/rules/0/when/propertys: is no condition: propertys is no keyword that is enforced here: correct its spelling, or begin it with "x-" if it is an annotation`,
		rule(`"deny": true, "when": {"properties": {"a": {"minimum": "1"}}}`): "/rules/0/when/properties/a/minimum: is no condition: minimum must be a number",
		rule(`"deny": true, "when": {"context": {}, "properties": {}}`):       "/rules/0/when/context: must have at least 1 property, got {}; /rules/0/when/properties: is not allowed (allowed: input, context, tool)",
		rule(`"deny": true, "unless": {"contxt": {"required": ["a"]}}`):       `/rules/0/unless/contxt: is no condition: contxt is no keyword that is enforced here: correct its spelling, or begin it with "x-" if it is an annotation`,
		rule(`"deny": true, "when": {"$defs": {"a": {"type": "object"}}, "$ref": "#/$defs/a"}`): "/rules/0/when/$defs: is no condition: $defs is not for conditions: write out what it stands for",
		rule(`"deny": true, "unless": {"tool": {"unevaluatedItems": true}}`):                    "/rules/0/unless/tool/unevaluatedItems: is no condition: unevaluatedItems is not for conditions: write out what it stands for",
		rule(`"deny": true, "when": {"format": "colour"}`):                                      `/rules/0/when/format: is no condition: format is not known, and so not checked: use pattern instead`,
		`{"webmcp": 1, "rules": [{"tools": "delete user", "deny": true}]}`:                      `/rules/0/tools: must be a tool's name of letters, digits, _ . and -, in which * is any text, got "delete user"`,
		`{"webmcp": 1, "rules": [{"tools": [], "deny": true}]}`:                                 "/rules/0/tools: must have at least 1 item, got []",
		`{"webmcp": 1, "rules": [{"tools": {"hint": "consequentialHint"}, "deny": true}]}`:      `/rules/0/tools/hint: must be one of "consequential", "readOnly", "writes", "untrustedContent", "debugging", got "consequentialHint"`,
	} {
		_, err := policy.Parse([]byte(text), options)
		require.EqualError(t, err, want, text)
	}
}

func TestWhatWasMeantByANameThatIsNotKnownIsGuessed(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"aproval":         "approval",
		"max_input_bytes": "maxInputBytes",
		"ratelimit":       "rate",
		"maxOutputBytess": "maxOutputBytes",
		"q~u/q":           "",
		"zzz":             "",
	} {
		_, err := policy.Parse([]byte(`{"webmcp": 1, "rules": [{"tools": "*", "audit": true, "`+given+`": true}], "mod": "report"}`), options)
		var guessed *policy.ParseError
		require.ErrorAs(t, policy.Guess(err), &guessed)
		for i, said := range guessed.Issues {
			switch {
			case said.Path == "/mod":
				require.Equal(t, "/mod: is not known here: did you mean mode?", said.String())
			case want == "":
				require.Contains(t, said.Expected, "(allowed: tools, ")
			default:
				require.Equal(t, "/rules/0/"+given+": is not known here: did you mean "+want+"?", said.String())
			}
			require.NotContains(t, err.(*policy.ParseError).Issues[i].Expected, "did you mean")
		}
		require.Len(t, guessed.Issues, 2)
	}
	require.NoError(t, policy.Guess(nil))
}

func TestAConditionThatWouldTakeTooLongCountsAgainstTheCall(t *testing.T) {
	t.Parallel()
	condition := `{"required": ["a"]}`
	for range 30 {
		condition = `{"oneOf": [` + condition + `, {"required": ["b"]}]}`
	}
	for _, kind := range []string{"when", "unless"} {
		p := of(t, `{"tools": "*", "deny": true, "`+kind+`": `+condition+`}`)
		require.Equal(t, policy.DeniedCode, outcome(t, p, policy.Tool{Name: "save"}, `{"a": 1}`, ""), kind)
	}
}

func TestPatternsAreRefusedWhereNobodyCanMatchThem(t *testing.T) {
	t.Parallel()
	_, err := policy.Parse([]byte(`{"webmcp": 1, "rules": [{"tools": "*", "deny": true, "when": {"pattern": "a"}}]}`), policy.Options{})
	require.ErrorContains(t, err, "/rules/0/when/pattern")
}

func TestALabelStandsBeforeThePlaceOfARule(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{``: "policy.json#/rules/0", `"name": "no exports", `: "no exports"} {
		d, err := policy.Parse([]byte(`{"webmcp": 1, "rules": [{`+name+`"tools": "*", "deny": true}]}`), policy.Options{Label: "policy.json"})
		require.NoError(t, err)
		var c policy.Check
		require.False(t, c.Start(policy.New(key, d).Plan(policy.Tool{Name: "a"}), 0, 0, nil))
		require.Equal(t, want, c.Refusal.Rule)
	}
}

func TestExplainSaysWhatWouldHappenAndCountsNothing(t *testing.T) {
	t.Parallel()
	p := of(t, `
		{"tools": "*", "rate": "2/min", "timeout": "20s", "audit": true},
		{"tools": "pay", "approval": {"verify": "passkey"}, "when": {"properties": {"total": {"minimum": 50}}}},
		{"tools": "pay", "name": "large", "deny": "no", "code": "TOO_MUCH", "when": {"properties": {"total": {"minimum": 500}}}, "unless": {"context": {"required": ["boss"]}}},
		{"tools": "pay", "mode": "report", "redact": {"/card": "last4"}, "maxInputBytes": 3},
		{"tools": "other", "deny": true}`)
	explain := func(input, context string) *policy.Explanation {
		return p.Explain(policy.Tool{Name: "pay"}, 0, len(input), read(t, input), contextOf(t, context))
	}
	for range 5 {
		require.Equal(t, "allow", explain(`{"total": 1}`, "").Outcome)
	}
	require.Equal(t, "ask", explain(`{"total": 50}`, "").Outcome)
	e := explain(`{"total": 500}`, "")
	require.Equal(t, "deny", e.Outcome)
	require.Equal(t, policy.Finding{Rule: "large", Effect: "deny", Code: "TOO_MUCH", Message: "no"}, *e.Refusal)
	text, err := e.MarshalJSON()
	require.NoError(t, err)
	require.JSONEq(t, `{
		"tool": "pay", "outcome": "deny", "audit": true, "redact": [], "timeout": 20000,
		"refusal": {"rule": "large", "effect": "deny", "code": "TOO_MUCH", "message": "no"},
		"reports": [{"rule": "#/rules/3", "effect": "maxInputBytes", "code": "INPUT_TOO_LARGE", "message": "the input is too large, send less: the limit is 3 bytes"}],
		"rules": [
			{"rule": "#/rules/0", "mode": "enforce", "applies": true, "effects": ["rate \"2/min\"", "timeout \"20s\"", "audit true"]},
			{"rule": "#/rules/1", "mode": "enforce", "applies": true, "when": "met", "effects": ["approval {\"verify\":\"passkey\"}"]},
			{"rule": "large", "mode": "enforce", "applies": true, "when": "met", "unless": "unknown, counts as not met", "effects": ["deny \"no\"", "code \"TOO_MUCH\""]},
			{"rule": "#/rules/3", "mode": "report", "applies": true, "effects": ["redact {\"/card\":\"last4\"}", "maxInputBytes 3"]}
		]}`, string(text))
	e = explain(`{"total": 500}`, `{"boss": true}`)
	require.Equal(t, []string{"ask", "met", "not met"}, []string{e.Outcome, e.Rules[2].Unless, explain(`{}`, `{}`).Rules[2].Unless})

	for range 2 {
		var c policy.Check
		c.Start(p.Plan(policy.Tool{Name: "pay"}), 0, 0, nil)
	}
	e = explain(`{}`, "")
	require.Equal(t, policy.RateCode, e.Refusal.Code)
	require.Equal(t, int64(60_000), e.Refusal.Wait)

	var unknown *policy.Explanation = p.Explain(policy.Tool{Name: "pay"}, 90_000, 0, nil, nil)
	require.Equal(t, "unknown, counts as met", unknown.Rules[1].When)
}

func TestHashesAreSipHash(t *testing.T) {
	t.Parallel()
	var k policy.Key
	var text []byte
	for i := range k {
		k[i] = byte(i)
	}
	for i := range 15 {
		text = append(text, byte(i))
	}
	require.Equal(t, uint64(0xa129ca6149be45e5), policy.SipHash(k, text)) // of the paper
	require.Equal(t, uint64(0x726fdb47dd0e0e31), policy.SipHash(k, nil))
}

// replace puts an effect into the text of a document.
func replace(document, effect string) string {
	i := 0
	for document[i] != '%' {
		i++
	}
	return document[:i] + effect + document[i+1:]
}

func TestAContextIsRead(t *testing.T) {
	t.Parallel()
	_, err := policy.NewContext([]byte(`{"a"`))
	require.Error(t, err)
	text, err := jsontape.Append(nil, map[string]any{"role": "admin"})
	require.NoError(t, err)
	_, err = policy.NewContext(text)
	require.NoError(t, err)
}

func TestHowAHumanIsAskedIsWhatAllRulesAllow(t *testing.T) {
	t.Parallel()
	const (
		one     = `{"title": "b", "timeout": "1min", "hold": "never", "edit": true, "remember": ["tool", {"by": ["/b", "/a"]}]}`
		two     = `{"title": "a", "timeout": "never", "edit": true, "remember": ["tool", {"by": ["/a"]}]}`
		three   = `{"timeout": "30s", "hold": "5s", "edit": false, "verify": "passkey", "remember": "arguments"}`
		nothing = `true`
	)
	for _, test := range []struct {
		rules []string
		want  policy.Approval
	}{
		{[]string{nothing}, policy.Approval{}},
		{[]string{one, two}, policy.Approval{Title: "a", Timeout: 60_000, Hold: 0, Edit: true, Remember: policy.Remember{Tool: true, By: []string{"/a", "/b"}}}},
		{[]string{one, three}, policy.Approval{Title: "b", Timeout: 30_000, Hold: 5000, Verify: "passkey", Remember: policy.Remember{Arguments: true}}},
		{[]string{two, nothing}, policy.Approval{Title: "a"}},
		{[]string{`{"timeout": "5min"}`, nothing}, policy.Approval{}},
	} {
		for range 2 {
			rules := ""
			for i, a := range test.rules {
				if i > 0 {
					rules += ","
				}
				rules += `{"tools": "*", "approval": ` + a + `}`
			}
			var c policy.Check
			require.True(t, c.Start(of(t, rules).Plan(policy.Tool{Name: "save"}), 0, 0, nil))
			require.Equal(t, &test.want, c.Approval(), rules)
			slices.Reverse(test.rules)
		}
	}
}
