package react

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

// browser is one Chromium process, started by the first test that needs it.
var browser chromium

type chromium struct {
	once  sync.Once
	ctx   context.Context
	close context.CancelFunc
	err   error
}

// findBrowser returns the browser's executable: $CHROME when it is set,
// otherwise the first one that is installed.
func findBrowser() (string, error) {
	names := []string{os.Getenv("CHROME")}
	if names[0] == "" {
		names = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"}
		switch runtime.GOOS {
		case "darwin":
			names = append(names, "/Applications/Chromium.app/Contents/MacOS/Chromium", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
		case "windows":
			for _, env := range []string{"ProgramFiles", "ProgramFiles(x86)", "LocalAppData"} {
				names = append(names, filepath.Join(os.Getenv(env), "Google", "Chrome", "Application", "chrome.exe"))
			}
		}
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("no Chromium or Chrome found: install one, or name it (CHROME=/path/to/chrome go test ./react)")
}

func (b *chromium) start(tb testing.TB) context.Context {
	tb.Helper()
	b.once.Do(b.launch)
	require.NoError(tb, b.err, "start the browser")
	return b.ctx
}

func (b *chromium) launch() {
	path, err := findBrowser()
	if err != nil {
		b.err = err
		return
	}
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(path),
		chromedp.Headless,
		chromedp.NoFirstRun,
		chromedp.NoDefaultBrowserCheck,
		chromedp.DisableGPU,
		chromedp.Flag("enable-features", "WebMCP"),
		// A page that is not in front must run as fast as the one that is.
		chromedp.Flag("disable-background-timer-throttling", true),
		chromedp.Flag("disable-backgrounding-occluded-windows", true),
		chromedp.Flag("disable-renderer-backgrounding", true),
		// Quiet, on a closed network too.
		chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-extensions", true),
		chromedp.Flag("disable-field-trial-config", true),
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-sync", true),
		chromedp.Flag("disable-dev-shm-usage", true),
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
		b.stop()
		b.close = nil
		b.err = fmt.Errorf("%s: %w", path, err)
	}
}

func (b *chromium) stop() {
	if b.close != nil {
		b.close()
	}
}
