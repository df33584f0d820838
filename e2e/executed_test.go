package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/webmcptest"
)

// What a program reads of a call that was refused or has failed: whether its function
// was called. Aborts are in the table of cases, for a browser that cancels a call does
// not pass its result on; approvals are in approval_test.go.

// end is how a call ended, with the prefix of what the agent reads.
type end struct {
	Code     string `json:"code"`
	Executed *bool  `json:"executed"`
	Text     string `json:"text"`
	Ran      bool   `json:"ran"` // the function
}

// asAgent calls tools as an agent does: executed('x') resolves to the end of a call.
const asAgent = `() => {
	window.endOf = ({ code, executed, content: [{ text }] }) => ({ code, executed, text: text.slice(0, 60), ran: ran.includes('fn') });
	window.execute = async (name, input = {}) => {
		const found = (await document.modelContext.getTools()).find(tool => tool.name === name);
		return JSON.parse(await document.modelContext.executeTool(found, input));
	};
	window.executed = async (name, input) => endOf(await execute(name, input));
}`

func TestWhatWasRefusedOrHasFailedSaysWhetherTheFunctionWasCalled(t *testing.T) {
	t.Parallel()
	p := goPage(t, withWebMCP)
	p.Do(asAgent)
	p.Do(`() => {
		window.attempt = async (make, input) => {
			ran.length = 0;
			gates.clear();
			webmcp.registry.clear();
			const { fn = () => 'done', ...options } = make();
			await webmcp(async (...args) => { ran.push('fn'); return fn(...args); }, { name: 'work', description: 'Works.', ...options }).register();
			return executed('work', input);
		};
	}`)
	schema := func(validate string) string {
		return `schema: { '~standard': { version: 1, vendor: 'x', validate: ` + validate + ` } }`
	}
	for rule, c := range map[string]struct {
		make     string
		executed bool
		code     string
		text     string
	}{
		"denied":                  {`{ hooks: { before: [() => ({ action: 'deny', message: 'no', code: 'NO' })] } }`, false, "NO", "Denied: no"},
		"denied without a text":   {`{ hooks: { before: [() => ({ action: 'deny' })] } }`, false, "DENIED", "Denied: the call was denied, and nothing was done"},
		"a before hook fails":     {`{ hooks: { before: [() => { throw new Error('broken') }] } }`, false, "", "Error: broken"},
		"a before hook is wrong":  {`{ hooks: { before: [async () => false] } }`, false, "", "Error: the before hook returned false"},
		"a before hook is late":   {`{ timeout: 50, hooks: { before: [() => gate('never')] } }`, false, "TIMEOUT", "Error: the tool work has not finished within 50 ms"},
		"the input is invalid":    {`{ schema: { type: 'object', required: ['n'] } }`, false, "", "Error: invalid input: n: is required"},
		"a schema throws":         {`{ ` + schema(`() => { throw new Error('broken') }`) + ` }`, false, "", "Error: broken"},
		"a schema is late":        {`{ timeout: 50, ` + schema(`() => gate('never')`) + ` }`, false, "TIMEOUT", "Error: the tool work has not finished within 50 ms"},
		"the input is too large":  {`{ maxInputBytes: 8, schema: { type: 'object', required: [] } }`, false, "", "Error: invalid input: it has"},
		"the function fails":      {`{ fn() { throw new Error('broken') } }`, true, "", "Error: broken"},
		"it returns an error":     {`{ fn: () => new Error('broken') }`, true, "", "Error: broken"},
		"it is late":              {`{ timeout: 50, fn: () => gate('never') }`, true, "TIMEOUT", "Error: the tool work has not finished within 50 ms"},
		"an after hook fails":     {`{ hooks: { after: [() => { throw new Error('SECRET') }] } }`, true, "", "Error: the tool has run, but its output cannot be passed on"},
		"an after hook is late":   {`{ timeout: 50, hooks: { after: [() => gate('never')] } }`, true, "TIMEOUT", "Error: the tool work has not finished within 50 ms"},
		"the output is invalid":   {`{ outputSchema: { type: 'number' } }`, true, "", "Error: the tool has run, but its output cannot be passed on"},
		"the output is too large": {`{ maxOutputBytes: 3 }`, true, "", "Error: the result is too large"},
	} {
		p.About("%s", rule)
		got := webmcptest.Eval[end](p, `(input) => attempt(() => (`+c.make+`), input)`, map[string]string{"long": "enough"})
		require.Equal(t, c.code, got.Code)
		require.Contains(t, got.Text, c.text[:min(len(c.text), 60)])
		require.NotNil(t, got.Executed, "executed is missing")
		require.Equal(t, c.executed, *got.Executed)
		require.Equal(t, c.executed, got.Ran, "the test is wrong about what runs")
	}

	p.About("what has not failed")
	require.Equal(t, end{Text: "done", Ran: true}, webmcptest.Eval[end](p, `() => attempt(() => ({}))`))
	require.Equal(t, end{Text: "own", Ran: true}, webmcptest.Eval[end](p, `() => attempt(() => ({ fn: () => ({ content: [{ type: 'text', text: 'own' }], isError: true }) }))`),
		"a result that the function has made goes as it is")
}

func TestWhatGoRefusesOrFailsSaysWhetherTheHandlerWasCalled(t *testing.T) {
	t.Parallel()
	p := goPage(t, withWebMCP)
	p.Do(asAgent)
	p.Do(`() => {
		// Runs a call of the tool of Go; between its last before hook and its handler, meanwhile gets the metadata.
		window.attempt = async (input, how = '', timeout = undefined, meanwhile = () => {}) => {
			ran.length = 0;
			goapp.reset();
			webmcp.resetGlobalHooks();
			webmcp.registry.clear();
			let bag;
			webmcp.configure({ replace: true, hooks: { before: [({ metadata }) => { bag = metadata }] } });
			if (timeout) webmcp.configure({ timeout });
			ran.push = (line) => {
				if (line === 'before:t') meanwhile(bag);
				return Array.prototype.push.call(ran, line);
			};
			const problem = await goapp.register('go', how);
			if (problem) throw new Error(problem);
			return executed('go', input);
		};
	}`)
	for rule, c := range map[string]struct {
		call     string
		executed bool
		text     string
	}{
		"denied":                           {`attempt({}, 'deny')`, false, "Denied: Go says no."},
		"a before hook fails":              {`attempt({}, 'fail')`, false, "Error: broken t"},
		"a before hook panics":             {`attempt({}, 'panic')`, false, "Error: internal error: the tool's Go code panicked"},
		"a before hook is late":            {`attempt({}, 'wait', 100)`, false, "Error: the tool go has not finished within 100 ms"},
		"the input is invalid":             {`attempt({ do: 7 })`, false, "Error: invalid input: do: must be a string"},
		"the values cannot cross":          {`attempt({}, '', undefined, bag => { bag.big = 'x'.repeat(11 << 20) })`, false, "Error: a value of the call cannot be passed to Go"},
		"what has crossed cannot be read":  {`attempt({}, '', undefined, bag => { bag.a = bag.b = Array(300000).fill(0) })`, false, "Error: "},
		"the handler fails":                {`attempt({ do: 'fail' })`, true, "Error: out of stock"},
		"the handler panics":               {`attempt({ do: 'panic' })`, true, "Error: internal error: the tool's Go code panicked"},
		"the handler is late":              {`attempt({ do: 'wait' }, '', 100)`, true, "Error: the tool go has not finished within 100 ms"},
		"its output has no JSON":           {`attempt({ do: 'channel' })`, true, "Error: the output that Go code set"},
		"its output is more than crosses":  {`attempt({ do: 'huge' })`, true, "Error: the result is too large"},
		"the output is larger than it may": {`(webmcp.configure({ maxOutputBytes: 3 }), attempt({ do: 'text' }))`, true, "Error: the tool has run"},
	} {
		p.About("%s", rule)
		got := webmcptest.Eval[end](p, `() => `+c.call)
		require.Contains(t, got.Text, c.text[:min(len(c.text), 60)])
		require.NotNil(t, got.Executed, "executed is missing")
		require.Equal(t, c.executed, *got.Executed, got.Text)
		require.Equal(t, c.executed, got.Ran, "the test is wrong about what runs")
		p.Do(`() => webmcp.configure({ maxOutputBytes: 10 << 20 })`)
	}
}

func TestCallsOfAModuleThatHasGoneSayWhetherTheFunctionWasCalled(t *testing.T) {
	t.Parallel()
	p := goPage(t, withWebMCP)
	p.Do(asAgent)
	got := webmcptest.Eval[map[string]end](p, `async () => {
		// What a browser keeps of a tool that has gone.
		const { registerTool } = document.modelContext;
		const kept = {};
		document.modelContext.registerTool = function (tool, options) {
			kept[tool.name] = tool.execute;
			return registerTool.call(this, tool, options);
		};
		const fn = async () => { ran.push('fn'); await gate('never') };
		for (const name of ['later', 'called']) await webmcp(fn, { name, description: 'Works.' }).register();
		await webmcp(fn, { name: 'waits', description: 'Works.', hooks: { before: [() => gate('never')] } }).register();
		await goapp.register('handler');
		const ends = {};
		const take = async (name, call) => { ends[name] = endOf(await call) };
		const leaving = webmcp(fn, { name: 'leaving', description: 'Works.' });
		await leaving.register();
		leaving.unregister();
		await take('not registered any more', kept.leaving({}));
		const waits = take('waited', execute('waits')), called = take('called', execute('called')), handled = take('handled', execute('handler', { do: 'wait' }));
		while (ran.filter(line => line === 'fn').length < 2) await new Promise(requestAnimationFrame);
		goapp.exit();
		await Promise.all([waits, called, handled]);
		await take('later', kept.later({}));
		for (const each of Object.values(ends)) delete each.ran;
		return ends;
	}`)
	yes, no := new(true), new(false)
	const stopped = "Error: the WebMCP module has stopped and its tools are gone:"
	require.Equal(t, map[string]end{
		"not registered any more": {Text: "Error: the tool leaving is not registered any more", Executed: no},
		"waited":                  {Text: stopped, Executed: no},
		"called":                  {Text: stopped, Executed: yes},
		"handled":                 {Text: stopped, Executed: yes},
		"later":                   {Text: stopped, Executed: no},
	}, got)
}
