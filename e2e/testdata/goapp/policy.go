//go:build js && wasm

package main

import (
	"encoding/json"
	"fmt"
	"syscall/js"

	"github.com/webmcp-wasm/webmcp/bridge"
	"github.com/webmcp-wasm/webmcp/hooks"
)

// enforce puts a policy document in force, as a program does that embeds one.
func enforce(args []js.Value) error {
	p, err := hooks.ParsePolicy([]byte(args[0].String()))
	bridge.Enforce(p)
	return err
}

// setContext sets what conditions know: JSON, or nothing for what JSON cannot say.
func setContext(args []js.Value) error {
	values := map[string]any{"f": func() {}}
	if text := args[0].String(); text != "" {
		clear(values)
		if err := json.Unmarshal([]byte(text), &values); err != nil {
			return err
		}
	}
	return bridge.SetContext(values)
}

// hearAudit notes each entry of the audit log, until the second one has come. Before that it
// panics once, and blocks.
func hearAudit([]js.Value) {
	heard := 0
	var end func()
	end = bridge.OnAudit(func(e hooks.AuditEntry) {
		if heard++; heard == 1 {
			panic("the first")
		}
		wait := make(chan struct{})
		go close(wait)
		<-wait
		note(fmt.Sprint("heard ", e.Tool, " ", e.Outcome, " ", e.Input, " ", e.Rules, " ", e.Executed))
		end()
		end()
	})
}

// noteAudit notes all entries of the audit log.
func noteAudit([]js.Value) error {
	for _, e := range bridge.AuditLog() {
		note(fmt.Sprint(e.Tool, " ", e.Output))
	}
	return nil
}
