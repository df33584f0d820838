// Package cases holds what a call must come to, case by case, whoever drives it:
// hooks.Run natively, and a page with Go or with JavaScript hooks. A case says
// once what the hooks and the function do, and what the agent, the order and the
// observers must be. Where drivers differ, the case says so with the reason; a
// difference that is gone is an error of the table.
//
// The tests are in hooks and in e2e. Package gocases makes tools of the cases for
// both drivers of Go; e2e/testdata/site/goapp/cases.js makes them in JavaScript.
package cases

import "slices"

// Driver is who runs a case.
type Driver string

// The drivers.
const (
	Native Driver = "hooks.Run"
	Go     Driver = "Go in a page"
	Script Driver = "JavaScript in a page"
	Async  Driver = "asynchronous JavaScript in a page"
)

// Sets of drivers that have something in common.
var (
	InGo     = []Driver{Native, Go}
	InScript = []Driver{Script, Async}
	InPages  = []Driver{Go, Script, Async}
)

// Case is one call of a tool in two scopes, outer and inner. Each scope and the
// tool have, in each phase, a hook that writes down that it ran, in front of the
// hooks of the case.
type Case struct {
	Name                 string
	Input                string // JSON; empty: {"n":1}
	Schema, OutputSchema string // JSON; empty: none
	Outer, Inner, Tool   Hooks
	Fn                   Act
	Aborted              bool   // before it begins
	Reason               string // of an abort; empty: none but the general one
	Human                string // who is asked: "approve", or why not; empty: must not be

	Want   Want
	Except []Difference
	// Only names the drivers that can say the case at all. Empty: all.
	Only []Driver
}

// Hooks are the hooks of one place, by phase, and its approvals.
type Hooks struct {
	Before, After, Error, Denied []Act
	Approval                     []Policy
}

// Policy is an approval. Its functions write down that they ran; the zero Act is none.
type Policy struct {
	Only     string // "consequential" or "writes"; without a When
	When     Act    // Judge, Deny, Fail, Put, Set, Panic or Goexit; it asks where it does not say otherwise
	Title    string
	Describe Act // Judge, Fail, Panic or Goexit
	Details  Act
}

// Act is what a hook or the function does.
type Act struct {
	Do         Do
	Value      Value
	Code, Text string
}

// Do is a kind of act. Each says what it takes.
type Do string

// The acts. The zero Act of a hook keeps everything; that of the function
// returns its input.
const (
	Set    Do = "set"    // Value: the input of a before hook, the output of all else
	Return Do = "return" // Value.JS: what a JavaScript hook returns
	Deny   Do = "deny"   // Code, Text; and Value, the input beside it
	Fail   Do = "fail"   // Value: an error; or Text, that of one
	Abort  Do = "abort"  // the call itself; then what Value, Text and Code are for: set, fail, deny
	Put    Do = "put"    // Value under the name Text in the metadata
	Drop   Do = "drop"   // the name Text of the metadata
	Say    Do = "say"    // Text, by an error hook to the agent
	Blurt  Do = "blurt"  // fails with the message for the agent, which an error hook has read
	Take   Do = "take"   // returns what the metadata have under the name Text
	Judge  Do = "judge"  // Text: the verdict, or what is shown
	Panic  Do = "panic"  // in Go
	Goexit Do = "goexit" // ends the goroutine, in Go
)

// Value is a value as Go and as JavaScript have it.
type Value struct {
	Go any    // a Special where package cases cannot make it
	JS string // an expression
}

// Special is a value of Go that package gocases makes.
type Special string

// The special values.
const (
	Result     Special = "a hooks.Result"
	NilResult  Special = "a nil *hooks.Result"
	BareDenial Special = "a *hooks.Denial without texts"
	Wrapped    Special = "an error that wraps a denial"
)

// OwnError is an error of the program's own: what observers in the program must
// find again.
type OwnError struct{ Number int }

// Error returns a text.
func (e *OwnError) Error() string { return "out of stock" }

// NilError is an error whose text cannot be had from a nil pointer.
type NilError struct{ text string }

// Error returns the text; it panics for nil.
func (e *NilError) Error() string { return e.text }

// Own is a value that JSON cannot say.
type Own struct{ Number int }

// Marshaler is a value with a JSON form of its own; it panics when that is empty.
type Marshaler string

// MarshalJSON returns the form.
func (m Marshaler) MarshalJSON() ([]byte, error) {
	if m == "" {
		panic("no form")
	}
	return []byte(m), nil
}

// Want is what must come out.
type Want struct {
	Result string // JSON, as the agent gets it
	Ran    string // which hooks, and fn, by place and phase
	Saw    string // what the observers of the tool were told
}

// Difference is what comes out of some drivers instead.
type Difference struct {
	In      []Driver
	Want    Want
	Because string
}

// For returns what must come out of a driver, and what would without a
// difference; ok is false when the driver cannot say the case.
func (c *Case) For(d Driver) (want, instead Want, ok bool) {
	if len(c.Only) > 0 && !slices.Contains(c.Only, d) {
		return want, instead, false
	}
	for _, difference := range c.Except {
		if slices.Contains(difference.In, d) {
			return difference.Want, c.Want, true
		}
	}
	return c.Want, c.Want, true
}

// Contract is a tool with a contract that may be wrong.
type Contract struct {
	Name    string // of the case
	Tool    Texts
	Script  string // the members that JavaScript has otherwise, as an expression
	Nothing bool   // instead of a function
	Want    string // the text of the error; empty: none
	Except  []ContractDifference
	Only    []Driver
}

// Texts are the texts of a contract.
type Texts struct{ Name, Title, Description, InputSchema, OutputSchema string }

// ContractDifference is what some drivers say instead.
type ContractDifference struct {
	In      []Driver
	Want    string
	Because string
}

// For is like that of Case.
func (c *Contract) For(d Driver) (want, instead string, ok bool) {
	if len(c.Only) > 0 && !slices.Contains(c.Only, d) {
		return "", "", false
	}
	for _, difference := range c.Except {
		if slices.Contains(difference.In, d) {
			return difference.Want, c.Want, true
		}
	}
	return c.Want, c.Want, true
}
