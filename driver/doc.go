// Package driver drives pages with WebMCP in a real Chrome or Chromium: as the
// agent that calls their tools, and as the human who sits in front of them.
//
//	b, err := driver.Start(ctx, driver.Options{})
//	defer b.Close()
//	p, err := b.NewPage(ctx)
//	err = p.Open(ctx, "http://localhost:8080/")
//
//	call, err := p.Invoke(ctx, "checkout", map[string]any{"cart": 7}) // the agent calls
//	err = p.Click(ctx, "button", "Approve")                          // the human clicks
//	result, err := call.Result(ctx)                                  // the agent reads
//
// The agent's half is Chrome's own: the WebMCP domain of the DevTools protocol,
// so a page sees no difference to an agent of the browser. The human's half is
// the accessibility tree, and trusted mouse and keyboard events: what assistive
// technology cannot perceive cannot be found, whatever shadow root it is in.
// Frames count as well, those of other sites too.
//
// It drives any page with WebMCP, whatever library the page uses. Tests take
// package webmcptest, in which everything that goes wrong fails the test.
//
// Every wait ends with its context. The error then says what was waited for and
// what was there instead, and wraps the cause of the context's end. All methods
// may be called at the same time.
package driver
