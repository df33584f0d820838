package hooks_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/hooks"
)

func TestADenialIsFoundInAWrappedError(t *testing.T) {
	t.Parallel()
	require.Equal(t, &hooks.Denial{Code: "A", Message: "the call was denied, and nothing was done"}, hooks.Deny("A", ""))
	require.Equal(t, &hooks.Denial{Code: "DENIED", Message: "b"}, hooks.Deny("", "b"))
	d := hooks.Deny("A", "b")
	require.Equal(t, &hooks.Denial{Code: "A", Message: "b"}, hooks.AsDenial(errors.Join(errors.New("x"), d)))
	require.Nil(t, hooks.AsDenial(errors.New("x")))
	require.Nil(t, hooks.AsDenial(nil))
}

func TestMetadataIsCopiedOnTheWayOut(t *testing.T) {
	t.Parallel()
	var m hooks.Metadata
	require.Nil(t, m.Get("a"))
	require.Empty(t, m.All())
	m.Set("a", 1)
	m.Set("b", 2)
	m.All()["a"] = 2
	require.Equal(t, map[string]any{"a": 1, "b": 2}, m.All())
	require.Equal(t, 1, m.Get("a"))
}
