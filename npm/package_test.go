package npm

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/internal/core"
	"github.com/webmcp-wasm/webmcp/internal/dist"
)

// manifest is what the tests look at of a package.json.
type manifest struct {
	Version     string
	License     string
	SideEffects []string
	Main        string
	Types       string
	Exports     map[string]json.RawMessage

	Dependencies         map[string]string
	OptionalDependencies map[string]string
	PeerDependencies     map[string]string
	PeerDependenciesMeta map[string]struct{ Optional bool }
	Scripts              map[string]string
}

// built returns the directory of the package, which tests must not change, and
// its package.json.
func built(t *testing.T) (dir string, m manifest) {
	t.Helper()
	dir, err := buildOnce()
	require.NoError(t, err, "build the package")
	text, err := os.ReadFile(filepath.Join(dir, "package.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &m))
	return dir, m
}

func TestThePackageHasWhatItExportsWithTypes(t *testing.T) {
	t.Parallel()
	dir, m := built(t)
	var names []string
	for name, target := range m.Exports {
		names = append(names, name)
		var path string
		if json.Unmarshal(target, &path) == nil {
			require.FileExists(t, filepath.Join(dir, path), name)
			continue
		}
		var targets struct{ Types, Default string }
		require.NoError(t, json.Unmarshal(target, &targets), name)
		require.FileExists(t, filepath.Join(dir, targets.Default), name)
		require.FileExists(t, filepath.Join(dir, targets.Types), name)
		require.True(t, strings.HasPrefix(strings.ReplaceAll(string(target), " ", ""), `{"types":`), "TypeScript takes the first that fits: types must come first in %s", name)
	}
	require.ElementsMatch(t, []string{".", "./react", "./elements", "./hooks", "./forms", "./testing", "./wasm_exec.js", "./webmcp.wasm", "./policy.schema.json", "./package.json"}, names)
	for _, path := range append(m.SideEffects, m.Main, m.Types, "README.md", "LICENSE", "LICENSE-go") {
		require.FileExists(t, filepath.Join(dir, path))
	}
}

func TestThePackageStandsAlone(t *testing.T) {
	t.Parallel()
	_, m := built(t)
	require.Empty(t, m.Dependencies)
	require.Empty(t, m.OptionalDependencies)
	require.Empty(t, m.Scripts, "nothing runs when it is installed")
	require.Equal(t, ">=18", m.PeerDependencies["react"])
	for name := range m.PeerDependencies {
		require.True(t, m.PeerDependenciesMeta[name].Optional, "%s is for the users of ./react alone", name)
	}
	require.Equal(t, "MIT", m.License)
}

func TestTheVersionIsThatOfTheModule(t *testing.T) {
	t.Parallel()
	dir, m := built(t)
	require.Equal(t, core.Version, m.Version)
	script, err := os.ReadFile(filepath.Join(dir, "webmcp.js"))
	require.NoError(t, err)
	require.True(t, bytes.Contains(script, []byte(`"`+core.Version+`"`)), "webmcp.version")
}

// Only what does nothing when it is imported may be left out of a bundle that
// does not use its exports.
func TestAModuleThatDoesSomethingWhenImportedHasSideEffects(t *testing.T) {
	t.Parallel()
	dir, m := built(t)
	scripts, err := filepath.Glob(filepath.Join(dir, "*.js"))
	require.NoError(t, err)
	for _, script := range scripts {
		name := "./" + filepath.Base(script)
		if name == "./react.js" || name == "./webmcp_hooks.js" || name == "./webmcp_forms.js" {
			require.NotContains(t, m.SideEffects, name)
		} else {
			require.Contains(t, m.SideEffects, name)
		}
	}
}

func TestBuildReplacesAnEarlierBuild(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, Build(t.Context(), dir))
	old := filepath.Join(dir, "old.js")
	require.NoError(t, os.WriteFile(old, nil, 0o644))
	require.NoError(t, Build(t.Context(), dir))
	require.NoFileExists(t, old)
	require.FileExists(t, filepath.Join(dir, "webmcp.js"))
}

func TestBuildRemovesNothingOfOthers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"name": "mine"}`), 0o644))
	require.ErrorContains(t, Build(t.Context(), dir), "something else")
	require.FileExists(t, filepath.Join(dir, "package.json"))
}

func TestAMissingFileIsNamed(t *testing.T) {
	t.Parallel()
	err := copyFile(t.TempDir(), t.TempDir(), "wasm/react/react.js")
	require.EqualError(t, err, "wasm/react/react.js is missing: the npm package needs it")
}

// What npm packs is what Build wrote: nothing is ignored, nothing is added.
func TestTheTarballHoldsThePackage(t *testing.T) {
	t.Parallel()
	w := installed(t)
	file, err := os.Open(w.tarball)
	require.NoError(t, err)
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	require.NoError(t, err)
	var packed []string
	for archive := tar.NewReader(unzipped); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		packed = append(packed, strings.TrimPrefix(header.Name, "package/"))
	}
	dir, _ := built(t)
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	var want []string
	for _, entry := range entries {
		want = append(want, entry.Name())
	}
	require.ElementsMatch(t, want, packed)
	require.Equal(t, "webmcp-wasm-"+core.Version+".tgz", filepath.Base(w.tarball))
}

// declarations returns the texts of the package's types, by file.
func declarations(t *testing.T) map[string]string {
	t.Helper()
	dir, _ := built(t)
	paths, err := filepath.Glob(filepath.Join(dir, "*.d.ts"))
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	texts := map[string]string{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		texts[filepath.Base(path)] = string(text)
	}
	return texts
}

func TestEveryExportIsDocumented(t *testing.T) {
	t.Parallel()
	for name, text := range declarations(t) {
		lines := strings.Split(text, "\n")
		for i, line := range lines {
			if !strings.HasPrefix(line, "export ") || line == "export {};" || strings.HasPrefix(line, "export default ") {
				continue
			}
			require.True(t, i > 0 && strings.HasSuffix(lines[i-1], "*/"), "%s:%d has no JSDoc before it: %s", name, i+1, line)
		}
	}
}

// The README shows the code that the tests run.
func TestTheReadmeShowsWhatIsTested(t *testing.T) {
	t.Parallel()
	root, err := dist.Root()
	require.NoError(t, err)
	readme, err := os.ReadFile(filepath.Join(root, "npm", "README.md"))
	require.NoError(t, err)
	for _, name := range []string{"fresh/app.ts", "apps/esbuild/build.js"} {
		code, err := os.ReadFile(filepath.Join("testdata", filepath.FromSlash(name)))
		require.NoError(t, err)
		require.Contains(t, string(readme), string(code), name)
	}
}
