// Package e2e holds the end-to-end tests: a real Chromium in which the tests
// play the agent (the DevTools protocol's WebMCP domain) and the human (real
// mouse and keyboard events, aimed by role and accessible name), by way of
// package webmcptest.
//
// Run them with
//
//	go test ./e2e
//
// They find Chromium or Chrome by themselves; CHROME=/path/to/chrome names
// another one. A failing test leaves a screenshot and the page's console in
// e2e/artifacts/<test>/ and prints where.
//
// The numbers of "make bench" come from the benchmarks of this package. They
// are printed and never asserted.
package e2e
