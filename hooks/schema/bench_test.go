package schema_test

import (
	"encoding/json"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/webmcp-wasm/webmcp/hooks/schema"
	"github.com/webmcp-wasm/webmcp/hooks/schema/re2"
)

const benchSchema = `{"type":"object","required":["email","items"],"additionalProperties":false,"properties":{
	"email":{"type":"string","format":"email"},"note":{"type":"string","maxLength":200},
	"items":{"type":"array","minItems":1,"items":{"type":"object","required":["id","name","quantity","price"],"additionalProperties":false,"properties":{
		"id":{"type":"string","minLength":3},"name":{"type":"string"},"quantity":{"type":"integer","minimum":1,"maximum":99},
		"price":{"type":"number","minimum":0},"tags":{"type":"array","items":{"enum":["new","sale","used"]}},"gift":{"type":"boolean"}}}}}}`

// benchInput is an order of that many lines, as JSON.stringify writes it.
func benchInput(t testing.TB, lines int) []byte {
	items := make([]map[string]any, lines)
	for i := range items {
		items[i] = map[string]any{
			"id": "product-" + strconv.Itoa(i), "name": "Mechanical keyboard", "quantity": 3, "price": 129.95,
			"tags": []string{"new", "sale"}, "gift": false,
		}
	}
	text, err := json.Marshal(map[string]any{"email": "ada@example.com", "items": items})
	require.NoError(t, err)
	return text
}

func BenchmarkValidate(b *testing.B) {
	s, err := schema.Compile([]byte(benchSchema), schema.Options{Regexp: re2.Compile})
	require.NoError(b, err)
	for _, bench := range []struct {
		name  string
		lines int
	}{{"1KB", 8}, {"50KB", 425}} {
		input := benchInput(b, bench.lines)
		b.Run(bench.name, func(b *testing.B) {
			var document schema.Document
			b.SetBytes(int64(len(input)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := s.ValidateInto(&document, input); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkCompile(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := schema.Compile([]byte(benchSchema), schema.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
