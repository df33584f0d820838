package e2e

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/webmcptest"
)

// countCrossings counts how often Go is asked to work for a call, and keeps the
// texts that it gets, for that and for schemas.
const countCrossings = `
	globalThis.crossed = { works: 0, texts: [] };
	const { instantiateStreaming } = WebAssembly;
	WebAssembly.instantiateStreaming = async (...args) => {
		const { module, instance } = await instantiateStreaming(...args);
		const { webmcp_buffer: buffer, webmcp_work: work, webmcp_validate: validate, mem } = instance.exports;
		let address;
		const see = length => crossed.texts.push(new TextDecoder().decode(new Uint8Array(mem.buffer, address, length)));
		const counted = {
			webmcp_buffer: size => address = buffer(size) >>> 0,
			webmcp_work: (...args) => { crossed.works++; see(args[4]); return work(...args) },
			webmcp_validate: (number, length) => { see(length); return validate(number, length) },
		};
		return { module, instance: Object.create(instance, { exports: { value: { ...instance.exports, ...counted } } }) };
	};
`

func TestWhatGoHasDoesNotCrossAgain(t *testing.T) {
	t.Parallel()
	_, err := buildGoApp()
	require.NoError(t, err)
	p := newPage(t, withWebMCP)
	p.OnNewDocument(countCrossings)
	p.Open(site.url(t, "/goapp/"))
	p.WaitFor(`globalThis.goapp && globalThis.webmcp`)
	p.Do(`async () => {
		await webmcp(async ({ n }) => ({ n, said: 'an output' }), { name: 'of_js', description: 'A description that is long enough to be seen.', schema: {} }).register();
		await goapp.registerForBench();
		window.count = async (name, input) => {
			crossed.works = 0;
			crossed.texts = [];
			const result = await webmcp.invokeTool(name, input);
			if (result.isError) throw new Error(JSON.stringify(result));
			return crossed;
		};
		goapp.lookOn();
	}`)
	type crossed struct {
		Works int      `json:"works"`
		Texts []string `json:"texts"`
	}
	count := func(name, input string) crossed {
		return webmcptest.Eval[crossed](p, `(name, input) => count(name, JSON.parse(input))`, name, input)
	}
	members := func(text string) (names []string) {
		var sent map[string]json.RawMessage
		require.NoError(t, json.Unmarshal([]byte(text), &sent), text)
		for name := range sent {
			names = append(names, name)
		}
		return names
	}

	// A function of JavaScript between a before and an after hook of Go: one way there and back for each.
	first := count("of_js", `{"n":1}`)
	require.Equal(t, 2, first.Works)
	require.Len(t, first.Texts, 2)
	require.ElementsMatch(t, []string{"id", "tool", "input"}, members(first.Texts[0]))
	require.ElementsMatch(t, []string{"output"}, members(first.Texts[1]), "the hook has left the input as it was")
	again := count("of_js", `{"n":2}`)
	require.Equal(t, 2, again.Works)
	require.Len(t, again.Texts, 2)
	require.ElementsMatch(t, []string{"id", "input"}, members(again.Texts[0]), "Go knows the contract")
	require.ElementsMatch(t, []string{"output"}, members(again.Texts[1]))

	// A handler of Go: the input for its schema, which the handler gets, too.
	p.Do(`() => goapp.reset()`)
	for _, name := range []string{"go_handler", "typed_handler"} {
		count(name, `{"productId":"cup","quantity":2,"note":""}`)
		handled := count(name, `{"productId":"cup","quantity":3,"note":""}`)
		require.Equal(t, 1, handled.Works, name)
		require.Len(t, handled.Texts, 2, name)
		require.JSONEq(t, `{"productId":"cup","quantity":3,"note":""}`, handled.Texts[0], name)
		require.ElementsMatch(t, []string{"id"}, members(handled.Texts[1]), name)
	}
}

// Go has the text of the input that was validated last, whichever call it was of.
func TestAHandlerOfGoGetsTheInputOfItsOwnCall(t *testing.T) {
	t.Parallel()
	p := goPage(t, withoutWebMCP)
	require.Empty(t, webmcptest.Eval[[]string](p, `async () => {
		const kept = [];
		const keep = async ({ input }) => { kept.push(input); await null };
		// It is asked behind the validation, and what was kept is changed meanwhile.
		const when = async ({ input }) => { await null; for (const one of kept) one.n = -1; return 'allow' };
		const schema = { type: 'object', properties: { n: { type: 'number' }, by: { type: 'string', default: 'default' } } };
		const script = webmcp(({ n }) => n, { name: 'script', description: 'In JavaScript.', schema });
		await script.register();
		await goapp.register('echo');
		const echoed = async (n) => {
			const [{ text }] = (await webmcp.invokeTool('echo', { n })).content;
			return text[0] === '{' ? JSON.parse(text).input.n : text;
		};
		const said = async (n) => Number((await webmcp.invokeTool('script', { n })).content[0].text);
		const wrong = [];
		for (const [how, set] of Object.entries({ nothing: {}, hook: { hooks: { before: [keep] } }, approval: { hooks: { before: [keep] }, approval: { when } } })) {
			webmcp.configure({ hooks: {}, approval: null, replace: true });
			webmcp.configure(set);
			const calls = Array.from({ length: 60 }, (_, n) => (n % 3 ? echoed(n) : said(n)));
			(await Promise.all(calls)).forEach((got, n) => { if (got !== n) wrong.push(how + ' ' + n + ': ' + got) });
		}
		return wrong;
	}`))
}

// A further validation in Go stands between the check of the schema and the policy, and Go gets other texts there.
func TestAPolicyDecidesAboutTheInputBehindAValidationInGo(t *testing.T) {
	t.Parallel()
	p := goPage(t, withoutWebMCP)
	said := func(text string) string {
		return webmcptest.Eval[string](p, `async text => (await webmcp.invokeTool('post', { text })).content[0].text`, text)
	}
	p.Do(`async () => {
		await goapp.registerPost();
		await webmcp.policy({ webmcp: 1, rules: [{ tools: 'post', when: { input: { properties: { text: { const: 'secret' } } } }, deny: 'No.' }] });
	}`)
	require.Equal(t, "Denied: No.", said("secret"), "it is left as it was")
	require.Equal(t, "Denied: No.", said(" secret "), "it is trimmed")
	require.NotContains(t, said("hello"), "Denied")
}

// Short texts and long ones go to Go in different ways, and ASCII in another one
// than all else.
func TestTextsOfEveryLengthAndScriptReachGoAsTheyAre(t *testing.T) {
	t.Parallel()
	p := goPage(t, withWebMCP)
	require.Empty(t, webmcptest.Eval[[]string](p, `async () => {
		await goapp.register('echo');
		const wrong = [];
		for (const end of ['', 'é', '\u007f\u0080', 'ÿ', '茶', '🫖', '"\\\n']) {
			for (const length of [0, 1, 100, 190, 220, 250, 300, 20000]) {
				for (const said of ['x'.repeat(length) + end, end + 'x'.repeat(length), end.repeat(length)]) {
					const { content: [{ text }] } = await webmcp.invokeTool('echo', { said });
					if (JSON.parse(text).input.said !== said) wrong.push(length + end);
				}
			}
		}
		return wrong;
	}`))
}
