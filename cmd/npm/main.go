// Npm builds webmcp-wasm, the npm package, into a directory. npm pack and npm
// publish take it from there.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/webmcp-wasm/webmcp/internal/dist"
	"github.com/webmcp-wasm/webmcp/npm"
)

func main() {
	dir := flag.String("o", "", "the `directory` to build into (default: dist/npm in the module's root)")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := build(ctx, *dir); err != nil {
		fmt.Fprintln(os.Stderr, "npm:", err)
		os.Exit(1)
	}
}

func build(ctx context.Context, dir string) error {
	if dir == "" {
		root, err := dist.Root()
		if err != nil {
			return err
		}
		dir = filepath.Join(root, "dist", "npm")
	}
	return npm.Build(ctx, dir)
}
