package pipeline

// Shape is what a Machine knows of an invocation: how many hooks each phase
// has, and which optional stages there are.
type Shape struct {
	Hooks    [Phases]int
	Gate     bool // something that needs no input decides whether the call may begin
	Validate bool // the tool has a schema of its input to enforce
	Judge    bool // something decides about the call by its validated input
	Approve  bool // something decides whether a human must approve the call
	Check    bool // the output is checked before it becomes the result
}

// Op is what a driver must do next.
type Op uint8

// The operations that a Step can ask for.
const (
	None     Op = iota // nothing: the event came too late or changes nothing
	Gate               // ask the policy what needs no input: a plain denial, a rate
	Hooks              // run the hooks of Step.Phase from Step.From on
	Validate           // check the input against the schema
	Judge              // ask the policy about the validated input
	Approve            // find out whether a human must approve the call, and ask
	Call               // call the function
	Check              // check the output, as after hooks have left it: its schema, its size
	Settle             // answer the agent with Step.Outcome; the machine is done
)

// Outcome is how an invocation ended.
type Outcome uint8

// The outcomes, of which a machine settles with one. Denied hooks observe
// WasDenied, error hooks observe HasFailed and WasAborted. Nothing observes
// Succeeded: after hooks have taken part in the call, and a call that fails behind
// the function has run some of them too.
const (
	Succeeded  Outcome = iota
	WasDenied          // a before hook, a policy or the human denied the call
	HasFailed          // a hook, the function, or a check of input or output failed, or the time was used up
	WasAborted         // the signal aborted before the function was called
)

// Step is the answer of a Machine: what to do next.
type Step struct {
	Op    Op
	Phase Phase // of Hooks
	From  int   // of Hooks: the index of the first hook to run
	// Detached says, of Hooks in an observer phase, that the time for waiting is
	// used up: start the remaining hooks, but wait for none of them.
	Detached bool
	Outcome  Outcome // of Settle
	// Ticket must come back with the event that reports on this step.
	Ticket uint32
}

// Event is what a driver reports of the step that it was given.
type Event uint8

// The events. The count that goes with an event is the number of hooks that
// were finished before it; it is 0 for steps other than Hooks.
const (
	// Done: the step's work is finished. Of Hooks: count of them ran, and all of
	// them let the call go on.
	Done Event = iota
	// Deny: the next hook, the policy, or the human denied the call.
	Deny
	// Fail: the next hook, the validation or the function failed.
	Fail
	// Abort: the signal was found aborted before the next hook, the validation,
	// the policy, the approval or the function was begun. Where the step's work is under way
	// already, report with Machine.Abort instead.
	Abort
	// Late: the observer that is running has used up ObserverWait.
	Late
	// Shared: the call has joined another one that waited for a human, and that has
	// its answer: this call's function does not run, and nothing observes it.
	Shared
)

// ObserverWait is how long the observers of one invocation may delay its result
// in all. What they do later still happens, unobserved. The constant is untyped
// and counts nanoseconds: it is a time.Duration wherever one is wanted. Package
// time itself would make the module of a page larger.
const ObserverWait = 1_000_000_000

// MaxOutputBytes is how large a result may be where nobody has said otherwise: the agent has to read all of it.
const MaxOutputBytes = 10 << 20

// Machine is one invocation. The zero Machine is not started. It is not safe
// for concurrent use: a driver reports one event after the other.
type Machine struct {
	shape    Shape
	stage    stage
	phase    Phase // of the stage hooks
	next     int   // index of the next hook of the phase
	detached bool
	outcome  Outcome
	ticket   uint32
}

// stage is where an invocation is.
type stage uint8

const (
	idle stage = iota
	gate
	hooks
	validate
	judge
	approve
	call
	check
	settled
)

// Start begins an invocation and returns its first step. It may be called
// again on a Machine whose invocation settled; tickets go on counting, so that
// a late event of the earlier invocation is still recognised.
func (m *Machine) Start(s Shape) Step {
	*m = Machine{shape: s, ticket: m.ticket}
	if s.Gate {
		m.stage = gate
		return m.step(Gate)
	}
	return m.enter(Before)
}

// Next takes the event that ended the step with this ticket and returns the
// next step. An event with another ticket is a late result of something that
// was abandoned: it changes nothing and the answer is None.
//
// An event that a step cannot end with, such as a count beyond the hooks that
// there are, is a failure: a confused driver must not let a call through.
func (m *Machine) Next(ticket uint32, e Event, count int) Step {
	if ticket != m.ticket || m.stage == idle || m.stage == settled {
		return Step{}
	}
	if m.stage == hooks && m.phase >= Error {
		return m.observed(e, count)
	}
	switch e {
	case Done:
		return m.done(count)
	case Deny:
		switch m.stage {
		case gate, judge, approve:
			return m.end(WasDenied)
		case hooks:
			if m.phase == Before {
				return m.end(WasDenied)
			}
		}
	case Shared:
		if m.stage == approve {
			return m.settle()
		}
	case Abort:
		if m.stage <= call && (m.stage != hooks || m.phase == Before) {
			return m.end(WasAborted)
		}
	}
	return m.end(HasFailed)
}

// Abort takes note that the invocation's signal aborted. Before the function
// is called, that ends the call: whatever is running is abandoned and error
// hooks are next. A function that runs is always awaited, and so is what
// follows it, so that its effects are observed: the answer is then None, and
// the step that is under way keeps its ticket.
func (m *Machine) Abort() Step {
	switch m.stage {
	case gate, validate, judge, approve:
		return m.end(WasAborted)
	case hooks:
		if m.phase == Before {
			return m.end(WasAborted)
		}
	}
	return Step{}
}

// Expire takes note that the time of the invocation is used up. Whatever is
// running is abandoned, the function too, and the call has failed: error hooks are
// next. Once the call has an outcome the answer is None.
func (m *Machine) Expire() Step {
	if m.stage == idle || m.stage == settled || m.stage == hooks && m.phase >= Error {
		return Step{}
	}
	return m.end(HasFailed)
}

// done ends the stage under way with success.
func (m *Machine) done(count int) Step {
	switch m.stage {
	case gate:
		return m.enter(Before)
	case hooks:
		left := m.shape.Hooks[m.phase] - m.next
		if count <= 0 || count > left {
			return m.end(HasFailed)
		}
		m.next += count
		if count < left {
			return m.step(Hooks)
		}
		return m.behind(m.phase)
	case validate:
		return m.checked(judge)
	case judge:
		return m.checked(approve)
	case approve:
		return m.checked(call)
	case call:
		return m.enter(After)
	default: // check
		return m.settle()
	}
}

// checked goes to the first stage from s on that the invocation has.
func (m *Machine) checked(s stage) Step {
	switch {
	case s == validate && m.shape.Validate:
		m.stage = validate
		return m.step(Validate)
	case s <= judge && m.shape.Judge:
		m.stage = judge
		return m.step(Judge)
	case s <= approve && m.shape.Approve:
		m.stage = approve
		return m.step(Approve)
	}
	m.stage = call
	return m.step(Call)
}

// observed ends the observers under way. They cannot change the outcome: one
// that failed is done with, like one that returned.
func (m *Machine) observed(e Event, count int) Step {
	m.detached = m.detached || e == Late
	if e != Done {
		count++ // the hook that failed or is late
	}
	m.next += max(count, 1)
	if m.next < m.shape.Hooks[m.phase] {
		return m.step(Hooks)
	}
	return m.settle()
}

// end stops the call with an outcome that has observers.
func (m *Machine) end(o Outcome) Step {
	m.outcome = o
	if o == WasDenied {
		return m.enter(Denied)
	}
	return m.enter(Error)
}

// enter begins a phase, or what follows it when it has no hooks.
func (m *Machine) enter(p Phase) Step {
	m.stage, m.phase, m.next = hooks, p, 0
	if m.shape.Hooks[p] > 0 {
		return m.step(Hooks)
	}
	return m.behind(p)
}

// behind goes to what follows the hooks of a phase.
func (m *Machine) behind(p Phase) Step {
	switch {
	case p == Before:
		return m.checked(validate)
	case p == After && m.shape.Check:
		m.stage = check
		return m.step(Check)
	}
	return m.settle()
}

func (m *Machine) settle() Step {
	m.stage = settled
	return m.step(Settle)
}

// step hands out the step for the stage under way under a new ticket.
func (m *Machine) step(op Op) Step {
	m.ticket++
	s := Step{Op: op, Ticket: m.ticket}
	switch op {
	case Hooks:
		s.Phase, s.From, s.Detached = m.phase, m.next, m.detached
	case Settle:
		s.Outcome = m.outcome
	}
	return s
}
