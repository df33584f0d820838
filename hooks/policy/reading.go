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
func (w *rewriter) schema(out *writer, n jsontape.Node, place string, strict bool) {
	t := w.tape
	if w.left--; w.left < 0 {
		if !w.refused {
			w.fail(place, "is too much for a condition: nest fewer of oneOf and if")
		}
		w.refused = true
	}
	if w.refused || t.Kind(n) != jsontape.Object {
		out.node(t, n) // true or false
		return
	}
	var clauses writer // what must hold besides
	var types []string
	out.put("{")
	_, hasType := t.Member(n, "type")
	for k, end := t.Children(n); k < end; k = t.Next(k + 1) {
		name, value := t.Str(k), k+1
		at := place + "/" + jsontape.EscapeToken(name)
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
			continue
		case "default", // nothing is filled in
			"then", "else", // of if
			"maxContains": // of contains
			continue
		case "allOf": // joins the clauses
			i := 0
			for e, end := t.Children(value); e < end; e = t.Next(e) {
				w.schema(&clauses, e, at+"/"+itoa(int64(i)), strict)
				clauses.put(",")
				i++
			}
			continue
		case "oneOf":
			w.oneOf(&clauses, value, at, strict)
			continue
		case "if":
			w.choice(&clauses, n, place, strict)
			continue
		}
		out.name(name)
		switch name {
		case "not":
			w.schema(out, value, at, !strict)
		case "contains":
			w.schema(out, value, at, strict)
			if most, has := t.Member(n, "maxContains"); has {
				clauses.put(`{"minContains":0,"contains":`)
				w.schema(&clauses, value, at, !strict)
				clauses.put(`,"maxContains":`)
				clauses.node(t, most)
				clauses.put("},")
			}
		case "properties", "patternProperties", "dependentSchemas", "dependencies":
			w.named(out, value, at, strict)
			if strict && name == "properties" {
				w.needed(&clauses, value)
			}
		case "anyOf", "prefixItems", "items", "additionalProperties", "propertyNames", "additionalItems":
			if t.Kind(value) != jsontape.Array {
				w.schema(out, value, at, strict)
				break
			}
			w.list(out, value, at, strict)
			if strict && name != "anyOf" {
				clauses.put(`{"minItems":` + itoa(int64(t.Len(value))) + "},")
			}
		default:
			out.node(t, value)
		}
		out.put(",")
	}
	if strict && !hasType && len(types) > 0 {
		clauses.put("{")
		clauses.strings("type", types)
		clauses.end("},")
	}
	if len(clauses.text) > 0 {
		out.put(`"allOf":[`)
		out.raw(clauses.text)
		out.end("]")
	}
	out.end("}")
}

// named writes an object whose members are schemas, or lists of names.
func (w *rewriter) named(out *writer, n jsontape.Node, place string, strict bool) {
	t := w.tape
	out.put("{")
	for m, end := t.Children(n); m < end; m = t.Next(m + 1) {
		name := t.Str(m)
		out.name(name)
		if t.Kind(m+1) == jsontape.Array {
			out.node(t, m+1)
		} else {
			w.schema(out, m+1, place+"/"+jsontape.EscapeToken(name), strict)
		}
		out.put(",")
	}
	out.end("}")
}

// needed writes that the properties must be there of which something is said.
func (w *rewriter) needed(clauses *writer, properties jsontape.Node) {
	t := w.tape
	for m, end := t.Children(properties); m < end; m = t.Next(m + 1) {
		if t.Kind(m+1) == jsontape.Object && t.Len(m+1) > 0 {
			clauses.put(`{"required":[`)
			clauses.node(t, m)
			clauses.put("]},")
		}
	}
}

// list writes a list of schemas.
func (w *rewriter) list(out *writer, n jsontape.Node, place string, strict bool) {
	i := 0
	out.put("[")
	for e, end := w.tape.Children(n); e < end; e = w.tape.Next(e) {
		w.schema(out, e, place+"/"+itoa(int64(i)), strict)
		out.put(",")
		i++
	}
	out.end("]")
}

// oneOf writes that exactly one schema holds. That certainly is so where only one of
// them may hold, and one certainly does; and it may be so where one may hold, and no
// two certainly do.
func (w *rewriter) oneOf(out *writer, list jsontape.Node, place string, strict bool) {
	var loose, sure writer
	w.list(&loose, list, place, false)
	w.list(&sure, list, place, true)
	loosely, strictly := string(loose.text), string(sure.text)
	if strict {
		out.put(`{"oneOf":` + loosely + `,"anyOf":` + strictly + "},")
		return
	}
	out.put(`{"anyOf":` + loosely + `,"allOf":[{"anyOf":[{"oneOf":` + strictly + `},{"not":{"anyOf":` + strictly + "}}]}]},")
}

// choice writes if, then and else of a schema. Where nobody knows whether if holds,
// both of the others must, or, loosely, one.
func (w *rewriter) choice(out *writer, n jsontape.Node, place string, strict bool) {
	branch := func(name string, strict bool) string {
		value, has := w.tape.Member(n, name)
		if !has {
			return "true"
		}
		var text writer
		w.schema(&text, value, place+"/"+name, strict)
		return string(text.text)
	}
	loosely, strictly := branch("if", false), branch("if", true)
	then, otherwise := branch("then", strict), branch("else", strict)
	if strict {
		out.put(`{"anyOf":[{"not":` + loosely + "}," + then + `]},{"anyOf":[` + strictly + "," + otherwise + "]},")
		return
	}
	out.put(`{"anyOf":[{"allOf":[` + loosely + "," + then + `]},{"allOf":[{"not":` + strictly + "}," + otherwise + "]}]},")
}
