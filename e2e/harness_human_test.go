package e2e

import (
	"encoding/json"
	"fmt"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// element is a node that a person can perceive: it is in the accessibility
// tree, under a role and a name.
type element struct {
	p      *page
	object runtime.RemoteObjectID
	what   string
}

// find waits until exactly one element has the role and the accessible name.
func (p *page) find(role, name string) *element {
	p.tb.Helper()
	return p.findIn("", role, name)
}

// find is page.find below an element.
func (e *element) find(role, name string) *element {
	e.p.tb.Helper()
	return e.p.findIn(e.object, role, name)
}

func (p *page) findIn(root runtime.RemoteObjectID, role, name string) *element {
	p.tb.Helper()
	what := fmt.Sprintf("%s %q", role, name)
	for {
		nodes, err := p.query(root, role, name)
		if err == nil && len(nodes) == 1 {
			var resolved dom.ResolveNodeResult
			resolved, err = chromedp.Call(p.ctx, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: nodes[0]})
			if err == nil {
				return &element{p, resolved.Object.ObjectID, what}
			}
		}
		if p.ctx.Err() != nil {
			require.FailNow(p.tb, "waited in vain", "for exactly one %s; found %d; %v", what, len(nodes), err)
		}
		p.nextFrame()
	}
}

// gone waits until no element has the role and the accessible name.
func (p *page) gone(role, name string) {
	p.tb.Helper()
	for {
		nodes, err := p.query("", role, name)
		if err == nil && len(nodes) == 0 {
			return
		}
		if p.ctx.Err() != nil {
			require.FailNow(p.tb, "waited in vain", "for %s %q to go; %v", role, name, err)
		}
		p.nextFrame()
	}
}

// count returns how many elements have the role and the accessible name now.
func (p *page) count(role, name string) int {
	p.tb.Helper()
	nodes, err := p.query("", role, name)
	require.NoError(p.tb, err)
	return len(nodes)
}

// query returns the nodes with this role and name that are not hidden from
// assistive technology, as everything outside an open modal dialog is.
func (p *page) query(root runtime.RemoteObjectID, role, name string) ([]cdp.BackendNodeID, error) {
	if root == "" {
		document, err := chromedp.Call(p.ctx, runtime.Evaluate, runtime.EvaluateParams{Expression: "document"})
		if err != nil {
			return nil, err
		}
		root = document.Result.ObjectID
	}
	result, err := chromedp.Call(p.ctx, accessibility.QueryAXTree, accessibility.QueryAXTreeParams{
		ObjectID: root, Role: role, AccessibleName: name,
	})
	if err != nil {
		return nil, err
	}
	var nodes []cdp.BackendNodeID
	for _, node := range result.Nodes {
		if !node.Ignored && node.BackendDOMNodeID != 0 {
			nodes = append(nodes, node.BackendDOMNodeID)
		}
	}
	return nodes, nil
}

// nextFrame lets the page make progress between two looks at it.
func (p *page) nextFrame() {
	// An error here is the page navigating or the deadline; both show at the
	// next look.
	_, _ = tryRun[nothing](p, `() => new Promise(next => { requestAnimationFrame(next); setTimeout(next, 100) })`)
}

// target is where to put the mouse for an element.
type target struct {
	X, Y    float64
	Blocked string // why a person could not hit it there; "" when they could
}

// spot scrolls the element into view, waits until it stands still, and checks
// that the mouse would hit it and not something above it.
const spot = `async function () {
	const frame = () => new Promise(next => { requestAnimationFrame(next); setTimeout(next, 100) });
	if (!this.isConnected) return { Blocked: 'gone' };
	this.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
	let box = this.getBoundingClientRect();
	for (;;) {
		await frame();
		const now = this.getBoundingClientRect();
		const still = now.x === box.x && now.y === box.y && now.width === box.width && now.height === box.height;
		box = now;
		if (still) break;
	}
	const X = box.x + box.width / 2, Y = box.y + box.height / 2;
	if (!box.width || !box.height) return { Blocked: 'without a size' };
	if (this.matches(':disabled')) return { Blocked: 'disabled' };
	const hit = document.elementFromPoint(X, Y);
	const ok = hit && (this.contains(hit) || [...(this.labels ?? [])].some(label => label.contains(hit)));
	return { X, Y, Blocked: ok ? '' : 'covered by ' + (hit ? hit.outerHTML.slice(0, 200) : 'nothing, off screen') };
}`

// click presses and releases the left mouse button over the element.
func (e *element) click() {
	e.p.tb.Helper()
	for {
		at, err := callOn[target](e, spot)
		if err == nil && at.Blocked == "" {
			e.p.clickAt(at.X, at.Y)
			return
		}
		if e.p.ctx.Err() != nil {
			require.FailNow(e.p.tb, "cannot click", "%s: %s %v", e.what, at.Blocked, err)
		}
		require.NotEqual(e.p.tb, "gone", at.Blocked, "%s left the page", e.what)
		e.p.nextFrame()
	}
}

// click finds an element by role and name and clicks it.
func (p *page) click(role, name string) {
	p.tb.Helper()
	p.find(role, name).click()
}

func (p *page) clickAt(x, y float64) {
	p.tb.Helper()
	require.NoError(p.tb, chromedp.Do(p.ctx,
		chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x, y),
		chromedp.MouseClickXY(x, y),
	), "click at %v, %v", x, y)
}

// press sends keys to whatever has the focus; see chromedp/kb for those that
// are no characters.
func (p *page) press(keys string) {
	p.tb.Helper()
	require.NoError(p.tb, chromedp.Do(p.ctx, chromedp.KeyEvent(keys)), "press %q", keys)
}

// fill replaces the text of a field as a person does: click, select all, type.
func (e *element) fill(text string) {
	e.p.tb.Helper()
	e.click()
	require.NoError(e.p.tb, chromedp.Do(e.p.ctx, chromedp.KeyEvent("a", chromedp.KeyModifiers(chromedp.ModifierCtrl),
		func(k *input.DispatchKeyEventParams) { k.Commands = []string{"selectAll"} })))
	if text == "" {
		e.p.press("\b")
		return
	}
	e.p.press(text)
}

// text returns the element's text as it is shown.
func (e *element) text() string {
	e.p.tb.Helper()
	return read[string](e, `function () { return this.innerText }`)
}

// attr returns an attribute, "" when it is not there.
func (e *element) attr(name string) string {
	e.p.tb.Helper()
	return read[string](e, `function (name) { return this.getAttribute(name) ?? '' }`, name)
}

// checked reports whether a checkbox is on.
func (e *element) checked() bool {
	e.p.tb.Helper()
	return read[bool](e, `function () { return this.checked }`)
}

// focused reports whether the element has the keyboard.
func (e *element) focused() bool {
	e.p.tb.Helper()
	return read[bool](e, `function () { return document.activeElement === this && document.hasFocus() }`)
}

// until waits for a JavaScript expression about the element, "this", to be
// truthy.
func (e *element) until(expression string) {
	e.p.tb.Helper()
	_, err := callOn[nothing](e, fmt.Sprintf(`async function () {
		while (!(%s)) await new Promise(next => { requestAnimationFrame(next); setTimeout(next, 100) });
	}`, expression))
	require.NoError(e.p.tb, err, "waited for %s of %s", expression, e.what)
}

// read calls a JavaScript function on the element.
func read[T any](e *element, function string, args ...any) T {
	e.p.tb.Helper()
	value, err := callOn[T](e, function, args...)
	require.NoError(e.p.tb, err, e.what)
	return value
}

func callOn[T any](e *element, function string, args ...any) (T, error) {
	var value T
	arguments := make([]*runtime.CallArgument, len(args))
	for i, arg := range args {
		text, err := json.Marshal(arg)
		if err != nil {
			return value, err
		}
		arguments[i] = &runtime.CallArgument{Value: text}
	}
	result, err := chromedp.Call(e.p.ctx, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: function,
		ObjectID:            e.object,
		Arguments:           arguments,
		ReturnByValue:       new(true),
		AwaitPromise:        new(true),
	})
	if err != nil {
		return value, err
	}
	if result.ExceptionDetails != nil {
		return value, fmt.Errorf("%s", exceptionText(result.ExceptionDetails))
	}
	if _, ok := any(value).(nothing); ok || len(result.Result.Value) == 0 {
		return value, nil
	}
	return value, json.Unmarshal(result.Result.Value, &value)
}

// spotOf is spot as a page function, for an element that has no role and name
// to find it by.
func spotOf(expression string) string {
	return "() => (" + spot + ").call(" + expression + ")"
}

// doubleClick is two clicks in a row, as a hasty person makes them.
func doubleClick(x, y float64) chromedp.Action[chromedp.Void] {
	return chromedp.Steps(
		chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x, y),
		chromedp.MouseClickXY(x, y),
		chromedp.MouseClickXY(x, y, func(p *input.DispatchMouseEventParams) { p.ClickCount = 2 }),
	)
}
