package policy

import (
	"github.com/webmcp-wasm/webmcp/internal/jsontape"
)

// A mask says what stands in place of a value. It is known by its first letter.
const (
	none   = 0
	remove = 'r' // nothing: the member or item is left out
	full   = 'f' // three stars
	email  = 'e' // the first letter, and the domain
	last4  = 'l' // the last four characters
	hash   = 'h' // a text that is the same for the same value
)

// How far a pointer leads.
const (
	elsewhere = iota
	further   // than a path
	there
)

// leads returns how far a pointer leads to a path, which is a pointer without *.
func leads(pointer, path []byte) int {
	i := 0
	for j := 0; j < len(pointer); j++ {
		c := pointer[j]
		switch {
		case c == '*' && pointer[j-1] == '/' && (j+1 == len(pointer) || pointer[j+1] == '/'):
			for i < len(path) && path[i] != '/' {
				i++
			}
			continue
		case i == len(path):
			if c == '/' {
				return further
			}
			return elsewhere
		case path[i] != c:
			return elsewhere
		}
		i++
	}
	if i < len(path) {
		return elsewhere
	}
	return there
}

// redactor masks values in the JSON text of a result.
type redactor struct {
	check *Check
	only  *rule // the one that redacts; nil: those in a state
	want  state // that one
	writer
	pointer    []byte
	path       []byte // to the value at hand
	start      int    // in the path: where pointers begin
	whole      bool   // they may begin with the path, too
	changed    bool   // something was masked
	unreadable bool
}

// level is what kind of value the redactor is at.
type level uint8

const (
	verbatim level = iota
	inside
	outermost // where a text is JSON again
	item      // of content
	content
	result
)

// redactor appends a result, of which the texts of its content, and all else that it has
// for programs, are redacted alike, by one rule or all that stop something.
func (c *Check) redactor(only *rule, dst, text []byte) *redactor {
	r := &redactor{check: c, only: only, want: stops, writer: writer{dst}}
	r.read(text, result)
	return r
}

// read writes what is in a text.
func (r *redactor) read(text []byte, l level) {
	t := new(jsontape.Tape)
	if t.Parse(text) != nil {
		r.unreadable = true
	}
	r.value(t, jsontape.Root, l)
}

// masked returns how the value at the path is masked, of two masks by one that hides
// what either hides, and whether something inside of it may be. A pointer leads there in
// which * is every member or item.
func (r *redactor) masked() (mask byte, deep bool) {
	rule := r.only
	if rule == nil {
		rule = r.check.walk(r.want)
	}
	for ; rule != nil; rule = r.check.next() {
		t := rule.document.tape
		for k, end := t.Children(rule.redact); rule.redact > 0 && k < end; k += 2 {
			r.pointer = t.AppendStr(r.pointer[:0], k)
			found := leads(r.pointer, r.path[r.start:])
			if r.whole {
				found = max(found, leads(r.pointer, r.path))
			}
			switch m := t.Text(k + 1)[0]; {
			case found == further:
				deep = true
			case found == elsewhere:
			case mask == none || m == remove:
				mask = m
			case mask != remove && mask != m:
				mask = full
			}
		}
		if r.only != nil {
			break
		}
	}
	return mask, deep
}

// value writes a value. What the tape has is written, never the text as it was: that
// may have a second member of the same name.
func (r *redactor) value(t *jsontape.Tape, n jsontape.Node, l level) {
	kind := t.Kind(n)
	object := kind == jsontape.Object
	if l == outermost && kind == jsontape.String {
		r.outermost(t.Str(n))
		return
	}
	if !object && (l == item || l == result) {
		r.unreadable = true
	}
	if l == verbatim || kind < jsontape.Array {
		r.node(t, n)
		return
	}
	last := "]"
	if object {
		last = "}"
		r.put("{")
	} else {
		r.put("[")
	}
	size, at := len(r.path), len(r.text)
	i, isText := int64(0), l != item
	for c, end := t.Children(n); c < end; c = t.Next(c) {
		name, token := c, ""
		if object {
			token = t.Str(c)
			c++
		} else {
			token = itoa(i)
			i++
		}
		to, m := outermost, byte(none)
		switch l {
		case result:
			r.path, r.start, r.whole = r.path[:0], 0, false
			switch token {
			case "isError", "code", "executed": // how the call has ended
				to = verbatim
			case "content":
				if t.Kind(c) == jsontape.Array {
					to = content
				}
			case "structuredContent":
			default: // pointers may begin at the result, or at what is in it
				r.descend(0, token)
				m, _ = r.masked()
				r.start, r.whole = len(r.path), true
			}
		case content:
			to = item
		case item: // only texts can be read
			if token == "type" {
				to = verbatim
				isText = t.Kind(c) == jsontape.String && t.Equal(c, "text")
			}
		default:
			r.descend(size, token)
			to = verbatim
			deep := false
			if m, deep = r.masked(); deep {
				to = inside
			}
		}
		r.changed = r.changed || m != none
		if m == remove {
			continue
		}
		if len(r.text) > at {
			r.put(",")
		}
		if object {
			r.node(t, name)
			r.put(":")
		}
		if m != none {
			r.string(r.instead(t, c, m))
		} else {
			r.value(t, c, to)
		}
	}
	r.unreadable = r.unreadable || !isText
	r.put(last)
}

// descend adds a token to a path of some size.
//
//go:noinline
func (r *redactor) descend(size int, token string) {
	r.path = append(append(r.path[:size], '/'), jsontape.EscapeToken(token)...)
}

// outermost writes a text that is JSON again, or empty.
func (r *redactor) outermost(s string) {
	before := r.text
	r.text = nil
	if s != "" {
		r.read([]byte(s), outermost)
	}
	inner := string(r.text)
	r.text = before
	r.string(inner)
}

const stars = "***"

// instead returns what stands in place of a value.
func (r *redactor) instead(t *jsontape.Tape, n jsontape.Node, m byte) string {
	if m == hash {
		return hashed(r.check.plan.key, t.AppendJSON(nil, n))
	}
	text := ""
	if kind := t.Kind(n); kind == jsontape.String {
		text = t.Str(n)
	} else if kind == jsontape.Number && m == last4 {
		text = string(t.Text(n))
	}
	// Where characters begin, the first and the second of them; from the end, the fourth and the eighth; and the last @.
	second, fourth, eighth, at := len(text), 0, 0, 0
	for i, count := len(text)-1, 0; i >= 0; i-- {
		c := text[i]
		if c&0xc0 == 0x80 {
			continue
		}
		if i > 0 {
			second = i
		}
		if count++; count == 4 {
			fourth = i
		}
		if count == 8 {
			eighth = 1
		}
		if c == '@' && at == 0 {
			at = i
		}
		if c <= ' ' || c == '<' || c == '>' || c == ',' || c == ';' {
			at = -1
		}
	}
	switch {
	case m == last4 && eighth > 0:
		return stars + text[fourth:]
	case m != email || at <= 0 || at+1 == len(text): // what is no address is hidden as a whole
		return stars
	case second == at:
		return stars + text[at:]
	}
	return text[:second] + stars + text[at:]
}
