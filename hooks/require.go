package hooks

import (
	"context"
	"slices"

	"github.com/webmcp-wasm/webmcp/internal/jsontape"
)

// What Require says unless it is told otherwise.
const (
	forbiddenCode = "FORBIDDEN"
	forbidden     = "this user may not do that. Trying again will not help: tell the user"
)

// Require returns hooks that deny calls unless allowed returns true and no error. An
// error is logged, and not told to the agent. An empty code is "FORBIDDEN", an empty
// message a general one. Require panics where allowed is nil.
func Require(allowed func(ctx context.Context, c *Call) (bool, error), code, message string) Set {
	if allowed == nil {
		panic("hooks: Require needs a function")
	}
	if code == "" {
		code = forbiddenCode
	}
	if message == "" {
		message = forbidden
	}
	before := func(ctx context.Context, c *Call) error {
		is, err := allowed(ctx, c)
		if err != nil && ctx.Err() == nil {
			logRequirement(c.Tool.Name, err)
		}
		if err != nil || !is {
			return Deny(code, message)
		}
		return nil
	}
	return Set{Before: []Hook{before}}
}

// RequireContext is Require of what is known of the user: of the values that
// WithPolicyContext has put into the ctx of Run, or in a page into that of
// bridge.Register. Each member that is named must be that value, or one of several:
//
//	hooks.RequireContext(map[string]any{"role": []any{"admin", "clerk"}}, "", "Only clerks refund.")
//
// Where the context has a list, that must have such a value. RequireContext panics
// unless the values are texts, numbers, true and false, or lists of these.
func RequireContext(wanted map[string]any, code, message string) Set {
	want := map[string][]any{}
	for name, value := range wanted {
		owned, err := jsontape.Own(value)
		list, isList := owned.([]any)
		if !isList {
			list = []any{owned}
		}
		if err != nil || len(list) == 0 || slices.ContainsFunc(list, func(v any) bool { return !isScalar(v) }) {
			panic("hooks: RequireContext: " + name + " must be a text, a number, true or false, or a list of these")
		}
		want[name] = list
	}
	if len(want) == 0 {
		panic("hooks: RequireContext names nothing")
	}
	return Require(func(ctx context.Context, _ *Call) (bool, error) { return knownIn(ctx).has(want), nil }, code, message)
}

func isScalar(v any) bool {
	switch v.(type) {
	case bool, float64, string:
		return true
	}
	return false
}

// has reports whether of each member that is named one of the values is known.
func (k *known) has(want map[string][]any) bool {
	if k == nil {
		return false
	}
	var t jsontape.Tape
	if t.Parse([]byte(k.text)) != nil {
		return false
	}
	user, _ := t.Value(jsontape.Root).(map[string]any)
	for name, values := range want {
		list, isList := user[name].([]any)
		if !isList {
			list = []any{user[name]}
		}
		if !slices.ContainsFunc(list, func(v any) bool { return isScalar(v) && slices.Contains(values, v) }) {
			return false
		}
	}
	return true
}
