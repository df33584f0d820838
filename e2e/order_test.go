package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/webmcptest"
)

// layered defines a tool with two hooks of every phase in each of four scopes:
// global (g), outer (o), inner (i) and the tool's own (t). Every hook writes
// "<phase>:<scope><number>" down; one of them or the function may misbehave.
// mix decides which of them are asynchronous, and how.
const layered = `async (mix, twist) => {
	let count = 0;
	const hook = (phase, scope, number) => {
		const label = phase + ':' + scope + number;
		const turn = Math.floor(mix / 4 ** (count++ % 8)) % 4; // 0: synchronous; 1, 2, 3: ways of waiting
		const result = label === twist.at ? { deny: () => ({ action: 'deny', code: 'NO', message: 'not today' }),
			throw: () => { throw new Error('broken ' + label) } }[twist.how] : undefined;
		return turn === 0 ? note(label, result) : noteLater(label, result, turn - 1);
	};
	const set = scope => Object.fromEntries(['before', 'after', 'error', 'denied']
		.map(phase => [phase, [hook(phase, scope, 1), hook(phase, scope, 2)]]));
	webmcp.configure({ hooks: set('g') });
	const outer = webmcp.scope({ hooks: set('o') });
	const inner = webmcp.scope({ hooks: set('i') }, outer);
	const fn = twist.at === 'fn' ? () => { throw new Error('broken fn') } : 'fine';
	const tool = webmcp(mix % 2 ? note('fn', fn) : noteLater('fn', fn), {
		name: 'layered', description: 'Has hooks everywhere.', hooks: set('t'),
	});
	await tool.register({ scope: inner });
}`

// phase lists the labels of a whole phase in the order of the scopes.
func phase(name string, scopes ...string) []string {
	var labels []string
	for _, scope := range scopes {
		labels = append(labels, name+":"+scope+"1", name+":"+scope+"2")
	}
	return labels
}

func TestHooksRunInOrderThroughAllScopes(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	before := phase("before", "g", "o", "i", "t")
	after := phase("after", "t", "i", "o", "g")
	observed := func(name string) []string { return phase(name, "t", "i", "o", "g") }
	upTo := func(label string, labels []string) []string {
		for i, l := range labels {
			if l == label {
				return labels[:i+1]
			}
		}
		panic(label)
	}
	join := func(parts ...[]string) string {
		var all []string
		for _, part := range parts {
			all = append(all, part...)
		}
		return strings.Join(all, " ")
	}
	fn := []string{"fn"}

	for _, c := range []struct {
		name     string
		how, at  string
		ran      string
		answered string
	}{
		{"success", "", "", join(before, fn, after), "fine"},
		{"denied by the first hook", "deny", "before:g1", join(upTo("before:g1", before), observed("denied")), "Denied: not today"},
		{"denied by a scope", "deny", "before:o2", join(upTo("before:o2", before), observed("denied")), "Denied: not today"},
		{"denied by the last hook", "deny", "before:t2", join(before, observed("denied")), "Denied: not today"},
		{"before throws", "throw", "before:i1", join(upTo("before:i1", before), observed("error")), "Error: broken before:i1"},
		{"function throws", "throw", "fn", join(before, fn, observed("error")), "Error: broken fn"},
		{"after throws", "throw", "after:o1", join(before, fn, upTo("after:o1", after), observed("error")), withheld},
	} {
		// A digit in base 4 for each hook: none, all, and mixtures of waiting hooks.
		for _, mix := range []int{0, 0x5555, 0x1234, 0x8d27, 0x3381} {
			p.About("%s, mix %x", c.name, mix)
			p.Do(`() => { ran.length = 0; webmcp.resetGlobalHooks(); webmcp.registry.clear() }`)
			p.AwaitTools()
			p.Do(layered, mix, map[string]string{"how": c.how, "at": c.at})
			a := p.Invoke("layered", nil).Result()
			require.Equal(t, c.answered, onlyText(t, a))
			require.Equal(t, c.ran, webmcptest.Eval[string](p, `() => ran.join(' ')`))
			require.Equal(t, c.how != "", a.IsError)
			require.Equal(t, map[bool]string{true: "NO"}[c.how == "deny"], a.Code)
		}
	}
}

func TestInputFlowsInAndOutputFlowsOut(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	p.Do(`async () => {
		const before = label => ({ input }) => ({ input: { path: input.path + label } });
		const after = label => async ({ input, output }) => ({ output: output + label + '/' + input.path });
		webmcp.configure({ hooks: { before: [before('1'), before('2')], after: [after(' f'), after(' g')] } });
		const outer = webmcp.scope({ hooks: { before: [before('3')], after: [after(' d'), after(' e')] } });
		const inner = webmcp.scope({ hooks: { before: [before('4')], after: [after(' c')] } }, outer);
		await webmcp(({ path }) => path + '!', {
			name: 'flow', description: 'Shows the flow.',
			hooks: { before: [before('5'), before('6')], after: [after(' a'), after(' b')] },
		}).register({ scope: inner });
	}`)
	require.Equal(t,
		"x123456! a/x123456 b/x123456 c/x123456 d/x123456 e/x123456 f/x123456 g/x123456",
		p.Ask("flow", map[string]string{"path": "x"}))
}

func TestConfigureAddsAndReplaceReplaces(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	p.Do(`async () => {
		const say = label => ({ before: [note(label)] });
		webmcp.configure({ hooks: say('a') });
		webmcp.configure({ hooks: say('b') });
		const scope = webmcp.scope({ hooks: say('s') });
		scope.configure({ hooks: say('s2') });
		const plain = webmcp(() => ran.splice(0).join(' '), { name: 'plain', description: 'Says who ran.', hooks: say('t') });
		const again = webmcp(plain, { name: 'again', hooks: say('t2') });
		await plain.register({ scope });
		await again.register();
		window.scopes = { scope };
	}`)
	require.Equal(t, "a b s s2 t", p.Ask("plain", nil))
	require.Equal(t, "a b t t2", p.Ask("again", nil), "wrapping a tool again adds to its hooks")
	p.Do(`() => {
		webmcp.configure({ hooks: { before: [note('c')] }, replace: true });
		scopes.scope.configure({ hooks: { before: [note('s3')] }, replace: true });
	}`)
	require.Equal(t, "c s3 t", p.Ask("plain", nil))
	require.Equal(t, 1, webmcptest.Eval[int](p, `() => webmcp.getGlobalHooks().before.length`))
	p.Do(`() => webmcp.resetGlobalHooks()`)
	require.Equal(t, "s3 t", p.Ask("plain", nil))
}

func TestMergeHooksKeepsTheDocumentedOrder(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	merged := webmcptest.Eval[map[string]string](p, `() => {
		const set = scope => Object.fromEntries(['before', 'after', 'error', 'denied'].map(phase => [phase, [() => scope + 1, () => scope + 2]]));
		const names = hooks => Object.entries(hooks).map(([phase, list]) => phase + ' ' + list.map(hook => hook()).join(' ')).sort().join(', ');
		return {
			two: names(webmcp.mergeHooks(set('a'), set('b'))),
			ordered: names(webmcp.mergeHooksOrdered({ globalHooks: set('g'), scopedHooks: set('s'), toolHooks: set('t') })),
		};
	}`)
	require.Equal(t, "after a1 a2 b1 b2, before a1 a2 b1 b2, denied a1 a2 b1 b2, error a1 a2 b1 b2", merged["two"])
	var want []string
	for _, name := range []string{"after", "before", "denied", "error"} {
		order := "t1 t2 s1 s2 g1 g2"
		if name == "before" {
			order = "g1 g2 s1 s2 t1 t2"
		}
		want = append(want, fmt.Sprintf("%s %s", name, order))
	}
	require.Equal(t, strings.Join(want, ", "), merged["ordered"])
}
