package driver

import (
	"context"
	"fmt"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	cdppage "github.com/chromedp/cdproto/page"
)

// Media makes the page believe that its reader prefers this, for instance
// "prefers-color-scheme": "dark" or "forced-colors": "active", and waits until
// all transitions have ended. It replaces what was set before.
func (p *Page) Media(ctx context.Context, features map[string]string) error {
	var list []*emulation.MediaFeature
	condition := "true"
	for name, value := range features {
		list = append(list, &emulation.MediaFeature{Name: name, Value: value})
		condition += fmt.Sprintf(" && matchMedia('(%s: %s)').matches", name, value)
	}
	if _, err := call(ctx, p.main, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: list}); err != nil {
		return fmt.Errorf("set %v: %w", features, err)
	}
	return Await(ctx, p, condition+" && document.getAnimations().every(a => !Number.isFinite(a.effect?.getComputedTiming().endTime))")
}

// ColorScheme makes the page believe that its reader prefers "light" or "dark".
// See Media.
func (p *Page) ColorScheme(ctx context.Context, scheme string) error {
	return p.Media(ctx, map[string]string{"prefers-color-scheme": scheme})
}

// Viewport sets the size of the page in CSS pixels.
func (p *Page) Viewport(ctx context.Context, width, height int) error {
	return p.viewport(ctx, chromedp.EmulateViewport(int64(width), int64(height)))
}

// Phone makes the tab that of a phone: this size in CSS pixels, a finger instead
// of a mouse, and the viewport that the page asks for.
func (p *Page) Phone(ctx context.Context, width, height int) error {
	return p.viewport(ctx, chromedp.EmulateViewport(int64(width), int64(height), chromedp.EmulateMobile, chromedp.EmulateTouch))
}

func (p *Page) viewport(ctx context.Context, action chromedp.Action[chromedp.Void]) error {
	run, cancel := p.main.during(ctx)
	defer cancel()
	if err := chromedp.Do(run, action); err != nil {
		return fmt.Errorf("set the size of the page: %w", cause(run, err))
	}
	return nil
}

// Screenshot returns a picture of what the page shows, as PNG.
func (p *Page) Screenshot(ctx context.Context) ([]byte, error) {
	run, cancel := p.main.during(ctx)
	defer cancel()
	picture, err := chromedp.Run(run, chromedp.CaptureScreenshot())
	if err != nil {
		return nil, fmt.Errorf("take a picture of the page: %w", cause(run, err))
	}
	return picture, nil
}

// OnNewDocument runs a script in every document of the page from now on, before
// the document's own scripts.
func (p *Page) OnNewDocument(ctx context.Context, script string) error {
	added, err := call(ctx, p.main, cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: script})
	if err != nil {
		return fmt.Errorf("add a script to documents: %w", err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.scripts = append(p.scripts, added.Identifier)
	return nil
}

// Call sends a command of the DevTools protocol to the page's main session, for
// what this package does not do.
func Call[P, R any](ctx context.Context, p *Page, command cdp.Command[P, R], params P) (R, error) {
	result, err := call(ctx, p.main, command, params)
	if err != nil {
		return result, fmt.Errorf("%s: %w", command.Method, err)
	}
	return result, nil
}
