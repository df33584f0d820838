package driver_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/driver"
)

func TestACallEndsWhenItsDocumentGoes(t *testing.T) {
	t.Parallel()
	hang := tool("hang", "() => new Promise(() => {})")
	for name, leave := range map[string]func(p *driver.Page, url string) error{
		"navigation": func(p *driver.Page, url string) error { return p.Open(within(t), url+"/next") },
		"other site": func(p *driver.Page, url string) error { return p.Open(within(t), otherSite(url)+"/next") },
		"reload": func(p *driver.Page, _ string) error {
			_, err := driver.Eval[any](within(t), p, "() => { location.reload() }")
			return err
		},
		"close": func(p *driver.Page, _ string) error { p.Close(); return nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := serve(t, map[string]string{"/": hang, "/next": tool("next", "() => 1")})
			p := newPage(t)
			require.NoError(t, p.Open(within(t), url+"/"))
			call, err := p.Invoke(within(t), "hang", nil)
			require.NoError(t, err)
			require.NoError(t, leave(p, url))
			_, err = call.Result(within(t))
			require.ErrorIs(t, err, driver.ErrLeft)
			require.NoError(t, call.Cancel(within(t)), "there is nothing left to cancel")
			var last driver.Event
			for e := range call.Events(within(t)) {
				last = e
			}
			require.Equal(t, driver.Responded, last.Kind)
			require.ErrorIs(t, last.Err, driver.ErrLeft)
			if name == "navigation" || name == "other site" {
				_, err = p.AwaitTools(within(t), "next")
				require.NoError(t, err, "the tools of the document that was left have gone with it")
			}
		})
	}
}

func TestACallEndsWhenItsFrameGoes(t *testing.T) {
	t.Parallel()
	for name, src := range map[string]string{"same site": "/inner", "other site": "OTHER/inner"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPage(t)
			require.NoError(t, p.Open(within(t), serve(t, map[string]string{
				"/": "<iframe id=f allow=tools src='" + src + "'></iframe>", "/inner": tool("hang", "() => new Promise(() => {})"),
			})+"/"))
			call, err := p.Invoke(within(t), "hang", nil)
			require.NoError(t, err)
			_, err = driver.Eval[any](within(t), p, "() => { f.remove() }")
			require.NoError(t, err)
			_, err = call.Result(within(t))
			require.ErrorIs(t, err, driver.ErrLeft)
			_, err = p.AwaitTools(within(t))
			require.NoError(t, err)
			_, err = call.Tool.Invoke(within(t), nil)
			require.ErrorIs(t, err, driver.ErrLeft)
		})
	}
}

func TestFramesHaveToolsOfTheirOwn(t *testing.T) {
	t.Parallel()
	who := func(name string) string { return tool("who", "() => '"+name+"'") }
	p := newPage(t)
	url := serve(t, map[string]string{
		"/":      "<iframe name=one src=/one></iframe><iframe name=two allow=tools src='OTHER/two'></iframe>",
		"/one":   who("one"),
		"/two":   who("two") + "<iframe name=three allow=tools src='OTHER/three'></iframe>",
		"/three": who("three"),
	})
	require.NoError(t, p.Open(within(t), url+"/"))
	tools, err := p.AwaitTools(within(t), "who", "who", "who")
	require.NoError(t, err)
	said := map[string]string{}
	for _, tool := range tools {
		call, err := tool.Invoke(within(t), nil)
		require.NoError(t, err)
		result, err := call.Result(within(t))
		require.NoError(t, err)
		said[tool.Frame.Name()] = result.Text()
		require.False(t, tool.Frame.Main())
	}
	require.Equal(t, map[string]string{"one": "one", "two": "two", "three": "three"}, said)

	_, err = p.Invoke(within(t), "who", nil)
	require.ErrorContains(t, err, "3 frames have a tool who")
	_, err = driver.Eval[any](within(t), p, "() => { "+strings.NewReplacer("<script>", "", "</script>", "").Replace(who("main"))+" }")
	require.NoError(t, err)
	_, err = p.AwaitTools(within(t), "who", "who", "who", "who")
	require.NoError(t, err)
	require.Equal(t, "main", text(t, p, "who"), "the main frame comes first")

	three, err := p.Frame(within(t), "three")
	require.NoError(t, err)
	require.Contains(t, three.URL(), "/three")
	title, err := driver.Eval[string](within(t), three, "() => location.pathname")
	require.NoError(t, err)
	require.Equal(t, "/three", title)
}

func TestAFrameThatChangesItsSiteAndComesBackHasItsToolsEachTime(t *testing.T) {
	t.Parallel()
	url := serve(t, map[string]string{
		"/": "<iframe name=f allow=tools src=/here></iframe>", "/here": tool("who", "() => 'here'"),
		"/there": tool("who", "() => 'there'"), "/none": "",
	})
	p := newPage(t)
	require.NoError(t, p.Open(within(t), url+"/"))
	for _, src := range []string{url + "/here", otherSite(url) + "/there", url + "/here", otherSite(url) + "/there", url + "/here"} {
		_, err := driver.Eval[any](within(t), p, "() => { document.querySelector('iframe').src = '/none' }")
		require.NoError(t, err)
		_, err = p.AwaitTools(within(t))
		require.NoError(t, err, src)
		_, err = driver.Eval[any](within(t), p, "() => { document.querySelector('iframe').src = '"+src+"' }")
		require.NoError(t, err)
		_, err = p.AwaitTools(within(t), "who")
		require.NoError(t, err, src)
		require.Equal(t, src[strings.LastIndex(src, "/")+1:], text(t, p, "who"))
	}
}

func TestFramesGoWithTheDocumentTheyAreIn(t *testing.T) {
	t.Parallel()
	url := serve(t, map[string]string{
		"/": "<iframe src=/one></iframe><iframe allow=tools src='OTHER/one'></iframe>", "/one": tool("who", "() => new Promise(() => {})"),
	})
	p := newPage(t)
	for _, next := range []string{url + "/", "about:blank", url + "/", otherSite(url) + "/"} {
		require.NoError(t, p.Open(within(t), url+"/"))
		tools, err := p.AwaitTools(within(t), "who", "who")
		require.NoError(t, err)
		call, err := tools[0].Invoke(within(t), nil)
		require.NoError(t, err)
		require.NoError(t, p.Open(within(t), next))
		_, err = call.Result(within(t))
		require.ErrorIs(t, err, driver.ErrLeft)
	}
}

func text(t *testing.T, p *driver.Page, tool string) string {
	t.Helper()
	call, err := p.Invoke(within(t), tool, nil)
	require.NoError(t, err)
	result, err := call.Result(within(t))
	require.NoError(t, err)
	return result.Text()
}

func TestEveryWaitEndsWithItsContext(t *testing.T) {
	t.Parallel()
	p := open(t, tool("hang", "() => new Promise(() => {})"))
	call, err := p.Invoke(within(t), "hang", nil)
	require.NoError(t, err)
	busy := errors.New("the test wants no more")
	for what, wait := range map[string]func(ctx context.Context) error{
		"tools":     func(ctx context.Context) error { _, err := p.AwaitTools(ctx, "other"); return err },
		"tool":      func(ctx context.Context) error { _, err := p.AwaitTool(ctx, "other"); return err },
		"invoke":    func(ctx context.Context) error { _, err := p.Invoke(ctx, "other", nil); return err },
		"result":    func(ctx context.Context) error { _, err := call.Result(ctx); return err },
		"frame":     func(ctx context.Context) error { _, err := p.Frame(ctx, "other"); return err },
		"find":      func(ctx context.Context) error { _, err := p.Find(ctx, "button", "other"); return err },
		"condition": func(ctx context.Context) error { return driver.Await(ctx, p, "false") },
		"script": func(ctx context.Context) error {
			_, err := driver.Eval[any](ctx, p, "() => new Promise(() => {})")
			return err
		},
		"record": func(ctx context.Context) error {
			return p.AwaitRecord(ctx, "x", func([]driver.Problem, []string) bool { return false })
		},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeoutCause(context.Background(), 300*time.Millisecond, busy)
			defer cancel()
			require.ErrorIs(t, wait(ctx), busy)
			ended, cancelAtOnce := context.WithCancelCause(context.Background())
			cancelAtOnce(busy)
			require.ErrorIs(t, wait(ended), busy)
		})
	}
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	for range p.Events(ctx) {
	}
	for range call.Events(ctx) {
	}
	require.False(t, call.Done(), "whoever stops waiting does not withdraw the call")
}

func TestManyCallsAtOnceEachGetTheirOwnAnswer(t *testing.T) {
	t.Parallel()
	p := open(t, tool("echo", "async ({ n }) => { await new Promise(next => setTimeout(next, (n * 7) % 30)); return { n } }"))
	var wait sync.WaitGroup
	for n := range 200 {
		wait.Go(func() {
			call, err := p.Invoke(within(t), "echo", map[string]int{"n": n})
			if !assertNil(t, err) {
				return
			}
			result, err := call.Result(within(t))
			var answer struct{ N int }
			if assertNil(t, err) && assertNil(t, result.Decode(&answer)) && answer.N != n {
				t.Errorf("call %d got the answer of %d", n, answer.N)
			}
		})
	}
	wait.Wait()
}

func assertNil(t *testing.T, err error) bool {
	t.Helper()
	if err != nil {
		t.Error(err)
	}
	return err == nil
}

func TestALargeAnswerIsAsASmallOne(t *testing.T) {
	t.Parallel()
	p := open(t, tool("answer", `({ size }) => ({ content: [{ type: 'text', text: 'x'.repeat(size) }], structuredContent: { size } })`)+
		tool("text", `({ size }) => 'x'.repeat(size)`))
	for _, size := range []int{10, 999_990, 1_000_100, 1 << 20, 3_000_000} {
		call, err := p.Invoke(within(t), "answer", map[string]int{"size": size})
		require.NoError(t, err)
		result, err := call.Result(within(t))
		require.NoError(t, err)
		require.Len(t, result.Text(), size)
		var structured struct{ Size int }
		require.NoError(t, result.Decode(&structured))
		require.Equal(t, size, structured.Size)

		call, err = p.Invoke(within(t), "text", map[string]int{"size": size})
		require.NoError(t, err)
		result, err = call.Result(within(t))
		require.NoError(t, err)
		require.Len(t, result.Text(), size)
	}
}

func TestAnAnswerIsReadByItsForm(t *testing.T) {
	t.Parallel()
	p := open(t, tool("say", "({ value }) => value"))
	for _, c := range []struct {
		value, text, code string
		isError           bool
		decoded           any
	}{
		{value: `"plain"`, text: "plain", decoded: "plain"},
		{value: `{"a":1}`, text: `{"a":1}`, decoded: map[string]any{"a": 1.0}},
		{value: `{"content":[]}`, text: ""},
		{value: `{"content":[{"type":"text","text":"{\"a\":1}"}]}`, text: `{"a":1}`, decoded: map[string]any{"a": 1.0}},
		{value: `{"content":[{"type":"text","text":"a"},{"type":"image","data":"x"},{"type":"text","text":"b"}]}`, text: "a\nb"},
		{value: `{"content":[{"type":"text","text":"one"}],"structuredContent":[1]}`, text: "one", decoded: []any{1.0}},
		{value: `{"content":[{"type":"text","text":"no"}],"isError":true,"code":"DENIED"}`, text: "no", isError: true, code: "DENIED"},
		{value: `{"content":[{"type":"text","text":"no"}],"isError":true,"code":7}`, text: "no", isError: true, code: "7"},
		{value: `{"content":"none","isError":true}`, text: `{"content":"none","isError":true}`, decoded: map[string]any{"content": "none", "isError": true}},
	} {
		call, err := p.Invoke(within(t), "say", json.RawMessage(`{"value":`+c.value+`}`))
		require.NoError(t, err)
		result, err := call.Result(within(t))
		require.NoError(t, err)
		require.Equal(t, c.text, result.Text(), c.value)
		require.Equal(t, c.isError, result.IsError, c.value)
		require.Equal(t, c.code, result.Code, c.value)
		if c.decoded != nil {
			var decoded any
			require.NoError(t, result.Decode(&decoded), c.value)
			require.Equal(t, c.decoded, decoded)
		}
		if c.isError {
			require.ErrorContains(t, result.Decode(new(any)), "no")
		}
	}
}

func TestEventsTellWhatHappensToToolsAndCalls(t *testing.T) {
	t.Parallel()
	p := open(t, "")
	events := p.Events(within(t))
	_, err := driver.Eval[any](within(t), p, `async () => {
		window.stop = new AbortController();
		await document.modelContext.registerTool({ name: 'a', description: 'A', execute: async () => 'done' }, { signal: stop.signal });
	}`)
	require.NoError(t, err)
	call, err := p.Invoke(within(t), "a", map[string]int{"x": 1})
	require.NoError(t, err)
	_, err = call.Result(within(t))
	require.NoError(t, err)
	_, err = driver.Eval[any](within(t), p, `() => stop.abort()`)
	require.NoError(t, err)
	var got []string
	for e := range events {
		got = append(got, strings.TrimSpace(fmt.Sprint(e.Kind, " ", e.Tool.Name, " ", string(e.Input))))
		if e.CallID != "" {
			require.Equal(t, call.ID, e.CallID)
		}
		if e.Kind == driver.Responded {
			require.Equal(t, "done", e.Result.Text())
		}
		if e.Kind == driver.ToolRemoved {
			break
		}
	}
	require.Equal(t, []string{"added a", `invoked a {"x":1}`, "responded a", "removed a"}, got)
	var kinds []driver.EventKind
	for e := range call.Events(within(t)) {
		kinds = append(kinds, e.Kind)
	}
	require.Equal(t, []driver.EventKind{driver.Invoked, driver.Responded}, kinds)
}

func TestAToolIsWhatChromeHasWhateverThePageSays(t *testing.T) {
	t.Parallel()
	p := open(t, `<script>
		document.modelContext.registerTool({ name: 'a', title: 'The title', description: 'x', execute: () => 'x',
			annotations: { consequentialHint: true, untrustedContentHint: true } });
		ModelContext.prototype.getTools = () => { throw new Error('not for you') };
		Object.fromEntries = JSON.parse = Array.prototype.map = () => 'patched';
	</script>
	<form toolname=search tooldescription="Searches." toolautosubmit><input name=q toolparamdescription="What"></form>`)
	tools, err := p.AwaitTools(within(t), "a", "search")
	require.NoError(t, err)
	require.Equal(t, "The title", tools[0].Title)
	require.Equal(t, driver.Annotations{Consequential: true, UntrustedContent: true}, tools[0].Annotations)
	require.True(t, tools[1].Annotations.Autosubmit)
	require.Contains(t, string(tools[1].InputSchema), "What")
}

func TestWithoutWebMCPTheAgentIsToldAtOnce(t *testing.T) {
	t.Parallel()
	ctx := within(t)
	b, err := driver.Start(ctx, driver.Options{WithoutWebMCP: true})
	require.NoError(t, err)
	defer b.Close()
	p, err := b.NewPage(ctx)
	require.NoError(t, err)
	require.NoError(t, p.Open(ctx, serve(t, map[string]string{"/": "<button>Go</button>"})))
	_, err = p.Tools(ctx)
	require.ErrorIs(t, err, driver.ErrNoWebMCP)
	_, err = p.AwaitTools(ctx, "a")
	require.ErrorIs(t, err, driver.ErrNoWebMCP)
	_, err = p.Invoke(ctx, "a", nil)
	require.ErrorIs(t, err, driver.ErrNoWebMCP)
	require.NoError(t, p.Click(ctx, "button", "Go"), "the human needs no WebMCP")

	// Chrome has it for secure pages only.
	on := newPage(t)
	require.NoError(t, on.Open(ctx, "data:text/html,x"))
	_, err = on.Invoke(ctx, "a", nil)
	require.ErrorIs(t, err, driver.ErrNoWebMCP)
}

func TestACrashEndsEverything(t *testing.T) {
	t.Parallel()
	p := open(t, tool("hang", "() => new Promise(() => {})"))
	call, err := p.Invoke(within(t), "hang", nil)
	require.NoError(t, err)
	busy := make(chan error, 1)
	go func() {
		_, err := driver.Eval[any](within(t), p, "() => new Promise(() => {})")
		busy <- err
	}()
	require.Error(t, p.Open(within(t), "chrome://crash"))
	require.Error(t, <-busy)
	_, err = call.Result(within(t))
	require.ErrorIs(t, err, driver.ErrLeft)
	ctx := within(t)
	require.ErrorContains(t, driver.Await(ctx, p, "false"), "crashed")
	_, err = p.Invoke(ctx, "hang", nil)
	require.ErrorContains(t, err, "crashed")
	_, err = p.Tools(ctx)
	require.ErrorContains(t, err, "crashed")
	require.ErrorContains(t, p.Click(ctx, "button", "Go"), "crashed")
	require.NoError(t, ctx.Err(), "nothing waited for its context")
}
