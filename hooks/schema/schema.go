// Package schema compiles JSON Schemas once and checks JSON texts against them, for code that runs in a page: it is
// small, imports nothing heavy, and looks at the text itself, without building Go values.
//
// The language is JSON Schema 2020-12, and draft-07 where it spells the same keywords otherwise (definitions,
// dependencies, a list in items with additionalItems, an $id that is only a fragment). What is particular here:
//
//   - format is an assertion, for all the formats of the standard, and for int32, int64, float and double as ranges. Of
//     idn-hostname only the shape is checked. What is not known is an annotation, and in Schema.Warnings.
//   - default fills in a missing property, before anything is checked, also in the branch of anyOf, oneOf or if that the
//     input takes; see Options.NoDefaults. Schema.Warnings names the defaults that are never filled in.
//   - errorMessage, where it is a text, is what is said of a value that is not valid against its schema.
//   - What cannot be enforced is refused by Compile, never ignored: a $ref that leaves the document, $dynamicRef, a
//     keyword that is not known, a default that breaks its own schema. Annotations (title, description,
//     examples, readOnly, x-..., see annotations) are let through.
//   - Siblings of $ref count, whatever $schema says.
//   - Numbers are compared exactly, as decimals, never as rounded floats.
package schema

import (
	"errors"

	"github.com/webmcp-wasm/webmcp/internal/jsontape"
)

// DefaultMaxInputBytes is the limit on the length of an input where Options.MaxInputBytes is 0: 10 MiB.
const DefaultMaxInputBytes = 10 << 20

// Regexp compiles an ECMA-262 pattern (flag u) to a function that reports whether it matches anywhere in a string. Its
// error says that this could not be found out, as backtracking engines give up on some strings: the input is then
// invalid, wherever in the schema the pattern stands. It must be safe for concurrent use if the Schema is used so.
type Regexp func(pattern string) (match func(s string) (bool, error), err error)

// Options say how to compile a schema. The zero value is ready for schemas without patterns.
type Options struct {
	// Regexp compiles pattern and patternProperties. Without it a schema that uses them is refused. Package re2 has
	// one for native programs; in a browser it is the browser's own RegExp.
	Regexp Regexp
	// MaxInputBytes limits the length of an input. 0 is DefaultMaxInputBytes, a negative number is no limit.
	MaxInputBytes int
	// NoDefaults leaves missing properties missing: default is then an annotation.
	NoDefaults bool
	// Formats adds formats, or replaces those of this package. A nil function makes the format an annotation.
	Formats map[string]func(s string) bool
	// Annotations names further keywords to let through, as they change nothing about what is valid.
	Annotations []string
	// Authored is for inputs that people write: paths are JSON Pointers, and an object with two members of one name is
	// an issue, of which else the last one counts.
	Authored bool
	// Condition compiles a schema for Holds. References and what is unevaluated are not for conditions.
	Condition bool
}

// ErrUnsupported is what errors.Is finds in a CompileError for a schema that may be a good one, but that this package
// cannot enforce.
var ErrUnsupported = errors.New("not supported")

// ErrTooLarge is what errors.Is finds in the ValidationError for an input over MaxInputBytes.
var ErrTooLarge = errors.New("input too large")

// ErrTooComplex is what errors.Is finds in the ValidationError for an input that would take too long to check, as a
// schema that branches and recurses can make it.
var ErrTooComplex = errors.New("input too complex")

// ErrNotChecked is what errors.Is finds in the ValidationError for an input with a text that a pattern could not be
// matched with.
var ErrNotChecked = errors.New("not checked")

// ErrNotJSON is what errors.Is finds in a CompileError and a ValidationError for a text that is not JSON. Their message
// says where it ends to be.
var ErrNotJSON = errors.New("not JSON")

// ErrTooDeep is what errors.Is finds in a CompileError and a ValidationError for a text whose arrays and objects are
// nested deeper than 1000 levels.
var ErrTooDeep = jsontape.ErrTooDeep

// CompileError says why a schema cannot be enforced.
type CompileError struct {
	Pointer string // where in the schema, as a JSON pointer in a fragment: "#/properties/id/type"
	Message string // what is wrong there
	Err     error  // ErrUnsupported, ErrNotJSON, ErrTooDeep, or nil
}

// Error returns the pointer and the message.
func (e *CompileError) Error() string { return "schema " + e.Pointer + ": " + e.Message }

// Unwrap returns Err.
func (e *CompileError) Unwrap() error { return e.Err }

// Schema is a compiled schema. It never changes, and may be used by several goroutines at once.
type Schema struct {
	tape     *jsontape.Tape
	root     *subschema
	maxInput int
	authored bool
	warnings []string
}

// Warnings returns what the author of the schema ought to know of it, each with a JSON pointer to it before: a format
// that is not known, a default that is never filled in.
func (s *Schema) Warnings() []string { return s.warnings }

// Compile compiles the text of a schema. An error is always a *CompileError, for the first thing that is wrong.
func Compile(text []byte, opts Options) (*Schema, error) {
	tape := new(jsontape.Tape)
	if err := tape.Parse([]byte(string(text))); err != nil { // the schema keeps its text: it must not change
		return nil, &CompileError{Pointer: "#", Message: err.Error(), Err: unread(err)}
	}
	c := newCompiler(tape, opts)
	root := c.document()
	if c.err != nil {
		return nil, c.err
	}
	c.warnOfDefaults(root)
	s := &Schema{tape: tape, root: root, maxInput: opts.MaxInputBytes, authored: opts.Authored, warnings: c.warnings}
	if s.maxInput == 0 {
		s.maxInput = DefaultMaxInputBytes
	}
	if err := c.checkDefaults(s); err != nil {
		return nil, err
	}
	return s, nil
}

// Validate checks a JSON text. Where defaults were filled in, changed is the new text; otherwise it is nil. The error
// is a *ValidationError, also for a text that is no JSON, too long, or nested too deep.
func (s *Schema) Validate(input []byte) (changed []byte, err error) {
	return s.ValidateInto(new(Document), input)
}

// Document is what was read of an input. The zero value is ready for ValidateInto, and the same Document may be used
// for one input after the other: then reading allocates nothing. It must not be used by several goroutines at once.
type Document struct {
	tape  jsontape.Tape
	valid bool
}

// Value returns the input as encoding/json decodes it into an any, defaults included. It is nil until ValidateInto has
// found an input valid, and once it has found one invalid.
func (d *Document) Value() any {
	if !d.valid {
		return nil
	}
	return d.tape.Value(jsontape.Root)
}

// Taken returns the input that ValidateInto has found valid, defaults included, for drivers; nil where there is none. The
// document does not have it any more, and the input may change.
func (d *Document) Taken() *jsontape.Text {
	if !d.valid {
		return nil
	}
	d.valid = false
	return d.tape.TakeAll().Part(jsontape.Root)
}

// ValidateInto is Validate with a document of the caller's. The input must not change while the document is in use.
func (s *Schema) ValidateInto(d *Document, input []byte) (changed []byte, err error) {
	d.valid = false
	if err := s.checkSize(len(input)); err != nil {
		return nil, err
	}
	if err := d.tape.Parse(input); err != nil {
		return nil, refuse(err.Error(), unread(err))
	}
	changed, err = s.validate(&d.tape)
	d.valid = err == nil
	return changed, err
}

// unread turns the error of a tape into one of this package.
func unread(err error) error {
	if err == ErrTooDeep {
		return err
	}
	return ErrNotJSON
}

// Read reads an input for Holds. The error is a *ValidationError, and d holds nothing then. The input must not change
// while the document is in use.
func (d *Document) Read(input []byte) error {
	d.valid = false
	if err := d.tape.Parse(input); err != nil {
		return refuse(err.Error(), unread(err))
	}
	d.valid = true
	return nil
}

// Tape returns what was read, for other packages of this module.
func (d *Document) Tape() *jsontape.Tape { return &d.tape }

func (s *Schema) validate(t *jsontape.Tape) (changed []byte, err error) {
	r := run{schema: s, tape: t}
	if s.root.fills {
		if changed, err = r.fillDefaults(s.root); err != nil {
			return nil, err
		}
	}
	r.allow()
	valid := r.check(s.root, jsontape.Root, untracked)
	if object, found := t.Twice(); found && s.authored {
		valid = r.reportBare(object, "has two members of one name")
	}
	if r.steps < 0 {
		return nil, r.gaveUp()
	}
	if !valid {
		return nil, &ValidationError{Issues: r.issues, More: r.more}
	}
	return changed, nil
}

func (s *Schema) checkSize(n int) error {
	if s.maxInput < 0 || n <= s.maxInput {
		return nil
	}
	return refuse("is "+itoa(n)+" bytes long, the limit is "+itoa(s.maxInput), ErrTooLarge)
}

// gaveUp is the error for an input that could not be checked to the end.
func (r *run) gaveUp() error {
	if r.unmatched != nil {
		return &ValidationError{Issues: []Issue{*r.unmatched}, Err: ErrNotChecked}
	}
	return refuse("is too complex to be checked: send less, or nest it less", ErrTooComplex)
}

// refuse is the error for an input that is not looked at any further.
func refuse(expected string, cause error) error {
	return &ValidationError{Issues: []Issue{{Expected: expected}}, Err: cause}
}
