//go:build js && wasm

package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"syscall/js"
	"time"

	"github.com/webmcp-wasm/webmcp/bridge"
	"github.com/webmcp-wasm/webmcp/hooks"
	"github.com/webmcp-wasm/webmcp/hooks/approval"
)

// registerPay registers the tool go_pay with approvals of Go: (of the tool, of its
// scope); either may be null, and the second missing.
func registerPay(args []js.Value) error {
	set := hooks.Set{}
	if len(args) > 1 && args[1].Truthy() {
		set.Approval = []hooks.Approval{*approvalOf(args[1])}
	}
	see := func(_ context.Context, c *hooks.Call) error {
		if a := c.Approval; a != nil {
			note(fmt.Sprint(a.Approve, " ", a.How))
		}
		if e := (*hooks.ApprovalError)(nil); errors.As(c.Err, &e) {
			note(fmt.Sprint(e.Code, ": ", e.Err))
		}
		return nil
	}
	set.Denied, set.Error = []hooks.Hook{see}, []hooks.Hook{see}
	release, err := bridge.Register(context.Background(), &hooks.Tool{
		Contract: hooks.Contract{
			Name: "go_pay", Description: "Pays an amount of money.",
			InputSchema: `{"type":"object","properties":{"amount":{"type":"number","maximum":10000},"to":{"type":"string","default":"the shop"}},"required":["amount"]}`,
		},
		Approval: approvalOf(args[0]),
		Handler: func(_ context.Context, c *hooks.Call) (any, error) {
			how := "nobody"
			if c.Approval != nil {
				how = c.Approval.How
			}
			note("fn " + how)
			amount := c.Input.(map[string]any)["amount"]
			return fmt.Sprint("paid ", amount), nil
		},
	}, bridge.NewScope(nil, set))
	if err == nil {
		releases["go_pay"] = release
	}
	return err
}

// configureApproval adds an approval of Go for every tool.
func configureApproval(args []js.Value) {
	bridge.Configure(hooks.Set{Approval: []hooks.Approval{*approvalOf(args[0])}})
}

// approvalOf returns the approval that an object says: {only, when, title, describe,
// details, timeout, remember}. Null is none.
func approvalOf(said js.Value) *hooks.Approval {
	if !said.Truthy() {
		return nil
	}
	text := func(name string) string {
		if v := said.Get(name); v.Type() == js.TypeString {
			return v.String()
		}
		return ""
	}
	a := &hooks.Approval{
		Only:  map[string]hooks.Hint{"consequential": hooks.Consequential, "writes": hooks.Writes, "unknown": 9}[text("only")],
		Title: text("title"),
	}
	if how := text("when"); how != "" {
		times := 0
		a.When = func(ctx context.Context, c *hooks.Call) (approval.Verdict, error) {
			note("when")
			times++
			return verdict(ctx, c, how, times)
		}
	}
	say := func(how string) func(c *hooks.Call) string {
		if how == "" {
			return nil
		}
		return func(c *hooks.Call) string {
			switch how {
			case "panic":
				panic("on purpose")
			case "meddle":
				c.Input.(map[string]any)["amount"] = 9999.0
			}
			return fmt.Sprint(how, " ", c.Input.(map[string]any)["amount"])
		}
	}
	a.Describe, a.Details = say(text("describe")), say(text("details"))
	if ms := said.Get("timeout"); ms.Type() == js.TypeNumber {
		a.Timeout = time.Duration(ms.Int()) * time.Millisecond
	}
	switch how := text("remember"); how {
	case "":
	case "tool":
		a.Remember.Tool = true
	case "arguments":
		a.Remember.Arguments = true
	default:
		a.Remember.By = []string{how}
	}
	return a
}

// verdict is what a When of a test does, the first time or a later one.
func verdict(ctx context.Context, c *hooks.Call, how string, times int) (approval.Verdict, error) {
	switch how {
	case "allow":
		return approval.Allow, nil
	case "deny":
		return approval.Deny, nil
	case "deny with code":
		return approval.Ask, fmt.Errorf("policy: %w", hooks.Deny("TOO_MUCH", "That is too much."))
	case "deny later":
		if times > 1 {
			return approval.Ask, hooks.Deny("TOO_LATE", "It has changed.")
		}
	case "allow later":
		if times > 1 {
			return approval.Allow, nil
		}
	case "fail":
		return approval.Allow, errors.New("out of order")
	case "panic":
		panic("on purpose")
	case "goexit":
		runtime.Goexit()
	case "wrong":
		return 7, nil
	case "hang": // as long as somebody waits for it
		<-ctx.Done()
		note("told to stop")
		return approval.Allow, nil
	case "block":
		select {}
	case "sleep":
		time.Sleep(time.Millisecond) // code that blocks on a timer is what is tested
	case "by amount":
		if c.Input.(map[string]any)["amount"].(float64) <= 50 {
			return approval.Allow, nil
		}
	case "meddle":
		c.Input.(map[string]any)["amount"] = 9999.0
		c.Tool.Name = "another"
		note(fmt.Sprint("js says ", c.Metadata.Get("js")))
		c.Metadata.Set("go", "was here")
	}
	return approval.Ask, nil
}

// runInPage runs a tool with an approval by hooks.Run, with an Approver of Go.
func runInPage(args []js.Value) error {
	decision := args[0].String()
	ctx := hooks.WithApprovals(context.Background(), hooks.NewApprovals(hooks.ApproverFunc(
		func(_ context.Context, q hooks.Question) (hooks.Decision, error) {
			note("asked " + q.Sentence)
			return hooks.Decision{Approve: decision == "approve", Reason: decision}, nil
		})))
	result := hooks.Run(ctx, &hooks.Tool{
		Contract: hooks.Contract{Name: "inside", Description: "Is called by Go alone."},
		Approval: &hooks.Approval{Describe: func(*hooks.Call) string { return "in Go" }},
		Handler:  func(context.Context, *hooks.Call) (any, error) { return "run", nil },
	}, map[string]any{})
	note(result.Text())
	return nil
}
