package tearoom

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/webmcp-wasm/webmcp/webmcptest"
)

func TestAnAgentOrdersTea(t *testing.T) {
	web := httptest.NewServer(http.FileServer(http.Dir(".")))
	defer web.Close()
	p := webmcptest.Open(t, web.URL+"/page.html")
	call := p.Invoke("order", map[string]any{"drink": "tea"}) // the agent calls
	p.Click("button", "Confirm")                              // the human clicks
	if got := call.Text(); got != "One tea." {                // the agent reads
		t.Error(got)
	}
}
