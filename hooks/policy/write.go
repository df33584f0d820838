package policy

import "github.com/webmcp-wasm/webmcp/internal/jsontape"

// writer writes JSON. Its methods are kept out of line, and the functions of package
// strings that need tables are left out: a page loads all of this.
type writer struct{ text []byte }

//go:noinline
func (w *writer) put(s string) { w.text = append(w.text, s...) }

// string writes a text in quotes.
//
//go:noinline
func (w *writer) string(s string) { w.text = jsontape.AppendString(w.text, s) }

// node writes what a tape has.
//
//go:noinline
func (w *writer) node(t *jsontape.Tape, n jsontape.Node) { w.text = t.AppendJSON(w.text, n) }

// name writes the name of a member.
//
//go:noinline
func (w *writer) name(s string) {
	w.string(s)
	w.put(":")
}

// end ends a list or an object, behind whose last part a comma may stand.
//
//go:noinline
func (w *writer) end(bracket string) {
	if last := len(w.text) - 1; w.text[last] == ',' {
		w.text = w.text[:last]
	}
	w.put(bracket)
}

// strings writes a member that is a list of texts.
//
//go:noinline
func (w *writer) strings(name string, list []string) {
	w.name(name)
	w.put("[")
	for _, s := range list {
		w.string(s)
		w.put(",")
	}
	w.end("],")
}

// optional writes a member that is a text, unless it is empty.
//
//go:noinline
func (w *writer) optional(name, s string) {
	if s != "" {
		w.name(name)
		w.string(s)
		w.put(",")
	}
}

// count writes a member that is a number, unless it is 0.
//
//go:noinline
func (w *writer) count(name string, n int64) {
	if n > 0 {
		w.name(name)
		w.put(itoa(n) + ",")
	}
}

// flag writes a member that is true or false.
//
//go:noinline
func (w *writer) flag(name string, is bool) {
	w.name(name)
	if is {
		w.put("true,")
	} else {
		w.put("false,")
	}
}
