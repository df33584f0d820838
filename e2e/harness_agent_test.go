package e2e

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/webmcp"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// invokeTool is WebMCP.invokeTool by name. cdproto's own parameters know the
// tool's id only.
var invokeTool = cdp.Command[invokeToolParams, webmcp.InvokeToolResult]{Method: webmcp.CommandInvokeTool}

type invokeToolParams struct {
	FrameID  cdp.FrameID `json:"frameId"`
	ToolName string      `json:"toolName"`
	Input    any         `json:"input"`
}

// invocation is one call of a tool by the agent.
type invocation struct {
	p    *page
	id   string
	tool string
}

// response is how Chrome ended an invocation, as the agent sees it.
type response struct {
	Status webmcp.InvocationStatus
	Output string // JSON text; "" unless Status is Completed
	Error  string // for users of the protocol
}

// answer is what our pipeline makes of every call that completes.
type answer struct {
	Content []content `json:"content"`
	IsError bool      `json:"isError"`
	Code    string    `json:"code"`
}

type content struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// toolNames returns what the agent can call at present, sorted.
func (p *page) toolNames() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.names()
}

func (p *page) names() []string {
	names := make([]string, len(p.tools))
	for i, tool := range p.tools {
		names[i] = tool.Name
	}
	slices.Sort(names)
	return names
}

// awaitTools waits until the agent can call exactly these tools.
func (p *page) awaitTools(names ...string) {
	p.tb.Helper()
	slices.Sort(names)
	var got []string
	defer func() {
		if p.tb.Failed() {
			p.tb.Logf("the agent sees %q", got)
		}
	}()
	p.await("the tools "+strings.Join(names, ", "), func() bool {
		got = p.names()
		return slices.Equal(got, names)
	})
}

// tool waits until the agent can call the tool and returns it.
func (p *page) tool(name string) *webmcp.Tool {
	p.tb.Helper()
	var found *webmcp.Tool
	p.await("the tool "+name, func() bool {
		for _, tool := range p.tools {
			if tool.Name == name {
				found = tool
			}
		}
		return found != nil
	})
	return found
}

// invoke starts a call as the agent does. The input is sent as JSON.
func (p *page) invoke(name string, input any) *invocation {
	p.tb.Helper()
	p.tool(name)
	result, err := chromedp.Call(p.ctx, invokeTool, invokeToolParams{p.frame, name, input})
	require.NoError(p.tb, err, "invoke %s", name)
	require.NotEmpty(p.tb, result.InvocationID)
	return &invocation{p, result.InvocationID, name}
}

// cancel withdraws the call.
func (i *invocation) cancel() {
	i.p.tb.Helper()
	command(i.p, webmcp.CancelInvocation, webmcp.CancelInvocationParams{InvocationID: i.id})
}

// settled reports whether the call has ended.
func (i *invocation) settled() bool {
	i.p.mu.Lock()
	defer i.p.mu.Unlock()
	return i.p.answers[i.id] != nil
}

// wait returns how the call ended.
func (i *invocation) wait() response {
	i.p.tb.Helper()
	var event *webmcp.EventToolResponded
	i.p.await("the response of "+i.tool, func() bool {
		event = i.p.answers[i.id]
		return event != nil
	})
	return response{event.Status, string(event.Output), event.ErrorText}
}

// answer waits for a call that Chrome calls completed, and returns what the
// tool said.
func (i *invocation) answer() answer {
	i.p.tb.Helper()
	r := i.wait()
	require.Equal(i.p.tb, webmcp.InvocationStatusCompleted, r.Status, "%s: %s", i.tool, r.Error)
	// Over the protocol a large output arrives as a string that holds the JSON.
	var text string
	if json.Unmarshal([]byte(r.Output), &text) != nil {
		text = r.Output
	}
	var a answer
	require.NoError(i.p.tb, json.Unmarshal([]byte(text), &a), "output of %s: %.1000s", i.tool, r.Output)
	return a
}

// text returns the answer's only text.
func (a answer) text(p *page) string {
	p.tb.Helper()
	require.Len(p.tb, a.Content, 1)
	require.Equal(p.tb, "text", a.Content[0].Type)
	return a.Content[0].Text
}

// ask invokes a tool and returns the text of its answer, which must be neither
// an error nor a denial.
func (p *page) ask(name string, input any) string {
	p.tb.Helper()
	a := p.invoke(name, input).answer()
	require.False(p.tb, a.IsError, "%s answered: %v", name, a.Content)
	return a.text(p)
}
