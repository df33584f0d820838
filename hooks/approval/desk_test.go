package approval

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// The tests of this file walk every interleaving of up to four calls with all that
// can happen to them, against a record of what has happened that is kept apart.

// specs are the calls of a walk, in the order in which they come. Two of them are
// the same question, the third has other arguments, the last is of another tool.
var specs = []Asked{
	{Tool: 1, Key: 1, Args: 11, ForTool: true, Timeout: 30, Hold: 10},
	{Tool: 1, Key: 2, Args: 12, ForTool: true, Timeout: 20},
	{Tool: 1, Key: 1, Args: 11, ForTool: true, Timeout: 30, Hold: 10},
	{Tool: 2, Key: 3, Timeout: 40, Hold: 5, Apart: true},
}

// told is what a call was told, in its order.
type told string

type world struct {
	*testing.T
	desk  Desk
	now   int64
	asked int // of specs
	// by call
	spec   map[CallID]int
	leads  map[CallID]QuestionID // calls that have asked a question, or lead it now
	joined map[CallID]QuestionID
	fetch  map[CallID]QuestionID
	said   map[CallID]told
	over   map[CallID]bool // aborted
	// by question
	decided map[QuestionID]End
	edited  map[QuestionID]bool
	ran     map[QuestionID]int
	running map[QuestionID]bool
	rules   map[[2]int32]bool
	fetched int
}

func (w *world) clone() *world {
	c := *w
	c.desk.questions = nil
	for _, q := range w.desk.questions {
		copied := *q
		copied.waiters = slices.Clone(q.waiters)
		c.desk.questions = append(c.desk.questions, &copied)
	}
	c.desk.rules = slices.Clone(w.desk.rules)
	c.spec, c.leads, c.joined, c.fetch, c.said, c.over = cloned(w.spec), cloned(w.leads), cloned(w.joined), cloned(w.fetch), cloned(w.said), cloned(w.over)
	c.decided, c.edited, c.ran, c.running, c.rules = cloned(w.decided), cloned(w.edited), cloned(w.ran), cloned(w.running), cloned(w.rules)
	return &c
}

func cloned[K comparable, V any](m map[K]V) map[K]V {
	c := make(map[K]V, len(m))
	for k, v := range m {
		c[k] = v
	}
	return c
}

func (w *world) key() string {
	s := fmt.Sprint(w.asked, w.fetched, w.desk.rules, w.said, w.over, w.running, w.ran, w.edited)
	for _, q := range w.desk.questions {
		until := q.until - w.now
		if q.until == 0 {
			until = -1
		}
		s += fmt.Sprint("|", q.id, q.state, until, q.held, q.promised, q.fetched)
		for _, x := range q.waiters {
			s += fmt.Sprint(" ", x.id, x.until-w.now, x.until == 0)
		}
	}
	return s
}

// take does what the desk says, and holds it against the record.
func (w *world) take(effects []Effect) {
	for _, e := range effects {
		switch e.Op {
		case Settle:
			require.NotContains(w, w.decided, e.Question, "a question is decided once")
			require.False(w, w.over[e.Call], "a call that is gone is settled")
			require.True(w, w.said[e.Call] == "" || w.said[e.Call] == "pend", "the leader was told %s", w.said[e.Call])
			w.decided[e.Question] = e.End
			w.running[e.Question] = true
			w.said[e.Call] += "settle"
			if w.edited[e.Question] {
				require.Equal(w, Approved, e.End, "an edit approves")
				require.False(w, e.Remembered, "an edit is a human's")
				require.Len(w, effects, 1, "an edit decides about its own question only")
			}
			if e.Remembered {
				spec := specs[w.spec[e.Call]]
				forArgs, byArgs := w.rules[[2]int32{spec.Tool, spec.Args}]
				forTool, byTool := w.rules[[2]int32{spec.Tool, 0}]
				require.True(w, byArgs || byTool, "no rule matches")
				if e.End == Approved {
					require.True(w, (forArgs || !byArgs) && (forTool || !byTool), "a rule denies")
				}
			}
		case Pend:
			require.False(w, w.over[e.Call])
			require.Empty(w, w.said[e.Call], "an agent is told once")
			w.said[e.Call] = "pend"
		case Answer:
			require.False(w, w.over[e.Call])
			require.Empty(w, w.said[e.Call], "an agent is told once")
			w.said[e.Call] = "answer"
		case Drop:
			for id, of := range w.joined {
				require.False(w, of == e.Question && w.said[id] == "" && !w.over[id] && w.leads[id] == 0, "somebody waits for an answer that was dropped")
			}
		}
	}
	keys := map[int32]bool{}
	for _, q := range w.desk.questions {
		if q.state != ended {
			require.False(w, keys[q.Key], "two questions about the same")
			keys[q.Key] = true
			require.NotEmpty(w, q.waiters)
			require.False(w, q.waiters[0].fetches, "one who fetches leads")
		}
	}
	var queue []QuestionID
	for _, q := range w.desk.questions {
		if q.state == open && !q.Apart {
			queue = append(queue, q.id)
		}
	}
	front, behind := w.desk.Front()
	if len(queue) == 0 {
		require.Zero(w, front)
	} else {
		require.Equal(w, queue[0], front)
		require.Equal(w, len(queue)-1, behind)
	}
}

// end reports what came of a leader.
func (w *world) end(q QuestionID) {
	delete(w.running, q)
	if w.decided[q] == Approved {
		w.ran[q]++
		require.Equal(w, 1, w.ran[q], "a function runs once for each approval")
	}
	w.take(w.desk.Ended(w.now, q))
}

// next returns the worlds that one event makes of this one.
func (w *world) next() (all []*world) {
	do := func(event func(n *world)) {
		n := w.clone()
		event(n)
		all = append(all, n)
	}
	if w.asked < len(specs) {
		do(func(n *world) {
			a := specs[n.asked]
			id, todo := n.desk.Ask(n.now, a)
			n.spec[id] = n.asked
			n.asked++
			q := n.desk.find(id)
			if q != nil {
				n.leads[id] = id
			} else {
				n.joined[id] = id
			}
			n.take(todo)
		})
	}
	for _, q := range w.desk.questions {
		id := q.id
		if q.state == open {
			for _, approve := range []bool{true, false} {
				for _, keep := range []Keep{ForCall, ForArgs, ForTool} {
					do(func(n *world) {
						a := q.Asked
						if keep == ForTool && a.ForTool {
							n.rules[[2]int32{a.Tool, 0}] = approve
						}
						if keep == ForArgs && a.Args != 0 {
							n.rules[[2]int32{a.Tool, a.Args}] = approve
						}
						todo, ok := n.desk.Decide(n.now, id, approve, keep)
						require.True(n, ok)
						n.take(todo)
						require.Equal(n, endOf(approve), n.decided[id])
						again, ok := n.desk.Decide(n.now, id, !approve, keep)
						require.False(n, ok, "a second decision counts for nothing")
						require.Empty(n, again)
					})
				}
			}
			do(func(n *world) {
				n.edited[id] = true
				before := slices.Clone(n.desk.rules)
				todo, ok := n.desk.Edit(n.now, id)
				require.True(n, ok)
				n.take(todo)
				require.Equal(n, Approved, n.decided[id])
				require.Equal(n, before, n.desk.rules, "nothing is remembered of an edit")
				for _, late := range []func() ([]Effect, bool){
					func() ([]Effect, bool) { return n.desk.Edit(n.now, id) },
					func() ([]Effect, bool) { return n.desk.Decide(n.now, id, false, ForTool) },
				} {
					again, ok := late()
					require.False(n, ok, "a second decision counts for nothing")
					require.Empty(n, again)
				}
			})
			do(func(n *world) {
				todo, ok := n.desk.Fail(n.now, id, Unavailable)
				require.True(n, ok)
				n.take(todo)
			})
		}
		if w.running[id] {
			do(func(n *world) { n.end(id) })
		}
		if w.fetched < 1 {
			do(func(n *world) {
				n.fetched++
				who, todo, ok := n.desk.Fetch(n.now, id, 5)
				require.True(n, ok)
				n.fetch[who] = id
				n.take(todo)
			})
		}
	}
	for id := CallID(1); id <= w.desk.last; id++ {
		if q := w.desk.find(id); q == nil || q.state != open {
			do(func(n *world) {
				todo, ok := n.desk.Edit(n.now, id)
				require.False(n, ok, "an edit of a question that is over, or that is none, counts for nothing")
				n.take(todo)
			})
		}
		if w.said[id] == "" && !w.over[id] {
			do(func(n *world) {
				n.over[id] = true
				n.take(n.desk.Abort(n.now, id))
			})
		}
	}
	if at, ok := w.desk.Next(); ok {
		do(func(n *world) {
			require.Greater(n, at, n.now, "what was due was not done")
			n.now = at
			n.take(n.desk.Tick(at))
		})
	}
	do(func(n *world) {
		for k := range n.rules {
			if k[0] == 1 {
				delete(n.rules, k)
			}
		}
		n.take(n.desk.Close(n.now, 1))
	})
	do(func(n *world) { n.take(n.desk.Leave(n.now)) })
	do(func(n *world) { n.desk.ForgetAll(); clear(n.rules) })
	return all
}

// drain lets time pass and functions return until nothing happens any more.
func (w *world) drain() {
	for {
		for q := range w.running {
			w.end(q)
		}
		at, ok := w.desk.Next()
		if !ok {
			break
		}
		w.now = at
		w.take(w.desk.Tick(at))
	}
	require.Empty(w, w.desk.questions, "something is left")
	for id := CallID(1); id <= w.desk.last; id++ {
		require.True(w, w.over[id] || w.said[id] != "", "call %d was told nothing", id)
	}
}

func TestEveryInterleavingOfCallsAndDecisions(t *testing.T) {
	t.Parallel()
	start := &world{
		T: t, spec: map[CallID]int{}, leads: map[CallID]QuestionID{}, joined: map[CallID]QuestionID{}, fetch: map[CallID]QuestionID{},
		said: map[CallID]told{}, over: map[CallID]bool{}, decided: map[QuestionID]End{}, edited: map[QuestionID]bool{}, ran: map[QuestionID]int{}, running: map[QuestionID]bool{}, rules: map[[2]int32]bool{},
	}
	seen := map[string]bool{start.key(): true}
	level := []*world{start}
	depth := 7
	if testing.Short() {
		depth = 5
	}
	for range depth {
		var following []*world
		for _, w := range level {
			for _, n := range w.next() {
				if key := n.key(); !seen[key] {
					seen[key] = true
					following = append(following, n)
					n.clone().drain()
				}
			}
		}
		level = following
	}
	t.Log(len(seen), "states")
	require.Greater(t, len(seen), 5000)
}

func TestOfTwoRulesTheOneThatDeniesHolds(t *testing.T) {
	t.Parallel()
	for name, approve := range map[string][2]bool{
		"the arguments were approved, the tool is denied": {true, false},
		"the arguments are denied, the tool was approved": {false, true},
	} {
		var d Desk
		asked := Asked{Tool: 1, Key: 1, Args: 11, ForTool: true}
		other := Asked{Tool: 1, Key: 2, Args: 12, ForTool: true}
		for i, call := range []Asked{asked, other} {
			id, _ := d.Ask(0, call)
			_, ok := d.Decide(0, id, approve[i], []Keep{ForArgs, ForTool}[i])
			require.True(t, ok, name)
			d.Ended(0, id)
		}
		id, todo := d.Ask(0, asked)
		require.Equal(t, []Effect{{Op: Settle, Call: id, Question: id, End: Denied, Remembered: true}}, todo, name)
	}
}
