package policy

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/webmcp-wasm/webmcp/internal/jsontape"
)

// mask says what stands in place of a value.
type mask uint8

const (
	none   mask = iota
	remove      // nothing: the member or item is left out
	full        // three stars
	email       // the first letter, and the domain
	last4       // the last four characters
	hash        // a text that is the same for the same value
)

var maskNames = [...]string{"", "remove", "full", "email", "last4", "hash"}

// stricter returns the mask that hides what either of two hides.
func stricter(a, b mask) mask {
	switch {
	case a == b || b == none:
		return a
	case a == none:
		return b
	case a == remove || b == remove:
		return remove
	}
	return full
}

// redaction masks what a JSON Pointer leads to, in which * is every member or item.
type redaction struct {
	pointer string
	mask    mask
}

// redactor masks values in JSON texts.
type redactor struct {
	root    *branch
	key     Key
	changed bool // something was masked
}

// branch is where pointers have come after some of their tokens.
type branch struct {
	names map[string]*branch
	each  *branch
	mask  mask // of the value here
}

// newRedactor returns a redactor, or nil where there is nothing to redact.
func newRedactor(redactions []redaction, key Key) *redactor {
	if len(redactions) == 0 {
		return nil
	}
	r := &redactor{root: new(branch), key: key}
	for _, d := range redactions {
		at := r.root
		for token := range strings.SplitSeq(d.pointer[1:], "/") {
			at = at.grow(token)
		}
		at.mask = stricter(at.mask, d.mask)
	}
	return r
}

func (b *branch) grow(token string) *branch {
	if token == "*" {
		if b.each == nil {
			b.each = new(branch)
		}
		return b.each
	}
	token = jsontape.UnescapeToken(token)
	next := b.names[token]
	if next == nil {
		if b.names == nil {
			b.names = map[string]*branch{}
		}
		next = new(branch)
		b.names[token] = next
	}
	return next
}

// descend returns the branches that a token leads to, and the mask of the value there.
func descend(at []*branch, token string) (next []*branch, m mask) {
	for _, b := range at {
		for _, to := range [...]*branch{b.names[token], b.each} {
			if to != nil {
				next = append(next, to)
				m = stricter(m, to.mask)
			}
		}
	}
	return next, m
}

// Unredactable is what a log says of an output that does not go out.
const Unredactable = "the output is not JSON, and so cannot be redacted"

var errUnreadable = errors.New(Unredactable)

// result writes a result, of which the texts of its content, and all else that it has
// for programs, are redacted alike.
func (r *redactor) result(out *writer, text []byte) error {
	t := new(jsontape.Tape)
	if t.Parse(text) != nil || t.Kind(jsontape.Root) != jsontape.Object {
		return errUnreadable
	}
	start := []*branch{r.root}
	out.put("{")
	for k, end := t.Children(jsontape.Root); k < end; k = t.Next(k + 1) {
		value, name := k+1, t.Str(k)
		at, m := start, none
		kept := false
		switch name {
		case "isError", "code", "executed": // how the call has ended
			kept = true
		case "content", "structuredContent":
		default: // pointers may begin at the result, or at what is in it
			if at, m = descend(start, name); m == remove {
				r.changed = true
				continue
			}
			at = append(at, r.root)
		}
		out.name(name)
		var err error
		switch {
		case kept:
			out.node(t, value)
		case name == "content" && t.Kind(value) == jsontape.Array:
			err = r.content(out, t, value)
		default:
			err = r.outermost(out, t, value, at, m)
		}
		if err != nil {
			return err
		}
		out.put(",")
	}
	out.end("}")
	return nil
}

// content writes the items of a content. Only texts can be read.
func (r *redactor) content(out *writer, t *jsontape.Tape, list jsontape.Node) error {
	out.put("[")
	for item, end := t.Children(list); item < end; item = t.Next(item) {
		if t.Kind(item) != jsontape.Object {
			return errUnreadable
		}
		kind, _ := t.Member(item, "type")
		if kind == 0 || t.Kind(kind) != jsontape.String || !t.Equal(kind, "text") {
			return errUnreadable
		}
		out.put("{")
		for k, end := t.Children(item); k < end; k = t.Next(k + 1) {
			out.node(t, k)
			out.put(":")
			if k+1 == kind {
				out.node(t, kind)
			} else if err := r.outermost(out, t, k+1, []*branch{r.root}, none); err != nil {
				return err
			}
			out.put(",")
		}
		out.end("},")
	}
	out.end("]")
	return nil
}

// outermost writes a value with which pointers begin. A text there is JSON again, and
// an empty one is nothing.
func (r *redactor) outermost(out *writer, t *jsontape.Tape, n jsontape.Node, at []*branch, m mask) error {
	if m != none || t.Kind(n) != jsontape.String {
		r.value(out, t, n, at, m)
		return nil
	}
	inner, inside := new(jsontape.Tape), new(writer)
	if text := []byte(t.Str(n)); len(text) > 0 {
		if inner.Parse(text) != nil {
			return errUnreadable
		}
		if err := r.outermost(inside, inner, jsontape.Root, at, none); err != nil {
			return err
		}
	}
	out.string(string(inside.text))
	return nil
}

// value writes a value. What the tape has is written, never the text as it was: that
// may have a second member of the same name.
func (r *redactor) value(out *writer, t *jsontape.Tape, n jsontape.Node, at []*branch, m mask) {
	if m != none {
		r.changed = true
		out.string(r.masked(t, n, m))
		return
	}
	kind := t.Kind(n)
	if len(at) == 0 || kind != jsontape.Object && kind != jsontape.Array {
		out.node(t, n)
		return
	}
	first, last := "[", "]"
	if kind == jsontape.Object {
		first, last = "{", "}"
	}
	out.put(first)
	i := int64(0)
	for c, end := t.Children(n); c < end; {
		value, token := c, ""
		if kind == jsontape.Object {
			value, token = c+1, t.Str(c)
		} else {
			token = itoa(i)
		}
		i++
		if next, m := descend(at, token); m == remove {
			r.changed = true
		} else {
			if kind == jsontape.Object {
				out.node(t, c)
				out.put(":")
			}
			r.value(out, t, value, next, m)
			out.put(",")
		}
		c = t.Next(value)
	}
	out.end(last)
}

const stars = "***"

// masked returns what stands in place of a value.
func (r *redactor) masked(t *jsontape.Tape, n jsontape.Node, m mask) string {
	if m == hash {
		return hashed(r.key, t.AppendJSON(nil, n))
	}
	var text string
	switch kind := t.Kind(n); {
	case kind == jsontape.String:
		text = t.Str(n)
	case kind == jsontape.Number && m == last4:
		text = string(t.Text(n))
	}
	switch m {
	case email:
		return maskedEmail(text)
	case last4:
		return maskedEnd(text)
	}
	return stars
}

// maskedEmail leaves the first letter, where there is another one, and the domain. What
// is no address is hidden as a whole.
func maskedEmail(text string) string {
	i := strings.LastIndexByte(text, '@')
	if i < 1 || i+1 == len(text) || hasAny(text, " \t\r\n<>,;") {
		return stars
	}
	first := ""
	if _, size := utf8.DecodeRuneInString(text); size < i {
		first = text[:size]
	}
	return first + stars + text[i:]
}

// maskedEnd leaves the last four characters of at least eight.
func maskedEnd(text string) string {
	if utf8.RuneCountInString(text) < 8 {
		return stars
	}
	at := len(text)
	for range 4 {
		_, size := utf8.DecodeLastRuneInString(text[:at])
		at -= size
	}
	return stars + text[at:]
}
