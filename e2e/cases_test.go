package e2e

import (
	"encoding/json"
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
				script = append(script, c.Script(number))
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
