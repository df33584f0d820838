package e2e

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/webmcptest"
)

func TestAnAgentsWrongInputIsAnsweredWithThePath(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	p.Do(`() => webmcp(input => { ran.push('fn'); return JSON.stringify(input) }, { name: 'order', description: 'Orders.',
		schema: { required: ['id'], additionalProperties: false, properties: {
			id: { type: 'string' }, count: { type: 'integer', maximum: 9 }, when: { type: 'string', format: 'date' },
			find: { type: 'string', format: 'regex' },
		} },
		hooks: { error: [({ error }) => { ran.push(error.name) }] } }).register()`)
	for input, want := range map[string]string{
		`{}`:                         "Error: invalid input: id: is required",
		`{"id":7}`:                   "Error: invalid input: id: must be a string, got 7",
		`{"id":"a","other":1}`:       "Error: invalid input: other: is not allowed",
		`{"id":"a","count":10}`:      "Error: invalid input: count: must be <= 9, got 10",
		`{"id":"a","when":"monday"}`: "Error: invalid input: when: must be a date",
		`{"id":"a","find":"(a"}`:     "Error: invalid input: find: must be a regular expression",
	} {
		p.About("%s", input)
		a := p.Invoke("order", json.RawMessage(input)).Result()
		require.True(t, a.IsError)
		require.Contains(t, onlyText(t, a), want)
		require.Equal(t, []string{"ValidationError"}, webmcptest.Eval[[]string](p, `() => ran.splice(0)`), "the function does not run")
	}
}

// withheld is what the agent gets of what failed behind the function.
const withheld = "Error: the tool has run, but its output cannot be passed on"

func TestAnOutputThatBreaksItsSchemaIsAnError(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	p.Do(`() => webmcp(({ output }) => output, { name: 'give', description: 'Gives.', schema: {},
		outputSchema: { type: 'object', required: ['ok'], properties: { ok: { const: true } } },
		hooks: {
			after: [({ output }) => output?.secret ? { output: { ok: true } } : undefined, () => { ran.push('after') }],
			error: [({ error }) => { ran.push(error.name) }],
		} }).register()`)
	for output, want := range map[string]string{
		`{"ok":true}`:         `{"ok":true}`,
		`{"secret":1}`:        `{"ok":true}`,
		`{"password":"1234"}`: withheld,
		`"text"`:              withheld,
		`{"content":[{"type":"text","text":"x"}],"structuredContent":{"ok":true}}`:  `x`,
		`{"content":[{"type":"text","text":"x"}],"structuredContent":{"ok":false}}`: withheld,
		`{"content":[{"type":"text","text":"x"}]}`:                                  withheld,
	} {
		p.About("%s", output)
		a := p.Invoke("give", json.RawMessage(`{"output":`+output+`}`)).Result()
		require.Equal(t, want, onlyText(t, a))
		require.Equal(t, strings.HasPrefix(want, "Error"), a.IsError)
		wanted := []string{"after"}
		if a.IsError {
			wanted = append(wanted, "ValidationError")
		}
		require.Equal(t, wanted, webmcptest.Eval[[]string](p, `() => ran.splice(0)`))
	}
}

func TestFieldsPatchTheSchemaAndAreEnforced(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	shown := webmcptest.Eval[map[string]any](p, `() => {
		window.given = { type: 'object', properties: { count: { type: 'integer', description: 'How many.' }, note: { type: 'string' } } };
		const before = JSON.stringify(given);
		const even = { '~standard': { version: 1, vendor: 'test', validate: async value => value === undefined ? { value: 2 }
			: value % 2 ? { issues: [{ message: 'must be even', path: ['of', 0] }] } : { value: String(value) } } };
		const tool = webmcp(input => JSON.stringify(input), { name: 'order', description: 'Orders.', schema: given,
			fields: { count: { maximum: 3 }, pairs: even } });
		return tool.register().then(() => ({ schema: tool.tool.inputSchema, same: JSON.stringify(given) === before }));
	}`)
	require.Equal(t, true, shown["same"], "the caller's object is not changed")
	require.Equal(t, map[string]any{"type": "object", "properties": map[string]any{
		"count": map[string]any{"type": "integer", "description": "How many.", "maximum": 3.0},
		"note":  map[string]any{"type": "string"}, "pairs": map[string]any{},
	}}, shown["schema"])
	require.JSONEq(t, `{"count":3,"pairs":"4"}`, p.Ask("order", json.RawMessage(`{"count":3,"pairs":4}`)))
	require.JSONEq(t, `{"pairs":2}`, p.Ask("order", json.RawMessage(`{}`)))
	for input, want := range map[string]string{
		`{"count":4}`:   "count: must be <= 3, got 4",
		`{"count":"1"}`: "count: must be an integer",
		`{"note":1}`:    "note: must be a string",
		`{"pairs":3}`:   "pairs.of[0]: must be even",
	} {
		require.Contains(t, onlyText(t, p.Invoke("order", json.RawMessage(input)).Result()), want)
	}
}

func TestAFunctionSaysWhatItsSourceSays(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	schemas := webmcptest.Eval[map[string]any](p, `() => {
		async function deleteUser({ id, reason = 'none, {really}', 'full name': name, nested: { deep }, ...rest } = {}) {}
		const arrow = async ({ a /* , b */, c = (x, y) => [x, y] }) => a;
		const object = { getHTTPStatus({ url }) {} };
		function none() {}
		const of = (fn, more) => { const { name, inputSchema } = webmcp(fn, { description: 'x', ...more }).tool; return [name, inputSchema] };
		return Object.fromEntries([of(deleteUser), of(arrow), of(object.getHTTPStatus), of(none)]);
	}`)
	require.Equal(t, map[string]any{
		"delete_user": map[string]any{"type": "object", "required": []any{"id", "full name", "nested"}, "properties": map[string]any{
			"id": map[string]any{}, "reason": map[string]any{"type": "string"}, "full name": map[string]any{}, "nested": map[string]any{},
		}},
		"arrow": map[string]any{"type": "object", "required": []any{"a"}, "properties": map[string]any{
			"a": map[string]any{}, "c": map[string]any{},
		}},
		"get_http_status": map[string]any{"type": "object", "required": []any{"url"}, "properties": map[string]any{"url": map[string]any{}}},
		"none":            map[string]any{"type": "object", "properties": map[string]any{}},
	}, schemas)
}

// warningsOf returns what a page's console is told while it does something.
func warningsOf(p *webmcptest.Page, what string) []string {
	return webmcptest.Eval[[]string](p, `async () => {
		const said = [];
		const { warn } = console;
		console.warn = (text) => said.push(text);
		try { await (`+what+`)() } finally { console.warn = warn }
		return said;
	}`)
}

func TestDefaultsThatAreLiteralsTellTheType(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	require.Empty(t, warningsOf(p, `() => { window.tool = webmcp(({ text = 'a=b', count = -1.5e3, yes = !0, no = false, list = [1, [2]], more = { a: 1 } }) => {},
		{ name: 'literals', description: 'x' }) }`))
	require.Equal(t, map[string]any{"type": "object", "properties": map[string]any{
		"text": map[string]any{"type": "string"}, "count": map[string]any{"type": "number"}, "yes": map[string]any{"type": "boolean"},
		"no": map[string]any{"type": "boolean"}, "list": map[string]any{"type": "array"}, "more": map[string]any{"type": "object"},
	}}, webmcptest.Eval[any](p, `() => tool.tool.inputSchema`))

	missing := `({ id, when = Date.now(), sum = 1 + 2, both = 'a' + 'b', none = null, count = 1 }) => {}`
	require.Equal(t, []string{`[webmcp] agents are not told what id, when, sum, both, none of the tool some may be: say it with {fields: {id: {type: 'string'}}}`},
		warningsOf(p, `() => webmcp(`+missing+`, { name: 'some', description: 'x' })`))
	require.Empty(t, warningsOf(p, `() => webmcp(({ id, count = 1 }) => {}, { name: 'given', description: 'x', fields: { id: { type: 'string' } } })`))
}

func TestFieldsAloneAreASchema(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	require.Empty(t, warningsOf(p, `() => webmcp(input => JSON.stringify(input), { name: 'plain', description: 'x', strict: true,
		fields: { count: { type: 'integer' } } }).register()`))
	require.False(t, webmcptest.Eval[bool](p, `async () => (await webmcp.getTool('plain')).openSchema`))
	p.AwaitTools("plain")
	require.JSONEq(t, `{"type":"object","properties":{"count":{"type":"integer"}}}`, string(p.Tool("plain").InputSchema))
	require.Contains(t, onlyText(t, p.Invoke("plain", json.RawMessage(`{"count":"x"}`)).Result()), "count: must be an integer")
}

func TestASchemaSaysThatItIsOfAnObject(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	for schema, want := range map[string]string{
		`{}`:                          `{"type":"object","properties":{}}`,
		`{ type: 'object' }`:          `{"type":"object","properties":{}}`,
		`{ required: ['a'] }`:         `{"type":"object","properties":{},"required":["a"]}`,
		`{ properties: { a: true } }`: `{"type":"object","properties":{"a":true}}`,
	} {
		shown := webmcptest.Eval[json.RawMessage](p, `() => webmcp(() => {}, { name: 'any', description: 'x', schema: `+schema+` }).tool.inputSchema`)
		require.JSONEq(t, want, string(shown))
	}
}

func TestWhatSomeAgentsRefuseIsSaidOnce(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	long := strings.Repeat("n", 65)
	warnings := warningsOf(p, `() => webmcp(() => {}, { name: '`+long+`', description: 'x', schema: { anyOf: [{}], allOf: [{}] }, outputSchema: { minLength: 1 } })`)
	require.Len(t, warnings, 1)
	for _, part := range []string{long, "OpenAI and Gemini APIs refuse a name", "OpenAI and Anthropic APIs refuse anyOf and allOf", "MCP SDK refuse an outputSchema"} {
		require.Contains(t, warnings[0], part)
	}
	require.Empty(t, warningsOf(p, `() => webmcp(() => {}, { name: '`+long[1:]+`', description: 'x', schema: { properties: { a: { anyOf: [{}] } } }, outputSchema: { type: 'object' } })`))
}

func TestAnOutputWithASchemaIsStructuredContentToo(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	p.Do(`async () => {
		const register = document.modelContext.registerTool.bind(document.modelContext);
		document.modelContext.registerTool = (tool, options) => { window.given = tool.outputSchema; return register(tool, options) };
		await webmcp(() => ({ ok: true, when: new Date(0) }), { name: 'give', description: 'Gives.', schema: {},
			outputSchema: { type: 'object', properties: { ok: { type: 'boolean' } } } }).register();
	}`)
	require.Equal(t, map[string]any{"type": "object", "properties": map[string]any{"ok": map[string]any{"type": "boolean"}}},
		webmcptest.Eval[any](p, `() => given`), "the browser gets the schema")
	result := webmcptest.Eval[json.RawMessage](p, `() => webmcp.invokeTool('give', {})`)
	require.JSONEq(t, `{"content":[{"type":"text","text":"{\"ok\":true,\"when\":\"1970-01-01T00:00:00.000Z\"}"}],
		"structuredContent":{"ok":true,"when":"1970-01-01T00:00:00.000Z"}}`, string(result))
}

func TestAFunctionThatCannotBeReadIsOpenOrRefused(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	for name, fn := range map[string]string{
		"two_parameters": `function twoParameters({ a }, b) {}`,
		"plain":          `function plain(input) {}`,
		"bound_one":      `(function boundOne({ a }) {}).bind(null)`,
		"native":         `Object.defineProperty(JSON.stringify.bind(JSON), 'name', { value: 'native' })`,
		"computed":       `function computed({ ['a' + 1]: a }) {}`,
	} {
		p.About("%s", name)
		open := webmcptest.Eval[map[string]any](p, `async () => {
			const fn = `+fn+`;
			const tool = webmcp(fn, { description: 'x', name: '`+name+`' });
			await tool.register();
			let strict;
			try { webmcp(fn, { description: 'x', name: '`+name+`', strict: true }) } catch (error) { strict = error.name }
			return { schema: tool.tool.inputSchema, open: (await webmcp.getTool('`+name+`')).openSchema, strict };
		}`)
		require.Equal(t, map[string]any{
			"schema": map[string]any{"type": "object", "properties": map[string]any{}}, "open": true, "strict": "ConfigurationError",
		}, open)
	}
	require.Contains(t, strings.Join(p.Console(), "\n"), "agents may send anything")
}

func TestContractsThatCannotHoldAreRefusedAtOnce(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	for options, want := range map[string]string{
		`{ schema: { type: 'nope' } }`:                     "#/type",
		`{ schema: { $dynamicRef: '#x' } }`:                "$dynamicRef",
		`{ schema: { $ref: 'https://example.com/x' } }`:    "$ref",
		`{ schema: { properties: { a: { maxmum: 1 } } } }`: "maxmum",
		`{ schema: { pattern: '(' } }`:                     "pattern",
		`{ schema: 'object' }`:                             "must be an object",
		`{ outputSchema: { minimun: 1 } }`:                 "outputSchema",
		`{ schema: { type: 'array' } }`:                    "must be of an object",
		`{ schema: { type: ['object', 'null'] } }`:         "must be of an object",
		`{ fields: { a: { type: 'nope' } } }`:              "#/properties/a/type",
		`{ maxInputBytes: -1 }`:                            "maxInputBytes",
		`{ title: '\ud800' }`:                              "not well-formed Unicode",
		`{ description: 'x\udc00' }`:                       "not well-formed Unicode",
		`{ description: ' ' }`:                             "not empty",
		`{ name: 'a b' }`:                                  "1 to 128",
		`{ exposedTo: 'https://example.com' }`:             "exposedTo",
	} {
		p.About("%s", options)
		got := webmcptest.Eval[[]string](p, `() => {
			try { webmcp(({ a }) => a, { name: 'x', description: 'x', ...`+options+` }); return ['nothing'] }
			catch (error) { return [error.name, error.message] }
		}`)
		require.Equal(t, "ConfigurationError", got[0])
		require.Contains(t, got[1], want)
	}
}

func TestInputsOverTheLimitsAreRefused(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	p.Do(`async () => {
		await webmcp(() => { ran.push('fn') }, { name: 'small', description: 'x', schema: {}, maxInputBytes: 20 }).register();
		await webmcp(() => { ran.push('fn') }, { name: 'large', description: 'x', schema: {} }).register();
	}`)
	require.Contains(t, onlyText(t, p.Invoke("small", json.RawMessage(`{"text":"`+strings.Repeat("é", 10)+`"}`)).Result()), "the limit is 20")
	// The DevTools protocol itself nests no deeper than some hundred levels.
	require.Contains(t, webmcptest.Eval[string](p, `async () => (await webmcp.invokeTool('large',
		{ deep: JSON.parse('['.repeat(1000) + ']'.repeat(1000)) })).content[0].text`), "deeper than 1000")
	require.Contains(t, webmcptest.Eval[string](p, `async () => (await webmcp.invokeTool('large', { text: 'x'.repeat(11 * 1024 * 1024) })).content[0].text`), "the limit is 10485760")
	p.Do(`() => webmcp.configure({ maxInputBytes: 10 })`)
	require.Contains(t, onlyText(t, p.Invoke("large", json.RawMessage(`{"text":"12345"}`)).Result()), "the limit is 10")
	require.Empty(t, webmcptest.Eval[[]string](p, `() => ran`))
}

func TestProtoStaysPlainData(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	p.Do(`async () => {
		const schema = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"object","properties":{"polluted":{"type":"number"}}}}}');
		await webmcp(input => ({ own: Object.hasOwn(input, '__proto__'), polluted: ({}).polluted ?? 'no', back: input }),
			{ name: 'echo', description: 'x', schema, fields: JSON.parse('{"__proto__":{"description":"Data."}}'),
				hooks: { before: [({ input, metadata }) => { metadata.__proto__ = 'kept'; return { input: { ...input } } }],
					after: [({ metadata, output }) => ({ output: { ...output, kept: metadata.__proto__ } })] } }).register();
	}`)
	require.JSONEq(t, `{"own":true,"polluted":"no","back":{"__proto__":{"polluted":1}},"kept":"kept"}`,
		p.Ask("echo", json.RawMessage(`{"__proto__":{"polluted":1}}`)))
	require.Contains(t, onlyText(t, p.Invoke("echo", json.RawMessage(`{"__proto__":{"polluted":"x"}}`)).Result()), "__proto__.polluted: must be a number")
}

func TestAnnotationsReachTheBrowserAndUnknownOnesAreWarnedOfOnce(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	p.Do(`async () => {
		const annotations = { readOnlyHint: true, untrustedContentHint: true, consequentialHint: true, debugging: true, spicyHint: true };
		for (const name of ['one.dot', 'two']) await webmcp(() => '', { name, description: 'x', annotations }).register();
	}`)
	p.AwaitTools("one.dot", "two")
	a := p.Tool("two").Annotations
	require.True(t, a.ReadOnly && a.UntrustedContent && a.Consequential && a.Debugging)
	lines := strings.Join(p.Console(), "\n")
	require.Equal(t, 1, strings.Count(lines, "spicyHint"))
	require.Contains(t, lines, "one.dot has a dot")
}
