//go:build !js

package hooks

import (
	"crypto/sha256"

	"github.com/webmcp-wasm/webmcp/internal/jsontape"
)

// Challenge returns what a human's passkey has signed when they approved a call in a
// page, where the approval has verify: SHA-256 over the JSON array of the id, the name
// of the tool, the digest of the input and the nonce, as metadata.approval.proof of
// the page has them. The input is as encoding/json decodes it.
//
// A server makes the challenge of the arguments that it is about to act on, and
// verifies the assertion with it by a library for WebAuthn: only then has a human
// approved just these. It acts on each challenge once. examples/passkey does all that.
func Challenge(id, tool string, input any, nonce string) ([]byte, error) {
	own, err := jsontape.Own(input)
	if err != nil {
		return nil, unsayable("input", err)
	}
	signed, err := jsontape.Append(nil, []any{id, tool, digestOf(canonical(nil, own)), nonce})
	sum := sha256.Sum256(signed)
	return sum[:], err
}
