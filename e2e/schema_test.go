package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// standardSchema is a schema as the libraries that follow standardschema.dev
// make them: wants {count: number}, knows a default and a coercion.
const standardSchema = `(way => ({ '~standard': { version: 1, vendor: 'test', validate: value => {
	ran.push('validate ' + JSON.stringify(value));
	const count = value?.count === undefined ? 1 : Number(value.count);
	const result = Number.isNaN(count)
		? { issues: [{ message: 'Expected a number', path: ['count'] }, { message: 'Too odd', path: [{ key: 'lines' }, 2, 'id'] }] }
		: { value: { count } };
	if (value?.count === 'throw') throw new Error('schema broke');
	return way === 'async' ? new Promise(done => setTimeout(() => done(result))) : result;
} } }))`

func TestStandardSchemaValidatesAndParses(t *testing.T) {
	t.Parallel()
	for _, way := range []string{"sync", "async"} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			p := libPage(t, withWebMCP)
			p.do(`way => webmcp(input => { ran.push('fn'); return JSON.stringify(input) }, { name: 'order', description: 'Orders.',
				schema: `+standardSchema+`(way), hooks: {
					before: [({ input }) => input.enrich ? { input: { count: input.enrich } } : undefined],
					after: [({ input }) => { ran.push('after ' + JSON.stringify(input)) }],
					error: [({ error }) => { ran.push(error.name) }],
				} }).register()`, way)

			require.JSONEq(t, `{"count":3}`, p.ask("order", map[string]any{"count": "3"}), "the parsed value becomes the input")
			require.Equal(t, []string{`validate {"count":"3"}`, "fn", `after {"count":3}`}, run[[]string](p, `() => ran.splice(0)`))
			require.JSONEq(t, `{"count":1}`, p.ask("order", struct{}{}), "defaults included")
			p.do(`() => { ran.length = 0 }`)
			require.JSONEq(t, `{"count":7}`, p.ask("order", map[string]any{"enrich": 7}), "after enrichment")
			require.Equal(t, []string{`validate {"count":7}`, "fn", `after {"count":7}`}, run[[]string](p, `() => ran.splice(0)`))

			wrong := p.invoke("order", map[string]any{"count": "many"}).answer()
			require.True(t, wrong.IsError)
			text := wrong.text(p)
			require.Regexp(t, `^Error: `, text)
			for _, part := range []string{"count", "Expected a number", "lines", "2", "id", "Too odd"} {
				require.Contains(t, text, part)
			}
			require.NotContains(t, text, "[object")
			require.Equal(t, []string{`validate {"count":"many"}`, "ValidationError"}, run[[]string](p, `() => ran.splice(0)`),
				"the function does not run")

			broken := p.invoke("order", map[string]any{"count": "throw"}).answer()
			require.True(t, broken.IsError)
			require.Contains(t, broken.text(p), "schema broke")
			require.NotContains(t, run[[]string](p, `() => ran.splice(0)`), "fn")
		})
	}
}

func TestAnAbortEndsAnAsynchronousValidation(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	p.do(`() => webmcp(note('fn'), { name: 'order', description: 'Orders.',
		schema: { '~standard': { version: 1, vendor: 'test', validate: () => { window.validating = true; return gate('schema') } } },
		hooks: { error: [({ error }) => { ran.push(error.name) }] } }).register()`)
	call := p.invoke("order", struct{}{})
	p.waitFor(`globalThis.validating`)
	call.cancel()
	call.wait()
	p.waitFor(`ran.length > 0`)
	p.do(`async () => { release('schema', { value: {} }); await new Promise(done => setTimeout(done)) }`)
	require.Equal(t, []string{"AbortError"}, run[[]string](p, `() => ran`))
}
