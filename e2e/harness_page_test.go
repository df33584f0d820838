package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
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

// page is a document of a test's own in a tab, and all that happened in it. Its
// methods fail the test; call them from the test's goroutine.
type page struct {
	tb    testing.TB
	tab   *tab
	ctx   context.Context
	frame cdp.FrameID

	mu       sync.Mutex
	changed  chan struct{} // closed and replaced at every event below
	tools    []*webmcp.Tool
	answers  map[string]*webmcp.EventToolResponded // by invocation id
	console  []string                              // everything, in order
	problems []problem
	expected []string
	subject  string // what the test is about at present
	altered  bool   // the tab is not what other tests expect
}

// problem is something that a page of ours must never cause.
type problem struct {
	exception int64 // id of the exception, which Chrome may revoke; 0 for others
	text      string
}

// newPage takes a tab. When the test ends, it fails if the page caused an
// uncaught exception, an unhandled rejection, a CSP violation or a failed
// request that it did not expect.
func newPage(tb testing.TB, b *browser) *page {
	tb.Helper()
	// Starting and building may take long, so they come before the time starts.
	b.start(tb)
	_, err := buildDist()
	require.NoError(tb, err, "build the library")

	p := &page{
		tb:      tb,
		changed: make(chan struct{}),
		answers: map[string]*webmcp.EventToolResponded{},
	}
	p.tab = b.take(tb, p.onEvent)
	limit := deadline
	if _, ok := tb.(*testing.B); ok {
		limit = time.Hour // a benchmark takes as long as it was asked to
	}
	ctx, cancel := context.WithTimeout(p.tab.ctx, limit)
	p.ctx = ctx
	tb.Cleanup(cancel)
	tb.Cleanup(p.finish)

	tree := command(p, cdppage.GetFrameTree, cdp.Empty{})
	p.frame = tree.FrameTree.Frame.ID
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
					p.tools = append(p.tools[:i:i], p.tools[i+1:]...)
					break
				}
			}
		}
	case *webmcp.EventToolResponded:
		p.answers[e.InvocationID] = e
	case *runtime.EventConsoleAPICalled:
		p.console = append(p.console, string(e.Type)+": "+consoleText(e.Args))
	case *runtime.EventExceptionThrown:
		text := exceptionText(e.ExceptionDetails)
		p.console = append(p.console, "exception: "+text)
		p.problems = append(p.problems, problem{e.ExceptionDetails.ExceptionID, text})
	case *runtime.EventExceptionRevoked:
		for i, problem := range p.problems {
			if problem.exception == e.ExceptionID {
				p.problems = append(p.problems[:i:i], p.problems[i+1:]...)
				break
			}
		}
	case *log.EventEntryAdded:
		text := fmt.Sprintf("%s: %s %s", e.Entry.Source, e.Entry.Text, e.Entry.URL)
		p.console = append(p.console, "browser "+string(e.Entry.Level)+": "+text)
		if e.Entry.Level == log.EntryLevelError {
			p.problems = append(p.problems, problem{text: text})
		}
	default:
		return
	}
	close(p.changed)
	p.changed = make(chan struct{})
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

// expectProblem allows one exception, rejection, violation or failed request
// whose text contains the given one, and makes the test fail if it never comes.
func (p *page) expectProblem(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.expected = append(p.expected, text)
}

// about says which case of a table comes next; a failure shows the last one.
func (p *page) about(format string, args ...any) {
	p.subject = fmt.Sprintf(format, args...)
}

// emulatePhone makes the tab that of a phone.
func (p *page) emulatePhone(width, height int64) {
	p.tb.Helper()
	p.altered = true
	require.NoError(p.tb, chromedp.Do(p.ctx, chromedp.EmulateViewport(width, height, chromedp.EmulateMobile, chromedp.EmulateTouch)))
}

// finish judges the page and keeps its traces if the test failed.
func (p *page) finish() {
	// The test may have used up its time; the traces still must be taken.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(p.ctx), 10*time.Second)
	defer cancel()
	// A rejection is reported when the task that caused it has ended.
	_, err := chromedp.Run(ctx, chromedp.Evaluate[bool](
		`new Promise(done => setTimeout(() => done(true)))`, chromedp.EvalAwaitPromise))
	if err != nil {
		p.tb.Errorf("the page does not answer any more: %v", err)
	}
	problems, missing := p.verdict()
	for _, text := range problems {
		p.tb.Errorf("the page caused: %s", text)
	}
	for _, text := range missing {
		p.tb.Errorf("the page never caused the expected: %s", text)
	}
	if p.tb.Failed() {
		if p.subject != "" {
			p.tb.Logf("the last case was: %s", p.subject)
		}
		p.keepTraces(ctx)
	}
	p.tab.giveBack(ctx, !p.tb.Failed() && !p.altered)
}

// verdict returns the problems nobody expected and the expected ones that did
// not come.
func (p *page) verdict() (problems, missing []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	seen := make([]bool, len(p.expected))
next:
	for _, problem := range p.problems {
		for i, text := range p.expected {
			if !seen[i] && strings.Contains(problem.text, text) {
				seen[i] = true
				continue next
			}
		}
		problems = append(problems, problem.text)
	}
	for i, text := range p.expected {
		if !seen[i] {
			missing = append(missing, text)
		}
	}
	return problems, missing
}

// keepTraces writes what a reader needs to understand a failure.
func (p *page) keepTraces(ctx context.Context) {
	dir, err := filepath.Abs(filepath.Join("artifacts", filepath.FromSlash(p.tb.Name())))
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	if err != nil {
		p.tb.Logf("no place for the traces of the failure: %v", err)
		return
	}
	p.mu.Lock()
	console := strings.Join(p.console, "\n") + "\n"
	p.mu.Unlock()
	if err := os.WriteFile(filepath.Join(dir, "console.log"), []byte(console), 0o644); err != nil {
		p.tb.Logf("console log: %v", err)
	}
	picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "screenshot.png"), picture, 0o644)
	}
	if err != nil {
		p.tb.Logf("screenshot: %v", err)
	}
	p.tb.Logf("screenshot and console log are in %s", dir)
}

// run calls a JavaScript function in the page, with arguments that become
// JSON, and returns what it returns or resolves to. A throw fails the test.
//
// The protocol evaluates it beside the page's CSP, so that tests can bring
// their own code to a page that forbids inline script.
func run[T any](p *page, function string, args ...any) T {
	p.tb.Helper()
	result, err := tryRun[T](p, function, args...)
	require.NoError(p.tb, err, "in the page: %s", function)
	return result
}

func tryRun[T any](p *page, function string, args ...any) (T, error) {
	var result T
	list := make([]string, len(args))
	for i, arg := range args {
		text, err := json.Marshal(arg)
		if err != nil {
			return result, err
		}
		list[i] = string(text)
	}
	call := "(" + function + "\n)(" + strings.Join(list, ", ") + ")"
	answer, err := chromedp.Call(p.ctx, runtime.Evaluate, runtime.EvaluateParams{
		Expression:    call,
		AwaitPromise:  new(true),
		ReturnByValue: new(true),
	})
	if err != nil {
		return result, err
	}
	if answer.ExceptionDetails != nil {
		return result, fmt.Errorf("%s", exceptionText(answer.ExceptionDetails))
	}
	if _, ok := any(result).(nothing); ok || len(answer.Result.Value) == 0 {
		return result, nil
	}
	return result, json.Unmarshal(answer.Result.Value, &result)
}

// nothing is the result of a page function that returns none.
type nothing struct{}

// do runs a JavaScript function in the page for its effects.
func (p *page) do(function string, args ...any) {
	p.tb.Helper()
	run[nothing](p, function, args...)
}

// waitFor polls a JavaScript expression, once a frame, until it is truthy.
func (p *page) waitFor(expression string) {
	p.tb.Helper()
	_, err := tryRun[nothing](p, fmt.Sprintf(`async () => {
		while (!(%s)) await new Promise(next => { requestAnimationFrame(next); setTimeout(next, 100) });
	}`, expression))
	require.NoError(p.tb, err, "waited for: %s", expression)
}

// consoleLines returns the lines written to the console so far, each with its
// kind before it ("log: ...", "exception: ...").
func (p *page) consoleLines() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.console...)
}

func consoleText(args []*runtime.RemoteObject) string {
	parts := make([]string, len(args))
	for i, arg := range args {
		var text string
		switch {
		case json.Unmarshal(arg.Value, &text) == nil:
			parts[i] = text
		case arg.Description != "":
			parts[i] = arg.Description
		default:
			parts[i] = string(arg.Value)
		}
	}
	return strings.Join(parts, " ")
}

func exceptionText(details *runtime.ExceptionDetails) string {
	if details.Exception == nil {
		return details.Text
	}
	return details.Text + " " + consoleText([]*runtime.RemoteObject{details.Exception})
}

// forgive allows any number of problems whose text contains the given one.
func (p *page) forgive(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.problems = slices.DeleteFunc(p.problems, func(problem problem) bool { return strings.Contains(problem.text, text) })
}

// rawJSON is an argument that is JSON text already.
type rawJSON string

func (r rawJSON) MarshalJSON() ([]byte, error) { return []byte(r), nil }
