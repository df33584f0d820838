// Package dist builds the files that pages load.
package dist

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"

	"github.com/andybalholm/brotli"

	"github.com/webmcp-wasm/webmcp/internal/glue"
)

const module = "module github.com/webmcp-wasm/webmcp\n"

// Root returns the directory of the module's go.mod: that of the working
// directory or the nearest one above it.
func Root() (string, error) {
	start, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for dir := start; ; dir = filepath.Dir(dir) {
		mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && bytes.HasPrefix(mod, []byte(module)) {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("%s is not in a checkout of github.com/webmcp-wasm/webmcp: run this from one", start)
		}
	}
}

// scripts are the ES modules of wasm/ that go into dist: as they are, but for
// webmcp.js, which gets the front of the glue.
var scripts = []string{"elements/elements.js", "hooks/webmcp_hooks.js", "forms/webmcp_forms.js", "webmcp.js"}

// Build writes webmcp.wasm, wasm_exec.js, the parts of the ES module form and the
// scripts into dir, which it creates, and beside each a .br and a .gz of it. A file whose content would
// not change is left alone, so a second Build takes as long as go build needs
// to find nothing to do. The error carries what the compiler printed.
func Build(ctx context.Context, dir string) error {
	root, err := Root()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	module, err := Compile(ctx, root, "./wasm")
	if err != nil {
		return err
	}
	module = stripped(module)
	for _, name := range scripts {
		script, err := os.ReadFile(filepath.Join(root, "wasm", filepath.FromSlash(name)))
		if err == nil && name == "webmcp.js" {
			script, err = glue.Module(script)
		}
		if err == nil {
			err = write(dir, path.Base(name), script)
		}
		if err != nil {
			return err
		}
	}
	for _, part := range []struct {
		name string
		text func() ([]byte, error)
	}{{"wasm_exec.js", glue.WasmExec}, {"webmcp_exec.js", glue.ModuleExec}, {"webmcp_approvals.js", glue.Approvals}} {
		script, err := part.text()
		if err == nil {
			err = write(dir, part.name, script)
		}
		if err != nil {
			return err
		}
	}
	return write(dir, "webmcp.wasm", module)
}

// App writes what a page of a Go app with package bridge loads into dir, which it
// creates: name.wasm, of the main package pkg as go build names it in root, and the
// wasm_exec.js for it, and beside each a .br and a .gz of it. The error carries what the
// compiler printed.
func App(ctx context.Context, dir, root, pkg, name string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	module, err := Compile(ctx, root, pkg)
	if err != nil {
		return err
	}
	script, err := glue.WasmExec()
	if err != nil {
		return err
	}
	return errors.Join(write(dir, "wasm_exec.js", script), write(dir, name+".wasm", stripped(module)))
}

// stripped returns a module without what only debuggers read; of a new toolchain, whose
// modules have another form, as it is: it works, and is larger.
func stripped(module []byte) []byte {
	if small, err := strip(module); err == nil {
		return small
	}
	return module
}

// Compile returns the WebAssembly of a main package, named as for go build in
// root, stripped of symbols and paths.
func Compile(ctx context.Context, root, pkg string) ([]byte, error) {
	tmp, err := os.MkdirTemp("", "webmcp-wasm-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	out := filepath.Join(tmp, "main.wasm")
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", out, pkg)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if text, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build %s for js/wasm: %w\n%s", pkg, err, bytes.TrimSpace(text))
	}
	return os.ReadFile(out)
}

// write writes a file and its compressed forms, unless it is there already.
func write(dir, name string, content []byte) error {
	path := filepath.Join(dir, name)
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, content) && exists(path+".br") && exists(path+".gz") {
		return nil
	}
	br, err := compress(content, func(w io.Writer) io.WriteCloser { return brotli.NewWriterLevel(w, brotli.BestCompression) })
	if err != nil {
		return err
	}
	gz, err := compress(content, func(w io.Writer) io.WriteCloser {
		z, _ := gzip.NewWriterLevel(w, gzip.BestCompression) // the level is valid
		return z
	})
	if err != nil {
		return err
	}
	// The file itself comes last: it says that the others are there.
	return errors.Join(replace(path+".br", br), replace(path+".gz", gz), replace(path, content))
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func compress(content []byte, to func(io.Writer) io.WriteCloser) ([]byte, error) {
	var b bytes.Buffer
	w := to(&b)
	if _, err := w.Write(content); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// replace writes a file in one step, so that a server never sends half of it.
func replace(path string, content []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), ".tmp-*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(content)
	err = errors.Join(err, tmp.Chmod(0o644), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		os.Remove(tmp.Name())
	}
	return err
}
