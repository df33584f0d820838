// Package pagetest opens pages in a real Chromium, with WebMCP switched on, for
// tests of what a page shows.
//
// A test fails when its page causes an uncaught exception, an unhandled
// rejection, a violation of its Content-Security-Policy or a failed request.
// The end-to-end tests of the module itself have a harness of their own, in
// package e2e, which also plays the agent.
package pagetest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// patience bounds what one condition is waited for, and deadline all that
// happens in a page. They only decide how long a broken test takes to fail.
const (
	patience = 30 * time.Second
	deadline = 2 * time.Minute
)

// tabs bounds how many pages are open at once: a page is a process.
var tabs = make(chan struct{}, 2)

// Page is one tab in a browser context of its own. Its methods fail the test;
// call them from the test's goroutine.
type Page struct {
	tb testing.TB
	*tab
}

type tab struct {
	ctx context.Context

	// URL is the address of the server, without a slash at the end.
	URL string

	mu       sync.Mutex
	problems []string
}

// For returns the same page for a subtest, which then fails instead of its
// parent.
func (p *Page) For(tb testing.TB) *Page { return &Page{tb, p.tab} }

// Open serves handler on the loopback interface, for as long as the test takes,
// and opens a page of it.
func Open(tb testing.TB, handler http.Handler, path string) *Page {
	tb.Helper()
	parent, err := start()
	require.NoError(tb, err, "start the browser")
	tabs <- struct{}{}
	tb.Cleanup(func() { <-tabs })
	web := httptest.NewServer(handler)
	tb.Cleanup(web.Close)

	p := &Page{tb, &tab{URL: strings.Replace(web.URL, "127.0.0.1", "localhost", 1)}}
	target, closeTab := chromedp.NewContext(parent, chromedp.WithNewBrowserContext(), chromedp.WithListener(p.onEvent))
	tb.Cleanup(closeTab)
	// The first action on a tab must not carry a deadline: the tab would end
	// with it.
	require.NoError(tb, chromedp.Do(target), "open a tab")
	ctx, cancel := context.WithTimeout(target, deadline)
	p.ctx = ctx
	tb.Cleanup(cancel)
	tb.Cleanup(p.finish)
	_, err = chromedp.Call(ctx, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
	require.NoError(tb, err)
	require.NoError(tb, chromedp.Do(ctx, chromedp.Navigate(p.URL+path)), "open %s", path)
	return p
}

func (p *tab) onEvent(event any) {
	var problem string
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		problem = exceptionText(e.ExceptionDetails)
	case *log.EventEntryAdded:
		if e.Entry.Level != log.EntryLevelError {
			return
		}
		problem = fmt.Sprintf("%s: %s %s", e.Entry.Source, e.Entry.Text, e.Entry.URL)
	default:
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.problems = append(p.problems, problem)
}

// Problems returns what the page has caused, and forgets it: whoever takes the
// problems judges them.
func (p *Page) Problems() []string {
	p.tb.Helper()
	// Such things are reported when the task that caused them has ended.
	Run[struct{}](p, `() => new Promise(done => setTimeout(done))`)
	p.mu.Lock()
	defer p.mu.Unlock()
	problems := p.problems
	p.problems = nil
	return problems
}

func (p *Page) finish() {
	for _, problem := range p.Problems() {
		p.tb.Errorf("the page caused: %s", problem)
	}
}

// Run calls a JavaScript function in the page, with arguments that become JSON,
// and returns what it returns or resolves to; nothing into a struct{}. A throw
// fails the test. It is not subject to the page's Content-Security-Policy.
func Run[T any](p *Page, function string, args ...any) T {
	p.tb.Helper()
	list := make([]string, len(args))
	for i, arg := range args {
		text, err := json.Marshal(arg)
		require.NoError(p.tb, err)
		list[i] = string(text)
	}
	answer, err := chromedp.Call(p.ctx, runtime.Evaluate, runtime.EvaluateParams{
		Expression:    "(" + function + "\n)(" + strings.Join(list, ", ") + ")",
		AwaitPromise:  new(true),
		ReturnByValue: new(true),
	})
	require.NoError(p.tb, err, "in the page: %s", function)
	var result T
	if answer.ExceptionDetails != nil {
		require.FailNow(p.tb, "in the page", "%s\n%s", exceptionText(answer.ExceptionDetails), function)
	}
	if len(answer.Result.Value) > 0 {
		require.NoError(p.tb, json.Unmarshal(answer.Result.Value, &result))
	}
	return result
}

// WaitFor polls a JavaScript expression, once a frame, until it is truthy. When
// it has waited in vain, the failure shows what the further expressions are.
func (p *Page) WaitFor(expression string, clues ...string) {
	p.tb.Helper()
	waited := Run[bool](p, fmt.Sprintf(`async () => {
		const end = performance.now() + %d;
		while (!(%s)) {
			if (performance.now() > end) return false;
			await new Promise(next => { requestAnimationFrame(next); setTimeout(next, 100) });
		}
		return true;
	}`, patience.Milliseconds(), expression))
	if waited {
		return
	}
	for _, clue := range clues {
		p.tb.Logf("%s is %s", clue, Run[string](p, `() => String(`+clue+`)`))
	}
	require.FailNow(p.tb, "waited in vain", "for %s", expression)
}

// Click presses and releases the left mouse button at a place of the viewport,
// as a person does.
func (p *Page) Click(x, y float64) {
	p.tb.Helper()
	require.NoError(p.tb, chromedp.Do(p.ctx,
		chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x, y),
		chromedp.MouseClickXY(x, y),
	))
}

// Press sends keys to whatever has the focus; package chromedp/kb names those
// that are no characters.
func (p *Page) Press(keys string) {
	p.tb.Helper()
	require.NoError(p.tb, chromedp.Do(p.ctx, chromedp.KeyEvent(keys)))
}

// ColorScheme makes the page believe that its reader prefers light or dark, and
// waits until all colours have changed.
func (p *Page) ColorScheme(scheme string) {
	p.tb.Helper()
	_, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
	require.NoError(p.tb, err)
	p.WaitFor(`matchMedia('(prefers-color-scheme: ` + scheme + `)').matches && document.getAnimations().length === 0`)
}

func exceptionText(details *runtime.ExceptionDetails) string {
	if details.Exception == nil {
		return details.Text
	}
	text := details.Exception.Description
	if text == "" {
		text = string(details.Exception.Value)
	}
	return details.Text + " " + text
}
