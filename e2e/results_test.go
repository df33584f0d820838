package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/webmcptest"
)

func TestEveryResultBecomesAText(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	p.Do(`() => webmcp(() => result(), { name: 'give', description: 'Gives the result.' }).register()`)
	for _, c := range []struct{ returned, text string }{
		{`undefined`, ""},
		{`null`, ""},
		{`''`, ""},
		{`'plain text'`, "plain text"},
		{`'42'`, "42"},
		{`'{"a":1}'`, `{"a":1}`},
		{`'Grüße \u{1F600}'`, "Grüße \U0001F600"},
		{`42`, "42"},
		{`0`, "0"},
		{`-0.5`, "-0.5"},
		{`NaN`, "NaN"},
		{`Infinity`, "Infinity"},
		{`true`, "true"},
		{`false`, "false"},
		{`12345678901234567890n`, "12345678901234567890"},
		{`({ a: 1, b: [2, 'x', null] })`, `{"a":1,"b":[2,"x",null]}`},
		{`[1, 2]`, `[1,2]`},
		{`[]`, `[]`},
		{`({})`, `{}`},
		{`({ a: undefined, b: 1 })`, `{"b":1}`},
		{`Object.assign(Object.create(null), { a: 1 })`, `{"a":1}`},
		{`({ toJSON() { return { replaced: true } } })`, `{"replaced":true}`},
		{`new Date(0)`, `"1970-01-01T00:00:00.000Z"`},
		{`Promise.resolve({ a: 1 })`, `{"a":1}`},
		{`({ then(resolve) { resolve('thenable') } })`, "thenable"},
	} {
		p.About("a function returned %s", c.returned)
		p.Do(`() => { window.result = () => ` + c.returned + ` }`)
		r := p.Invoke("give", nil)
		a := r.Result()
		require.False(t, a.IsError, "a function returned %s", c.returned)
		text := onlyText(t, a)
		if c.returned == "new Date(0)" {
			text = `"` + strings.Trim(text, `"`) + `"` // with or without the quotes of JSON
		}
		require.Equal(t, c.text, text, "a function returned %s", c.returned)
	}
}

func TestResultsThatJSONCannotHoldGetADeliberateText(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	p.Do(`() => webmcp(() => result(), { name: 'give', description: 'Gives the result.' }).register()`)
	for _, c := range []struct {
		returned string
		contains []string // what the agent must be able to read in the text
	}{
		{`({ big: 10n ** 20n, a: 1 })`, []string{"100000000000000000000", `"a":1`}},
		{`({ map: new Map([['key', 'value']]) })`, []string{"key", "value"}},
		{`new Map([['key', 'value']])`, []string{"key", "value"}},
		{`({ set: new Set(['member']) })`, []string{"member"}},
		{`({ when: new Date(0) })`, []string{"1970-01-01T00:00:00.000Z"}},
		{`({ never: new Date(NaN), a: 1 })`, []string{`"a":1`}},
		{`({ cause: new TypeError('what went wrong') })`, []string{"what went wrong"}},
		{`(() => { const a = { name: 'loop' }; a.self = a; return a })()`, []string{"loop"}},
		{`(() => { const shared = { s: 1 }; return { one: shared, two: shared } })()`, []string{`"one":{"s":1}`, `"two":{"s":1}`}},
		{`(() => { const map = new Map(); map.set('me', map); return map })()`, []string{"me"}},
		{`Symbol('mark')`, []string{"mark"}},
		{`({ mark: Symbol('mark'), a: 1 })`, []string{`"a":1`}},
		{`function named() {}`, nil},
		{`({ method() {}, a: 1 })`, []string{`"a":1`}},
		{`({ get trap() { throw new Error('sprung') }, a: 1 })`, nil},
		{`({ toJSON() { throw new Error('no JSON') } })`, nil},
		{`new Proxy({}, { get() { throw new Error('sprung') }, ownKeys() { throw new Error('sprung') } })`, nil},
		{`(() => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy })()`, nil},
		{`({ nested: { deeper: [10n, Symbol('s'), () => {}, undefined, NaN] } })`, []string{"10"}},
		{`(() => { let deep = {}; for (let i = 0; i < 100000; i++) deep = { deep }; return deep })()`, nil},
		{`(() => { let deep = []; for (let i = 0; i < 100000; i++) deep = [deep, 1n]; return deep })()`, nil},
		{`document.body`, nil},
		{`window`, nil},
		{`new Uint8Array([1, 2, 3])`, []string{"1", "2", "3"}},
		{`'\ud800 lone'`, []string{"lone"}},
		{`({ text: '\ud800 lone' })`, []string{"lone"}},
		{`({ content: 'not a list' })`, []string{"not a list"}},
		{`({ content: [{ type: 'text' }] })`, []string{"text"}},
		{`({ content: [{ type: 'text', text: 10n }] })`, []string{"10"}},
		{`({ content: [Symbol('s')] })`, []string{"content"}},
		{`({ get content() { throw new Error('sprung') } })`, nil},
	} {
		p.About("a function returned %s", c.returned)
		p.Do(`() => { window.result = () => ` + c.returned + ` }`)
		a := p.Invoke("give", nil).Result() // Completed: Chrome never had to fail the call
		text := onlyText(t, a)
		require.NotContains(t, text, "[object ", "a function returned %s", c.returned)
		require.NotEqual(t, "undefined", text, "a function returned %s", c.returned)
		for _, part := range c.contains {
			require.Contains(t, text, part, "a function returned %s", c.returned)
		}
		if len(c.contains) > 0 {
			require.False(t, a.IsError, "a function returned %s: %s", c.returned, text)
		} else {
			require.NotEmpty(t, text, "a function returned %s", c.returned)
		}
	}
	require.Equal(t, "fine", webmcptest.Eval[string](p, `async () => {
		window.result = () => 'fine';
		return (await webmcp.invokeTool('give', {})).content[0].text;
	}`), "the library works on after all of that")
}

func TestAWellConnectedResultDoesNotFreezeThePage(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	p.Do(`() => webmcp(() => {
		const all = Array.from({ length: 30 }, (_, n) => ({ n }));
		for (const one of all) one.others = all.filter(other => other !== one); // 30! ways through it
		return all;
	}, { name: 'give', description: 'Gives a graph.' }).register()`)
	require.Contains(t, p.Ask("give", nil), `"n":0`)
}

func TestContentPassesAsItIs(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	p.Do(`() => webmcp(() => result(), { name: 'give', description: 'Gives the result.' }).register()`)
	for _, content := range []string{
		`{"content":[{"type":"text","text":"one"},{"type":"text","text":"two"}]}`,
		`{"content":[]}`,
		`{"content":[{"type":"image","data":"aGk=","mimeType":"image/png"}]}`,
		`{"content":[{"type":"text","text":"no such order"}],"isError":true}`,
		`{"content":[{"type":"text","text":"see there"}],"structuredContent":{"a":1}}`,
	} {
		p.Do(`() => { window.result = () => (` + content + `) }`)
		require.JSONEq(t, content, string(p.Invoke("give", nil).Result().Output))
	}
}

func TestLargeTextsArriveWhole(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	p.Do(`() => webmcp(({ text }) => text + text, { name: 'twice', description: 'Says it twice.',
		hooks: { before: [({ input }) => ({ input: { text: input.text + '!' } })] } }).register()`)
	half := strings.Repeat("0123456789abcdeé", 1<<15) // 544 kB of UTF-8
	require.Equal(t, half+"!"+half+"!", p.Ask("twice", map[string]string{"text": half}))
}

func TestThrownValuesBecomeAText(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	p.Do(`() => webmcp(() => { throw thrown() }, { name: 'fail', description: 'Fails.',
		hooks: { error: [({ error }) => { window.seen = error }] } }).register()`)
	for _, c := range []struct{ thrown, contains string }{
		{`new Error('out of stock')`, "out of stock"},
		{`new TypeError('not a number')`, "not a number"},
		{`new DOMException('gone', 'NotFoundError')`, "gone"},
		{`'just a text'`, "just a text"},
		{`42`, "42"},
		{`10n`, "10"},
		{`undefined`, ""},
		{`null`, ""},
		{`Symbol('mark')`, ""},
		{`{ message: 'an object with a message' }`, "an object with a message"},
		{`{}`, ""},
		{`Object.create(null)`, ""},
		{`new Error('')`, ""},
		{`Object.assign(new Error(), { message: Symbol('m') })`, ""},
		{`{ get message() { throw new Error('trap') } }`, ""},
		{`{ toString() { throw new Error('trap') } }`, ""},
		{`new Proxy(new Error('x'), { get() { throw new Error('trap') } })`, ""},
	} {
		p.About("a function threw %s", c.thrown)
		p.Do("() => { window.thrown = () => (" + c.thrown + ") }")
		a := p.Invoke("fail", nil).Result()
		text := onlyText(t, a)
		require.True(t, a.IsError, "a function threw %s", c.thrown)
		require.True(t, strings.HasPrefix(text, "Error: "), "a function threw %s: %s", c.thrown, text)
		require.Greater(t, len(text), len("Error: "), "a function threw %s", c.thrown)
		require.Contains(t, text, c.contains)
		require.NotContains(t, text, "[object ", "a function threw %s", c.thrown)
		require.NotContains(t, text, ".js:", "no stack reaches the agent")
	}
	p.Do(`() => { window.thrown = () => window.original = new RangeError('itself') }`)
	p.Invoke("fail", nil).Result()
	require.True(t, webmcptest.Eval[bool](p, `() => seen === original`), "error hooks see the very error that was thrown")
}

func TestHostileInputsOfInvokeToolNeverKillTheLibrary(t *testing.T) {
	t.Parallel()
	for name, b := range map[string]webmcptest.Options{"native": withWebMCP, "registry": withoutWebMCP} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := libPage(t, b)
			p.Do(`() => webmcp(input => typeof input, { name: 'look', description: 'Looks at its input.',
				hooks: { before: [() => {}] } }).register()`)
			for _, input := range []string{
				`{ get trap() { throw new Error('sprung') } }`,
				`new Proxy({}, { get() { throw new Error('sprung') }, ownKeys() { throw new Error('sprung') } })`,
				`(() => { const a = {}; a.a = a; return a })()`,
				`{ big: 10n }`,
				`{ mark: Symbol('m') }`,
				`{ toJSON() { throw new Error('no JSON') } }`,
				`Symbol('s')`,
				`10n`,
				`undefined`,
				`null`,
				`'text'`,
				`document`,
				`(() => { let deep = {}; for (let i = 0; i < 100000; i++) deep = { deep }; return deep })()`,
			} {
				p.About("invokeTool was given %s", input)
				// It may work or be refused; it must end, and nothing may be left broken.
				outcome := webmcptest.Eval[map[string]any](p, `async () => settled((async () => webmcp.invokeTool('look', `+input+`))())`)
				if _, ok := outcome["value"]; !ok {
					require.NotEmpty(t, outcome["message"], "refused without a reason: %s", input)
				}
				require.Equal(t, "object", webmcptest.Eval[string](p, `async () => (await webmcp.invokeTool('look', { fine: 1 })).content[0].text`), "after %s", input)
			}
			require.Equal(t, "object", webmcptest.Eval[string](p, `async () => (await webmcp.invokeTool('look')).content[0].text`), "no input is an empty one")
			unknown := webmcptest.Eval[map[string]any](p, `() => settled(webmcp.invokeTool('nobody', {}))`)
			require.Equal(t, "RegistrationError", unknown["name"])
			require.Contains(t, fmt.Sprint(unknown["message"]), "nobody")
		})
	}
}
