//go:build js && wasm

package main

import "github.com/webmcp-wasm/webmcp/bridge/core"

func main() {
	core.Publish()
	select {}
}
