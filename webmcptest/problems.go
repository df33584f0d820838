package webmcptest

import (
	"context"
	"slices"
	"strings"

	"github.com/webmcp-wasm/webmcp/driver"
)

// expectation is a problem that the test wants to see.
type expectation struct {
	text string // a part of it
	many bool   // it may come more than once
}

// Expect allows one problem whose text contains the given one, and fails the
// test if it never comes.
func (p *Page) Expect(text string) { p.expect(expectation{text: text}) }

// ExpectSome allows any number of such problems, but not none.
func (p *Page) ExpectSome(text string) { p.expect(expectation{text: text, many: true}) }

func (p *Page) expect(e expectation) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.expected = append(p.expected, e)
}

// Problems returns what the page has caused so far, and forgets it: whoever
// takes the problems judges them.
func (p *Page) Problems() []string {
	p.tb.Helper()
	p.try(p.settle)
	return p.take(func(string) bool { return true })
}

// Forgive forgets the problems so far whose text contains the given one.
func (p *Page) Forgive(text string) {
	p.tb.Helper()
	p.try(p.settle)
	p.take(func(problem string) bool { return strings.Contains(problem, text) })
}

// Console returns the lines written to the console so far, each with its kind
// before it ("log: ...", "exception: ...").
func (p *Page) Console() []string { return p.page.Console() }

// AwaitRecord waits until done is true of the page's problems and console lines.
// what says what is waited for.
func (p *Page) AwaitRecord(what string, done func(problems, console []string) bool) {
	p.tb.Helper()
	p.try(func(ctx context.Context) error {
		return p.page.AwaitRecord(ctx, what, func(problems []driver.Problem, console []string) bool {
			return done(texts(slices.DeleteFunc(slices.Clone(problems), p.ignores)), console)
		})
	})
}

func (p *Page) take(take func(text string) bool) []string {
	return texts(p.page.TakeProblems(func(problem driver.Problem) bool { return !p.ignores(problem) && take(problem.Text) }))
}

// ignores reports whether a problem is none to this test.
func (p *Page) ignores(problem driver.Problem) bool {
	return problem.Kind == driver.ConsoleError && !p.options.ConsoleErrors
}

func texts(problems []driver.Problem) []string {
	list := make([]string, len(problems))
	for i, problem := range problems {
		list[i] = problem.Text
	}
	return list
}

// judge fails the test for problems that it did not expect, and for expected
// ones that did not come.
func (p *Page) judge() {
	p.tb.Helper()
	problems, missing := p.verdict()
	for _, problem := range problems {
		p.tb.Errorf("the page caused: %s", problem)
	}
	for _, text := range missing {
		p.tb.Errorf("the page never caused the expected: %s", text)
	}
}

func (p *Page) verdict() (problems, missing []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	seen := make([]bool, len(p.expected))
next:
	for _, problem := range p.take(func(string) bool { return true }) {
		for i, e := range p.expected {
			if (e.many || !seen[i]) && strings.Contains(problem, e.text) {
				seen[i] = true
				continue next
			}
		}
		problems = append(problems, problem)
	}
	for i, e := range p.expected {
		if !seen[i] {
			missing = append(missing, e.text)
		}
	}
	p.expected = nil
	return problems, missing
}
