package driver

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strings"

	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/cdproto/webmcp"

	cdppage "github.com/chromedp/cdproto/page"
)

// EventKind says what an Event tells.
type EventKind string

// What happens to tools.
const (
	ToolAdded   EventKind = "added"     // Tool can be called from now on
	ToolRemoved EventKind = "removed"   // Tool cannot be called any more
	Invoked     EventKind = "invoked"   // a call has reached the page
	Responded   EventKind = "responded" // a call has ended
)

// Event is something that happened to a tool or a call, whoever has made the
// call.
type Event struct {
	Kind   EventKind
	Tool   Tool            // of Invoked and Responded it may be the name alone
	CallID string          // of Invoked and Responded: that of Invocation.ID
	Input  json.RawMessage // of Invoked: what the tool gets
	Result *Result         // of Responded: what the tool said; nil when it failed
	Err    error           // of Responded: why there is no Result
}

// watcher hands events to one reader.
type watcher struct {
	queue []Event
	ended bool
}

// Events returns what happens to the page's tools from this call on, in order,
// until ctx ends or the tab is closed. It can be ranged over once.
func (p *Page) Events(ctx context.Context) iter.Seq[Event] {
	w := new(watcher)
	p.mu.Lock()
	w.ended = p.gone != nil
	p.watchers[w] = struct{}{}
	p.mu.Unlock()
	stop := func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.watchers, w)
	}
	context.AfterFunc(ctx, stop)
	return func(yield func(Event) bool) {
		defer stop()
		for {
			var next Event
			var some bool
			_ = p.await(ctx, func() bool { // an error is the end, and no event
				if some = len(w.queue) > 0; some {
					next, w.queue = w.queue[0], w.queue[1:]
				}
				return some || w.ended
			})
			if !some || !yield(next) {
				return
			}
		}
	}
}

// tell hands an event to all who watch.
func (p *Page) tell(e Event) {
	for w := range p.watchers {
		w.queue = append(w.queue, e)
	}
	if call := p.calls[e.CallID]; call != nil {
		call.events = append(call.events, e)
	}
}

// onEvent sees the events of a session in order. It runs in chromedp's loop, and
// so must not wait for an answer of the browser.
func (p *Page) onEvent(s *session, event any) {
	switch e := event.(type) {
	case *webmcp.EventToolsAdded:
		p.change(func() { p.toolsAdded(s, e.Tools) })
	case *webmcp.EventToolsRemoved:
		p.change(func() { p.toolsRemoved(s, e.Tools) })
	case *webmcp.EventToolInvoked:
		p.change(func() { p.invoked(s, e) })
	case *webmcp.EventToolResponded:
		p.change(func() { p.responded(e) })

	case *cdppage.EventFrameAttached:
		p.change(func() { p.frame(s, e.FrameID).parent = e.ParentFrameID })
	case *cdppage.EventFrameNavigated:
		p.change(func() { p.navigated(s, e.Frame) })
	case *cdppage.EventNavigatedWithinDocument:
		p.change(func() { p.frame(s, e.FrameID).url, _, _ = strings.Cut(e.URL, "#") })
	case *cdppage.EventFrameDetached:
		p.change(func() { p.frameDetached(s, e) })
	case *runtime.EventExecutionContextCreated:
		p.change(func() { p.inContext(s, e.Context) })
	case *runtime.EventExecutionContextDestroyed:
		p.change(func() { p.leaveContexts(s, e.ExecutionContextUniqueID) })
	case *runtime.EventExecutionContextsCleared:
		p.change(func() { p.leaveContexts(s, "") })
	case *target.EventAttachedToTarget:
		if e.TargetInfo.Type == "iframe" {
			go p.attachFrame(e.TargetInfo.TargetID)
		}
	case *inspector.EventTargetCrashed:
		p.change(func() { p.crashed(s) })

	case *runtime.EventConsoleAPICalled:
		p.change(func() { p.logged(string(e.Type), textOf(e.Args...)) })
	case *runtime.EventExceptionThrown:
		p.change(func() { p.threw(s, e.ExceptionDetails) })
	case *runtime.EventExceptionRevoked:
		p.change(func() { p.revoked(s, e.ExceptionID) })
	case *log.EventEntryAdded:
		p.change(func() { p.reported(e.Entry) })
	case *cdppage.EventWindowOpen:
		p.change(func() { p.spoilt = true })
	case *cdppage.EventJavascriptDialogOpening:
		p.change(func() { p.logged("dialog", e.Message) })
		go p.answerDialog(s, e.Type)
	}
}

// frameDetached takes note that a frame has left the page, or that its document
// now lives in another process, whose session tells of it from now on.
func (p *Page) frameDetached(s *session, e *cdppage.EventFrameDetached) {
	f := p.frames[e.FrameID]
	switch {
	case f == nil:
	case e.Reason != cdppage.FrameDetachedReasonSwap:
		p.dropFrame(f)
	case f.s == s:
		f.context = ""
		p.leave(f)
	}
}

// leaveContexts takes note that scripts cannot run any more in a context of the
// session, or in any for "".
func (p *Page) leaveContexts(s *session, id string) {
	for _, f := range p.frames {
		if f.s == s && (id == "" || f.context == id) {
			f.context = ""
		}
	}
}

// crashed takes note that a process of the page has died.
func (p *Page) crashed(s *session) {
	p.addProblem(Problem{Kind: Crash, Text: "a process of the page has crashed"})
	for _, f := range p.frames {
		if f.s == s {
			f.context = ""
			p.leave(f)
		}
	}
	if s == p.main {
		p.gone = errCrashed
	}
	s.crash(errCrashed)
}

// answerDialog keeps a dialog of JavaScript from stopping the page for ever, as
// nobody sits in front of it: questions are declined, and leaving the page is
// allowed.
func (p *Page) answerDialog(s *session, kind cdppage.DialogType) {
	accept := kind == cdppage.DialogTypeBeforeunload || kind == cdppage.DialogTypeAlert
	// It fails when the tab or the dialog has gone, and then there is nothing to
	// answer.
	_, _ = call(s.ctx, s, cdppage.HandleJavaScriptDialog, cdppage.HandleJavaScriptDialogParams{Accept: accept})
}

// ProblemKind says where a Problem comes from.
type ProblemKind string

// What a page should not cause.
const (
	Exception    ProblemKind = "exception"     // uncaught, or an unhandled rejection
	Reported     ProblemKind = "reported"      // by the browser: a violation of the Content-Security-Policy, a failed request, ...
	ConsoleError ProblemKind = "console.error" // by the page itself
	Crash        ProblemKind = "crash"
)

// Problem is something that a page should not cause.
type Problem struct {
	Kind ProblemKind
	Text string

	s         *session
	exception int64 // id of the exception, which Chrome may revoke; 0 for others
}

func (p Problem) String() string { return p.Text }

// What is kept of a page that complains without end.
const (
	maxProblems = 1000
	maxLines    = 10_000
)

// Problems returns what the page has caused so far, in order; after 1,000 no
// further one is kept. A rejection that was handled after all is not among them.
func (p *Page) Problems() []Problem {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]Problem(nil), p.problems...)
}

// TakeProblems returns those problems that take accepts, and forgets them.
func (p *Page) TakeProblems(take func(Problem) bool) []Problem {
	p.mu.Lock()
	defer p.mu.Unlock()
	var taken, kept []Problem
	for _, problem := range p.problems {
		if take(problem) {
			taken = append(taken, problem)
		} else {
			kept = append(kept, problem)
		}
	}
	p.problems = kept
	return taken
}

// Console returns the lines that were written to the console so far, each with
// its kind before it ("log: ...", "error: ...", "exception: ..."); of very many
// the last 10,000.
func (p *Page) Console() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.console...)
}

// AwaitRecord waits until done is true of the page's problems and console lines,
// now or when one is added or taken back. what says what is waited for.
func (p *Page) AwaitRecord(ctx context.Context, what string, done func(problems []Problem, console []string) bool) error {
	var problems []Problem
	var console []string
	err := p.await(ctx, func() bool {
		problems, console = p.problems, p.console
		return done(problems, console)
	})
	if err != nil {
		return waited(what, err, p.at(fmt.Sprintf("the problems are %q, and the console says %q", problems, console)))
	}
	return nil
}

func (p *Page) addProblem(problem Problem) {
	if len(p.problems) < maxProblems {
		p.problems = append(p.problems, problem)
	}
}

func (p *Page) logged(kind, text string) {
	if len(p.console) == maxLines {
		p.console = append([]string(nil), p.console[maxLines/2:]...)
	}
	p.console = append(p.console, kind+": "+text)
	if kind == string(runtime.ConsoleAPICalledTypeError) {
		p.addProblem(Problem{Kind: ConsoleError, Text: "console.error: " + text})
	}
}

func (p *Page) threw(s *session, details *runtime.ExceptionDetails) {
	text := exceptionText(details)
	p.logged("exception", text)
	p.addProblem(Problem{Kind: Exception, Text: text, s: s, exception: details.ExceptionID})
}

func (p *Page) revoked(s *session, id int64) {
	for i, problem := range p.problems {
		if problem.s == s && problem.exception == id {
			p.problems = append(p.problems[:i:i], p.problems[i+1:]...)
			return
		}
	}
}

func (p *Page) reported(entry *log.Entry) {
	text := fmt.Sprintf("%s: %s %s", entry.Source, entry.Text, entry.URL)
	p.logged("browser "+string(entry.Level), text)
	// That there is no icon for the tab is the browser's own wish, not the page's.
	if entry.Level == log.EntryLevelError && !strings.HasSuffix(entry.URL, "/favicon.ico") {
		p.addProblem(Problem{Kind: Reported, Text: text})
	}
}

// textOf is what the console shows of values.
func textOf(values ...*runtime.RemoteObject) string {
	var text string
	for i, value := range values {
		if i > 0 {
			text += " "
		}
		var s string
		switch {
		case json.Unmarshal(value.Value, &s) == nil:
			text += s
		case value.Description != "":
			text += value.Description
		case value.UnserializableValue != "":
			text += string(value.UnserializableValue)
		case len(value.Value) > 0:
			text += string(value.Value)
		default:
			text += string(value.Type)
		}
	}
	return text
}

func exceptionText(details *runtime.ExceptionDetails) string {
	if details.Exception == nil {
		return details.Text
	}
	return details.Text + " " + textOf(details.Exception)
}
