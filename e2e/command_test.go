package e2e

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDemoCommandServesUntilInterrupted is what a newcomer does: start the
// command, open the address that it prints, and stop it with Ctrl-C.
func TestDemoCommandServesUntilInterrupted(t *testing.T) {
	t.Parallel()
	root, err := buildDist()
	require.NoError(t, err)
	command := filepath.Join(t.TempDir(), "demo.exe") // a name that Windows runs as well
	build := exec.CommandContext(t.Context(), "go", "build", "-o", command, "./demo")
	build.Dir = root
	text, err := build.CombinedOutput()
	require.NoError(t, err, "%s", text)

	serve := exec.CommandContext(t.Context(), command, "-addr", "127.0.0.1:0")
	serve.Dir = root
	serve.Stderr = os.Stderr
	output, err := serve.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, serve.Start())
	line, err := bufio.NewReader(output).ReadString('\n')
	require.NoError(t, err)
	url := regexp.MustCompile(`http://\S+`).FindString(line)
	require.NotEmpty(t, url, line)

	p := newPage(t, withWebMCP)
	p.Open(url)
	p.AwaitTools(demoTools...)
	s := shop{p, t}
	s.addByAgent("keyboard")
	require.Equal(t, 1, s.cart().Count)
	p.Open("about:blank")

	if runtime.GOOS == "windows" {
		require.NoError(t, serve.Process.Kill()) // Windows cannot send an interrupt to a process
		_ = serve.Wait()
		return
	}
	require.NoError(t, serve.Process.Signal(os.Interrupt))
	require.NoError(t, serve.Wait(), "Ctrl-C ends it with exit code 0")
}
