package jsontape

import (
	"errors"
	"strconv"
)

// ErrTooDeep is returned by Parse and Append for arrays and objects nested deeper than MaxDepth, which Append also
// meets in a value that contains itself.
var ErrTooDeep = errors.New("JSON is nested deeper than " + strconv.Itoa(MaxDepth) + " levels")

// ErrTooMany is returned by Parse for a text that has more than MaxValues values and names.
var ErrTooMany = errors.New("JSON has more than " + strconv.Itoa(MaxValues) + " values and names")

// SyntaxError says that a text is not JSON.
type SyntaxError struct {
	Offset  int    // the byte at which the text stops being JSON, counted from 0
	Message string // what is wrong there
}

// Error returns the message and the offset.
func (e *SyntaxError) Error() string {
	return "invalid JSON: " + e.Message + " at byte " + strconv.Itoa(e.Offset)
}

// EncodeError says that a Go value cannot be written as JSON.
type EncodeError struct {
	Path    string // where in the value, such as "items[2].price"; "" is the value itself
	Message string // what is wrong there, and what to return instead
	Err     error  // what MarshalJSON returned, or nil
}

// Error returns the path and the message.
func (e *EncodeError) Error() string {
	if e.Path == "" {
		return "cannot write value as JSON: " + e.Message
	}
	return "cannot write " + e.Path + " as JSON: " + e.Message
}

// Unwrap returns Err.
func (e *EncodeError) Unwrap() error { return e.Err }
