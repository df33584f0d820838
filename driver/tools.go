package driver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/webmcp"

	cdppage "github.com/chromedp/cdproto/page"
)

// Tool is a tool as an agent sees it. Whether it is registered by script or by
// markup, with <form toolname>, makes no difference.
type Tool struct {
	Name         string
	Title        string // of Page.Tools and of what waits for tools; "" in events
	Description  string
	InputSchema  json.RawMessage // nil when there is none
	OutputSchema json.RawMessage // nil when there is none, or the browser does not tell
	Annotations  Annotations
	Frame        *Frame // whose document has registered it

	id webmcp.ToolID
}

// Annotations are a tool's hints.
type Annotations struct {
	ReadOnly         bool // it changes nothing
	UntrustedContent bool // its output may hold what strangers have written
	Consequential    bool // its effects matter: a booking, a payment
	Debugging        bool // it is for developers
	Autosubmit       bool // it is a form that is sent without a human's click
}

// Tools returns what an agent can call now, in all frames, sorted by name.
func (p *Page) Tools(ctx context.Context) ([]Tool, error) {
	if err := p.checkWebMCP(ctx); err != nil {
		return nil, err
	}
	p.mu.Lock()
	tools := slices.Clone(p.tools)
	p.mu.Unlock()
	slices.SortStableFunc(tools, func(a, b Tool) int { return strings.Compare(a.Name, b.Name) })
	return tools, p.addTitles(ctx, tools)
}

// AwaitTools waits until an agent can call tools of exactly these names, in all
// frames together, and returns them sorted by name.
func (p *Page) AwaitTools(ctx context.Context, names ...string) ([]Tool, error) {
	if err := p.checkWebMCP(ctx); err != nil {
		return nil, err
	}
	names = slices.Sorted(slices.Values(names))
	var tools []Tool
	err := p.await(ctx, func() bool {
		tools = slices.Clone(p.tools)
		return slices.Equal(namesOf(tools), names)
	})
	if err != nil {
		return nil, waited(fmt.Sprintf("exactly the tools %q", names), err, p.at(fmt.Sprintf("the agent sees %q", namesOf(tools))))
	}
	slices.SortStableFunc(tools, func(a, b Tool) int { return strings.Compare(a.Name, b.Name) })
	return tools, p.addTitles(ctx, tools)
}

// AwaitTool waits until an agent can call a tool of this name, and returns it.
// The main frame's comes first; where several other frames have one each, the
// error says so, and Tools tells them apart.
func (p *Page) AwaitTool(ctx context.Context, name string) (Tool, error) {
	tool, err := p.awaitTool(ctx, name)
	if err != nil {
		return Tool{}, err
	}
	one := []Tool{tool}
	err = p.addTitles(ctx, one)
	return one[0], err
}

func (p *Page) awaitTool(ctx context.Context, name string) (Tool, error) {
	if err := p.checkWebMCP(ctx); err != nil {
		return Tool{}, fmt.Errorf("the tool %s: %w", name, err)
	}
	var found, all []Tool
	err := p.await(ctx, func() bool {
		found, all = nil, p.tools
		for _, tool := range p.tools {
			if tool.Name != name {
				continue
			}
			if tool.Frame.parent == "" {
				found = []Tool{tool}
				break
			}
			found = append(found, tool)
		}
		return len(found) > 0
	})
	switch {
	case err != nil:
		return Tool{}, waited("the tool "+name, err, p.at(fmt.Sprintf("the agent sees %q", namesOf(all))))
	case len(found) > 1:
		return Tool{}, fmt.Errorf("%d frames have a tool %s each: choose one of Tools by its Frame", len(found), name)
	}
	return found[0], nil
}

// namesOf returns the names of tools, sorted.
func namesOf(tools []Tool) []string {
	names := make([]string, len(tools))
	for i, tool := range tools {
		names[i] = tool.Name
	}
	slices.Sort(names)
	return names
}

// own runs a script of ours in a frame, in a world of its own: what the page has
// done to its globals does not concern it, and the page does not notice.
func own[T any](ctx context.Context, f *Frame, function string) (T, error) {
	var none T
	s, _, err := f.place(ctx)
	if err != nil {
		return none, err
	}
	world, err := call(ctx, s, cdppage.CreateIsolatedWorld, cdppage.CreateIsolatedWorldParams{FrameID: f.id, WorldName: "webmcp driver"})
	if err != nil {
		return none, err
	}
	answer, err := call(ctx, s, runtime.Evaluate, runtime.EvaluateParams{
		Expression: "(" + function + ")()", ContextID: world.ExecutionContextID, AwaitPromise: new(true), ReturnByValue: new(true),
	})
	if err != nil {
		return none, err
	}
	return valueOf[T](answer.Result, answer.ExceptionDetails)
}

// checkWebMCP returns ErrNoWebMCP where waiting for a tool makes no sense. An
// empty page has none yet, and may become one that has.
func (p *Page) checkWebMCP(ctx context.Context) error {
	if !p.webMCP {
		return ErrNoWebMCP
	}
	for {
		absent, err := own[bool](ctx, p.MainFrame(), `() => document.modelContext === undefined && location.href !== 'about:blank'`)
		switch {
		case ctx.Err() != nil:
			return waited("an answer of the page", context.Cause(ctx), p.at("it is busy"))
		case p.ended() != nil:
			return p.ended()
		case err == nil && absent:
			return fmt.Errorf("%s: %w", p.MainFrame().URL(), ErrNoWebMCP)
		case err == nil:
			return nil
		}
	}
}

// addTitles fills in what the protocol does not carry, as far as the documents
// are still there.
func (p *Page) addTitles(ctx context.Context, tools []Tool) error {
	type titles map[string]string
	known := map[*Frame]titles{}
	for i := range tools {
		f := tools[i].Frame
		if _, ok := known[f]; !ok {
			if f.hasGone() {
				continue
			}
			var err error
			known[f], err = own[titles](ctx, f, `async () => {
				const tools = await document.modelContext.getTools();
				return Object.fromEntries(tools.filter(t => (t.source ?? t.window ?? window) === window).map(t => [t.name, t.title ?? '']));
			}`)
			if err != nil && ctx.Err() != nil {
				return waited("the titles of the tools", context.Cause(ctx), p.at("the page is busy"))
			}
		}
		tools[i].Title = known[f][tools[i].Name]
	}
	return nil
}

func (p *Page) toolsAdded(s *session, tools []*webmcp.Tool) {
	for _, t := range tools {
		f := p.frame(s, t.FrameID)
		p.moveTo(f, s)
		tool := Tool{
			Name: t.Name, Description: t.Description, Frame: f, id: t.ToolID,
			InputSchema: json.RawMessage(t.InputSchema), OutputSchema: json.RawMessage(t.OutputSchema),
		}
		if a := t.Annotations; a != nil {
			tool.Annotations = Annotations{a.ReadOnly, a.UntrustedContent, a.Consequential, a.Debugging, a.Autosubmit}
		}
		p.tools = append(p.tools, tool)
		p.tell(Event{Kind: ToolAdded, Tool: tool})
	}
}

func (p *Page) toolsRemoved(s *session, removed []*webmcp.RemovedTool) {
	for _, r := range removed {
		p.removeTools(func(tool Tool) bool {
			return tool.Name == r.Name && tool.Frame.id == r.FrameID && tool.Frame.s == s && tool.id == r.ToolID
		})
	}
}

func (p *Page) removeTools(gone func(Tool) bool) {
	kept := p.tools[:0:0]
	for _, tool := range p.tools {
		if gone(tool) {
			p.tell(Event{Kind: ToolRemoved, Tool: tool})
		} else {
			kept = append(kept, tool)
		}
	}
	p.tools = kept
}

// toolOf returns what is known of a tool by its name.
func (p *Page) toolOf(frame cdp.FrameID, name string) Tool {
	for _, tool := range p.tools {
		if tool.Name == name && tool.Frame.id == frame {
			return tool
		}
	}
	return Tool{Name: name, Frame: p.frames[frame]}
}

// errNotObject is what Chrome would say in fewer words.
var errNotObject = errors.New("the input of a tool is a JSON object")
