//go:build js && wasm

package main

import (
	"context"
	_ "embed"
	"strings"

	"github.com/webmcp-wasm/webmcp/bridge"
	"github.com/webmcp-wasm/webmcp/hooks"
)

//go:embed policy.json
var document []byte

func main() {
	policy, err := hooks.ParsePolicy(document)
	if err != nil {
		panic(err) // no module then, and so no tool for agents
	}
	bridge.Enforce(policy)
	bridge.Configure(hooks.Set{Before: []hooks.Hook{noLinks}}) // before those of any script
	bridge.Publish()
	select {}
}

func noLinks(_ context.Context, c *hooks.Call) error {
	input, _ := c.Input.(map[string]any)
	if text, _ := input["text"].(string); strings.Contains(text, "://") {
		return hooks.Deny("NO_LINKS", "Messages of agents have no links.")
	}
	return nil
}
