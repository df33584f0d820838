package driver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Element is a node that a human can perceive: it is in the accessibility tree,
// under a role and a name.
type Element struct {
	f      *Frame
	s      *session
	object runtime.RemoteObjectID
	what   string
}

// Root is where elements are looked for: a Page, with all of its frames, a Frame,
// or an Element.
type Root interface {
	roots() []root
	page() *Page
}

type root struct {
	f      *Frame
	object runtime.RemoteObjectID // "" is the document
}

func (p *Page) page() *Page    { return p }
func (f *Frame) page() *Page   { return f.p }
func (e *Element) page() *Page { return e.f.p }

func (p *Page) roots() []root {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := []root{{f: p.mainFrame()}}
	for _, f := range p.frames {
		if f.parent != "" && f.ready() {
			list = append(list, root{f: f})
		}
	}
	return list
}

func (f *Frame) roots() []root   { return []root{{f: f}} }
func (e *Element) roots() []root { return []root{{e.f, e.object}} }

// Find waits until exactly one element below the root has the role and the
// accessible name, for instance "button" and "Approve", and is not hidden from
// assistive technology, as everything behind an open modal dialog is. Shadow
// roots, closed ones too, make no difference. An empty role or name is any.
func Find(ctx context.Context, r Root, role, name string) (*Element, error) {
	what := elementText(role, name)
	var there int
	for {
		found, err := query(ctx, r, role, name)
		if err == nil {
			there = len(found)
		}
		if err == nil && there == 1 {
			var e *Element
			if e, err = found[0].resolve(ctx, what); err == nil {
				return e, nil
			}
		}
		if stop := rootStopped(ctx, r); stop != nil {
			return nil, waited("exactly one "+what, stop, fmt.Sprintf("there are %d. %s", there, perceived(ctx, r, role, err)))
		}
		pause(ctx, r)
	}
}

// AwaitGone waits until no element below the root has the role and the name.
func AwaitGone(ctx context.Context, r Root, role, name string) error {
	var there int
	for {
		found, err := query(ctx, r, role, name)
		if err == nil {
			if there = len(found); there == 0 {
				return nil
			}
		}
		if stop := rootStopped(ctx, r); stop != nil {
			return waited("no "+elementText(role, name), stop, fmt.Sprintf("there are %d. %s", there, perceived(ctx, r, role, err)))
		}
		pause(ctx, r)
	}
}

// Count returns how many elements below the root have the role and the name now.
func Count(ctx context.Context, r Root, role, name string) (int, error) {
	found, err := query(ctx, r, role, name)
	return len(found), err
}

// Find is Find in all frames of the page.
func (p *Page) Find(ctx context.Context, role, name string) (*Element, error) {
	return Find(ctx, p, role, name)
}

// Find is Find in the frame.
func (f *Frame) Find(ctx context.Context, role, name string) (*Element, error) {
	return Find(ctx, f, role, name)
}

// Find is Find below the element.
func (e *Element) Find(ctx context.Context, role, name string) (*Element, error) {
	return Find(ctx, e, role, name)
}

// Click finds an element below the root and clicks it, as soon as a human could.
// One that is replaced meanwhile is found anew.
func Click(ctx context.Context, r Root, role, name string) error {
	for {
		e, err := Find(ctx, r, role, name)
		if err != nil {
			return err
		}
		if err = e.Click(ctx); !errors.Is(err, errDetached) {
			return err
		}
	}
}

// Click is Click in all frames of the page.
func (p *Page) Click(ctx context.Context, role, name string) error {
	return Click(ctx, p, role, name)
}

// found is a node that a query has found.
type found struct {
	f    *Frame
	s    *session
	node cdp.BackendNodeID
}

func (n found) resolve(ctx context.Context, what string) (*Element, error) {
	resolved, err := call(ctx, n.s, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: n.node})
	if err != nil {
		return nil, err
	}
	return &Element{n.f, n.s, resolved.Object.ObjectID, what}, nil
}

// query looks for what has the role and the name. Below an element Chrome does
// it; in a document its query misses what is slotted into shadow roots within
// shadow roots, so that the whole tree is read there.
func query(ctx context.Context, r Root, role, name string) ([]found, error) {
	var list []found
	for _, root := range r.roots() {
		s, _, err := root.f.place(ctx)
		if err != nil {
			return nil, err
		}
		var nodes []*accessibility.Node
		if root.object == "" {
			nodes, err = tree(ctx, root.f, s)
		} else {
			var below accessibility.QueryAXTreeResult
			below, err = call(ctx, s, accessibility.QueryAXTree, accessibility.QueryAXTreeParams{
				ObjectID: root.object, Role: role, AccessibleName: name,
			})
			nodes = below.Nodes
		}
		if err != nil {
			return nil, err
		}
		for _, node := range nodes {
			nodeRole, nodeName := perceivedAs(node)
			if nodeRole != "" && node.BackendDOMNodeID != 0 && (role == "" || nodeRole == role) && (name == "" || nodeName == name) {
				list = append(list, found{root.f, s, node.BackendDOMNodeID})
			}
		}
	}
	return list, nil
}

// tree returns the accessibility tree of a frame's document.
func tree(ctx context.Context, f *Frame, s *session) ([]*accessibility.Node, error) {
	tree, err := call(ctx, s, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{FrameID: f.id})
	return tree.Nodes, err
}

// perceivedAs returns the role and the name of a node; "" for one that is hidden.
func perceivedAs(node *accessibility.Node) (role, name string) {
	if node.Ignored || node.Role == nil {
		return "", ""
	}
	_ = json.Unmarshal(node.Role.Value, &role) // what is no string is none
	if node.Name != nil {
		_ = json.Unmarshal(node.Name.Value, &name)
	}
	return role, name
}

func elementText(role, name string) string { return fmt.Sprintf("%s %q", role, name) }

// perceived says what there is instead of an element: those of the same role, or
// everything that has a name.
func perceived(ctx context.Context, r Root, role string, last error) string {
	ctx, cancel := afterwards(ctx)
	defer cancel()
	var same, all []string
	for _, root := range r.roots() {
		s, _, err := root.f.place(ctx)
		if err != nil {
			continue
		}
		nodes, err := tree(ctx, root.f, s)
		if err != nil {
			last = err
			continue
		}
		for _, node := range nodes {
			nodeRole, name := perceivedAs(node)
			text := elementText(nodeRole, name)
			switch {
			case nodeRole == "":
			case nodeRole == role:
				same = append(same, text)
			case name != "" && nodeRole != "StaticText" && nodeRole != "InlineTextBox":
				all = append(all, text)
			}
		}
	}
	list := same
	if len(list) == 0 {
		list = all
	}
	if len(list) == 0 {
		return fmt.Sprintf("Nothing can be perceived (last error: %v)", last)
	}
	if len(list) > 50 {
		list = append(list[:50:50], "...")
	}
	return "What can be perceived: " + strings.Join(list, ", ")
}

// rootStopped returns why nothing will be found below the root any more.
func rootStopped(ctx context.Context, r Root) error {
	return stopped(ctx, r.roots()[0].f) // the main frame of a page, which stays
}

// pause lets the page make progress between two looks at it.
func pause(ctx context.Context, r Root) {
	if _, err := Eval[struct{}](ctx, r.page(), "async () => { "+nextFrame+" }"); err == nil {
		return
	}
	select { // it is busy with another document, or gone; the next look tells
	case <-time.After(20 * time.Millisecond):
	case <-ctx.Done():
	}
}

// spot is where the mouse goes for an element.
type spot struct {
	X, Y    float64
	Blocked string // why a human could not hit it there; "" when they could
}

const detached = "gone"

var errDetached = errors.New("it has left the page")

// findSpot tells where the mouse would hit the element and not something above
// it. Told to settle, it first scrolls the element into view and waits until it
// stands still: until three frames in a row show it at one place, and no
// animation or transition that ends moves it or what it stands in. Frames alone
// do not tell, as an animation that has not begun shows nothing yet.
const findSpot = `async function (settle) {
	if (!this.isConnected) return { Blocked: '` + detached + `' };
	const above = node => node.assignedSlot ?? node.parentNode ?? node.host;
	const moves = ({ playState, effect }) => playState === 'running' && Number.isFinite(effect?.getComputedTiming().endTime)
		&& effect.getKeyframes().some(({ offset, computedOffset, easing, composite, ...properties }) =>
			Object.keys(properties).some(name => !/opacity|color|shadow|filter|background|outline|fill|stroke/i.test(name)));
	const moving = () => {
		for (let node = this; node; node = above(node)) {
			if (node.getAnimations?.().some(moves)) return true;
		}
		return false;
	};
	if (settle) this.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
	let box = this.getBoundingClientRect();
	for (let still = 0; settle && still < 2;) {
		` + nextFrame + `;
		const now = this.getBoundingClientRect();
		still = now.x === box.x && now.y === box.y && now.width === box.width && now.height === box.height && !moving() ? still + 1 : 0;
		box = now;
	}
	const X = box.x + box.width / 2, Y = box.y + box.height / 2;
	if (!box.width || !box.height) return { Blocked: 'without a size' };
	if (this.matches(':disabled')) return { Blocked: 'disabled' };
	const hit = this.getRootNode().elementFromPoint(X, Y);
	const within = (node, root) => { while (node && node !== root) node = above(node); return Boolean(node) };
	const ok = within(hit, this) || [...(this.labels ?? [])].some(label => within(hit, label));
	return { X, Y, Blocked: ok ? '' : 'covered by ' + (hit ? hit.outerHTML.slice(0, 200) : 'nothing, off screen') };
}`

// throughFrame turns a place in an iframe's document into one of the document
// that the iframe stands in.
const throughFrame = `async function (x, y) {
	const place = () => {
		const box = this.getBoundingClientRect(), style = getComputedStyle(this);
		return [box.x + this.clientLeft + parseFloat(style.paddingLeft) + x, box.y + this.clientTop + parseFloat(style.paddingTop) + y];
	};
	const visible = () => X >= 0 && Y >= 0 && X < innerWidth && Y < innerHeight;
	let [X, Y] = place();
	if (!visible()) {
		this.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
		` + nextFrame + `;
		[X, Y] = place();
	}
	if (!visible()) {
		scrollBy({ left: X - innerWidth / 2, top: Y - innerHeight / 2, behavior: 'instant' });
		` + nextFrame + `;
		[X, Y] = place();
	}
	const hit = this.getRootNode().elementFromPoint(X, Y);
	return { X, Y, Blocked: hit === this ? '' : 'in a frame that is covered by ' + (hit ? hit.outerHTML.slice(0, 200) : 'nothing, off screen') };
}`

// Spot waits until a human could hit the element, scrolls it into view, and
// returns where it is in the page's viewport, in CSS pixels: for ClickAt, when
// something else may be there by then.
func (e *Element) Spot(ctx context.Context) (x, y float64, err error) {
	there := "the page is busy"
	for {
		at, err := e.look(ctx, true)
		if err == nil && at.Blocked == "" {
			return at.X, at.Y, nil
		}
		if err == nil {
			there = "it is " + at.Blocked
		}
		if at.Blocked == detached {
			return 0, 0, fmt.Errorf("%s: %w", e.what, errDetached)
		}
		if stop := stopped(ctx, e.f); stop == errFrameGone {
			return 0, 0, fmt.Errorf("%s: %w", e.what, errDetached)
		} else if stop != nil {
			return 0, 0, waited(e.what+" to be where a human can click it", stop, there)
		}
		pause(ctx, e)
	}
}

// look returns where in the page's viewport the element is.
func (e *Element) look(ctx context.Context, settle bool) (spot, error) {
	at, err := Read[spot](ctx, e, findSpot, settle)
	if err != nil || at.Blocked != "" {
		return at, err
	}
	return e.f.lift(ctx, at)
}

// lift turns a place in the frame into one of the page.
func (f *Frame) lift(ctx context.Context, at spot) (spot, error) {
	for {
		f.p.mu.Lock()
		parent := f.p.frames[f.parent]
		f.p.mu.Unlock()
		if parent == nil {
			return at, nil
		}
		s, _, err := parent.place(ctx)
		if err != nil {
			return at, err
		}
		owner, err := call(ctx, s, dom.GetFrameOwner, dom.GetFrameOwnerParams{FrameID: f.id})
		if err != nil {
			return at, err
		}
		iframe, err := found{parent, s, owner.BackendNodeID}.resolve(ctx, "the frame")
		if err != nil {
			return at, err
		}
		if at, err = Read[spot](ctx, iframe, throughFrame, at.X, at.Y); err != nil || at.Blocked != "" {
			return at, err
		}
		f = parent
	}
}

// Click presses and releases the left mouse button over the element, as soon as
// a human could: it stands still, is enabled and not covered.
func (e *Element) Click(ctx context.Context) error { return e.click(ctx, 1) }

// DoubleClick is two clicks in a row, as a hasty human makes them.
func (e *Element) DoubleClick(ctx context.Context) error { return e.click(ctx, 2) }

// click moves the mouse to the element, and presses if it is still there then:
// it may move or be covered because the mouse comes.
func (e *Element) click(ctx context.Context, times int) error {
	for {
		x, y, err := e.Spot(ctx)
		if err != nil {
			return err
		}
		if err := e.f.p.ClickAt(ctx, x, y, 0); err != nil {
			return err
		}
		if now, err := e.look(ctx, false); err == nil && now == (spot{X: x, Y: y}) {
			return e.f.p.press(ctx, x, y, times)
		}
	}
}

// ClickAt moves the mouse to a place of the viewport, in CSS pixels, and clicks
// there so many times in a row; 0 only moves it.
func (p *Page) ClickAt(ctx context.Context, x, y float64, times int) error {
	run, cancel := p.main.during(ctx)
	defer cancel()
	if err := chromedp.Do(run, chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x, y)); err != nil {
		return fmt.Errorf("move the mouse to %v, %v: %w", x, y, cause(run, err))
	}
	return p.press(ctx, x, y, times)
}

// press clicks where the mouse is already.
func (p *Page) press(ctx context.Context, x, y float64, times int) error {
	run, cancel := p.main.during(ctx)
	defer cancel()
	var err error
	for n := 1; n <= times && err == nil; n++ {
		err = chromedp.Do(run, chromedp.MouseClickXY(x, y, func(p *input.DispatchMouseEventParams) { p.ClickCount = int64(n) }))
	}
	if err != nil {
		return fmt.Errorf("click at %v, %v: %w", x, y, cause(run, err))
	}
	return nil
}

// Press sends keys to whatever has the focus; package chromedp/kb names those
// that are no characters.
func (p *Page) Press(ctx context.Context, keys string) error {
	run, cancel := p.main.during(ctx)
	defer cancel()
	if err := chromedp.Do(run, chromedp.KeyEvent(keys)); err != nil {
		return fmt.Errorf("press %q: %w", keys, cause(run, err))
	}
	return nil
}

// Fill replaces the text of a field as a human does: click, select all, type.
func (e *Element) Fill(ctx context.Context, text string) error {
	if err := e.Click(ctx); err != nil {
		return err
	}
	p := e.f.p
	run, cancel := p.main.during(ctx)
	defer cancel()
	err := chromedp.Do(run, chromedp.KeyEvent("a", chromedp.KeyModifiers(chromedp.ModifierCtrl),
		func(k *input.DispatchKeyEventParams) { k.Commands = []string{"selectAll"} }))
	if err != nil {
		return fmt.Errorf("select the text of %s: %w", e.what, cause(run, err))
	}
	if text == "" {
		text = "\b"
	}
	return p.Press(ctx, text)
}

// Text returns the text of the element as it is shown.
func (e *Element) Text(ctx context.Context) (string, error) {
	return Read[string](ctx, e, `function () { return this.innerText ?? this.textContent }`)
}

// Focused reports whether the element has the keyboard.
func (e *Element) Focused(ctx context.Context) (bool, error) {
	return Read[bool](ctx, e, `function () { return this.getRootNode().activeElement === this && document.hasFocus() }`)
}

// Until waits until a JavaScript expression about the element, "this", is truthy.
func (e *Element) Until(ctx context.Context, expression string) error {
	for {
		ok, err := Read[bool](ctx, e, "async function () { const ok = () => ("+expression+"); if (ok()) return true; "+nextFrame+"; return Boolean(ok()) }")
		if ok {
			return nil
		}
		if stop := stopped(ctx, e.f); stop != nil {
			return waited(expression+" of "+e.what, stop, "it is not")
		}
		if err != nil {
			return fmt.Errorf("waited for %s: %w", expression, err)
		}
	}
}

// Read calls a JavaScript function on the element, which is its this, with
// arguments that become JSON, and returns what it returns or resolves to, as
// Eval does.
func Read[T any](ctx context.Context, e *Element, function string, args ...any) (T, error) {
	var none T
	arguments := make([]*runtime.CallArgument, len(args))
	for i, arg := range args {
		text, err := json.Marshal(arg)
		if err != nil {
			return none, fmt.Errorf("argument %d of a script: %w", i, err)
		}
		arguments[i] = &runtime.CallArgument{Value: text}
	}
	result, err := call(ctx, e.s, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: function,
		ObjectID:            e.object,
		Arguments:           arguments,
		ReturnByValue:       new(true),
		AwaitPromise:        new(true),
	})
	if err != nil {
		return none, fmt.Errorf("%s: %w", e.what, err)
	}
	value, err := valueOf[T](result.Result, result.ExceptionDetails)
	if err != nil {
		return none, fmt.Errorf("%s: %w", e.what, err)
	}
	return value, nil
}
