package driver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"

	cdppage "github.com/chromedp/cdproto/page"
)

// Frame is a frame of a page: the main one, or an iframe, also of another site.
type Frame struct {
	p  *Page
	id cdp.FrameID

	// guarded by p.mu
	s         *session
	parent    cdp.FrameID
	name, url string
	loader    cdp.LoaderID
	context   string // unique id of that of the page's own scripts; "" while there is none
	gone      bool
}

// URL returns the address of the frame's document, without a fragment.
func (f *Frame) URL() string {
	f.p.mu.Lock()
	defer f.p.mu.Unlock()
	return f.url
}

// Name returns the name that the iframe element had when the document came.
func (f *Frame) Name() string {
	f.p.mu.Lock()
	defer f.p.mu.Unlock()
	return f.name
}

// Main reports whether it is the page's main frame.
func (f *Frame) Main() bool {
	f.p.mu.Lock()
	defer f.p.mu.Unlock()
	return f.parent == ""
}

var errFrameGone = errors.New("the frame is not in the page any more")

// stopped returns why nothing will come from the frame any more.
func stopped(ctx context.Context, f *Frame) error {
	switch ended := f.p.ended(); {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case ended != nil:
		return ended
	case f.hasGone():
		return errFrameGone
	}
	return nil
}

func (f *Frame) hasGone() bool {
	f.p.mu.Lock()
	defer f.p.mu.Unlock()
	return f.gone
}

// MainFrame returns the main frame.
func (p *Page) MainFrame() *Frame {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.mainFrame()
}

func (p *Page) mainFrame() *Frame {
	return p.frames[cdp.FrameID(p.main.t.TargetID)]
}

// Frame waits until exactly one iframe of the page, however deep, has the name,
// or an address that contains the text.
func (p *Page) Frame(ctx context.Context, nameOrURL string) (*Frame, error) {
	var found []*Frame
	var there []string
	err := p.await(ctx, func() bool {
		found, there = nil, nil
		for _, frame := range p.frames {
			if frame.parent == "" {
				continue
			}
			there = append(there, fmt.Sprintf("%q %s", frame.name, frame.url))
			if frame.name == nameOrURL || strings.Contains(frame.url, nameOrURL) {
				found = append(found, frame)
			}
		}
		return len(found) == 1 && found[0].ready()
	})
	if err != nil {
		return nil, waited(fmt.Sprintf("exactly one frame %q", nameOrURL), err, fmt.Sprintf("there are %d of %d: %v", len(found), len(there), there))
	}
	return found[0], nil
}

// addFrames takes note of a tree of frames.
func (p *Page) addFrames(s *session, tree *cdppage.FrameTree) {
	p.navigated(s, tree.Frame)
	for _, child := range tree.ChildFrames {
		p.addFrames(s, child)
	}
}

// frame returns the record of a frame, a new one if need be.
func (p *Page) frame(s *session, id cdp.FrameID) *Frame {
	f := p.frames[id]
	if f == nil {
		f = &Frame{p: p, id: id, s: s}
		p.frames[id] = f
	}
	return f
}

// navigated takes note of a frame's document, which may be a new one.
func (p *Page) navigated(s *session, now *cdp.Frame) {
	f := p.frame(s, now.ID)
	p.moveTo(f, s)
	if f.loader != "" && f.loader != now.LoaderID {
		p.leave(f)
		p.dropChildren(f) // of which Chrome does not always tell
	}
	if now.ParentID != "" {
		f.parent = now.ParentID
	}
	f.name, f.url, f.loader = now.Name, now.URL, now.LoaderID
	if strings.HasPrefix(now.SecurityOrigin, "http") {
		p.origins[now.SecurityOrigin] = true
	}
}

// moveTo takes note that a session tells of a frame, another one than before if
// the frame's document lives in another process now.
func (p *Page) moveTo(f *Frame, s *session) {
	if f.s == s {
		return
	}
	p.leave(f)
	p.dropChildren(f)
	p.endSession(f)
	f.s, f.context, f.loader = s, "", ""
}

// leave ends what belongs to the document of a frame.
func (p *Page) leave(f *Frame) {
	p.removeTools(func(tool Tool) bool { return tool.Frame == f })
	for _, i := range p.calls {
		if i.Tool.Frame == f {
			p.lose(i, fmt.Errorf("%s was left while %s was being called", f.url, i.Tool.Name))
		}
	}
	for id, tool := range p.running {
		if tool.Frame == f {
			delete(p.running, id)
		}
	}
}

// dropFrame takes note that a frame has gone.
func (p *Page) dropFrame(f *Frame) {
	p.leave(f)
	f.gone, f.context = true, ""
	p.endSession(f)
	if p.frames[f.id] == f {
		delete(p.frames, f.id)
	}
	p.dropChildren(f)
}

func (p *Page) dropChildren(f *Frame) {
	for _, child := range p.frames {
		if child.parent == f.id {
			p.dropFrame(child)
		}
	}
}

// inContext takes note of the context in which a frame's scripts run.
func (p *Page) inContext(s *session, c *runtime.ExecutionContextDescription) {
	var aux struct {
		IsDefault bool        `json:"isDefault"`
		FrameID   cdp.FrameID `json:"frameId"`
	}
	if json.Unmarshal(c.AuxData, &aux) != nil || !aux.IsDefault {
		return
	}
	f := p.frame(s, aux.FrameID)
	p.moveTo(f, s)
	f.context = c.UniqueID
}

// ready reports whether scripts can run in the frame now.
func (f *Frame) ready() bool { return f.context != "" && f.s.t != nil }

// place returns the session and the context for a script in the frame.
func (f *Frame) place(ctx context.Context) (s *session, id string, err error) {
	err = f.p.await(ctx, func() bool {
		s, id = f.s, f.context
		return f.ready() || f.gone
	})
	switch {
	case err != nil:
		return nil, "", err
	case id == "":
		return nil, "", errFrameGone
	}
	return s, id, nil
}

// A Document is where scripts run and elements are found: a Page, which is its
// main frame, or a Frame.
type Document interface{ document() *Frame }

func (f *Frame) document() *Frame { return f }
func (p *Page) document() *Frame  { return p.MainFrame() }

// Eval calls a JavaScript function in a document, with arguments that become
// JSON, and returns what it returns or resolves to; what is undefined is T's zero
// value. What it throws is the error. It is not subject to the page's
// Content-Security-Policy.
func Eval[T any](ctx context.Context, d Document, function string, args ...any) (T, error) {
	var none T
	list := make([]string, len(args))
	for i, arg := range args {
		text, err := json.Marshal(arg)
		if err != nil {
			return none, fmt.Errorf("argument %d of a script: %w", i, err)
		}
		list[i] = string(text)
	}
	f := d.document()
	s, id, err := f.place(ctx)
	if err != nil {
		return none, err
	}
	answer, err := call(ctx, s, runtime.Evaluate, runtime.EvaluateParams{
		Expression:      "(" + function + "\n)(" + strings.Join(list, ", ") + ")",
		UniqueContextID: id,
		AwaitPromise:    new(true),
		ReturnByValue:   new(true),
	})
	if err != nil {
		return none, err
	}
	return valueOf[T](answer.Result, answer.ExceptionDetails)
}

// Await looks at a JavaScript expression in a document, once a frame, until it is
// truthy, also across navigations. When it waits in vain, or the document will
// never come back, the error has what the clues, further expressions, are then.
func Await(ctx context.Context, d Document, expression string, clues ...string) error {
	for {
		ok, err := Eval[bool](ctx, d, "async () => { const ok = () => ("+expression+"); if (ok()) return true; "+nextFrame+"; return Boolean(ok()) }")
		if ok {
			return nil
		}
		if stop := stopped(ctx, d.document()); stop != nil {
			return waited(expression, stop, clueTexts(ctx, d, clues, err))
		}
		if err != nil && !passing(err) {
			return fmt.Errorf("waited for %s: %w", expression, err)
		}
	}
}

// nextFrame lets the page make progress; it does where no frame is drawn, too.
const nextFrame = `await new Promise(next => { requestAnimationFrame(next); setTimeout(next, 100) })`

// passing reports whether an error is that of a document that went while a
// script ran in it: another one comes.
func passing(err error) bool {
	var thrown *ScriptError
	return !errors.As(err, &thrown)
}

func clueTexts(ctx context.Context, d Document, clues []string, last error) string {
	ended := context.Cause(ctx)
	ctx, cancel := afterwards(ctx)
	defer cancel()
	var texts []string
	if last != nil && !errors.Is(last, ended) {
		texts = append(texts, "the last look failed: "+last.Error())
	}
	for _, clue := range clues {
		text, err := Eval[string](ctx, d, "() => String("+clue+")")
		if err != nil {
			text = err.Error()
		}
		texts = append(texts, clue+" is "+text)
	}
	if f := d.document(); f != nil {
		texts = append(texts, "at "+f.URL())
	}
	return strings.Join(texts, "; ")
}

// ScriptError is what a script of Eval has thrown.
type ScriptError struct{ Text string }

// Error returns the text of what was thrown, with its stack where it has one.
func (e *ScriptError) Error() string { return e.Text }

func valueOf[T any](result *runtime.RemoteObject, thrown *runtime.ExceptionDetails) (T, error) {
	var value T
	if thrown != nil {
		return value, &ScriptError{exceptionText(thrown)}
	}
	if _, nothing := any(value).(struct{}); nothing || result == nil || len(result.Value) == 0 {
		return value, nil
	}
	if err := json.Unmarshal(result.Value, &value); err != nil {
		return value, fmt.Errorf("the value of a script: %w", err)
	}
	return value, nil
}
