package jsontape

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOwnSharesNothing(t *testing.T) {
	t.Parallel()
	inner := map[string]any{"n": 1.0}
	given := map[string]any{"list": []any{inner, "a"}}
	own, err := Own(given)
	require.NoError(t, err)
	inner["n"] = 2.0
	given["list"].([]any)[1] = "b"
	require.Equal(t, map[string]any{"list": []any{map[string]any{"n": 1.0}, "a"}}, own)
	_, err = Own(func() {})
	require.Error(t, err)
}
