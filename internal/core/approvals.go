//go:build js && wasm

package core

import "github.com/webmcp-wasm/webmcp/hooks/approval"

// desk is where the calls of this instance wait for a human. The glue has what the
// human sees and the results; times are in milliseconds of its clock.
var desk approval.Desk

// deskText is what the exports below show, in the order of said.
var deskText []int32

// said notes what came of an event, for the glue, which reads it at once, and returns
// where it stands: the answer of the event; in how many milliseconds webmcp_desk
// wants to hear of the time, or Never; the question that the human is asked now, and how many wait behind
// it; whether an agent was told of an answer that it can fetch; how many questions,
// rules and effects follow, and those.
func said(now float64, answer int32, todo []approval.Effect) uint32 {
	wait := int32(Never)
	if at, ok := desk.Next(); ok {
		wait = int32(min(max(at-int64(now), 0), 1<<31-1))
	}
	front, behind := desk.Front()
	open, rules := desk.Open(), desk.Rules()
	deskText = deskText[:0]
	for _, n := range [...]int32{answer, wait, int32(front), int32(behind), truth(desk.Promised()), int32(len(open)), int32(len(rules)), int32(len(todo))} {
		word(n)
	}
	for _, id := range open {
		word(int32(id))
	}
	for _, r := range rules {
		word(r.Tool)
		word(r.Args)
		word(truth(r.Approve))
	}
	for _, e := range todo {
		word(int32(e.Op))
		word(int32(e.Call))
		word(int32(e.Question))
		word(int32(e.End))
		word(truth(e.Remembered))
		word(truth(e.Leads))
	}
	return address(&deskText[0])
}

//go:noinline
func word(n int32) { deskText = append(deskText, n) }

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

// webmcp_desk tells the desk of an event, with what goes with it. The answer of
// DeskFetch is the number of that wait, or 0 where there is no such question; that of
// DeskDecide, DeskEdit and DeskFail is whether the question was open. All else has none.
//
//go:wasmexport webmcp_desk
func webmcpDesk(event int32, now float64, what, how, keep int32) uint32 {
	at, id := int64(now), approval.QuestionID(what)
	var todo []approval.Effect
	var ok bool
	switch event {
	case DeskFetch:
		var wait approval.CallID
		wait, todo, _ = desk.Fetch(at, id, int64(how))
		return said(now, int32(wait), todo)
	case DeskDecide:
		todo, ok = desk.Decide(at, id, how != 0, approval.Keep(keep))
	case DeskEdit:
		todo, ok = desk.Edit(at, id)
	case DeskFail:
		todo, ok = desk.Fail(at, id, approval.Unavailable)
	case DeskAbort:
		todo = desk.Abort(at, id)
	case DeskClose:
		todo = desk.Close(at, what)
	case DeskEnded:
		todo = desk.Ended(at, id)
	case DeskLeave:
		todo = desk.Leave(at)
	case DeskForget:
		desk.Forget(what)
	case DeskForgetAll:
		desk.ForgetAll()
	default:
		todo = desk.Tick(at)
	}
	return said(now, truth(ok), todo)
}
