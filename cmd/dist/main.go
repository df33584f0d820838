// Dist builds what pages load into a directory: webmcp.wasm, wasm_exec.js and
// webmcp.js, each also compressed. What is up to date stays.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/webmcp-wasm/webmcp/internal/dist"
)

func main() {
	dir := flag.String("o", "", "the `directory` to build into (default: dist in the module's root)")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := build(ctx, *dir); err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
}

func build(ctx context.Context, dir string) error {
	if dir == "" {
		root, err := dist.Root()
		if err != nil {
			return err
		}
		dir = filepath.Join(root, "dist")
	}
	return dist.Build(ctx, dir)
}
