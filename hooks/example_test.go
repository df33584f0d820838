package hooks_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	"github.com/webmcp-wasm/webmcp/hooks"
	"github.com/webmcp-wasm/webmcp/hooks/approval"
)

// listOrders is the function of a tool: it lists the orders of the shop that its
// input names.
func listOrders(_ context.Context, c *hooks.Call) (any, error) {
	input := c.Input.(map[string]any)
	return map[string]any{"shop": input["shop"], "orders": 2, "email": "ada@example.com"}, nil
}

var orders = hooks.Contract{Name: "list_orders", Description: "Lists the orders of a shop."}

// A before hook adds what an agent cannot know, or must not choose. It copies the
// input: what it got belongs to the call.
func ExampleHook_enrich() {
	ofShop := func(_ context.Context, c *hooks.Call) error {
		input, _ := c.Input.(map[string]any)
		input = maps.Clone(input)
		input["shop"] = "Vienna"
		c.Input = input
		return nil
	}
	tool := &hooks.Tool{
		Contract: orders,
		Handler:  listOrders,
		Hooks:    hooks.Set{Before: []hooks.Hook{ofShop}},
	}

	result := hooks.Run(context.Background(), tool, map[string]any{"shop": "every shop"})
	fmt.Println(result.Text())
	// Output: {"email":"ada@example.com","orders":2,"shop":"Vienna"}
}

// An after hook takes out what an agent must not read.
func ExampleHook_redact() {
	withoutEmail := func(_ context.Context, c *hooks.Call) error {
		output, ok := c.Output.(map[string]any)
		if !ok {
			return errors.New("the output is not what this policy knows") // better no answer than a leak
		}
		output = maps.Clone(output)
		delete(output, "email")
		c.Output = output
		return nil
	}
	tool := &hooks.Tool{
		Contract: orders,
		Handler:  listOrders,
		Hooks:    hooks.Set{After: []hooks.Hook{withoutEmail}},
	}

	result := hooks.Run(context.Background(), tool, map[string]any{"shop": "Vienna"})
	fmt.Println(result.Text())
	// Output: {"orders":2,"shop":"Vienna"}
}

// A before hook denies a call by its error: the function does not run, and the
// agent reads why.
func ExampleDeny() {
	upToTen := func(_ context.Context, c *hooks.Call) error {
		input, _ := c.Input.(map[string]any)
		if cups, ok := input["cups"].(float64); !ok || cups > 10 {
			return hooks.Deny("TOO_MANY", "Up to 10 cups are sold at once.")
		}
		return nil
	}
	tool := &hooks.Tool{
		Contract: hooks.Contract{Name: "order", Description: "Orders tea."},
		Handler: func(context.Context, *hooks.Call) (any, error) {
			return "The tea is on its way.", nil
		},
		Hooks: hooks.Set{
			Before: []hooks.Hook{upToTen},
			Denied: []hooks.Hook{func(_ context.Context, c *hooks.Call) error {
				fmt.Println("log:", c.Tool.Name, c.Denial.Code)
				return nil
			}},
		},
	}

	for _, text := range []string{`{"cups": 2}`, `{"cups": 200}`} {
		var input any // numbers are float64, as in every input
		if err := json.Unmarshal([]byte(text), &input); err != nil {
			panic(err)
		}
		result := hooks.Run(context.Background(), tool, input)
		fmt.Println(result.IsError, result.Code, result.Text())
	}
	// Output:
	// false  The tea is on its way.
	// log: order TOO_MANY
	// true TOO_MANY Denied: Up to 10 cups are sold at once.
}

// Scopes nest: hooks of the outer one are the first to see an input, and the last
// to see an output.
func ExampleScope() {
	say := func(text string) []hooks.Hook {
		return []hooks.Hook{func(context.Context, *hooks.Call) error {
			fmt.Println(text)
			return nil
		}}
	}
	page := hooks.NewScope(nil)
	page.Add(hooks.Set{Before: say("page, before"), After: say("page, after")})
	admin := hooks.NewScope(page)
	admin.Add(hooks.Set{Before: say("admin, before"), After: say("admin, after")})
	tool := &hooks.Tool{
		Contract: hooks.Contract{Name: "delete_user", Description: "Deletes a user."},
		Handler: func(context.Context, *hooks.Call) (any, error) {
			fmt.Println("the function")
			return "done", nil
		},
	}

	hooks.Run(context.Background(), tool, nil, admin)
	// Output:
	// page, before
	// admin, before
	// the function
	// admin, after
	// page, after
}

// An approval has a human decide before the function runs. A test of a policy needs
// no human: an Approver answers for one.
func ExampleApproval() {
	order := &hooks.Tool{
		Contract: hooks.Contract{
			Name: "order", Description: "Orders tea.",
			Annotations: hooks.Annotations{ConsequentialHint: true},
		},
		Handler: func(context.Context, *hooks.Call) (any, error) {
			return "The tea is on its way.", nil
		},
		Approval: &hooks.Approval{
			When: func(_ context.Context, c *hooks.Call) (approval.Verdict, error) {
				if cups, _ := c.Input.(map[string]any)["cups"].(float64); cups <= 2 {
					return approval.Allow, nil
				}
				return approval.Ask, nil
			},
			Describe: func(c *hooks.Call) string {
				return fmt.Sprintf("Order %v cups of tea.", c.Input.(map[string]any)["cups"])
			},
		},
	}

	ada := hooks.ApproverFunc(func(_ context.Context, q hooks.Question) (hooks.Decision, error) {
		fmt.Println("Ada is asked:", q.Sentence)
		return hooks.Decision{By: "Ada", Approve: q.Input.(map[string]any)["cups"] == 3.0, Reason: "too much tea"}, nil
	})
	ctx := hooks.WithApprovals(context.Background(), hooks.NewApprovals(ada))
	for _, cups := range []int{1, 3, 200} {
		result := hooks.Run(ctx, order, map[string]any{"cups": cups})
		fmt.Println(result.Code, result.Text())
	}
	// Output:
	//  The tea is on its way.
	// Ada is asked: Order 3 cups of tea.
	//  The tea is on its way.
	// Ada is asked: Order 200 cups of tea.
	// USER_DENIED Denied: the user did not approve this call, and says: too much tea. Nothing was done. Do not try it again unchanged
}

// A scope has a human decide about calls of all tools that are in it, and the human may
// have the decision remembered.
func ExampleApprovals() {
	shop := hooks.NewScope(nil)
	shop.Add(hooks.Set{Approval: []hooks.Approval{{
		Only:     hooks.Consequential,
		Remember: hooks.Remember{By: []string{"/product"}},
	}}})
	order := &hooks.Tool{
		Contract: hooks.Contract{
			Name: "order", Description: "Orders tea.",
			Annotations: hooks.Annotations{ConsequentialHint: true},
		},
		Handler: func(_ context.Context, c *hooks.Call) (any, error) {
			return c.Approval.How, nil
		},
	}

	approvals := hooks.NewApprovals(hooks.ApproverFunc(func(context.Context, hooks.Question) (hooks.Decision, error) {
		return hooks.Decision{Approve: true, By: "Ada", Remember: approval.ForArgs}, nil
	}))
	ctx := hooks.WithApprovals(context.Background(), approvals)
	for cups := range 2 {
		fmt.Println(hooks.Run(ctx, order, map[string]any{"product": "tea", "cups": cups + 1}, shop).Text())
	}
	for _, r := range approvals.Remembered() {
		fmt.Println(r.By, "has approved", r.Tool, "with", r.Arguments)
	}
	// Output:
	// ask
	// remembered
	// Ada has approved order with map[/product:tea]
}
