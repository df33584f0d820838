package hooks

import (
	"strings"
	"unicode/utf8"

	"github.com/webmcp-wasm/webmcp/internal/jsontape"
	"github.com/webmcp-wasm/webmcp/internal/texts"
)

// maxName is how many bytes the name of a tool may have.
const maxName = 128

// Check returns a *ConfigurationError that says what is wrong with the tool, or
// nil. The texts are those of tools in JavaScript. In a page, what a schema says
// is looked at when the tool is registered, with the browser's RegExp.
func (t *Tool) Check() error {
	c := &t.Contract
	switch {
	case !isName(c.Name):
		return &ConfigurationError{"the tool name " + c.Name + " " + texts.InvalidName}
	case t.Handler == nil:
		return &ConfigurationError{"the tool " + c.Name + " has no handler"}
	}
	if err := c.wellFormed("description", c.Description); err != nil {
		return err
	}
	if c.Title != "" {
		if err := c.wellFormed("title", c.Title); err != nil {
			return err
		}
	}
	for _, a := range SetOf(t).Approval {
		if err := a.check(); err != nil {
			return &ConfigurationError{"the approval of the tool " + c.Name + ": " + err.Error()}
		}
	}
	for _, schema := range []struct {
		what, text string
		fill       bool
	}{{"schema", c.InputSchema, true}, {"outputSchema", c.OutputSchema, false}} {
		if schema.text == "" {
			continue
		}
		what := "the " + schema.what + " of the tool " + c.Name + " "
		err := enforceable(schema.text, schema.fill)
		trimmed := strings.TrimSpace(schema.text)
		object := strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, "[") // as JavaScript has it
		if err == nil && object {
			if schema.fill && !isOfObject(trimmed) {
				return &ConfigurationError{what + texts.NotOfObject}
			}
			continue
		}
		if notJSON := new(jsontape.Tape).Parse([]byte(schema.text)); notJSON != nil {
			return &ConfigurationError{what + "is not JSON: " + notJSON.Error()}
		}
		if !object {
			return &ConfigurationError{what + texts.NoObject}
		}
		return &ConfigurationError{what + texts.Unenforced + ": " + err.Error()}
	}
	return nil
}

// isOfObject reports whether a schema is of an object: it says so, or names no
// type, or none that there is, which is found out with the rest.
func isOfObject(schema string) bool {
	var t jsontape.Tape
	if t.Parse([]byte(schema)) != nil || t.Kind(jsontape.Root) != jsontape.Object {
		return true
	}
	named, has := t.Member(jsontape.Root, "type")
	if !has {
		return true
	}
	isType := func(n jsontape.Node) bool {
		return t.Kind(n) == jsontape.String && strings.Contains(" null boolean object array number integer string ", " "+t.Str(n)+" ")
	}
	if t.Kind(named) != jsontape.Array {
		return !isType(named) || t.Str(named) == "object"
	}
	for n, end := t.Children(named); n < end; n = t.Next(n) {
		if !isType(n) {
			return true
		}
	}
	return false
}

// isName reports whether a text is 1 to 128 of A-Z a-z 0-9 _ - .
func isName(s string) bool {
	for i := range len(s) {
		c := s[i]
		letter := c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
		if !letter && (c < '0' || c > '9') && c != '_' && c != '-' && c != '.' {
			return false
		}
	}
	return s != "" && len(s) <= maxName
}

// wellFormed checks a text that agents read.
func (c *Contract) wellFormed(what, text string) error {
	if strings.TrimSpace(text) == "" {
		return &ConfigurationError{"the tool " + c.Name + " needs a " + what + " " + texts.EmptyText}
	}
	if !utf8.ValidString(text) {
		return &ConfigurationError{"the " + what + " of the tool " + c.Name + " " + texts.IllFormed}
	}
	return nil
}
