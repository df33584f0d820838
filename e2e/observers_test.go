package e2e

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/webmcptest"
)

// misbehaviours are what an observer might do.
var misbehaviours = map[string]string{
	"throws":             `() => { throw new Error('observer broke') }`,
	"throws a symbol":    `() => { throw Symbol('observer') }`,
	"rejects":            `async () => { await null; throw new Error('observer broke') }`,
	"rejects late":       `() => new Promise((_, reject) => setTimeout(() => reject(new Error('observer broke'))))`,
	"never settles":      `() => new Promise(() => {})`,
	"returns an input":   `() => ({ input: 'other', output: 'other' })`,
	"returns a denial":   `() => ({ action: 'deny', message: 'other', code: 'OTHER' })`,
	"returns a text":     `() => 'other'`,
	"returns false":      `() => false`,
	"changes its object": `context => { for (const key of Object.keys(context)) { try { context[key] = 'other' } catch {} } }`,
}

func TestObserversCannotChangeTheResult(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	for name, observer := range misbehaviours {
		p.About("an observer that %s", name)
		before := len(p.Console())
		p.Do(`async () => {
			webmcp.registry.clear();
			ran.length = 0;
			const hooks = label => ({
				error: [note(label + ' first'), ` + observer + `, note(label + ' last')],
				denied: [note(label + ' first'), ` + observer + `, note(label + ' last')],
			});
			webmcp.configure({ hooks: hooks('global'), replace: true });
			await webmcp(() => { throw new Error('out of stock') }, { name: 'fail', description: 'Fails.', hooks: hooks('tool') }).register();
			await webmcp(note('fn'), { name: 'refuse', description: 'Refuses.', hooks: { ...hooks('tool'),
				before: [() => ({ action: 'deny', message: 'Not now.', code: 'LATER' })] } }).register();
		}`)
		all := []string{"tool first", "tool last", "global first", "global last"}

		failed := p.Invoke("fail", nil).Result()
		require.Equal(t, "Error: out of stock", onlyText(t, failed))
		require.True(t, failed.IsError)
		require.Empty(t, failed.Code)
		p.WaitFor(`ran.length >= 4`)
		require.Equal(t, all, webmcptest.Eval[[]string](p, `() => ran.splice(0)`), "and the other observers still run, in order")

		denied := p.Invoke("refuse", nil).Result()
		require.Equal(t, "Denied: Not now.", onlyText(t, denied))
		require.Equal(t, "LATER", denied.Code)
		p.WaitFor(`ran.length >= 4`)
		require.Equal(t, all, webmcptest.Eval[[]string](p, `() => ran.splice(0)`))

		if strings.HasPrefix(name, "throws") || strings.HasPrefix(name, "rejects") {
			p.AwaitRecord("a line on the console about the observer", func(_, console []string) bool {
				return slices.ContainsFunc(console[before:], func(line string) bool { return strings.Contains(line, "observer") })
			})
		}
	}
}

func TestASlowObserverDoesNotHoldBackOtherCalls(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	p.Do(`() => webmcp(({ fail }) => { if (fail) throw new Error('failed'); return 'fine' }, {
		name: 'work', description: 'Works or fails.',
		hooks: { error: [() => { window.observing = true; return gate('never') }] } }).register()`)
	slow := p.Invoke("work", map[string]bool{"fail": true})
	p.WaitFor(`globalThis.observing`)
	require.Equal(t, "fine", p.Ask("work", map[string]bool{"fail": false}))
	require.Equal(t, "Error: failed", onlyText(t, slow.Result()))
}
