package glue

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheToolchainsFileComesFirstAndUntouched(t *testing.T) {
	t.Parallel()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	require.NoError(t, err)
	toolchain, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
	require.NoError(t, err)

	ours, err := WasmExec()
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(ours), hint+string(toolchain)))
	require.True(t, strings.HasSuffix(string(ours), "})();\n"))
	require.NotContains(t, string(ours), "{{")
}

// source returns a file without the comment at its top.
func source(t *testing.T, name string) string {
	text, err := files.ReadFile(name)
	require.NoError(t, err)
	_, code, ok := strings.Cut(string(text), "\n\n")
	require.True(t, ok, name)
	return code
}

func TestEveryFileIsJoinedOnce(t *testing.T) {
	t.Parallel()
	names, err := fs.Glob(os.DirFS("."), "*.js")
	require.NoError(t, err)
	require.ElementsMatch(t, names, parts, "the list of parts and the files of this folder differ")

	joined, err := join()
	require.NoError(t, err)
	at := 0
	for _, name := range parts {
		code := source(t, name)
		require.Equal(t, 1, strings.Count(string(joined), code), name)
		next := strings.Index(string(joined), code)
		require.Greater(t, next, at, "%s is not where the list has it", name)
		at = next
	}
}

func TestNoFileTakesANameOfAnother(t *testing.T) {
	t.Parallel()
	declared := map[string]string{} // the name, or class.name -> its file
	declare := func(file, name string) {
		require.NotContains(t, declared, name, "%s takes the name %s once more", file, name)
		declared[name] = file
	}
	for _, file := range parts {
		class := ""
		for line := range strings.SplitSeq(source(t, file), "\n") {
			if m := regexp.MustCompile(`^(?:async )?(?:function|class|const|let) (\w+)`).FindStringSubmatch(line); m != nil {
				declare(file, m[1])
			}
			if m := regexp.MustCompile(`^(?:class (\w+)|extend\((\w+), class)`).FindStringSubmatch(line); m != nil {
				class = m[1] + m[2]
			}
			m := regexp.MustCompile(`^  (?:(?:async|get) )?(\w+)\(.*\{$`).FindStringSubmatch(line)
			if m != nil && class != "" && !slices.Contains([]string{"if", "for", "switch", "while"}, m[1]) {
				declare(file, class+"."+m[1])
			}
			if strings.HasPrefix(line, "}") {
				class = ""
			}
		}
	}
	require.Contains(t, declared, "Invocation.take", "methods are not found where they are")
	require.Contains(t, declared, "Glue.die")
}
