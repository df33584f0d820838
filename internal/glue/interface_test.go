package glue

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/internal/core"
)

// fingerprint is that of the interface whose number core.Interface is.
const fingerprint = "78634dfe7f2fc326"

// said is what a Go file says of the interface: its exports and imports with
// their parameters, and the methods of the glue that it calls.
var said = regexp.MustCompile(`//go:wasm(?:export|import) .*\nfunc .*|(?:glue|Glue\(\))\.Call\([^)\n]*`)

// interfaceOf returns all that the glue and a module must agree on.
func interfaceOf(t *testing.T) string {
	t.Helper()
	var all []string
	for _, dir := range []string{"../core", "../../bridge"} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			all = append(all, said.FindAllString(string(text), -1)...)
		}
	}
	for _, n := range numbers {
		all = append(all, fmt.Sprint(n.name, " = ", n.value))
	}
	for _, n := range names {
		all = append(all, fmt.Sprint(n.name, " = ", n.items))
	}
	j, err := joinAll()
	require.NoError(t, err)
	all = append(all, j.ofFront...) // what webmcp.js gives to webmcp_exec.js
	all = append(all, j.ofBack...)  // and that to webmcp_approvals.js
	slices.Sort(all)
	return strings.Join(all, "\n")
}

func TestAChangedInterfaceHasAnotherNumber(t *testing.T) {
	t.Parallel()
	all := interfaceOf(t)
	for _, part := range []string{"webmcpStep(call int32", `"publish"`, "webmcp answer", "regexp_test", "SETTLE = "} {
		require.Contains(t, all, part)
	}
	require.Equal(t, fingerprint, fmt.Sprintf("%x", sha256.Sum256([]byte(all)))[:16],
		"the interface between the glue and a module has changed: where a release has gone out with the number that it has, "+
			"raise core.Interface, with the name of the export in internal/core/glue.go and INTERFACE in wasm/webmcp.js; then write the new fingerprint here")
}

func TestAllFilesHaveTheNumberOfTheInterface(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"../core/glue.go":      fmt.Sprintf("//go:wasmexport webmcp_interface_%d\n", core.Interface),
		"../../wasm/webmcp.js": fmt.Sprintf("const INTERFACE = %d;", core.Interface),
	} {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Contains(t, string(text), want)
	}
}
