package policy

import (
	"slices"
	"strings"

	"github.com/webmcp-wasm/webmcp/internal/jsontape"
)

// A JSON Schema holds of what it says nothing about: {"properties": {"role": {"const":
// "admin"}}} holds of a user without a role, and {"minimum": 5} of a text. Of a
// policy that means: nobody knows. So a condition is read in one of two ways, each of
// them a JSON Schema again:
//
//   - loosely it holds unless it certainly does not. So is when read, and so is a call
//     denied, or asked about, that might be meant;
//   - strictly it holds only if it certainly does. So is unless read: only who certainly
//     is an admin is let through.
//
// Read strictly, what properties names must be there, items that are named one by
// one too, and a keyword for values of one type wants that type, unless there is a
// type beside it. Below not, the reading is the other one.

// rewriter writes a condition as it is read.
type rewriter struct {
	*reader
	refused bool
	left    int // how many schemas may still be written
}

// maxSchemas is how many schemas a condition may become: oneOf and if have theirs
// written several times, and so at each level of them again.
const maxSchemas = 20_000

// for which types keywords are.
var typed = map[string]string{
	"properties": "object", "patternProperties": "object", "additionalProperties": "object", "propertyNames": "object",
	"required": "object", "minProperties": "object", "maxProperties": "object", "dependentRequired": "object",
	"dependentSchemas": "object", "dependencies": "object",
	"items": "array", "prefixItems": "array", "additionalItems": "array", "contains": "array", "minItems": "array",
	"maxItems": "array", "uniqueItems": "array",
	"minimum": "number", "maximum": "number", "exclusiveMinimum": "number", "exclusiveMaximum": "number", "multipleOf": "number",
	"minLength": "string", "maxLength": "string", "pattern": "string", "format": "string",
}

// schema writes a schema in a reading.
func (w *rewriter) schema(dst []byte, n jsontape.Node, place string, strict bool) []byte {
	t := w.tape
	if w.left--; w.left < 0 {
		if !w.refused {
			w.fail(place, "is too much for a condition: nest fewer of oneOf and if")
		}
		w.refused = true
	}
	if w.refused || t.Kind(n) != jsontape.Object {
		return t.AppendJSON(dst, n) // true or false
	}
	var clauses [][]byte // what must hold besides
	var types []string
	kept := []byte{'{'}
	member := func(name string) { kept = append(jsontape.AppendString(kept, name), ':') }
	_, hasType := t.Member(n, "type")
	for k, end := t.Children(n); k < end; k = t.Next(k + 1) {
		name, value := t.Str(k), k+1
		at := place + "/" + escape(name)
		kind := typed[name]
		if name == "format" && t.Kind(value) == jsontape.String && strings.Contains(" int32 int64 float double ", " "+t.Str(value)+" ") {
			kind = "number"
		}
		if kind != "" && !slices.Contains(types, kind) {
			types = append(types, kind)
		}
		switch name {
		case "$ref", "$id", "$anchor", "$dynamicAnchor", "$defs", "definitions", "unevaluatedItems", "unevaluatedProperties":
			w.fail(at, "is not for conditions: write out what it stands for")
			w.refused = true
		case "default": // nothing is filled in
		case "allOf": // joins the clauses
			for i, e := range w.children(value) {
				clauses = append(clauses, w.schema(nil, e, at+"/"+itoa(int64(i)), strict))
			}
		case "anyOf":
			member(name)
			kept = append(w.list(kept, value, at, strict), ',')
		case "oneOf":
			clauses = append(clauses, w.oneOf(value, at, strict))
		case "not":
			member(name)
			kept = append(w.schema(kept, value, at, !strict), ',')
		case "if":
			clauses = append(clauses, w.choice(n, place, strict)...)
		case "then", "else": // of if
		case "maxContains": // of contains
		case "contains":
			member(name)
			kept = append(w.schema(kept, value, at, strict), ',')
			if most, has := t.Member(n, "maxContains"); has {
				clause := w.schema([]byte(`{"minContains":0,"contains":`), value, at, !strict)
				clause = t.AppendJSON(append(clause, `,"maxContains":`...), most)
				clauses = append(clauses, append(clause, '}'))
			}
		case "properties", "patternProperties", "dependentSchemas", "dependencies":
			member(name)
			kept = append(kept, '{')
			for m, end := t.Children(value); m < end; m = t.Next(m + 1) {
				kept = append(t.AppendJSON(kept, m), ':')
				if t.Kind(m+1) == jsontape.Array { // of names
					kept = t.AppendJSON(kept, m+1)
				} else {
					kept = w.schema(kept, m+1, at+"/"+escape(t.Str(m)), strict)
				}
				if kept = append(kept, ','); strict && name == "properties" && t.Kind(m+1) == jsontape.Object && t.Len(m+1) > 0 {
					clause := t.AppendJSON([]byte(`{"required":[`), m)
					clauses = append(clauses, append(clause, `]}`...))
				}
			}
			kept = append(closed(kept, '}'), ',')
		case "items", "prefixItems":
			member(name)
			if t.Kind(value) != jsontape.Array {
				kept = append(w.schema(kept, value, at, strict), ',')
				continue
			}
			kept = append(w.list(kept, value, at, strict), ',')
			if strict {
				clauses = append(clauses, append(append([]byte(`{"minItems":`), itoa(int64(t.Len(value)))...), '}'))
			}
		case "additionalProperties", "propertyNames", "additionalItems":
			member(name)
			kept = append(w.schema(kept, value, at, strict), ',')
		default:
			member(name)
			kept = append(t.AppendJSON(kept, value), ',')
		}
	}
	if strict && !hasType && len(types) > 0 {
		clause := []byte(`{"type":[`)
		for _, kind := range types {
			clause = append(jsontape.AppendString(clause, kind), ',')
		}
		clauses = append(clauses, append(closed(clause, ']'), '}'))
	}
	if len(clauses) > 0 {
		member("allOf")
		kept = append(kept, '[')
		for _, clause := range clauses {
			kept = append(append(kept, clause...), ',')
		}
		kept = append(closed(kept, ']'), ',')
	}
	return append(dst, closed(kept, '}')...)
}

// closed ends a list or an object in whose text a comma may stand last.
func closed(text []byte, end byte) []byte {
	if last := len(text) - 1; text[last] == ',' {
		text = text[:last]
	}
	return append(text, end)
}

func (w *rewriter) children(list jsontape.Node) (all []jsontape.Node) {
	for e, end := w.tape.Children(list); e < end; e = w.tape.Next(e) {
		all = append(all, e)
	}
	return all
}

// list writes a list of schemas.
func (w *rewriter) list(dst []byte, n jsontape.Node, place string, strict bool) []byte {
	dst = append(dst, '[')
	for i, e := range w.children(n) {
		dst = append(w.schema(dst, e, place+"/"+itoa(int64(i)), strict), ',')
	}
	return closed(dst, ']')
}

// oneOf writes that exactly one schema holds. That certainly is so where only one of
// them may hold, and one certainly does; and it may be so where one may hold, and no
// two certainly do.
func (w *rewriter) oneOf(list jsontape.Node, place string, strict bool) []byte {
	loosely, strictly := w.list(nil, list, place, false), w.list(nil, list, place, true)
	var b []byte
	if strict {
		b = append(append(b, `{"oneOf":`...), loosely...)
		b = append(append(b, `,"anyOf":`...), strictly...)
		return append(b, '}')
	}
	b = append(append(b, `{"anyOf":`...), loosely...)
	b = append(append(b, `,"allOf":[{"anyOf":[{"oneOf":`...), strictly...)
	b = append(append(b, `},{"not":{"anyOf":`...), strictly...)
	return append(b, `}}]}]}`...)
}

// choice writes if, then and else of a schema. Where nobody knows whether if holds,
// both of the others must, or, loosely, one.
func (w *rewriter) choice(n jsontape.Node, place string, strict bool) (clauses [][]byte) {
	t := w.tape
	condition, _ := t.Member(n, "if")
	branch := func(name string) []byte {
		value, has := t.Member(n, name)
		if !has {
			return []byte("true")
		}
		return w.schema(nil, value, place+"/"+name, strict)
	}
	loosely, strictly := w.schema(nil, condition, place+"/if", false), w.schema(nil, condition, place+"/if", true)
	join := func(parts ...string) []byte {
		var b []byte
		for _, part := range parts {
			b = append(b, part...)
		}
		return b
	}
	then, otherwise := string(branch("then")), string(branch("else"))
	if strict {
		return [][]byte{
			join(`{"anyOf":[{"not":`, string(loosely), `},`, then, `]}`),
			join(`{"anyOf":[`, string(strictly), `,`, otherwise, `]}`),
		}
	}
	return [][]byte{join(
		`{"anyOf":[{"allOf":[`, string(loosely), `,`, then, `]},{"allOf":[{"not":`, string(strictly), `},`, otherwise, `]}]}`)}
}
