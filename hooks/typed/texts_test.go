package typed

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/hooks"
	"github.com/webmcp-wasm/webmcp/internal/handlers"
	"github.com/webmcp-wasm/webmcp/internal/jsontape"
)

// counted is a type that counts in decodings how often it is decoded.
type counted struct{}

var decodings int

func (*counted) UnmarshalJSON([]byte) error { decodings++; return nil }

func TestAHandlerThatIsGivenATextDecodesItOnce(t *testing.T) {
	tool := &hooks.Tool{Handler: Handler(func(context.Context, counted) (string, error) { return "ok", nil })}
	var tape jsontape.Tape
	require.NoError(t, tape.Parse([]byte(`{"a":1}`)))
	c := hooks.Call{}
	hooks.GiveTexts(&c, tape.Part(jsontape.Root), nil)
	decodings = 0
	require.NoError(t, hooks.ApplyHandler(t.Context(), tool, &c))
	require.Equal(t, 1, decodings)
	require.Nil(t, c.Input, "no Go value is made")
	_, output := hooks.TextsOf(&c)
	require.Equal(t, `"ok"`, string(output.Raw()))

	own := hooks.Handler(func(ctx context.Context, c *hooks.Call) (any, error) {
		require.Equal(t, map[string]any{"a": 1.0}, c.Input)
		return tool.Handler(ctx, c)
	})
	require.False(t, handlers.ReadsText(own))
	require.True(t, handlers.ReadsText(tool.Handler))
	require.NoError(t, hooks.ApplyHandler(t.Context(), &hooks.Tool{Handler: own}, &c))
}

func FuzzATextIsDecodedAsItsValueIs(f *testing.F) {
	type in struct {
		ID     int64           `json:"id"`
		Weight float64         `json:"weight"`
		Text   string          `json:"text"`
		Any    any             `json:"any"`
		List   []uint64        `json:"list"`
		Raw    json.RawMessage `json:"raw"`
	}
	for _, s := range []string{`{"id":9007199254740993}`, `{"id":-9007199254740991,"any":1e19,"text":"9007199254740993\\\""}`, `{"list":[1,100000000000000000000]}`, `{"weight":9007199254740993.5,"raw":9007199254740993}`, `12345678901234567`, `{"any":123456789012345678e3}`} {
		f.Add([]byte(s))
	}
	var got []in
	handler := Handler(func(_ context.Context, v in) (string, error) { got = append(got, v); return "", nil })
	f.Fuzz(func(t *testing.T, text []byte) {
		var tape jsontape.Tape
		if tape.Parse(text) != nil {
			return
		}
		// As JavaScript would write it.
		said, err := jsontape.Append(nil, tape.Value(jsontape.Root))
		require.NoError(t, err)
		require.NoError(t, tape.Parse(said))
		got = nil
		_, fast := handler(t.Context(), &hooks.Call{Input: tape.Part(jsontape.Root)})
		_, slow := handler(t.Context(), &hooks.Call{Input: tape.Value(jsontape.Root)})
		if slow != nil {
			require.EqualError(t, fast, slow.Error())
			return
		}
		require.NoError(t, fast)
		require.Len(t, got, 2)
		if string(got[0].Raw) != string(got[1].Raw) { // spelled otherwise
			require.JSONEq(t, string(got[1].Raw), string(got[0].Raw))
		}
		got[0].Raw, got[1].Raw = nil, nil
		require.Equal(t, got[1], got[0])
	})
}
