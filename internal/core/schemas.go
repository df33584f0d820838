//go:build js && wasm

package core

import (
	"errors"

	"github.com/webmcp-wasm/webmcp/hooks/schema"
	"github.com/webmcp-wasm/webmcp/internal/jsontape"
)

var (
	schemas  table[*schema.Schema]
	document schema.Document // the value that is checked
	isValid  bool            // whether webmcp_validate has found it valid, and no text has come since
	// reply is the text that JavaScript reads after an export that has one.
	reply []byte
)

// Reply sets the text that JavaScript reads after an export of package bridge.
func Reply(text []byte) { reply = text }

// webmcp_reply returns the address of the text of the last answer.
//
//go:wasmexport webmcp_reply
func webmcpReply() uint32 {
	if len(reply) == 0 {
		return 0
	}
	return address(&reply[0])
}

// webmcp_reply_length returns the length of the text of the last answer, in
// bytes.
//
//go:wasmexport webmcp_reply_length
func webmcpReplyLength() int32 { return int32(len(reply)) }

// webmcp_schema compiles the JSON Schema in the first n bytes of the buffer, and
// returns its number; or NoNumber, and the reply says why it cannot be enforced. With
// fill, its defaults are filled in. The reply to a number is what the schema's author ought
// to know, a line for each warning.
//
//go:wasmexport webmcp_schema
func webmcpSchema(n, fill int32) int32 {
	s, err := schema.Compile(inbox[:n], schema.Options{
		Regexp:        Regexp,
		Formats:       map[string]func(string) bool{"regex": isRegexp},
		MaxInputBytes: -1, // the glue knows the limit
		NoDefaults:    fill == 0,
	})
	if err != nil {
		reply = append(reply[:0], err.Error()...)
		return NoNumber
	}
	reply = reply[:0]
	for _, warning := range s.Warnings() {
		reply = append(append(reply, warning...), '\n')
	}
	return schemas.add(s)
}

// webmcp_schema_free forgets a schema.
//
//go:wasmexport webmcp_schema_free
func webmcpSchemaFree(number int32) { schemas.remove(number) }

// webmcp_validate checks the JSON text in the first n bytes of the buffer: it is
// Valid, Filled or Invalid.
//
//go:wasmexport webmcp_validate
func webmcpValidate(number, n int32) int32 {
	s := schemas.get(number)
	if s == nil {
		reply = append(appendIssue(append(reply[:0], '['), "", "cannot be checked: its schema was not compiled"), ']')
		return Invalid
	}
	changed, err := s.ValidateInto(&document, inbox[:n])
	isValid = err == nil
	switch {
	case err != nil:
		reply = appendIssues(reply[:0], err)
		return Invalid
	case changed != nil:
		reply = append(reply[:0], changed...)
		return Filled
	}
	return Valid
}

// TakeValid returns the value that webmcp_validate has found valid, with its defaults;
// nil where another text has come since.
func TakeValid() *jsontape.Text {
	if !isValid {
		return nil
	}
	isValid = false
	return document.Taken()
}

// appendIssues writes the issues of a ValidationError as the glue reads them.
func appendIssues(dst []byte, err error) []byte {
	var failure *schema.ValidationError
	if !errors.As(err, &failure) {
		failure = &schema.ValidationError{Issues: []schema.Issue{{Expected: err.Error()}}}
	}
	dst = append(dst, '[')
	for i, issue := range failure.Issues {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendIssue(dst, issue.Path, schema.Issue{Expected: issue.Expected, Got: issue.Got}.String())
	}
	if failure.More {
		dst = appendIssue(append(dst, ','), "", schema.AndMore)
	}
	return append(dst, ']')
}

func appendIssue(dst []byte, path, message string) []byte {
	dst = jsontape.AppendString(append(dst, `{"path":`...), path)
	return append(jsontape.AppendString(append(dst, `,"message":`...), message), '}')
}

// regexp_new makes a browser's RegExp of the pattern at an address, and returns
// its number, or NoNumber where it is not a pattern. None of these calls page code:
// an exported function is on the stack.
//
//go:wasmimport webmcp regexp_new
func regexpNew(address uint32, length int32) int32

// regexp_check reports whether the text at an address is a pattern.
//
//go:wasmimport webmcp regexp_check
func regexpCheck(address uint32, length int32) int32

func isRegexp(s string) bool { return regexpCheck(start(s), int32(len(s))) != 0 }

// regexp_test reports whether a RegExp matches in the text at an address: 1, or 0; less where the browser gave up.
//
//go:wasmimport webmcp regexp_test
func regexpTest(number int32, address uint32, length int32) int32

// Regexp compiles a pattern with the browser's RegExp, which is what ECMA-262
// patterns are written for.
func Regexp(pattern string) (match func(s string) (bool, error), err error) {
	number := regexpNew(start(pattern), int32(len(pattern)))
	if number == NoNumber {
		return nil, errors.New("the browser's RegExp refuses the pattern")
	}
	return func(s string) (bool, error) {
		matched := regexpTest(number, start(s), int32(len(s)))
		if matched < 0 {
			return false, errGaveUp
		}
		return matched > 0, nil
	}, nil
}

var errGaveUp = errors.New("the browser's RegExp gave up")
