package webmcptest_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The test that the README and the guide show is one that runs.
func TestTheGuidesShowTheExampleAsItRuns(t *testing.T) {
	t.Parallel()
	read := func(path string) string {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		return string(text)
	}
	example := read("../examples/agenttest/agent_test.go")
	require.Contains(t, read("../docs/testing.md"), "```go\n"+example+"```")
	_, function, _ := strings.Cut(example, "\n)\n\n")
	require.Contains(t, read("../README.md"), "```go\n"+function+"```")
}
