package hooks_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/hooks/policy"
	"github.com/webmcp-wasm/webmcp/webmcptest"
)

// table returns what the constructors of Go and of JavaScript do alike: see
// hooks/alike_test.go.
func table(t *testing.T) json.RawMessage {
	t.Helper()
	root, err := buildDist()
	require.NoError(t, err)
	text, err := os.ReadFile(filepath.Join(root, "hooks", "testdata", "alike.json"))
	require.NoError(t, err)
	return text
}

// withKey has hashes made under the key 0 to 15.
const withKey = `crypto.getRandomValues = (key) => key.map((_, i) => i);`

// key is the same in Go.
var key = policy.Key{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}

// problemsIn runs the cases of a member of the table, by the body of an asynchronous
// function with the parameter c, which returns what is wrong with one.
func problemsIn(t *testing.T, member, body string) {
	t.Helper()
	page := openPage(t)
	count := webmcptest.Eval[int](page, `(table, member) => { `+withKey+` return table[member].length; }`, table(t), member)
	require.Greater(t, count, 3)
	require.Empty(t, webmcptest.Eval[[]string](page, `async (table, member) => {
		const problems = [];
		const json = (value) => JSON.stringify(value, (_, item) => item && typeof item === 'object' && !Array.isArray(item)
			? Object.fromEntries(Object.entries(item).sort(([a], [b]) => a < b ? -1 : 1)) : item);
		const same = (name, got, want) => { if (got !== want) problems.push(name + ': got ' + got + ', want ' + want); };
		for (const c of table[member]) {
			const run = async () => { `+body+` };
			try { await run(); } catch (error) { problems.push(c.name + ': ' + error.stack); }
		}
		return problems;
	}`, table(t), member))
}

func TestRedactMasksAsTheTableSays(t *testing.T) {
	t.Parallel()
	problemsIn(t, "masks", `
		const [hook] = made.redact(c.rules).after;
		same(c.name, hook({ output: c.output }).output, c.want);
		if (c.output === '') return;
		const result = { content: [{ type: 'text', text: c.output }] };
		same(c.name, hook({ output: result }).output.content[0].text, c.want);
		same(c.name, result.content[0].text, c.output);
		const value = JSON.parse(c.output);
		if (c.textOnly || typeof value === 'string') return;
		const want = json(JSON.parse(c.want));
		same(c.name, json(hook({ output: value }).output), want);
		same(c.name, json(value), json(JSON.parse(c.output)));
		same(c.name, json(hook({ output: { content: [], structuredContent: value } }).output.structuredContent), want);`)
}

func TestRedactLetsNothingOutThatCannotBeRead(t *testing.T) {
	t.Parallel()
	problemsIn(t, "unreadable", `
		same(c.name, await thrown(() => made.redact({ '/email': 'remove' }).after[0]({ output: c.text })),
			'TypeError: the output is not JSON, and so cannot be redacted');`)
}

func TestRedactMasksResultsAsTheTableSays(t *testing.T) {
	t.Parallel()
	problemsIn(t, "results", `
		const [hook] = made.redact({ '/email': 'remove' }).after;
		if (c.want === undefined) {
			same(c.name, await thrown(() => hook({ output: JSON.parse(c.output) })), 'TypeError: the output is not JSON, and so cannot be redacted');
		} else {
			same(c.name, json(hook({ output: JSON.parse(c.output) }).output), json(JSON.parse(c.want)));
		}`)
}

func TestRateLimitCountsAsTheTableSays(t *testing.T) {
	t.Parallel()
	problemsIn(t, "rates", `
		const [hook] = made.rateLimit(c.rate, { of: c.of }).before;
		const { now } = performance;
		try {
			for (const [at, name, refused] of c.calls) {
				performance.now = () => 1e6 + at;
				const said = hook({ tool: { tool: { name } }, metadata: {} });
				same(c.name + ' at ' + at, said?.message ?? '', refused);
				if (refused !== '') same(c.name, said.action + said.code, 'denyRATE_LIMITED');
			}
		} finally {
			performance.now = now;
		}`)
}

func TestTheConstructorsRefuseWhatTheTableRefuses(t *testing.T) {
	t.Parallel()
	require.Empty(t, webmcptest.Eval[[]string](openPage(t), `async ({ rate, rules }) => {
		const problems = [];
		const expect = async (what, act, isError) => {
			if ((await thrown(act)).startsWith('TypeError: ') !== isError) problems.push(JSON.stringify(what));
		};
		for (const text of rate.right) await expect(text, () => made.rateLimit(text), false);
		for (const text of [...rate.wrong, 30, null, undefined, ['30/min'], { limit: 30, per: 'min' }]) await expect(text, () => made.rateLimit(text), true);
		for (const wrong of [...rules.wrong, undefined, null, [], '/a', new Map([['/a', 'full']]), { '/a': null }, { '/a': ['full'] }]) {
			await expect(wrong, () => made.redact(wrong), true);
		}
		return problems;
	}`, table(t)))
}

// some makes JSON, as a text that may have escapes, white space, members of one name and
// texts that are JSON again.
func some(r *rand.Rand, depth int) string {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	space := func() string { return pick("", "", "", " ", "\n\t") }
	text := func() string {
		return pick(`""`, `"x"`, `"ada@example.com"`, `"\u0061@b"`, `"4111 1111 1111 1111"`, `"1234567"`, `"12345678"`, `"Ωμέγα@x"`, `"@x"`, `"a b@c"`,
			`"日本語日本語日本語"`, `"😀😀@\ud83d\ude00"`, `"\ud83d"`, `"\\\\\""`, `"\b\f\u0001\u007f\u2028"`, `"</script>"`)
	}
	switch n := r.IntN(10); {
	case depth > 0 && n < 4:
		members := space()
		for i := range r.IntN(5) {
			if i > 0 {
				members += ","
			}
			members += space() + pick(`"a"`, `"b"`, `"\u0061"`, `"0"`, `"1"`, `"a/b"`, `"~"`, `""`, `"é"`, `"*"`, `"\"\\"`, `"__proto__"`, `"content"`) + ":" + space() + some(r, depth-1) + space()
		}
		return "{" + members + "}"
	case depth > 0 && n < 7:
		items := space()
		for i := range r.IntN(4) {
			if i > 0 {
				items += ","
			}
			items += some(r, depth-1) + space()
		}
		return "[" + items + "]"
	case n == 7 && depth > 0:
		return strconv.Quote(strconv.Itoa(r.IntN(100)))
	case n < 9:
		return text()
	}
	return pick("null", "true", "false", "0", "-0", "-1.50", "1e5", "1E+2", "4111111111111111", "12345678901234567890", "0.1e-7")
}

// What Go makes of outputs, JavaScript makes of them.
func TestRedactDoesWhatPoliciesDo(t *testing.T) {
	t.Parallel()
	type call struct {
		Rules        map[string]string
		Output, Want string
	}
	var calls []call
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	tokens := []string{"a", "b", "0", "1", "2", "a~1b", "~0", "", "é", "__proto__", "*", "*", "*"}
	masks := []string{"remove", "full", "email", "last4", "hash"}
	read := 0
	for range 3000 {
		c := call{Rules: map[string]string{}}
		for range 1 + r.IntN(4) {
			pointer := ""
			for range 1 + r.IntN(4) {
				pointer += "/" + tokens[r.IntN(len(tokens))]
			}
			c.Rules[pointer] = masks[r.IntN(len(masks))]
		}
		c.Output = some(r, 4)
		rules, err := json.Marshal(c.Rules)
		require.NoError(t, err)
		d, err := policy.Parse([]byte(`{"webmcp": 1, "rules": [{"tools": "*", "redact": `+string(rules)+`}]}`), policy.Options{})
		require.NoError(t, err)
		quoted, err := json.Marshal(c.Output)
		require.NoError(t, err)
		var check policy.Check
		check.Start(policy.New(key, d).Plan(policy.Tool{}), 0, -1, nil)
		out, err := check.Redact(nil, fmt.Appendf(nil, `{"content":[{"type":"text","text":%s}]}`, quoted))
		c.Want = "unreadable"
		if err == nil {
			read++
			var result struct{ Content []struct{ Text string } }
			require.NoError(t, json.Unmarshal(out, &result))
			c.Want = result.Content[0].Text
		}
		calls = append(calls, c)
	}
	require.Greater(t, read, 2000)
	require.Empty(t, webmcptest.Eval[[]string](openPage(t), `(calls) => {
		`+withKey+`
		return calls.flatMap(({ Rules, Output, Want }) => {
			let got;
			try { got = made.redact(Rules).after[0]({ output: Output }).output; } catch (error) { got = 'unreadable'; }
			return got === Want ? [] : [JSON.stringify(Rules) + ' of ' + Output + ': got ' + got + ', want ' + Want];
		}).slice(0, 5);
	}`, calls), "seed %d", seed)
}
