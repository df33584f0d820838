package webmcptest_test

import (
	"testing"

	"github.com/webmcp-wasm/webmcp/driver"
	"github.com/webmcp-wasm/webmcp/webmcptest"
)

func ExampleOpen() {
	_ = func(t *testing.T) { // func TestAnAgentChecksOut(t *testing.T)
		p := webmcptest.Open(t, "http://localhost:8080/")
		call := p.Invoke("checkout", map[string]any{"cart": 7}) // the agent calls
		p.Click("button", "Approve")                            // the human clicks
		if got := call.Text(); got != "Order 1 is placed." {    // the agent reads
			t.Error(got)
		}
	}
}

func ExampleNew_withoutWebMCP() {
	_ = func(t *testing.T) {
		p := webmcptest.New(t, webmcptest.Options{Browser: driver.Options{WithoutWebMCP: true}})
		p.Open("http://localhost:8080/")
		p.Find("heading", "The page works without an agent")
	}
}

func ExamplePage_Expect() {
	_ = func(t *testing.T) {
		p := webmcptest.Open(t, "http://localhost:8080/")
		p.Expect("out of stock") // the page may say so on the console, and must
		if err := p.Invoke("order", map[string]any{"drink": "gin"}).Err(); err == nil {
			t.Error("there is gin")
		}
	}
}
