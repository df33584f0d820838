package dist

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// maxModule is how large the drop-in module may be, in bytes of brotli.
const maxModule = 580_000

// imports is what the drop-in module may consist of, besides the runtime's own
// packages. Measure before you add one: it comes with every page.
var imports = []string{
	"cmp", "errors", "io", "iter", "math", "math/bits", "runtime", "slices", "strconv", "strings", "sync",
	"sync/atomic", "syscall/js", "unicode", "unicode/utf8", "unsafe",
	"github.com/webmcp-wasm/webmcp/internal/core",
	"github.com/webmcp-wasm/webmcp/internal/jsontape",
	"github.com/webmcp-wasm/webmcp/hooks/approval",
	"github.com/webmcp-wasm/webmcp/hooks/policy",
	"github.com/webmcp-wasm/webmcp/hooks/pipeline",
	"github.com/webmcp-wasm/webmcp/internal/registry",
	"github.com/webmcp-wasm/webmcp/hooks/schema",
	"github.com/webmcp-wasm/webmcp/wasm",
}

// foreignImports returns what the drop-in module imports beyond that.
func foreignImports(t *testing.T, root string) (foreign []string) {
	cmd := exec.Command("go", "list", "-deps", "./wasm")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := cmd.Output()
	require.NoError(t, err)
	for name := range strings.FieldsSeq(string(out)) {
		internal := strings.HasPrefix(name, "internal/") || strings.HasPrefix(name, "runtime/internal/")
		if !internal && !slices.Contains(imports, name) {
			foreign = append(foreign, name)
		}
	}
	return foreign
}

func TestTheDropInModuleImportsNothingHeavy(t *testing.T) {
	t.Parallel()
	root, err := Root()
	require.NoError(t, err)
	require.Empty(t, foreignImports(t, root), "the drop-in module must not import these")
}

func TestTheDropInModuleIsSmall(t *testing.T) {
	t.Parallel()
	root, err := Root()
	require.NoError(t, err)
	dir := filepath.Join(root, "dist") // where it mostly is already
	require.NoError(t, Build(t.Context(), dir))
	info, err := os.Stat(filepath.Join(dir, "webmcp.wasm.br"))
	require.NoError(t, err)
	t.Logf("webmcp.wasm is %d bytes in brotli; the limit is %d", info.Size(), maxModule)
	require.LessOrEqual(t, info.Size(), int64(maxModule),
		"new imports are %v; if there is none, our own packages grew", foreignImports(t, root))
}

func TestAFileThatIsUpToDateIsLeftAlone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "a.js")
	require.NoError(t, write(dir, "a.js", []byte("let a = 1")))
	old := time.Now().Add(-time.Hour).Truncate(time.Second)
	require.NoError(t, os.Chtimes(path, old, old))

	require.NoError(t, write(dir, "a.js", []byte("let a = 1")))
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, old, info.ModTime())

	require.NoError(t, os.Remove(path+".br"))
	require.NoError(t, write(dir, "a.js", []byte("let a = 1")))
	require.FileExists(t, path+".br", "a compressed form that got lost was not written again")

	require.NoError(t, write(dir, "a.js", []byte("let a = 2")))
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "let a = 2", string(content))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 3, "something was left behind")
}

func TestACompilerErrorIsInTheError(t *testing.T) {
	t.Parallel()
	root, err := Root()
	require.NoError(t, err)
	_, err = Compile(t.Context(), root, "./no-such-package")
	require.ErrorContains(t, err, "no-such-package")
}

// source returns the lines of code, without comments, of each file below the
// folders that ends in one of the suffixes.
func source(t *testing.T, root string, folders []string, suffixes ...string) map[string][]string {
	files := map[string][]string{}
	for _, folder := range folders {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || !slices.Contains(suffixes, filepath.Ext(path)) || strings.HasSuffix(path, "_test.go") {
				return err
			}
			f, err := os.Open(path)
			if err != nil {
				return err
			}
			defer f.Close()
			name, _ := filepath.Rel(root, path)
			for lines := bufio.NewScanner(f); lines.Scan(); {
				line := strings.TrimSpace(lines.Text())
				if strings.HasPrefix(line, "//go:build") || !regexp.MustCompile(`^(//|/\*|\*)`).MatchString(line) {
					files[name] = append(files[name], line)
				}
			}
			return nil
		})
		require.NoError(t, err)
	}
	return files
}

func TestOnlyTheBridgeAndTheModuleKnowJavaScript(t *testing.T) {
	t.Parallel()
	root, err := Root()
	require.NoError(t, err)
	files := source(t, root, []string{"hooks", "internal", "bridge", "wasm"}, ".go")
	require.NotEmpty(t, files)
	for name, lines := range files {
		usesJS := slices.ContainsFunc(lines, func(line string) bool {
			return strings.Contains(line, `"syscall/js"`) || strings.Contains(line, "//go:wasmexport")
		})
		if !usesJS {
			continue
		}
		require.False(t, strings.HasPrefix(name, "hooks"), "%s must not know JavaScript", name)
		require.Contains(t, lines, "//go:build js && wasm", name)
	}
}

func TestOneFileNamesModelContext(t *testing.T) {
	t.Parallel()
	root, err := Root()
	require.NoError(t, err)
	var naming []string
	for name, lines := range source(t, root, []string{"hooks", "internal", "bridge", "wasm"}, ".go", ".js") {
		if strings.Contains(strings.Join(lines, "\n"), `"modelContext"`) || strings.Contains(strings.Join(lines, "\n"), "document.modelContext") {
			naming = append(naming, filepath.ToSlash(name))
		}
	}
	require.Equal(t, []string{"internal/glue/modelcontext.js"}, naming)
}
