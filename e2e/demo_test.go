package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	demoserver "github.com/webmcp-wasm/webmcp/demo/server"
	"github.com/webmcp-wasm/webmcp/driver"
	"github.com/webmcp-wasm/webmcp/webmcptest"
)

// demo serves the demo site as go run ./demo does.
var demo = &server{handler: func(tb testing.TB) http.Handler {
	tb.Helper()
	root, err := buildDist()
	require.NoError(tb, err, "build the library")
	handler, err := demoserver.New(root)
	require.NoError(tb, err, "serve the demo")
	return handler
}}

// The names of the library's dialog, when it asks about a checkout and about
// anything else.
const (
	approvalModal = "Place this order?"
	otherModal    = "Allow this action?"
)

var demoTools = []string{
	"add_to_cart", "cancel_order", "checkout", "get_cart", "get_order", "get_product", "remove_from_cart", "search_products", "update_cart",
}

// cart is what get_cart answers.
type cart struct {
	Lines []struct {
		ProductID string `json:"productId"`
		Quantity  int    `json:"quantity"`
	} `json:"lines"`
	Count    int     `json:"count"`
	Total    float64 `json:"total"`
	Currency string  `json:"currency"`
}

// order is what checkout answers.
type order struct {
	ID    string          `json:"id"`
	Email string          `json:"email"`
	Lines json.RawMessage `json:"lines"`
	Total float64         `json:"total"`
}

// entry is one line of the hook log.
type entry struct {
	Phase, Tool, Invocation, Text string
}

// shop is the demo page, with the agent and the human in front of it.
type shop struct {
	*webmcptest.Page
	tb testing.TB
}

// openShop opens the demo and waits until the tools are there.
func openShop(tb testing.TB, b webmcptest.Options) shop {
	tb.Helper()
	p := newPage(tb, b)
	p.Open(demo.url(tb, demoserver.Home))
	p.WaitFor(`globalThis.webmcp?.registry.list().filter(tool => tool.status === 'registered').length === 9`)
	if !b.Browser.WithoutWebMCP {
		p.AwaitTools(demoTools...)
	}
	return shop{p, tb}
}

// addByAgent has the agent put products into the cart.
func (s shop) addByAgent(products ...string) {
	s.tb.Helper()
	for _, product := range products {
		s.Ask("add_to_cart", map[string]any{"productId": product, "quantity": 1})
	}
}

// cart asks the page's own function, so that no hook runs for the asking.
func (s shop) cart() cart {
	s.tb.Helper()
	return webmcptest.Eval[cart](s.Page, `async () => (await import('/demo/shop.js')).getCart()`)
}

// log returns the hook log's entries, newest first.
func (s shop) log() []entry {
	s.tb.Helper()
	return webmcptest.Read[[]entry](s.Find("log", "Hook log"), `function () {
		return [...this.children].map(child => ({ phase: child.dataset.phase, tool: child.dataset.tool,
			invocation: child.dataset.invocation, text: child.innerText }));
	}`)
}

// phases returns the phases of a tool's log entries, oldest first.
func (s shop) phases(tool string) []string {
	s.tb.Helper()
	var phases []string
	for _, e := range s.log() {
		if e.Tool == tool {
			phases = append([]string{e.Phase}, phases...)
		}
	}
	return phases
}

// checkout has the agent check out.
func (s shop) checkout(email string) *webmcptest.Call {
	s.tb.Helper()
	return s.Invoke("checkout", map[string]string{"email": email, "address": "12 Analytical Row"})
}

// asked waits until the human is asked about a checkout with this e-mail address.
func (s shop) asked(email string) *webmcptest.Element {
	s.tb.Helper()
	modal := s.Find("dialog", approvalModal)
	modal.Until(fmt.Sprintf(`this.innerText.includes(%q)`, email))
	return modal
}

// approve has the human approve what the dialog asks, once that is possible.
func (s shop) approve() {
	s.tb.Helper()
	armed(s.Page).Click()
}

// placeOrder has the agent order a product, and the human approve it.
func (s shop) placeOrder(product string) order {
	s.tb.Helper()
	s.addByAgent(product)
	call := s.checkout("ada@example.com")
	s.approve()
	return s.orderOf(call)
}

// countQuestions has window.questions count how often the human is asked.
func (s shop) countQuestions() {
	s.tb.Helper()
	s.Do(`() => { window.questions = 0; webmcp.approvals.onChange(() => { questions += webmcp.approvals.pending().length }) }`)
}

// orderOf returns the order that a checkout answered with.
func (s shop) orderOf(call *webmcptest.Call) order {
	s.tb.Helper()
	o := webmcptest.Decode[order](call)
	require.NotEmpty(s.tb, o.ID)
	return o
}

func TestDemoOffersTheShopAsTools(t *testing.T) {
	t.Parallel()
	s := openShop(t, withWebMCP)
	inputs := map[string][]string{ // the first of each is required
		"search_products": {"query", "limit"}, "get_product": {"productId"}, "get_cart": nil,
		"add_to_cart": {"productId", "quantity"}, "update_cart": {"productId", "quantity"},
		"remove_from_cart": {"productId"}, "checkout": {"email", "address"}, "cancel_order": {"orderId"},
		"get_order": {"orderId"},
	}
	for name, members := range inputs {
		tool := s.Tool(name)
		require.NotEmpty(t, tool.Description)
		var schema struct {
			Type       string
			Properties map[string]any
			Required   []string
		}
		require.NoError(t, json.Unmarshal(tool.InputSchema, &schema))
		require.Equal(t, "object", schema.Type)
		require.Len(t, schema.Properties, len(members), name)
		for _, member := range members {
			require.Contains(t, schema.Properties, member, name)
		}
		if len(members) > 0 {
			require.Contains(t, schema.Required, members[0], name)
		}
		readOnly := strings.HasPrefix(name, "search_") || strings.HasPrefix(name, "get_")
		require.Equal(t, readOnly, tool.Annotations.ReadOnly, name)
		require.Equal(t, name == "checkout" || name == "cancel_order", tool.Annotations.Consequential, name)
	}
}

func TestDemoAgentChecksOutAndHumanApproves(t *testing.T) {
	t.Parallel()
	s := openShop(t, withWebMCP)
	c := webmcptest.Decode[cart](s.Invoke("add_to_cart", map[string]any{"productId": "keyboard", "quantity": 2}))
	require.Equal(t, 2, c.Count)

	call := s.checkout("ada@example.com")
	modal := s.Find("dialog", approvalModal)
	require.Contains(t, modal.Text(), "checkout")
	require.Contains(t, modal.Text(), "ada@example.com", "the human sees the whole input")
	require.Contains(t, modal.Text(), "12 Analytical Row")
	require.Contains(t, modal.Text(), "Order 2 × Keyboard for €258.00.", "and what the order is")
	require.True(t, modal.Find("button", "Deny").Focused(), "the safe answer has the keyboard")
	require.Zero(t, s.Count("radio", ""), "the same arguments are not the same cart: no answer is remembered")
	require.False(t, call.Done())
	require.Equal(t, []string{"before"}, s.phasesUnderModal("checkout"))

	s.approve()
	o := s.orderOf(call)
	s.AwaitGone("dialog", approvalModal)
	require.Equal(t, "a***@example.com", o.Email, "the agent gets a redacted address")
	require.Equal(t, c.Total, o.Total)
	require.Contains(t, string(o.Lines), "keyboard")
	require.Zero(t, s.cart().Count)
	after := webmcptest.Decode[cart](s.Invoke("get_cart", nil))
	require.Zero(t, after.Count)
	require.Equal(t, c.Currency, after.Currency)

	var checkout []entry
	for _, e := range s.log() {
		if e.Tool == "checkout" {
			checkout = append(checkout, e)
		}
	}
	require.Len(t, checkout, 2)
	require.Equal(t, "after", checkout[0].Phase, "newest first")
	require.Equal(t, "before", checkout[1].Phase)
	id := checkout[0].Invocation
	require.Equal(t, id, checkout[1].Invocation)
	require.Regexp(t, `^[0-9a-f-]{36}$`, id)
	for _, e := range checkout {
		require.Contains(t, e.Text, "checkout")
		require.Contains(t, e.Text, id[:8])
		require.Regexp(t, `\d{2}:\d{2}:\d{2}`, e.Text, "the time")
	}
	require.Contains(t, checkout[1].Text, "ada@example.com", "the input")
	require.Contains(t, checkout[0].Text, o.ID, "the output")
	require.Regexp(t, `approve \(dialog\) after \d+\.\d s`, checkout[0].Text, "who approved")
	require.Regexp(t, `\d ms`, checkout[0].Text, "the duration")

	var lines []string
	for _, line := range s.Console() {
		if _, line, ok := strings.Cut(line, "[webmcp:hook] "); ok && strings.Contains(line, "checkout") {
			lines = append(lines, strings.Join(strings.Fields(line)[:3], " "))
		}
	}
	require.Equal(t, []string{"before checkout #" + id[:8], "after checkout #" + id[:8]}, lines)
}

// phasesUnderModal is phases while the modal hides the log from people.
func (s shop) phasesUnderModal(tool string) []string {
	s.tb.Helper()
	return webmcptest.Eval[[]string](s.Page, `tool => [...document.querySelectorAll('[role=log] > [data-tool="' + tool + '"]')].map(e => e.dataset.phase).reverse()`, tool)
}

func TestDemoHumanDenies(t *testing.T) {
	t.Parallel()
	s := openShop(t, withWebMCP)
	s.addByAgent("mouse")
	for how, deny := range map[string]func(){
		"with the button": func() { s.Click("button", "Deny") },
		"with Escape":     func() { s.Press(kb.Escape) },
		"with Enter":      func() { s.Press(kb.Enter) }, // the focus is on Deny
	} {
		s.About("deny %s", how)
		s.Do(`() => { for (const entry of document.querySelectorAll('[role=log] > *')) entry.remove() }`)
		call := s.checkout("ada@example.com")
		require.True(t, s.Find("dialog", approvalModal).Find("button", "Deny").Focused())
		deny()
		a := call.Result()
		s.AwaitGone("dialog", approvalModal)
		require.True(t, a.IsError)
		require.Equal(t, "USER_DENIED", a.Code)
		require.True(t, strings.HasPrefix(onlyText(t, a), "Denied: "), onlyText(t, a))
		require.Equal(t, []string{"before", "denied"}, s.phases("checkout"))
		newest := s.log()[0]
		require.Contains(t, newest.Text, "USER_DENIED")
		require.Contains(t, newest.Text, strings.TrimPrefix(onlyText(t, a), "Denied: "), "the reason")
		require.Contains(t, newest.Text, "deny (dialog)", "who denied")
		require.Equal(t, 1, s.cart().Count, "no order was placed")
	}
}

func TestDemoHumanApprovesWithTheKeyboard(t *testing.T) {
	t.Parallel()
	s := openShop(t, withWebMCP)
	s.addByAgent("mouse")
	call := s.checkout("ada@example.com")
	approve := armed(s.Page)
	s.Press(kb.Tab)
	require.True(t, approve.Focused())
	s.Press(kb.Enter)
	s.orderOf(call)
	require.Zero(t, s.cart().Count)
}

func TestDemoWithoutApproval(t *testing.T) {
	t.Parallel()
	s := openShop(t, withWebMCP)
	s.addByAgent("monitor")
	toggle := s.Find("checkbox", "Require approval for checkout")
	require.True(t, toggle.Checked(), "on by default")
	toggle.Click()
	require.False(t, toggle.Checked())
	s.countQuestions()
	o := s.orderOf(s.checkout("grace@example.com"))
	require.Equal(t, "g***@example.com", o.Email)
	require.Zero(t, webmcptest.Eval[int](s.Page, `() => questions`), "nobody was asked")
	require.Equal(t, []string{"before", "after"}, s.phases("checkout"))

	toggle.Click()
	s.addByAgent("monitor")
	call := s.checkout("grace@example.com")
	s.Find("dialog", approvalModal).Find("button", "Deny").Click()
	require.True(t, call.Result().IsError, "switched on again it asks again")
}

func TestDemoAgentCancelsWhileTheModalIsOpen(t *testing.T) {
	t.Parallel()
	s := openShop(t, withWebMCP)
	s.addByAgent("webcam")
	call := s.checkout("ada@example.com")
	modal := s.Find("dialog", approvalModal)
	x, y := modal.Find("button", "Approve").Spot()
	armed(s.Page)
	call.Cancel()
	s.AwaitGone("dialog", approvalModal)
	require.ErrorIs(t, call.Err(), driver.ErrCanceled)

	s.ClickAt(x, y, 1) // where Approve was
	s.WaitFor(`document.querySelector('[role=log] > [data-phase=error]')`)
	require.Equal(t, []string{"before", "error"}, s.phases("checkout"))
	require.Contains(t, s.log()[0].Text, "AbortError")
	require.Equal(t, 1, s.cart().Count, "no order was placed")

	call = s.checkout("ada@example.com")
	s.approve()
	s.orderOf(call)
}

func TestDemoFailuresTellWhatToDo(t *testing.T) {
	t.Parallel()
	s := openShop(t, withWebMCP)
	s.Click("checkbox", "Require approval for checkout")
	for _, c := range []struct {
		tool   string
		input  any
		reason string
	}{
		{"get_product", map[string]string{"productId": "unicorn"}, "unicorn"},
		{"add_to_cart", map[string]any{"productId": "unicorn", "quantity": 1}, "unicorn"},
		{"remove_from_cart", map[string]string{"productId": "mouse"}, "mouse"},
	} {
		s.About("%s %v", c.tool, c.input)
		a := s.Invoke(c.tool, c.input).Result()
		require.True(t, a.IsError)
		require.Empty(t, a.Code)
		text := onlyText(t, a)
		require.True(t, strings.HasPrefix(text, "Error: "), text)
		require.Contains(t, text, c.reason)
		newest := s.log()[0]
		if newest.Phase == "report" { // a rule that is on trial
			newest = s.log()[1]
		}
		require.Equal(t, "error", newest.Phase)
		require.Equal(t, c.tool, newest.Tool)
		require.Contains(t, newest.Text, strings.TrimPrefix(text, "Error: "))
	}
	s.addByAgent("keyboard")
	s.orderOf(s.checkout("ada@example.com"))
}

func TestDemoAsksNobodyAboutACallThatCannotSucceed(t *testing.T) {
	t.Parallel()
	s := openShop(t, withWebMCP)
	s.countQuestions()
	refused := func(tool string, input map[string]string, code, text string) {
		t.Helper()
		a := s.Invoke(tool, input).Result()
		require.True(t, a.IsError)
		require.Equal(t, code, a.Code)
		require.Contains(t, onlyText(t, a), text)
	}
	refused("checkout", map[string]string{"email": "ada@example.com"}, "CART_EMPTY", "Denied: The cart is empty")
	refused("cancel_order", map[string]string{"orderId": "K-1"}, "ORDER_UNKNOWN", `There is no order "K-1"`)
	s.Click("checkbox", "Require approval for checkout")
	refused("checkout", map[string]string{"email": "ada@example.com"}, "CART_EMPTY", "Denied: The cart is empty")
	s.Click("checkbox", "Require approval for checkout")
	s.addByAgent("keyboard")
	for _, email := range []string{"nope", "ada@localhost", "ada @example.com", ""} {
		s.About("%q", email)
		refused("checkout", map[string]string{"email": email}, "", "email")
	}
	require.Zero(t, webmcptest.Eval[int](s.Page, `() => questions`))
	require.Equal(t, 1, s.cart().Count)
}

func TestDemoOrdersOnlyTheCartThatTheHumanWasShown(t *testing.T) {
	t.Parallel()
	s := openShop(t, withWebMCP)
	s.addByAgent("mug")
	call := s.checkout("ada@example.com")
	require.Contains(t, s.asked("ada@example.com").Text(), "Order 1 × Mug for €18.00.")
	s.addByAgent("webcam")
	s.approve()
	a := call.Result()
	require.True(t, a.IsError)
	require.Equal(t, "CART_CHANGED", a.Code)
	require.Equal(t, 2, s.cart().Count, "no order was placed")

	call = s.checkout("ada@example.com")
	require.Contains(t, s.asked("ada@example.com").Text(), "Order 1 × Mug, 1 × Webcam for €107.00.")
	s.approve()
	s.orderOf(call)
}

func TestDemoAsksByPolicyBeforeAnOrderIsCancelled(t *testing.T) {
	t.Parallel()
	s := openShop(t, withWebMCP)
	o := s.placeOrder("keyboard")
	s.Click("checkbox", "Require approval for checkout") // says nothing about other tools
	call := s.Invoke("cancel_order", map[string]string{"orderId": o.ID})
	modal := s.Find("dialog", otherModal)
	require.Contains(t, modal.Text(), "Cancel order")
	require.Contains(t, modal.Text(), "Order "+o.ID+": 1 × Keyboard for €129.00.")
	modal.Find("textbox", "Reason for denying (optional, the agent reads it)").Fill("I need it")
	modal.Find("button", "Deny").Click()
	a := call.Result()
	require.Equal(t, "USER_DENIED", a.Code)
	require.Contains(t, onlyText(t, a), "I need it")

	call = s.Invoke("cancel_order", map[string]string{"orderId": o.ID})
	s.approve()
	cancelled := s.orderOf(call)
	require.Equal(t, "a***@example.com", cancelled.Email)
	s.WaitFor(`document.body.innerText.includes('Order ` + o.ID + ` is cancelled')`)
	a = s.Invoke("cancel_order", map[string]string{"orderId": o.ID}).Result()
	require.Equal(t, "ORDER_CANCELLED", a.Code, "nobody is asked twice")
}

func TestDemoRemembersDecisionsUntilTheyAreRevoked(t *testing.T) {
	t.Parallel()
	s := openShop(t, withWebMCP)
	first, second, third := s.placeOrder("keyboard"), s.placeOrder("mouse"), s.placeOrder("mug")
	cancel := func(o order) *webmcptest.Call { return s.Invoke("cancel_order", map[string]string{"orderId": o.ID}) }
	require.Zero(t, s.Count("heading", "Remembered"))

	call := cancel(first)
	s.Click("radio", "All calls of cancel_order, until this page is closed")
	s.approve()
	s.orderOf(call)
	require.Contains(t, s.Find("list", "Remembered").Text(), "Approved all calls of cancel_order, until this page is closed")
	s.orderOf(cancel(second))
	require.Contains(t, s.log()[0].Text, "approve (remembered)")

	s.Click("button", "Revoke what is remembered for cancel_order")
	s.AwaitGone("heading", "Remembered")
	require.True(t, s.Find("heading", "Waiting for you").Focused(), "the keyboard is near where it was")
	call = cancel(third)
	s.Click("radio", `Calls of cancel_order with the same arguments, until this page is closed`)
	s.Click("button", "Deny")
	require.Equal(t, "USER_DENIED", call.Result().Code)
	require.Contains(t, s.Find("list", "Remembered").Text(), `Denied calls of cancel_order with exactly { "orderId": "`+third.ID+`" }`)
	require.Equal(t, "USER_DENIED", cancel(third).Result().Code, "nobody is asked")
	require.Contains(t, s.log()[0].Text, "deny (remembered)")
}

func TestDemoShowsAQueueWithoutAnAgent(t *testing.T) {
	t.Parallel()
	s := openShop(t, withoutWebMCP)
	s.Click("button", "try two checkouts at once")
	modal := s.asked("ada@example.com")
	modal.Until(`this.innerText.includes('1 more waiting')`)
	modal.Find("button", "Deny").Click()
	modal = s.asked("grace@example.com")
	require.NotContains(t, modal.Text(), "more waiting")
	s.approve()
	s.AwaitGone("dialog", approvalModal)
	s.WaitFor(`document.body.innerText.includes('The confirmation goes to grace@example.com')`)
}

func TestDemoHumanShopsWithoutAnyHook(t *testing.T) {
	t.Parallel()
	s := openShop(t, withWebMCP)
	s.Click("button", "Add Keyboard to cart")
	s.Click("button", "Add Mouse to cart")
	s.Click("button", "+ one more Keyboard")
	s.Click("button", "+ one more Keyboard")
	s.Click("button", "- one fewer Keyboard")
	require.Equal(t, 3, s.cart().Count)
	s.Click("button", "Remove Mouse")
	c := s.cart()
	require.Equal(t, 2, c.Count)
	require.Len(t, c.Lines, 1)
	require.Equal(t, "keyboard", c.Lines[0].ProductID)

	s.Find("textbox", "E-mail").Fill("human@example.com")
	s.Click("button", "Checkout")
	s.WaitFor(`document.body.innerText.includes('human@example.com')`)
	require.Zero(t, s.cart().Count)
	require.Zero(t, s.Count("dialog", approvalModal), "no modal for the human's own checkout")

	require.Empty(t, s.log(), "no hook ran")
	for _, line := range s.Console() {
		require.NotContains(t, line, "[webmcp:hook]")
	}
}

func TestDemoHumanSearches(t *testing.T) {
	t.Parallel()
	s := openShop(t, withWebMCP)
	s.Find("searchbox", "Search products").Fill("keyboard")
	s.AwaitGone("button", "Add Monitor to cart")
	s.Click("button", "Add Keyboard to cart")
	require.Equal(t, 1, s.cart().Count)
	s.Find("searchbox", "Search products").Fill("")
	s.Find("button", "Add Monitor to cart")
	require.Empty(t, s.log())
}

func TestDemoThreeCheckoutsAtOnce(t *testing.T) {
	t.Parallel()
	s := openShop(t, withWebMCP)
	s.addByAgent("keyboard")
	calls := []*webmcptest.Call{s.checkout("one@example.com"), s.checkout("two@example.com"), s.checkout("three@example.com")}
	s.WaitFor(`document.querySelectorAll('[role=log] > [data-tool=checkout][data-phase=before]').length === 3`)

	first := s.Find("dialog", approvalModal)
	require.Contains(t, first.Text(), "one@example.com")
	first.Until(`this.innerText.includes('2 more waiting')`)
	first.Find("button", "Deny").Click()
	require.Equal(t, "USER_DENIED", calls[0].Result().Code)

	s.asked("two@example.com")
	require.False(t, calls[1].Done())
	require.False(t, calls[2].Done())
	s.approve()
	require.Equal(t, "t***@example.com", s.orderOf(calls[1]).Email)

	s.asked("three@example.com")
	require.False(t, calls[2].Done())
	s.approve()
	third := calls[2].Result()
	require.Equal(t, "CART_EMPTY", third.Code, "the second order emptied the cart")
	s.AwaitGone("dialog", approvalModal)

	ids := map[string][]string{}
	for _, e := range s.log() {
		if e.Tool == "checkout" {
			ids[e.Invocation] = append([]string{e.Phase}, ids[e.Invocation]...)
		}
	}
	require.Len(t, ids, 3)
	var ends []string
	for _, phases := range ids {
		require.Len(t, phases, 2)
		ends = append(ends, phases[1])
	}
	require.ElementsMatch(t, []string{"denied", "after", "denied"}, ends)
}

func TestDemoCancellingAWaitingCheckoutKeepsTheOthers(t *testing.T) {
	t.Parallel()
	s := openShop(t, withWebMCP)
	s.addByAgent("keyboard")
	calls := []*webmcptest.Call{s.checkout("one@example.com"), s.checkout("two@example.com"), s.checkout("three@example.com")}
	s.WaitFor(`document.querySelectorAll('[role=log] > [data-tool=checkout][data-phase=before]').length === 3`)
	calls[1].Cancel()
	require.ErrorIs(t, calls[1].Err(), driver.ErrCanceled)
	s.WaitFor(`document.querySelector('[role=log] > [data-phase=error]')`)
	modal := s.Find("dialog", approvalModal)
	require.Contains(t, modal.Text(), "one@example.com", "the question on screen is still the first one")
	modal.Find("button", "Deny").Click()
	require.Equal(t, "USER_DENIED", calls[0].Result().Code)
	s.asked("three@example.com")
	s.approve()
	require.Equal(t, "t***@example.com", s.orderOf(calls[2]).Email)
}

func TestDemoDialogShowsHiddenCharacters(t *testing.T) {
	t.Parallel()
	s := openShop(t, withWebMCP)
	s.addByAgent("keyboard")
	const address = "12\u202e Row\u3164\u2800\u115f\u034f\ufe0f\u00a0\u0085\u200b."
	call := s.Invoke("checkout", map[string]string{"email": "ada@example.com", "address": address})
	modal := s.Find("dialog", approvalModal)
	require.Contains(t, modal.Text(), `12\u{202e} Row\u{3164}\u{2800}\u{115f}\u{34f}\u{fe0f}\u{a0}\u{85}\u{200b}.`)
	modal.Find("button", "Deny").Click()
	require.Equal(t, "USER_DENIED", call.Result().Code)
	for _, entry := range s.log() {
		require.NotContains(t, entry.Text, "\u202e")
	}
}

func TestDemoScriptsCannotApprove(t *testing.T) {
	t.Parallel()
	s := openShop(t, withWebMCP)
	s.addByAgent("keyboard")
	call := s.checkout("ada@example.com")
	s.Find("dialog", approvalModal)
	armed(s.Page)
	require.Zero(t, webmcptest.Eval[int](s.Page, `() => document.querySelectorAll('dialog').length`), "no script sees the dialog")
	s.Do(`() => {
		const { activeElement, documentElement } = document;
		for (const target of [activeElement, documentElement.lastElementChild, documentElement, document, window]) {
			target.click?.();
			for (const type of ['pointerdown', 'mousedown', 'mouseup', 'pointerup', 'click']) {
				target.dispatchEvent(new MouseEvent(type, { bubbles: true, composed: true, cancelable: true, detail: 1 }));
			}
			for (const key of ['Tab', 'Enter', ' ', 'Escape']) {
				for (const type of ['keydown', 'keypress', 'keyup']) {
					target.dispatchEvent(new KeyboardEvent(type, { key, bubbles: true, composed: true, cancelable: true }));
				}
			}
			for (const type of ['close', 'cancel', 'submit']) target.dispatchEvent(new Event(type, { cancelable: true }));
		}
	}`)
	require.False(t, call.Done(), "a script's events decide nothing")
	require.Equal(t, []string{"before"}, s.phasesUnderModal("checkout"))
	require.Equal(t, 1, s.cart().Count)
	s.approve()
	s.orderOf(call)
}

func TestDemoTwoClicksApproveOneCheckoutOnly(t *testing.T) {
	t.Parallel()
	s := openShop(t, withWebMCP)
	s.addByAgent("keyboard")
	first, second := s.checkout("one@example.com"), s.checkout("two@example.com")
	s.WaitFor(`document.querySelectorAll('[role=log] > [data-tool=checkout][data-phase=before]').length === 2`)
	armed(s.Page).DoubleClick()
	s.orderOf(first)
	s.asked("two@example.com")
	require.False(t, second.Done(), "the second click of a double click is no answer to the next question")
	s.Press(kb.Escape)
	require.Equal(t, "USER_DENIED", second.Result().Code)
}

func TestDemoLogShowsTextAsText(t *testing.T) {
	t.Parallel()
	s := openShop(t, withWebMCP)
	const hostile = `<img src=x onerror=alert(1)>`
	s.Do(`() => { window.alerted = false; window.alert = () => { alerted = true } }`)
	s.Ask("search_products", map[string]string{"query": hostile})
	require.Contains(t, s.log()[0].Text, hostile)
	require.Contains(t, s.log()[1].Text, hostile)

	s.addByAgent("mug")
	call := s.Invoke("checkout", map[string]string{"email": "a@example.com", "address": hostile})
	modal := s.Find("dialog", approvalModal)
	require.Contains(t, modal.Text(), hostile)
	require.Zero(t, webmcptest.Eval[int](s.Page, `() => document.querySelectorAll('[role=log] img').length`))
	modal.Find("button", "Deny").Click()
	call.Result()
	require.False(t, webmcptest.Eval[bool](s.Page, `() => alerted`))
}

func TestDemoLogIsBoundedAndCanBeCleared(t *testing.T) {
	t.Parallel()
	s := openShop(t, withWebMCP)
	s.Do(`async () => { for (let i = 0; i < 101; i++) await webmcp.invokeTool('get_order', { orderId: 'q' + i }) }`)
	log := s.log()
	require.Len(t, log, 200)
	require.Contains(t, log[0].Text, "q100")
	require.Contains(t, log[199].Text, "q1")
	s.Click("button", "Clear hook log")
	require.Empty(t, s.log())
	s.Ask("get_cart", nil)
	require.Len(t, s.log(), 2)
}

// toolCard is a tool's part of the Inspect card.
type toolCard struct {
	s    shop
	name string
}

func (c toolCard) invoke() { c.s.tb.Helper(); c.s.Click("button", "Invoke "+c.name) }

// output waits for a result and returns its text and whether it is an error.
func (c toolCard) output() (text, isError string) {
	c.s.tb.Helper()
	c.s.WaitFor(fmt.Sprintf(`document.querySelector('[data-tool="%s"] output')?.dataset.error`, c.name))
	got := webmcptest.Eval[[2]string](c.s.Page, `name => { const out = document.querySelector('[data-tool="' + name + '"] output'); return [out.innerText, out.dataset.error] }`, c.name)
	return got[0], got[1]
}

func TestDemoInspectTakesTheAgentsPath(t *testing.T) {
	t.Parallel()
	for name, b := range map[string]webmcptest.Options{"native": withWebMCP, "registry only": withoutWebMCP} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := openShop(t, b)
			s.Click("button", "Add Keyboard to cart")

			texts := webmcptest.Eval[map[string]string](s.Page, `() => Object.fromEntries([...document.querySelectorAll('[data-tool]:has(textarea)')].map(e => [e.dataset.tool, e.textContent]))`)
			require.Len(t, texts, 9)
			for _, tool := range demoTools {
				require.Contains(t, texts[tool], tool)
				require.Contains(t, texts[tool], `"type": "object"`, "the schema")
				require.Contains(t, texts[tool], "registered", "the status")
				example := webmcptest.Read[string](s.Find("textbox", "Input for "+tool), `function () { return this.value }`)
				require.True(t, json.Valid([]byte(example)), "%s: %s", tool, example)
			}

			search := toolCard{s, "search_products"}
			s.Find("textbox", "Input for search_products").Fill(`{"query": "keyboard"}`)
			search.invoke()
			text, isError := search.output()
			require.Equal(t, "false", isError)
			require.True(t, json.Valid([]byte(text)), text)
			require.Contains(t, text, "keyboard")
			require.Equal(t, []string{"before", "after"}, s.phases("search_products"), "hooks run")

			checkout := toolCard{s, "checkout"}
			checkout.invoke() // with the example input
			s.Find("dialog", approvalModal).Find("button", "Deny").Click()
			s.AwaitGone("dialog", approvalModal)
			text, isError = checkout.output()
			require.Equal(t, "true", isError)
			require.Contains(t, text, "Denied: ")
			require.Contains(t, text, "USER_DENIED")

			checkout.invoke()
			s.approve()
			s.WaitFor(`document.querySelector('[data-tool=checkout] output').dataset.error === 'false'`)
			text, _ = checkout.output()
			require.Contains(t, text, "***@example.com")
			require.Equal(t, []string{"before", "denied", "before", "after"}, s.phases("checkout"))
			require.Zero(t, s.cart().Count)

			product := toolCard{s, "get_product"}
			s.Find("textbox", "Input for get_product").Fill(`{"productId": "unicorn"}`)
			product.invoke()
			text, isError = product.output()
			require.Equal(t, "true", isError)
			require.Contains(t, text, "unicorn")
		})
	}
}

func TestDemoInspectRefusesInvalidJSON(t *testing.T) {
	t.Parallel()
	s := openShop(t, withWebMCP)
	field := s.Find("textbox", "Input for get_cart")
	field.Fill(`{"not json`)
	s.Click("button", "Invoke get_cart")
	field.Until(`this.getAttribute('aria-invalid') === 'true'`)
	require.NotEmpty(t, webmcptest.Eval[string](s.Page, `() => document.getElementById(document.querySelector('[data-tool=get_cart] textarea').getAttribute('aria-describedby')).innerText`),
		"a message beside it")
	require.Empty(t, s.log(), "nothing is invoked")
	field.Fill(`{}`)
	s.Click("button", "Invoke get_cart")
	_, isError := toolCard{s, "get_cart"}.output()
	require.Equal(t, "false", isError)
}

func TestDemoStatusSaysWhatThereIs(t *testing.T) {
	t.Parallel()
	t.Run("native", func(t *testing.T) {
		t.Parallel()
		s := openShop(t, withWebMCP)
		status := s.Find("region", "Status")
		require.Contains(t, status.Text(), "Native WebMCP")
		status.Until(`/\b9\b/.test(this.innerText)`)
		require.Contains(t, status.Text(), webmcptest.Eval[string](s.Page, `() => webmcp.version`))
		require.NotContains(t, status.Text(), "--enable-features=WebMCP")
	})
	t.Run("registry only", func(t *testing.T) {
		t.Parallel()
		s := openShop(t, withoutWebMCP)
		status := s.Find("region", "Status")
		require.Contains(t, status.Text(), "Registry only")
		status.Until(`/\b9\b/.test(this.innerText)`)
		require.Contains(t, status.Text(), "--enable-features=WebMCP", "how to switch it on")
		s.Click("button", "Add Laptop to cart")
		require.Equal(t, 1, s.cart().Count, "the shop works")
	})
}

func TestDemoShopWorksWithoutTheModule(t *testing.T) {
	t.Parallel()
	broken := &server{handler: func(tb testing.TB) http.Handler {
		tb.Helper()
		whole := demo.handler(tb)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, ".wasm") {
				http.NotFound(w, r)
				return
			}
			whole.ServeHTTP(w, r)
		})
	}}
	t.Cleanup(broken.stop)
	p := newPage(t, withWebMCP)
	p.Expect("404")
	p.Open(broken.url(t, demoserver.Home))
	s := shop{p, t}
	alert := s.Find("region", "Status").Find("alert", "")
	alert.Until(`this.innerText.includes('webmcp.wasm')`)
	require.Contains(t, s.Find("region", "Status").Text(), "Not available")
	s.Click("button", "Add Keyboard to cart")
	require.Equal(t, 1, s.cart().Count)
}

func TestDemoShowsTheCodeThatRuns(t *testing.T) {
	t.Parallel()
	s := openShop(t, withWebMCP)
	root, err := buildDist()
	require.NoError(t, err)
	source, err := os.ReadFile(filepath.Join(root, "demo", "site", "tools.js"))
	require.NoError(t, err)
	require.False(t, webmcptest.Eval[bool](s.Page, `() => document.querySelector('#wired').open`), "collapsed")
	s.Click("DisclosureTriangle", "How it is wired")
	s.WaitFor(`document.querySelector('#wired').dataset.state === 'shown'`)
	require.Equal(t, string(source), webmcptest.Eval[string](s.Page, `() => document.querySelector('#wired code:not(summary code):last-of-type').textContent.length > 500
		? document.querySelector('#wired pre code').textContent : ''`))
}

func TestDemoFitsAPhone(t *testing.T) {
	t.Parallel()
	s := openShop(t, withWebMCP)
	s.Phone(360, 740)
	s.addByAgent("keyboard", "mouse")
	s.Ask("search_products", map[string]string{"query": strings.Repeat("long", 50)})
	s.WaitFor(`innerWidth <= 360`)
	require.LessOrEqual(t, webmcptest.Eval[int](s.Page, `() => document.documentElement.scrollWidth`), 360, "nothing scrolls sideways")
	call := s.checkout("ada@example.com")
	x, y := armed(s.Page).Spot()
	require.NoError(t, chromedp.Do(s.Driver().Context(), chromedp.TapXY(x, y)))
	s.orderOf(call)
}

func TestDemoWantsAPasskeyWhereTheSwitchSaysSo(t *testing.T) {
	t.Parallel()
	s := openShop(t, withWebMCP)
	s.Click("checkbox", "Confirm orders with a passkey")
	s.Find("alert", "").Until(`this.innerText.includes('There is no passkey to confirm with')`)
	require.False(t, webmcptest.Eval[bool](s.Page, `() => document.querySelector('#require-passkey').checked`), "this machine has none")

	addAuthenticator(t, s.Page)
	s.Open(strings.Replace(demo.url(t, "/demo/"), "127.0.0.1", "localhost", 1)) // passkeys want a host with a name
	s.AwaitTools(demoTools...)
	s.Click("checkbox", "Confirm orders with a passkey")
	s.WaitFor(`localStorage.getItem('webmcp-passkey')`)
	s.Click("checkbox", "Require approval for checkout")
	s.Ask("add_to_cart", map[string]any{"productId": "mug"})
	call := s.Invoke("checkout", map[string]string{"email": "ada@example.com"})
	approve := s.Find("button", "Approve with passkey")
	approve.Until(`!this.hasAttribute('aria-disabled')`)
	approve.Click()
	require.Equal(t, "a***@example.com", s.orderOf(call).Email)
	require.Contains(t, s.log()[0].Text, "approve (passkey)")
}

func TestDemoHumanCorrectsTheOrderBeforeTheyApprove(t *testing.T) {
	t.Parallel()
	s := openShop(t, withWebMCP)
	s.Ask("add_to_cart", map[string]any{"productId": "mug"})
	call := s.Invoke("checkout", map[string]string{"email": "ada@example.com"})
	modal := s.Find("dialog", approvalModal)
	modal.Find("button", "Edit").Click()
	modal.Find("textbox", "email").Fill("grace@example.com")
	s.approve()
	answer := call.Result()
	require.Len(t, answer.Content, 2)
	require.Contains(t, answer.Content[0].Text, "g***@example.com")
	require.Contains(t, answer.Content[1].Text, "grace@example.com")
}

// lit waits until the policy's card lights a rule up as hit, and has counted that.
func (s shop) lit(rule, hit, counted string) {
	s.tb.Helper()
	s.WaitFor(fmt.Sprintf(`document.querySelector('#policy-rules [data-rule=%q]')?.dataset.hit === %q`, rule, hit))
	if counted != "" {
		s.WaitFor(fmt.Sprintf(`document.querySelector('#policy-rules [data-rule=%q] .hits').textContent === %q`, rule, counted))
	}
}

func TestDemoPolicyLimitsHowOftenAnAgentSearches(t *testing.T) {
	t.Parallel()
	for name, b := range map[string]webmcptest.Options{"native": withWebMCP, "registry only": withoutWebMCP} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := openShop(t, b)
			s.WaitFor(`document.querySelectorAll('#policy-rules li').length === 6`)
			s.Click("button", "search six times in a row")
			s.lit("look-ups", "denied", "denied 1×")
			last := webmcptest.Eval[string](s.Page, `() => document.querySelector('#policy-last').textContent`)
			require.Regexp(t, `search_products, was denied by look-ups: the limit is 5 calls a minute of this tool\. Try again in \d+ s$`, last)
			require.Contains(t, s.log()[0].Text, "look-ups", "the log says which rule it was")
			if b.Browser.WithoutWebMCP {
				return
			}
			limited := ruled(t, s.Invoke("search_products", map[string]any{"query": "cable"}).Result())
			require.Equal(t, "RATE_LIMITED", limited.Code)
			require.Positive(t, limited.RetryAfter)
			require.Contains(t, limited.Text, fmt.Sprint("Try again in ", limited.RetryAfter, " s"))

			s.About("a human searches as often as they like")
			s.Find("searchbox", "Search products").Fill("mug")
			s.WaitFor(`document.querySelector('#found').textContent === '1 product'`)
		})
	}
}

func TestDemoPolicyLeavesLargeOrdersToPeople(t *testing.T) {
	t.Parallel()
	s := openShop(t, withWebMCP)
	s.countQuestions()
	s.addByAgent("laptop")
	answer := ruled(t, s.checkout("ada@example.com").Result())
	require.Equal(t, "TOO_MUCH", answer.Code)
	require.False(t, *answer.Executed)
	require.Zero(t, webmcptest.Eval[int](s.Page, `() => questions`), "nobody was asked")
	s.lit("large orders", "denied", "denied 1×")

	s.Click("button", "Checkout")
	s.WaitFor(`document.querySelector('#order-note').textContent.includes('Order K-1001 is placed')`)
	require.Zero(t, s.cart().Count)
	s.addByAgent("mug")
	call := s.checkout("ada@example.com")
	s.approve()
	require.Equal(t, "K-1002", s.orderOf(call).ID, "the condition is about the cart of the moment")
}

func TestDemoPolicyShowsAgentsMasksAndTheHumanAll(t *testing.T) {
	t.Parallel()
	s := openShop(t, withWebMCP)
	s.addByAgent("keyboard")
	call := s.checkout("ada@example.com")
	s.approve()
	answers := []string{call.Text(), s.Ask("get_order", map[string]any{"orderId": "K-1001"})}
	s.lit("personal data", "applies", "")
	note := webmcptest.Eval[string](s.Page, `() => document.querySelector('#order-note').innerText`)
	for _, all := range []string{"ada@example.com", "4242 4242 4242 4242", "Door code 4711"} {
		require.Contains(t, note, all, "the page shows a human all of it")
	}
	cancelled := s.Invoke("cancel_order", map[string]any{"orderId": "K-1001"})
	s.approve()
	answers = append(answers, cancelled.Text())
	for _, answer := range answers {
		for _, secret := range []string{"ada@", "4242 4242", "Door code", "notes", "Analytical Row"} {
			require.NotContains(t, answer, secret)
		}
		for _, mask := range []string{"a***@example.com", "***4242", "K-1001"} {
			require.Contains(t, answer, mask)
		}
	}
	s.About("the audit card has each call, and none of what is masked")
	s.WaitFor(`document.querySelectorAll('webmcp-audit [part~=entry]').length === 4`)
	s.Do(`() => { for (const details of document.querySelectorAll('webmcp-audit details')) details.open = true; }`)
	s.WaitFor(`document.querySelectorAll('webmcp-audit [part~=facts]').length === 4`)
	audit := webmcptest.Eval[string](s.Page, `() => document.querySelector('webmcp-audit').innerText`)
	require.Contains(t, audit, "a***@example.com")
	for _, secret := range []string{"ada@", "4242 4242", "Door code", "Analytical Row"} {
		require.NotContains(t, audit, secret)
	}
}

func TestDemoPolicyReportsOnTrialAndInReportMode(t *testing.T) {
	t.Parallel()
	s := openShop(t, withWebMCP)
	bulk := map[string]any{"productId": "keyboard", "quantity": 21}
	require.Equal(t, "TOO_MANY", ruled(t, s.Invoke("add_to_cart", bulk).Result()).Code)
	s.lit("bulk", "denied", "denied 1×")
	s.addByAgent("keyboard")
	s.WaitFor(`!document.querySelector('#policy-rules [data-hit=denied]')`, `document.querySelector('#policy-rules').innerHTML`)
	s.Ask("remove_from_cart", map[string]any{"productId": "keyboard"})
	s.lit("clearing out", "tried", "would have denied 1×")
	report := s.log()[0]
	require.Equal(t, "report", report.Phase)
	require.Contains(t, report.Text, "clearing out")
	require.Contains(t, report.Text, "An agent takes nothing out of the cart.")

	s.About("the mode in which all rules only report is another page")
	s.Find("checkbox", "Enforce, not just report").Click()
	s.WaitFor(`location.search === '?policy=report' && globalThis.webmcp?.registry.list().filter(tool => tool.status === 'registered').length === 9`)
	s.AwaitTools(demoTools...)
	require.False(t, s.Find("checkbox", "Enforce, not just report").Checked())
	require.Contains(t, s.Ask("add_to_cart", bulk), "keyboard")
	s.lit("bulk", "tried", "would have denied 1×")
	for range 7 {
		s.Ask("get_product", map[string]any{"productId": "keyboard"})
	}
	s.lit("look-ups", "tried", "would have denied 2×")

	s.Find("checkbox", "Enforce, not just report").Click()
	s.WaitFor(`location.search === '' && globalThis.webmcp?.registry.list().filter(tool => tool.status === 'registered').length === 9`)
	s.AwaitTools(demoTools...)
	require.Equal(t, "TOO_MANY", ruled(t, s.Invoke("add_to_cart", bulk).Result()).Code)
}

func TestDemoExplainsBesideATool(t *testing.T) {
	t.Parallel()
	s := openShop(t, withWebMCP)
	card := `document.querySelector('[data-tool=add_to_cart] [part~=explanation]')`
	s.Find("textbox", "Input for add_to_cart").Fill(`{"productId": "mouse", "quantity": 99}`)
	s.Click("button", "Explain what the policy says of add_to_cart")
	s.WaitFor(card + `.innerText.includes('TOO_MANY')`)
	require.Equal(t, []string{"every call", "bulk"}, webmcptest.Eval[[]string](s.Page, `() => [...`+card+`.querySelectorAll('[part~=rule-name]')].map(e => e.textContent)`))
	require.Zero(t, s.cart().Count)
	require.Empty(t, s.log(), "nothing has run")
}

func TestDemoOffersItsToolsWithoutItsPolicyAndNoCallPasses(t *testing.T) {
	t.Parallel()
	root, err := buildDist()
	require.NoError(t, err)
	handler, err := demoserver.New(root)
	require.NoError(t, err)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/policy.json") {
			http.NotFound(w, r)
			return
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(web.Close)
	p := newPage(t, withWebMCP)
	p.ExpectSome("404")
	p.Open(web.URL + demoserver.Home)
	p.AwaitTools(demoTools...)
	require.Equal(t, "POLICY_UNAVAILABLE", ruled(t, p.Invoke("get_cart", nil).Result()).Code)
	p.WaitFor(`document.querySelector('#policy-last').textContent.includes('could not be read')`)
	p.Click("button", "Add Mug to cart")
	p.WaitFor(`document.querySelector('#cart-badge').textContent === '1'`)
}
