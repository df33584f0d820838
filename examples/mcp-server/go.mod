// A shop whose tools are behind one policy, on an MCP server and in a page.
module example.com/mcp-server

go 1.26.0

require (
	github.com/modelcontextprotocol/go-sdk v1.8.0
	github.com/webmcp-wasm/webmcp v0.0.0
)

require (
	github.com/chromedp/cdproto v0.160.2 // indirect
	github.com/chromedp/chromedp v0.23.1 // indirect
	github.com/go-json-experiment/json v0.0.0-20260213210345-44df1a37e875 // indirect
	github.com/google/jsonschema-go v0.4.3 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/segmentio/asm v1.1.3 // indirect
	github.com/segmentio/encoding v0.5.4 // indirect
	github.com/yosida95/uritemplate/v3 v3.0.2 // indirect
	golang.org/x/oauth2 v0.35.0 // indirect
	golang.org/x/sync v0.20.0 // indirect
	golang.org/x/sys v0.47.0 // indirect
	golang.org/x/time v0.15.0 // indirect
)

replace github.com/webmcp-wasm/webmcp => ../..
