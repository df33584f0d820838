package webmcptest

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/webmcp-wasm/webmcp/driver"
)

// browsers are the browsers that run now, by the options they were started with.
var browsers struct {
	sync.Mutex
	running map[string]*browser
	keep    bool // until Run ends
}

type browser struct {
	key   string
	start func() (*driver.Browser, error) // once
	users int                             // pages that are open or about to be
	idle  []*driver.Page                  // left by tests that have passed, as good as new
}

// Run runs the tests of a package and keeps their browser from the first test
// that needs it to the last test of all, instead of starting it anew when no
// page was open for a moment. It returns the exit code:
//
//	func TestMain(m *testing.M) { os.Exit(webmcptest.Run(m)) }
func Run(m *testing.M) (code int) {
	browsers.Lock()
	browsers.keep = true
	browsers.Unlock()
	defer func() {
		browsers.Lock()
		defer browsers.Unlock()
		for key, b := range browsers.running {
			b.close()
			delete(browsers.running, key)
		}
		browsers.keep = false
	}()
	return m.Run()
}

// take returns the browser for one page more, running.
func take(o driver.Options) (*browser, error) {
	key := fmt.Sprintf("%#v", o)
	browsers.Lock()
	if browsers.running == nil {
		browsers.running = map[string]*browser{}
	}
	b := browsers.running[key]
	if b == nil {
		b = &browser{key: key, start: sync.OnceValues(func() (*driver.Browser, error) { return driver.Start(context.Background(), o) })}
		browsers.running[key] = b
	}
	b.users++
	browsers.Unlock()
	if _, err := b.start(); err != nil {
		b.leave()
		return nil, err
	}
	return b, nil
}

// leave ends what take has begun.
func (b *browser) leave() {
	browsers.Lock()
	defer browsers.Unlock()
	if b.users--; b.users == 0 && !browsers.keep {
		delete(browsers.running, b.key)
		b.close()
	}
}

// newPage returns an empty page.
func (b *browser) newPage(ctx context.Context) (*driver.Page, error) {
	browsers.Lock()
	if last := len(b.idle) - 1; last >= 0 {
		page := b.idle[last]
		b.idle = b.idle[:last]
		browsers.Unlock()
		return page, nil
	}
	browsers.Unlock()
	d, err := b.start()
	if err != nil {
		return nil, err
	}
	return d.NewPage(ctx)
}

// giveBack ends the use of a page. Opening one takes longer than most tests do,
// so one that is as good as new goes to another test.
func (b *browser) giveBack(page *driver.Page, reusable bool) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if !reusable || page.Reset(ctx) != nil {
		page.Close()
		return
	}
	browsers.Lock()
	defer browsers.Unlock()
	b.idle = append(b.idle, page)
}

func (b *browser) close() {
	if d, err := b.start(); err == nil { // it has been called before
		d.Close()
	}
}
