package hooks_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/hooks"
)

func TestTheNameOfATool(t *testing.T) {
	t.Parallel()
	check := func(name string) error {
		return (&hooks.Tool{
			Contract: hooks.Contract{Name: name, Description: "x"},
			Handler:  func(context.Context, *hooks.Call) (any, error) { return nil, nil },
		}).Check()
	}
	// What the specification of WebMCP allows.
	for c := range rune(0x180) {
		allowed := strings.ContainsRune("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.", c)
		require.Equal(t, allowed, check("a"+string(c)) == nil, "%q", c)
	}
	require.NoError(t, check(strings.Repeat("x", 128)))
	var wrong *hooks.ConfigurationError
	require.ErrorAs(t, check(strings.Repeat("x", 129)), &wrong)
	require.ErrorAs(t, check(""), &wrong)
}

func TestEachSchemaOfAToolIsChecked(t *testing.T) {
	t.Parallel()
	const right, wrong = `{"type":"object"}`, `{"type":"objekt"}`
	for _, schemas := range [][2]string{{wrong, ""}, {"", wrong}, {right, wrong}, {wrong, right}, {right, "{"}, {right, "7"}} {
		err := (&hooks.Tool{
			Contract: hooks.Contract{Name: "x", Description: "x", InputSchema: schemas[0], OutputSchema: schemas[1]},
			Handler:  func(context.Context, *hooks.Call) (any, error) { return nil, nil },
		}).Check()
		require.IsType(t, &hooks.ConfigurationError{}, err, schemas)
		what := "the schema of"
		if schemas[0] != wrong {
			what = "the outputSchema of"
		}
		require.ErrorContains(t, err, what, schemas)
	}
}
