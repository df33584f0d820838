package e2e

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/driver"
	"github.com/webmcp-wasm/webmcp/webmcptest"
)

func TestATextThatThePatternGivesUpOnDoesNotReachTheFunction(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	p.Do(`async () => {
		const pattern = '^(?:(a)|(b))*c$'; // on 3 MB, the browser runs out of stack
		const t = { type: 'string', pattern };
		const schemas = {
			not: { type: 'object', not: { properties: { t } } },
			if: { type: 'object', if: { properties: { t } }, then: false },
			names: { type: 'object', patternProperties: { [pattern]: false } },
			short: { type: 'object', properties: { t: { ...t, maxLength: 100 } } },
		};
		for (const [name, schema] of Object.entries(schemas)) {
			await webmcp(() => { ran.push(name) }, { name: 'try_' + name, description: 'Tries.', schema }).register();
		}
	}`)
	ask := func(name string) string {
		return onlyText(t, webmcptest.Eval[*driver.Result](p, `name => {
			const text = 'ab'.repeat(1_500_000);
			return webmcp.invokeTool('try_' + name, name === 'names' ? { [text]: 1 } : { t: text });
		}`, name))
	}
	for _, name := range []string{"not", "if"} {
		require.Regexp(t, `^Error: invalid input: t: cannot be matched with the pattern .*: send a shorter text`, ask(name))
	}
	require.Regexp(t, `^Error: invalid input: .*: cannot be matched with the pattern`, ask("names"))
	require.Regexp(t, `^Error: invalid input: t: must have at most 100 characters, got `, ask("short"), "a text that is too long is not tried")
	require.Empty(t, webmcptest.Eval[[]string](p, `() => ran`))
}

func TestPatternsThatRepeatWhatRepeatsAreWarnedOf(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	for pattern, want := range map[string]bool{
		`^(a+)+$`:               true,
		`^(a*)*$`:               true,
		`^(?:a|a)*$`:            true,
		`^(a|ab|b)*$`:           true,
		`^(\w|\d)+$`:            true,
		`^(?<x>[a-z]+-?)+$`:     true,
		`^([^,]*,?)*;$`:         true,
		`^(.*)*$`:               true,
		`^(a{2,}){3,}$`:         true,
		`^(?=(a+)+$)`:           true,
		`^(ä+)+$`:               true,
		`^([\x41-Z]+|B)+$`:      true,
		`^(\u{61}+?)*?$`:        true,
		`^\d*\w*$`:              true,
		`^\d+\d+$`:              true,
		`^(\p{Lu}+\s?)+$`:       true,
		`^((a|b)c?)*d(xy?y?)*$`: true,

		`^[a-z]+$`:                          false,
		`^(a|b)*$`:                          false,
		`^([a-z]+\.)+[a-z]{2,}$`:            false,
		`^[a-z0-9]+(-[a-z0-9]+)*$`:          false,
		`^("[^"]*",)*$`:                     false,
		`^(\d{3}-)*\d{4}$`:                  false,
		`^\s*\S+\s*$`:                       false,
		`^(a\D+)?3[\]a-f\-]*x+$`:            false,
		`^(ab?)*$`:                          false,
		`^(\p{Lu}\P{Lu})*\cA(\k<x>)*`:       false,
		`^` + strings.Repeat(`(ab?)*c`, 40): false,
		`^(?:` + strings.Repeat(`(?:x|yz)w?`, 12) + `)*v?u*$`: false,
		// What zod writes for email, base64 and a time.
		`^(?!\.)(?!.*\.\.)([A-Za-z0-9_'+\-\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\-]*\.)+[A-Za-z]{2,}$`: false,
		`^$|^(?:[0-9a-zA-Z+/]{4})*(?:(?:[0-9a-zA-Z+/]{2}==)|(?:[0-9a-zA-Z+/]{3}=))?$`:                      false,
		`^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d+(?:Z|([+-](?:[01]\d|2[0-3]):[0-5]\d))$`:                    false,
	} {
		warnings := webmcptest.Eval[[]string](p, `pattern => {
			const said = [];
			const { warn } = console;
			console.warn = (text) => said.push(text);
			webmcp(() => {}, { name: 'search', description: 'Searches.', schema: { type: 'object', properties: { q: { type: 'string', pattern } } } });
			console.warn = warn;
			return said;
		}`, pattern)
		require.Equal(t, want, len(warnings) == 1, "%s: %q", pattern, warnings)
		if want {
			require.True(t, strings.HasPrefix(warnings[0], "[webmcp] the schema of the tool search: the pattern "+pattern), warnings[0])
		}
	}
}
