package hooks_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/internal/dist"
	"github.com/webmcp-wasm/webmcp/webmcptest"
)

func TestMain(m *testing.M) { os.Exit(webmcptest.Run(m)) }

// buildDist builds the library once per run, if it is not up to date, and
// returns the module's root.
var buildDist = sync.OnceValues(func() (string, error) {
	root, err := dist.Root()
	if err != nil {
		return "", err
	}
	cmd := exec.Command("go", "run", "./cmd/dist")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the library: %w\n%s", err, out)
	}
	return root, nil
})

// openPage opens testdata/page.html.
func openPage(t *testing.T) *webmcptest.Page {
	t.Helper()
	root, err := buildDist()
	require.NoError(t, err)
	mux := http.NewServeMux()
	mux.Handle("/dist/", http.StripPrefix("/dist/", http.FileServer(http.Dir(filepath.Join(root, "dist")))))
	mux.Handle("/", http.FileServer(http.Dir("testdata")))
	mux.HandleFunc("/favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	site := httptest.NewServer(mux)
	t.Cleanup(site.Close)
	page := webmcptest.Open(t, site.URL+"/page.html")
	page.WaitFor(`globalThis.pageReady`)
	return page
}

// requireAll checks what a function of the page returns: what was got and what was
// wanted, by the name of each case.
func requireAll(t *testing.T, page *webmcptest.Page, function string) {
	t.Helper()
	cases := webmcptest.Eval[map[string][2]any](page, function)
	require.NotEmpty(t, cases)
	for name, c := range cases {
		require.Equal(t, c[1], c[0], name)
	}
}

// complaints returns the lines on the console that have a text.
func complaints(page *webmcptest.Page, text string) []string {
	page.Do(`() => {}`) // what was said has arrived
	return slices.DeleteFunc(slices.Clone(page.Console()), func(line string) bool { return !strings.Contains(line, text) })
}

func TestOfAThousandCallsAtOnceTheRateLetsThroughWhatItSays(t *testing.T) {
	t.Parallel()
	requireAll(t, openPage(t), `async () => {
		let ran = 0;
		const limit = made.rateLimit('100/min');
		// It is in three places, and twice in one: a call counts once.
		webmcp.configure({ hooks: limit });
		const scope = webmcp.scope({ hooks: webmcp.mergeHooks(limit, limit) });
		await webmcp(() => { ran++; return 'ran'; }, { name: 'tool', description: 'A tool.', hooks: limit }).register({ scope });
		const results = await Promise.all(Array.from({ length: 1000 }, () => webmcp.invokeTool('tool', {})));
		const refused = results.filter(({ isError }) => isError);
		return {
			ran: [ran, 100],
			refused: [refused.length, 900],
			why: [[...new Set(refused.map(({ code, executed, content }) => code + executed + content[0].text.replace(/\d+ s$/, 'N s')))],
				['RATE_LIMITEDfalseDenied: the limit is 100 calls a minute of this tool. Try again in N s']],
		};
	}`)
}

func TestACallThatCallsItsToolAgainCountsForEach(t *testing.T) {
	t.Parallel()
	requireAll(t, openPage(t), `async () => {
		let depth = 0;
		const [{ content: [{ text }] }] = await calls(made.rateLimit('3/min'), [{}], async () => {
			depth++;
			return (await webmcp.invokeTool('tool', {})).content[0].text;
		});
		return { depth: [depth, 3], text: [text.slice(0, 20), 'Denied: the limit is'] };
	}`)
}

func TestARateHoldsWhateverTheClockSays(t *testing.T) {
	t.Parallel()
	requireAll(t, openPage(t), `() => {
		const { now } = performance;
		const { Map } = globalThis;
		const maps = [];
		globalThis.Map = class extends Map { constructor() { super(); maps.push(this); } };
		try {
			const call = (name = 'a', metadata = {}) => hook({ tool: { tool: { name } }, metadata })?.code ?? 'through';
			let [hook] = made.rateLimit('1/s').before;
			const seen = [5000, 4000, NaN, -Infinity, Infinity, 5999, 6000, NaN].map((time) => { performance.now = () => time; return call(); });
			performance.now = () => NaN;
			[hook] = made.rateLimit('1/s').before;
			const never = [call(), call()];
			[hook] = made.rateLimit('1/s').before;
			const bare = [hook({ tool: { tool: { name: 'a' } } }), hook({ tool: { tool: { name: 'a' } } }).code];
			// A hundred thousand tools that come and go: what does not count is forgotten.
			[hook] = made.rateLimit('1/s').before;
			for (let i = 0; i < 100_000; i++) {
				performance.now = () => i * 10;
				call('tool' + i);
			}
			return {
				seen: [seen, ['through', 'RATE_LIMITED', 'RATE_LIMITED', 'RATE_LIMITED', 'RATE_LIMITED', 'RATE_LIMITED', 'through', 'RATE_LIMITED']],
				never: [never, ['through', 'RATE_LIMITED']],
				bare: [bare, [null, 'RATE_LIMITED']],
				bounded: [maps.at(-1).size > 50 && maps.at(-1).size < 400, true],
			};
		} finally {
			performance.now = now;
			globalThis.Map = Map;
		}
	}`)
}

func TestTheShortestTimeoutHolds(t *testing.T) {
	t.Parallel()
	requireAll(t, openPage(t), `async () => {
		const slow = () => new Promise(() => {});
		const [{ code, content: [{ text }] }] = await calls(webmcp.mergeHooks(made.timeout('1min'), webmcp.mergeHooks(made.timeout(50), made.timeout('2s'))), [{}], slow);
		const wrong = [0, -1, 1.5, NaN, Infinity, 2 ** 31, '', '0s', '01s', '1', '1.5s', '1 s', '1d', '999999h', '1000000s', null, undefined, {}, ['1s'], 5n];
		const refused = [];
		for (const limit of wrong) refused.push((await thrown(() => made.timeout(limit))).split(':')[0]);
		return {
			text: [text, 'Error: the tool tool has not finished within 50 ms'], code: [code, 'TIMEOUT'],
			right: [[made.timeout(5), made.timeout('5ms'), made.timeout('5s'), made.timeout('5min'), made.timeout('5h')].map(({ timeout }) => timeout), [5, 5, 5000, 300000, 18000000]],
			wrong: [[...new Set(refused)], ['TypeError']],
		};
	}`)
}

func TestRedactWorksOnWhateverAFunctionReturns(t *testing.T) {
	t.Parallel()
	page := openPage(t)
	requireAll(t, page, `async () => {
		const hooks = made.redact({ '/email': 'email', '/cards/*/number': 'last4', '/notes': 'remove', '/0/email': 'full' });
		const text = async (output, options) => (await calls(hooks, [{}], () => output, options))[0].content[0].text;
		const deeply = (value) => { for (const item of Object.values(value)) if (item && typeof item === 'object') deeply(item); return Object.freeze(value); };
		const frozen = deeply({ email: 'ada@example.com', cards: [{ number: '4111111111111111' }, { number: 5 }], notes: ['x'] });
		const shared = { number: '4111111111111111' };
		let reads = 0;
		class User { constructor() { this.email = 'ada@example.com'; } get notes() { return 'n'; } greet() {} }
		const structured = (await calls(hooks, [{}], () => ({ email: 'ada@example.com', a: 1 }), { outputSchema: { type: 'object' } }))[0];
		const [result] = await calls(hooks, [{}], () => ({ content: [{ type: 'text', text: '{"email":"ada@example.com"}' }], structuredContent: { notes: 1 } }));
		return {
			frozen: [await text(frozen), '{"email":"a***@example.com","cards":[{"number":"***1111"},{"number":"***"}]}'],
			unchanged: [JSON.stringify(frozen), '{"email":"ada@example.com","cards":[{"number":"4111111111111111"},{"number":5}],"notes":["x"]}'],
			shared: [await text({ cards: [shared, shared], other: shared }), '{"cards":[{"number":"***1111"},{"number":"***1111"}],"other":{"number":"4111111111111111"}}'],
			'a getter is read once': [await text({ get email() { reads++; return reads > 1 ? 'secret' : 'ada@example.com'; } }), '{"email":"a***@example.com"}'],
			'of a class': [await text(new User()), '{"email":"a***@example.com"}'],
			'without a prototype': [await text(Object.assign(Object.create(null), { email: 'a@b' })), '{"email":"***@b"}'],
			'a proxy': [await text(new Proxy({ email: 'ada@b' }, {})), '{"email":"a***@b"}'],
			'with a JSON of its own': [await text({ toJSON: () => ({ email: 'ada@b' }) }), '{"email":"a***@b"}'],
			'a JSON that is a text': [await text({ toJSON: () => '{"email":"ada@b"}' }), '{"email":"a***@b"}'],
			'what JSON leaves out': [await text({ email: undefined, a: () => 1, b: Symbol('b'), c: [undefined, NaN], d: new Date(0) }), '{"c":[null,null],"d":"1970-01-01T00:00:00.000Z"}'],
			'a list': [await text([{ email: 'x' }]), '[{"email":"***"}]'],
			text: [await text('{"email": "ada@b"}'), '{"email":"a***@b"}'],
			nothing: [[await text(undefined), await text(null), await text('')], ['', '', '']],
			others: [[await text(5), await text(true), await text(-0)], ['5', 'true', '0']],
			structured: [structured, { content: [{ type: 'text', text: '{"email":"a***@example.com","a":1}' }], structuredContent: { email: 'a***@example.com', a: 1 } }],
			result: [result, { content: [{ type: 'text', text: '{"email":"a***@example.com"}' }], structuredContent: {} }],
		};
	}`)
	// What cannot be read as JSON does not go out, and no error quotes it.
	requireAll(t, page, `async () => {
		const hooks = made.redact({ '/email': 'email' });
		const cyclic = { email: 'ada@b' };
		cyclic.self = cyclic;
		const nested = (depth) => { let value = []; for (let i = 1; i < depth; i++) value = [value]; return value; };
		const outputs = {
			cyclic, 'a big integer': { email: 1n }, 'a big integer alone': 1n, 'a map': { a: new Map([['email', 'ada']]) }, 'a map alone': new Map([['email', 'ada']]), 'a set': new Set(['ada']),
			'a getter that throws': { get email() { throw new Error('ada'); } }, 'a function': () => 'ada', 'a symbol': Symbol('ada'), 'bytes': new Uint8Array(3), 'a pattern': /ada/,
			'a proxy that throws': new Proxy({}, { ownKeys() { throw new Error('ada'); } }), 'too deep': nested(1001), 'far too deep': nested(100_000), 'a text that is too deep': '['.repeat(1001) + ']'.repeat(1001),
			'a JSON that is nothing': { toJSON() {} }, 'an error inside': { a: new Error('ada') },
		};
		const cases = {};
		for (const [name, output] of Object.entries(outputs)) {
			const [{ isError, content, executed }] = await calls(hooks, [{}], () => output);
			cases[name] = [[isError, content[0].text, executed], [true, 'Error: the tool has run, but its output cannot be passed on', true]];
		}
		const [{ content: [{ text }] }] = await calls(hooks, [{}], () => nested(1000));
		cases['as deep as it may be'] = [text, '['.repeat(1000) + ']'.repeat(1000)];
		return cases;
	}`)
}

func TestRedactIsNotBrokenByItsRulesOrByManyCalls(t *testing.T) {
	t.Parallel()
	requireAll(t, openPage(t), `async () => {
		const rules = { '/a': 'full', '/b': 'hash' };
		const hooks = made.redact(rules);
		delete rules['/a'];
		rules['/c'] = 'remove';
		const [hook] = hooks.after;
		const values = Array.from({ length: 200 }, (_, i) => ({ a: i, b: i % 7, c: i }));
		const outputs = await Promise.all(values.map(async (output) => JSON.parse((await hook({ output })).output.a === '***' ? '1' : '0')));
		const hashes = new Set(values.map((output) => hook({ output }).output.b));
		const twice = hook(hook({ output: { a: 1, b: 1, c: 2 } }));
		const huge = { a: 'x'.repeat(3e6), b: 'y'.repeat(3e6), c: Array.from({ length: 100_000 }, (_, id) => ({ id, '"\\\\': 'é\\n' })) };
		const { output } = hook({ output: huge });
		Object.prototype.mask = 'remove';
		Object.prototype.each = { named: new Map(), mask: 'remove' };
		let polluted;
		try { polluted = hook({ output: { x: 1, a: 2 } }).output; } finally { delete Object.prototype.mask; delete Object.prototype.each; }
		return {
			'rules are those of the beginning': [hook({ output: { a: 1, c: 2 } }).output, { a: '***', c: 2 }],
			'at once': [outputs.every((n) => n === 1), true],
			hashes: [[hashes.size, [...hashes].every((hash) => /^#[0-9a-f]{16}$/.test(hash))], [7, true]],
			twice: [[twice.output.a, twice.output.c], ['***', 2]],
			huge: [[output.a, output.b.length, output.c.length, output.c[99_999]], ['***', 17, 100_000, { id: 99_999, '"\\\\': 'é\\n' }]],
			polluted: [polluted, { x: 1, a: '***' }],
		};
	}`)
}

func TestRequireDeniesUnlessItIsTrue(t *testing.T) {
	t.Parallel()
	page := openPage(t)
	requireAll(t, page, `async () => {
		let ran = 0;
		const ask = async (...args) => (await calls(made.require(...args), [{ a: 1 }], () => { ran++; return 'ran'; }))[0];
		const cases = {};
		const denial = { content: [{ type: 'text', text: 'Denied: this user may not do that. Trying again will not help: tell the user' }], isError: true, code: 'FORBIDDEN', executed: false };
		const no = { 'false': false, 'nothing': undefined, 'null': null, one: 1, text: 'true', object: {}, 'an object that is true': new Boolean(true), list: [true] };
		for (const [name, value] of Object.entries(no)) {
			cases[name] = [await ask(() => value), denial];
			cases[name + ', later'] = [await ask(async () => value), denial];
		}
		cases['a throw'] = [await ask(() => { throw new Error('secret'); }), denial];
		cases['a rejection'] = [await ask(async () => { throw undefined; }), denial];
		cases['a then that throws'] = [await ask(() => ({ then() { throw new Error('secret'); } })), denial];
		cases['a then that cannot be read'] = [await ask(() => ({ get then() { throw new Error('secret'); } })), denial];
		cases['a context that throws'] = [await ask({ role: 'admin' }, { context: () => { throw new Error('secret'); } }), denial];
		cases['its own words'] = [await ask(() => false, { code: 'NO', message: 'Ask Ada.' }), { content: [{ type: 'text', text: 'Denied: Ask Ada.' }], isError: true, code: 'NO', executed: false }];
		cases.denied = [ran, 0];
		cases['true'] = [(await ask(() => true)).content[0].text, 'ran'];
		cases['true, later'] = [(await ask(async ({ input, tool }) => input.a === 1 && tool.tool.name === 'tool')).content[0].text, 'ran'];
		return cases;
	}`)
	require.Len(t, complaints(page, "what require asks has failed"), 5)

	// A call that the agent has cancelled is no failure.
	page.Do(`async () => {
		const cancel = new AbortController();
		const hooks = made.require(({ signal }) => new Promise((_, reject) => { signal.onabort = () => reject(signal.reason); cancel.abort(); }));
		await webmcp(() => {}, { name: 'cancelled', description: 'A tool.', hooks }).register();
		await thrown(() => webmcp.invokeTool('cancelled', {}, { signal: cancel.signal }));
		await new Promise((next) => setTimeout(next));
	}`)
	require.Len(t, complaints(page, "what require asks has failed"), 5)
}

func TestRequireOfAContext(t *testing.T) {
	t.Parallel()
	requireAll(t, openPage(t), `async () => {
		const asks = (wanted, context) => made.require(wanted, { context }).before[0]({})?.code ?? 'through';
		class Session { get role() { return 'admin'; } }
		const admin = { role: 'admin' };
		const wanted = { role: ['admin', 'clerk'] };
		const [changing] = made.require(wanted, { context: admin }).before;
		wanted.role.push('guest');
		Object.prototype.role = 'admin';
		let polluted;
		try { polluted = asks(admin, {}); } finally { delete Object.prototype.role; }
		const wrong = [undefined, null, {}, [], 'admin', true, { role: {} }, { role: [] }, { role: null }, { role: undefined }, { role: NaN }, { role: [['admin']] }];
		const refused = [];
		for (const value of wrong) refused.push((await thrown(() => made.require(value, { context: {} }))).split(':')[0]);
		for (const options of [undefined, {}, { context: 'admin' }, { context: null }, { context: {}, mesage: 'No' }, { context: {}, code: '' }, { context: {}, message: 5 }, 5]) {
			refused.push((await thrown(() => made.require({ role: 'admin' }, options))).split(':')[0]);
		}
		refused.push((await thrown(() => made.require(() => true, { context: {} }))).split(':')[0]);
		return {
			same: [asks(admin, { role: 'admin' }), 'through'],
			other: [asks(admin, { role: 'guest' }), 'FORBIDDEN'],
			nothing: [[asks(admin, {}), asks(admin, () => undefined), asks(admin, () => null), asks(admin, () => 'admin')], Array(4).fill('FORBIDDEN')],
			'one of several': [[asks({ role: ['clerk', 'admin'] }, { role: 'admin' }), asks({ role: ['clerk'] }, { role: 'admin' })], ['through', 'FORBIDDEN']],
			'has one of several': [[asks(admin, { role: ['guest', 'admin'] }), asks(admin, { role: ['guest'] }), asks(admin, { role: [] })], ['through', 'FORBIDDEN', 'FORBIDDEN']],
			'all of them': [[asks({ role: 'admin', tenant: 7 }, { role: 'admin', tenant: 7 }), asks({ role: 'admin', tenant: 7 }, { role: 'admin', tenant: '7' })], ['through', 'FORBIDDEN']],
			'false is a value': [[asks({ guest: false }, { guest: false }), asks({ guest: false }, {})], ['through', 'FORBIDDEN']],
			'of a class': [asks(admin, new Session()), 'through'],
			'frozen, and when it is called': [[asks(admin, Object.freeze({ role: 'admin' })), changing({}) === undefined, (admin.role = 'guest', changing({}).code)], ['through', true, 'FORBIDDEN']],
			later: [(await made.require({ role: 'guest' }, { context: async () => ({ role: 'guest' }) }).before[0]({})) === undefined, true],
			'later, and nothing': [(await made.require({ role: 'guest' }, { context: async () => {} }).before[0]({})).code, 'FORBIDDEN'],
			polluted: [polluted, 'FORBIDDEN'],
			'what every object has': [asks({ constructor: 'x' }, {}), 'FORBIDDEN'],
			wrong: [[...new Set(refused)], ['TypeError']],
		};
	}`)
}

func TestEnrichAddsToTheInput(t *testing.T) {
	t.Parallel()
	requireAll(t, openPage(t), `async () => {
		const text = async (values, input, before = []) => {
			const [{ content }] = await calls(webmcp.mergeHooks({ before }, made.enrich(values)), [input], (given) => JSON.stringify(given));
			return content[0].text;
		};
		const values = { tenant: 'acme', filter: { tags: ['a'] } };
		const cyclic = { name: 'x' };
		cyclic.self = cyclic;
		const cyclicHook = made.enrich(cyclic).before[0];
		const { input: copied } = cyclicHook({ input: {} });
		const mutating = made.enrich(values);
		values.tenant = 'other';
		values.filter.tags.push('b');
		const mutated = await calls(mutating, [{}, {}], (input) => { input.filter.tags.push('mine'); input.tenant += '!'; return JSON.stringify(input); });
		const date = new Date(0);
		const agent = JSON.parse('{"__proto__": {"admin": true}, "a": 1}');
		const own = made.enrich(JSON.parse('{"__proto__": {"x": 1}, "b": {"__proto__": 2}}')).before[0]({ input: agent }).input;
		const input = Object.freeze({ a: Object.freeze({}) });
		const wrong = [];
		for (const value of [undefined, null, 5, 'a', [], new Map(), new Date(0)]) wrong.push((await thrown(() => made.enrich(value))).split(':')[0]);
		const failed = 'Error: the function of enrich must return a plain object, or nothing';
		return {
			'in place of what the agent sent': [await text({ tenant: 'acme' }, { tenant: 'other', year: 2026 }), '{"tenant":"acme","year":2026}'],
			'undefined, too': [await text({ tenant: undefined }, { tenant: 'other' }), '{}'],
			'copies, each time': [mutated.map(({ content }) => content[0].text), Array(2).fill('{"tenant":"acme!","filter":{"tags":["a","mine"]}}')],
			cyclic: [[copied.self.self === copied.self, copied.self === cyclic, copied.self.name], [true, false, 'x']],
			'objects of classes stay': [made.enrich({ date }).before[0]({ input: {} }).input.date === date, true],
			'a name that is dangerous': [[Object.getPrototypeOf(own) === Object.prototype, own.admin, JSON.stringify(own)], [true, null, '{"__proto__":{"x":1},"a":1,"b":{"__proto__":2}}']],
			frozen: [[made.enrich(Object.freeze({ b: 1 })).before[0]({ input }).input.a === input.a, Object.keys(input)], [true, ['a']]],
			'a function': [await text(({ input, tool }) => ({ b: input.a + 1, tool: tool.tool.name }), { a: 1 }), '{"a":1,"b":2,"tool":"tool"}'],
			'a function, later': [await text(async () => ({ b: 1 }), {}), '{"b":1}'],
			'a function that adds nothing': [[await text(() => {}, { a: 1 }), await text(async () => null, { a: 1 })], ['{"a":1}', '{"a":1}']],
			'a function that returns anything else': [[await text(() => 5, {}), await text(async () => [1], {}), await text(() => new Map(), {}), await text(() => 'x', {})], Array(4).fill(failed)],
			'a function that throws': [await text(() => { throw new Error('no session'); }, {}), 'Error: no session'],
			'an input that is no plain object': [
				[await text({ a: 1 }, {}, [() => ({ input: [1] })]), await text({ a: 1 }, {}, [() => ({ input: new Map() })]), await text({ a: 1 }, {}, [() => ({ input: null })])],
				Array(3).fill('Error: enrich cannot add to an input that is no plain object'),
			],
			wrong: [[...new Set(wrong)], ['TypeError']],
		};
	}`)
}

func TestTimingTellsOfEachCallOnce(t *testing.T) {
	t.Parallel()
	page := openPage(t)
	requireAll(t, page, `async () => {
		const told = [];
		const timing = made.timing((measured) => { told.push(measured); return { output: 'mine' }; });
		webmcp.configure({ hooks: timing }); // and on the tool: once, all the same
		const hooks = webmcp.mergeHooks(timing, { before: [({ input }) => (input.deny ? { action: 'deny', code: 'NO' } : undefined)] });
		const results = await calls(hooks, [{}, { deny: 1 }, { fail: 1 }], (input) => { if (input.fail) throw new Error('no'); return 'done'; });
		const before = performance.now();
		await calls({}, [{}], () => new Promise(() => {}), { timeout: 40 }); // which counts from before the first hook
		const waited = performance.now() - before;
		const slow = await calls({ before: [] }, [{}], () => new Promise((done) => setTimeout(done, 60, 'slow')));
		webmcp.resetGlobalHooks();

		// A denial before it got there.
		await calls(webmcp.mergeHooks({ before: [() => ({ action: 'deny', code: 'EARLY' })] }, timing), [{}]);
		// A failure behind its after hook.
		await calls(webmcp.mergeHooks(timing, { after: [() => { throw new Error('late'); }] }), [{}]);
		// Calls at once, each its own time.
		const tool = webmcp(({ ms }) => new Promise((done) => setTimeout(done, ms)), { name: 'wait', description: 'Waits.', schema: { type: 'object' }, hooks: timing });
		await tool.register();
		await Promise.all([120, 1, 1].map((ms) => webmcp.invokeTool('wait', { ms })));
		const cancel = new AbortController();
		const aborted = webmcp.invokeTool('wait', { ms: 30 }, { signal: cancel.signal });
		setTimeout(() => cancel.abort(), 10);
		await thrown(() => aborted);
		while (told.length < 11) await new Promise((next) => setTimeout(next, 5));
		const phases = told.map(({ phase, code }) => phase + (code ?? ''));
		return {
			phases: [phases.slice(0, 7), ['after', 'deniedNO', 'error', 'error', 'after', 'deniedEARLY', 'after']],
			more: [phases.slice(7, 10), ['after', 'after', 'after']],
			output: [results[0].content[0].text + slow[0].content[0].text, 'doneslow'],
			finite: [told.every(({ ms }) => Number.isFinite(ms) && ms >= 0), true],
			early: [told[5].ms, 0],
			timeout: [told[3].ms > 0 && told[3].ms <= waited, true],
			'each its own': [told[7].ms < told[9].ms && told[9].ms >= 119, true],
			ids: [new Set(told.map(({ invocationId }) => invocationId)).size, told.length],
			tools: [[told[0].tool.tool.name, told[9].tool === tool], ['tool', true]],
		};
	}`)
}

func TestACallbackOfTimingDisturbsNoCall(t *testing.T) {
	t.Parallel()
	page := openPage(t)
	requireAll(t, page, `async () => {
		const text = async (callback) => (await calls(made.timing(callback), [{}], () => 'done'))[0].content[0].text;
		const { now } = performance;
		const { error } = console;
		const odd = [];
		const cases = {
			throws: [await text(() => { throw new Error('no'); }), 'done'],
			rejects: [await text(async () => { throw new Error('no'); }), 'done'],
			'never settles': [await text(() => new Promise(() => {})), 'done'],
			'a then that throws': [await text(() => ({ then() { throw new Error('no'); } })), 'done'],
			'a then that cannot be read': [await text(() => ({ get then() { throw new Error('no'); } })), 'done'],
		};
		console.error = () => { throw new Error('no console'); };
		try {
			cases['without a console'] = [await text(() => { throw new Error('no'); }), 'done'];
		} finally {
			console.error = error;
		}
		for (const times of [[5, 4], [0, NaN], [NaN, 5], [0, Infinity]]) {
			const { before, after } = made.timing(({ ms }) => odd.push(ms));
			const call = { tool: {}, metadata: {} };
			try {
				performance.now = () => times[0];
				before[0](call);
				performance.now = () => times[1];
				after[0](call);
			} finally {
				performance.now = now;
			}
		}
		cases.clock = [odd, [0, 0, 0, 0]];
		const wrong = [];
		for (const value of [undefined, null, {}, 'a']) wrong.push((await thrown(() => made.timing(value))).split(':')[0]);
		cases.wrong = [wrong, Array(4).fill('TypeError')];
		return cases;
	}`)
	require.Len(t, complaints(page, "the callback of timing has failed"), 4)
}

func TestAuditTellsOfEachCallOnce(t *testing.T) {
	t.Parallel()
	requireAll(t, openPage(t), `async () => {
		const entries = [];
		const errors = [];
		const audit = made.audit((entry, error) => { entries.push(entry); errors.push(error?.message); return { output: 'mine' }; });
		webmcp.configure({ hooks: audit }); // and on the tool: once, all the same
		const hooks = webmcp.mergeHooks(audit, { before: [({ input }) => (input.deny ? { action: 'deny', message: 'Not you.', code: 'NO' } : undefined)] });
		const results = await calls(hooks, [{ n: 1 }, { deny: 1 }, { fail: 1 }], (input) => { if (input.fail) throw new Error('broken'); return { é: 1 }; });
		await calls({}, [{}], () => new Promise(() => {}), { timeout: 40 });
		webmcp.resetGlobalHooks();
		await calls(webmcp.mergeHooks({ before: [() => ({ action: 'deny', code: 'EARLY' })] }, audit), [{}]); // before it got there
		await calls(webmcp.mergeHooks(audit, { after: [() => { throw new Error('late'); }] }), [{}]); // behind it
		await webmcp((_, { signal }) => new Promise((_, fail) => signal.addEventListener('abort', () => fail(signal.reason))), { name: 'wait', description: 'Waits.', hooks: audit }).register();
		const cancel = new AbortController();
		const aborted = webmcp.invokeTool('wait', {}, { signal: cancel.signal });
		setTimeout(() => cancel.abort(), 10);
		await thrown(() => aborted);
		while (entries.length < 7) await new Promise((next) => setTimeout(next, 5));
		const [first] = entries;
		return {
			'how they ended': [entries.map(({ tool, outcome, code, executed }) => [tool, outcome, code ?? '', executed ?? 'unknown'].join(' ')), [
				'tool ok  true', 'tool denied NO false', 'tool error  unknown', 'tool error TIMEOUT unknown', 'tool denied EARLY false', 'tool ok  true', 'wait aborted  unknown',
			]],
			'what was said': [entries.slice(0, 3).map(({ input, output }) => input + ' ' + output), ['{"n":1} {"é":1}', '{"deny":1} Denied: Not you.', '{"fail":1} Error: broken']],
			'what was thrown': [errors.map((message) => message ?? ''), ['', '', 'broken', 'the tool tool has not finished within 40 ms', '', '', errors[6]]],
			'the call is as it was': [results[0].content[0].text, '{"é":1}'],
			sizes: [[first.inputBytes, first.outputBytes], [7, 8]],
			members: [Object.keys(first), ['time', 'id', 'tool', 'outcome', 'executed', 'duration', 'inputBytes', 'outputBytes', 'input', 'output']],
			frozen: [entries.every(Object.isFrozen), true],
			durations: [entries.every(({ duration }) => duration >= 0), true],
			ids: [new Set(entries.map(({ id }) => id)).size, 7],
			time: [new Date(first.time).toISOString() === first.time, true],
		};
	}`)
}

func TestAuditHoldsNoSecret(t *testing.T) {
	t.Parallel()
	requireAll(t, openPage(t), `async () => {
		const entries = [];
		const audit = made.audit((entry) => { entries.push(entry); }, { redact: { '/email': 'email', '/card': 'last4', '/notes': 'remove', '/*/email': 'email', '/*/card': 'last4', '/*/notes': 'remove', '/*/more': 'full' } });
		const secret = { email: 'secret@example.com', card: 'secret 4111 1111', notes: 'secret', more: { email: 'secret@example.com' } };
		const cyclic = { email: 'secret' };
		cyclic.self = cyclic;
		const outputs = {
			object: secret,
			list: [secret],
			text: JSON.stringify(secret),
			content: { content: [{ type: 'text', text: JSON.stringify(secret) }], structuredContent: secret },
			none: undefined,
			sentence: 'the secret is secret',
			image: { content: [{ type: 'image', data: 'secret', mimeType: 'image/png' }] },
			map: new Map([['email', 'secret']]),
			cyclic,
			thrower: { get email() { throw new Error('secret'); } },
		};
		const before = JSON.stringify(secret);
		await calls(audit, Object.keys(outputs).map((which) => ({ ...secret, which })), ({ which }) => outputs[which]);
		await calls(audit, [secret], () => { throw new Error('no secret'); });
		await calls(webmcp.mergeHooks(audit, { before: [() => ({ action: 'deny', message: 'not secret' })] }), [secret]);
		await calls(webmcp.mergeHooks({ before: [() => ({ input: cyclic })] }, audit), [{}], () => 1);
		await calls(webmcp.mergeHooks({ before: [() => ({ input: 'secret' })] }, audit), [{}], () => 1);
		return {
			'search all': [entries.filter((entry) => /(?<![a-z])secret(?!@)/.test(JSON.stringify(entry)) || JSON.stringify(entry).includes('secret@')), []],
			'what was sent': [[...new Set(entries.slice(0, 10).map(({ input }) => input.replace(/,"which".*/, '}')))],
				['{"email":"s***@example.com","card":"***1111","more":{"email":"s***@example.com"}}']],
			withheld: [entries.map(({ withheld }) => (withheld ?? []).join()), ['', '', '', '', '', 'output', 'output', 'output', 'output', 'output', 'output', 'output', 'input,output', 'input,output']],
			'the page has what it had': [JSON.stringify(secret), before],
			one: [entries[1].output, '[{"email":"s***@example.com","card":"***1111","more":"***"}]'],
		};
	}`)
}

func TestAuditKeepsAsMuchOfATextAsItIsTold(t *testing.T) {
	t.Parallel()
	requireAll(t, openPage(t), `async () => {
		const kept = async (options) => {
			const entries = [];
			await calls(made.audit((entry) => { entries.push(entry); }, options), [{ a: 'x'.repeat(3000) }], () => '😀'.repeat(2000));
			return [entries[0].input?.length, entries[0].output?.length, entries[0].inputBytes, entries[0].outputBytes];
		};
		const entries = [];
		await calls(made.audit((entry) => { entries.push(entry); }, { text: 3 }), [{}], () => '😀😀');
		return {
			'2000': [await kept(), [2000 + '… (1008 characters more)'.length, 2000 + '… (2000 characters more)'.length, 3008, 8000]],
			'none of it': [await kept({ text: 0 }), [null, null, 3008, 8000]],
			'all of it': [await kept({ text: 10_000 }), [3008, 4000, 3008, 8000]],
			'no half a character': [entries[0].output, '😀… (1 characters more)'],
		};
	}`)
}

func TestACallbackOfAuditDisturbsNoCall(t *testing.T) {
	t.Parallel()
	page := openPage(t)
	requireAll(t, page, `async () => {
		const text = async (callback) => (await calls(made.audit(callback), [{}], () => 'done'))[0].content[0].text;
		const cases = {
			throws: [await text(() => { throw new Error('no'); }), 'done'],
			rejects: [await text(async () => { throw new Error('no'); }), 'done'],
			'never settles': [await text(() => new Promise(() => {})), 'done'],
			'a then that throws': [await text(() => ({ then() { throw new Error('no'); } })), 'done'],
			'returns an output': [await text(() => ({ output: 'mine' })), 'done'],
		};
		const wrong = [];
		for (const args of [[], [5], [() => {}, { text: -1 }], [() => {}, { text: 1.5 }], [() => {}, { text: '5' }], [() => {}, { redact: {} }],
			[() => {}, { redact: { email: 'full' } }], [() => {}, { mask: {} }], [() => {}, 5]]) wrong.push((await thrown(() => made.audit(...args))).split(':')[0]);
		cases.wrong = [[...new Set(wrong)], ['TypeError']];
		cases.nothing = [typeof made.audit(() => {}, null).before[0] + typeof made.audit(() => {}, undefined).after[0], 'functionfunction'];
		return cases;
	}`)
	require.Len(t, complaints(page, "the callback of audit has failed"), 3)
}
