package driver

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// ErrNoBrowser is returned where no Chrome or Chromium is found. Its text says
// how to install one.
var ErrNoBrowser = errors.New(`no Chromium or Chrome was found. Do one of:
    apt-get install chromium                 (Debian, as root; Ubuntu: install Google Chrome)
    brew install --cask chromium             (macOS)
    winget install Google.Chrome             (Windows)
    CHROME=/path/to/chrome                   (in the environment: a browser that lies elsewhere)`)

// FindBrowser returns the path of the browser: $CHROME when it is set, otherwise the
// first one that is installed, Chromium before Chrome. The error is ErrNoBrowser,
// or says why $CHROME cannot be run.
func FindBrowser() (string, error) {
	if chrome := os.Getenv("CHROME"); chrome != "" {
		path, err := exec.LookPath(chrome)
		if err != nil {
			return "", fmt.Errorf("CHROME=%s cannot be run: %w", chrome, err)
		}
		return path, nil
	}
	for _, candidate := range candidates() {
		if path, err := exec.LookPath(candidate); err == nil {
			return path, nil
		}
	}
	return "", ErrNoBrowser
}

func candidates() []string {
	names := []string{
		"chromium", "chromium-browser",
		"google-chrome", "google-chrome-stable", "google-chrome-beta", "google-chrome-unstable",
		"chrome",
	}
	switch runtime.GOOS {
	case "darwin":
		for _, dir := range []string{"/Applications", filepath.Join(os.Getenv("HOME"), "Applications")} {
			for _, app := range []string{"Chromium", "Google Chrome", "Google Chrome Beta", "Google Chrome Canary"} {
				names = append(names, filepath.Join(dir, app+".app", "Contents", "MacOS", app))
			}
		}
	case "windows":
		for _, env := range []string{"ProgramFiles", "ProgramFiles(x86)", "LocalAppData"} {
			if dir := os.Getenv(env); dir != "" {
				names = append(names,
					filepath.Join(dir, "Chromium", "Application", "chrome.exe"),
					filepath.Join(dir, "Google", "Chrome", "Application", "chrome.exe"))
			}
		}
	}
	return names
}
