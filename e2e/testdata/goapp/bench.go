//go:build js && wasm

package main

import (
	"context"
	"strconv"
	"syscall/js"

	"github.com/webmcp-wasm/webmcp/bridge"
	"github.com/webmcp-wasm/webmcp/hooks"
	"github.com/webmcp-wasm/webmcp/hooks/typed"
)

// What the benchmarks measure: hooks that look, and the same function as a
// handler of either kind.

// cart is the input of the tools: 50 bytes, or 1 kB with its lines.
type cart struct {
	ProductID string `json:"productId"`
	Quantity  int    `json:"quantity"`
	Note      string `json:"note"`
	Lines     []line `json:"lines,omitempty"`
}

type line struct {
	SKU      string  `json:"sku"`
	Quantity int     `json:"quantity"`
	Price    float64 `json:"price"`
	Gift     bool    `json:"gift"`
}

// receipt is their output.
type receipt struct {
	Text  string `json:"text"`
	Lines []line `json:"lines,omitempty"`
}

const cartSchema = `{"type": "object", "properties": {
	"productId": {"type": "string"}, "quantity": {"type": "integer", "minimum": 1}, "note": {"type": "string"},
	"lines": {"type": "array", "items": {"type": "object", "properties": {
		"sku": {"type": "string"}, "quantity": {"type": "integer"}, "price": {"type": "number"}, "gift": {"type": "boolean"}}}}},
	"required": ["productId", "quantity"]}`

func addToCart(_ context.Context, c cart) (receipt, error) {
	return receipt{strconv.Itoa(c.Quantity) + " of " + c.ProductID + " are in the cart", c.Lines}, nil
}

func addToCartRaw(_ context.Context, c *hooks.Call) (any, error) {
	input, _ := c.Input.(map[string]any)
	quantity, _ := input["quantity"].(float64)
	productID, _ := input["productId"].(string)
	output := map[string]any{"text": strconv.Itoa(int(quantity)) + " of " + productID + " are in the cart"}
	if lines, ok := input["lines"]; ok {
		output["lines"] = lines
	}
	return output, nil
}

// registerForBench registers both handlers.
func registerForBench([]js.Value) error {
	for name, handler := range map[string]hooks.Handler{"go_handler": addToCartRaw, "typed_handler": typed.Handler(addToCart)} {
		_, err := bridge.Register(context.Background(), &hooks.Tool{
			Contract: hooks.Contract{Name: name, Description: "Adds to the cart.", InputSchema: cartSchema},
			Handler:  handler,
		}, nil)
		if err != nil {
			return err
		}
	}
	return nil
}

// lookOn adds a before and an after hook for all tools.
func lookOn([]js.Value) {
	bridge.Configure(hooks.Set{
		Before: []hooks.Hook{func(_ context.Context, c *hooks.Call) error {
			if input, _ := c.Input.(map[string]any); input["quantity"] == 99.0 {
				return hooks.Deny("TOO_MANY", "At most 98.")
			}
			return nil
		}},
		After: []hooks.Hook{func(context.Context, *hooks.Call) error { return nil }},
	})
}
