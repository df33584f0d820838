package passkey

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"

	"github.com/webmcp-wasm/webmcp/webmcptest"
)

func TestMain(m *testing.M) { os.Exit(webmcptest.Run(m)) }

// dist has the library; `make build` makes it.
const dist = "../../dist"

// open serves the shop, and opens it in a browser whose device has an authenticator.
// sent has the orders that the page sends.
func open(t *testing.T) (p *webmcptest.Page, shop *Shop, origin string, sent chan []byte) {
	t.Helper()
	if _, err := os.Stat(dist + "/webmcp.js"); err != nil {
		t.Fatal("the library is not built; run make build: ", err)
	}
	mux, calls := http.NewServeMux(), http.NewServeMux()
	mux.Handle("GET /", http.FileServer(http.Dir(dist)))
	for _, name := range []string{"page.html", "page.js"} {
		mux.HandleFunc("GET /"+name, func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, name) })
	}
	sent = make(chan []byte, 10)
	mux.HandleFunc("POST /", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		if r.URL.Path == "/order" {
			sent <- body
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		calls.ServeHTTP(w, r)
	})
	web := httptest.NewServer(mux)
	t.Cleanup(web.Close)
	origin = strings.Replace(web.URL, "127.0.0.1", "localhost", 1) // passkeys want a name
	shop, err := New("localhost", origin)
	if err != nil {
		t.Fatal(err)
	}
	shop.Register(calls)

	p = webmcptest.New(t, webmcptest.Options{})
	tell(t, p, webauthn.Enable, webauthn.EnableParams{})
	tell(t, p, webauthn.AddVirtualAuthenticator, webauthn.AddVirtualAuthenticatorParams{Options: &webauthn.VirtualAuthenticatorOptions{
		Protocol: webauthn.AuthenticatorProtocolCtap2, Transport: webauthn.AuthenticatorTransportInternal,
		HasResidentKey: true, HasUserVerification: true, IsUserVerified: true, AutomaticPresenceSimulation: true,
	}})
	p.Open(origin + "/page.html")
	p.AwaitTools("order")
	return p, shop, origin, sent
}

func tell[P, R any](t *testing.T, p *webmcptest.Page, command cdp.Command[P, R], params P) {
	t.Helper()
	tab := p.Driver().Context()
	if _, err := cdp.Call(tab, chromedp.FromContext(tab).Target, command, params); err != nil {
		t.Fatal(err)
	}
}

func approve(p *webmcptest.Page) {
	button := p.Find("button", "Approve with passkey")
	button.Until(`!this.hasAttribute('aria-disabled')`)
	button.Click()
}

func enrol(p *webmcptest.Page) {
	p.Click("button", "Make a passkey")
	p.Find("status", "").Until(`this.textContent === 'You can approve now.'`)
}

func TestTheServerActsOnJustWhatTheHumanHasApproved(t *testing.T) {
	t.Parallel()
	p, shop, origin, sent := open(t)
	enrol(p)
	call := p.Invoke("order", map[string]any{"item": "tea", "count": 2})
	approve(p)
	if call.Text() != "ordered" {
		t.Fatal(call.Text())
	}
	wanted := []Order{{"tea", 2}}
	if !slices.Equal(shop.Orders(), wanted) {
		t.Fatal(shop.Orders())
	}

	// Whoever has what the page sent can order nothing with it.
	body := string(<-sent)
	for change, said := range map[string]string{
		``:                                      "this was done already",
		`"count":2 -> "count":3`:                "challenge",
		`"tea" -> "gold"`:                       "challenge",
		`"nonce":" -> "nonce":"x`:               "challenge",
		`{"id":" -> {"id":"x`:                   "", // the assertion's own id
		`"item":"tea"} -> "item":"tea","to":1}`: "challenge",
	} {
		from, to, _ := strings.Cut(change, " -> ")
		changed := strings.Replace(body, from, to, 1)
		if from != "" && changed == body {
			t.Errorf("%s changes nothing of %s", change, body)
		}
		response, err := http.Post(origin+"/order", "application/json", strings.NewReader(changed))
		if err != nil {
			t.Fatal(err)
		}
		answer, _ := io.ReadAll(response.Body)
		_ = response.Body.Close()
		if response.StatusCode != http.StatusForbidden || !strings.Contains(strings.ToLower(string(answer)), said) {
			t.Errorf("%q: %d %s", change, response.StatusCode, answer)
		}
	}
	if !slices.Equal(shop.Orders(), wanted) {
		t.Error(shop.Orders())
	}
}

func TestAPageThatChangesTheOrderIsRefused(t *testing.T) {
	t.Parallel()
	p, shop, _, _ := open(t)
	enrol(p)
	p.Do(`() => {
		const send = fetch;
		window.fetch = (url, { body, ...more }) => send(url, { ...more, body: body?.replace('"count":1', '"count":1000') });
	}`)
	requireRefused(t, p, shop)
}

func TestAPasskeyOfSomebodyElseIsRefused(t *testing.T) {
	t.Parallel()
	p, shop, _, _ := open(t)
	enrol(p)
	p.Do(`() => {
		const { get } = navigator.credentials;
		navigator.credentials.get = async function (options) {
			// A script makes a passkey of its own, and has that sign.
			const made = await navigator.credentials.create({ publicKey: {
				challenge: new Uint8Array(32), rp: { name: 'x' }, user: { id: new Uint8Array(8), name: 'x', displayName: 'x' }, pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
			} });
			options.publicKey.allowCredentials = [{ type: 'public-key', id: made.rawId }];
			return get.call(navigator.credentials, options);
		};
	}`)
	requireRefused(t, p, shop)
}

// requireRefused has the agent order something and the human approve it: the server
// must not take that order.
func requireRefused(t *testing.T, p *webmcptest.Page, shop *Shop) {
	t.Helper()
	p.Expect("403 (Forbidden)") // Chrome tells the console of it
	call := p.Invoke("order", map[string]any{"item": "tea", "count": 1})
	approve(p)
	if result := call.Result(); !result.IsError {
		t.Error(result.Text())
	}
	if orders := shop.Orders(); len(orders) != 0 {
		t.Error(orders)
	}
}
