//go:build js && wasm

package main

import (
	"encoding/json"
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
