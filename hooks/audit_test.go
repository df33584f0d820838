//go:build !js

package hooks_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/hooks"
)

// kept is a sink that keeps what it is told.
type kept struct {
	mu      sync.Mutex
	entries []hooks.AuditEntry
}

func (k *kept) tell(e hooks.AuditEntry) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.entries = append(k.entries, e)
}

func (k *kept) newest(t *testing.T) hooks.AuditEntry {
	t.Helper()
	k.mu.Lock()
	defer k.mu.Unlock()
	require.NotEmpty(t, k.entries)
	return k.entries[len(k.entries)-1]
}

// audited returns a ctx with a policy of these rules, of which one logs everything, and
// what it tells.
func audited(t *testing.T, rules string) (context.Context, *kept) {
	t.Helper()
	k := new(kept)
	return hooks.WithAudit(under(t, t.Context(), `{"name": "log", "tools": "*", "audit": true}`+rules), k.tell), k
}

// calling returns a tool of a name whose handler this is.
func calling(name string, handler hooks.Handler) *hooks.Tool {
	return &hooks.Tool{Contract: hooks.Contract{Name: name, Description: "Is called."}, Handler: handler}
}

func echoing(_ context.Context, c *hooks.Call) (any, error) { return c.Input, nil }

func TestEveryOutcomeOfARunIsInTheAuditLog(t *testing.T) {
	t.Parallel()
	ctx, k := audited(t, `,
		{"name": "no deleting", "tools": "delete", "deny": "No.", "code": "NEVER"},
		{"name": "ask", "tools": "ask", "approval": {"edit": true}},
		{"name": "slow", "tools": "slow", "timeout": "20ms"},
		{"name": "no reading", "tools": "read", "deny": true, "mode": "report"}`)
	before := time.Now()

	result := hooks.Run(ctx, calling("echo", echoing), map[string]any{"a": "ä"})
	require.False(t, result.IsError)
	e := k.newest(t)
	require.Len(t, e.ID, 36)
	require.WithinRange(t, e.Time, before, time.Now())
	require.Positive(t, e.Duration)
	e.ID, e.Time, e.Duration = "", time.Time{}, 0
	require.Equal(t, hooks.AuditEntry{
		Tool: "echo", Outcome: "ok", Executed: true, Rules: []string{"log"}, InputBytes: 10, OutputBytes: 10, Input: `{"a":"ä"}`, Output: `{"a":"ä"}`,
	}, e)

	hooks.Run(ctx, calling("delete", echoing), map[string]any{"id": 1})
	e = k.newest(t)
	require.Equal(t, []any{"denied", "NEVER", "no deleting", false, `{"id":1}`, "Denied: No.", []string{"log", "no deleting"}}, []any{e.Outcome, e.Code, e.Rule, e.Executed, e.Input, e.Output, e.Rules})

	hooks.Run(ctx, calling("fails", func(context.Context, *hooks.Call) (any, error) { return nil, errors.New("no such thing") }), nil)
	e = k.newest(t)
	require.Equal(t, []any{"error", "", true, "Error: no such thing"}, []any{e.Outcome, e.Code, e.Executed, e.Output})

	hooks.Run(ctx, calling("says_no", func(context.Context, *hooks.Call) (any, error) {
		r := hooks.TextResult("not today")
		r.IsError, r.Code = true, "LATER"
		return r, nil
	}), nil)
	e = k.newest(t)
	require.Equal(t, []any{"error", "LATER", true}, []any{e.Outcome, e.Code, e.Executed})
	require.JSONEq(t, `{"content":[{"type":"text","text":"not today"}],"isError":true,"code":"LATER"}`, e.Output)

	invalid := calling("checks", echoing)
	invalid.Contract.InputSchema = `{"type":"object","properties":{"a":{"type":"integer"}}}`
	hooks.Run(ctx, invalid, map[string]any{"a": "x"})
	e = k.newest(t)
	require.Equal(t, []any{"error", false, `{"a":"x"}`}, []any{e.Outcome, e.Executed, e.Input})

	hooks.Run(ctx, calling("slow", func(ctx context.Context, _ *hooks.Call) (any, error) { <-ctx.Done(); return nil, ctx.Err() }), nil)
	e = k.newest(t)
	require.Equal(t, []any{"error", "TIMEOUT", true}, []any{e.Outcome, e.Code, e.Executed})

	aborted, abort := context.WithCancel(ctx)
	stops := calling("stops", echoing)
	stops.Hooks.Before = []hooks.Hook{func(context.Context, *hooks.Call) error { abort(); return nil }}
	hooks.Run(aborted, stops, nil)
	e = k.newest(t)
	require.Equal(t, []any{"aborted", false}, []any{e.Outcome, e.Executed})
	hooks.Run(aborted, calling("echo", echoing), map[string]any{"b": 1})
	e = k.newest(t)
	require.Equal(t, []any{"aborted", false, `{"b":1}`}, []any{e.Outcome, e.Executed, e.Input}, "before the policy was asked")

	asks := hooks.WithApprovals(ctx, hooks.NewApprovals(hooks.ApproverFunc(func(_ context.Context, q hooks.Question) (hooks.Decision, error) {
		if q.Input.(map[string]any)["total"] == 3.0 {
			return hooks.Decision{By: "ada"}, nil
		}
		return hooks.Decision{Approve: true, By: "ada", Input: map[string]any{"total": 90}}, nil
	})))
	hooks.Run(asks, calling("ask", echoing), map[string]any{"total": 200})
	e = k.newest(t)
	require.Equal(t, []any{"ok", `{"total":200}`, `{"total":90}`, `{"total":90}`}, []any{e.Outcome, e.Input, e.Changed, e.Output})
	require.Equal(t, []any{true, "ask", "ada", true}, []any{e.Approval.Approve, e.Approval.How, e.Approval.By, e.Approval.Edited})
	require.Len(t, e.Approval.Digest, 64)
	hooks.Run(asks, calling("ask", echoing), map[string]any{"total": 3})
	e = k.newest(t)
	require.Equal(t, []any{"denied", "USER_DENIED", false}, []any{e.Outcome, e.Code, e.Approval.Approve})

	hooks.Run(ctx, calling("read", echoing), nil)
	e = k.newest(t)
	require.Equal(t, []any{"ok", []hooks.AuditReport{{"no reading", "deny", "POLICY_DENIED"}}}, []any{e.Outcome, e.Reports})
	require.Len(t, k.entries, 11, "each call once")
}

func TestOnlyRunsThatARuleNamesAreInTheAuditLog(t *testing.T) {
	t.Parallel()
	k := new(kept)
	ctx := hooks.WithAudit(t.Context(), k.tell)
	hooks.Run(ctx, calling("echo", echoing), nil)
	ctx = under(t, ctx, `{"tools": "echo", "audit": true, "when": {"required": ["secret"]}}, {"tools": "read", "rate": "1/h"}, {"tools": "get", "audit": true, "mode": "report"}`)
	hooks.Run(ctx, calling("echo", echoing), map[string]any{})
	hooks.Run(ctx, calling("read", echoing), nil)
	hooks.Run(ctx, calling("read", echoing), nil)
	require.Empty(t, k.entries)
	hooks.Run(ctx, calling("echo", echoing), map[string]any{"secret": 1})
	hooks.Run(ctx, calling("get", echoing), nil)
	require.Len(t, k.entries, 2)
}

func TestNoEntryOfARunHoldsASecretThatARedactionNames(t *testing.T) {
	t.Parallel()
	secret := map[string]any{"email": "ada@secret.example", "cards": []any{map[string]any{"number": "4242424242424242"}}, "key": "s3cr3t", "notes": "hidden note", "plain": "seen"}
	text, err := json.Marshal(secret)
	require.NoError(t, err)
	quoted, err := json.Marshal(string(text))
	require.NoError(t, err)
	for name, rule := range map[string]string{
		"always":      `{"tools": "*", "redact": {"/email": "email", "/cards/*/number": "last4", "/key": "hash", "/notes": "remove"}}`,
		"by input":    `{"tools": "*", "when": {"required": ["email"]}, "redact": {"/email": "full", "/cards/*/number": "full", "/key": "full", "/notes": "full"}}`,
		"report mode": `{"tools": "*", "mode": "report", "redact": {"/email": "full", "/cards/*/number": "full", "/key": "full", "/notes": "full"}}`,
	} {
		ctx, k := audited(t, `, {"tools": "rated", "rate": "1/h"}, {"tools": "asks", "approval": {"edit": true}}, `+rule)
		var lines bytes.Buffer
		ctx = hooks.WithAudit(hooks.WithAudit(ctx, hooks.AuditLines(&lines)), func(e hooks.AuditEntry) {
			slog.New(slog.NewTextHandler(&lines, nil)).Info("call", "call", e)
		})
		ctx = hooks.WithApprovals(ctx, hooks.NewApprovals(hooks.ApproverFunc(func(_ context.Context, q hooks.Question) (hooks.Decision, error) {
			changed := map[string]any{"total": 3.0}
			for key, value := range secret {
				changed[key] = value
			}
			approves := q.Input.(map[string]any)["total"] == 2.0
			return hooks.Decision{Approve: approves, Reason: "ada@secret.example may not", Input: changed}, nil
		})))
		run := func(t *hooks.Tool, input any) { hooks.Run(ctx, t, input) }
		run(calling("echo", echoing), secret)
		run(calling("nested", func(context.Context, *hooks.Call) (any, error) { return string(text), nil }), secret)
		run(calling("twice", func(context.Context, *hooks.Call) (any, error) { return string(quoted), nil }), secret)
		run(calling("sentence", func(context.Context, *hooks.Call) (any, error) { return "write to ada@secret.example", nil }), secret)
		run(calling("result", func(context.Context, *hooks.Call) (any, error) {
			r := hooks.TextResult(string(text))
			r.More = map[string]any{"structuredContent": secret}
			return r, nil
		}), secret)
		run(calling("fails", func(context.Context, *hooks.Call) (any, error) {
			return nil, errors.New("no user ada@secret.example, s3cr3t")
		}), secret)
		run(calling("panics", func(context.Context, *hooks.Call) (any, error) { panic("s3cr3t") }), secret)
		checks := calling("checks", echoing)
		checks.Contract.InputSchema = `{"properties":{"email":{"const":"x"}}}`
		run(checks, secret)
		denies := calling("denies", echoing)
		denies.Hooks.Before = []hooks.Hook{func(_ context.Context, c *hooks.Call) error {
			return hooks.Deny("", fmt.Sprint("not ", c.Input.(map[string]any)["email"]))
		}}
		run(denies, secret)
		after := calling("after", echoing)
		after.Hooks.After = []hooks.Hook{func(context.Context, *hooks.Call) error { return errors.New("hidden note") }}
		run(after, secret)
		run(calling("rated", echoing), secret)
		run(calling("rated", echoing), secret)
		for _, total := range []float64{1, 2} {
			asked := map[string]any{"total": total}
			for key, value := range secret {
				asked[key] = value
			}
			run(calling("asks", echoing), asked)
		}
		require.Len(t, k.entries, 14, name)
		all := lines.String() + fmt.Sprintf("%+v", k.entries)
		for _, hidden := range []string{"ada@secret.example", "4242424242424242", "s3cr3t", "hidden note"} {
			require.NotContains(t, all, hidden, name)
		}
		require.Contains(t, all, "seen", "what is no secret is there")
		require.Equal(t, []string{"output"}, k.entries[5].Withheld, name)
		require.Equal(t, "asks", k.entries[13].Tool)
		require.Contains(t, k.entries[13].Changed, `"total":3`)
	}
}

func TestAnEntryIsBounded(t *testing.T) {
	t.Parallel()
	ctx, k := audited(t, "")
	hooks.Run(ctx, calling("long", func(context.Context, *hooks.Call) (any, error) { return strings.Repeat("ä", 2500), nil }), map[string]any{"a": strings.Repeat("b", 5000)})
	e := k.newest(t)
	require.Equal(t, strings.Repeat("ä", 2000)+"… (500 characters more)", e.Output)
	require.True(t, strings.HasSuffix(e.Input, "b… (3008 characters more)"), e.Input[2000:])
	require.Equal(t, []int{5008, 5000}, []int{e.InputBytes, e.OutputBytes})
	hooks.Run(ctx, calling("just", func(context.Context, *hooks.Call) (any, error) { return strings.Repeat("ä", 2000), nil }), nil)
	require.Equal(t, strings.Repeat("ä", 2000), k.newest(t).Output)
}

func TestASinkOfTheAuditLogChangesNoCall(t *testing.T) {
	t.Parallel()
	ctx, k := audited(t, "")
	ctx = hooks.WithAudit(ctx, func(hooks.AuditEntry) { panic("full") })
	later := new(kept)
	ctx = hooks.WithAudit(ctx, later.tell)
	tool := calling("panicking_sink", echoing)
	require.Equal(t, `{"a":1}`, hooks.Run(ctx, tool, map[string]any{"a": 1}).Text())
	require.Len(t, k.entries, 1, "an outer sink hears of it too")
	require.Len(t, later.entries, 1)
	require.Len(t, logged(tool), 1)
}

func TestCallsAtTheSameTimeAreEachAnEntry(t *testing.T) {
	t.Parallel()
	var lines bytes.Buffer
	ctx, k := audited(t, `, {"tools": "*", "redact": {"/key": "hash"}}`)
	ctx = hooks.WithAudit(ctx, hooks.AuditLines(&lines))
	var all sync.WaitGroup
	for i := range 100 {
		all.Go(func() { hooks.Run(ctx, calling("echo", echoing), map[string]any{"i": i, "key": "s3cr3t"}) })
	}
	all.Wait()
	require.Len(t, k.entries, 100)
	ids := map[string]bool{}
	for line := range strings.Lines(lines.String()) {
		e, err := hooks.ParseAuditEntry([]byte(line))
		require.NoError(t, err)
		require.Equal(t, e.Input, e.Output)
		ids[e.ID] = true
	}
	require.Len(t, ids, 100)
}

func TestAnEntryIsWrittenAndReadAsInAPage(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 12, 3, 14, 12, 0, 661_000_000, time.UTC)
	e := hooks.AuditEntry{
		Time: at, ID: "f8e7bb36", Tool: "checkout", Outcome: "denied", Code: "NEVER", Executed: true, Rule: "r", Rules: []string{"log", "r"},
		Reports:  []hooks.AuditReport{{"p", "deny", "C"}, {Effect: "default"}},
		Approval: &hooks.Decided{Approve: true, How: "dialog", By: "ada", At: at, Waited: 1500 * time.Millisecond, Edited: true, Digest: "ab"},
		Proof:    map[string]any{"id": "x"}, Duration: 1600 * time.Microsecond, InputBytes: 7, OutputBytes: 9, Input: `{"a":1}`, Changed: `{"a":2}`, Output: "<no>",
		Withheld: []string{"proof"},
	}
	text, err := json.Marshal(e)
	require.NoError(t, err)
	line, err := e.MarshalJSON()
	require.NoError(t, err)
	require.Equal(t, `{"time":"2026-12-03T14:12:00.661Z","id":"f8e7bb36","tool":"checkout","outcome":"denied","code":"NEVER","executed":true,"rule":"r","rules":["log","r"],`+
		`"reports":[{"rule":"p","effect":"deny","code":"C"},{"effect":"default"}],`+
		`"approval":{"decision":"approve","how":"dialog","by":"ada","at":"2026-12-03T14:12:00.661Z","waited":1500,"edited":true,"digest":"ab","proof":{"id":"x"}},`+
		`"duration":1.6,"inputBytes":7,"outputBytes":9,"input":"{\"a\":1}","changed":"{\"a\":2}","output":"<no>","withheld":["proof"]}`, string(line))
	read, err := hooks.ParseAuditEntry(text)
	require.NoError(t, err)
	require.Equal(t, e, read)

	for _, wrong := range []string{``, `[]`, `{}`, `{"time":"now"}`} {
		_, err := hooks.ParseAuditEntry([]byte(wrong))
		require.Error(t, err, wrong)
	}
}

func TestAnEntryIsAGroupOfSlog(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	ctx, _ := audited(t, `, {"name": "shut", "tools": "save", "deny": true}`)
	log := slog.New(slog.NewJSONHandler(&out, nil))
	ctx = hooks.WithAudit(ctx, func(e hooks.AuditEntry) { log.Info("tool call", "call", e) })
	hooks.Run(ctx, calling("save", echoing), map[string]any{"a": 1})
	var line struct{ Call map[string]any }
	require.NoError(t, json.Unmarshal(out.Bytes(), &line))
	require.Equal(t, []any{"save", "denied", "POLICY_DENIED", "shut", `{"a":1}`}, []any{line.Call["tool"], line.Call["outcome"], line.Call["code"], line.Call["rule"], line.Call["input"]})
}

func TestAuditTellsOfCallsWithoutAPolicy(t *testing.T) {
	t.Parallel()
	k := new(kept)
	run := func(tool *hooks.Tool, input any) hooks.AuditEntry {
		global := hooks.NewScope(nil)
		global.Add(hooks.Audit(k.tell, map[string]string{"/email": "email", "/key": "full"}))
		hooks.Run(t.Context(), tool, input, global)
		return k.newest(t)
	}
	secret := map[string]any{"email": "ada@secret.example", "key": "s3cr3t", "n": 1}
	e := run(calling("echo", echoing), secret)
	require.Equal(t, []any{"ok", true, `{"email":"a***@secret.example","key":"***","n":1}`, `{"email":"a***@secret.example","key":"***","n":1}`}, []any{e.Outcome, e.Executed, e.Input, e.Output})
	require.Equal(t, []int{51, 51}, []int{e.InputBytes, e.OutputBytes})
	e = run(calling("fails", func(context.Context, *hooks.Call) (any, error) { return nil, errors.New("no s3cr3t") }), secret)
	require.Equal(t, []any{"error", "", []string{"output"}}, []any{e.Outcome, e.Output, e.Withheld})
	denies := calling("denies", echoing)
	denies.Hooks.Before = []hooks.Hook{func(context.Context, *hooks.Call) error { return hooks.Deny("NO", "not s3cr3t") }}
	e = run(denies, secret)
	require.Equal(t, []any{"denied", "NO", false, ""}, []any{e.Outcome, e.Code, e.Executed, e.Output})
	slow := calling("slow", func(ctx context.Context, _ *hooks.Call) (any, error) { <-ctx.Done(); return nil, ctx.Err() })
	slow.Hooks.Timeout = 5 * time.Millisecond
	e = run(slow, nil)
	require.Equal(t, []any{"error", "TIMEOUT"}, []any{e.Outcome, e.Code})
	require.Len(t, k.entries, 4)
	require.NotContains(t, fmt.Sprintf("%+v", k.entries), "s3cr3t")

	plain := new(kept)
	tool := calling("plain", echoing)
	twice := hooks.Audit(plain.tell, nil)
	tool.Hooks = twice.Concat(twice)
	hooks.Run(t.Context(), tool, "text")
	require.Len(t, plain.entries, 1)
	require.Equal(t, []string{`"text"`, "text"}, []string{plain.entries[0].Input, plain.entries[0].Output})
	loud := calling("loud_audit", echoing)
	loud.Hooks = hooks.Audit(func(hooks.AuditEntry) { panic("full") }, nil)
	require.Equal(t, "x", hooks.Run(t.Context(), loud, "x").Text())
	require.Len(t, logged(loud), 1)
	require.Panics(t, func() { hooks.Audit(nil, nil) })
	require.Panics(t, func() { hooks.Audit(k.tell, map[string]string{"email": "email"}) })
}
