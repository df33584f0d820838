package policy

import (
	"sync"

	"github.com/webmcp-wasm/webmcp/internal/jsontape"
)

// limits guards the counts of all documents: what one call takes of several limits, it
// takes at once.
var limits sync.Mutex

// limiter counts calls: of each tool, or of all tools of its rule together. A rate has
// a span, and lets no more than limit calls through in any span of time, wherever that
// begins. One without counts calls that are under way.
//
// It has a window for each tool, and in that a time for each call that still counts:
// never more than limit. A window in which nothing counts is the next tool's.
type limiter struct {
	limit    int
	span     int64 // milliseconds
	together bool
	windows  []*window
}

// window is what counts.
type window struct {
	tool    string
	running int
	times   []int64 // of calls; once there are limit of them, a ring
	oldest  int     // of a ring
	last    int64   // time
}

// limiter reads a rate or a concurrency.
func (d *Document) limiter(n jsontape.Node) *limiter {
	if n == 0 {
		return nil
	}
	limit, span := perSpan(d.text(n))
	if limit == 0 { // an object, or a number
		limit, span = d.number(n, "limit"), unit(d.str(n, "per"))
		if limit == 0 {
			limit = int64(d.tape.Float(n))
		}
	}
	return &limiter{limit: int(limit), span: span, together: d.str(n, "of") == "rule"}
}

// pass reports whether a call may be let through now, and of a rate that lets none
// through in how many milliseconds it does. With count 1 it counts the call, if it may be
// let through; -1 is for a call that was counted and is no longer under way.
func (l *limiter) pass(tool string, now int64, count int) (wait int64, passes bool) {
	if l.together {
		tool = ""
	}
	var w *window
	for _, each := range l.windows {
		idle := each.running == 0 && (len(each.times) == 0 || each.last <= now-l.span)
		if idle {
			each.times, each.oldest = each.times[:0], 0
		}
		if each.tool == tool {
			w = each
			break
		}
		if idle {
			w = each
		}
	}
	if w == nil {
		w = new(window)
		l.windows = append(l.windows, w)
	}
	w.tool = tool
	isFull := len(w.times) >= l.limit
	switch {
	case count < 0:
		w.running--
	case w.running >= l.limit:
		return 0, false
	case isFull:
		if wait = w.times[w.oldest] + l.span - now; wait > 0 {
			return wait, false
		}
	}
	if count <= 0 {
		return 0, true
	}
	if len(w.times) == 0 || now > w.last { // a clock that goes back lets nothing through twice
		w.last = now
	}
	switch {
	case l.span == 0:
		w.running++
	case isFull:
		w.times[w.oldest] = w.last
		w.oldest = (w.oldest + 1) % l.limit
	default:
		w.times = append(w.times, w.last)
	}
	return 0, true
}

// text says what a rate allows.
func (l *limiter) text() string {
	calls, span, of := " calls", " an hour", " of this tool"
	if l.limit == 1 {
		calls = " call"
	}
	switch l.span {
	case 1000:
		span = " a second"
	case 60_000:
		span = " a minute"
	}
	if l.together {
		of = " of these tools"
	}
	return itoa(int64(l.limit)) + calls + span + of
}
