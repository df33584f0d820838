package e2e

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/webmcptest"
)

func TestAllChangesOfATaskAreToldOnce(t *testing.T) {
	t.Parallel()
	for name, browser := range map[string]webmcptest.Options{"with WebMCP": withWebMCP, "without": withoutWebMCP} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := libPage(t, browser)
			p.Do(`() => {
				window.told = 0;
				webmcp.onToolsChanged(() => { told++ });
				window.tools = Array.from({ length: 30 }, (_, i) => webmcp(() => i, { name: 'tool' + i, description: 'One of many.' }));
				window.done = Promise.all(tools.map(tool => tool.register()));
			}`)
			require.LessOrEqual(t, webmcptest.Eval[int](p, `async () => {
				await done;
				if (document.modelContext) while ((await document.modelContext.getTools()).length < 30);
				for (let i = 0; i < 5; i++) await new Promise(next => setTimeout(next)); // the browser's own events come later
				return told;
			}`), 15, "what is owned, what the browser has, and its own events")
			require.LessOrEqual(t, webmcptest.Eval[int](p, `async () => {
				told = 0;
				for (const tool of tools) tool.unregister();
				for (let i = 0; i < 5; i++) await new Promise(next => setTimeout(next));
				return told;
			}`), 15)
		})
	}
}

func TestManyToolsOfOneTaskAreRegisteredWithOneQuestionToGo(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	require.Equal(t, []any{true, 200.0, 200.0}, webmcptest.Eval[[]any](p, `async () => {
		// Go looks at document.modelContext for each question.
		const own = Object.getOwnPropertyDescriptor(Document.prototype, 'modelContext');
		let looks = 0;
		Object.defineProperty(document, 'modelContext', { get() { looks++; return own.get.call(document) }, configurable: true });
		const tools = Array.from({ length: 200 }, (_, i) => webmcp(() => i, { name: 'tool' + i, description: 'One of many.', schema: { type: 'object' } }));
		const before = looks;
		await Promise.all(tools.map(tool => tool.register()));
		const asked = looks - before;
		return [asked < 10 || asked, tools.filter(tool => tool.isRegistered()).length, (await document.modelContext.getTools()).length];
	}`))
}

func TestAToolThatTheBrowserRefusesHarmsNoneOfItsTask(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	require.Equal(t, []string{"registered", "registered", "RegistrationError", "AbortError", "idle", "registered"}, webmcptest.Eval[[]string](p, `async () => {
		await document.modelContext.registerTool({ name: 'taken', description: 'By hand.', execute: () => 1 });
		const make = name => webmcp(() => name, { name, description: 'One of many.' });
		const [first, second, taken, aborted, given, last] = ['first', 'second', 'taken', 'aborted', 'given_up', 'last'].map(make);
		const controller = new AbortController();
		const ends = [first.register(), second.register(), taken.register(), aborted.register({ signal: controller.signal }), given.register(), last.register()].map(settled);
		controller.abort();
		given.unregister();
		given.register();
		given.unregister();
		const [, , refused, gone] = await Promise.all(ends);
		return [first.status, second.status, refused.name, gone.name, given.status, last.status];
	}`))
	p.AwaitTools("first", "last", "second", "taken")
}

// Most schemas are compiled when they are first used. One that cannot be compiled
// must say so at registration all the same, and never let a call through.
func TestWhatIsWrongWithASchemaIsSaidAtRegistration(t *testing.T) {
	t.Parallel()
	p := libPage(t, withWebMCP)
	random := rand.New(rand.NewPCG(7, 7))
	var schemas []json.RawMessage
	for range 400 {
		text, err := json.Marshal(map[string]any{"type": "object", "properties": map[string]any{"a": randomSchema(random, 3)}})
		require.NoError(t, err)
		schemas = append(schemas, text)
	}
	type result struct {
		Refused, Taken int
		Late           []string
	}
	counts := webmcptest.Eval[result](p, `async schemas => {
		const counts = { refused: 0, taken: 0, late: [] };
		for (const [i, schema] of schemas.entries()) {
			try {
				const tool = webmcp(() => 'ran', { name: 'tool' + i, description: 'One of many.', schema });
				await tool.register();
				counts.taken++;
				const { isError, content: [{ text }] } = await webmcp.invokeTool('tool' + i, { a: 1 });
				if (isError && !text.includes('invalid input')) counts.late.push(JSON.stringify(schema) + ': ' + text);
				tool.unregister();
			} catch ({ name, message }) {
				if (name !== 'ConfigurationError') throw new Error(message);
				counts.refused++;
			}
		}
		return counts;
	}`, schemas)
	require.Empty(t, counts.Late)
	require.Greater(t, counts.Refused, 50)
	require.Greater(t, counts.Taken, 50)
}

// randomSchema returns a schema that may be right, or wrong in one place.
func randomSchema(random *rand.Rand, depth int) any {
	pick := func(values ...any) any { return values[random.IntN(len(values))] }
	inner := func() any {
		if depth == 0 {
			return map[string]any{}
		}
		return randomSchema(random, depth-1)
	}
	keywords := map[string]func() any{
		"type": func() any {
			return pick("string", "number", "integer", "array", "object", "null", "nothing", []any{"string", "null"}, 1)
		},
		"title":                func() any { return pick("a", "b", 1) },
		"description":          func() any { return pick("a", nil) },
		"enum":                 func() any { return pick([]any{1, "a", nil}, []any{}, []any{1, 1}, "a", []any{map[string]any{"a": 1}}) },
		"const":                func() any { return pick(1, "a", nil, map[string]any{"a": 1}) },
		"minimum":              func() any { return pick(1, -1.5, "1", 1e300) },
		"exclusiveMaximum":     func() any { return pick(1, 2.5, true) },
		"minLength":            func() any { return pick(0, 3, -1, 1.5, 1e15, "3") },
		"maxItems":             func() any { return pick(0, 3, -1, nil) },
		"required":             func() any { return pick([]any{}, []any{"a"}, []any{"a", "a"}, []any{1}, "a") },
		"items":                func() any { return pick(inner(), true, []any{}, 1) },
		"properties":           func() any { return pick(map[string]any{fmt.Sprint("p", random.IntN(3)): inner()}, []any{}, 1) },
		"additionalProperties": func() any { return pick(true, false, inner(), 1) },
		"pattern":              func() any { return pick("^a", "(", 1) },
		"$ref":                 func() any { return pick("#", "#/nowhere") },
		"constructor":          func() any { return 1 },
	}
	schema := map[string]any{}
	for name, value := range keywords {
		if random.IntN(8) == 0 {
			schema[name] = value()
		}
	}
	return schema
}
