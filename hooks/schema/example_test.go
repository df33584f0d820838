package schema_test

import (
	"errors"
	"fmt"

	"github.com/webmcp-wasm/webmcp/hooks/schema"
)

// A schema is compiled once. An input that does not fit is told where, and how.
func Example() {
	order, err := schema.Compile([]byte(`{
		"type": "object",
		"properties": {
			"tea":   {"enum": ["green", "black"]},
			"cups":  {"type": "integer", "maximum": 10},
			"sugar": {"type": "boolean", "default": false}
		},
		"required": ["tea", "cups"]
	}`), schema.Options{})
	if err != nil {
		panic(err)
	}

	changed, err := order.Validate([]byte(`{"tea": "green", "cups": 2}`))
	fmt.Printf("%s %v\n", changed, err) // with its defaults

	_, err = order.Validate([]byte(`{"tea": "grey", "cups": 200}`))
	var invalid *schema.ValidationError
	if errors.As(err, &invalid) {
		for _, issue := range invalid.Issues {
			fmt.Println(issue)
		}
	}
	// Output:
	// {"tea":"green","cups":2,"sugar":false} <nil>
	// tea: must be one of "green", "black", got "grey"
	// cups: must be <= 10, got 200
}

// What cannot be enforced is refused, instead of ignored.
func ExampleCompile_refused() {
	_, err := schema.Compile([]byte(`{"properties": {"user": {"$ref": "https://example.com/user.json"}}}`), schema.Options{})
	fmt.Println(err)
	fmt.Println(errors.Is(err, schema.ErrUnsupported))
	// Output:
	// schema #/properties/user/$ref: $ref https://example.com/user.json leaves the document: put the schema under $defs and refer to it there
	// true
}
