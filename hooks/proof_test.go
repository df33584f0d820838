//go:build !js

package hooks_test

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/hooks"
)

func TestAChallengeIsOfAllThatIsApproved(t *testing.T) {
	t.Parallel()
	digest := sha256.Sum256([]byte(`{"amount":7,"to":"ada"}`))
	want := sha256.Sum256([]byte(`["id","pay","` + hex.EncodeToString(digest[:]) + `","nonce"]`))
	got, err := hooks.Challenge("id", "pay", map[string]any{"to": "ada", "amount": 7.0}, "nonce")
	require.NoError(t, err)
	require.Equal(t, want[:], got)

	seen := map[string]bool{string(got): true}
	for _, other := range []struct {
		id, tool string
		input    any
		nonce    string
	}{
		{"id2", "pay", map[string]any{"to": "ada", "amount": 7.0}, "nonce"},
		{"id", "pays", map[string]any{"to": "ada", "amount": 7.0}, "nonce"},
		{"id", "pay", map[string]any{"to": "ada", "amount": 7.5}, "nonce"},
		{"id", "pay", map[string]any{"to": "ada", "amount": 7.0}, "nonce2"},
		{`id","pay`, "", map[string]any{"to": "ada", "amount": 7.0}, "nonce"},
		{"id", `pay","`, map[string]any{"to": "ada", "amount": 7.0}, "nonce"},
		{"", "idpay", map[string]any{"to": "ada", "amount": 7.0}, "nonce"},
	} {
		got, err := hooks.Challenge(other.id, other.tool, other.input, other.nonce)
		require.NoError(t, err)
		require.False(t, seen[string(got)], other)
		seen[string(got)] = true
	}
	_, err = hooks.Challenge("id", "pay", func() {}, "nonce")
	require.Error(t, err)
}
