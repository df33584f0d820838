package webmcptest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/webmcp-wasm/webmcp/driver"
)

// Options say what a page of a test needs. The zero Options are a headless
// browser with WebMCP.
type Options struct {
	// Browser says which browser to start, unless such a one runs already.
	Browser driver.Options
	// Timeout is how long a step may take; 0 is one minute, and an hour in a
	// benchmark. It only decides how long a test takes that fails.
	Timeout time.Duration
	// ConsoleErrors makes a problem of each console.error, by which frameworks
	// report mistakes.
	ConsoleErrors bool
	// Artifacts is the directory for what failed tests leave; "" is "artifacts",
	// in the directory of the package that is tested.
	Artifacts string
}

// Page is a tab in the hands of a test. Its methods fail the test: call them
// from the test's own goroutine.
type Page struct {
	tb      testing.TB
	root    document
	timeout time.Duration
	*shared
}

// document is where scripts run and elements are found.
type document interface {
	driver.Document
	driver.Root
}

// shared is what all views of a tab have in common.
type shared struct {
	page    *driver.Page
	options Options

	mu       sync.Mutex
	expected []expectation
	subject  string
	altered  bool // in ways that only the test knows
}

// Open opens a page at an address, with the zero Options.
func Open(tb testing.TB, url string) *Page {
	tb.Helper()
	p := New(tb, Options{})
	p.Open(url)
	return p
}

// New opens an empty page, and closes it when the test ends.
func New(tb testing.TB, o Options) *Page {
	tb.Helper()
	if o.Timeout == 0 {
		o.Timeout = time.Minute
		if _, ok := tb.(*testing.B); ok {
			o.Timeout = time.Hour
		}
	}
	if o.Artifacts == "" {
		o.Artifacts = "artifacts"
	}
	b, err := take(o.Browser)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(b.leave)
	ctx, cancel := context.WithTimeout(context.Background(), o.Timeout)
	defer cancel()
	page, err := b.newPage(ctx)
	if err != nil {
		tb.Fatal(err)
	}
	p := &Page{tb, page, o.Timeout, &shared{page: page, options: o}}
	tb.Cleanup(func() { b.giveBack(page, !p.altered && !tb.Failed()) })
	tb.Cleanup(p.finish)
	return p
}

// For returns the same page for a subtest, which then fails instead of its
// parent.
func (p *Page) For(tb testing.TB) *Page { return &Page{tb, p.root, p.timeout, p.shared} }

// Within returns the same page with another Options.Timeout.
func (p *Page) Within(timeout time.Duration) *Page {
	return &Page{p.tb, p.root, timeout, p.shared}
}

// Frame waits until exactly one iframe has the name, or an address that contains
// the text, and returns the page with that frame's document in the place of the
// main one: for scripts, and for finding elements.
func (p *Page) Frame(nameOrURL string) *Page {
	p.tb.Helper()
	return &Page{p.tb, step1(p, nameOrURL, p.page.Frame), p.timeout, p.shared}
}

// Driver returns what does the work, for what this package does not do.
func (p *Page) Driver() *driver.Page {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.altered = true
	return p.page
}

// Step returns a context for one step with Driver, which ends as the steps of
// this package do.
func (p *Page) Step() (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(context.Background(), p.timeout, fmt.Errorf("%v have passed", p.timeout))
}

// About says which case of a table comes next; a failure shows the last one.
func (p *Page) About(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.subject = fmt.Sprintf(format, args...)
}

// Open navigates to an address and waits for the load event.
func (p *Page) Open(url string) {
	p.tb.Helper()
	p.try(func(ctx context.Context) error { return p.page.Open(ctx, url) })
}

// try takes a step that must succeed.
func (p *Page) try(step func(ctx context.Context) error) {
	p.tb.Helper()
	ctx, cancel := p.Step()
	defer cancel()
	if err := step(ctx); err != nil {
		p.tb.Fatal(err)
	}
}

// step takes a step that must return something.
func step[T any](p *Page, step func(ctx context.Context) (T, error)) (value T) {
	p.tb.Helper()
	p.try(func(ctx context.Context) (err error) {
		value, err = step(ctx)
		return err
	})
	return value
}

func step1[A, T any](p *Page, a A, do func(context.Context, A) (T, error)) T {
	p.tb.Helper()
	return step(p, func(ctx context.Context) (T, error) { return do(ctx, a) })
}

// Eval calls a JavaScript function in the page, with arguments that become JSON,
// and returns what it returns or resolves to; undefined is T's zero value. A
// throw fails the test. It is not subject to the page's Content-Security-Policy.
func Eval[T any](p *Page, function string, args ...any) T {
	p.tb.Helper()
	return step(p, func(ctx context.Context) (T, error) {
		value, err := driver.Eval[T](ctx, p.root, function, args...)
		if err != nil {
			err = fmt.Errorf("%w\nin the page, by %s", err, function)
		}
		return value, err
	})
}

// TryEval is Eval for what may fail.
func TryEval[T any](p *Page, function string, args ...any) (T, error) {
	ctx, cancel := p.Step()
	defer cancel()
	return driver.Eval[T](ctx, p.root, function, args...)
}

// Do runs a JavaScript function in the page for its effects. See Eval.
func (p *Page) Do(function string, args ...any) {
	p.tb.Helper()
	Eval[struct{}](p, function, args...)
}

// WaitFor looks at a JavaScript expression, once a frame, until it is truthy,
// also across navigations. When it waits in vain, the failure shows what the
// further expressions are then.
func (p *Page) WaitFor(expression string, clues ...string) {
	p.tb.Helper()
	p.try(func(ctx context.Context) error { return driver.Await(ctx, p.root, expression, clues...) })
}

// finish judges the page, and keeps its traces if the test has failed.
func (p *Page) finish() {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := p.settle(ctx); err != nil {
		p.tb.Errorf("the page does not answer any more: %v", err)
	}
	p.judge()
	if !p.tb.Failed() {
		return
	}
	p.mu.Lock()
	subject := p.subject
	p.mu.Unlock()
	if subject != "" {
		p.tb.Logf("the last case was: %s", subject)
	}
	if dir, err := p.keepTraces(ctx); err != nil {
		p.tb.Logf("the traces of the failure are not complete: %v", err)
	} else {
		p.tb.Logf("screenshot and console are in %s", dir)
	}
}

// settle waits until what the page has caused was reported: that is when the
// task that caused it has ended. A page that is being left meanwhile is asked again.
func (p *Page) settle(ctx context.Context) (err error) {
	for range 3 {
		if _, err = driver.Eval[struct{}](ctx, p.page, `() => new Promise(done => setTimeout(done))`); err == nil {
			break
		}
	}
	return err
}

// keepTraces writes what a reader needs to understand a failure.
func (p *Page) keepTraces(ctx context.Context) (dir string, err error) {
	dir, err = filepath.Abs(filepath.Join(p.options.Artifacts, fileName(p.tb.Name())))
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	console := strings.Join(p.page.Console(), "\n") + "\n"
	if err := os.WriteFile(filepath.Join(dir, "console.log"), []byte(console), 0o644); err != nil {
		return "", err
	}
	picture, err := p.page.Screenshot(ctx)
	if err != nil {
		return "", err
	}
	return dir, os.WriteFile(filepath.Join(dir, "screenshot.png"), picture, 0o644)
}

// fileName turns the name of a test into a path that every system takes.
func fileName(test string) string {
	return filepath.FromSlash(strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', strings.ContainsRune("/-_=,", r):
			return r
		}
		return '_'
	}, test))
}
