//go:build js && wasm

package bridge

import (
	"errors"
	"strings"
	"syscall/js"

	"github.com/webmcp-wasm/webmcp/hooks"
	"github.com/webmcp-wasm/webmcp/internal/core"
)

func auditLog() (entries []hooks.AuditEntry) {
	for line := range strings.Lines(core.Glue().Call("auditLines").String()) {
		if e, err := hooks.ParseAuditEntry([]byte(line)); err == nil {
			entries = append(entries, e)
		}
	}
	return entries
}

// auditor tells a function of entries, one after the other, on a goroutine of its own: the
// function may block.
type auditor struct {
	tell    func(hooks.AuditEntry)
	waiting []hooks.AuditEntry
	isBusy  bool
}

func onAudit(tell func(hooks.AuditEntry)) (end func()) {
	a := &auditor{tell: tell}
	hear := js.FuncOf(func(_ js.Value, args []js.Value) any {
		a.hear(args[0].String())
		return nil
	})
	stop := core.Glue().Call("onAudit", hear)
	return func() {
		if stop.Type() == js.TypeFunction {
			stop.Invoke()
			hear.Release()
			stop = js.Undefined()
		}
	}
}

func (a *auditor) hear(line string) {
	e, err := hooks.ParseAuditEntry([]byte(line))
	if err != nil {
		return
	}
	a.waiting = append(a.waiting, e)
	if !a.isBusy {
		a.isBusy = true
		go a.work()
	}
}

func (a *auditor) work() {
	for len(a.waiting) > 0 {
		e := a.waiting[0]
		a.waiting = a.waiting[1:]
		a.tellOne(e)
	}
	a.isBusy = false
}

// tellOne tells of one entry. A panic is logged.
func (a *auditor) tellOne(e hooks.AuditEntry) {
	defer func() {
		if v := recover(); v != nil {
			logError("the function of OnAudit panicked: "+(&hooks.PanicError{Value: v}).Reason(), errors.New("of the entry of "+e.Tool))
		}
	}()
	a.tell(e)
}
