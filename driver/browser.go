package driver

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// Options say how a browser is started. The zero Options are a headless browser
// with WebMCP.
type Options struct {
	// Path is the browser's executable; "" takes the one that FindBrowser finds.
	Path string
	// Visible shows the browser's windows.
	Visible bool
	// WithoutWebMCP starts a browser whose pages have no document.modelContext, as
	// most people have it.
	WithoutWebMCP bool
	// NoSandbox lets pages run without Chrome's sandbox. They do so anyway for
	// root, whom Chrome refuses otherwise, and where the system does not let
	// Chrome have one.
	NoSandbox bool
	// Width and Height are those of the windows in pixels; 0 is 1280 and 1000.
	Width, Height int
	// BackForwardCache keeps documents that were left, as people's browsers do.
	// Without it they are gone at once.
	BackForwardCache bool
	// Flags are further switches of the command line: "name" or "name=value".
	// Those that name features add to the features of this package.
	Flags []string
	// Output gets what the browser writes to its standard output and error; nil
	// drops it.
	Output io.Writer
}

// Browser is a running browser process.
type Browser struct {
	ctx    context.Context
	close  func()
	webMCP bool
}

// Start starts a browser with an empty profile. It runs until Close is called,
// whatever becomes of ctx, or until this process ends.
func Start(ctx context.Context, o Options) (*Browser, error) {
	if o.Path == "" {
		path, err := FindBrowser()
		if err != nil {
			return nil, err
		}
		o.Path = path
	}
	b, err := o.start(ctx)
	if err != nil && ctx.Err() == nil && !o.NoSandbox && strings.Contains(err.Error(), noSandbox) {
		o.NoSandbox = true
		b, err = o.start(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", o.Path, err)
	}
	return b, nil
}

// noSandbox is what Chrome says where the system does not let it have one, as
// recent Ubuntu does to a Chromium that no package has installed.
const noSandbox = "No usable sandbox"

func (o Options) start(ctx context.Context) (*Browser, error) {
	allocator, closeAllocator := chromedp.NewExecAllocator(context.WithoutCancel(ctx), o.allocator()...)
	browser, closeBrowser := chromedp.NewContext(allocator)
	b := &Browser{ctx: browser, webMCP: !o.WithoutWebMCP, close: func() {
		closeBrowser()
		closeAllocator()
	}}
	// chromedp binds the browser's life to the context of its first action, so
	// that one must not end with ctx.
	started := make(chan error, 1)
	go func() { started <- chromedp.Do(browser) }()
	select {
	case err := <-started:
		if err == nil {
			return b, nil
		}
		b.close()
		return nil, err
	case <-ctx.Done():
		b.close()
		return nil, context.Cause(ctx)
	}
}

// Close ends the browser and all of its pages, and returns when it is gone.
func (b *Browser) Close() { b.close() }

// Context returns the chromedp context of the browser, for what this package
// does not do.
func (b *Browser) Context() context.Context { return b.ctx }

// NewPage opens an empty tab in a profile of its own: no page shares cookies,
// storage or caches with another one. The tab stays open until it is closed,
// whatever becomes of ctx.
func (b *Browser) NewPage(ctx context.Context) (*Page, error) {
	p := newPage(b.webMCP)
	tab, closeTab := chromedp.NewContext(b.ctx,
		chromedp.WithNewBrowserContext(func(p *target.CreateBrowserContextParams) { p.DisposeOnDetach = new(true) }),
		chromedp.WithListener(p.listen()))
	if err := p.start(ctx, tab, closeTab); err != nil {
		return nil, fmt.Errorf("open a tab: %w", err)
	}
	// A page that is not in front must behave as the one that is.
	if _, err := call(ctx, p.main, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}); err != nil {
		p.Close()
		return nil, fmt.Errorf("open a tab: %w", err)
	}
	return p, nil
}

// Attach drives the tab of a chromedp context that the caller has, beside
// whatever else the caller does with it. Its browser must have been started with
// WebMCP for the agent's half to work. Closing the page leaves the tab open.
func Attach(ctx context.Context) (*Page, error) {
	c := chromedp.FromContext(ctx)
	if c == nil {
		return nil, fmt.Errorf("attach to a tab: the context is none of chromedp.NewContext")
	}
	if c.Target == nil { // no action has run yet
		if err := chromedp.Do(ctx); err != nil {
			return nil, fmt.Errorf("attach to a tab: %w", err)
		}
	}
	p := newPage(true)
	// A session of its own: it sees all events from now on, and those that are
	// replayed.
	tab, leave := chromedp.NewContext(ctx,
		chromedp.WithTargetID(c.Target.TargetID), chromedp.WithDetachOnCancel(), chromedp.WithListener(p.listen()))
	if err := p.start(ctx, tab, leave); err != nil {
		return nil, fmt.Errorf("attach to a tab: %w", err)
	}
	return p, nil
}

func (o Options) allocator() []chromedp.ExecAllocatorOption {
	if o.Width == 0 {
		o.Width = 1280
	}
	if o.Height == 0 {
		o.Height = 1000
	}
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(o.Path),
		chromedp.NoFirstRun,
		chromedp.NoDefaultBrowserCheck,
		chromedp.WindowSize(o.Width, o.Height),
		// A page that is not in front must run as fast as the one that is.
		chromedp.Flag("disable-background-timer-throttling", true),
		chromedp.Flag("disable-backgrounding-occluded-windows", true),
		chromedp.Flag("disable-renderer-backgrounding", true),
		// Quiet, on a closed network too.
		chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-breakpad", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-default-apps", true),
		chromedp.Flag("disable-extensions", true),
		chromedp.Flag("disable-field-trial-config", true),
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-sync", true),
		chromedp.Flag("metrics-recording-only", true),
		// The same picture and the same memory limits everywhere.
		chromedp.Flag("disable-dev-shm-usage", true),
		chromedp.Flag("force-color-profile", "srgb"),
		chromedp.Flag("hide-scrollbars", true),
		chromedp.Flag("password-store", "basic"),
		chromedp.Flag("use-mock-keychain", true),
		chromedp.Flag("disable-back-forward-cache", !o.BackForwardCache),
	}
	enabled, disabled := []string{"WebMCP"}, []string{"Translate"}
	if o.WithoutWebMCP {
		enabled, disabled = nil, []string{"Translate", "WebMCP"}
	}
	for _, flag := range o.Flags {
		switch name, value, hasValue := strings.Cut(strings.TrimLeft(flag, "-"), "="); {
		case name == "enable-features":
			enabled = append(enabled, value)
		case name == "disable-features":
			disabled = append(disabled, value)
		case hasValue:
			options = append(options, chromedp.Flag(name, value))
		default:
			options = append(options, chromedp.Flag(name, true))
		}
	}
	options = append(options,
		chromedp.Flag("enable-features", strings.Join(enabled, ",")),
		chromedp.Flag("disable-features", strings.Join(disabled, ",")))
	if !o.Visible {
		options = append(options, chromedp.Headless, chromedp.DisableGPU)
	}
	if o.NoSandbox {
		options = append(options, chromedp.NoSandbox)
	}
	if o.Output != nil {
		options = append(options, chromedp.CombinedOutput(o.Output))
	}
	return options
}
