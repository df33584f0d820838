package schema

import (
	"strings"

	"github.com/webmcp-wasm/webmcp/internal/jsontape"
)

// resource is the document, or a part of it with an $id of its own: what $ref with no fragment refers to.
type resource struct {
	uri     string
	root    jsontape.Node
	pointer string
	anchors map[string]jsontape.Node
}

// reference is a $ref, to be resolved once all of the document is known.
type reference struct {
	from    *subschema
	ref     string
	pointer string
	base    *resource
}

func (c *compiler) addResource(uri string, root jsontape.Node, pointer string) *resource {
	r := &resource{uri: uri, root: root, pointer: pointer, anchors: map[string]jsontape.Node{}}
	if _, taken := c.resources[uri]; taken {
		c.fail(pointer, "$id "+uri+" is there twice", nil)
	}
	c.resources[uri] = r
	return r
}

// identify reads the names that the schema n gives itself, and returns the resource that it is in.
func (c *compiler) identify(n jsontape.Node, pointer string, base *resource) *resource {
	t := c.tape
	anchors := []string{}
	for _, name := range []string{"$id", "$anchor", "$dynamicAnchor"} {
		v, ok := t.Member(n, name)
		if !ok {
			continue
		}
		if t.Kind(v) != jsontape.String {
			c.fail(pointer, name+" must be a string", nil)
			continue
		}
		value := t.Str(v)
		if name != "$id" {
			anchors = append(anchors, value)
			continue
		}
		uri, fragment, _ := strings.Cut(value, "#")
		if uri != "" {
			base = c.addResource(resolveURI(base.uri, uri), n, pointer)
		}
		if fragment != "" { // draft-07 spells $anchor so
			anchors = append(anchors, fragment)
		}
	}
	for _, anchor := range anchors {
		if at, taken := base.anchors[anchor]; taken && at != n {
			c.fail(pointer, "anchor "+anchor+" is there twice", nil)
		}
		base.anchors[anchor] = n
	}
	return base
}

func (c *compiler) resolveRefs() {
	for i := 0; i < len(c.refs) && c.err == nil; i++ { // compiling a target may add more
		ref := c.refs[i]
		uri, fragment, _ := strings.Cut(ref.ref, "#")
		r := c.resources[resolveURI(ref.base.uri, uri)]
		if r == nil {
			c.fail(ref.pointer, "$ref "+ref.ref+" leaves the document: put the schema under $defs and refer to it there", ErrUnsupported)
			return
		}
		ref.from.ref = c.target(ref, r, fragment)
	}
}

// target compiles what a fragment refers to in a resource.
func (c *compiler) target(ref reference, r *resource, fragment string) *subschema {
	fragment, valid := unescapePercent(fragment)
	if n, ok := r.anchors[fragment]; ok && fragment != "" && fragment[0] != '/' {
		return c.compile(n, ref.pointer, r)
	}
	n, pointer, found := r.root, r.pointer, valid && (fragment == "" || fragment[0] == '/')
	if found && fragment != "" {
		rest, more := fragment[1:], true
		for more && found {
			var token string
			token, rest, more = strings.Cut(rest, "/")
			token = jsontape.UnescapeToken(token)
			n, found = c.child(n, token)
			pointer = joinPointer(pointer, token)
		}
	}
	if !found {
		c.fail(ref.pointer, "$ref "+ref.ref+" refers to nothing", nil)
		return nil
	}
	return c.compile(n, pointer, r)
}

func (c *compiler) child(n jsontape.Node, token string) (jsontape.Node, bool) {
	t := c.tape
	switch t.Kind(n) {
	case jsontape.Object:
		return t.Member(n, token)
	case jsontape.Array:
		i := 0
		for e, end := t.Children(n); e < end; e = t.Next(e) {
			if itoa(i) == token {
				return e, true
			}
			i++
		}
	}
	return 0, false
}

// samePlace calls do for the subschemas that are checked against the same value as s, without going down into it.
func (s *subschema) samePlace(do func(*subschema)) {
	for _, list := range [...][]*subschema{s.allOf, s.anyOf, s.oneOf, {s.ref, s.not, s.when, s.then, s.otherwise}} {
		for _, sub := range list {
			if sub != nil {
				do(sub)
			}
		}
	}
	if s.object != nil {
		for _, d := range s.object.needs {
			if d.schema != nil {
				do(d.schema)
			}
		}
	}
}

// refuseEndlessRefs finds a schema that comes back to itself with the same value: checking it would never end.
func (c *compiler) refuseEndlessRefs() {
	const open, closed = 1, 2
	state := map[*subschema]int{}
	var visit func(s *subschema)
	visit = func(s *subschema) {
		state[s] = open
		s.samePlace(func(next *subschema) {
			switch state[next] {
			case open:
				c.fail(next.pointer, "$ref comes back to the same schema for the same value, without end", nil)
			case closed:
			default:
				visit(next)
			}
		})
		state[s] = closed
	}
	for _, s := range c.all {
		if state[s] == 0 {
			visit(s)
		}
	}
}
