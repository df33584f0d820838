//go:build js && wasm

package bridge

import (
	"time"

	"github.com/webmcp-wasm/webmcp/hooks"
	"github.com/webmcp-wasm/webmcp/internal/core"
	"github.com/webmcp-wasm/webmcp/internal/jsontape"
)

// approvalRefs returns copies of approvals as the pipeline of the browser knows them.
func approvalRefs(approvals []hooks.Approval) (refs []core.Ref) {
	for _, a := range approvals {
		a.Remember.By = append([]string(nil), a.Remember.By...) // nil where there is none
		refs = append(refs, core.Ref{Owner: core.GoOwner, Hook: &a})
	}
	return refs
}

// approvalAt returns the approval of Go at a place in the plan of a call.
func approvalAt(of *core.Call, at int32) *hooks.Approval {
	return core.Approvals(of)[at].Hook.(*hooks.Approval)
}

// webmcp_approval replies with what the glue has to know of the approval of Go at a
// place in the plan of a call: once for each plan.
//
//go:wasmexport webmcp_approval
func webmcpApproval(number, at int32) {
	a := approvalAt(core.CallNumber(number), at)
	text, _ := jsontape.Append(nil, facts(a)) // JSON says all of them
	core.Reply(text)
}

// facts returns what of an approval is known without a call. Functions are true; a title
// that is empty is none; a timeout of nil is the usual one, of 0 none.
func facts(a *hooks.Approval) map[string]any {
	facts := map[string]any{
		"only": map[hooks.Hint]string{hooks.Consequential: "consequential", hooks.Writes: "writes"}[a.Only],
		"when": hooks.Decides(a), "describe": a.Describe != nil, "details": a.Details != nil, "title": a.Title, "edit": a.Edit,
		"remember": map[string]any{
			"tool": a.Remember.Tool, "arguments": a.Remember.Arguments || len(a.Remember.By) > 0, "by": a.Remember.By,
		},
	}
	switch {
	case a.Timeout < 0:
		facts["timeout"] = 0
	case a.Timeout > 0: // rounded up, and no longer than a timer of the browser takes
		facts["timeout"] = int64(min((a.Timeout-1)/time.Millisecond+1, 1<<31-2))
	}
	return facts
}
