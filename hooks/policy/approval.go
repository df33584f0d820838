package policy

import (
	"github.com/webmcp-wasm/webmcp/hooks/approval"
	"github.com/webmcp-wasm/webmcp/internal/jsontape"
)

// Approval is what rules say about asking a human. Times are in milliseconds; 0 is
// the usual one, and Never no end.
type Approval struct {
	Title    string
	Timeout  int64
	Hold     int64
	Remember Remember
	Edit     bool
	Verify   string // "passkey", or "" for none
}

// Never is a time that does not end.
const Never = -1

// Remember says what a decision may be remembered for, beyond its call.
type Remember struct {
	Tool      bool
	Arguments bool
	By        []string // JSON Pointers to the arguments that count
}

// What a rule lets be remembered.
const (
	forTool   = 1 << iota
	forInput  // that is the same
	byPointer // as far as pointers say
)

// The usual times.
const (
	usualTimeout = approval.Timeout / 1_000_000
	usualHold    = approval.Hold / 1_000_000
)

// Approval returns, behind Judge, how a human is to be asked by all rules that say so;
// nil where none does. The shortest times hold, and what one of the rules does not let
// be remembered or edited is not.
func (c *Check) Approval() *Approval {
	any, edits, all, remembers := false, true, false, forTool|forInput
	title, verify, by := "", "", []string(nil)
	open, hold := int64(Never), int64(Never)
	for r := c.walk(asks); r != nil; r = c.next() {
		if r.asks == 0 {
			continue
		}
		any = true
		d := r.document
		if s := d.str(r.asks, "title"); s != "" && (title == "" || s < title) { // of several, always the same
			title = s
		}
		open = shorter(open, d.str(r.asks, "timeout"), usualTimeout)
		hold = shorter(hold, d.str(r.asks, "hold"), usualHold)
		edits = edits && d.tape.Bool(d.member(r.asks, "edit"))
		if d.member(r.asks, "verify") > 0 {
			verify = "passkey"
		}
		may := 0
		if n := d.member(r.asks, "remember"); n > 0 {
			may, by = d.remembers(n, by)
		}
		all = all || may&byPointer == 0
		remembers &= may
	}
	if !any {
		return nil
	}
	if open == usualTimeout {
		open = 0
	}
	if hold == usualHold {
		hold = 0
	}
	if all || remembers&forInput == 0 { // who counts all arguments counts those of the others
		by = nil
	}
	return &Approval{title, open, hold, Remember{remembers&forTool > 0, all && remembers&forInput > 0, by}, edits, verify}
}

// shorter returns the shorter of a time and that of a text. As a number without a sign,
// Never is the largest.
func shorter(t int64, text string, usual int64) int64 {
	u := milliseconds(text)
	if u == 0 {
		u = usual
	}
	if uint64(u) < uint64(t) {
		return u
	}
	return t
}

// remembers returns what a decision may be remembered for by a text, by {"by":
// [pointers]}, or by a list of these; and the arguments that count besides others.
func (d *Document) remembers(n jsontape.Node, by []string) (may int, counts []string) {
	if d.tape.Kind(n) == jsontape.Object {
		n = d.member(n, "by")
	}
	if d.tape.Kind(n) == jsontape.String {
		switch s := d.text(n); s[0] {
		case '/':
			return forInput | byPointer, sorted(by, s)
		case 't':
			may = forTool
		case 'a':
			may = forInput
		}
		return may, by
	}
	for n, end := d.children(n); n < end; n = d.next(n) {
		more := 0
		more, by = d.remembers(n, by)
		may |= more
	}
	return may, by
}

// sorted adds a text to a sorted list that has none twice.
func sorted(list []string, s string) []string {
	i := 0
	for i < len(list) && list[i] < s {
		i++
	}
	if i < len(list) && list[i] == s {
		return list
	}
	list = append(list, s)
	copy(list[i+1:], list[i:])
	list[i] = s
	return list
}
