package react

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/webmcp-wasm/webmcp/webmcptest"
)

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(suite(m))
}

func suite(m *testing.M) int {
	if _, err := exec.LookPath("npm"); err != nil {
		fmt.Fprintln(os.Stderr, "react: NOT TESTED: npm was not found, which these tests get React and Vite with; install Node.js 20.19 or newer")
		if os.Getenv("CI") != "" {
			return 1 // where nothing may be left out
		}
		// Where go test hides that line it still says "no tests to run", which it
		// would not if each test were skipped.
		if err := flag.Set("test.run", "^$"); err != nil {
			return 1
		}
	}
	defer func() { os.RemoveAll(workshop.dir) }()
	defer site.stop()
	return webmcptest.Run(m)
}
