package policy_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/hooks/policy"
)

// call is a call under a document of the guide, and what becomes of it.
type call struct {
	tool           policy.Tool
	input, context string
	want           string // as outcome says it
	out            string // what is left of the output below; empty: all
}

const record = `{"email":"ada@example.com","cards":[{"number":"4111111111111234"}],"notes":"x","id":7}`

var guide = map[string][]call{
	"first": {
		{policy.Tool{Name: "checkout"}, `{"total": 500}`, ``, "allow", ""},
		{policy.Tool{Name: "checkout"}, `{"total": 501}`, ``, "TOO_MUCH", ""},
		{policy.Tool{Name: "checkout", Consequential: true}, `{"total": 1}`, ``, "ask", ""},
		{policy.Tool{Name: "delete_user"}, `{}`, `{"role": "admin"}`, "allow", ""},
		{policy.Tool{Name: "delete_user"}, `{}`, `{"role": "guest"}`, "POLICY_DENIED", ""},
		{policy.Tool{Name: "delete_user"}, `{}`, ``, "POLICY_DENIED", ""},
		{policy.Tool{Name: "export_all"}, `{}`, ``, "allow", ""},
		{policy.Tool{Name: "get_user"}, `{}`, ``, "allow", `{"email":"a***@example.com","cards":[{"number":"***1234"}],"id":7}`},
	},
	"tools": {
		{policy.Tool{Name: "drop_table"}, `{}`, ``, "POLICY_DENIED", ""},
		{policy.Tool{Name: "delete_draft"}, `{}`, ``, "allow", ""},
		{policy.Tool{Name: "user_rename"}, `{}`, ``, "POLICY_DENIED", ""},
		{policy.Tool{Name: "user_get", ReadOnly: true}, `{}`, ``, "allow", ""},
	},
	"default": {
		{policy.Tool{Name: "search"}, `{}`, ``, "allow", ""},
		{policy.Tool{Name: "delete"}, `{}`, ``, "POLICY_DENIED", ""},
		{policy.Tool{Name: "checkout"}, `{"total": 501}`, ``, "ask", ""},
	},
	"conditions": {
		{policy.Tool{Name: "transfer"}, `{"to": "AT61"}`, ``, "allow", ""},
		{policy.Tool{Name: "transfer"}, `{"to": "DE89"}`, `{"role": "treasurer"}`, "allow", ""},
		{policy.Tool{Name: "transfer"}, `{"to": "DE89"}`, `{"role": "clerk"}`, "POLICY_DENIED", ""},
		{policy.Tool{Name: "transfer"}, `{}`, `{}`, "POLICY_DENIED", ""},
		{policy.Tool{Name: "transfer"}, `{"to": 61}`, ``, "POLICY_DENIED", ""},
	},
	"approval": {
		{policy.Tool{Name: "order"}, `{}`, ``, "ask", ""},
		{policy.Tool{Name: "transfer"}, `{}`, ``, "ask", ""},
		{policy.Tool{Name: "search"}, `{}`, ``, "allow", ""},
	},
	"limits": {
		{policy.Tool{Name: "save"}, `{}`, ``, "allow", ""},
		{policy.Tool{Name: "save"}, `{"a": "` + strings.Repeat("x", 10_000) + `"}`, ``, "INPUT_TOO_LARGE", ""},
		{policy.Tool{Name: "rename"}, `{}`, ``, "allow", ""},
		{policy.Tool{Name: "delete"}, `{}`, ``, "RATE_LIMITED", ""},
		{policy.Tool{Name: "get", ReadOnly: true}, `{}`, ``, "allow", ""},
	},
	"redact": {
		{policy.Tool{Name: "get_user"}, `{}`, `{"role": "admin"}`, "allow", `{"email":"a***@example.com","cards":[{"number":"***1234"}],"id":7}`},
		{policy.Tool{Name: "list"}, `{}`, `{}`, "allow", `{"email":"ada@example.com","cards":[{"number":"4111111111111234"}],"notes":"***","id":"#`},
	},
	"report": {
		{policy.Tool{Name: "export_all"}, `{}`, ``, "allow", ""},
		{policy.Tool{Name: "delete_all"}, `{}`, ``, "POLICY_DENIED", ""},
	},
}

func TestEveryDocumentOfTheGuideDoesWhatTheGuideSays(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/policy.md")
	require.NoError(t, err)
	blocks := regexp.MustCompile("(?m)^<!-- policy: ([a-z]+) -->\n```json\n((?s:.*?))^```$").FindAllStringSubmatch(string(text), -1)
	require.Len(t, blocks, strings.Count(string(text), "```json"), "each has a name")
	require.Len(t, blocks, len(guide))
	for _, block := range blocks {
		require.NotEmpty(t, guide[block[1]], block[1])
		p := policy.New(key, parsed(t, block[2]))
		for _, c := range guide[block[1]] {
			require.Equal(t, c.want, outcome(t, p, c.tool, c.input, c.context), "%s: %v", block[1], c)
			if c.out == "" {
				continue
			}
			var check policy.Check
			require.True(t, check.Start(p.Plan(c.tool), 1<<40, 0, contextOf(t, c.context)))
			out, err := check.Redact(nil, []byte(texted(record)))
			require.NoError(t, err)
			want := texted(c.out)
			require.Equal(t, want[:len(want)-len(`"}]}`)], string(out)[:len(want)-len(`"}]}`)], block[1])
			check.End(1<<40, 0)
		}
	}
}

// The guide names every member that there is.
func TestTheGuideIsComplete(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/policy.md")
	require.NoError(t, err)
	names := append(slices.Clone(effectNames), "tools", "except", "when", "unless", "mode", "name", "code", "default", "hint", "of")
	for _, name := range append(names, someMasks...) {
		require.Regexp(t, "[`\"]"+name+"[`\":]", string(text))
	}
	for _, code := range []string{policy.DeniedCode, policy.RateCode, policy.ConcurrencyCode, policy.InputCode, policy.OutputCode, policy.RedactionCode} {
		require.Contains(t, string(text), "`"+code+"`")
	}
}
