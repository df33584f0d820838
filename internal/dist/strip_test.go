package dist

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// compile compiles a package of this module, unstripped.
func compile(t *testing.T, pkg string) []byte {
	t.Helper()
	root, err := Root()
	require.NoError(t, err)
	module, err := Compile(t.Context(), root, pkg)
	require.NoError(t, err)
	return module
}

func TestTheModuleIsWithoutWhatOnlyTracebacksRead(t *testing.T) {
	t.Parallel()
	module := compile(t, "./wasm")
	stripped, err := strip(module)
	require.NoError(t, err, "the tables of a new toolchain look different: see strip")
	require.Less(t, len(stripped), len(module)*84/100)
	require.Contains(t, string(module), "runtime.gcStart")
	require.NotContains(t, string(stripped), "runtime.gcStart")
}

func TestAStrippedProgramRunsAsBefore(t *testing.T) {
	t.Parallel()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("NOT RUN: node is missing; install Node.js to run this test")
	}
	module := compile(t, "./internal/dist/testdata/program")
	stripped, err := strip(module)
	require.NoError(t, err)
	before, after := run(t, node, module), run(t, node, stripped)
	require.Contains(t, before, "collected 1\n")
	require.Contains(t, before, "index out of range [3] with length 1")
	require.Contains(t, before, "value method main.value.Text called using nil *value pointer")
	// The name of a method is one that is not there any more.
	require.Equal(t, strings.Replace(before, "main.value.Text called using nil *value", "go.stripped.function called using nil *stripped", 1), after)
}

// run runs a program in Node.js and returns what it wrote.
func run(t *testing.T, node string, module []byte) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "main.wasm")
	require.NoError(t, os.WriteFile(file, module, 0o644))
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), node, filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", "wasm_exec_node.js"), file)
	cmd.Env = []string{"GODEBUG=invalidptr=1", "GOGC=5"}
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return string(out)
}

// A file that is damaged, or of another toolchain, is refused. It must not be made
// one that fails later.
func TestWhatIsNoModuleOfGoIsNotStripped(t *testing.T) {
	t.Parallel()
	module := compile(t, "./wasm")
	header := bytes.Index(module, []byte(magic))
	require.Positive(t, header)
	for name, damage := range map[string]func(b []byte) []byte{
		"nothing":          func([]byte) []byte { return nil },
		"text":             func([]byte) []byte { return []byte("<!doctype html>") },
		"an empty module":  func([]byte) []byte { return []byte("\x00asm\x01\x00\x00\x00\x0b\x01\x00") },
		"another version":  func(b []byte) []byte { b[header] = 0xf2; return b },
		"another word":     func(b []byte) []byte { b[header+7] = 4; return b },
		"cut off":          func(b []byte) []byte { return b[:header+5000] },
		"no functions":     func(b []byte) []byte { clear(b[header+8 : header+16]); return b },
		"too many of them": func(b []byte) []byte { b[header+10] = 0xff; return b },
	} {
		_, err := strip(damage(bytes.Clone(module)))
		require.Error(t, err, name)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 30 { // none of them panics
		b := bytes.Clone(module)
		for range 20 {
			b[len(b)/2+random.IntN(len(b)/2)] = byte(random.Uint32())
		}
		_, _ = strip(b[:len(b)-random.IntN(1000)])
	}
}
