//go:build js && wasm

package bridge

import (
	"context"
	"errors"
	"runtime"
	"strconv"
	"time"
	"unsafe"

	"github.com/webmcp-wasm/webmcp/hooks"
	"github.com/webmcp-wasm/webmcp/hooks/approval"
	"github.com/webmcp-wasm/webmcp/hooks/pipeline"
	"github.com/webmcp-wasm/webmcp/internal/core"
	"github.com/webmcp-wasm/webmcp/internal/jsontape"
	"github.com/webmcp-wasm/webmcp/internal/texts"
)

// webmcp_work starts what Go has to do for a call: the hooks of a phase from one
// of them on, or what core.Handler and the numbers behind it say; from is the place of
// an approval then. The values of the call are in the first n bytes of the buffer, as
// read has them; left is in how many milliseconds nobody waits for it any more, or 0.
// The glue then lets goroutines run. The answer is whether the values could be read.
//
//go:wasmexport webmcp_work
func webmcpWork(number, ticket, phase, from, n int32, left float64) (isRead bool) {
	w := &work{
		number: number,
		ticket: ticket,
		phase:  pipeline.Phase(phase),
		of:     core.CallNumber(number),
	}
	switch {
	case w.phase >= core.When:
		w.approval = approvalAt(w.of, from)
	case w.phase < pipeline.Phases:
		w.hooks = w.of.Hooks(w.phase)[from:]
		for n, ref := range w.hooks {
			if _, ok := ref.Hook.(hooks.Hook); !ok {
				w.hooks = w.hooks[:n]
				break
			}
		}
	}
	parent := context.Background()
	if own, ok := w.of.Tool().Data.(*registered); ok {
		w.tool, parent = own.tool, own.values
	}
	w.memory = memoryOf(w.of)
	if left > 0 {
		w.ctx, w.end = context.WithTimeout(parent, time.Duration(left*float64(time.Millisecond)))
	} else {
		ctx := &ending{Context: parent}
		w.ctx, w.end = ctx, ctx.end
	}
	aborted, err := w.read(core.Written(n))
	if !w.observes() {
		w.of.OnAbort(w.end)
		if aborted {
			w.end()
		}
	}
	begin(w)
	return err == nil
}

// work is a part of a call that Go code does.
type work struct {
	number, ticket int32
	phase          pipeline.Phase
	of             *core.Call
	hooks          []core.Ref      // of that phase, one after the other, all of Go
	next           int             // of them
	tool           *hooks.Tool     // of Go; nil for a tool of JavaScript
	approval       *hooks.Approval // that speaks
	said           string          // by it
	unread         error           // why the values of the call could not be read
	memory         *memory
	ctx            context.Context
	end            func() // of ctx

	call          hooks.Call
	input, output *jsontape.Text // as they came: what is not changed does not go back
	message       string
}

func (w *work) observes() bool { return w.phase == pipeline.Error || w.phase == pipeline.Denied }

// waiting are goroutines that wait for work. A new one begins with a small stack,
// and to let that grow costs more than what most hooks do.
var waiting []chan *work

// maxWaiting is how many of them there are at the most.
const maxWaiting = 8

// begin lets a goroutine do the work. It never blocks.
func begin(w *work) {
	if n := len(waiting) - 1; n >= 0 {
		c := waiting[n]
		waiting = waiting[:n]
		c <- w
		return
	}
	go func() {
		next := make(chan *work, 1)
		for w.run(); len(waiting) < maxWaiting; w.run() {
			waiting = append(waiting, next)
			w = <-next
		}
	}()
}

// run does the work and answers the glue. Code that ends its goroutine ends this
// one: that is a failure like a panic, and observers go on in another goroutine.
func (w *work) run() {
	returned := false
	defer func() {
		if returned {
			return
		}
		if w.phase == pipeline.Error {
			hooks.ConcealMessage(&w.call)
		}
		if event := w.outcome(hooks.ErrGoexit); event == pipeline.Fail {
			w.answer(event)
			w.end()
			return
		}
		w.next++
		begin(w)
	}()
	event := w.do()
	returned = true
	w.answer(event)
	w.end()
}

// do runs the hooks that are left, the validation, the handler or an approval.
func (w *work) do() pipeline.Event {
	if w.unread != nil && w.phase >= pipeline.Phases {
		return w.outcome(w.unread)
	}
	switch w.phase {
	case core.When, core.Describe, core.Details:
		return w.outcome(w.speak())
	case core.Handler:
		return w.outcome(hooks.ApplyHandler(w.ctx, w.tool, &w.call))
	case core.Validator:
		return w.outcome(hooks.ApplyValidate(w.ctx, w.tool, &w.call))
	}
	for ; w.next < len(w.hooks); w.next++ {
		if w.phase == pipeline.Before && w.ctx.Err() != nil {
			return pipeline.Abort // nobody waits for it
		}
		if event := w.outcome(hooks.ApplyHook(w.ctx, w.phase, w.hooks[w.next].Hook.(hooks.Hook), &w.call)); event != pipeline.Done {
			return event
		}
	}
	return pipeline.Done
}

// speak has the approval say what it is asked for.
func (w *work) speak() (err error) {
	switch w.phase {
	case core.When:
		var verdict approval.Verdict
		verdict, err = hooks.ApplyWhen(w.ctx, w.approval, &w.call)
		w.said = [...]string{approval.Allow: "allow", approval.Ask: "ask", approval.Deny: "deny"}[min(verdict, approval.Deny)]
	case core.Describe:
		w.said, err = hooks.ApplySay(w.approval.Describe, &w.call)
	default:
		w.said, err = hooks.ApplySay(w.approval.Details, &w.call)
	}
	return err
}

// outcome takes the error of a hook, the validation, the handler or an approval. An
// observer that failed is done.
func (w *work) outcome(err error) pipeline.Event {
	if err == nil {
		return pipeline.Done
	}
	if w.observes() {
		logError(w.phase.String()+" hook of "+w.call.Tool.Name+" failed", err)
		return pipeline.Done
	}
	if (w.phase == pipeline.Before || w.phase == core.When) && hooks.AsDenial(err) != nil {
		return pipeline.Deny
	}
	if p := (*hooks.PanicError)(nil); errors.As(err, &p) {
		logError("Go code of "+w.call.Tool.Name+" panicked: "+p.Reason()+"\n"+string(p.Stack), err)
	}
	w.call.Err = err
	return pipeline.Fail
}

func logError(what string, err error) {
	core.Glue().Call("log", "[webmcp] "+what+": "+hooks.ErrorText(err))
}

// answer gives the glue what the hooks made of the call.
func (w *work) answer(event pipeline.Event) {
	if w.ticket == core.NoTicket {
		return
	}
	late := w.ctx.Err() == context.DeadlineExceeded // the glue is about to say so
	if late || !w.of.Waits(uint32(w.ticket)) {
		if w.phase == core.Handler && event == pipeline.Done { // an abort keeps nobody from waiting for it
			core.Glue().Call("log", "[webmcp] "+w.call.Tool.Name+": "+texts.Dropped)
		}
		return
	}
	if event == pipeline.Fail {
		w.memory.err = w.call.Err
	}
	text := w.changes(event)
	if len(text) > maxAnswer {
		w.call.Err, event = errTooLarge, pipeline.Fail
		w.memory.err = w.call.Err
		text = w.changes(event)
	}
	answer(w.number, w.ticket, int32(event), int32(w.next), unsafe.SliceData(text), int32(len(text)))
	runtime.KeepAlive(text)
}

// answer gives the glue the end of a work: its event, how many hooks are done, and
// the text of changes. The glue reads that at once, and calls nothing of the
// page.
//
//go:wasmimport webmcp answer
func answer(number, ticket, event, count int32, text *byte, length int32)

// maxAnswer is how long the text for the glue may be, which checks the exact
// limit. A much longer one is more than JavaScript can hold, and reading it would
// end the program.
const maxAnswer = 1 << 26

var errTooLarge = errors.New(texts.OutputTooLarge + " " + strconv.Itoa(maxAnswer) + " bytes or more")

// errorName returns the name that an error has in JavaScript.
func errorName(err error) string {
	if e := (*Error)(nil); errors.As(err, &e) {
		return e.Name
	}
	if errors.Is(err, context.Canceled) {
		return "AbortError"
	}
	return "Error"
}
