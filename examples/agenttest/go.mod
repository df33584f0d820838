// A module as a stranger writes it: a page with two tools, no library in it, and
// its tests.
module example.com/tearoom

go 1.26

require github.com/webmcp-wasm/webmcp v0.0.0

require (
	github.com/chromedp/cdproto v0.160.2 // indirect
	github.com/chromedp/chromedp v0.23.1 // indirect
	github.com/go-json-experiment/json v0.0.0-20260213210345-44df1a37e875 // indirect
)

replace github.com/webmcp-wasm/webmcp => ../..
