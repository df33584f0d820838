package e2e

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/hooks"
	"github.com/webmcp-wasm/webmcp/webmcptest"
)

// An input has one digest, whoever asked the human: a page, or hooks.Run. The text that
// is digested is that of RFC 8785.

func TestAnInputHasTheSameDigestInAPageAndInGo(t *testing.T) {
	t.Parallel()
	p := libPage(t, withoutWebMCP)
	// The examples of sections 3.2.2 and 3.2.3, with what must be digested.
	examples := [][2]string{
		{
			`{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`,
			`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
		},
		{
			`{"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One","\ud83d\ude00":"Emoji: Grinning Face","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis"}`,
			"{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u0080\":\"Control\",\"ö\":\"Latin Small Letter O With Diaeresis\",\"€\":\"Euro Sign\",\"😀\":\"Emoji: Grinning Face\",\"\ufb33\":\"Hebrew Letter Dalet With Dagesh\"}",
		},
		{`{"10":1,"9":2,"b":[{"2":0,"10":0}],"a":-0,"":[]}`, `{"":[],"10":1,"9":2,"a":0,"b":[{"10":0,"2":0}]}`},
	}
	var inputs, want []string
	for _, example := range examples {
		sum := sha256.Sum256([]byte(example[1]))
		inputs, want = append(inputs, example[0]), append(want, hex.EncodeToString(sum[:]))
		require.Equal(t, want[len(want)-1], nativeDigest(t, example[0]), example[0])
	}
	// What Go has no text for is as JSON.stringify writes it: another input than that with U+FFFD, which Go reads.
	sum := sha256.Sum256([]byte(`{"a":"\ud800"}`))
	inputs, want = append(inputs, `{"a":"\ud800"}`), append(want, hex.EncodeToString(sum[:]))

	seed := rand.Uint64()
	t.Log("seed", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for range 500 {
		text, err := json.Marshal(randomObject(random, 4))
		require.NoError(t, err)
		inputs, want = append(inputs, string(text)), append(want, nativeDigest(t, string(text)))
	}
	got := webmcptest.Eval[[]string](p, `async (inputs) => {
		const digests = [];
		let input;
		await webmcp(() => '', {
			name: 'digest', description: 'Is approved.', schema: {}, approval: { ask: () => 'approve' },
			hooks: { before: [() => ({ input })], after: [({ metadata }) => { digests.push(metadata.approval.digest) }] },
		}).register();
		for (const text of inputs) {
			input = JSON.parse(text);
			await webmcp.invokeTool('digest', {});
		}
		return digests;
	}`, inputs)
	require.Len(t, got, len(want))
	for i, digest := range got {
		require.Equal(t, want[i], digest, inputs[i])
	}
}

// nativeDigest returns the digest of an input that hooks.Run has had approved.
func nativeDigest(t *testing.T, text string) (digest string) {
	t.Helper()
	var input any
	require.NoError(t, json.Unmarshal([]byte(text), &input))
	approver := hooks.ApproverFunc(func(context.Context, hooks.Question) (hooks.Decision, error) {
		return hooks.Decision{Approve: true}, nil
	})
	result := hooks.Run(hooks.WithApprovals(t.Context(), hooks.NewApprovals(approver)), &hooks.Tool{
		Contract: hooks.Contract{Name: "digest", Description: "Is approved."},
		Approval: new(hooks.Approval),
		Handler: func(_ context.Context, c *hooks.Call) (any, error) {
			digest = c.Approval.Digest
			return nil, nil
		},
	}, input)
	require.False(t, result.IsError, result.Text())
	return digest
}

// randomObject makes an object whose names and values are those that are easily written,
// or sorted, in another way.
func randomObject(r *rand.Rand, depth int) map[string]any {
	object := map[string]any{}
	for range r.IntN(6) {
		object[randomText(r)] = randomValue(r, depth-1)
	}
	return object
}

func randomValue(r *rand.Rand, depth int) any {
	switch kind := r.IntN(8); {
	case kind == 0:
		return nil
	case kind == 1:
		return r.IntN(2) == 0
	case kind == 2:
		return randomText(r)
	case kind == 3:
		return []float64{math.Copysign(0, -1), 0, 1e21, 1e-7, 1e20, 123456789012345680000, 5e-324}[r.IntN(7)]
	case kind == 4 || depth == 0:
		for {
			if f := math.Float64frombits(r.Uint64()); !math.IsNaN(f) && !math.IsInf(f, 0) {
				return f
			}
		}
	case kind == 5:
		list := make([]any, r.IntN(4))
		for i := range list {
			list[i] = randomValue(r, depth-1)
		}
		return list
	}
	return randomObject(r, depth)
}

func randomText(r *rand.Rand) string {
	switch r.IntN(4) {
	case 0:
		return strconv.Itoa(r.IntN(1 << (1 + r.IntN(33)))) // as JavaScript has it first, or no more
	case 1:
		return []string{"", "__proto__", "constructor", "toJSON", "-1", "01", "1.5", "4294967295", "length"}[r.IntN(9)]
	}
	var text []rune
	for range r.IntN(4) {
		text = append(text, []rune{
			rune(r.IntN(0x80)), 'é', '\u007f', '\u0080', '\u2028', '\ud7ff', '\ue000', '\ufb33', '\ufffd', '\uffff', 0x10000, '😀', 0x10ffff,
		}[r.IntN(13)])
	}
	return string(text)
}
