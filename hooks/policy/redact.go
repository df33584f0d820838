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

// join returns the mask that hides what either of two hides.
func join(a, b mask) mask {
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
		at.mask = join(at.mask, d.mask)
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
	token = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
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
				m = join(m, to.mask)
			}
		}
	}
	return next, m
}

var errUnreadable = errors.New("the output is not JSON, and so cannot be redacted")

// result appends a result, of which the texts of its content, and all else that it has
// for programs, are redacted alike.
func (r *redactor) result(dst, text []byte) ([]byte, error) {
	var t jsontape.Tape
	if t.Parse(text) != nil || t.Kind(jsontape.Root) != jsontape.Object {
		return dst, errUnreadable
	}
	out := append(dst, '{')
	var err error
	for k, end := t.Children(jsontape.Root); k < end; k = t.Next(k + 1) {
		value, name := k+1, t.Str(k)
		var text []byte
		switch {
		case name == "isError" || name == "code" || name == "executed":
			text = t.AppendJSON(nil, value)
		case name == "content" && t.Kind(value) == jsontape.Array:
			text, err = r.content(&t, value)
		case name == "structuredContent":
			text, err = r.outermost(&t, value, []*branch{r.root}, none)
		default: // pointers may begin at the result, or at what is in it
			at, m := descend([]*branch{r.root}, name)
			if m == remove {
				r.changed = true
				continue
			}
			text, err = r.outermost(&t, value, append(at, r.root), m)
		}
		if err != nil {
			return dst, err
		}
		out = append(append(jsontape.AppendString(out, name), ':'), text...)
		out = append(out, ',')
	}
	return closed(out, '}'), nil
}

// content writes the items of a content. Only texts can be read.
func (r *redactor) content(t *jsontape.Tape, list jsontape.Node) (text []byte, err error) {
	text = []byte{'['}
	for item, end := t.Children(list); item < end; item = t.Next(item) {
		if t.Kind(item) != jsontape.Object {
			return nil, errUnreadable
		}
		kind, _ := t.Member(item, "type")
		if kind == 0 || t.Kind(kind) != jsontape.String || !t.Equal(kind, "text") {
			return nil, errUnreadable
		}
		text = append(text, '{')
		for k, end := t.Children(item); k < end; k = t.Next(k + 1) {
			text = append(t.AppendJSON(text, k), ':')
			if k+1 == kind {
				text = t.AppendJSON(text, kind)
			} else {
				part, err := r.outermost(t, k+1, []*branch{r.root}, none)
				if err != nil {
					return nil, err
				}
				text = append(text, part...)
			}
			text = append(text, ',')
		}
		text = append(closed(text, '}'), ',')
	}
	return closed(text, ']'), nil
}

// outermost writes a value with which pointers begin. A text there is JSON again.
func (r *redactor) outermost(t *jsontape.Tape, n jsontape.Node, at []*branch, m mask) ([]byte, error) {
	if m == none && t.Kind(n) == jsontape.String {
		text, err := r.text([]byte(t.Str(n)), at)
		return jsontape.AppendString(nil, string(text)), err
	}
	return r.value(nil, t, n, at, m), nil
}

// text redacts a text that is JSON. An empty one is.
func (r *redactor) text(text []byte, at []*branch) ([]byte, error) {
	if len(text) == 0 {
		return text, nil
	}
	var t jsontape.Tape
	if t.Parse(text) != nil {
		return nil, errUnreadable
	}
	return r.outermost(&t, jsontape.Root, at, none)
}

// value appends a value. What the tape has is written, never the text as it was: that
// may have a second member of the same name.
func (r *redactor) value(dst []byte, t *jsontape.Tape, n jsontape.Node, at []*branch, m mask) []byte {
	if m != none {
		r.changed = true
		return jsontape.AppendString(dst, r.masked(t, n, m))
	}
	kind := t.Kind(n)
	if len(at) == 0 || kind != jsontape.Object && kind != jsontape.Array {
		return t.AppendJSON(dst, n)
	}
	end := byte('}')
	if kind == jsontape.Array {
		end = ']'
	}
	dst = append(dst, end-2) // '{' and '['
	i := int64(0)
	for c, last := t.Children(n); c < last; {
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
				dst = append(t.AppendJSON(dst, c), ':')
			}
			dst = append(r.value(dst, t, value, next, m), ',')
		}
		c = t.Next(value)
	}
	return closed(dst, end)
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
	if i < 1 || i+1 == len(text) || strings.ContainsAny(text, " \t\r\n<>,;") {
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
