package driver

import (
	"context"
	"errors"
	"fmt"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/storage"

	cdppage "github.com/chromedp/cdproto/page"
)

// Reset makes the page as good as a new one, in a tenth of the time: an empty
// document, nothing stored, nothing emulated, no problems. It cannot undo what
// was done by way of Context or Call, nor close windows that the page has opened:
// an error means that the page is best closed.
func (p *Page) Reset(ctx context.Context) error {
	if err := p.reset(ctx); err != nil {
		return fmt.Errorf("reset the page: %w", err)
	}
	return nil
}

func (p *Page) reset(ctx context.Context) error {
	if err := p.Open(ctx, "about:blank"); err != nil {
		return err
	}
	p.mu.Lock()
	spoilt, origins, scripts := p.spoilt, p.origins, p.scripts
	p.origins, p.scripts = map[string]bool{}, nil
	p.mu.Unlock()
	if spoilt {
		return errors.New("it has opened windows")
	}
	for origin := range origins {
		if _, err := call(ctx, p.main, storage.ClearDataForOrigin, storage.ClearDataForOriginParams{Origin: origin, StorageTypes: "all"}); err != nil {
			return err
		}
	}
	for _, script := range scripts {
		if _, err := call(ctx, p.main, cdppage.RemoveScriptToEvaluateOnNewDocument, cdppage.RemoveScriptToEvaluateOnNewDocumentParams{Identifier: script}); err != nil {
			return err
		}
	}
	for _, undo := range []func() error{
		undoing(ctx, p, network.ClearBrowserCookies),
		undoing(ctx, p, network.ClearBrowserCache),
		undoing(ctx, p, emulation.ClearDeviceMetricsOverride),
		func() error {
			_, err := call(ctx, p.main, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{})
			return err
		},
		func() error {
			_, err := call(ctx, p.main, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{})
			return err
		},
	} {
		if err := undo(); err != nil {
			return err
		}
	}
	// What was caused until now belongs to the past.
	if _, err := Eval[struct{}](ctx, p, "() => new Promise(done => setTimeout(done))"); err != nil {
		return err
	}
	p.change(func() { p.problems, p.console = nil, nil })
	return nil
}

func undoing(ctx context.Context, p *Page, command cdp.Command[cdp.Empty, cdp.Empty]) func() error {
	return func() error {
		_, err := call(ctx, p.main, command, cdp.Empty{})
		return err
	}
}
