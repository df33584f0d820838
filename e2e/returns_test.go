package e2e

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/webmcptest"
)

// The table rules run twice, for hooks that return the value and for hooks
// that return a promise of it: the rules are the same.
var waysToReturn = map[string]string{
	"synchronous":  `make => () => make()`,
	"asynchronous": `make => async () => { await null; return make() }`,
	"thenable":     `make => () => ({ then(resolve) { setTimeout(() => resolve(make())) } })`,
}

func TestWhatABeforeHookMayReturn(t *testing.T) {
	t.Parallel()
	const (
		keeps = `{"n":1}` // what the function gets if the hook leaves the input alone
		fails = ""        // the call fails, with a text that says what to return
	)
	p := libPage(t, withWebMCP)
	for way, wrap := range waysToReturn {
		p.Do(`() => webmcp.registry.clear()`)
		p.Do(`async () => {
			window.hookResult = () => undefined;
			await webmcp(function probe(input) { ran.push('fn'); return JSON.stringify({ input }) }, {
				description: 'Shows its input.', schema: {},
				hooks: { before: [(` + wrap + `)(() => hookResult()), ({ input }) => { ran.push(JSON.stringify({ input })) }] },
			}).register();
		}`)
		for _, c := range []struct{ returned, input string }{
			{`undefined`, keeps},
			{`null`, keeps},
			{`true`, keeps},
			{`0`, keeps},
			{`42`, keeps},
			{`NaN`, keeps},
			{`{}`, keeps},
			{`{ input: undefined }`, keeps},
			{`{ input: { n: 2 } }`, `{"n":2}`},
			{`{ input: null }`, `null`},
			{`{ input: 0 }`, `0`},
			{`{ input: '' }`, `""`},
			{`{ input: false }`, `false`},
			{`{ input: [] }`, `[]`},
			{`Object.freeze({ input: 'x' })`, `"x"`},
			{`Object.assign(Object.create(null), { input: 'x' })`, `"x"`},

			{`false`, fails},
			{`''`, fails},
			{`'deny'`, fails},
			{`{ action: 'allow' }`, fails},
			{`{ action: 'continue', input: { n: 2 } }`, fails},
			{`{ action: 'Deny' }`, fails},
			{`{ foo: 1 }`, fails},
			{`{ n: 2 }`, fails},
			{`{ output: 1 }`, fails},
			{`new Date()`, fails},
			{`new Map([['input', 1]])`, fails},
			{`[{ input: 1 }]`, fails},
			{`{ get input() { throw new Error('trap') } }`, fails},
			{`new Proxy({}, { get() { throw new Error('trap') }, has() { throw new Error('trap') }, ownKeys() { throw new Error('trap') } })`, fails},
			{`Symbol('deny')`, fails},
			{`() => ({ input: 1 })`, fails},
		} {
			p.About("a hook returned %s, %s", way, c.returned)
			p.Do(`() => { ran.length = 0; window.hookResult = () => (` + c.returned + `) }`)
			a := p.Invoke("probe", map[string]int{"n": 1}).Result()
			if c.input == fails {
				require.True(t, a.IsError, "a before hook returned %s", c.returned)
				require.Empty(t, a.Code)
				require.True(t, strings.HasPrefix(onlyText(t, a), "Error: "), onlyText(t, a))
				require.Empty(t, webmcptest.Eval[[]string](p, `() => ran`), "nothing runs after a before hook that returned %s", c.returned)
				if !strings.Contains(c.returned, "trap") {
					require.Contains(t, onlyText(t, a), "return", "the text says what to return")
				}
				continue
			}
			require.False(t, a.IsError, "a before hook returned %s: %v", c.returned, a.Content)
			require.JSONEq(t, `{"input":`+c.input+`}`, onlyText(t, a), "a before hook returned %s", c.returned)
			require.Equal(t, []string{`{"input":` + c.input + `}`, "fn"}, webmcptest.Eval[[]string](p, `() => ran`))
		}
	}
}

func TestHowABeforeHookDenies(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	for way, wrap := range waysToReturn {
		p.Do(`() => webmcp.registry.clear()`)
		p.Do(`async () => {
			window.hookResult = () => undefined;
			await webmcp(function probe(input) { ran.push('fn') }, {
				description: 'Never runs.',
				hooks: {
					before: [({ input }) => ({ input: { ...input, enriched: true } }), (` + wrap + `)(() => hookResult()), note('next')],
					denied: [({ reason, code, input }) => { ran.push(JSON.stringify({ reason, code, input })) }],
					error: [note('error')], after: [note('after')],
				},
			}).register();
		}`)
		for _, c := range []struct{ returned, text, code, denied string }{
			{
				`{ action: 'deny', message: 'Too late.', code: 'LATE' }`, "Denied: Too late.", "LATE",
				`{"reason":"Too late.","code":"LATE","input":{"n":1,"enriched":true}}`,
			},
			{
				`{ action: 'deny', message: 'No.', code: 'NO', input: { n: 9 } }`, "Denied: No.", "NO",
				`{"reason":"No.","code":"NO","input":{"n":9}}`,
			},
		} {
			p.About("a hook returned %s, %s", way, c.returned)
			p.Do(`() => { ran.length = 0; window.hookResult = () => (` + c.returned + `) }`)
			a := p.Invoke("probe", map[string]int{"n": 1}).Result()
			require.True(t, a.IsError)
			require.Equal(t, c.code, a.Code)
			require.Equal(t, c.text, onlyText(t, a))
			ran := webmcptest.Eval[[]string](p, `() => ran`)
			require.Len(t, ran, 1, "only the denied hook runs")
			require.JSONEq(t, c.denied, ran[0])
		}
		for _, returned := range []string{
			`{ action: 'deny' }`, `{ action: 'deny', message: undefined, code: null }`,
			`{ action: 'deny', message: 42, code: {} }`, `{ action: 'deny', message: Symbol('m'), code: Symbol('c') }`,
			`{ action: 'deny', get message() { throw new Error('trap') } }`,
		} {
			p.About("a hook returned %s, %s", way, returned)
			p.Do(`() => { ran.length = 0; window.hookResult = () => (` + returned + `) }`)
			a := p.Invoke("probe", map[string]int{"n": 1}).Result()
			require.True(t, a.IsError, "whatever is wrong with a denial, it is not let through")
			require.NotContains(t, webmcptest.Eval[[]string](p, `() => ran`), "fn")
			require.NotContains(t, onlyText(t, a), "undefined")
			require.NotContains(t, onlyText(t, a), "[object")
		}
	}
}

func TestWhatAnAfterHookMayReturn(t *testing.T) {
	t.Parallel()
	const (
		keeps = "the secret" // what the agent gets if the hook leaves the output alone
		fails = "fails"
	)
	p := libPage(t, withWebMCP)
	for way, wrap := range waysToReturn {
		p.Do(`() => webmcp.registry.clear()`)
		p.Do(`async () => {
			window.hookResult = () => undefined;
			await webmcp(function probe() { return 'the secret' }, {
				description: 'Knows a secret.',
				hooks: {
					after: [(` + wrap + `)(() => hookResult()), ({ output }) => { ran.push(JSON.stringify(output) ?? 'undefined') }],
					error: [({ error }) => { ran.push('error ' + (error instanceof Error)) }],
				},
			}).register();
		}`)
		for _, c := range []struct{ returned, text, next string }{
			{`undefined`, keeps, `"the secret"`},
			{`null`, keeps, `"the secret"`},
			{`true`, keeps, `"the secret"`},
			{`0`, keeps, `"the secret"`},
			{`42`, keeps, `"the secret"`},
			{`{ output: 'redacted' }`, "redacted", `"redacted"`},
			{`{ output: { a: 1 } }`, `{"a":1}`, `{"a":1}`},
			{`{ output: null }`, "", "null"},
			{`{ output: false }`, "false", "false"},
			{`{ output: '' }`, "", `""`},

			{`{ output: undefined }`, fails, ""},
			{`'redacted'`, fails, ""},
			{`''`, fails, ""},
			{`{ result: 'redacted' }`, fails, ""},
			{`{ input: 'redacted' }`, fails, ""},
			{`new Date()`, fails, ""},
			{`['redacted']`, fails, ""},
			{`{ get output() { throw new Error('trap') } }`, fails, ""},
			{`{ action: 'deny', code: 'NO', message: 'too late' }`, fails, ""},
		} {
			p.About("a hook returned %s, %s", way, c.returned)
			p.Do(`() => { ran.length = 0; window.hookResult = () => (` + c.returned + `) }`)
			r := p.Invoke("probe", nil).Result()
			if c.text == fails {
				require.True(t, r.IsError, "an after hook returned %s", c.returned)
				require.True(t, strings.HasPrefix(onlyText(t, r), "Error: "), onlyText(t, r))
				require.NotContains(t, onlyText(t, r), "secret", "what was not redacted must not leak")
				require.Equal(t, []string{"error true"}, webmcptest.Eval[[]string](p, `() => ran`))
				continue
			}
			require.False(t, r.IsError, "an after hook returned %s: %v", c.returned, r.Content)
			require.Equal(t, c.text, onlyText(t, r), "an after hook returned %s", c.returned)
			require.Equal(t, []string{c.next}, webmcptest.Eval[[]string](p, `() => ran`))
		}
	}
}
