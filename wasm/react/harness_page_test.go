package react

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/webmcp"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// deadline bounds everything one test waits for. It is generous: it only
// decides how long a broken test takes to fail.
const deadline = time.Minute

// observer keeps what the page asks of the browser. It runs before any script of
// a page.
const observer = `
window.registrations = []; // names, one for each call of registerTool
window.executors = {}; // what the browser calls, by name
window.toolchanges = 0;
if (document.modelContext) {
	const { registerTool } = document.modelContext;
	document.modelContext.registerTool = function (tool, ...rest) {
		registrations.push(tool.name);
		executors[tool.name] = tool.execute;
		return registerTool.call(this, tool, ...rest);
	};
	document.modelContext.addEventListener('toolchange', () => { toolchanges++ });
}`

// page is a document of a test's own in a tab, and all that happened in it. Its
// methods fail the test; call them from the test's goroutine.
type page struct {
	tb    testing.TB
	ctx   context.Context
	frame cdp.FrameID

	mu       sync.Mutex
	changed  chan struct{} // closed and replaced at every event below
	tools    []*webmcp.Tool
	answers  map[string]*webmcp.EventToolResponded // by invocation id
	problems []problem
	expected []expectation
}

// expectation is a problem that the test wants to see.
type expectation struct {
	text string // a part of it
	many bool   // it may come more than once
}

// problem is something that a page must not cause unless the test expects it:
// an uncaught exception, an unhandled rejection, a line that React or the
// library writes to the console as an error, a failed request.
type problem struct {
	exception int64 // id of the exception, which Chrome may revoke; 0 for others
	text      string
}

// newPage takes a tab. When the test ends, it fails if the page caused a
// problem.
func newPage(tb testing.TB) *page {
	tb.Helper()
	// Building and starting may take long, so they come before the time starts.
	built(tb)
	browser.start(tb)

	p := &page{tb: tb, changed: make(chan struct{}), answers: map[string]*webmcp.EventToolResponded{}}
	tab := takeTab(tb, p)
	tb.Cleanup(func() { tab.giveBack(!tb.Failed()) })
	ctx, cancel := context.WithTimeout(tab.ctx, deadline)
	p.ctx = ctx
	tb.Cleanup(cancel)
	tb.Cleanup(p.finish)
	p.frame = command(p, cdppage.GetFrameTree, cdp.Empty{}).FrameTree.Frame.ID
	return p
}

// command sends a protocol command to the tab.
func command[P, R any](p *page, c cdp.Command[P, R], params P) R {
	p.tb.Helper()
	result, err := chromedp.Call(p.ctx, c, params)
	require.NoError(p.tb, err, c.Method)
	return result
}

// onEvent sees every event of the tab in order. It runs in chromedp's loop.
func (p *page) onEvent(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := event.(type) {
	case *webmcp.EventToolsAdded:
		p.tools = append(p.tools, e.Tools...)
	case *webmcp.EventToolsRemoved:
		for _, removed := range e.Tools {
			for i, tool := range p.tools {
				if tool.ToolID == removed.ToolID && tool.Name == removed.Name {
					p.tools = slices.Delete(slices.Clone(p.tools), i, i+1)
					break
				}
			}
		}
	case *webmcp.EventToolResponded:
		p.answers[e.InvocationID] = e
	case *runtime.EventConsoleAPICalled:
		if e.Type != runtime.ConsoleAPICalledTypeError {
			return
		}
		p.problems = append(p.problems, problem{text: "console.error: " + textOf(e.Args)})
	case *runtime.EventExceptionThrown:
		text := e.ExceptionDetails.Text
		if e.ExceptionDetails.Exception != nil {
			text += " " + textOf([]*runtime.RemoteObject{e.ExceptionDetails.Exception})
		}
		p.problems = append(p.problems, problem{e.ExceptionDetails.ExceptionID, text})
	case *runtime.EventExceptionRevoked:
		p.problems = slices.DeleteFunc(p.problems, func(problem problem) bool { return problem.exception == e.ExceptionID })
	case *log.EventEntryAdded:
		if e.Entry.Level != log.EntryLevelError {
			return
		}
		p.problems = append(p.problems, problem{text: fmt.Sprintf("%s: %s %s", e.Entry.Source, e.Entry.Text, e.Entry.URL)})
	default:
		return
	}
	close(p.changed)
	p.changed = make(chan struct{})
}

func textOf(values []*runtime.RemoteObject) string {
	parts := make([]string, len(values))
	for i, value := range values {
		switch {
		case json.Unmarshal(value.Value, &parts[i]) == nil:
		case value.Description != "":
			parts[i] = value.Description
		default:
			parts[i] = string(value.Value)
		}
	}
	return strings.Join(parts, " ")
}

// await blocks until done is true. done is called with the page's record
// locked, and again whenever something was added to it.
func (p *page) await(what string, done func() bool) {
	p.tb.Helper()
	for {
		p.mu.Lock()
		ok, changed := done(), p.changed
		p.mu.Unlock()
		if ok {
			return
		}
		select {
		case <-changed:
		case <-p.ctx.Done():
			require.FailNow(p.tb, "waited in vain", "for %s", what)
		}
	}
}

// open navigates and waits for the load event.
func (p *page) open(url string) {
	p.tb.Helper()
	require.NoError(p.tb, chromedp.Do(p.ctx, chromedp.Navigate(url)), "open %s", url)
}

// expect allows one problem whose text contains the given one, and makes the
// test fail if it never comes.
func (p *page) expect(text string) { p.wants(expectation{text: text}) }

// expectSome allows any number of such problems, but not none.
func (p *page) expectSome(text string) { p.wants(expectation{text: text, many: true}) }

func (p *page) wants(e expectation) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.expected = append(p.expected, e)
}

// finish judges the page.
func (p *page) finish() {
	// The test may have used up its time; what happened is still to be told.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(p.ctx), 10*time.Second)
	defer cancel()
	// A rejection is reported when the task that caused it has ended.
	_, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`new Promise(done => setTimeout(() => done(true)))`, chromedp.EvalAwaitPromise))
	if err != nil {
		p.tb.Errorf("the page does not answer any more: %v", err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	seen := make([]bool, len(p.expected))
next:
	for _, problem := range p.problems {
		for i, expected := range p.expected {
			if (expected.many || !seen[i]) && strings.Contains(problem.text, expected.text) {
				seen[i] = true
				continue next
			}
		}
		p.tb.Errorf("the page caused: %s", problem.text)
	}
	for i, expected := range p.expected {
		if !seen[i] {
			p.tb.Errorf("the page never caused the expected: %s", expected.text)
		}
	}
}

// eval calls a JavaScript function in the page, with arguments that become
// JSON, and returns what it returns or resolves to. A throw fails the test.
func eval[T any](p *page, function string, args ...any) T {
	p.tb.Helper()
	list := make([]string, len(args))
	for i, arg := range args {
		text, err := json.Marshal(arg)
		require.NoError(p.tb, err)
		list[i] = string(text)
	}
	answer := command(p, runtime.Evaluate, runtime.EvaluateParams{
		Expression:    "(" + function + "\n)(" + strings.Join(list, ", ") + ")",
		AwaitPromise:  new(true),
		ReturnByValue: new(true),
	})
	if details := answer.ExceptionDetails; details != nil {
		text := details.Text
		if details.Exception != nil {
			text += " " + textOf([]*runtime.RemoteObject{details.Exception})
		}
		require.FailNow(p.tb, "thrown in the page", "%s\nby %s", text, function)
	}
	var result T
	if len(answer.Result.Value) > 0 {
		require.NoError(p.tb, json.Unmarshal(answer.Result.Value, &result))
	}
	return result
}

// do runs a JavaScript function in the page for its effects.
func (p *page) do(function string, args ...any) {
	p.tb.Helper()
	eval[json.RawMessage](p, function, args...)
}

// waitFor polls a JavaScript expression, once a frame, until it is truthy.
func (p *page) waitFor(expression string) {
	p.tb.Helper()
	p.do(fmt.Sprintf(`async () => {
		while (!(%s)) await new Promise(next => { requestAnimationFrame(next); setTimeout(next, 50) });
	}`, expression))
}

// ----------------------------------------------------------------- agent

// awaitTools waits until the agent can call exactly these tools.
func (p *page) awaitTools(names ...string) {
	p.tb.Helper()
	slices.Sort(names)
	var got []string
	defer func() {
		if p.tb.Failed() {
			p.tb.Logf("the agent sees %q", got)
		}
	}()
	p.await("the tools "+strings.Join(names, ", "), func() bool {
		got = make([]string, len(p.tools))
		for i, tool := range p.tools {
			got[i] = tool.Name
		}
		slices.Sort(got)
		return slices.Equal(got, names)
	})
}

// awaitDescription waits until the agent can call one tool of that name, with
// that description.
func (p *page) awaitDescription(name, description string) {
	p.tb.Helper()
	p.await("the tool "+name+": "+description, func() bool {
		var found []string
		for _, tool := range p.tools {
			if tool.Name == name {
				found = append(found, tool.Description)
			}
		}
		return slices.Equal(found, []string{description})
	})
}

// invokeTool is WebMCP.invokeTool by name. cdproto's own parameters know the
// tool's id only.
var invokeTool = cdp.Command[invokeToolParams, webmcp.InvokeToolResult]{Method: webmcp.CommandInvokeTool}

type invokeToolParams struct {
	FrameID  cdp.FrameID `json:"frameId"`
	ToolName string      `json:"toolName"`
	Input    any         `json:"input"`
}

// answer is what an agent gets from a tool of ours.
type answer struct {
	Content []struct {
		Text string `json:"text"`
	} `json:"content"`
	IsError bool   `json:"isError"`
	Code    string `json:"code"`
}

// invocation is one call of a tool by the agent.
type invocation struct {
	p    *page
	id   string
	tool string
}

// invoke starts a call as the agent does. The input is sent as JSON.
func (p *page) invoke(name string, input any) *invocation {
	p.tb.Helper()
	p.await("the tool "+name, func() bool {
		return slices.ContainsFunc(p.tools, func(tool *webmcp.Tool) bool { return tool.Name == name })
	})
	result := command(p, invokeTool, invokeToolParams{p.frame, name, input})
	return &invocation{p, result.InvocationID, name}
}

// answer waits for the end of a call.
func (i *invocation) answer() (a answer) {
	i.p.tb.Helper()
	var event *webmcp.EventToolResponded
	i.p.await("the response of "+i.tool, func() bool {
		event = i.p.answers[i.id]
		return event != nil
	})
	require.Equal(i.p.tb, webmcp.InvocationStatusCompleted, event.Status, "%s: %s", i.tool, event.ErrorText)
	require.NoError(i.p.tb, json.Unmarshal(event.Output, &a), "output of %s: %s", i.tool, event.Output)
	require.Len(i.p.tb, a.Content, 1)
	return a
}

// ask invokes a tool and returns the text of its answer, which must be neither
// an error nor a denial.
func (p *page) ask(name string, input any) string {
	p.tb.Helper()
	a := p.invoke(name, input).answer()
	require.False(p.tb, a.IsError, "%s answered: %v", name, a.Content)
	return a.Content[0].Text
}

// input is what an agent sends.
type input map[string]any
