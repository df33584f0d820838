// Package npm makes webmcp-wasm, the npm package: what is built, the modules of
// wasm/ for other needs, their types, and the files beside this one.
package npm

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/webmcp-wasm/webmcp/internal/core"
	"github.com/webmcp-wasm/webmcp/internal/dist"
)

//go:embed package.json README.md LICENSE-go wasm_exec.d.ts webmcp.wasm.d.ts
var own embed.FS

// files are what the package has of the rest of the module, by their paths in it.
var files = []string{
	"LICENSE",
	"dist/webmcp.js", "dist/webmcp_exec.js", "dist/webmcp_approvals.js", "dist/webmcp.wasm", "dist/wasm_exec.js", // by dist.Build
	"wasm/webmcp.d.ts",
	"wasm/react/react.js", "wasm/react/react.d.ts",
	"wasm/elements/elements.js", "wasm/elements/elements.d.ts",
	"wasm/hooks/webmcp_hooks.js", "wasm/hooks/webmcp_hooks.d.ts",
	"wasm/forms/webmcp_forms.js", "wasm/forms/webmcp_forms.d.ts",
	"wasm/testing/webmcp_testing.js", "wasm/testing/webmcp_testing.d.ts",
	"hooks/policy/policy.schema.json",
}

// Build writes the package into dir, which is made, or holds an earlier build;
// npm publishes the directory as it is. The files that pages load are those in dist, which are
// made when they are not up to date. The version is core.Version.
func Build(ctx context.Context, dir string) error {
	root, err := dist.Root()
	if err != nil {
		return err
	}
	if err := dist.Build(ctx, filepath.Join(root, "dist")); err != nil {
		return err
	}
	if err := clean(dir); err != nil {
		return err
	}
	for _, name := range files {
		err = errors.Join(err, copyFile(dir, root, name))
	}
	return errors.Join(err, writeOwn(dir))
}

// clean makes dir an empty directory. It removes nothing but an earlier build.
func clean(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if len(entries) > 0 {
		manifest, err := os.ReadFile(filepath.Join(dir, "package.json"))
		if err != nil || !strings.Contains(string(manifest), `"name": "webmcp-wasm"`) {
			return fmt.Errorf("%s holds something else than an earlier build of the npm package: name another directory", dir)
		}
	}
	return errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o755))
}

// copyFile copies a file of the module into dir.
func copyFile(dir, root, name string) error {
	content, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is missing: the npm package needs it", name)
	}
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, filepath.Base(name)), content, 0o644)
}

// writeOwn writes the files that lie beside this one, with the version in them.
func writeOwn(dir string) error {
	entries, err := own.ReadDir(".")
	if err != nil {
		return err
	}
	for _, entry := range entries {
		content, err := own.ReadFile(entry.Name())
		if err != nil {
			return err
		}
		text := strings.ReplaceAll(string(content), "{{version}}", core.Version)
		if err := os.WriteFile(filepath.Join(dir, entry.Name()), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
