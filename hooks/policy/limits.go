package policy

import "sync"

// limits guards the counts of all documents: what one call takes of several limits, it
// takes at once.
var limits sync.Mutex

// limiter counts calls: of each tool, or of all tools of its rule together. A rate has
// a span, and lets no more than limit calls through in any span of time, wherever that
// begins. One without counts calls that are under way.
//
// It has a window for each tool, and in that a time for each call that still counts:
// never more than limit. Windows in which nothing counts are forgotten.
type limiter struct {
	limit    int
	span     int64  // milliseconds
	spanText string // how texts say it
	together bool

	windows map[string]*window
	sweepAt int // that many windows
}

// window is what counts.
type window struct {
	times   []int64 // of calls, the oldest first
	head    int     // of times; those before have gone
	running int
}

// of returns the window for a tool.
func (l *limiter) of(tool string) *window {
	if l.together {
		tool = ""
	}
	w := l.windows[tool]
	if w == nil {
		w = new(window)
		if l.windows == nil {
			l.windows = map[string]*window{}
		}
		l.windows[tool] = w
	}
	return w
}

// forget drops what counts no more, of times up to before.
func (w *window) forget(before int64) {
	for w.head < len(w.times) && w.times[w.head] <= before {
		w.head++
	}
	if w.head > 16 && w.head*2 >= len(w.times) {
		w.times = w.times[:copy(w.times, w.times[w.head:])]
		w.head = 0
	}
}

// full reports whether a call must not be let through now, and of a rate in how many
// milliseconds one may.
func (l *limiter) full(tool string, now int64) (full bool, wait int64) {
	w := l.windows[tool]
	if l.together {
		w = l.windows[""]
	}
	switch {
	case w == nil:
		return false, 0
	case l.span == 0:
		return w.running >= l.limit, 0
	}
	w.forget(now - l.span)
	if len(w.times)-w.head < l.limit {
		return false, 0
	}
	return true, w.times[w.head] + l.span - now
}

// take counts a call.
func (l *limiter) take(tool string, now int64) {
	if len(l.windows) >= l.sweepAt {
		l.sweep(now)
	}
	w := l.of(tool)
	if l.span == 0 {
		w.running++
		return
	}
	if n := len(w.times); n > w.head {
		now = max(now, w.times[n-1]) // a clock that goes back lets nothing through twice
	}
	w.times = append(w.times, now)
}

// sweep forgets windows in which nothing counts.
func (l *limiter) sweep(now int64) {
	for tool, w := range l.windows {
		w.forget(now - l.span)
		if w.running == 0 && w.head == len(w.times) {
			delete(l.windows, tool)
		}
	}
	l.sweepAt = 2*len(l.windows) + 64
}

// text says what a rate allows.
func (l *limiter) text() string {
	calls := " calls "
	if l.limit == 1 {
		calls = " call "
	}
	of := "of this tool"
	if l.together {
		of = "of these tools"
	}
	return itoa(int64(l.limit)) + calls + l.spanText + " " + of
}
