package glue

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/internal/core"
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

	joined, err := join(parts)
	require.NoError(t, err)
	at := -1
	for _, name := range parts {
		code := "// " + name + "\n"
		if apart[name] == "" {
			code += source(t, name)
		}
		require.Equal(t, 1, strings.Count(joined, code), name)
		next := strings.Index(joined, code)
		require.Greater(t, next, at, "%s is not where the list has it", name)
		at = next
	}
}

// The others come later, or never.
func TestNoPartNeedsOneThatComesLater(t *testing.T) {
	t.Parallel()
	j, err := joinAll()
	require.NoError(t, err)
	needsNothingOf := func(earlier, later string) {
		earlier = unspoken.ReplaceAllString(earlier, "")
		for _, m := range topLevel.FindAllStringSubmatch(later, -1) {
			uses := regexp.MustCompile(`(?:^|[^.\w$])` + m[1] + `\b(?:[^:\w]|$)`)
			require.Empty(t, uses.FindString(earlier), "it uses %s", m[1])
		}
	}
	needsNothingOf(j.front, j.back+j.humans)
	needsNothingOf(j.back, j.humans)
	require.Contains(t, j.ofFront, "Glue")
	require.Contains(t, j.ofFront, "ObjectPrototype", "a name that is given in taking it")
	require.NotContains(t, j.ofFront, "signal", "one inside of a function")
	require.Contains(t, j.ofBack, "Invocation")
}

// What a page without WebMCP downloads.
func TestTheModuleIsSmall(t *testing.T) {
	t.Parallel()
	loader, err := os.ReadFile("../../wasm/webmcp.js")
	require.NoError(t, err)
	module, err := Module(loader)
	require.NoError(t, err)
	var b bytes.Buffer
	w := brotli.NewWriterLevel(&b, brotli.BestCompression)
	_, err = w.Write(module)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	require.Less(t, b.Len(), 10_000)
	require.Contains(t, string(module), core.Version)
	_, err = Module([]byte("start();"))
	require.ErrorContains(t, err, "place for the front")
}

func TestNoFileTakesANameOfAnother(t *testing.T) {
	t.Parallel()
	declared := map[string]string{} // the name, or class.name -> its file
	declare := func(file, name string) {
		require.NotContains(t, declared, name, "%s takes the name %s once more", file, name)
		declared[name] = file
	}
	for _, file := range parts {
		if one, ok := apart[file]; ok {
			declare(file, one)
			continue
		}
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
