package shop

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webmcp-wasm/webmcp/webmcptest"
)

func TestMain(m *testing.M) { os.Exit(webmcptest.Run(m)) }

// dist has the library; `make build` makes it.
const dist = "../../dist"

// call is a call of calls.json, and what must come of it where that is said.
type call struct {
	As, Tool string
	Input    map[string]any
	Human    string // what they do when they are asked: accept or decline
	Code     string
	Text     string
}

func calls(t *testing.T) (all []call) {
	t.Helper()
	text, err := os.ReadFile("calls.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// outcome is how a call has ended, for an agent.
type outcome struct {
	IsError    bool
	Code       string
	Executed   any
	Text       string
	Structured any
}

// bearer is a client of the server with an access token.
type bearer struct{ token string }

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return http.DefaultTransport.RoundTrip(r)
}

// verify stands for the authorisation server: a token is the name of a role.
func verify(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
	if token != "admin" && token != "guest" {
		return nil, auth.ErrInvalidToken
	}
	return &auth.TokenInfo{UserID: token, Expiration: time.Now().Add(time.Hour), Extra: map[string]any{"role": token}}, nil
}

// serve starts the server, and returns what connects a client to it. human is what the user
// does; nil: the client cannot ask.
func serve(t *testing.T) (connect func(as string, human func() string) *mcp.ClientSession) {
	t.Helper()
	server, err := New()
	if err != nil {
		t.Fatal(err)
	}
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)
	web := httptest.NewServer(auth.RequireBearerToken(verify, nil)(handler))
	t.Cleanup(func() {
		web.CloseClientConnections()
		web.Close()
	})
	return func(as string, human func() string) *mcp.ClientSession {
		t.Helper()
		var options mcp.ClientOptions
		if human != nil {
			options.ElicitationHandler = func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
				return &mcp.ElicitResult{Action: human()}, nil
			}
		}
		client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1.0.0"}, &options)
		session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: web.URL, HTTPClient: &http.Client{Transport: bearer{as}}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = session.Close() })
		return session
	}
}

func onServer(t *testing.T, session *mcp.ClientSession, c call) (o outcome) {
	t.Helper()
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: c.Tool, Arguments: c.Input})
	if err != nil {
		t.Fatal(err)
	}
	o = outcome{IsError: result.IsError, Executed: result.Meta["executed"], Structured: result.StructuredContent}
	o.Code, _ = result.Meta["code"].(string)
	for _, item := range result.Content {
		o.Text += item.(*mcp.TextContent).Text
	}
	return o
}

func inPage(t *testing.T, page *webmcptest.Page, c call) (o outcome) {
	t.Helper()
	page.Do(`role => { window.webmcp.context({ role }); }`, c.As)
	pending := page.Invoke(c.Tool, c.Input)
	if c.Human != "" {
		button := page.Find("button", map[string]string{"accept": "Approve", "decline": "Deny"}[c.Human])
		button.Until(`!this.hasAttribute('aria-disabled')`)
		button.Click()
	}
	result := pending.Result()
	var said struct {
		IsError           bool
		Code              string
		Executed          any
		StructuredContent any
	}
	if err := json.Unmarshal([]byte(result.Output), &said); err != nil {
		t.Fatal(err)
	}
	return outcome{said.IsError, said.Code, said.Executed, result.Text(), said.StructuredContent}
}

func TestTheSameCallsEndAlikeOnTheServerAndInThePage(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat(dist + "/webmcp.js"); err != nil {
		t.Fatal("the library is not built; run make build: ", err)
	}
	mux := http.NewServeMux()
	mux.Handle("GET /", http.FileServer(http.Dir(dist)))
	for _, name := range []string{"page.html", "page.js", "policy.json"} {
		mux.HandleFunc("GET /"+name, func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, name) })
	}
	web := httptest.NewServer(mux)
	t.Cleanup(web.Close)
	page := webmcptest.Open(t, web.URL+"/page.html")
	page.AwaitTools("checkout", "delete_user", "export_orders", "get_user")
	page.WaitFor(`globalThis.webmcp || (import('./webmcp.js').then(m => { globalThis.webmcp = m.webmcp; }), false)`)

	human := ""
	connect := serve(t)
	sessions := map[string]*mcp.ClientSession{}
	for _, role := range []string{"admin", "guest"} {
		sessions[role] = connect(role, func() string { return human })
	}
	for _, c := range calls(t) {
		human = c.Human
		server, browser := onServer(t, sessions[c.As], c), inPage(t, page, c)
		if c.Code == "RATE_LIMITED" { // the text says how long to wait
			server.Text, browser.Text = "", ""
		}
		if !reflect.DeepEqual(server, browser) {
			t.Errorf("%v\non the server: %+v\nin the page:   %+v", c, server, browser)
		}
		if server.Code != c.Code || c.Text != "" && server.Text != c.Text {
			t.Errorf("%v ended with %+v", c, server)
		}
	}
}

func TestNothingIsDoneWhereTheClientCannotAsk(t *testing.T) {
	t.Parallel()
	session := serve(t)("guest", nil)
	o := onServer(t, session, call{Tool: "checkout", Input: map[string]any{"total": 200}})
	if o.Code != "APPROVAL_UNAVAILABLE" || o.Executed != false {
		t.Errorf("%+v", o)
	}
}

func TestAToolThatComesLaterIsBehindThePolicyToo(t *testing.T) {
	t.Parallel()
	server, err := New()
	if err != nil {
		t.Fatal(err)
	}
	ran := false
	mcp.AddTool(server, &mcp.Tool{Name: "delete_all", Description: "Deletes all."}, func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, any, error) {
		ran = true
		return nil, nil, nil
	})
	there, here := mcp.NewInMemoryTransports()
	if _, err := server.Connect(t.Context(), there, nil); err != nil {
		t.Fatal(err)
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1.0.0"}, nil).Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	if o := onServer(t, session, call{Tool: "delete_all"}); o.Code != "POLICY_DENIED" || ran {
		t.Errorf("%+v; ran: %v: nobody has said who calls", o, ran)
	}
	if _, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "nothing"}); err == nil || errors.Is(err, context.Canceled) {
		t.Errorf("a tool that there is not: %v", err)
	}
}
