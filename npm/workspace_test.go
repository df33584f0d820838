package npm

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// temporary returns the directory of this run. What is in it is made once, for
// all tests, and removed at the end.
var temporary = sync.OnceValues(func() (string, error) { return os.MkdirTemp("", "webmcp-npm-") })

func removeTemporary() {
	if dir, err := temporary(); err == nil {
		os.RemoveAll(dir)
	}
}

// buildOnce builds the package, and returns its directory.
var buildOnce = sync.OnceValues(func() (string, error) {
	dir, err := temporary()
	if err != nil {
		return "", err
	}
	dir = filepath.Join(dir, "package")
	return dir, Build(context.Background(), dir)
})

// workspace is a directory with everything that the tests need of npm: the
// packages of testdata/package.json and the tarball of ours, all installed, and
// a copy of testdata.
type workspace struct {
	dir     string
	tarball string // the path of what npm pack made
}

var makeWorkspace = sync.OnceValues(func() (w workspace, err error) {
	pkg, err := buildOnce()
	if err != nil {
		return w, err
	}
	parent := filepath.Dir(pkg)
	w.dir = filepath.Join(parent, "workspace")
	if _, err := run(pkg, "npm", "pack", "--silent", "--pack-destination", parent); err != nil {
		return w, err
	}
	tarballs, err := filepath.Glob(filepath.Join(parent, "*.tgz"))
	if err != nil || len(tarballs) != 1 {
		return w, fmt.Errorf("npm pack made %q: %w", tarballs, err)
	}
	w.tarball = tarballs[0]
	if err := os.CopyFS(w.dir, os.DirFS("testdata")); err != nil {
		return w, err
	}
	return w, install(w.dir, w.tarball)
})

// install installs a package, and what the package.json in dir names: from npm's cache, as far as that knows what is wanted.
func install(dir, pkg string) error {
	with := func(cache string) error {
		_, err := run(dir, "npm", "install", "--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts", cache, "--loglevel=error", pkg)
		return err
	}
	if with("--prefer-offline") == nil {
		return nil
	}
	return with("--prefer-online")
}

// run runs a program in dir and returns what it printed, which is also in the
// error.
func run(dir, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "NO_COLOR=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		return string(out), fmt.Errorf("%s %q in %s: %w\n%s", name, args, dir, err, out)
	}
	return string(out), nil
}

// installed returns the workspace. Where there is no npm it skips the test, but
// for CI, where npm has to be.
func installed(t *testing.T) workspace {
	t.Helper()
	if _, err := exec.LookPath("npm"); errors.Is(err, exec.ErrNotFound) {
		require.Empty(t, os.Getenv("CI"), "npm is missing, and CI must not leave these tests out: install Node.js")
		t.Skip("NOT TESTED: npm is missing. Install Node.js, 20 or newer, to test the npm package")
	}
	w, err := makeWorkspace()
	require.NoError(t, err, "prepare the workspace")
	return w
}

// node runs a script of the workspace with Node.js, and returns what it printed.
func (w workspace) node(t *testing.T, dir, script string, args ...string) string {
	t.Helper()
	out, err := run(dir, "node", append([]string{filepath.Join(w.dir, filepath.FromSlash(script))}, args...)...)
	require.NoError(t, err)
	return out
}
