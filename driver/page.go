package driver

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/cdproto/webmcp"
	"github.com/chromedp/chromedp"

	cdppage "github.com/chromedp/cdproto/page"
)

// Page is a tab: its documents, one after the other, and what happens in them.
type Page struct {
	webMCP bool
	main   *session
	close  func()

	mu       sync.Mutex
	changed  chan struct{} // closed and replaced when anything below changed
	sessions map[target.ID]*session
	frames   map[cdp.FrameID]*Frame
	gone     error // why there is no tab any more

	tools    []Tool
	calls    map[string]*Invocation // under way, by their ids
	running  map[string]Tool        // what calls call, those of other agents too
	starting int                    // calls that have no id yet
	early    map[string][]Event     // of calls that may be ours, before their ids
	watchers map[*watcher]struct{}

	console  []string
	problems []Problem

	// what Reset has to undo
	origins map[string]bool // whose documents were there
	scripts []cdppage.ScriptIdentifier
	spoilt  bool // more happened than Reset can undo
}

// session is a connection to one process of the page: that of its main frame, or
// of a frame of another site.
type session struct {
	ctx   context.Context // of chromedp
	close func()
	t     *chromedp.Target

	alive context.Context // until the process has crashed: it answers nothing any more
	crash context.CancelCauseFunc
}

func newSession() *session {
	s := new(session)
	s.alive, s.crash = context.WithCancelCause(context.Background())
	return s
}

var errCrashed = errors.New("the page has crashed")

func newPage(webMCP bool) *Page {
	return &Page{
		webMCP:   webMCP,
		changed:  make(chan struct{}),
		sessions: map[target.ID]*session{},
		frames:   map[cdp.FrameID]*Frame{},
		calls:    map[string]*Invocation{},
		running:  map[string]Tool{},
		early:    map[string][]Event{},
		watchers: map[*watcher]struct{}{},
		origins:  map[string]bool{},
	}
}

// listen returns what chromedp calls for each event of a session, in order. It
// must be ready before the session is.
func (p *Page) listen() func(event any) {
	s := newSession()
	if p.main == nil {
		p.main = s
	}
	return func(event any) { p.onEvent(s, event) }
}

// start connects the main session.
func (p *Page) start(ctx context.Context, tab context.Context, closeTab func()) error {
	p.close = closeTab
	if err := p.connect(ctx, p.main, tab, closeTab); err != nil {
		closeTab()
		return err
	}
	context.AfterFunc(tab, func() { p.end(errors.New("the tab was closed")) })
	tree, err := call(ctx, p.main, cdppage.GetFrameTree, cdp.Empty{})
	if err != nil {
		closeTab()
		return err
	}
	p.mu.Lock()
	p.addFrames(p.main, tree.FrameTree)
	p.mu.Unlock()
	return nil
}

// connect makes a session of a context that no action has run on yet.
func (p *Page) connect(ctx context.Context, s *session, tab context.Context, closeTab func()) error {
	s.ctx, s.close = tab, closeTab
	// The first action must not carry a deadline: the tab would end with it.
	ready := make(chan error, 1)
	go func() { ready <- chromedp.Do(tab) }()
	select {
	case err := <-ready:
		if err != nil {
			return err
		}
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	p.change(func() {
		s.t = chromedp.FromContext(tab).Target
		p.sessions[s.t.TargetID] = s
	})
	if !p.webMCP {
		return nil
	}
	_, err := call(ctx, s, webmcp.Enable, cdp.Empty{})
	return err
}

// Close closes the tab, or leaves it to whoever opened it if it was attached to.
// Calls that are under way end with ErrLeft.
func (p *Page) Close() {
	p.mu.Lock()
	sessions := make([]*session, 0, len(p.sessions))
	for _, s := range p.sessions {
		if s != p.main {
			sessions = append(sessions, s)
		}
	}
	p.mu.Unlock()
	for _, s := range sessions {
		s.close()
	}
	p.close()
	p.end(errors.New("the tab was closed"))
}

// Context returns the chromedp context of the tab, for what this package does
// not do. Do not close the tab by it.
func (p *Page) Context() context.Context { return p.main.ctx }

// Open navigates to an address and waits for the load event.
func (p *Page) Open(ctx context.Context, url string) error {
	run, cancel := p.main.during(ctx)
	defer cancel()
	if err := chromedp.Do(run, chromedp.Navigate(url)); err != nil {
		return fmt.Errorf("open %s: %w", url, cause(run, err))
	}
	return nil
}

// call sends a command of the protocol. It ends with ctx, and with the process, too.
func call[P, R any](ctx context.Context, s *session, command cdp.Command[P, R], params P) (R, error) {
	run, cancel := s.during(ctx)
	defer cancel()
	result, err := cdp.Call(run, s.t, command, params)
	return result, cause(run, err)
}

// during returns a context of the session that ends with ctx, and with the
// process, too.
func (s *session) during(ctx context.Context) (context.Context, func()) {
	run, cancel := context.WithCancelCause(s.ctx)
	stop := context.AfterFunc(ctx, func() { cancel(context.Cause(ctx)) })
	forget := context.AfterFunc(s.alive, func() { cancel(context.Cause(s.alive)) })
	return run, func() {
		stop()
		forget()
		cancel(nil)
	}
}

// cause returns why a context of during has ended, when that is why something
// failed.
func cause(run context.Context, err error) error {
	if err != nil && run.Err() != nil {
		return context.Cause(run)
	}
	return err
}

// change does something to the record and wakes who waits for it.
func (p *Page) change(do func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	do()
	close(p.changed)
	p.changed = make(chan struct{})
}

// await blocks until done is true. done is called with the record locked, now
// and whenever something in it has changed.
func (p *Page) await(ctx context.Context, done func() bool) error {
	for {
		p.mu.Lock()
		ok, changed, gone := done(), p.changed, p.gone
		p.mu.Unlock()
		switch {
		case ok:
			return nil
		case gone != nil:
			return gone
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// ended returns why there is no tab any more, or nil.
func (p *Page) ended() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.gone
}

// at adds to a text where the page is.
func (p *Page) at(text string) string { return text + "; the page is at " + p.MainFrame().URL() }

// end takes note that there is no tab any more.
func (p *Page) end(why error) {
	p.change(func() {
		if p.gone == nil {
			p.gone = why
		}
		for _, i := range p.calls {
			p.lose(i, why)
		}
		for w := range p.watchers {
			w.ended = true
		}
	})
}

// attachFrame connects to the process of a frame of another site.
func (p *Page) attachFrame(id target.ID) {
	p.mu.Lock()
	known := p.sessions[id] != nil
	p.mu.Unlock()
	if known {
		return
	}
	s := newSession()
	tab, leave := chromedp.NewContext(p.main.ctx, chromedp.WithTargetID(id), chromedp.WithDetachOnCancel(),
		chromedp.WithListener(func(event any) { p.onEvent(s, event) }))
	if err := p.connect(p.main.ctx, s, tab, leave); err != nil {
		leave() // it has gone already, mostly
		return
	}
	tree, err := call(p.main.ctx, s, cdppage.GetFrameTree, cdp.Empty{})
	if err != nil {
		return
	}
	p.change(func() { p.addFrames(s, tree.FrameTree) })
}

// endSession ends the session of a frame's own process, if the frame has one
// that it does not need any more.
func (p *Page) endSession(f *Frame) {
	id := target.ID(f.id)
	if s := p.sessions[id]; s != nil && s != p.main && s == f.s {
		delete(p.sessions, id)
		go s.close()
	}
}
