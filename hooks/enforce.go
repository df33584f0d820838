package hooks

import (
	"sync"

	"github.com/webmcp-wasm/webmcp/hooks/jsontape"
	"github.com/webmcp-wasm/webmcp/hooks/schema"
)

// compiled holds the schemas of contracts, by text: *schema.Schema or error.
var compiled sync.Map

// enforce checks a value against a JSON Schema, and returns it with the defaults
// filled in. The value is not modified.
func enforce(text string, value any) (any, error) {
	entry, ok := compiled.Load(text)
	if !ok {
		s, err := schema.Compile([]byte(text), schema.Options{Regexp: regexp})
		if entry = any(s); err != nil {
			entry = err
		}
		compiled.Store(text, entry)
	}
	if err, failed := entry.(error); failed {
		return nil, err
	}
	said, err := encode(value)
	if err != nil {
		return nil, err
	}
	filled, err := entry.(*schema.Schema).Validate(said)
	if err != nil || filled == nil {
		return value, err
	}
	var tape jsontape.Tape
	if err := tape.Parse(filled); err != nil {
		return nil, err
	}
	return tape.Value(jsontape.Root), nil
}
