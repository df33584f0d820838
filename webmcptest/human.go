package webmcptest

import (
	"context"

	"github.com/webmcp-wasm/webmcp/driver"
)

// Element is a node that a human can perceive, by its role and name.
type Element struct {
	*driver.Element
	p *Page
}

// Find waits until exactly one element has the role and the accessible name; see
// driver.Find.
func (p *Page) Find(role, name string) *Element {
	p.tb.Helper()
	return p.find(p.root, role, name)
}

// Find is Page.Find below the element.
func (e *Element) Find(role, name string) *Element {
	e.p.tb.Helper()
	return e.p.find(e.Element, role, name)
}

func (p *Page) find(root driver.Root, role, name string) *Element {
	p.tb.Helper()
	return &Element{step(p, func(ctx context.Context) (*driver.Element, error) { return driver.Find(ctx, root, role, name) }), p}
}

// AwaitGone waits until no element has the role and the name.
func (p *Page) AwaitGone(role, name string) {
	p.tb.Helper()
	p.try(func(ctx context.Context) error { return driver.AwaitGone(ctx, p.root, role, name) })
}

// Count returns how many elements have the role and the name now.
func (p *Page) Count(role, name string) int {
	p.tb.Helper()
	return step(p, func(ctx context.Context) (int, error) { return driver.Count(ctx, p.root, role, name) })
}

// Click finds an element and clicks it, as soon as a human could.
func (p *Page) Click(role, name string) {
	p.tb.Helper()
	p.try(func(ctx context.Context) error { return driver.Click(ctx, p.root, role, name) })
}

// ClickAt clicks a place of the viewport, in CSS pixels, so many times in a row.
func (p *Page) ClickAt(x, y float64, times int) {
	p.tb.Helper()
	p.try(func(ctx context.Context) error { return p.page.ClickAt(ctx, x, y, times) })
}

// Press sends keys to whatever has the focus; package chromedp/kb names those
// that are no characters.
func (p *Page) Press(keys string) {
	p.tb.Helper()
	p.try(func(ctx context.Context) error { return p.page.Press(ctx, keys) })
}

// Click clicks the element, as soon as a human could.
func (e *Element) Click() {
	e.p.tb.Helper()
	e.p.try(e.Element.Click)
}

// DoubleClick is two clicks in a row, as a hasty human makes them.
func (e *Element) DoubleClick() {
	e.p.tb.Helper()
	e.p.try(e.Element.DoubleClick)
}

// Spot waits until a human could hit the element, and returns where in the
// viewport, in CSS pixels; see Page.ClickAt.
func (e *Element) Spot() (x, y float64) {
	e.p.tb.Helper()
	e.p.try(func(ctx context.Context) (err error) {
		x, y, err = e.Element.Spot(ctx)
		return err
	})
	return x, y
}

// Fill replaces the text of a field as a human does.
func (e *Element) Fill(text string) {
	e.p.tb.Helper()
	e.p.try(func(ctx context.Context) error { return e.Element.Fill(ctx, text) })
}

// Text returns the text of the element as it is shown.
func (e *Element) Text() string {
	e.p.tb.Helper()
	return step(e.p, e.Element.Text)
}

// Focused reports whether the element has the keyboard.
func (e *Element) Focused() bool {
	e.p.tb.Helper()
	return step(e.p, e.Element.Focused)
}

// Checked reports whether a checkbox is on.
func (e *Element) Checked() bool {
	e.p.tb.Helper()
	return Read[bool](e, `function () { return this.checked }`)
}

// Attr returns an attribute; "" when there is none.
func (e *Element) Attr(name string) string {
	e.p.tb.Helper()
	return Read[string](e, `function (name) { return this.getAttribute(name) ?? '' }`, name)
}

// Until waits until a JavaScript expression about the element, "this", is truthy.
func (e *Element) Until(expression string) {
	e.p.tb.Helper()
	e.p.try(func(ctx context.Context) error { return e.Element.Until(ctx, expression) })
}

// Read calls a JavaScript function on the element, which is its this; see Eval.
func Read[T any](e *Element, function string, args ...any) T {
	e.p.tb.Helper()
	return step(e.p, func(ctx context.Context) (T, error) { return driver.Read[T](ctx, e.Element, function, args...) })
}

// ColorScheme makes the page believe that its reader prefers "light" or "dark".
func (p *Page) ColorScheme(scheme string) {
	p.tb.Helper()
	p.try(func(ctx context.Context) error { return p.page.ColorScheme(ctx, scheme) })
}

// Media makes the page believe that its reader prefers this; see
// driver.Page.Media.
func (p *Page) Media(features map[string]string) {
	p.tb.Helper()
	p.try(func(ctx context.Context) error { return p.page.Media(ctx, features) })
}

// Viewport sets the size of the page in CSS pixels.
func (p *Page) Viewport(width, height int) {
	p.tb.Helper()
	p.try(func(ctx context.Context) error { return p.page.Viewport(ctx, width, height) })
}

// Phone makes the tab that of a phone of this size in CSS pixels.
func (p *Page) Phone(width, height int) {
	p.tb.Helper()
	p.try(func(ctx context.Context) error { return p.page.Phone(ctx, width, height) })
}

// Screenshot returns a picture of what the page shows, as PNG.
func (p *Page) Screenshot() []byte {
	p.tb.Helper()
	return step(p, p.page.Screenshot)
}

// OnNewDocument runs a script in every document of the page from now on, before
// the document's own scripts.
func (p *Page) OnNewDocument(script string) {
	p.tb.Helper()
	p.try(func(ctx context.Context) error { return p.page.OnNewDocument(ctx, script) })
}
