package react

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/internal/dist"
)

// The versions of React that the adapter is for.
var versions = []string{"19", "18"}

// workshop is the temporary directory in which the apps are built. npm and
// Node.js find the shared tools in it, and React in each version's folder:
//
//	node_modules/        Vite, zod
//	webmcp-wasm/         the package as it is published
//	react19/, react18/   testdata/app, with node_modules of their own
var workshop struct {
	sync.Once
	dir string
	err error
}

// built returns the directory in which the apps of both versions were built.
func built(tb testing.TB) string {
	tb.Helper()
	workshop.Do(func() { workshop.err = build() })
	require.NoError(tb, workshop.err, "build the apps")
	return workshop.dir
}

func build() error {
	dir, err := os.MkdirTemp("", "webmcp-react-")
	if err != nil {
		return err
	}
	// Vite goes by the real path of a file.
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return err
	}
	workshop.dir = dir
	if err := assemble(filepath.Join(dir, "webmcp-wasm")); err != nil {
		return err
	}
	installs := []func() error{func() error {
		return install(dir, map[string]string{"vite": "8", "@vitejs/plugin-react": "6", "zod": "4"})
	}}
	for _, version := range versions {
		folder := appOf(version)
		if err := os.CopyFS(folder, os.DirFS("testdata/app")); err != nil {
			return err
		}
		installs = append(installs, func() error {
			return install(folder, map[string]string{"react": version, "react-dom": version, "webmcp-wasm": "file:../webmcp-wasm", "usewebmcp": "5.1.0"})
		})
	}
	if err := atOnce(installs); err != nil {
		return err
	}
	var builds []func() error
	for _, version := range versions {
		builds = append(builds, func() error {
			// StrictMode does something in React's development build only.
			return errors.Join(
				run(appOf(version), []string{"NODE_ENV=development"}, "node", vite(), "build", "--mode", "development", "--outDir", "development"),
				run(appOf(version), nil, "node", vite(), "build", "--outDir", "production"),
			)
		})
	}
	return atOnce(builds)
}

func appOf(version string) string { return filepath.Join(workshop.dir, "react"+version) }

func vite() string { return filepath.Join(workshop.dir, "node_modules", "vite", "bin", "vite.js") }

// assemble writes the package into dir, as far as an app needs it.
func assemble(dir string) error {
	root, err := dist.Root()
	if err != nil {
		return err
	}
	library := filepath.Join(root, "dist") // where it mostly is already
	if err := dist.Build(context.Background(), library); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	for _, path := range []string{
		filepath.Join(library, "webmcp.wasm"), filepath.Join(library, "webmcp_exec.js"), filepath.Join(library, "webmcp_approvals.js"),
		filepath.Join(library, "webmcp.js"), filepath.Join(root, "wasm", "react", "react.js"),
	} {
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(path)), content, 0o644); err != nil {
			return err
		}
	}
	return writeJSON(filepath.Join(dir, "package.json"), map[string]any{
		"name": "webmcp-wasm", "version": "0.0.0", "type": "module",
		"exports":          map[string]string{".": "./webmcp.js", "./react": "./react.js"},
		"peerDependencies": map[string]string{"react": ">=18"},
	})
}

// install installs packages into a folder. A package that is a folder is
// copied, as one from a registry is.
func install(dir string, packages map[string]string) error {
	err := writeJSON(filepath.Join(dir, "package.json"), map[string]any{"private": true, "type": "module", "dependencies": packages})
	if err != nil {
		return err
	}
	return run(dir, nil, "npm", "install", "--install-links", "--no-audit", "--no-fund", "--loglevel=error")
}

func run(dir string, env []string, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %v: %w\n%s", name, args, err, bytes.TrimSpace(text))
	}
	return nil
}

func writeJSON(path string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}

func atOnce(work []func() error) error {
	errs := make([]error, len(work))
	var wg sync.WaitGroup
	for i, do := range work {
		wg.Go(func() { errs[i] = do() })
	}
	wg.Wait()
	return errors.Join(errs...)
}
