//go:build !js

package cases

import (
	"encoding/json"
	"slices"
	"strings"
)

// Script returns the case as an expression of JavaScript: what e2e/testdata/site/goapp/js plays.
func (c *Case) Script(number int) string {
	acts := func(list []Act) string {
		texts := make([]string, len(list))
		for i, act := range list {
			texts[i] = scriptOf(act)
		}
		return "[" + strings.Join(texts, ", ") + "]"
	}
	hooks := func(h Hooks) string {
		return "{before: " + acts(h.Before) + ", after: " + acts(h.After) + ", error: " + acts(h.Error) + ", denied: " + acts(h.Denied) + ", approval: " + policiesScript(h.Approval) + "}"
	}
	aborts := c.Aborted
	for _, list := range [][]Act{c.Outer.Before, c.Inner.Before, c.Tool.Before, c.Tool.After, {c.Fn}} {
		aborts = aborts || slices.ContainsFunc(list, func(act Act) bool { return act.Do == Abort })
	}
	text := "{number: " + jsonText(number) + ", input: " + jsonText(c.InputText()) + ", reason: " + jsonText(c.Reason) +
		", human: " + jsonText(c.Human) + ", aborted: " + jsonText(c.Aborted) + ", aborts: " + jsonText(aborts) +
		", outer: " + hooks(c.Outer) + ", inner: " + hooks(c.Inner) + ", tool: " + hooks(c.Tool) + ", fn: " + scriptOf(c.Fn)
	if c.Schema != "" {
		text += ", schema: " + c.Schema
	}
	if c.OutputSchema != "" {
		text += ", outputSchema: " + c.OutputSchema
	}
	return text + "}"
}

func policiesScript(policies []Policy) string {
	texts := make([]string, len(policies))
	for i, p := range policies {
		texts[i] = "{only: " + jsonText(p.Only) + ", title: " + jsonText(p.Title) + ", when: " + scriptOf(p.When) +
			", describe: " + scriptOf(p.Describe) + ", details: " + scriptOf(p.Details) + "}"
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

func scriptOf(act Act) string {
	text := "{does: " + jsonText(act.Do)
	if act.Value.JS != "" {
		text += ", value: () => (" + act.Value.JS + ")"
	}
	if act.Code != "" {
		text += ", code: " + jsonText(act.Code)
	}
	if act.Text != "" {
		text += ", text: " + jsonText(act.Text)
	}
	return text + "}"
}

// jsonText returns a value as JSON.
func jsonText(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // what the table has, JSON can say
	}
	return string(text)
}
