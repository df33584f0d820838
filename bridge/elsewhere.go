//go:build !js || !wasm

package bridge

import (
	"context"

	"github.com/webmcp-wasm/webmcp/hooks"
)

// There is no page and no agent: hooks have nobody to look at.

func publish() {}

func addHooks(int32, hooks.Set, bool) {}

func enforce(*hooks.Policy) {}

func setContext(map[string]any) error { return nil }

func auditLog() []hooks.AuditEntry { return nil }

func onAudit(func(hooks.AuditEntry)) (end func()) { return func() {} }

func newScope(*Scope) *Scope { return new(Scope) }

func register(_ context.Context, t *hooks.Tool, _ string, _ *Scope) (release func(), err error) {
	return nil, &Error{"NotSupportedError", "the tool " + t.Contract.Name + " needs a page: build this program with GOOS=js GOARCH=wasm"}
}
