//go:build js && wasm

package main

import (
	"context"
	"syscall/js"

	"github.com/webmcp-wasm/webmcp/bridge"
	"github.com/webmcp-wasm/webmcp/internal/cases"
	"github.com/webmcp-wasm/webmcp/internal/cases/gocases"
)

// The tables of package cases, with hooks and handlers of Go. Cases go by their
// numbers in the tables; cases.js does the rest.

var (
	table     = cases.All()
	contracts = cases.Contracts()
)

// registerCase registers the tool of a case: (number, ran, saw, abort).
func registerCase(args []js.Value) error {
	write := func(list js.Value) func(string) {
		return func(line string) { list.Call("push", line) }
	}
	p := &gocases.Play{
		Case: table[args[0].Int()], Ran: write(args[1]), Saw: write(args[2]), Abort: func() { args[3].Invoke() },
	}
	outer := bridge.NewScope(nil, p.Outer())
	inner := bridge.NewScope(outer, p.Inner())
	return keep(bridge.Register(context.Background(), p.Tool(), inner))
}

// registerContract registers the tool of a contract: (number).
func registerContract(args []js.Value) error {
	return keep(bridge.Register(context.Background(), gocases.ToolOf(contracts[args[0].Int()]), nil))
}

// keep keeps the release of the only case at a time.
func keep(release func(), err error) error {
	if err == nil {
		releases["case"] = release
	}
	return err
}
