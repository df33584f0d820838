package e2e

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/webmcptest"
)

// What cannot be decided does not run, and what was checked is what runs and
// goes out. More of it is in the table of package cases.

func TestASchemaThatAnswersInAnotherFormFailsTheCall(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	const says = "the schema must answer with {value} or {issues}"
	for answer, want := range map[string]string{
		`({})`:                                       "Error: " + says,
		`({ success: false })`:                       "Error: " + says,
		`({ success: true, data: { n: 2 } })`:        "Error: " + says,
		`undefined`:                                  "Error: " + says,
		`true`:                                       "Error: " + says,
		`({ error: 'bad' })`:                         "Error: " + says,
		`Object.create({ value: { n: 2 } })`:         "Error: " + says,
		`({ value: { n: 2 }, issues: false })`:       "Error: " + says,
		`({ value: { n: 2 }, issues: 'bad' })`:       "Error: invalid input",
		`({ value: { n: 2 }, issues: [] })`:          "Error: invalid input",
		`({ value: 1, issues: [{ message: 'x' }] })`: "Error: invalid input: x",
		`new (class extends Array { get issues() { return [{ message: 'x' }] } })()`: "Error: invalid input: x",
		`({ value: { n: 2 } })`:                    `{"n":2}`,
		`({ value: { n: 2 }, issues: undefined })`: `{"n":2}`,
		`({ value: undefined })`:                   "",
	} {
		for _, way := range []string{"", "async "} {
			p.About("%s the schema answers %s", way, answer)
			texts := webmcptest.Eval[[]string](p, `async () => {
				webmcp.registry.clear();
				ran.length = 0;
				const schema = { '~standard': { version: 1, vendor: 'test', validate: `+way+`() => `+answer+` } };
				const fn = input => { ran.push('fn'); return input };
				await webmcp(fn, { name: 'whole', description: 'x', schema }).register();
				await webmcp(({ f }) => fn(f), { name: 'field', description: 'x', fields: { f: schema } }).register();
				await webmcp(() => ({ n: 1 }), { name: 'output', description: 'x', outputSchema: schema }).register();
				return [await webmcp.invokeTool('whole', {}), await webmcp.invokeTool('field', { f: 1 }), await webmcp.invokeTool('output', {})]
					.map(result => result.content[0].text);
			}`)
			ran := webmcptest.Eval[[]string](p, `() => ran`)
			if !strings.HasPrefix(want, "Error") {
				require.Equal(t, []string{want, want, want}, texts)
				require.Len(t, ran, 2)
				continue
			}
			require.Empty(t, ran, "the function does not run")
			require.True(t, strings.HasPrefix(texts[0], want), texts[0])
			require.True(t, strings.HasPrefix(texts[1], strings.Replace(want, ": x", ": f: x", 1)), texts[1])
			require.Equal(t, withheld, texts[2])
		}
	}
}

func TestOptionsThatAreUndefinedAreNotGiven(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	p.Do(`async () => {
		const inner = webmcp(note('fn'), { name: 'inner', title: 'Inner', description: 'x', schema: { properties: { n: { type: 'number' } } },
			outputSchema: { type: 'string' }, maxInputBytes: 20, annotations: { readOnlyHint: true }, strict: true, fields: { m: { type: 'number' } } });
		const nothing = Object.fromEntries(['title', 'description', 'schema', 'fields', 'strict', 'maxInputBytes', 'outputSchema', 'annotations', 'hooks', 'enabled',
			'global', 'exposedTo', 'replace'].map(option => [option, undefined]));
		window.outer = webmcp(inner, { ...nothing, name: 'outer' });
		window.same = Object.keys(inner.tool).filter(key => JSON.stringify(inner.tool[key]) !== JSON.stringify(outer.tool[key]));
		await outer.register({ signal: undefined, scope: undefined });
		webmcp.configure({ hooks: undefined, replace: undefined, maxInputBytes: undefined });
		webmcp(() => {}, { name: 'fields', description: 'x', fields: { a: undefined } });
	}`)
	require.Equal(t, []string{"name"}, webmcptest.Eval[[]string](p, `() => same`))
	for input, want := range map[string]string{`{"n":"x"}`: "n: must be a number", `{"m":"x"}`: "m: must be a number", `{"other":"12345678901"}`: "the limit is 20"} {
		require.Contains(t, onlyText(t, p.Invoke("outer", json.RawMessage(input)).Result()), want)
	}
	require.Equal(t, withheld, onlyText(t, p.Invoke("outer", nil).Result()))
	require.Equal(t, []string{"fn"}, webmcptest.Eval[[]string](p, `() => ran`))
}

func TestOptionsThatAreNotWhatTheyMustBeAreRefused(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	for call, want := range map[string]string{
		`webmcp.configure({ replace: 'false' })`:                               "replace of configure must be true or false, not false",
		`webmcp.configure({ replace: 0 })`:                                     "replace of configure must be true or false, not 0",
		`webmcp.configure({ replace: null })`:                                  "replace of configure must be true or false, not object",
		`webmcp.scope().configure({ replace: 'yes' })`:                         "replace of configure",
		`webmcp.replace = 'false'`:                                             "webmcp.replace must be true or false",
		`webmcp(fn, { ...good, replace: 'false' })`:                            "replace of webmcp",
		`webmcp(fn, { ...good, enabled: 'false' })`:                            "enabled of webmcp",
		`webmcp(fn, { ...good, global: 1 })`:                                   "global of webmcp",
		`webmcp(fn, { ...good, strict: 'no' })`:                                "strict of webmcp",
		`webmcp(fn, { ...good, annotations: { readOnlyHint: 'false' } })`:      "readOnlyHint",
		`webmcp(fn, { ...good, hook: {} })`:                                    "webmcp has no option hook: did you mean hooks? the options are",
		`webmcp(fn, { ...good, inputSchema: {} })`:                             "did you mean schema?",
		`webmcp.global(fn, { ...good, Hooks: {} })`:                            "did you mean hooks?",
		`webmcp.configure({ repalce: true })`:                                  "configure has no option repalce: did you mean replace?",
		`webmcp.scope({ hoks: {} })`:                                           "scope has no option hoks: did you mean hooks?",
		`webmcp.scope({ replace: true })`:                                      "scope has no option replace: the options are hooks",
		`webmcp.configure({ hooks: { befor: [] } })`:                           "hooks has no phase befor: did you mean before?",
		`webmcp.mergeHooksOrdered({ scopeHooks: {} })`:                         "did you mean scopedHooks?",
		`webmcp.configure(Object.create({ maxInputBites: 1 }))`:                "did you mean maxInputBytes?",
		`webmcp.configure(new (class { get replace() { return 'false' } })())`: "replace of configure",
	} {
		p.About("%s", call)
		got := webmcptest.Eval[[]string](p, `() => {
			const fn = ({ a }) => a, good = { name: 'x', description: 'x' };
			webmcp.configure({ hooks: { before: [function kept() {}] }, replace: true });
			try { `+call+`; return ['nothing', ''] }
			catch (error) { return [error.name, error.message, ...webmcp.getGlobalHooks().before.map(hook => hook.name)] }
		}`)
		require.Equal(t, "ConfigurationError", got[0])
		require.Contains(t, got[1], want)
		require.Equal(t, []string{"kept"}, got[2:], "the hooks stay")
	}
}

// polluted is a page in which some script has put members on Object.prototype.
const polluted = `() => Object.assign(Object.prototype, {
	replace: true, hooks: { before: [() => { ran.push('smuggled hook') }] }, before: [() => { ran.push('smuggled hook') }],
	input: { value: 9999, n: 9999 }, output: { value: 'SMUGGLED' }, action: 'deny', message: 'SMUGGLED', code: 'SMUGGLED', content: [], isError: true, structuredContent: {},
	signal: AbortSignal.abort(), scope: {}, schema: false, description: 'SMUGGLED', error: { name: 'Error', message: 'SMUGGLED' }, denial: { code: 'NO', message: 'SMUGGLED' },
	metadata: { smuggled: 1 }, gone: ['kept'], enabled: false, maxInputBytes: 1,
})`

func TestMembersOfObjectPrototypeAreNobodysAnswers(t *testing.T) {
	t.Parallel()
	p := goPage(t, withWebMCP)
	p.Do(polluted)
	p.Do(`async () => {
		goapp.configure('g', '');
		webmcp.configure({ hooks: { before: [function kept({ metadata }) { metadata.kept = 1 }, () => ({})] } });
		webmcp.configure({ hooks: { after: [() => ({})] } });
		await webmcp(({ n }, { metadata }) => { ran.push(Object.keys(metadata).join()); return { n } }, {
			name: 'probe', description: 'Shows its input.', schema: { properties: { n: { type: 'number', maximum: 10 } } }, outputSchema: { type: 'object' },
		}).register();
		await goapp.register('go');
	}`)
	require.Equal(t, []string{"kept", ""}, webmcptest.Eval[[]string](p, `() => webmcp.getGlobalHooks().before.map(hook => hook.name)`))
	require.JSONEq(t, `{"n":1}`, p.Ask("probe", map[string]int{"n": 1}))
	ran := webmcptest.Eval[[]string](p, `() => ran`)
	require.Contains(t, ran, "kept", "the metadata stay, and no others come")
	require.NotContains(t, ran, "smuggled hook")
	text := p.Ask("go", map[string]string{"do": "x"})
	require.NotContains(t, text, "9999")
	require.Contains(t, text, `"do":"x"`)
}

func TestBuiltInsThatAreReplacedLaterDecideNothing(t *testing.T) {
	t.Parallel()
	p := goPage(t, withWebMCP)
	p.Do(`async () => {
		goapp.configure('g', '');
		await webmcp(({ n }) => { ran.push('fn'); return { n } }, { name: 'probe', description: 'x', schema: { properties: { n: { type: 'number', maximum: 10 } } },
			hooks: { before: [() => ({ action: 'deny' })] } }).register();
		window.denies = registered;
		await webmcp(({ n }) => ({ n }), { name: 'fine', description: 'x', schema: { properties: { n: { type: 'number', maximum: 10 } } } }).register();
		window.fine = registered; // what Chrome would call
		window.calls = [];
		window.names = [[JSON, 'parse'], [JSON, 'stringify'], [Object, 'hasOwn'], [Object, 'keys'], [Object, 'getPrototypeOf'], [TextEncoder.prototype, 'encodeInto']];
		window.was = names.map(([of, name]) => of[name]);
	}`)
	texts := webmcptest.Eval[[]string](p, `async () => {
		for (const [of, name] of names) of[name] = () => { calls.push(name); return {} };
		try {
			const results = [];
			for (const [tool, n] of [[denies, 1], [fine, 1], [fine, 11]]) results.push(await tool.execute({ n }, {}));
			return results.map(({ content }) => content[0].text);
		} finally {
			names.forEach(([of, name], i) => { of[name] = was[i] });
		}
	}`)
	require.Equal(t, []string{"Denied: the call was denied, and nothing was done", `{"n":1}`, "Error: invalid input: n: must be <= 10, got 11"}, texts)
	require.Empty(t, webmcptest.Eval[[]string](p, `() => calls`))
}

func TestWhatWasValidatedIsWhatRuns(t *testing.T) {
	t.Parallel()
	p := goPage(t, withWebMCP)
	for name, set := range map[string]string{
		"an asynchronous schema": `{ schema: { '~standard': { version: 1, vendor: 'test', validate: async value => {
			seen = value.n; change(); await null; return { value } } } } }`,
		"a schema that returns a promise and looks later": `{ schema: { '~standard': { version: 1, vendor: 'test', validate: value =>
			Promise.resolve().then(() => { change(); seen = value.n; return { value } }) } } }`,
		"an asynchronous field": `{ fields: { n: { '~standard': { version: 1, vendor: 'test', validate: async value => {
			seen = value; change(); await null; return { value } } } } } }`,
		"a human, in an asynchronous hook": `{ schema: {}, hooks: { before: [keep, async ({ input }) => {
			await null; change(); seen = input.n; await null }] } }`,
		"a human, in a hook that returns a promise": `{ schema: {}, hooks: { before: [keep, ({ input }) =>
			Promise.resolve().then(() => { change(); seen = input.n })] } }`,
		"an asynchronous function": `{ schema: { properties: { n: { maximum: 10 } } } }`,
		"a Go hook":                `{ schema: {}, go: true }`,
	} {
		for _, how := range []string{"at once", "later"} {
			p.About("%s, %s", name, how)
			got := webmcptest.Eval[map[string]any](p, `async () => {
				webmcp.registry.clear();
				webmcp.resetGlobalHooks();
				goapp.reset();
				let held, seen;
				const keep = ({ input }) => { held = { n: 1, deep: { n: 1 } }; return { input: held } };
				const change = () => { held.n = 9999; held.deep.n = 9999 };
				const { go, ...options } = `+set+`;
				webmcp.configure({ hooks: { before: [keep] } });
				if (go) {
					webmcp.configure({ hooks: { before: [() => { queueMicrotask(change); seen = 1 }] } });
					goapp.configure('g', 'sleep');
				}
				const fn = async input => { if (seen === undefined) { seen = input.n; change() } await null; return { n: input.n, deep: input.deep.n, seen } };
				await webmcp(fn, { name: 'probe', description: 'x', ...options }).register();
				if ('`+how+`' === 'later') await webmcp.invokeTool('probe', {}); // what is known of the functions by now makes no difference
				seen = undefined;
				return JSON.parse((await webmcp.invokeTool('probe', {})).content[0].text);
			}`)
			require.Equal(t, map[string]any{"n": 1.0, "deep": 1.0, "seen": 1.0}, got)
		}
	}
}

func TestWhatWasRedactedIsWhatGoesOut(t *testing.T) {
	t.Parallel()
	p := goPage(t, withWebMCP)
	for name, set := range map[string]string{
		"an asynchronous output schema":               `{ outputSchema: { '~standard': { version: 1, vendor: 'test', validate: async value => { restore(); await null; return { value } } } } }`,
		"an asynchronous hook behind":                 `{ hooks: { after: [redact, async () => { await null; restore() }] } }`,
		"a Go hook behind":                            `{ go: true }`,
		"a result, and an asynchronous output schema": `{ result: true, outputSchema: { '~standard': { version: 1, vendor: 'test', validate: async value => { restore(); await null; return { value } } } } }`,
	} {
		p.About("%s", name)
		text := webmcptest.Eval[string](p, `async () => {
			webmcp.registry.clear();
			webmcp.resetGlobalHooks();
			goapp.reset();
			let held;
			const redact = ({ output }) => { (output.structuredContent ?? output).user.email = '***'; if (go) queueMicrotask(restore) };
			const restore = () => { held.user.email = 'SECRET' };
			const { go, result, ...options } = `+set+`;
			const fn = () => { held = { user: { email: 'SECRET' } }; return result ? { content: [], structuredContent: held } : held };
			await webmcp(fn, { name: 'probe', description: 'x', hooks: { after: [redact] }, ...options }).register();
			if (go) goapp.configure('g', 'sleep');
			return JSON.stringify(await webmcp.invokeTool('probe', {}));
		}`)
		require.Contains(t, text, "***")
		require.NotContains(t, text, "SECRET")
	}
}

func TestSynchronousHooksAndFunctionsShareOneInput(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	require.Equal(t, 1, webmcptest.Eval[int](p, `async () => {
		const inputs = new Set();
		const look = ({ input }) => { inputs.add(input) };
		await webmcp(input => { inputs.add(input) }, { name: 'probe', description: 'x', schema: { type: 'object' }, hooks: { before: [look, look, look] } }).register();
		await webmcp.invokeTool('probe', {}); // nothing is known of the functions yet
		inputs.clear();
		await webmcp.invokeTool('probe', {});
		return inputs.size;
	}`), "what answers at once needs no copies")
}

func TestAnErrorHookThatHasReadTheMessageAndIsLateConcealsIt(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	for hook, want := range map[string]string{
		`async ({ message }) => { await gate('never'); return { message: message.length } }`: "Error: the call has failed, and why cannot be passed on",
		`async ({ error }) => { await gate('never') }`:                                       "Error: SECRET",
		`async ({ message }) => { await null; return { message: message.toLowerCase() } }`:   "Error: secret",
		`() => ({ message: 'Try again later.' })`:                                            "Error: Try again later.",
	} {
		p.About("%s", hook)
		require.Equal(t, want, webmcptest.Eval[string](p, `async () => {
			webmcp.registry.clear();
			await webmcp(() => { throw new Error('SECRET') }, { name: 'fail', description: 'x', hooks: { error: [`+hook+`] } }).register();
			return (await webmcp.invokeTool('fail', {})).content[0].text;
		}`))
	}
}

func TestWhatHasAFormOfItsOwnIsNotCheckedByThat(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	for _, n := range []string{
		`Object.assign([9], { toJSON: () => 1 })`,
		`Object.defineProperty({}, 'toJSON', { value: () => 1 })`,
		`({ inside: Object.defineProperty([], 'toJSON', { value: () => 1 }) }).inside`,
	} {
		p.About("n is %s", n)
		require.Equal(t, []any{true, true, true, 0.0}, webmcptest.Eval[[]any](p, `async () => {
			let ran = 0;
			const tool = webmcp(() => { ran++ }, { name: 'probe', description: 'x', schema: { properties: { n: { type: 'number' } } },
				hooks: { before: [({ input }) => input.fine ? undefined : { input: { n: `+n+` } }] } });
			await tool.register();
			await webmcp.invokeTool('probe', { fine: true }); // the function is known to answer at once: nothing is copied
			ran = 0;
			const ends = [];
			for (let i = 0; i < 3; i++) ends.push((await webmcp.invokeTool('probe', {})).isError);
			tool.unregister();
			return [...ends, ran];
		}`))
	}
}
