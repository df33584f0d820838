package hooks

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/webmcp-wasm/webmcp/internal/texts"
)

// InputError is why a call failed whose input breaks the tool's input schema.
type InputError struct{ Err error }

// Error returns the text that the agent gets.
func (e *InputError) Error() string { return texts.InvalidInput + ": " + e.Err.Error() }

// Unwrap returns the *schema.ValidationError.
func (e *InputError) Unwrap() error { return e.Err }

// OutputError is why a call failed whose output breaks the tool's output schema.
type OutputError struct{ Err error }

// Error returns the text that the agent gets.
func (e *OutputError) Error() string { return texts.InvalidOutput + ": " + e.Err.Error() }

// Unwrap returns the *schema.ValidationError.
func (e *OutputError) Unwrap() error { return e.Err }

// AbortError is why a call failed whose signal aborted: errors.Is finds
// context.Canceled in it, and the cause.
type AbortError struct{ Cause error }

// Error returns the text that the agent gets.
func (e *AbortError) Error() string {
	if e.Cause == nil || errors.Is(e.Cause, context.Canceled) {
		return texts.Aborted
	}
	return texts.Aborted + ": " + ErrorText(e.Cause)
}

// Unwrap returns the cause, and context.Canceled.
func (e *AbortError) Unwrap() []error { return []error{context.Canceled, e.Cause} }

// TimeoutError is why a call failed that took longer than its Set.Timeout allows.
// errors.Is finds context.DeadlineExceeded in it.
type TimeoutError struct {
	Tool  string
	Limit time.Duration
}

// Error returns the text that the agent gets.
func (e *TimeoutError) Error() string {
	return "the tool " + e.Tool + " " + texts.TimedOut + " " + strconv.FormatInt(e.Limit.Milliseconds(), 10) + " ms"
}

// Unwrap returns context.DeadlineExceeded.
func (e *TimeoutError) Unwrap() error { return context.DeadlineExceeded }

// ConfigurationError says what is wrong with a tool.
type ConfigurationError struct{ Message string }

// Error returns the message.
func (e *ConfigurationError) Error() string { return e.Message }

// ErrorText returns the text of an error as agents get it. It does not panic,
// also where err.Error does, as that of a nil pointer may.
func ErrorText(err error) (text string) {
	defer func() {
		if recover() != nil {
			text = texts.Unreadable
		}
	}()
	if text = err.Error(); text == "" {
		return texts.NoMessage
	}
	return text
}
