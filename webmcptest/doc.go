// Package webmcptest tests pages with WebMCP in a real Chrome or Chromium: the
// test is the agent that calls the page's tools, and the human in front of it.
//
//	func TestCheckout(t *testing.T) {
//		p := webmcptest.Open(t, "http://localhost:8080/")
//		call := p.Invoke("checkout", map[string]any{"cart": 7}) // the agent calls
//		p.Click("button", "Approve")                            // the human clicks
//		require.Equal(t, "Order 1 is placed.", call.Text())     // the agent reads
//	}
//
// Whatever goes wrong fails the test: a step that does not come to pass within
// Options.Timeout, with what was there instead; and what the page should not
// cause (uncaught exceptions, unhandled rejections, violations of its
// Content-Security-Policy, failed requests), unless the test expects it. A test
// that fails leaves a screenshot and the console in artifacts/<test>.
//
// Every page has a profile of its own. The browser is shared by all tests that
// run at the time; Run keeps it for all tests of a package. Tests may be
// parallel; at most three pages are open at once, and New waits for one of them.
//
// Package driver does the work, returns errors instead and needs no test.
package webmcptest
