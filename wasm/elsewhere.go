//go:build !js || !wasm

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "wasm: this is a module for pages: build it with GOOS=js GOARCH=wasm, or with make build")
	os.Exit(2)
}
