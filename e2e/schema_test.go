package e2e

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/driver"
	"github.com/webmcp-wasm/webmcp/webmcptest"
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
			p.Do(`way => webmcp(input => { ran.push('fn'); return JSON.stringify(input) }, { name: 'order', description: 'Orders.',
				schema: `+standardSchema+`(way), hooks: {
					before: [({ input }) => input.enrich ? { input: { count: input.enrich } } : undefined],
					after: [({ input }) => { ran.push('after ' + JSON.stringify(input)) }],
					error: [({ error }) => { ran.push(error.name) }],
				} }).register()`, way)

			require.JSONEq(t, `{"count":3}`, p.Ask("order", map[string]any{"count": "3"}), "the parsed value becomes the input")
			require.Equal(t, []string{`validate {"count":"3"}`, "fn", `after {"count":3}`}, webmcptest.Eval[[]string](p, `() => ran.splice(0)`))
			require.JSONEq(t, `{"count":1}`, p.Ask("order", nil), "defaults included")
			p.Do(`() => { ran.length = 0 }`)
			require.JSONEq(t, `{"count":7}`, p.Ask("order", map[string]any{"enrich": 7}), "after enrichment")
			require.Equal(t, []string{`validate {"count":7}`, "fn", `after {"count":7}`}, webmcptest.Eval[[]string](p, `() => ran.splice(0)`))

			wrong := p.Invoke("order", map[string]any{"count": "many"}).Result()
			require.True(t, wrong.IsError)
			text := onlyText(t, wrong)
			require.Regexp(t, `^Error: `, text)
			for _, part := range []string{"count", "Expected a number", "lines", "2", "id", "Too odd"} {
				require.Contains(t, text, part)
			}
			require.NotContains(t, text, "[object")
			require.Equal(t, []string{`validate {"count":"many"}`, "ValidationError"}, webmcptest.Eval[[]string](p, `() => ran.splice(0)`),
				"the function does not run")

			broken := p.Invoke("order", map[string]any{"count": "throw"}).Result()
			require.True(t, broken.IsError)
			require.Contains(t, onlyText(t, broken), "schema broke")
			require.NotContains(t, webmcptest.Eval[[]string](p, `() => ran.splice(0)`), "fn")
		})
	}
}

func TestAnAbortEndsAnAsynchronousValidation(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	p.Do(`() => webmcp(note('fn'), { name: 'order', description: 'Orders.',
		schema: { '~standard': { version: 1, vendor: 'test', validate: () => { window.validating = true; return gate('schema') } } },
		hooks: { error: [({ error }) => { ran.push(error.name) }] } }).register()`)
	call := p.Invoke("order", nil)
	p.WaitFor(`globalThis.validating`)
	call.Cancel()
	require.ErrorIs(t, call.Err(), driver.ErrCanceled)
	p.WaitFor(`ran.length > 0`)
	p.Do(`async () => { release('schema', { value: {} }); await new Promise(done => setTimeout(done)) }`)
	require.Equal(t, []string{"AbortError"}, webmcptest.Eval[[]string](p, `() => ran`))
}

func TestJSONSchemaIsEnforced(t *testing.T) {
	t.Parallel()
	for name, b := range map[string]webmcptest.Options{"native": withWebMCP, "registry": withoutWebMCP} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := libPage(t, b)
			p.Do(`() => webmcp(input => { ran.push('fn'); return JSON.stringify(input) }, { name: 'order', description: 'Orders.',
				schema: { type: 'object', required: ['id', 'email'], additionalProperties: false, properties: {
					id: { type: 'string', pattern: '^[a-z]+$' }, email: { type: 'string', format: 'email' },
					count: { type: 'integer', minimum: 1, maximum: 9, default: 1 },
					lines: { type: 'array', items: { type: 'object', properties: { note: { type: 'string' } } } },
				} },
				hooks: {
					before: [({ input }) => input.id === 'enrich' ? { input: { ...input, email: 'ada@example.com' } }
						: input.id === 'spoil' ? { input: { ...input, count: 10 } } : undefined],
					error: [({ error }) => { ran.push(error.name + ' ' + (error instanceof webmcp.ValidationError) + ' ' + error.issues.map(({ path }) => path)) }],
				} }).register()`)
			ask := func(input string) *driver.Result {
				return webmcptest.Eval[*driver.Result](p, `input => webmcp.invokeTool('order', input)`, json.RawMessage(input))
			}
			for _, c := range []struct{ input, path string }{
				{`{"email":"ada@example.com"}`, "id"},
				{`{"id":7,"email":"ada@example.com"}`, "id"},
				{`{"id":"UPPER","email":"ada@example.com"}`, "id"},
				{`{"id":"a","email":"nobody"}`, "email"},
				{`{"id":"a","email":"ada@example.com","extra":1}`, "extra"},
				{`{"id":"a","email":"ada@example.com","count":0}`, "count"},
				{`{"id":"a","email":"ada@example.com","count":1.5}`, "count"},
				{`{"id":"a","email":"ada@example.com","lines":[{},{"note":1}]}`, "lines[1].note"},
				{`{"id":"spoil","email":"ada@example.com","count":1}`, "count"},
			} {
				p.About("%s", c.input)
				a := ask(c.input)
				require.True(t, a.IsError)
				require.Regexp(t, `^Error: `, onlyText(t, a))
				require.Contains(t, onlyText(t, a), c.path, "the text names the path")
				ran := webmcptest.Eval[[]string](p, `() => ran.splice(0)`)
				require.Equal(t, []string{"ValidationError true " + c.path}, ran, "the function does not run")
			}
			require.JSONEq(t, `{"id":"a","email":"ada@example.com","count":1}`, onlyText(t, ask(`{"id":"a","email":"ada@example.com"}`)), "defaults are filled in")
			require.JSONEq(t, `{"id":"enrich","email":"ada@example.com","count":1}`, onlyText(t, ask(`{"id":"enrich"}`)), "a hook can make an input valid")
		})
	}
}
