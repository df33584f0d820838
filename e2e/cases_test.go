package e2e

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/internal/cases"
	"github.com/webmcp-wasm/webmcp/webmcptest"
)

// The tables that run natively in package hooks.

func TestTheTableOfCases(t *testing.T) {
	t.Parallel()
	p := goPage(t, withWebMCP)
	for driver, play := range map[cases.Driver]string{
		cases.Go: `() => playGo(table)`, cases.Script: `() => playScript(table, false)`, cases.Async: `() => playScript(table, true)`,
	} {
		p.About("%s", driver)
		var played []cases.Case
		var script []string
		for number, c := range cases.All() {
			if _, _, ok := c.For(driver); ok {
				played = append(played, c)
				script = append(script, caseScript(number, c))
			}
		}
		require.Greater(t, len(played), 100)
		p.Do(`() => { window.table = [` + strings.Join(script, ",\n") + `] }`)
		got := webmcptest.Eval[[]cases.Want](p, play)
		require.Len(t, got, len(played))
		for i, c := range played {
			want, instead, _ := c.For(driver)
			if err := cases.Compare(got[i], want, instead); err != nil {
				t.Errorf("%s, %s: %v", driver, c.Name, err)
			}
		}
	}
}

// caseScript returns a case as JavaScript knows it.
func caseScript(number int, c cases.Case) string {
	acts := func(list []cases.Act) string {
		texts := make([]string, len(list))
		for i, act := range list {
			texts[i] = actScript(act)
		}
		return "[" + strings.Join(texts, ", ") + "]"
	}
	hooks := func(h cases.Hooks) string {
		return "{before: " + acts(h.Before) + ", after: " + acts(h.After) + ", error: " + acts(h.Error) + ", denied: " + acts(h.Denied) + ", approval: " + policiesScript(h.Approval) + "}"
	}
	aborts := c.Aborted
	for _, list := range [][]cases.Act{c.Outer.Before, c.Inner.Before, c.Tool.Before, c.Tool.After, {c.Fn}} {
		aborts = aborts || slices.ContainsFunc(list, func(act cases.Act) bool { return act.Do == cases.Abort })
	}
	text := "{number: " + jsonText(number) + ", input: " + jsonText(c.InputText()) + ", reason: " + jsonText(c.Reason) +
		", human: " + jsonText(c.Human) + ", aborted: " + jsonText(c.Aborted) + ", aborts: " + jsonText(aborts) +
		", outer: " + hooks(c.Outer) + ", inner: " + hooks(c.Inner) + ", tool: " + hooks(c.Tool) + ", fn: " + actScript(c.Fn)
	if c.Schema != "" {
		text += ", schema: " + c.Schema
	}
	if c.OutputSchema != "" {
		text += ", outputSchema: " + c.OutputSchema
	}
	return text + "}"
}

func policiesScript(policies []cases.Policy) string {
	texts := make([]string, len(policies))
	for i, p := range policies {
		texts[i] = "{only: " + jsonText(p.Only) + ", title: " + jsonText(p.Title) + ", when: " + actScript(p.When) +
			", describe: " + actScript(p.Describe) + ", details: " + actScript(p.Details) + "}"
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

func actScript(act cases.Act) string {
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

func TestTheTableOfContracts(t *testing.T) {
	t.Parallel()
	p := goPage(t, withWebMCP)
	for driver, check := range map[cases.Driver]string{
		cases.Go: `goContractErrors`, cases.Script: `scriptContractErrors`,
	} {
		p.About("%s", driver)
		var checked []cases.Contract
		var script []string
		for number, c := range cases.Contracts() {
			if _, _, ok := c.For(driver); ok {
				checked = append(checked, c)
				script = append(script, contractScript(number, c))
			}
		}
		require.Greater(t, len(checked), 10)
		p.Do(`() => { window.table = [` + strings.Join(script, ",\n") + `] }`)
		got := webmcptest.Eval[[]string](p, `() => `+check+`(table)`)
		require.Len(t, got, len(checked))
		for i, c := range checked {
			want, instead, _ := c.For(driver)
			if err := cases.CompareText(got[i], want, instead); err != nil {
				t.Errorf("%s, %s: %v", driver, c.Name, err)
			}
		}
	}
}

// contractScript returns the options of a tool as JavaScript knows them.
func contractScript(number int, c cases.Contract) string {
	options := map[string]any{"name": c.Tool.Name, "description": c.Tool.Description}
	if c.Tool.Title != "" {
		options["title"] = c.Tool.Title
	}
	for key, schema := range map[string]string{"schema": c.Tool.InputSchema, "outputSchema": c.Tool.OutputSchema} {
		if schema != "" && json.Valid([]byte(schema)) {
			options[key] = json.RawMessage(schema)
		}
	}
	more := c.Script
	if more == "" {
		more = "{}"
	}
	return "{number: " + jsonText(number) + ", nothing: " + jsonText(c.Nothing) + ", options: {...(" + jsonText(options) + "), ...(" + more + ")}}"
}
