package e2e

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// errNoBrowser says what to do, since a suite that silently skips its browser
// tests proves nothing.
var errNoBrowser = errors.New(`no Chromium or Chrome found, and these tests need one. Do one of:
    apt-get install chromium                    (Debian, as root; Ubuntu: install Google Chrome)
    brew install --cask chromium                (macOS)
    winget install Google.Chrome                (Windows)
    CHROME=/path/to/chrome go test ./e2e        (a browser that lies elsewhere)`)

// findBrowser returns the browser's executable: $CHROME when it is set,
// otherwise the first one that is installed.
func findBrowser() (string, error) {
	if chrome := os.Getenv("CHROME"); chrome != "" {
		path, err := exec.LookPath(chrome)
		if err != nil {
			return "", fmt.Errorf("CHROME=%s cannot be run: %w", chrome, err)
		}
		return path, nil
	}
	for _, candidate := range browserCandidates() {
		if path, err := exec.LookPath(candidate); err == nil {
			return path, nil
		}
	}
	return "", errNoBrowser
}

// browserCandidates lists, best first, what may be installed: Chromium is the
// one the project is tested with.
func browserCandidates() []string {
	names := []string{
		"chromium", "chromium-browser",
		"google-chrome", "google-chrome-stable", "google-chrome-beta", "google-chrome-unstable",
		"chrome",
	}
	switch runtime.GOOS {
	case "darwin":
		for _, dir := range []string{"/Applications", filepath.Join(os.Getenv("HOME"), "Applications")} {
			for _, app := range []string{"Chromium", "Google Chrome", "Google Chrome Beta", "Google Chrome Canary"} {
				names = append(names, filepath.Join(dir, app+".app", "Contents", "MacOS", app))
			}
		}
	case "windows":
		for _, env := range []string{"ProgramFiles", "ProgramFiles(x86)", "LocalAppData"} {
			dir := os.Getenv(env)
			if dir == "" {
				continue
			}
			names = append(names,
				filepath.Join(dir, "Chromium", "Application", "chrome.exe"),
				filepath.Join(dir, "Google", "Chrome", "Application", "chrome.exe"),
			)
		}
	}
	return names
}

// browser is one Chromium process, started by the first test that needs it
// and shared by all of them.
type browser struct {
	webMCP bool      // whether Chromium is started with its WebMCP switch
	idle   chan *tab // left by tests that passed

	once  sync.Once
	ctx   context.Context
	close context.CancelFunc
	err   error
}

var (
	withWebMCP    = &browser{webMCP: true, idle: make(chan *tab, cap(tabs))}
	withoutWebMCP = &browser{webMCP: false, idle: make(chan *tab, cap(tabs))}
)

// start starts the browser, unless it runs already.
func (b *browser) start(tb testing.TB) {
	tb.Helper()
	b.once.Do(b.launch)
	require.NoError(tb, b.err, "start the browser")
}

func (b *browser) launch() {
	path, err := findBrowser()
	if err != nil {
		b.err = err
		return
	}
	webMCP := chromedp.Flag("disable-features", "Translate,WebMCP")
	if b.webMCP {
		webMCP = chromedp.Flag("disable-features", "Translate")
	}
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(path),
		chromedp.Headless,
		chromedp.NoFirstRun,
		chromedp.NoDefaultBrowserCheck,
		chromedp.DisableGPU,
		chromedp.WindowSize(1280, 1000),
		webMCP,
		// A page that is not in front must run as fast as the one that is.
		chromedp.Flag("disable-background-timer-throttling", true),
		chromedp.Flag("disable-backgrounding-occluded-windows", true),
		chromedp.Flag("disable-renderer-backgrounding", true),
		// A document that was left behind must be gone.
		chromedp.Flag("disable-back-forward-cache", true),
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
	}
	if b.webMCP {
		options = append(options, chromedp.Flag("enable-features", "WebMCP"))
	}
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	allocator, closeAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, closeBrowser := chromedp.NewContext(allocator)
	b.ctx = ctx
	b.close = func() {
		closeBrowser()
		closeAllocator()
	}
	if err := chromedp.Do(ctx); err != nil {
		b.close()
		b.close = nil
		b.err = fmt.Errorf("%s: %w", path, err)
	}
}

// stop ends the browser, if it was started.
func (b *browser) stop() {
	if b.close != nil {
		b.close()
	}
}
