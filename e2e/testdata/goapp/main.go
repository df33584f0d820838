//go:build js && wasm

// Command goapp is a Go program in a page, with hooks and tools of its own.
// The tests tell it what to do through globalThis.goapp.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall/js"
	"time"

	"github.com/webmcp-wasm/webmcp/bridge"
	"github.com/webmcp-wasm/webmcp/hooks"
)

func main() {
	bridge.Publish()
	js.Global().Set("goapp", js.ValueOf(map[string]any{
		"configure":   function(func(args []js.Value) { bridge.Configure(labelled(args[0].String(), args[1:])) }),
		"approval":    function(configureApproval),
		"registerPay": promise(registerPay),
		"run":         promise(runInPage),
		"seeApproval": function(func([]js.Value) {
			see := []hooks.Hook{func(_ context.Context, c *hooks.Call) error {
				if a := c.Approval; a != nil {
					note(fmt.Sprint(a.Approve, " ", a.How, " ", len(a.Digest), " ", time.Since(a.At) < time.Hour))
				}
				return nil
			}}
			bridge.Configure(hooks.Set{Before: see, After: see, Denied: see})
		}),
		"reset":    function(func([]js.Value) { bridge.Reset(hooks.Set{}) }),
		"register": promise(register),
		"release":  function(func(args []js.Value) { releases[args[0].String()]() }),
		"die":      function(func([]js.Value) { go func() { panic("on purpose") }() }),
		"enforce":  promise(enforce),
		"context":  promise(setContext),
		"audit":    function(hearAudit),
		"auditLog": promise(noteAudit),
		"exit":     function(func([]js.Value) { go os.Exit(3) }),

		"registerCase":     promise(registerCase),
		"registerContract": promise(registerContract),

		"registerForBench": promise(registerForBench),
		"registerPost":     promise(registerPost),
		"lookOn":           function(lookOn),
	}))
	select {}
}

// releases end the registrations of Go tools, by name.
var releases = map[string]func(){}

// tenantKey is the key of a value in the context of Go tools.
type tenantKey struct{}

// register registers the Go tool with that name, in two nested scopes.
func register(args []js.Value) error {
	name := args[0].String()
	outer := bridge.NewScope(nil, labelled("o", nil))
	inner := bridge.NewScope(outer, labelled("i", nil))
	ctx, cancel := context.WithCancel(context.WithValue(context.Background(), tenantKey{}, "acme"))
	release, err := bridge.Register(ctx, &hooks.Tool{
		Contract: hooks.Contract{
			Name: name, Title: "A Go tool", Description: "Does what its input says.",
			InputSchema: `{"type":"object","properties":{"do":{"type":"string"}}}`,
			Annotations: hooks.Annotations{ReadOnlyHint: true},
		},
		Handler: handle,
		Hooks:   labelled("t", args[1:]),
	}, inner)
	if err != nil {
		cancel()
		return err
	}
	releases[name] = func() { release(); cancel() }
	return nil
}

// handle is the handler of every Go tool.
func handle(ctx context.Context, c *hooks.Call) (any, error) {
	note("fn")
	input, _ := c.Input.(map[string]any)
	switch input["do"] {
	case "fail":
		return nil, errors.New("out of stock")
	case "panic":
		var none []string
		return none[len(none)], nil
	case "wait":
		<-ctx.Done()
		_, limited := ctx.Deadline()
		note(fmt.Sprint("told to stop, deadline ", limited, ", ", ctx.Err()))
		return "stopped", nil
	case "derive": // contexts of its own
		return "derived", derive(ctx)
	case "sleep":
		time.Sleep(time.Millisecond) // code that blocks on a timer is what is tested
	case "channel":
		return make(chan int), nil
	case "tenant":
		return ctx.Value(tenantKey{}), nil
	case "nothing":
		return nil, nil
	case "text":
		return "plain text", nil
	case "huge": // more than Go passes on to the glue
		return strings.Repeat("x", 1<<26), nil
	case "result":
		return hooks.Result{Content: []hooks.Content{{"type": "text", "text": "one"}, {"type": "text", "text": "two"}}}, nil
	}
	return map[string]any{"id": c.ID, "input": c.Input}, nil
}

// labelled are hooks of all phases that write "<phase>:<label>" down. The first
// of more says how the before hook behaves.
func labelled(label string, more []js.Value) hooks.Set {
	how := ""
	if len(more) > 0 {
		how = more[0].String()
	}
	observe := func(phase string) hooks.Hook {
		return func(_ context.Context, c *hooks.Call) error {
			line := phase + ":" + label
			if how == "tell" {
				switch phase {
				case "error":
					line += " " + c.Err.Error() + fmt.Sprint(" ", errors.Is(c.Err, context.Canceled))
					if late := (*hooks.TimeoutError)(nil); errors.As(c.Err, &late) {
						line += " " + late.Limit.String()
					}
				case "denied":
					line += " " + c.Denial.Code + " " + c.Denial.Message
				}
			}
			note(line)
			if phase == "error" && how == "observer panics" {
				panic("observer broke")
			}
			if phase == "error" && how == "observer blocks" {
				select {}
			}
			return nil
		}
	}
	var timeout time.Duration
	switch how {
	case "hurry":
		timeout = 100 * time.Millisecond
	case "dawdle":
		timeout = 50 * 24 * time.Hour // more than a timer of the browser can wait
	}
	return hooks.Set{
		Timeout: timeout,
		Before:  []hooks.Hook{before(label, how)},
		After: []hooks.Hook{func(_ context.Context, c *hooks.Call) error {
			note("after:" + label)
			if how == "redact" {
				c.Output = "redacted " + fmt.Sprint(c.Output)
			}
			return nil
		}},
		Error:  []hooks.Hook{observe("error")},
		Denied: []hooks.Hook{observe("denied")},
	}
}

// derive notes how contexts end that are made of that of a call.
func derive(ctx context.Context) error {
	child, cancel := context.WithTimeout(context.WithValue(ctx, tenantKey{}, "other"), time.Hour)
	defer cancel()
	ended := make(chan struct{})
	context.AfterFunc(child, func() { close(ended) })
	note(fmt.Sprint("waits, ", child.Err()))
	<-ended
	late, cancelLate := context.WithCancel(ctx) // which has ended
	defer cancelLate()
	note(fmt.Sprint(child.Err(), ", ", context.Cause(child), ", ", child.Value(tenantKey{}), ", ", late.Err(), ", ", ctx.Value(tenantKey{})))
	return nil
}

func before(label, how string) hooks.Hook {
	return func(ctx context.Context, c *hooks.Call) error {
		note("before:" + label)
		switch how {
		case "sleep":
			time.Sleep(time.Millisecond) // blocks on a timer, too
		case "deny":
			return hooks.Deny("GO_NO", "Go says no.")
		case "deny wrapped":
			return fmt.Errorf("policy: %w", hooks.Deny("GO_NO", "Go says no."))
		case "fail":
			return errors.New("broken " + label)
		case "panic":
			panic("broken " + label)
		case "wait":
			<-ctx.Done()
			note("told to stop")
			return ctx.Err()
		case "linger": // hears of the abort, and lets the call go on all the same
			<-ctx.Done()
			note("told to stop")
		case "enrich":
			input := map[string]any{"enriched": true}
			for key, value := range c.Input.(map[string]any) {
				input[key] = value
			}
			c.Input = input
		case "metadata":
			note(fmt.Sprint("js says ", c.Metadata.Get("js")))
			c.Metadata.Set("go", map[string]any{"n": 1})
		case "tell":
			note(c.Tool.Name + " " + c.ID)
		}
		return nil
	}
}

// note adds to the list of what ran.
func note(line string) { js.Global().Get("ran").Call("push", line) }

// function returns a JavaScript function. f must not block.
func function(f func(args []js.Value)) js.Func {
	return js.FuncOf(func(_ js.Value, args []js.Value) any {
		f(args)
		return nil
	})
}

// promise returns a JavaScript function that resolves to "", or to the name and
// the text of the error. f may block.
func promise(f func(args []js.Value) error) js.Func {
	return js.FuncOf(func(_ js.Value, args []js.Value) any {
		var executor js.Func
		executor = js.FuncOf(func(_ js.Value, resolvers []js.Value) any {
			defer executor.Release()
			go func() {
				text := ""
				if err := f(args); err != nil {
					text = err.Error()
					if e := (*bridge.Error)(nil); errors.As(err, &e) {
						text = e.Name + ": " + text
					}
				}
				resolvers[0].Invoke(text)
			}()
			return nil
		})
		return js.Global().Get("Promise").New(executor)
	})
}
