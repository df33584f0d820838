package hooks

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/webmcp-wasm/webmcp/hooks/policy"
	"github.com/webmcp-wasm/webmcp/internal/jsontape"
)

// The constructors RateLimit, Timeout, Require, Enrich, Redact and Timing do in code
// what policies do as documents, and can be put together by Set.Concat. For pages there
// are the same in JavaScript, under the same names: wasm/hooks/webmcp_hooks.js.

// Of says which calls a limit counts together.
type Of uint8

const (
	EachTool Of = iota // those of each tool alone
	AllTools           // those of all tools that have the hook
)

// RateLimit returns hooks that let so many calls through in any second, minute or hour,
// wherever it begins, such as "30/min", with s, min or h. A call over it is denied with
// the code RATE_LIMITED, and the text says when one may come. A call that is refused
// does not count, and one that comes to these hooks twice, since they are in a scope
// and on the tool, counts once. RateLimit panics for what is no rate.
func RateLimit(rate string, of Of) Set {
	rule := map[string]any{"tools": "*", "rate": rate}
	rules := mustRule("RateLimit", rule)
	if of == AllTools {
		limit, per, _ := strings.Cut(rate, "/")
		rule["rate"] = map[string]any{"limit": numberText(limit), "per": per, "of": "rule"}
		rules = mustRule("RateLimit", rule)
	}
	counted := new(byte) // its address is the key
	before := func(_ context.Context, c *Call) error {
		if _, first := c.Metadata.claim(counted, true); !first {
			return nil
		}
		var check policy.Check
		if !check.Start(rules.planFor(&c.Tool), now(), -1, nil) {
			return Deny(check.Refusal.Code, check.Refusal.Message)
		}
		return nil
	}
	return Set{Before: []Hook{before}}
}

// Timeout returns a Set that is a limit of time alone: see Set.Timeout. It panics
// unless the limit is positive.
func Timeout(limit time.Duration) Set {
	if limit <= 0 {
		panic("hooks: Timeout must be positive: leave it out for no limit")
	}
	return Set{Timeout: limit}
}

// mustRule returns the policy that has one rule. It panics where that is wrong.
func mustRule(of string, rule map[string]any) *Policy {
	text, err := jsontape.Append(nil, map[string]any{"webmcp": policy.Version, "rules": []any{rule}})
	if err == nil {
		var p *Policy
		if p, err = ParsePolicy(text); err == nil {
			return p
		}
	}
	message := err.Error()
	if wrong := (*policy.ParseError)(nil); errors.As(err, &wrong) {
		first := wrong.Issues[0]
		place, _ := strings.CutPrefix(first.Path, "/rules/0/")
		message = strings.TrimSpace(place + " " + policy.Issue{Expected: first.Expected, Got: first.Got}.String())
	}
	panic("hooks: " + of + ": " + message)
}

// numberText is the text of a number, as JSON.
type numberText string

// MarshalJSON returns the text.
func (n numberText) MarshalJSON() ([]byte, error) { return []byte(n), nil }
