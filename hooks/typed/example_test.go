package typed_test

import (
	"context"
	"fmt"

	"github.com/webmcp-wasm/webmcp/hooks"
	"github.com/webmcp-wasm/webmcp/hooks/typed"
)

type order struct {
	Tea  string `json:"tea"`
	Cups int    `json:"cups"`
}

type receipt struct {
	Text  string  `json:"text"`
	Total float64 `json:"total"`
}

func sell(_ context.Context, o order) (receipt, error) {
	return receipt{Text: fmt.Sprintf("%d × %s tea", o.Cups, o.Tea), Total: 2.5 * float64(o.Cups)}, nil
}

// A function that takes and returns Go types becomes a tool. Hooks see what JSON
// carries.
func ExampleHandler() {
	tool := &hooks.Tool{
		Contract: hooks.Contract{Name: "order", Description: "Orders tea."},
		Handler:  typed.Handler(sell),
	}

	result := hooks.Run(context.Background(), tool, map[string]any{"tea": "green", "cups": 2})
	fmt.Println(result.Text())

	result = hooks.Run(context.Background(), tool, map[string]any{"tea": "green", "cups": "two"})
	fmt.Println(result.IsError) // the agent reads that cups is no string
	// Output:
	// {"text":"2 × green tea","total":5}
	// true
}
