package driver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/webmcp"
)

// Invocation is one call of a tool by the agent. All of its methods may be
// called at any time, and more than once.
type Invocation struct {
	Tool Tool
	ID   string // Chrome's

	p *Page

	// guarded by p.mu
	ended  bool
	result *Result
	err    error
	events []Event
}

// invokeTool is WebMCP.invokeTool by name, which cdproto's own parameters lack.
var invokeTool = cdp.Command[invokeToolParams, webmcp.InvokeToolResult]{Method: webmcp.CommandInvokeTool}

type invokeToolParams struct {
	FrameID  cdp.FrameID     `json:"frameId"`
	ToolName string          `json:"toolName"`
	Input    json.RawMessage `json:"input"`
}

// Invoke waits until an agent can call the tool, as AwaitTool does, and calls it.
// The input becomes JSON, which must be an object; nil is an empty one. Any
// number of calls may be under way at once.
func (p *Page) Invoke(ctx context.Context, name string, input any) (*Invocation, error) {
	tool, err := p.awaitTool(ctx, name)
	if err != nil {
		return nil, err
	}
	return tool.Invoke(ctx, input)
}

// Invoke calls this tool, in its own frame. See Page.Invoke.
func (t Tool) Invoke(ctx context.Context, input any) (*Invocation, error) {
	text, err := inputText(input)
	if err != nil {
		return nil, fmt.Errorf("call %s: %w", t.Name, err)
	}
	p := t.Frame.p
	p.mu.Lock()
	s := t.Frame.s
	gone := t.Frame.gone
	p.starting++
	p.mu.Unlock()
	answer, err := webmcp.InvokeToolResult{}, fmt.Errorf("%w: %w", ErrLeft, errFrameGone)
	if !gone {
		answer, err = call(ctx, s, invokeTool, invokeToolParams{t.Frame.id, t.Name, text})
	}
	i := &Invocation{Tool: t, ID: answer.InvocationID, p: p}
	p.change(func() {
		p.starting--
		if err == nil {
			p.began(i)
		}
		if p.starting == 0 {
			clear(p.early) // answers to other agents
		}
	})
	if err != nil {
		return nil, fmt.Errorf("call %s: %w", t.Name, err)
	}
	return i, nil
}

func inputText(input any) (json.RawMessage, error) {
	if input == nil {
		return json.RawMessage("{}"), nil
	}
	text, err := json.Marshal(input)
	if err != nil {
		return nil, err
	}
	if text[0] != '{' {
		return nil, fmt.Errorf("%w, and not %.100s", errNotObject, text)
	}
	return text, nil
}

// began takes note of a call whose id is known now. What happened to it may have
// been told already.
func (p *Page) began(i *Invocation) {
	p.calls[i.ID] = i
	for _, e := range p.early[i.ID] {
		i.events = append(i.events, e)
		if e.Kind == Responded {
			i.settle(e.Result, e.Err)
		}
	}
	switch {
	case p.gone != nil:
		p.lose(i, p.gone)
	case i.Tool.Frame.gone:
		p.lose(i, errFrameGone)
	}
}

func (p *Page) invoked(_ *session, e *webmcp.EventToolInvoked) {
	tool := p.toolOf(e.FrameID, e.ToolName)
	p.running[e.InvocationID] = tool
	p.happened(Event{Kind: Invoked, CallID: e.InvocationID, Tool: tool, Input: json.RawMessage(e.Input)})
}

func (p *Page) responded(e *webmcp.EventToolResponded) {
	event := Event{Kind: Responded, CallID: e.InvocationID, Tool: p.running[e.InvocationID]}
	delete(p.running, e.InvocationID)
	i := p.calls[e.InvocationID]
	if i != nil {
		event.Tool = i.Tool
	}
	switch e.Status {
	case webmcp.InvocationStatusCompleted:
		event.Result = newResult(json.RawMessage(e.Output))
	case webmcp.InvocationStatusCanceled:
		event.Err = ErrCanceled
	default:
		event.Err = &ToolError{Tool: event.Tool.Name, Text: e.ErrorText}
	}
	p.happened(event)
	if i != nil {
		i.settle(event.Result, event.Err)
	}
}

// happened tells what happened to a call, and keeps it where the call may be one
// of ours whose id is not known yet.
func (p *Page) happened(e Event) {
	p.tell(e)
	if p.calls[e.CallID] == nil && p.starting > 0 {
		p.early[e.CallID] = append(p.early[e.CallID], e)
	}
}

// settle ends the call, once.
func (i *Invocation) settle(result *Result, err error) {
	if i.ended {
		return
	}
	if failed := new(ToolError); errors.As(err, &failed) {
		failed.Tool = i.Tool.Name
	}
	i.ended, i.result, i.err = true, result, err
	delete(i.p.calls, i.ID)
}

// lose ends a call of which the page will say nothing any more.
func (p *Page) lose(i *Invocation, why error) {
	if !i.ended {
		err := fmt.Errorf("%w: %w", ErrLeft, why)
		p.tell(Event{Kind: Responded, CallID: i.ID, Tool: i.Tool, Err: err})
		i.settle(nil, err)
	}
}

// Done reports whether the call has ended.
func (i *Invocation) Done() bool {
	i.p.mu.Lock()
	defer i.p.mu.Unlock()
	return i.ended
}

// Result waits for the end of the call. What a tool says, a denial or an error
// of its own included, is a Result. The error is ErrCanceled, ErrLeft, a
// *ToolError, or says that ctx has ended; in that case the call goes on, and
// Result may be called again.
func (i *Invocation) Result(ctx context.Context) (*Result, error) {
	var result *Result
	var failed error
	err := i.p.await(ctx, func() bool {
		result, failed = i.result, i.err
		return i.ended
	})
	if err != nil {
		return nil, waited("the answer of "+i.Tool.Name, err, i.p.at("it is still running"))
	}
	return result, failed
}

// Cancel withdraws the call: Result returns ErrCanceled, and the page's signal
// aborts. A call that has ended stays as it ended.
func (i *Invocation) Cancel(ctx context.Context) error {
	if i.Done() {
		return nil
	}
	i.p.mu.Lock()
	s := i.Tool.Frame.s
	i.p.mu.Unlock()
	if _, err := call(ctx, s, webmcp.CancelInvocation, webmcp.CancelInvocationParams{InvocationID: i.ID}); err != nil && !i.Done() {
		return fmt.Errorf("cancel %s: %w", i.Tool.Name, err)
	}
	return nil
}

// Events returns what happens to the call, from its start to its end, where it
// stops, as it does when ctx ends.
func (i *Invocation) Events(ctx context.Context) iter.Seq[Event] {
	return func(yield func(Event) bool) {
		for n := 0; ; n++ {
			var next *Event
			_ = i.p.await(ctx, func() bool { // an error is the end, and no event
				if n < len(i.events) {
					next = &i.events[n]
				}
				return next != nil || i.ended
			})
			if next == nil || !yield(*next) {
				return
			}
		}
	}
}
