package pipeline

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The tests of this file walk every way through the machine: all shapes of up
// to two hooks a phase, and after each step every event that a driver can
// report of it.

// trace is what a driver saw of one invocation.
type trace struct {
	called    int // times that the function was called
	validated int
	checked   int
	observers [Phases]int // hooks that were run, by phase
	denied    bool        // a Deny was reported in time
	outcome   Outcome
}

// walk follows step through all events, and calls end for every invocation that
// settled.
func walk(t *testing.T, m Machine, step Step, seen trace, end func(trace)) {
	// Anything late or foreign must change nothing.
	before := m
	require.Equal(t, Step{}, m.Next(step.Ticket-1, Fail, 0), "a late event was taken")
	require.Equal(t, before, m)

	type report struct {
		event Event
		count int
	}
	var reports []report
	switch step.Op {
	case Settle:
		require.Equal(t, Step{}, m.Next(step.Ticket, Done, 1), "a settled machine took an event")
		require.Equal(t, Step{}, m.Abort(), "a settled machine took an abort")
		seen.outcome = step.Outcome
		end(seen)
		return
	case Hooks:
		left := m.shape.Hooks[step.Phase] - step.From
		require.Positive(t, left, "no hook is left to run")
		for n := 1; n <= left; n++ {
			reports = append(reports, report{Done, n})
		}
		for n := range left {
			reports = append(reports, report{Fail, n})
			switch step.Phase {
			case Before:
				reports = append(reports, report{Deny, n}, report{Abort, n})
			case Error, Denied:
				reports = append(reports, report{Late, n})
			}
		}
	case Validate:
		seen.validated++
		reports = []report{{Done, 0}, {Fail, 0}, {Abort, 0}}
	case Approve:
		reports = []report{{Done, 0}, {Deny, 0}, {Fail, 0}, {Abort, 0}}
	case Check:
		seen.checked++
		reports = []report{{Done, 0}, {Fail, 0}}
	case Call:
		seen.called++
		reports = []report{{Done, 0}, {Fail, 0}, {Abort, 0}}
	}

	aborted := m
	if next := aborted.Abort(); next.Op != None {
		require.Zero(t, seen.called, "an abort ended a call whose function runs")
		walk(t, aborted, next, seen, end)
	} else {
		require.Equal(t, m, aborted, "an abort without an answer changed the machine")
	}
	for _, r := range reports {
		m, seen := m, seen
		if step.Op == Hooks {
			seen.observers[step.Phase] += r.count
			if r.event != Done {
				seen.observers[step.Phase]++
			}
		}
		if step.Op == Call && r.event == Abort {
			seen.called-- // found aborted before it was called
		}
		seen.denied = seen.denied || r.event == Deny
		next := m.Next(step.Ticket, r.event, r.count)
		require.NotEqual(t, None, next.Op, "the machine stopped at %v of %v", r, step)
		require.Equal(t, step.Ticket+1, next.Ticket)
		walk(t, m, next, seen, end)
	}
}

func TestEveryWayThroughTheMachineKeepsTheRules(t *testing.T) {
	t.Parallel()
	ends := 0
	for n := range 3 * 3 * 3 * 3 * 8 {
		s := Shape{
			Hooks:    [Phases]int{n % 3, n / 3 % 3, n / 9 % 3, n / 27 % 3},
			Validate: n/81%2 == 1,
			Approve:  n/162%2 == 1,
			Check:    n/324 == 1,
		}
		var m Machine
		step := m.Start(s)
		walk(t, m, step, trace{}, func(seen trace) {
			ends++
			holds(t, s, seen)
		})
	}
	require.Greater(t, ends, 10_000)
}

// holds compares one invocation with the rules.
func holds(t *testing.T, s Shape, seen trace) {
	require.LessOrEqual(t, seen.called, 1)
	if seen.denied {
		require.Equal(t, WasDenied, seen.outcome)
		require.Zero(t, seen.called, "the function ran after a denial")
	}
	after, errored, denied := seen.observers[After], seen.observers[Error], seen.observers[Denied]
	switch seen.outcome {
	case Succeeded:
		require.Equal(t, 1, seen.called)
		require.Equal(t, s.Hooks[Before], seen.observers[Before])
		require.Equal(t, s.Hooks[After], after)
		require.Zero(t, errored+denied)
		require.Equal(t, s.Validate, seen.validated == 1, "the input was not checked once")
		require.Equal(t, s.Check, seen.checked == 1, "the output was not checked once")
	case WasDenied:
		require.Equal(t, s.Hooks[Denied], denied, "not all denied hooks saw the denial")
		require.Zero(t, after+errored)
		require.Zero(t, seen.called)
	case HasFailed:
		require.Equal(t, s.Hooks[Error], errored, "not all error hooks saw the failure")
		require.Zero(t, denied)
	case WasAborted:
		require.Equal(t, s.Hooks[Error], errored)
		require.Zero(t, seen.called+after+denied)
	}
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
