package pipeline

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The tests of this file walk every way through the machine: shapes of up
// to two hooks a phase, and three observers, and after each step every event
// that a driver can report of it, those of a confused driver too.

// trace is what a driver saw of one invocation.
type trace struct {
	stages  string      // those that were entered, in order, by their names
	ran     [Phases]int // hooks that were run
	ended   bool        // something ended the call before its time
	outcome Outcome     // what that event calls for
	late    bool        // an observer was late
	shared  bool        // it got the answer of another call
}

// stages are the names of all stages in their order. A failure or a denial
// leaves out what follows, and goes to its observers.
var stages = []string{"gate", "before", "validate", "judge", "approve", "call", "after", "check"}

func stageOf(s Step) string {
	if s.Op == Hooks {
		return s.Phase.String()
	}
	return map[Op]string{Gate: "gate", Validate: "validate", Judge: "judge", Approve: "approve", Call: "call", Check: "check"}[s.Op]
}

// full returns the stages that an invocation with nothing in its way enters.
func full(s Shape) []string {
	has := []bool{s.Gate, s.Hooks[Before] > 0, s.Validate, s.Judge, s.Approve, true, s.Hooks[After] > 0, s.Check}
	var names []string
	for i, name := range stages {
		if has[i] {
			names = append(names, name)
		}
	}
	return names
}

// walker walks the ways through machines of one shape, each part that several
// of them have in common once.
type walker struct {
	*testing.T
	shape Shape
	seen  map[state]bool
}

type state struct {
	machine Machine
	trace   trace
}

type report struct {
	event Event
	count int
}

// reports returns what a driver may say of a step with so many hooks left.
func reports(left int) (all []report) {
	for _, e := range []Event{Done, Deny, Fail, Abort, Late, Shared, Event(99)} {
		for n := -1; n <= left+1; n++ {
			all = append(all, report{e, n})
		}
	}
	return all
}

// walk follows step through all events, and holds what comes of each against
// the rules.
func (w walker) walk(m Machine, step Step, seen trace) {
	key := state{m, seen}
	key.machine.ticket = 0
	if w.seen[key] {
		return
	}
	w.seen[key] = true

	// Anything late or foreign must change nothing.
	before := m
	for _, ticket := range []uint32{step.Ticket - 1, step.Ticket + 1} {
		if m.Next(ticket, Fail, 0) != (Step{}) || m != before {
			require.Fail(w, "an event of another step was taken", "%+v", step)
		}
	}
	if step.Op == Settle {
		require.Equal(w, Step{}, m.Next(step.Ticket, Done, 1), "a settled machine took an event")
		require.Equal(w, Step{}, m.Abort(), "a settled machine took an abort")
		require.Equal(w, Step{}, m.Expire(), "a settled machine ran out of time")
		w.holds(step, seen)
		fresh := Machine{ticket: m.ticket}
		require.Equal(w, fresh.Start(w.shape), m.Start(w.shape))
		require.Equal(w, fresh, m, "something of the last invocation is left in the next")
		return
	}

	stage := stageOf(step)
	if !strings.HasSuffix(seen.stages, stage+" ") {
		seen.stages += stage + " "
	}
	left, observing := 0, false
	if step.Op == Hooks {
		left, observing = w.shape.Hooks[step.Phase]-step.From, step.Phase >= Error
		require.Positive(w, left, "no hook is left to run")
		require.Equal(w, seen.ran[step.Phase], step.From, "a hook is run twice, or left out")
	}
	require.Equal(w, seen.late, step.Detached, "%+v", step)

	pending := slices.Contains([]string{"gate", "before", "validate", "judge", "approve"}, stage)
	if next := m.Abort(); pending {
		seen := seen
		seen.ended, seen.outcome = true, WasAborted
		require.Equal(w, step.Ticket+1, next.Ticket, "an abort did not end the %s stage", stage)
		w.walk(m, next, seen)
	} else {
		require.Equal(w, Step{}, next, "an abort ended the %s stage", stage)
	}
	m = before
	if next := m.Expire(); !observing {
		seen := seen
		seen.ended, seen.outcome = true, HasFailed
		require.Equal(w, step.Ticket+1, next.Ticket, "the end of its time did not end the %s stage", stage)
		w.walk(m, next, seen)
	} else {
		require.Equal(w, Step{}, next, "the end of its time ended what only observes")
	}
	for _, r := range reports(left) {
		m, seen := before, seen
		finished := r.count
		if r.event != Done {
			finished++
		}
		seen.ran[step.Phase] += min(max(finished, 1), left)
		switch {
		case observing:
			seen.late = seen.late || r.event == Late
		case r.event == Deny && slices.Contains([]string{"gate", "before", "judge", "approve"}, stage):
			seen.ended, seen.outcome = true, WasDenied
		case r.event == Shared && stage == "approve":
			seen.shared = true
		case r.event == Abort && (pending || stage == "call"):
			seen.ended, seen.outcome = true, WasAborted
			seen.stages = strings.TrimSuffix(seen.stages, "call ") // it was not called
		case r.event != Done || step.Op == Hooks && (r.count < 1 || r.count > left):
			seen.ended, seen.outcome = true, HasFailed
		}
		next := m.Next(step.Ticket, r.event, r.count)
		require.Equal(w, step.Ticket+1, next.Ticket, "the machine stopped at %+v of %+v", r, step)
		w.walk(m, next, seen)
	}
}

// holds compares one invocation with the rules.
func (w walker) holds(step Step, seen trace) {
	require.Equal(w, Step{Op: Settle, Outcome: seen.outcome, Ticket: step.Ticket}, step)
	all, entered := full(w.shape), strings.Fields(seen.stages)
	if seen.shared {
		require.Equal(w, Succeeded, step.Outcome)
		require.Equal(w, "approve", entered[len(entered)-1], "something came behind another call's answer")
		return
	}
	if !seen.ended {
		require.Equal(w, Succeeded, step.Outcome)
		require.Equal(w, all, entered)
		require.Equal(w, w.shape.Hooks[Before], seen.ran[Before])
		require.Equal(w, w.shape.Hooks[After], seen.ran[After])
		return
	}
	observers := Error
	if seen.outcome == WasDenied {
		observers = Denied
	}
	require.Equal(w, w.shape.Hooks[observers], seen.ran[observers], "not all observers saw the end")
	if w.shape.Hooks[observers] > 0 {
		require.Equal(w, observers.String(), entered[len(entered)-1])
		entered = entered[:len(entered)-1]
	}
	require.Equal(w, all[:len(entered)], entered, "the stages before the end")
	if seen.outcome != HasFailed {
		require.NotContains(w, entered, "call", "the function ran")
	}
}

func TestEveryWayThroughTheMachineKeepsTheRules(t *testing.T) {
	t.Parallel()
	states, observers := 0, []int{0, 1, 3}
	for n := range 3 * 3 * 3 * 3 * 32 {
		s := Shape{
			Hooks:    [Phases]int{n % 3, n / 3 % 3, observers[n/9%3], observers[n/27%3]},
			Validate: n/81%2 == 1,
			Approve:  n/162%2 == 1,
			Check:    n/324%2 == 1,
			Gate:     n/648%2 == 1,
			Judge:    n/1296 == 1,
		}
		var m Machine
		w := walker{t, s, make(map[state]bool)}
		step := m.Start(s)
		w.walk(m, step, trace{})
		states += len(w.seen)
	}
	require.Greater(t, states, 10_000)
}

func TestAConfusedDriverFailsTheCall(t *testing.T) {
	t.Parallel()
	for name, report := range map[string]struct {
		event Event
		count int
	}{
		"more hooks than there are":  {Done, 3},
		"no hook":                    {Done, 0},
		"a negative count":           {Done, -1},
		"an event of observers":      {Late, 0},
		"an event that there is not": {Event(99), 0},
	} {
		var m Machine
		step := m.Start(Shape{Hooks: [Phases]int{2, 0, 0, 0}})
		step = m.Next(step.Ticket, report.event, report.count)
		require.Equal(t, Settle, step.Op, name)
		require.Equal(t, HasFailed, step.Outcome, name)
	}
	var m Machine
	step := m.Start(Shape{})
	require.Equal(t, Call, step.Op)
	step = m.Next(step.Ticket, Deny, 0)
	require.Equal(t, HasFailed, step.Outcome, "a function cannot deny")
}

func TestALateObserverDetachesThoseAfterIt(t *testing.T) {
	t.Parallel()
	var m Machine
	step := m.Start(Shape{Hooks: [Phases]int{0, 0, 3, 0}})
	step = m.Next(step.Ticket, Fail, 0)
	require.Equal(t, Step{Op: Hooks, Phase: Error, Ticket: step.Ticket}, step)
	step = m.Next(step.Ticket, Late, 1)
	require.Equal(t, Step{Op: Hooks, Phase: Error, From: 2, Detached: true, Ticket: step.Ticket}, step)
	step = m.Next(step.Ticket, Done, 1)
	require.Equal(t, Settle, step.Op)
}

func TestALateEventOfAnEarlierInvocationChangesNothing(t *testing.T) {
	t.Parallel()
	var m Machine
	first := m.Start(Shape{})
	m.Next(first.Ticket, Done, 0)
	second := m.Start(Shape{})
	require.Equal(t, Step{}, m.Next(first.Ticket, Fail, 0))
	require.Equal(t, Settle, m.Next(second.Ticket, Done, 0).Op)
}

func TestAMachineThatWasNotStartedDoesNothing(t *testing.T) {
	t.Parallel()
	var m Machine
	require.Equal(t, Step{}, m.Next(0, Done, 0))
	require.Equal(t, Step{}, m.Abort())
	require.Equal(t, Step{}, m.Expire())
}

func TestAMachineDoesNotAllocate(t *testing.T) {
	var m Machine
	require.Zero(t, testing.AllocsPerRun(100, func() {
		step := m.Start(Shape{Hooks: [Phases]int{2, 2, 0, 0}, Validate: true})
		for step.Op != Settle {
			step = m.Next(step.Ticket, Done, 1)
		}
	}))
}
