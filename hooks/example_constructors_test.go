package hooks_test

import (
	"context"
	"fmt"
	"time"

	"github.com/webmcp-wasm/webmcp/hooks"
)

// with returns the tool that lists orders, with hooks.
func with(set hooks.Set) *hooks.Tool {
	return &hooks.Tool{Contract: orders, Handler: listOrders, Hooks: set}
}

func ExampleRateLimit() {
	tool := with(hooks.RateLimit("2/h", hooks.EachTool))

	for range 3 {
		result := hooks.Run(context.Background(), tool, map[string]any{"shop": "Vienna"})
		fmt.Printf("%t %q\n", result.IsError, result.Code)
	}
	// Output:
	// false ""
	// false ""
	// true "RATE_LIMITED"
}

// Of several limits of time the shortest holds.
func ExampleTimeout() {
	set := hooks.Timeout(time.Minute).Concat(hooks.Timeout(20 * time.Second))

	fmt.Println(set.Timeout)
	// Output: 20s
}

func ExampleRequire() {
	open := false
	tool := with(hooks.Require(func(_ context.Context, c *hooks.Call) (bool, error) {
		return open || c.Tool.Annotations.ReadOnlyHint, nil
	}, "CLOSED", "Changes are possible from 9 to 17 only."))

	fmt.Println(hooks.Run(context.Background(), tool, map[string]any{"shop": "Vienna"}).Text())
	// Output: Denied: Changes are possible from 9 to 17 only.
}

func ExampleRequireContext() {
	tool := with(hooks.RequireContext(map[string]any{"role": []string{"admin", "clerk"}}, "", "Only clerks see orders."))

	for _, role := range []string{"clerk", "guest"} {
		ctx := hooks.WithPolicyContext(context.Background(), map[string]any{"role": role})
		fmt.Println(hooks.Run(ctx, tool, map[string]any{"shop": "Vienna"}).Text())
	}
	// Output:
	// {"email":"ada@example.com","orders":2,"shop":"Vienna"}
	// Denied: Only clerks see orders.
}

// What an agent has sent under the name of a member that is added does not count.
func ExampleEnrich() {
	tool := with(hooks.Enrich(map[string]any{"shop": "Vienna"}))

	fmt.Println(hooks.Run(context.Background(), tool, map[string]any{"shop": "every shop"}).Text())
	// Output: {"email":"ada@example.com","orders":2,"shop":"Vienna"}
}

func ExampleEnrichWith() {
	tool := with(hooks.EnrichWith(func(_ context.Context, c *hooks.Call) (map[string]any, error) {
		return map[string]any{"shop": "the one of " + c.Tool.Name}, nil
	}))

	fmt.Println(hooks.Run(context.Background(), tool, map[string]any{}).Text())
	// Output: {"email":"ada@example.com","orders":2,"shop":"the one of list_orders"}
}

func ExampleRedact() {
	tool := with(hooks.Redact(map[string]string{"/email": "email", "/orders": "remove"}))

	fmt.Println(hooks.Run(context.Background(), tool, map[string]any{"shop": "Vienna"}).Text())
	// Output: {"email":"a***@example.com","shop":"Vienna"}
}

func ExampleTiming() {
	tool := with(hooks.Timing(func(m hooks.Measurement) {
		fmt.Println(m.Tool.Name, m.Phase, m.Duration < time.Minute)
	}))

	hooks.Run(context.Background(), tool, map[string]any{"shop": "Vienna"})
	// Output: list_orders after true
}
