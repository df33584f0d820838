//go:build js && wasm

package main

import "github.com/webmcp-wasm/webmcp/internal/core"

func main() {
	core.Publish()
	select {}
}
