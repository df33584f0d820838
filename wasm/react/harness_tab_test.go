package react

import (
	"context"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/webmcp"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// tabs holds the tabs that no test uses: nil stands for one that is not open
// yet. Their number bounds how many pages there are at once: a page is a
// process, and more of them than cores only makes each of them slow.
var tabs = func() chan *tab {
	tabs := make(chan *tab, 3)
	for range cap(tabs) {
		tabs <- nil
	}
	return tabs
}()

// tab is a tab in a browser context of its own, which one test after the other
// uses.
type tab struct {
	ctx   context.Context
	close context.CancelFunc

	mu   sync.Mutex
	page *page // what happens goes to its record
}

// takeTab waits for a tab that is free. The caller must give it back.
func takeTab(tb testing.TB, p *page) *tab {
	tb.Helper()
	t := <-tabs
	if t == nil {
		t = &tab{}
		t.ctx, t.close = chromedp.NewContext(browser.ctx, chromedp.WithNewBrowserContext(), chromedp.WithListener(t.onEvent))
		if err := t.prepare(); err != nil {
			t.giveBack(false)
			require.NoError(tb, err, "open a tab")
		}
	}
	t.use(p)
	return t
}

func (t *tab) prepare() error {
	// The first action on a tab must not carry a deadline: the tab would end
	// with it.
	if err := chromedp.Do(t.ctx); err != nil {
		return err
	}
	script := cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: observer}
	if _, err := chromedp.Call(t.ctx, cdppage.AddScriptToEvaluateOnNewDocument, script); err != nil {
		return err
	}
	_, err := chromedp.Call(t.ctx, webmcp.Enable, cdp.Empty{})
	return err
}

// giveBack lets another test have the tab, or a new one instead of it.
func (t *tab) giveBack(good bool) {
	t.use(nil)
	if good && chromedp.Do(t.ctx, chromedp.Navigate("about:blank")) == nil {
		tabs <- t
		return
	}
	t.close()
	tabs <- nil
}

func (t *tab) use(p *page) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.page = p
}

func (t *tab) onEvent(event any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.page != nil {
		t.page.onEvent(event)
	}
}
