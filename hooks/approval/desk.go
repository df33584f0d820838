package approval

// CallID is the number of a call that waits, or of somebody who fetches an answer.
// Numbers are not used again.
type CallID uint32

// QuestionID is the number of a question, and of the answer that is kept for it. It
// is the number of the call that asked it first.
type QuestionID = CallID

// Asked is what a driver says of a call that needs a human.
type Asked struct {
	Tool int32 // the number of the tool
	Key  int32 // of the tool and all of the input: what has the same key is the same question
	// Args is the number of what a rule for these arguments would go by; 0: such a
	// rule cannot be kept.
	Args int32
	// ForTool says that a rule for the whole tool may be kept.
	ForTool bool
	// Apart says that the page asks in its own way: the question stands in no queue.
	Apart   bool
	Timeout int64 // milliseconds that the question stays open; 0: until it is decided
	Hold    int64 // milliseconds that an agent is held; 0: as long as the question is open
}

// Keep says for what a decision is to be remembered.
type Keep uint8

// What a decision can be remembered for.
const (
	ForCall Keep = iota // for nothing: it is for this question only
	ForArgs             // the tool with these arguments
	ForTool             // the tool
)

// End is how a question ended.
type End uint8

// The ends of a question, and what becomes of the leader then.
const (
	Approved    End = iota // its function may run
	Denied                 // the human said no, now or earlier
	TimedOut               // nobody has decided in time
	Unavailable            // nobody can be asked
	Gone                   // the tool is not registered any more
)

// Op is what a driver does for a call.
type Op uint8

// The operations.
const (
	// Settle ends the wait of the leader, with End. After Approved the driver checks
	// once more what may have changed, goes on, and says with Desk.Ended what came of
	// it; so it does after the other ends.
	Settle Op = iota + 1
	// Pend tells the agent that the question is pending. Of a leader, the call goes
	// on waiting; of another call and of somebody who fetches, that is the end.
	Pend
	// Answer gives a call that has joined, or somebody who fetches, the answer of the
	// question.
	Answer
	// Drop forgets the answer of a question.
	Drop
)

// Effect is something that a driver has to do, in the order in which it gets it.
type Effect struct {
	Op         Op
	Call       CallID     // whose; 0 with Drop
	Question   QuestionID // its question
	End        End        // with Settle
	Remembered bool       // with Settle: a rule has decided, not a human just now
	Leads      bool       // with Pend: it is the leader, whose call goes on waiting
}

// Rule is a decision that is remembered.
type Rule struct {
	Tool    int32
	Args    int32 // 0: for the whole tool
	Approve bool
}

// What holds where nobody has said otherwise, in nanoseconds: each is a
// time.Duration wherever one is wanted.
const (
	Timeout    = 120_000_000_000 // a question stays open
	Hold       = 20_000_000_000  // an agent is held
	PolicyWait = 10_000_000_000  // what decides whether a human is asked may take
)

// MaxKept is how many answers are kept for agents that have not fetched them; the
// oldest goes first.
const MaxKept = 100

// state is where a question is.
type state uint8

const (
	open    state = iota // the human is to decide
	running              // decided: the leader is on its way
	ended                // there is an answer
)

// waiter is one who waits for the answer of a question.
type waiter struct {
	id      CallID
	until   int64 // when its agent is told that the question is pending; 0: never
	fetches bool  // it is no call
}

type question struct {
	Asked
	id       QuestionID
	state    state
	until    int64 // when it times out, and later when the answer is dropped; 0: never
	held     bool  // the leader's agent waits; it is the first of waiters
	promised bool  // somebody was told that the answer can be fetched
	fetched  bool  // and has fetched it
	waiters  []waiter
}

// Desk is where calls wait. The zero Desk is empty. Time is given in milliseconds
// of a clock that never goes back. It is not safe for concurrent use: a driver
// reports one event after the other, and does all that an answer says before the
// next.
type Desk struct {
	last      CallID
	questions []*question // in the order in which they came
	rules     []Rule
	out       []Effect
}

// Ask takes in a call. It returns its number and what to do. Of several rules that
// answer its question, one that denies holds.
func (d *Desk) Ask(now int64, a Asked) (CallID, []Effect) {
	d.expire(now)
	id := d.next()
	if q := d.same(a); q != nil {
		if q.state == ended {
			q.fetched = true
			d.emit(Effect{Op: Answer, Call: id, Question: q.id})
		} else {
			q.waiters = append(q.waiters, waiter{id: id, until: after(now, a.Hold)})
		}
		return id, d.effects()
	}
	q := &question{Asked: a, id: id, until: after(now, a.Timeout), held: true}
	q.waiters = []waiter{{id: id, until: after(now, a.Hold)}}
	d.questions = append(d.questions, q)
	matches, approve := false, true
	for _, r := range d.rules {
		if r.answers(q) {
			matches, approve = true, approve && r.Approve
		}
	}
	if matches {
		d.settle(q, endOf(approve), true)
	}
	return id, d.effects()
}

// Fetch has somebody wait for the answer of a question for as long as hold says, in
// milliseconds; 0: until there is one. ok is false when there is no such question,
// or its answer is gone.
func (d *Desk) Fetch(now int64, of QuestionID, hold int64) (id CallID, todo []Effect, ok bool) {
	d.expire(now)
	q := d.find(of)
	if q == nil {
		return 0, d.effects(), false
	}
	id = d.next()
	if q.state == ended {
		q.fetched = true
		d.emit(Effect{Op: Answer, Call: id, Question: q.id})
	} else {
		q.waiters = append(q.waiters, waiter{id: id, until: after(now, hold), fetches: true})
	}
	return id, d.effects(), true
}

// Decide takes the decision of a human about a question. ok is false when that is
// not open (any more): then the decision counts for nothing. What the question does
// not allow to be remembered is not.
func (d *Desk) Decide(now int64, of QuestionID, approve bool, keep Keep) (todo []Effect, ok bool) {
	d.expire(now)
	q := d.find(of)
	if q == nil || q.state != open {
		return d.effects(), false
	}
	rule := Rule{Tool: q.Tool, Approve: approve}
	kept := keep == ForTool && q.ForTool
	if keep == ForArgs && q.Args != 0 {
		rule.Args, kept = q.Args, true
	}
	d.settle(q, endOf(approve), false)
	if kept {
		d.forget(func(r Rule) bool { return r.Tool == rule.Tool && r.Args == rule.Args })
		d.rules = append(d.rules, rule)
		for _, other := range d.questions {
			if other.state == open && rule.answers(other) {
				d.settle(other, endOf(approve), true)
			}
		}
	}
	return d.effects(), true
}

// Edit takes the decision of a human who approves a question with another input than
// was asked about, which the driver has found valid: the leader's function may run
// with that. ok is as for Decide. Nothing is remembered of it: a rule would be about
// an input that nobody has sent.
func (d *Desk) Edit(now int64, of QuestionID) (todo []Effect, ok bool) {
	return d.Decide(now, of, true, ForCall)
}

// Fail ends a question that nobody can be asked, or not any more: end says why.
// ok is false when it is not open.
func (d *Desk) Fail(now int64, of QuestionID, end End) (todo []Effect, ok bool) {
	d.expire(now)
	q := d.find(of)
	if q == nil || q.state != open {
		return d.effects(), false
	}
	if end == Approved {
		end = Unavailable // only Decide and a rule approve
	}
	d.settle(q, end, false)
	return d.effects(), true
}

// Abort takes out a call, or somebody who fetches, that does not wait any more. The
// question of a leader goes with it, unless another call has joined: that is the
// leader then. It changes nothing once the function may run, and for a leader whose
// agent was told to come back.
func (d *Desk) Abort(now int64, id CallID) []Effect {
	d.expire(now)
	for _, q := range d.questions {
		for i, w := range q.waiters {
			leads := q.leads(i)
			if w.id != id || leads && !q.isHeld() {
				continue // what runs goes on, and what an agent may come back for stays
			}
			copy(q.waiters[i:], q.waiters[i+1:])
			q.waiters = q.waiters[:len(q.waiters)-1]
			if leads {
				d.succeed(q)
			}
			return d.effects()
		}
	}
	return d.effects()
}

// Close ends the questions of a tool that is not registered any more, and forgets
// its rules.
func (d *Desk) Close(now int64, tool int32) []Effect {
	d.expire(now)
	d.Forget(tool)
	for _, q := range d.questions {
		if q.Tool == tool && q.state == open {
			d.settle(q, Gone, false)
		}
	}
	return d.effects()
}

// Ended takes note that the leader of a question has settled: there is an answer.
// It is kept if an agent was told that it can be fetched.
func (d *Desk) Ended(now int64, of QuestionID) []Effect {
	q := d.find(of)
	if q != nil && q.state == running {
		q.state = ended
		q.until = after(now, q.Timeout)
		for _, w := range q.waiters[1:] { // behind the leader
			q.fetched = true
			d.emit(Effect{Op: Answer, Call: w.id, Question: q.id})
		}
		q.waiters = nil
		if !q.promised {
			d.drop(q)
		}
		d.bound()
	}
	d.expire(now)
	return d.effects()
}

// Leave tells all agents that are held that their questions are pending: the page
// may be about to go.
func (d *Desk) Leave(now int64) []Effect {
	d.expire(now)
	for _, q := range d.questions {
		d.pend(q, func(waiter) bool { return true })
	}
	return d.effects()
}

// Tick takes note of the time.
func (d *Desk) Tick(now int64) []Effect {
	d.expire(now)
	return d.effects()
}

// Next returns when Tick is due; ok is false when it never is.
func (d *Desk) Next() (at int64, ok bool) {
	sooner := func(t int64) {
		if t != 0 && (!ok || t < at) {
			at, ok = t, true
		}
	}
	for _, q := range d.questions {
		if q.state != running {
			sooner(q.until)
		}
		for i, w := range q.waiters {
			if !q.leads(i) || q.isHeld() {
				sooner(w.until)
			}
		}
	}
	return at, ok
}

// Front returns the question that the human is asked now, and how many wait behind
// it in the queue; 0 where there is none.
func (d *Desk) Front() (front QuestionID, behind int) {
	for _, q := range d.questions {
		switch {
		case q.state != open || q.Apart:
		case front == 0:
			front = q.id
		default:
			behind++
		}
	}
	return front, behind
}

// Open returns the questions that the human has not decided, in their order.
func (d *Desk) Open() (ids []QuestionID) {
	for _, q := range d.questions {
		if q.state == open {
			ids = append(ids, q.id)
		}
	}
	return ids
}

// Promised reports whether an agent was told of an answer that it can fetch.
func (d *Desk) Promised() bool {
	for _, q := range d.questions {
		if q.promised {
			return true
		}
	}
	return false
}

// Rules returns what is remembered, the oldest first. It must not be modified.
func (d *Desk) Rules() []Rule { return d.rules }

// Forget forgets the rules of a tool. It changes nothing that is decided.
func (d *Desk) Forget(tool int32) {
	d.forget(func(r Rule) bool { return r.Tool == tool })
}

// ForgetAll forgets all rules.
func (d *Desk) ForgetAll() { d.rules = nil }

// same returns the question that a call joins: one with the same key that is open or
// running, or whose answer an agent was promised and nobody has fetched.
func (d *Desk) same(a Asked) *question {
	for _, q := range d.questions {
		if q.Tool == a.Tool && q.Key == a.Key && (q.state != ended || !q.fetched) {
			return q
		}
	}
	return nil
}

// find and some others are not inlined: the module of a page would be larger.
//
//go:noinline
func (d *Desk) find(id QuestionID) *question {
	for _, q := range d.questions {
		if q.id == id {
			return q
		}
	}
	return nil
}

// settle ends the wait of the leader.
//
//go:noinline
func (d *Desk) settle(q *question, end End, remembered bool) {
	q.state = running
	d.emit(Effect{Op: Settle, Call: q.leader(), Question: q.id, End: end, Remembered: remembered})
}

// succeed gives a question whose leader has gone the next call as its leader. Where
// there is none, those who fetch are told that the question is gone.
func (d *Desk) succeed(q *question) {
	for i, w := range q.waiters {
		if !w.fetches {
			copy(q.waiters[1:], q.waiters[:i])
			q.waiters[0] = w
			q.held = true
			return
		}
	}
	for _, w := range q.waiters {
		d.emit(Effect{Op: Answer, Call: w.id, Question: q.id})
	}
	d.drop(q)
}

// expire does what is due.
func (d *Desk) expire(now int64) {
	for _, q := range d.questions {
		due := q.until != 0 && q.until <= now
		switch {
		case due && q.state == open:
			d.settle(q, TimedOut, false)
		case due && q.state == ended:
			d.drop(q)
			continue
		}
		d.pend(q, func(w waiter) bool { return w.until != 0 && w.until <= now })
	}
}

// pend tells those agents that the question is pending.
func (d *Desk) pend(q *question, due func(waiter) bool) {
	stay := q.waiters[:0]
	for i, w := range q.waiters {
		leads := q.leads(i)
		if !due(w) || leads && !q.isHeld() {
			stay = append(stay, w)
			continue
		}
		q.promised = true
		d.emit(Effect{Op: Pend, Call: w.id, Question: q.id, Leads: leads})
		if leads {
			q.held = false
			stay = append(stay, w)
		}
	}
	q.waiters = stay
}

// drop forgets a question. Whoever goes through the questions goes on with those that
// there were.
func (d *Desk) drop(q *question) {
	left := make([]*question, 0, len(d.questions))
	for _, other := range d.questions {
		if other != q {
			left = append(left, other)
		}
	}
	d.questions = left
	d.emit(Effect{Op: Drop, Question: q.id})
}

// forget forgets rules.
func (d *Desk) forget(which func(Rule) bool) {
	left := make([]Rule, 0, len(d.rules))
	for _, r := range d.rules {
		if !which(r) {
			left = append(left, r)
		}
	}
	d.rules = left
}

// bound drops the oldest answers beyond MaxKept.
func (d *Desk) bound() {
	kept := 0
	for _, q := range d.questions {
		if q.state == ended {
			kept++
		}
	}
	for _, q := range d.questions {
		if q.state == ended && kept > MaxKept {
			d.drop(q)
			kept--
		}
	}
}

func (d *Desk) next() CallID {
	d.last++
	return d.last
}

//go:noinline
func (d *Desk) emit(e Effect) { d.out = append(d.out, e) }

//go:noinline
func (d *Desk) effects() []Effect {
	out := d.out
	d.out = nil
	return out
}

// leads reports whether waiter i is the leader.
func (q *question) leads(i int) bool { return i == 0 && q.state != ended }

// isHeld reports whether the agent of the leader waits for a human.
func (q *question) isHeld() bool { return q.held && q.state == open }

func (q *question) leader() CallID { return q.waiters[0].id }

// answers reports whether the rule decides a question, which must allow that.
func (r Rule) answers(q *question) bool {
	return r.Tool == q.Tool && (r.Args == 0 && q.ForTool || r.Args != 0 && r.Args == q.Args)
}

func endOf(approve bool) End {
	if approve {
		return Approved
	}
	return Denied
}

// after returns when so many milliseconds from now are over; 0: never.
func after(now, ms int64) int64 {
	if ms <= 0 {
		return 0
	}
	return now + ms
}
