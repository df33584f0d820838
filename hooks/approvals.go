package hooks

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/webmcp-wasm/webmcp/hooks/approval"
	"github.com/webmcp-wasm/webmcp/internal/jsontape"
)

// Approvals is where calls wait for one human: what is asked and what is remembered.
// Give each human one, and never share it between people: a call that joins another
// gets the result of that, and one's decision, once remembered, answers for all.
// It is safe for concurrent use. Package approval decides; this is its driver.
type Approvals struct {
	approver Approver
	start    time.Time

	mu      sync.Mutex
	desk    approval.Desk
	seats   map[approval.CallID]*seat
	entries map[approval.QuestionID]*entry
	numbers map[any]int32 // of what the desk knows by number
	last    int32         // of them
	sweepAt int           // that many numbers
	rules   map[ruleKey]Remembered
	timer   *time.Timer // for the desk; nil: it has never wanted one
}

// NewApprovals returns an Approvals without questions whose human approver asks. With
// nil, nobody can be asked.
func NewApprovals(approver Approver) *Approvals {
	return &Approvals{
		approver: approver, start: time.Now(),
		seats: map[approval.CallID]*seat{}, entries: map[approval.QuestionID]*entry{},
		numbers: map[any]int32{}, rules: map[ruleKey]Remembered{},
	}
}

type approvalsKey struct{}

// WithApprovals returns a ctx for Run whose calls that need a human wait at a. Where
// there is none, or nil, nobody can be asked: such calls fail.
func WithApprovals(ctx context.Context, a *Approvals) context.Context {
	return context.WithValue(ctx, approvalsKey{}, a)
}

// approvalsIn returns the Approvals of a ctx, or nil.
func approvalsIn(ctx context.Context) *Approvals {
	a, _ := ctx.Value(approvalsKey{}).(*Approvals)
	return a
}

// Pending returns the questions that nobody has decided, the oldest first.
func (a *Approvals) Pending() (questions []Question) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, id := range a.desk.Open() {
		questions = append(questions, a.entries[id].shown())
	}
	return questions
}

// Remembered is a decision that is remembered.
type Remembered struct {
	Tool      string // its name
	Approve   bool
	Arguments any    // with which it holds, by pointer where By of Remember says which count; nil: with all
	By        string // who has decided, as the Approver said

	place int32
}

// Remembered returns the decisions that are remembered, the oldest first.
func (a *Approvals) Remembered() (all []Remembered) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, r := range a.desk.Rules() {
		rule := a.rules[keyOf(r)]
		rule.Arguments = jsontape.Copied(rule.Arguments, nil)
		all = append(all, rule)
	}
	return all
}

// Forget forgets the decisions that are remembered for tools of a name; "" forgets
// them all. It changes nothing that is decided.
func (a *Approvals) Forget(tool string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, rule := range a.rules {
		if tool == "" || rule.Tool == tool {
			a.desk.Forget(rule.place)
		}
	}
	a.sweepRules()
}

// question is a Question with what the desk wants to know of it.
type question struct {
	Question
	place   any    // the tool and the scopes in which it is called
	text    string // the canonical text of the input
	args    any    // the arguments by which a decision is remembered
	timeout int64  // milliseconds; 0: no end
}

// What has the same key has the same number.
type (
	place struct { // of a tool in a scope
		in    any // a *Tool or another place
		scope *Scope
	}
	asUser struct { // of a user of whom a policy knows something
		in   any // a *Tool or a place
		user string
	}
	inputKey     struct{ place, text any }
	argumentsKey struct{ place, text any }
)

// ruleKey names a rule of the desk.
type ruleKey struct{ tool, args int32 }

func keyOf(r approval.Rule) ruleKey { return ruleKey{r.Tool, r.Args} }

// seat is what a call has while it waits.
type seat struct {
	id     approval.CallID
	since  time.Time
	done   chan struct{} // closed once it waits no longer; then the rest is set
	leads  *entry        // the question whose answer is the result of this call; nil: another call's is
	end    approval.End  // of a question that it leads
	said   Decided       // of a decision
	reason string        // of a denial
	edit   *edit         // of an approval, where the human has changed the input
	shared Result        // of a call that has joined
}

// entry is a question at the desk.
type entry struct {
	question
	number   approval.QuestionID
	asked    approval.Asked
	cancel   func()
	decision Decision
	edit     *edit  // of the decision
	result   Result // of the leader
}

// edit is the input of a Decision: a copy, or why there is none.
type edit struct {
	input any
	err   error
}

// shown returns the question as somebody outside gets it.
func (e *entry) shown() Question {
	q := e.Question
	q.Input = jsontape.Copied(q.Input, nil)
	q.Remember.By = slices.Clone(q.Remember.By)
	return q
}

// ask takes in a call. ctx is that of the call.
func (a *Approvals) ask(ctx context.Context, q question) *seat {
	a.mu.Lock()
	defer a.mu.Unlock()
	asked := approval.Asked{
		Tool: a.number(q.place), Key: a.number(inputKey{q.place, q.text}), ForTool: q.Remember.Tool,
		Apart: true, Timeout: q.timeout, // the Approver has a queue, if there is one
	}
	if q.Remember.Arguments {
		asked.Args = a.number(argumentsKey{q.place, string(canonical(nil, q.args))})
	}
	id, todo := a.desk.Ask(a.now(), asked)
	s := &seat{id: id, since: time.Now(), done: make(chan struct{})}
	a.seats[id] = s
	open := slices.Contains(a.desk.Open(), id)
	if open || slices.ContainsFunc(todo, func(e approval.Effect) bool { return e.Op == approval.Settle && e.Question == id }) {
		e := &entry{question: q, number: id, asked: asked}
		e.Since = s.since
		if q.timeout > 0 {
			e.Deadline = e.Since.Add(time.Duration(q.timeout) * time.Millisecond)
		}
		ctx, e.cancel = context.WithCancel(context.WithoutCancel(ctx))
		a.entries[id] = e
		if open {
			go a.consult(ctx, id, e.Tool.Name, e.shown())
		}
	}
	a.take(todo)
	a.sweep()
	return s
}

var errUnverified = errors.New("the Decision approves, and is not Verified, which a policy wants")

var errNobody = errors.New("there is nobody to ask: the Approver is nil")

// consult asks the human.
func (a *Approvals) consult(ctx context.Context, id approval.QuestionID, tool string, q Question) {
	var d Decision
	err := ErrGoexit
	defer func() { a.decide(id, tool, d, err) }()
	err = protect(func() (err error) {
		if a.approver == nil {
			return errNobody
		}
		d, err = a.approver.Approve(ctx, q)
		if err == nil && d.Approve && q.Verify != "" && !d.Verified {
			err = errUnverified
		}
		return err
	})
}

// decide takes what came of a question.
func (a *Approvals) decide(id approval.QuestionID, tool string, d Decision, failed error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if failed != nil {
		todo, counts := a.desk.Fail(a.now(), id, approval.Unavailable)
		if counts {
			logApproval(tool, "nobody can be asked", failed)
		}
		a.take(todo)
		return
	}
	e := a.entries[id]
	if e != nil {
		e.decision = d
	}
	if e != nil && d.Approve && d.Input != nil {
		e.edit = new(edit)
		e.edit.input, e.edit.err = jsontape.Own(d.Input)
		todo, _ := a.desk.Edit(a.now(), id)
		a.take(todo)
		return
	}
	todo, counts := a.desk.Decide(a.now(), id, d.Approve, d.Remember)
	if counts {
		a.keep(e, d)
	}
	a.take(todo)
}

// keep notes what is remembered of a decision.
func (a *Approvals) keep(e *entry, d Decision) {
	rule := Remembered{Tool: e.Tool.Name, Approve: d.Approve, By: d.By, place: e.asked.Tool}
	switch {
	case d.Remember == approval.ForTool && e.Question.Remember.Tool:
		a.rules[ruleKey{e.asked.Tool, 0}] = rule
	case d.Remember == approval.ForArgs && e.asked.Args != 0:
		rule.Arguments = e.args
		a.rules[ruleKey{e.asked.Tool, e.asked.Args}] = rule
	}
}

// leave takes out a call that waits no longer. Where that is decided just now, nothing
// changes.
func (a *Approvals) leave(s *seat) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.seats[s.id] == s {
		delete(a.seats, s.id)
		a.take(a.desk.Abort(a.now(), s.id))
	}
}

// ended takes the result of a call that has waited.
func (a *Approvals) ended(s *seat, result Result) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if s.leads != nil {
		s.leads.result = result // those that have joined take copies at once
		a.take(a.desk.Ended(a.now(), s.leads.number))
	}
}

// take does what the desk says, and sees to it that it hears of the time.
func (a *Approvals) take(todo []approval.Effect) {
	for _, effect := range todo {
		a.perform(effect)
	}
	at, due := a.desk.Next()
	switch wait := time.Duration(at-a.now()+1) * time.Millisecond; {
	case !due && a.timer != nil:
		a.timer.Stop()
	case due && a.timer == nil:
		a.timer = time.AfterFunc(wait, a.tick)
	case due:
		a.timer.Reset(wait)
	}
}

func (a *Approvals) tick() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.take(a.desk.Tick(a.now()))
}

func (a *Approvals) perform(effect approval.Effect) {
	s, e := a.seats[effect.Call], a.entries[effect.Question]
	switch effect.Op {
	case approval.Settle:
		delete(a.seats, effect.Call)
		e.cancel()
		s.leads, s.end, s.reason = e, effect.End, e.decision.Reason
		s.said = Decided{
			Approve: effect.End == approval.Approved, How: "ask", By: e.decision.By,
			At: time.Now(), Waited: time.Since(s.since), Digest: e.Digest,
		}
		s.edit = e.edit
		if effect.Remembered {
			s.said.How, s.said.By, s.reason = "remembered", a.rules[a.ruleFor(e, s.said.Approve)].By, ""
		}
		close(s.done)
	case approval.Answer:
		delete(a.seats, effect.Call)
		s.shared = e.result.copied()
		close(s.done)
	case approval.Drop:
		e.cancel()
		delete(a.entries, effect.Question)
	}
}

// ruleFor returns the rule that has decided a question.
func (a *Approvals) ruleFor(e *entry, approve bool) ruleKey {
	for _, r := range a.desk.Rules() {
		if r.Tool == e.asked.Tool && r.Approve == approve && (r.Args == 0 || r.Args == e.asked.Args) {
			return keyOf(r)
		}
	}
	return ruleKey{}
}

// number returns the number of a key.
func (a *Approvals) number(key any) int32 {
	n, ok := a.numbers[key]
	if !ok {
		a.last++
		n = a.last
		a.numbers[key] = n
	}
	return n
}

// sweep forgets numbers that nothing uses, whenever they have become twice as many.
func (a *Approvals) sweep() {
	if len(a.numbers) < a.sweepAt {
		return
	}
	a.sweepRules()
	used := map[int32]bool{}
	for _, e := range a.entries {
		used[e.asked.Tool], used[e.asked.Key], used[e.asked.Args] = true, true, true
	}
	for key := range a.rules {
		used[key.tool], used[key.args] = true, true
	}
	for key, n := range a.numbers {
		if !used[n] {
			delete(a.numbers, key)
		}
	}
	a.sweepAt = 2*len(a.numbers) + 64
}

// sweepRules forgets what the desk has forgotten.
func (a *Approvals) sweepRules() {
	present := map[ruleKey]bool{}
	for _, r := range a.desk.Rules() {
		present[keyOf(r)] = true
	}
	for key := range a.rules {
		if !present[key] {
			delete(a.rules, key)
		}
	}
}

// now returns the time of the desk.
func (a *Approvals) now() int64 { return time.Since(a.start).Milliseconds() }
