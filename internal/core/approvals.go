//go:build js && wasm

package core

import "github.com/webmcp-wasm/webmcp/hooks/approval"

// desk is where the calls of this instance wait for a human. The glue has what the
// human sees and the results; times are in milliseconds of its clock.
var desk approval.Desk

// deskText is what the exports below show, in the order of said.
var deskText []int32

// said notes what came of an event, for the glue, which reads it at once, and returns
// where it stands: the answer of the event; in how many milliseconds webmcp_desk_tick
// is due, or -1; the question that the human is asked now, and how many wait behind
// it; whether an agent was told of an answer that it can fetch; how many questions,
// rules and effects follow, and those.
func said(now float64, answer int32, todo []approval.Effect) uint32 {
	wait := int32(-1)
	if at, ok := desk.Next(); ok {
		wait = int32(min(max(at-int64(now), 0), 1<<31-1))
	}
	front, behind := desk.Front()
	open, rules := desk.Open(), desk.Rules()
	deskText = append(deskText[:0], answer, wait, int32(front), int32(behind), truth(desk.Promised()),
		int32(len(open)), int32(len(rules)), int32(len(todo)))
	for _, id := range open {
		deskText = append(deskText, int32(id))
	}
	for _, r := range rules {
		deskText = append(deskText, r.Tool, r.Args, truth(r.Approve))
	}
	for _, e := range todo {
		deskText = append(deskText, int32(e.Op), int32(e.Call), int32(e.Question), int32(e.End), truth(e.Remembered), truth(e.Leads))
	}
	return address(&deskText[0])
}

func truth(b bool) int32 {
	if b {
		return 1
	}
	return 0
}

// webmcp_desk_ask takes in a call, as approval.Asked has it. The answer is its
// number.
//
//go:wasmexport webmcp_desk_ask
func webmcpDeskAsk(now float64, tool, key, args, forTool, apart int32, timeout, hold float64) uint32 {
	id, todo := desk.Ask(int64(now), approval.Asked{
		Tool: tool, Key: key, Args: args, ForTool: forTool != 0, Apart: apart != 0, Timeout: int64(timeout), Hold: int64(hold),
	})
	return said(now, int32(id), todo)
}

// webmcp_desk_fetch has somebody wait for the answer of a question. The answer is
// the number of that wait; 0: there is no such question.
//
//go:wasmexport webmcp_desk_fetch
func webmcpDeskFetch(now float64, question int32, hold float64) uint32 {
	id, todo, _ := desk.Fetch(int64(now), approval.QuestionID(question), int64(hold))
	return said(now, int32(id), todo)
}

// webmcp_desk_decide takes a decision; keep is an approval.Keep. The answer is
// whether it counts.
//
//go:wasmexport webmcp_desk_decide
func webmcpDeskDecide(now float64, question, approve, keep int32) uint32 {
	todo, ok := desk.Decide(int64(now), approval.QuestionID(question), approve != 0, approval.Keep(keep))
	return said(now, truth(ok), todo)
}

// webmcp_desk_fail ends a question that nobody can be asked. The answer is whether
// it was open.
//
//go:wasmexport webmcp_desk_fail
func webmcpDeskFail(now float64, question int32) uint32 {
	todo, ok := desk.Fail(int64(now), approval.QuestionID(question), approval.Unavailable)
	return said(now, truth(ok), todo)
}

// webmcp_desk_abort takes out a call that does not wait any more.
//
//go:wasmexport webmcp_desk_abort
func webmcpDeskAbort(now float64, call int32) uint32 {
	return said(now, 0, desk.Abort(int64(now), approval.CallID(call)))
}

// webmcp_desk_close ends the questions of a tool, and forgets its rules.
//
//go:wasmexport webmcp_desk_close
func webmcpDeskClose(now float64, tool int32) uint32 {
	return said(now, 0, desk.Close(int64(now), tool))
}

// webmcp_desk_ended takes note that the call that leads a question has settled.
//
//go:wasmexport webmcp_desk_ended
func webmcpDeskEnded(now float64, question int32) uint32 {
	return said(now, 0, desk.Ended(int64(now), approval.QuestionID(question)))
}

// webmcp_desk_leave answers all agents that are held.
//
//go:wasmexport webmcp_desk_leave
func webmcpDeskLeave(now float64) uint32 { return said(now, 0, desk.Leave(int64(now))) }

// webmcp_desk_tick takes note of the time.
//
//go:wasmexport webmcp_desk_tick
func webmcpDeskTick(now float64) uint32 { return said(now, 0, desk.Tick(int64(now))) }

// webmcp_desk_forget forgets the rules of a tool; NoNumber: of all.
//
//go:wasmexport webmcp_desk_forget
func webmcpDeskForget(now float64, tool int32) uint32 {
	if tool == NoNumber {
		desk.ForgetAll()
	} else {
		desk.Forget(tool)
	}
	return said(now, 0, nil)
}
