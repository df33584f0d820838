package e2e

import (
	"context"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/webmcp"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// tab is one window of a browser. Opening one costs more than most tests do, so
// a test that passed leaves its tab to another one, with an empty document. The
// tab of a test that failed is closed: nobody knows what state it is in.
type tab struct {
	browser *browser
	ctx     context.Context
	close   context.CancelFunc

	mu      sync.Mutex
	onEvent func(event any) // of the page that has the tab; nil between two of them
}

// tabs bounds how many pages are open at once: a page is a process, and more of
// them than cores only makes each of them slow.
var tabs = make(chan struct{}, 3)

// take returns a tab with an empty document, whose events onEvent sees from now
// on, in order.
func (b *browser) take(tb testing.TB, onEvent func(event any)) *tab {
	tb.Helper()
	tabs <- struct{}{}
	select {
	case t := <-b.idle:
		t.listen(onEvent)
		return t
	default:
	}
	t := &tab{browser: b}
	t.listen(onEvent)
	t.ctx, t.close = chromedp.NewContext(b.ctx, chromedp.WithListener(t.dispatch))
	err := t.open()
	if err != nil {
		t.discard()
	}
	require.NoError(tb, err, "open a tab")
	return t
}

func (t *tab) open() error {
	// The first action on a tab must not carry a deadline: the tab would end
	// with it.
	if err := chromedp.Do(t.ctx); err != nil {
		return err
	}
	focus := emulation.SetFocusEmulationEnabledParams{Enabled: true}
	if _, err := chromedp.Call(t.ctx, emulation.SetFocusEmulationEnabled, focus); err != nil {
		return err
	}
	if !t.browser.webMCP {
		return nil
	}
	_, err := chromedp.Call(t.ctx, webmcp.Enable, cdp.Empty{})
	return err
}

// giveBack ends a page's use of the tab.
func (t *tab) giveBack(ctx context.Context, reusable bool) {
	t.listen(nil)
	if !reusable || chromedp.Do(ctx, chromedp.Navigate("about:blank")) != nil {
		t.discard()
		return
	}
	select {
	case t.browser.idle <- t:
		<-tabs
	default:
		t.discard()
	}
}

func (t *tab) discard() {
	t.close()
	<-tabs
}

func (t *tab) listen(onEvent func(event any)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.onEvent = onEvent
}

// dispatch runs in chromedp's loop.
func (t *tab) dispatch(event any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.onEvent != nil {
		t.onEvent(event)
	}
}
