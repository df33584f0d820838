package webmcptest

import (
	"context"

	"github.com/webmcp-wasm/webmcp/driver"
)

// Tools returns what an agent can call now, in all frames, sorted by name.
func (p *Page) Tools() []driver.Tool {
	p.tb.Helper()
	return step(p, p.page.Tools)
}

// AwaitTools waits until an agent can call tools of exactly these names, in all
// frames together, and returns them sorted by name.
func (p *Page) AwaitTools(names ...string) []driver.Tool {
	p.tb.Helper()
	return step(p, func(ctx context.Context) ([]driver.Tool, error) { return p.page.AwaitTools(ctx, names...) })
}

// Tool waits until an agent can call a tool of this name, and returns it.
func (p *Page) Tool(name string) driver.Tool {
	p.tb.Helper()
	return step1(p, name, p.page.AwaitTool)
}

// Call is one call of a tool by the agent.
type Call struct {
	*driver.Invocation
	p *Page
}

// Invoke waits for the tool and calls it. The input becomes a JSON object; nil
// is an empty one. Any number of calls may be under way at once.
func (p *Page) Invoke(name string, input any) *Call {
	p.tb.Helper()
	return &Call{step(p, func(ctx context.Context) (*driver.Invocation, error) { return p.page.Invoke(ctx, name, input) }), p}
}

// InvokeTool is Invoke for a tool of Tools, where frames have tools of the same
// name.
func (p *Page) InvokeTool(tool driver.Tool, input any) *Call {
	p.tb.Helper()
	return &Call{step1(p, input, tool.Invoke), p}
}

// Ask calls a tool and returns the text of its answer, which must not be an
// error.
func (p *Page) Ask(name string, input any) string {
	p.tb.Helper()
	return p.Invoke(name, input).Text()
}

// Result waits for the answer of the tool, be it an error of its own.
func (c *Call) Result() *driver.Result {
	c.p.tb.Helper()
	return step(c.p, c.Invocation.Result)
}

// Text waits for an answer that is no error, and returns what it says.
func (c *Call) Text() string {
	c.p.tb.Helper()
	result := c.Result()
	if result.IsError {
		c.p.tb.Fatalf("%s answers with an error: %s", c.Tool.Name, result.Text())
	}
	return result.Text()
}

// Err waits for a call that ends without an answer, and returns why:
// driver.ErrCanceled, driver.ErrLeft or a *driver.ToolError.
func (c *Call) Err() error {
	c.p.tb.Helper()
	ctx, cancel := c.p.Step()
	defer cancel()
	result, err := c.Invocation.Result(ctx)
	switch {
	case err == nil:
		c.p.tb.Fatalf("%s should not have answered, but said %.1000s", c.Tool.Name, result.Output)
	case !c.Done():
		c.p.tb.Fatal(err)
	}
	return err
}

// Cancel withdraws the call.
func (c *Call) Cancel() {
	c.p.tb.Helper()
	c.p.try(c.Invocation.Cancel)
}

// Decode waits for an answer that is no error, and decodes it; see
// driver.Result.Decode.
func Decode[T any](c *Call) (value T) {
	c.p.tb.Helper()
	if err := c.Result().Decode(&value); err != nil {
		c.p.tb.Fatalf("%s: %v", c.Tool.Name, err)
	}
	return value
}
