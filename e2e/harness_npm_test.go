package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// fromNPM installs packages by npm into a folder of its own, writes files into
// it, runs npm with each of the further argument lists there, and returns one
// file of it. The folder is gone afterwards.
func fromNPM(result string, files map[string]string, packages []string, further ...[]string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "webmcp-npm-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			return nil, err
		}
	}
	install := append([]string{"install", "--no-audit", "--no-fund", "--no-save"}, packages...)
	for _, args := range append([][]string{install}, further...) {
		cmd := exec.Command("npm", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("npm %v: %w\n%s", args, err, out)
		}
	}
	return os.ReadFile(filepath.Join(dir, result))
}
