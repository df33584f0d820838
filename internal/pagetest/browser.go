package pagetest

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"sync"

	"github.com/chromedp/chromedp"
)

var errNoBrowser = errors.New("no Chromium or Chrome found: install one (Debian: apt-get install chromium), or name it with CHROME=/path/to/chrome")

// shared is the one browser of a test binary.
var shared struct {
	once  sync.Once
	ctx   context.Context
	close context.CancelFunc
	err   error
}

// start returns the context of the running browser.
func start() (context.Context, error) {
	shared.once.Do(func() { shared.ctx, shared.close, shared.err = launch() })
	return shared.ctx, shared.err
}

// Stop ends the browser, if a test started it. Call it at the end of TestMain.
func Stop() {
	if shared.close != nil {
		shared.close()
	}
}

func launch() (context.Context, context.CancelFunc, error) {
	path, err := find()
	if err != nil {
		return nil, nil, err
	}
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(path),
		chromedp.Headless,
		chromedp.NoFirstRun,
		chromedp.NoDefaultBrowserCheck,
		chromedp.DisableGPU,
		chromedp.WindowSize(1280, 1000),
		chromedp.Flag("enable-features", "WebMCP"),
		chromedp.Flag("disable-features", "Translate"),
		// A page that is not in front must run as fast as the one that is.
		chromedp.Flag("disable-background-timer-throttling", true),
		chromedp.Flag("disable-backgrounding-occluded-windows", true),
		chromedp.Flag("disable-renderer-backgrounding", true),
		chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-extensions", true),
		chromedp.Flag("disable-sync", true),
		chromedp.Flag("disable-dev-shm-usage", true),
		chromedp.Flag("force-color-profile", "srgb"),
		chromedp.Flag("hide-scrollbars", true),
		chromedp.Flag("password-store", "basic"),
		chromedp.Flag("use-mock-keychain", true),
	}
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	allocator, closeAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, closeBrowser := chromedp.NewContext(allocator)
	end := func() {
		closeBrowser()
		closeAllocator()
	}
	if err := chromedp.Do(ctx); err != nil {
		end()
		return nil, nil, err
	}
	return ctx, end, nil
}

// find returns the browser's executable: $CHROME when it is set, otherwise the
// first one that is installed.
func find() (string, error) {
	if chrome := os.Getenv("CHROME"); chrome != "" {
		return exec.LookPath(chrome)
	}
	candidates := []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"}
	for _, app := range []string{"Chromium", "Google Chrome"} {
		candidates = append(candidates, filepath.Join("/Applications", app+".app", "Contents", "MacOS", app))
	}
	for _, env := range []string{"ProgramFiles", "ProgramFiles(x86)", "LocalAppData"} {
		if dir := os.Getenv(env); dir != "" {
			candidates = append(candidates, filepath.Join(dir, "Google", "Chrome", "Application", "chrome.exe"))
		}
	}
	for _, candidate := range candidates {
		if path, err := exec.LookPath(candidate); err == nil {
			return path, nil
		}
	}
	return "", errNoBrowser
}
