// Wasmbuild makes what a page of a Go app with package bridge loads: the module, small, and the
// wasm_exec.js of the same Go toolchain, each compressed, too.
//
//	go get -tool github.com/webmcp-wasm/webmcp/cmd/wasmbuild
//	go tool wasmbuild -o dist ./shop
//
// writes dist/app.wasm and dist/wasm_exec.js, and beside each a .br and a .gz, for servers
// that send files so. The package is named as for go build; it is the present directory
// where none is.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"github.com/webmcp-wasm/webmcp/internal/dist"
)

func main() {
	dir := flag.String("o", "dist", "the `directory` to write into, which is made")
	name := flag.String("name", "app", "the `name` of the module, without .wasm")
	flag.Parse()
	pkg := "."
	switch flag.NArg() {
	case 0:
	case 1:
		pkg = flag.Arg(0)
	default:
		fmt.Fprintln(os.Stderr, "wasmbuild: name one main package, behind the flags")
		os.Exit(2)
	}
	if err := dist.App(context.Background(), *dir, ".", pkg, *name); err != nil {
		fmt.Fprintln(os.Stderr, "wasmbuild:", err)
		os.Exit(1)
	}
}
