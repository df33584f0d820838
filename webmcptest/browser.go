package webmcptest

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/webmcp-wasm/webmcp/driver"
)

// pages bounds how many pages are open at once: a page is a process, and more of
// them than cores only makes each of them slow.
var pages = make(chan struct{}, 3)

// browsers are the browsers that run now, by the options they were started with.
var browsers struct {
	sync.Mutex
	running map[string]*browser
	keep    bool // until Run ends
}

type browser struct {
	start func() (*driver.Browser, error) // once
	users int
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

// take returns a running browser for one page more, and what to call when the
// page is closed.
func take(o driver.Options) (*driver.Browser, func(), error) {
	key := fmt.Sprintf("%#v", o)
	browsers.Lock()
	if browsers.running == nil {
		browsers.running = map[string]*browser{}
	}
	b := browsers.running[key]
	if b == nil {
		b = &browser{start: sync.OnceValues(func() (*driver.Browser, error) { return driver.Start(context.Background(), o) })}
		browsers.running[key] = b
	}
	b.users++
	browsers.Unlock()

	leave := func() {
		browsers.Lock()
		defer browsers.Unlock()
		if b.users--; b.users == 0 && !browsers.keep {
			delete(browsers.running, key)
			b.close()
		}
	}
	d, err := b.start()
	if err != nil {
		leave()
		return nil, nil, err
	}
	return d, leave, nil
}

func (b *browser) close() {
	if d, err := b.start(); err == nil { // it has been called before
		d.Close()
	}
}
