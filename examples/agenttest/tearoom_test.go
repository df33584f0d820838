package tearoom

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/webmcp-wasm/webmcp/driver"
	"github.com/webmcp-wasm/webmcp/webmcptest"
)

func TestMain(m *testing.M) { os.Exit(webmcptest.Run(m)) }

// open serves the page as it is and opens it.
func open(t *testing.T) *webmcptest.Page {
	t.Helper()
	p := webmcptest.New(t, webmcptest.Options{})
	p.Open(serve(t))
	return p
}

func serve(t *testing.T) string {
	t.Helper()
	web := httptest.NewServer(http.FileServer(http.Dir(".")))
	t.Cleanup(web.Close)
	return web.URL + "/page.html"
}

var tea = map[string]any{"drink": "tea"}

func TestTheAgentSeesTheTools(t *testing.T) {
	t.Parallel()
	tools := open(t).AwaitTools("menu", "order", "stove")
	menu, order, stove := tools[0], tools[1], tools[2]
	if menu.Title != "Menu" || menu.Description != "Lists the drinks." || !menu.Annotations.ReadOnly {
		t.Errorf("menu is %+v", menu)
	}
	if !strings.Contains(string(order.InputSchema), `"drink"`) || !order.Annotations.Consequential {
		t.Errorf("order is %+v", order)
	}
	if stove.Frame.Name() != "kitchen" || stove.Frame.Main() || !menu.Frame.Main() {
		t.Errorf("the stove is in %q", stove.Frame.Name())
	}
}

func TestAnAnswerIsDecoded(t *testing.T) {
	t.Parallel()
	p := open(t)
	menu := webmcptest.Decode[struct{ Drinks []string }](p.Invoke("menu", nil))
	if !slices.Equal(menu.Drinks, []string{"tea", "coffee"}) {
		t.Error(menu)
	}
}

func TestAFailingCallSaysWhy(t *testing.T) {
	t.Parallel()
	p := open(t)
	if result := p.Invoke("order", map[string]any{"drink": "gin"}).Result(); !result.IsError || result.Code != "SOLD_OUT" || result.Text() != "There is no gin." {
		t.Errorf("%+v", result)
	}
	p.Expect("no beer here") // Chrome tells the console of it
	var failed *driver.ToolError
	if err := p.Invoke("order", map[string]any{"drink": "beer"}).Err(); !errors.As(err, &failed) || failed.Tool != "order" {
		t.Error(err)
	}
}

func TestACancelledCallAsksNobodyAnyMore(t *testing.T) {
	t.Parallel()
	p := open(t)
	call := p.Invoke("order", tea)
	p.Find("button", "Confirm")
	call.Cancel()
	if err := call.Err(); !errors.Is(err, driver.ErrCanceled) {
		t.Error(err)
	}
	p.AwaitGone("button", "Confirm")
}

func TestTwentyCallsAtOnce(t *testing.T) {
	t.Parallel()
	p := open(t)
	var calls []*webmcptest.Call
	for range 20 {
		calls = append(calls, p.Invoke("order", tea))
	}
	p.Click("button", "Confirm")
	for i, call := range calls {
		if got := call.Text(); got != "One tea." {
			t.Error(i, got)
		}
	}
}

func TestACallWhosePageIsLeftEndsWithAnError(t *testing.T) {
	t.Parallel()
	p := open(t)
	call := p.Invoke("order", tea)
	p.Open("about:blank")
	if err := call.Err(); !errors.Is(err, driver.ErrLeft) || !strings.Contains(err.Error(), "page.html was left while order was being called") {
		t.Error(err)
	}
}

func TestAToolThatComesLaterIsWaitedFor(t *testing.T) {
	t.Parallel()
	p := open(t)
	p.Do(`() => { setTimeout(() => document.modelContext.registerTool({ name: 'pay', description: 'Pays.', execute: () => 'paid' }), 200) }`)
	if got := p.Ask("pay", nil); got != "paid" {
		t.Error(got)
	}
}

func TestAFrameHasAToolOfItsOwn(t *testing.T) {
	t.Parallel()
	if got := open(t).Ask("stove", nil); got != "on" {
		t.Error(got)
	}
}

func TestABrowserWithoutWebMCPNamesTheSwitch(t *testing.T) {
	t.Parallel()
	p := webmcptest.New(t, webmcptest.Options{Browser: driver.Options{WithoutWebMCP: true}})
	p.Open(serve(t))
	_, err := p.Driver().Invoke(t.Context(), "menu", nil)
	if !errors.Is(err, driver.ErrNoWebMCP) || !strings.Contains(err.Error(), "--enable-features=WebMCP") {
		t.Error(err)
	}
}

// The same without a test: a program of one's own.
func TestAProgramOfItsOwnWaitsAsLongAsItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := agent(ctx, serve(t)); err != nil {
		t.Error(err)
	}
}

func agent(ctx context.Context, url string) error {
	b, err := driver.Start(ctx, driver.Options{})
	if err != nil {
		return err
	}
	defer b.Close()
	p, err := b.NewPage(ctx)
	if err != nil {
		return err
	}
	if err := p.Open(ctx, url); err != nil {
		return err
	}
	call, err := p.Invoke(ctx, "order", tea)
	if err != nil {
		return err
	}
	impatient := errors.New("this agent waits for nobody")
	waits := map[string]func(context.Context) error{
		"answer":  func(ctx context.Context) error { _, err := call.Result(ctx); return err },
		"tool":    func(ctx context.Context) error { _, err := p.Invoke(ctx, "none", nil); return err },
		"tools":   func(ctx context.Context) error { _, err := p.AwaitTools(ctx, "none"); return err },
		"element": func(ctx context.Context) error { return p.Click(ctx, "button", "None") },
		"state":   func(ctx context.Context) error { return driver.Await(ctx, p, "document.title === 'none'") },
	}
	var all sync.WaitGroup
	failures := make(chan error, len(waits))
	for what, wait := range waits {
		all.Go(func() {
			ctx, cancel := context.WithTimeoutCause(ctx, 300*time.Millisecond, impatient)
			defer cancel()
			if err := wait(ctx); !errors.Is(err, impatient) {
				failures <- fmt.Errorf("%s: %w", what, err)
			}
		})
	}
	all.Wait()
	close(failures)
	for err := range failures {
		return err
	}
	if err := p.Click(ctx, "button", "Confirm"); err != nil {
		return err
	}
	result, err := call.Result(ctx)
	if err != nil {
		return err
	}
	if result.Text() != "One tea." {
		return errors.New(result.Text())
	}
	return nil
}
