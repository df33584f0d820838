package hooks_test

import (
	"context"
	"log/slog"
	"sync"

	"github.com/webmcp-wasm/webmcp/hooks"
)

// logs holds what was logged, by the name of the tool.
var logs struct {
	mu    sync.Mutex
	lines map[string][]string
}

func init() {
	logs.lines = make(map[string][]string)
	slog.SetDefault(slog.New(logHandler{}))
}

// logged returns what was logged of a tool, whose name no other test has, since it was
// last called for it: a test that runs again does not see what it has logged before.
func logged(tool *hooks.Tool) []string {
	logs.mu.Lock()
	defer logs.mu.Unlock()
	lines := logs.lines[tool.Contract.Name]
	delete(logs.lines, tool.Contract.Name)
	return lines
}

type logHandler struct{}

func (logHandler) Enabled(context.Context, slog.Level) bool { return true }
func (h logHandler) WithAttrs([]slog.Attr) slog.Handler     { return h }
func (h logHandler) WithGroup(string) slog.Handler          { return h }

func (logHandler) Handle(_ context.Context, r slog.Record) error {
	attrs := map[string]string{}
	r.Attrs(func(a slog.Attr) bool {
		attrs[a.Key] = a.Value.String()
		return true
	})
	line := r.Message
	for _, key := range []string{"phase", "error", "panic", "effect", "rule"} {
		if attrs[key] != "" {
			line += ": " + attrs[key]
		}
	}
	logs.mu.Lock()
	defer logs.mu.Unlock()
	logs.lines[attrs["tool"]] = append(logs.lines[attrs["tool"]], line)
	return nil
}
