//go:build !js

package hooks

import (
	"io"
	"log/slog"
	"sync"
)

// AuditLines returns a sink for WithAudit that writes each entry as one line of JSON. It is
// safe for concurrent use; a line is one Write. What cannot be written is logged.
func AuditLines(w io.Writer) func(AuditEntry) {
	var mu sync.Mutex
	return func(e AuditEntry) {
		line, err := e.MarshalJSON()
		if err == nil {
			mu.Lock()
			defer mu.Unlock()
			_, err = w.Write(append(line, '\n'))
		}
		if err != nil {
			slog.Error("webmcp: an entry of the audit log cannot be written", "tool", e.Tool, "id", e.ID, "error", ErrorText(err))
		}
	}
}

// LogValue has package slog log the entry as a group, with the members that it has in
// JSON:
//
//	ctx = hooks.WithAudit(ctx, func(e hooks.AuditEntry) { slog.Info("tool call", "call", e) })
func (e AuditEntry) LogValue() slog.Value {
	attrs := []slog.Attr{
		slog.Time("time", e.Time), slog.String("id", e.ID), slog.String("tool", e.Tool), slog.String("outcome", e.Outcome),
		slog.Bool("executed", e.Executed), slog.Duration("duration", e.Duration), slog.Int("inputBytes", e.InputBytes), slog.Int("outputBytes", e.OutputBytes),
	}
	for _, text := range []struct{ name, text string }{
		{"code", e.Code}, {"rule", e.Rule}, {"input", e.Input}, {"changed", e.Changed}, {"output", e.Output},
	} {
		if text.text != "" {
			attrs = append(attrs, slog.String(text.name, text.text))
		}
	}
	if len(e.Rules) > 0 {
		attrs = append(attrs, slog.Any("rules", e.Rules))
	}
	if len(e.Reports) > 0 {
		attrs = append(attrs, slog.Any("reports", e.Reports))
	}
	if len(e.Withheld) > 0 {
		attrs = append(attrs, slog.Any("withheld", e.Withheld))
	}
	if a := e.Approval; a != nil {
		attrs = append(attrs, slog.Group("approval", "approve", a.Approve, "how", a.How, "by", a.By, "at", a.At, "waited", a.Waited, "edited", a.Edited, "digest", a.Digest))
	}
	return slog.GroupValue(attrs...)
}
