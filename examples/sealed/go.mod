// A page whose rules about agents are in the module that runs them: no script of the page
// takes them away, loosens them or comes before them.
module example.com/sealed

go 1.26.0

tool github.com/webmcp-wasm/webmcp/cmd/wasmbuild

require github.com/webmcp-wasm/webmcp v0.0.0

require (
	github.com/andybalholm/brotli v1.3.0 // indirect
	github.com/chromedp/cdproto v0.160.2 // indirect
	github.com/chromedp/chromedp v0.23.1 // indirect
	github.com/evanw/esbuild v0.28.2 // indirect
	github.com/go-json-experiment/json v0.0.0-20260213210345-44df1a37e875 // indirect
	github.com/google/uuid v1.6.0 // indirect
	golang.org/x/sys v0.47.0 // indirect
)

replace github.com/webmcp-wasm/webmcp => ../..
