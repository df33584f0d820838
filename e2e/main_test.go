package e2e

import (
	"flag"
	"fmt"
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(suite(m))
}

func suite(m *testing.M) int {
	if flag.Lookup("test.list").Value.String() == "" {
		if _, err := findBrowser(); err != nil {
			fmt.Fprintln(os.Stderr, "e2e:", err)
			return 1
		}
	}
	defer withWebMCP.stop()
	defer withoutWebMCP.stop()
	defer site.stop()
	defer libraries.stop()
	defer loading.stop()
	defer polyfilled.stop()
	defer demo.stop()
	return m.Run()
}
