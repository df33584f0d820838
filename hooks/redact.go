package hooks

import (
	"context"

	"github.com/webmcp-wasm/webmcp/hooks/policy"
	"github.com/webmcp-wasm/webmcp/internal/jsontape"
)

// Redact returns hooks that mask what an agent must not read of an output. The names
// are JSON Pointers, in which * is every member or item, and the masks are those of
// policies: "remove", "full", "email", "last4" and "hash".
//
//	hooks.Redact(map[string]string{"/email": "email", "/cards/*/number": "last4", "/notes": "remove"})
//
// Output, structuredContent and text that is JSON are masked alike. A pointer that
// leads nowhere is nothing; an output that cannot be read as JSON fails the call. What
// later after hooks put in is not masked: let these be the outermost. Redact panics for
// what is no pointer or mask, and for an empty map.
func Redact(rules map[string]string) Set {
	plan := mustRule("Redact", map[string]any{"tools": "*", "redact": rules}).planFor(new(Contract))
	after := func(_ context.Context, c *Call) (err error) {
		var check policy.Check
		check.Start(plan, now(), -1, nil)
		c.Output, err = redactedOutput(&check, c.Output)
		return err
	}
	return Set{After: []Hook{after}}
}

// redactedOutput returns an output as a policy lets it out. It shares nothing with it.
func redactedOutput(check *policy.Check, output any) (any, error) {
	output, err := jsontape.Own(output)
	if err != nil {
		return nil, &ValueError{"output", err}
	}
	if result, ok := resultOf(output); ok {
		return result.redacted(check)
	}
	text, isText := output.(string)
	if !isText {
		said, err := jsontape.Append(nil, output)
		if err != nil {
			return nil, err
		}
		text = string(said)
	}
	result, err := TextResult(text).redacted(check)
	if err != nil || isText {
		return result.Text(), err
	}
	var t jsontape.Tape
	if err := t.Parse([]byte(result.Text())); err != nil {
		return nil, err
	}
	masked := t.Value(jsontape.Root)
	if _, ok := resultOf(masked); ok { // what was no result does not become one
		return result.Text(), nil
	}
	return masked, nil
}

// redacted returns a result as a policy lets it out.
func (r Result) redacted(check *policy.Check) (Result, error) {
	text, err := r.MarshalJSON()
	if err != nil {
		return Result{}, err
	}
	if text, err = check.Redact(nil, text); err != nil {
		return Result{}, err
	}
	return readResult(text)
}

// readResult reads a result from JSON.
func readResult(text []byte) (Result, error) {
	var t jsontape.Tape
	if err := t.Parse(text); err != nil {
		return Result{}, err
	}
	redacted, ok := resultOf(t.Value(jsontape.Root))
	if !ok {
		return Result{}, errNoResult
	}
	return redacted, nil
}
