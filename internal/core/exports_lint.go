//go:build js && wasm && lint

package core

import "github.com/webmcp-wasm/webmcp/internal/registry"

// Tools that look for dead code do not know that the glue calls what is marked
// with go:wasmexport. This file, which no program is built with, calls it all:
// an export that is not here is reported by `make lint`.
func init() {
	// glue.go
	webmcpInterface()

	// calls.go
	webmcpStart(0)
	webmcpBegin(0)
	webmcpTicket(0)
	webmcpStep(0, 0, 0, 0)
	webmcpAbort(0, 0)
	webmcpExpire(0, 0)
	webmcpPlan()

	// tools.go
	webmcpTool(0, 0, 0, 0, 0, 0, 0, 0)
	webmcpAcquire(0, 0)
	webmcpSettled(0, 0, 0)
	webmcpRelease(0, 0)
	webmcpState(0)
	webmcpScope(0)
	webmcpScopeFree(0)
	webmcpHooks(0, 0, 0, 0, 0, 0, 0, 0)

	// schemas.go
	webmcpReply()
	webmcpReplyLength()
	webmcpSchema(0, 0)
	webmcpSchemaFree(0)
	webmcpValidate(0, 0)

	// approvals.go
	webmcpDeskAsk(0, 0, 0, 0, 0, 0, 0, 0)
	webmcpDesk(0, 0, 0, 0, 0)

	// policies.go
	webmcpPolicyKey(0)
	webmcpPolicy(0, 0)
	webmcpContext(0)
	webmcpEffects(0)
	webmcpRule(0, 0, 0, 0, 0)
	webmcpRedact(0, 0)
	webmcpRuled(0, 0, 0)
	webmcpMask(0, 0, 0)
	webmcpExplain(0, 0, 0, 0)

	// memory.go
	webmcpBuffer(0)

	// Not for a page: internal/glue writes the names of states into the glue.
	_ = registry.Idle.String()
}
