package hooks

import (
	"sync"

	"github.com/webmcp-wasm/webmcp/hooks/schema"
	"github.com/webmcp-wasm/webmcp/internal/jsontape"
)

// compiled holds the schemas of contracts: contractSchema -> *schema.Schema or
// error.
var compiled sync.Map

type contractSchema struct {
	text string
	fill bool // its defaults
}

// compileSchema returns the schema that a text says; one and the same for all calls.
func compileSchema(text string, fill bool) (*schema.Schema, error) {
	key := contractSchema{text, fill}
	entry, ok := compiled.Load(key)
	if !ok {
		s, err := schema.Compile([]byte(text), schema.Options{Regexp: regexp, NoDefaults: !fill})
		if entry = any(s); err != nil {
			entry = err
		}
		compiled.Store(key, entry)
	}
	if err, failed := entry.(error); failed {
		return nil, err
	}
	return entry.(*schema.Schema), nil
}

// enforce checks a value against a JSON Schema. With fill, it returns the value
// with the defaults filled in; the value itself is not modified.
func enforce(text string, value any, fill bool) (any, error) {
	s, err := compileSchema(text, fill)
	if err != nil {
		return nil, err
	}
	said, err := jsontape.Append(nil, value)
	if err != nil {
		return nil, err
	}
	var document schema.Document
	filled, err := s.ValidateInto(&document, said)
	if err != nil || filled == nil {
		return value, err
	}
	return document.Value(), nil
}
