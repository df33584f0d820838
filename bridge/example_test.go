package bridge_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/webmcp-wasm/webmcp/bridge"
	"github.com/webmcp-wasm/webmcp/hooks"
	"github.com/webmcp-wasm/webmcp/hooks/approval"
	"github.com/webmcp-wasm/webmcp/hooks/typed"
)

type search struct {
	Name string `json:"name"`
}

type user struct {
	Name  string `json:"name"`
	Email string `json:"email,omitempty"`
}

func findUser(_ context.Context, s search) (user, error) {
	if s.Name != "Ada" {
		return user{}, errors.New("there is no user of that name")
	}
	return user{"Ada", "ada@example.com"}, nil
}

// A Go tool with a Go hook of its own. The page needs no JavaScript but the lines
// that start the program.
func ExampleRegister() {
	_, err := bridge.Register(context.Background(), &hooks.Tool{
		Contract: hooks.Contract{
			Name:        "find_user",
			Description: "Finds a user by name.",
			InputSchema: `{"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}`,
			Annotations: hooks.Annotations{ReadOnlyHint: true},
		},
		Handler: typed.Handler(findUser),
		Hooks: hooks.Set{After: []hooks.Hook{
			func(_ context.Context, c *hooks.Call) error { // redact
				output, ok := c.Output.(map[string]any)
				if !ok {
					return errors.New("the output is not a user")
				}
				c.Output = map[string]any{"name": output["name"]}
				return nil
			},
		}},
	}, nil)
	if err != nil {
		log.Fatal(err)
	}
	select {} // agents can call it as long as the program runs
}

// A Go tool that a human must approve, in the dialog of the page, where it costs more
// than a little.
func ExampleRegister_approval() {
	type order struct {
		Total float64 `json:"total"`
	}
	_, err := bridge.Register(context.Background(), &hooks.Tool{
		Contract: hooks.Contract{
			Name:        "checkout",
			Description: "Orders what is in the cart.",
			InputSchema: `{"type": "object", "properties": {"total": {"type": "number"}}, "required": ["total"]}`,
		},
		Handler: typed.Handler(func(_ context.Context, o order) (string, error) {
			return fmt.Sprintf("ordered for %.2f EUR", o.Total), nil
		}),
		Approval: &hooks.Approval{
			Title: "Place this order?",
			When: func(_ context.Context, c *hooks.Call) (approval.Verdict, error) {
				switch total := totalOf(c); {
				case total > 500:
					return approval.Deny, hooks.Deny("TOO_MUCH", "Orders over 500 EUR are for people.")
				case total > 50:
					return approval.Ask, nil
				}
				return approval.Allow, nil
			},
			Describe: func(c *hooks.Call) string { return fmt.Sprintf("%.2f EUR will be charged.", totalOf(c)) },
		},
	}, nil)
	if err != nil {
		log.Fatal(err)
	}
}

// totalOf reads an input that the schema has let pass.
func totalOf(c *hooks.Call) float64 {
	input, _ := c.Input.(map[string]any)
	total, _ := input["total"].(float64)
	return total
}

// A hook for every tool of the page, those that JavaScript registers too.
func ExampleConfigure() {
	bridge.Publish() // scripts of the page may have tools, too
	bridge.Configure(hooks.Set{Before: []hooks.Hook{
		func(_ context.Context, c *hooks.Call) error {
			if !c.Tool.Annotations.ReadOnlyHint {
				return hooks.Deny("READ_ONLY", "This page can be read, and not changed.")
			}
			return nil
		},
	}})
}

// A hook for a part of the page.
func ExampleNewScope() {
	admin := bridge.NewScope(nil, hooks.Set{Before: []hooks.Hook{
		func(context.Context, *hooks.Call) error {
			return hooks.Deny("NO_ADMIN", "Sign in as an administrator first.")
		},
	}})
	_, err := bridge.Register(context.Background(), &hooks.Tool{
		Contract: hooks.Contract{Name: "find_user", Description: "Finds a user by name."},
		Handler:  typed.Handler(findUser),
	}, admin)
	if err != nil {
		log.Fatal(err)
	}
}
