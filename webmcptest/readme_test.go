package webmcptest_test

import (
	"bytes"
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}

// The test that the README and the guide show is one that runs.
func TestTheGuidesShowTheExampleAsItRuns(t *testing.T) {
	t.Parallel()
	example := read(t, "../examples/agenttest/agent_test.go")
	require.Contains(t, read(t, "../docs/testing.md"), "```go\n"+example+"```")
	_, function, _ := strings.Cut(example, "\n)\n\n")
	require.Contains(t, read(t, "../README.md"), "```go\n"+function+"```")
}

// around is what the reader of a fragment has: what its words stand for.
const around = `package fragment

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/webmcp-wasm/webmcp/bridge"
	"github.com/webmcp-wasm/webmcp/driver"
	"github.com/webmcp-wasm/webmcp/hooks"
	"github.com/webmcp-wasm/webmcp/hooks/typed"
	"github.com/webmcp-wasm/webmcp/webmcptest"
)

var (
	_ = kb.Escape
	_ http.Dir
	_ = httptest.NewServer
	_ = os.Exit
	_ = bridge.Configure
	_ driver.Options
	_ hooks.Set
	_ = typed.Handler[In, Out]
	_ webmcptest.Options
)

type (
	Menu  struct{}
	In    struct{}
	Out   struct{}
	hours struct{}
)

func (hours) Open() bool { return true }

var office hours

func findUser(context.Context, In) (Out, error) { return Out{}, nil }
`

var fragments = regexp.MustCompile("(?s)\n```go\n(.*?)```")

// What the guides show in pieces compiles where it belongs.
func TestTheFragmentsOfTheGuidesCompile(t *testing.T) {
	t.Parallel()
	exports := map[string]string{}
	list, err := exec.CommandContext(t.Context(), "go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", ".", "../bridge", "../hooks/typed", "net/http/httptest", "testing", "github.com/chromedp/chromedp/kb").Output()
	require.NoError(t, err)
	for line := range bytes.Lines(list) {
		path, file, _ := strings.Cut(strings.TrimSpace(string(line)), " ")
		exports[path] = file
	}
	files := token.NewFileSet()
	imports := importer.ForCompiler(files, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	compile := func(code string) error {
		file, err := parser.ParseFile(files, "fragment.go", code, 0)
		if err != nil {
			return err
		}
		var wrong error
		c := types.Config{Importer: imports, Error: func(err error) {
			// A reader uses what a fragment only declares.
			if e := (types.Error{}); !errors.As(err, &e) || !e.Soft {
				wrong = errors.Join(wrong, err)
			}
		}}
		_, _ = c.Check("fragment", files, []*ast.File{file}, nil) // its errors are those above
		return wrong
	}
	checked := 0
	for _, guide := range []string{"../README.md", "../docs/testing.md"} {
		for _, match := range fragments.FindAllStringSubmatch(read(t, guide), -1) {
			code := match[1]
			switch {
			case strings.HasPrefix(code, "package "):
				continue // a whole file, which runs
			case strings.HasPrefix(code, "func "):
				code = around + code
			default:
				code = around + "func _(ctx context.Context, t *testing.T, p *webmcptest.Page, input any) error { { " + code + "\nreturn err } }"
				if !strings.Contains(match[1], "err") {
					code = strings.Replace(code, "return err ", "return nil ", 1)
				}
			}
			require.NoError(t, compile(code), "%s", match[1])
			checked++
		}
	}
	require.Greater(t, checked, 5)
	require.ErrorContains(t, compile(around+"func _(p *webmcptest.Page) { p.Anything() }"), "Anything", "the check can fail")
}
