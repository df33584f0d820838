//go:build js && wasm

package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall/js"

	"github.com/webmcp-wasm/webmcp/bridge"
	"github.com/webmcp-wasm/webmcp/hooks"
)

// registerPost registers a tool whose validation in Go trims its text, refuses some,
// and of others blocks until the call ends.
func registerPost([]js.Value) error {
	_, err := bridge.Register(context.Background(), &hooks.Tool{
		Contract: hooks.Contract{
			Name: "post", Description: "Posts a text.",
			InputSchema: `{"type":"object","properties":{"text":{"type":"string","maxLength":20}},"required":["text"]}`,
		},
		Validate: func(ctx context.Context, input any) (any, error) {
			m := input.(map[string]any)
			switch text := strings.TrimSpace(m["text"].(string)); text {
			case "rude":
				return nil, errors.New("text: must be kind")
			case "panic":
				panic("on purpose")
			case "slow":
				<-ctx.Done()
				return nil, ctx.Err()
			default:
				return map[string]any{"text": text}, nil
			}
		},
		Handler: func(_ context.Context, c *hooks.Call) (any, error) {
			return fmt.Sprint(c.Input.(map[string]any)["text"], " ", c.Approval.Edited), nil
		},
	}, nil)
	return err
}
