package elements_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/driver"
	"github.com/webmcp-wasm/webmcp/webmcptest"
)

// openAudit opens testdata/audit.html, and has agents make calls of each outcome.
func openAudit(t *testing.T) *webmcptest.Page {
	t.Helper()
	page := openTestdata(t, "/audit.html")
	page.Do(`async () => {
		const decide = async (decision) => {
			while (webmcp.approvals.pending().length === 0) await new Promise(requestAnimationFrame);
			webmcp.approvals.resolve(webmcp.approvals.pending()[0].id, decision);
		};
		await webmcp.invokeTool('search_products', { query: 'teapot' });
		await webmcp.invokeTool('get_customer', { id: 17, email: 'ada@example.com' });
		const call = webmcp.invokeTool('order', { productId: 'teapot', total: 240 });
		await decide({ decision: 'approve', input: { productId: 'teapot', total: 120 } });
		await call;
		await webmcp.invokeTool('order', { productId: 'laptop', total: 2400 });
		await webmcp.invokeTool('fail', { warehouse: 'north' });
		await webmcp.invokeTool('export', {});
	}`)
	awaitCalls(page, "export", "fail", "order", "order", "get_customer", "search_products")
	return page
}

// awaitCalls waits until the log shows these tools.
func awaitCalls(page *webmcptest.Page, tools ...string) {
	page.WaitFor(`parts('entry').map(e => e.dataset.tool).join() === '` + strings.Join(tools, ",") + `'`)
}

func choose(page *webmcptest.Page, name, value string) {
	page.Do(`(name, value) => {
		const choice = audit.shadowRoot.querySelector('[part="field field-' + name + '"] [part~="filter"]');
		choice.value = value;
		choice.dispatchEvent(new Event(name === 'text' ? 'input' : 'change'));
	}`, name, value)
}

func count(page *webmcptest.Page) string {
	return webmcptest.Eval[string](page, `() => parts('count')[0].textContent`)
}

func TestTheAuditLogShowsEachCall(t *testing.T) {
	t.Parallel()
	page := openAudit(t)
	lines := webmcptest.Eval[[]string](page, `() => parts('summary').map(e => e.innerText.replace(/\s+/g, ' '))`)
	for i, want := range []string{
		`^OK export reported by no exports [\d.]+ ms \d\d:\d\d:\d\d$`, `^Error fail [\d.]+ ms`, `^Denied order TOO_MUCH, by no large orders`,
		`^OK order approve \(script\) after`, `^OK get_customer`, `^OK search_products`,
	} {
		require.Regexp(t, want, lines[i])
	}
	require.Equal(t, "6 calls", count(page))

	page.About("opened with the keyboard")
	page.Do(`() => parts('summary')[3].focus()`)
	page.Press("\r")
	page.WaitFor(`parts('details')[3].open && parts('fact').length > 0`)
	facts := webmcptest.Eval[map[string]string](page, `() => Object.fromEntries(parts('fact-name').map((name, i) => [name.textContent, parts('fact')[i].textContent]))`)
	require.Equal(t, "{\n  \"productId\": \"teapot\",\n  \"total\": 240\n}", facts["Input (34 bytes)"])
	require.Equal(t, "{\n  \"productId\": \"teapot\",\n  \"total\": 120\n}", facts["Changed to"])
	require.Equal(t, "Ordered for 120 EUR.", facts["Output (20 bytes)"])
	require.Contains(t, facts["Approval"], "with another input")
	require.Equal(t, "policy#/rules/0\nask first", facts["Rules"])

	page.About("what is masked, and what is left out")
	page.Do(`() => { parts('details')[3].open = false; parts('details')[4].open = true; }`)
	page.WaitFor(`parts('details')[4].textContent.includes('Output')`)
	text := webmcptest.Eval[string](page, `() => parts('details')[4].innerText`)
	require.Contains(t, text, "a***@example.com")
	require.Contains(t, text, "***1111")
	require.NotContains(t, text, "ada@example.com")
}

func TestTheAuditLogIsFiltered(t *testing.T) {
	t.Parallel()
	page := openAudit(t)
	require.Equal(t, []string{"All", "Denied", "Error", "OK"}, webmcptest.Eval[[]string](page, `() => [...parts('choice')[0].options].map(({ text }) => text)`))
	choose(page, "tool", "order")
	awaitCalls(page, "order", "order")
	require.Equal(t, "2 of 6 calls", count(page))
	choose(page, "outcome", "denied")
	awaitCalls(page, "order")
	choose(page, "code", "TOO_MUCH")
	awaitCalls(page, "order")
	page.Do(`() => webmcp.invokeTool('order', { total: 900 })`)
	awaitCalls(page, "order", "order")
	for _, name := range []string{"tool", "outcome", "code"} {
		choose(page, name, "")
	}
	for _, search := range [][]string{
		{"TEApot", "order", "search_products"}, {`"warehouse":"north"`, "fail"}, {"no exports", "export"}, {"***1111", "get_customer"}, {" unheard of "},
	} {
		page.About("%s", search[0])
		choose(page, "text", search[0])
		awaitCalls(page, search[1:]...)
	}
	require.Equal(t, "No call is like that.", webmcptest.Eval[string](page, `() => parts('empty')[0].innerText`))
	require.True(t, webmcptest.Eval[bool](page, `() => parts('download')[0].disabled`))
}

func TestTheAuditLogFollowsUnlessItIsPaused(t *testing.T) {
	t.Parallel()
	page := openAudit(t)
	page.Do(`() => { parts('details')[0].open = true; window.first = parts('entry')[0]; }`)
	page.Click("button", "Pause")
	page.Do(`async () => { for (const query of ['a', 'b']) await webmcp.invokeTool('search_products', { query }); }`)
	page.WaitFor(`parts('count')[0].textContent === '6 calls · paused, 2 new'`)
	awaitCalls(page, "export", "fail", "order", "order", "get_customer", "search_products")
	require.True(t, webmcptest.Eval[bool](page, `() => audit.paused && parts('pause')[0].ariaPressed === 'true'`))
	page.Click("button", "Pause")
	awaitCalls(page, "search_products", "search_products", "export", "fail", "order", "order", "get_customer", "search_products")
	require.True(t, webmcptest.Eval[bool](page, `() => parts('entry')[2] === first && parts('details')[2].open`), "what was open stays so")

	page.About("a limit, and what is not kept any more")
	page.Do(`() => { audit.limit = 3; }`)
	awaitCalls(page, "search_products", "search_products", "export")
	require.Equal(t, "8 calls · the newest 3 are shown", count(page))
	page.Do(`async () => {
		webmcp.audit.configure({ size: 4 });
		await webmcp.invokeTool('search_products', { query: 'c' });
	}`)
	page.WaitFor(`parts('count')[0].textContent === '4 calls · the newest 3 are shown · 5 older ones are not kept any more'`)

	page.About("out of the page it hears nothing, and back in it shows all")
	page.Do(`async () => {
		const { parentElement } = audit;
		audit.remove();
		await webmcp.invokeTool('export', {});
		parentElement.append(audit);
	}`)
	awaitCalls(page, "export", "search_products", "search_products")
}

func TestWhatIsFoundInTheAuditLogIsSavedAsJSONLines(t *testing.T) {
	t.Parallel()
	page := openAudit(t)
	choose(page, "tool", "order")
	page.Do(`() => {
		window.saved = [];
		const { createObjectURL } = URL;
		URL.createObjectURL = (blob) => { saved.push(blob); return createObjectURL.call(URL, blob); };
		HTMLAnchorElement.prototype.click = function () { saved.push(this.download); };
	}`)
	page.Click("button", "Download")
	page.WaitFor(`saved.length === 2`)
	got := webmcptest.Eval[[]string](page, `async () => [await saved[0].text(), saved[1], saved[0].type, webmcp.audit.lines({ tool: 'order' })]`)
	require.Equal(t, got[3], got[0])
	require.Equal(t, 2, strings.Count(got[0], "\n"))
	require.Regexp(t, `^webmcp-audit-`+time.Now().UTC().Format("2006-01")+`-\d\dT\d\d-\d\d-\d\d\.jsonl$`, got[1])
	require.Equal(t, "application/x-ndjson", got[2])
}

func TestTheAuditLogIsTextAndShowsHiddenCharacters(t *testing.T) {
	t.Parallel()
	page := openTestdata(t, "/audit.html")
	page.Do(`async hidden => {
		await webmcp(() => { throw new Error('<img src=x>' + hidden); }, { name: 'odd', description: 'Odd', schema: { type: 'object' } }).register();
		await webmcp.invokeTool('odd', { text: '<img src=x>' + hidden });
	}`, hidden)
	page.WaitFor(`parts('entry').length === 1`)
	page.Do(`() => { parts('details')[0].open = true; }`)
	page.WaitFor(`parts('fact').length > 0`)
	require.Zero(t, webmcptest.Eval[int](page, `() => audit.shadowRoot.querySelectorAll('img').length`))
	text := webmcptest.Eval[string](page, `() => audit.shadowRoot.textContent`)
	require.Equal(t, 2, strings.Count(text, shown()), text)
	require.False(t, strings.ContainsAny(text, hidden))
}

func TestTheAuditLogWorksWithoutWebMCPAndInThePageItself(t *testing.T) {
	t.Parallel()
	page := openTestdataIn(t, webmcptest.Options{Browser: driver.Options{WithoutWebMCP: true}}, "/audit.html")
	require.False(t, webmcptest.Eval[bool](page, `() => api.isWebMCPSupported()`))
	page.Do(`async () => {
		const light = document.createElement('webmcp-audit');
		light.setAttribute('light', '');
		light.setAttribute('label', 'Who was here');
		document.body.append(light);
		await api.invokeTool('search_products', { query: 'teapot' });
	}`)
	awaitCalls(page, "search_products")
	page.WaitFor(`document.querySelector('webmcp-audit[light] > section[aria-label="Who was here"] [part~="entry"]')`)
	require.Equal(t, "4px", webmcptest.Eval[string](page, `() => getComputedStyle(document.querySelector('webmcp-audit[light] [part~="entry"]')).borderLeftWidth`))
}

func TestTheAuditLogIsAccessible(t *testing.T) {
	t.Parallel()
	page := openTestdata(t, "/audit.html")
	require.Empty(t, violations(t, page), "empty")
	page = openAudit(t)
	page.Do(`() => { for (const e of parts('details')) e.open = true; }`)
	page.WaitFor(`parts('facts').length === 6`)
	for _, scheme := range []string{"light", "dark"} {
		page.ColorScheme(scheme)
		require.Empty(t, violations(t, page), scheme)
	}
	page.Phone(360, 740)
	require.Empty(t, violations(t, page), "on a phone")
	require.Zero(t, webmcptest.Eval[int](page, `() => document.documentElement.scrollWidth - innerWidth`), "nothing sticks out")
}
