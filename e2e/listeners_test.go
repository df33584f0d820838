package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/webmcptest"
)

// What a page does in a listener for changes of tools is a change of tools itself.
// The page of these tests has listen(how, callback), for the listeners that there
// are: toolchange, of the browser, and onToolsChanged.
func listenersPage(t *testing.T, browser webmcptest.Options) *webmcptest.Page {
	t.Helper()
	p := libPage(t, browser)
	p.Do(`() => {
		window.make = name => webmcp(() => name, { name, description: 'Made in a listener.', schema: { type: 'object' } });
		window.listen = (how, callback) => {
			if (how === 'onToolsChanged') return webmcp.onToolsChanged(callback);
			document.modelContext.addEventListener('toolchange', callback);
			return () => document.modelContext.removeEventListener('toolchange', callback);
		};
		window.names = async () => (await webmcp.listTools()).map(({ name }) => name).join();
	}`)
	return p
}

// inListeners runs a test for each kind of listener, with WebMCP and without.
func inListeners(t *testing.T, test func(t *testing.T, p *webmcptest.Page, how string)) {
	t.Helper()
	t.Parallel()
	for _, l := range []struct {
		name, how string
		browser   webmcptest.Options
	}{
		{"toolchange", "toolchange", withWebMCP},
		{"onToolsChanged", "onToolsChanged", withWebMCP},
		{"onToolsChanged without WebMCP", "onToolsChanged", withoutWebMCP},
	} {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			test(t, listenersPage(t, l.browser), l.how)
		})
	}
}

func TestAListenerForChangesRegistersTools(t *testing.T) {
	inListeners(t, func(t *testing.T, p *webmcptest.Page, how string) {
		require.Equal(t, []any{"first,second,third", "second", "registered", "RegistrationError"}, webmcptest.Eval[[]any](p, `async how => {
			const done = Promise.withResolvers();
			const stop = listen(how, async () => {
				stop();
				const second = make('second'), third = make('third'), rival = make('first');
				const [, , refused] = await Promise.all([second.register(), third.register(), settled(rival.register()), second.register()]);
				done.resolve([await names(), (await webmcp.invokeTool('second', {})).content[0].text, third.status, refused.name]);
			});
			await make('first').register();
			return done.promise;
		}`, how))
		p.Forgive("Duplicate tool name")
	})
}

func TestAListenerThatAnswersEachChangeWithAToolDoesNotStopThePage(t *testing.T) {
	inListeners(t, func(t *testing.T, p *webmcptest.Page, how string) {
		const rounds = 60
		got := webmcptest.Eval[map[string]int](p, `async (how, rounds) => {
			const done = Promise.withResolvers();
			const ends = [];
			let tasks = 0, depth = 0, deepest = 0;
			const beat = setInterval(() => { tasks++ });
			const stop = listen(how, () => { // for ever, if rounds did not end it
				depth++;
				deepest = Math.max(deepest, depth);
				if (ends.length < rounds) ends.push(make('tool' + ends.length).register());
				else if (tasks > 2) done.resolve();
				else setTimeout(() => make('more' + tasks).register());
				depth--;
			});
			make('start').register();
			await done.promise;
			stop();
			clearInterval(beat);
			await Promise.all(ends);
			const listed = (await names()).split(',').filter(name => name.startsWith('tool')).length;
			return { rounds: ends.length, listed, deepest };
		}`, how, rounds)
		require.Equal(t, map[string]int{"rounds": rounds, "listed": rounds, "deepest": 1}, got)
	})
}

func TestAListenerThatTakesAwayWhateverComesLeavesNothing(t *testing.T) {
	inListeners(t, func(t *testing.T, p *webmcptest.Page, how string) {
		got := webmcptest.Eval[map[string]any](p, `async how => {
			const tools = ['a', 'b', 'c'].map(make);
			let changes = 0;
			const stop = listen(how, () => {
				changes++;
				for (const tool of tools) tool.unregister(); // which it is told of, too
			});
			const ends = await Promise.all(tools.map(tool => tool.register().then(() => 'resolved', String)));
			while (changes < 2 || tools.some(({ status }) => status !== 'idle')) await new Promise(next => setTimeout(next));
			stop();
			const left = await names();
			await Promise.all(tools.map(tool => tool.register())); // they can be had again
			return { ends, left, again: await names(), answer: (await webmcp.invokeTool('b', {})).content[0].text };
		}`, how)
		require.Equal(t, map[string]any{"ends": []any{"resolved", "resolved", "resolved"}, "left": "", "again": "a,b,c", "answer": "b"}, got)
	})
}

func TestAListenerThatBringsBackWhatGoesDoesSoEachTime(t *testing.T) {
	inListeners(t, func(t *testing.T, p *webmcptest.Page, how string) {
		got := webmcptest.Eval[map[string]any](p, `async how => {
			const tool = make('stays');
			await tool.register();
			let returned = 0;
			const stop = listen(how, () => {
				if (tool.status !== 'idle') return;
				returned++;
				tool.register();
			});
			for (let i = 1; i <= 20; i++) {
				tool.unregister();
				while (returned < i || tool.status !== 'registered') await new Promise(next => setTimeout(next));
			}
			stop();
			const listed = await names();
			tool.unregister();
			return { returned, listed, left: await names() };
		}`, how)
		require.Equal(t, map[string]any{"returned": 20.0, "listed": "stays", "left": ""}, got)
	})
}

func TestAListenerOfOneTaskIsToldOnceAndMayEndItselfAndOthers(t *testing.T) {
	t.Parallel()
	p := listenersPage(t, withWebMCP)
	require.Equal(t, []any{1.0, 0.0, 0.0}, webmcptest.Eval[[]any](p, `async () => {
		const heard = [0, 0, 0];
		let stopLast, stopNew;
		const stop = webmcp.onToolsChanged(() => { // the new one has not been there when the tools changed
			heard[0]++;
			stop();
			stopLast();
			stopNew = webmcp.onToolsChanged(() => { heard[2]++; stopNew() });
			stopNew();
		});
		stopLast = webmcp.onToolsChanged(() => { heard[1]++ });
		await make('tool').register();
		for (let i = 0; i < 5; i++) await new Promise(next => setTimeout(next));
		return heard;
	}`))
}
