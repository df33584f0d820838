package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/demo/server"
	"github.com/webmcp-wasm/webmcp/internal/dist"
)

// binary is the command, built once for the tests that look at exit codes and signals.
var binary string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "demo-test-")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(dir)
		binary = filepath.Join(dir, "demo.exe")
		if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
			panic(string(out))
		}
		return m.Run()
	}())
}

// fails runs the command in dir and returns its exit code and what it wrote to standard error.
func fails(t *testing.T, dir string, args ...string) (code int, stderr string) {
	t.Helper()
	var out, problem bytes.Buffer
	cmd := exec.CommandContext(t.Context(), binary, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &problem
	err := cmd.Run()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	require.Empty(t, out.String())
	return exit.ExitCode(), problem.String()
}

func requireOneLine(t *testing.T, text string, parts ...string) {
	t.Helper()
	require.Equal(t, 1, strings.Count(text, "\n"), text)
	for _, part := range parts {
		require.Contains(t, text, part)
	}
}

func moduleRoot(t *testing.T) string {
	t.Helper()
	root, err := dist.Root()
	require.NoError(t, err)
	return root
}

func TestPortInUseIsOneLineAndExitCode1(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	addr := taken.Addr().String()

	code, stderr := fails(t, moduleRoot(t), "-addr", addr)
	require.Equal(t, 1, code)
	requireOneLine(t, stderr, addr+" is in use", "-addr localhost:0")
}

func TestAddressThatCannotBeServedIsOneLineAndExitCode1(t *testing.T) {
	t.Parallel()
	for _, addr := range []string{"localhost", "localhost:99999", "localhost:http:80"} {
		code, stderr := fails(t, moduleRoot(t), "-addr", addr)
		require.Equal(t, 1, code, addr)
		requireOneLine(t, stderr, addr, "-addr host:port")
	}
}

func TestMissingSiteIsOneLineAndExitCode1(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(root, "go.mod"), []byte("module github.com/webmcp-wasm/webmcp\n"), 0o644))

	code, stderr := fails(t, root, "-addr", "127.0.0.1:0")
	require.Equal(t, 1, code)
	requireOneLine(t, stderr, filepath.Join("demo", "site")+" is missing", "checkout")
}

func TestOutsideOfACheckoutIsOneLineAndExitCode1(t *testing.T) {
	t.Parallel()
	code, stderr := fails(t, t.TempDir(), "-addr", "127.0.0.1:0")
	require.Equal(t, 1, code)
	requireOneLine(t, stderr, "checkout")
}

func TestUnknownCommandLineIsExitCode2(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"-port", "80"}, {"8080"}} {
		code, stderr := fails(t, moduleRoot(t), args...)
		require.Equal(t, 2, code)
		require.Contains(t, stderr, "-addr")
	}
}

var serving = regexp.MustCompile(`^Serving (http://127\.0\.0\.1:[1-9][0-9]*/demo/) \(Ctrl-C stops\)$`)

func TestServesAFreePortUntilASignal(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no way to send another process an interrupt")
	}
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			var problem bytes.Buffer
			cmd := exec.CommandContext(t.Context(), binary, "-addr", "127.0.0.1:0")
			cmd.Dir, cmd.Stderr = moduleRoot(t), &problem
			stdout, err := cmd.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, cmd.Start())
			line, err := bufio.NewReader(stdout).ReadString('\n')
			if err != nil {
				_ = cmd.Wait()
			}
			require.NoError(t, err, &problem)
			found := serving.FindStringSubmatch(strings.TrimSpace(line))
			require.NotNil(t, found, line)

			for path, contentType := range map[string]string{
				"":                    "text/html; charset=utf-8",
				"../dist/webmcp.wasm": "application/wasm",
				"../dist/webmcp.js":   "text/javascript; charset=utf-8",
			} {
				response, err := http.Get(found[1] + path)
				require.NoError(t, err)
				_, err = io.Copy(io.Discard, response.Body)
				require.NoError(t, err)
				require.NoError(t, response.Body.Close())
				require.Equal(t, http.StatusOK, response.StatusCode, path)
				require.Equal(t, contentType, response.Header.Get("Content-Type"), path)
			}

			require.NoError(t, cmd.Process.Signal(signal))
			require.NoError(t, cmd.Wait(), &problem) // exit code 0
			_, err = http.Get(found[1])
			require.Error(t, err, "it must not serve any more")
		})
	}
}

func TestOpenRequestIsAnsweredBeforeTheEnd(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	arrived := make(chan struct{})
	handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		close(arrived)
		<-ctx.Done() // the server has been told to stop by now
		_, _ = io.WriteString(w, "answered")
	})
	ended := make(chan error, 1)
	go func() { ended <- serve(ctx, listener, handler) }()
	answer := make(chan string, 1)
	go func() {
		response, err := http.Get("http://" + listener.Addr().String())
		if err != nil {
			answer <- err.Error()
			return
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		answer <- string(body) + errorText(err)
	}()

	<-arrived
	stop()
	require.Equal(t, "answered", <-answer)
	require.NoError(t, <-ended)
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestListenerThatBreaksIsReported(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, listener.Close())
	require.ErrorIs(t, serve(t.Context(), listener, http.NotFoundHandler()), net.ErrClosed)
}

func TestInterruptWhileBuildingIsACleanEnd(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	var stdout bytes.Buffer
	// The line about building is written just before the build starts.
	err := run(ctx, []string{"-addr", "127.0.0.1:0"}, &stdout, writerFunc(stop))
	require.NoError(t, err)
	require.Empty(t, stdout.String())
}

type writerFunc func()

func (f writerFunc) Write(p []byte) (int, error) {
	f()
	return len(p), nil
}

func TestAddressIsWhatABrowserHereCanOpen(t *testing.T) {
	t.Parallel()
	got := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 4321}
	for asked, want := range map[string]string{
		"localhost:8080": "http://localhost:4321/demo/",
		"127.0.0.1:0":    "http://127.0.0.1:4321/demo/",
		"[::1]:0":        "http://[::1]:4321/demo/",
		":0":             "http://localhost:4321/demo/",
		"0.0.0.0:80":     "http://localhost:4321/demo/",
		"[::]:80":        "http://localhost:4321/demo/",
	} {
		require.Equal(t, want, address(asked, got), asked)
	}
}

func TestNoClientCanHoldOnForLong(t *testing.T) {
	t.Parallel()
	s := newServer(http.NotFoundHandler())
	for name, limit := range map[string]time.Duration{
		"header": s.ReadHeaderTimeout, "read": s.ReadTimeout, "write": s.WriteTimeout, "idle": s.IdleTimeout,
	} {
		require.Positive(t, limit, name)
	}
}

func TestTheServerAnswersToWhatItWasToldToListenOn(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		addr, named string
		want        []string
	}{
		{"localhost:8080", "", []string{"localhost"}},
		{":8080", "", nil},
		{"0.0.0.0:8080", "shop.example, 192.168.0.7", []string{"shop.example", "192.168.0.7"}},
		{"192.168.0.7:80", "", []string{"192.168.0.7"}},
		{"[::]:80", ",", nil},
	} {
		require.Equal(t, test.want, hosts(test.addr, test.named), test)
	}
}

// The policy of the server forbids all of this; here it is told at once, and with the line.
func TestSiteHasNothingInlineAndNothingFromElsewhere(t *testing.T) {
	t.Parallel()
	site := filepath.Join(moduleRoot(t), "demo", "site")
	require.NoError(t, server.CheckSite(moduleRoot(t)))
	forbidden := regexp.MustCompile(`(?i)<style|\sstyle\s*=|<script(?:\s+type="?\w+"?)?\s*>|\son[a-z]+\s*=\s*["']|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|https?://|\burl\(`)
	namespace := `xmlns="http://www.w3.org/2000/svg"`
	read := 0
	require.NoError(t, filepath.WalkDir(site, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		read++
		for number, line := range strings.Split(strings.ReplaceAll(string(text), namespace, ""), "\n") {
			if found := forbidden.FindString(line); found != "" {
				t.Errorf("%s:%d: %s", path, number+1, strings.TrimSpace(line))
			}
		}
		return nil
	}))
	require.NotZero(t, read)
}
