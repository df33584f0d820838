package hooks

import (
	"context"
	"errors"
	"runtime"
)

// PanicError is the failure of an invocation whose hook or handler panicked.
type PanicError struct {
	Value any
	Stack []byte // of the goroutine that panicked
}

// Error returns a text for the agent, which says nothing of the program's
// insides.
func (*PanicError) Error() string { return "internal error: the tool's Go code panicked" }

// Reason returns what the panic said, for a log.
func (p *PanicError) Reason() string {
	switch v := p.Value.(type) {
	case error:
		return v.Error()
	case string:
		return v
	}
	return "a value that is neither an error nor a string"
}

var errGoexit = errors.New("internal error: the tool's Go code ended its goroutine")

// Protect calls f and turns a panic into an error. When f ends its goroutine
// (runtime.Goexit, FailNow of a test), Protect does not return.
func Protect(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			stack := make([]byte, 8<<10)
			err = &PanicError{v, stack[:runtime.Stack(stack, false)]}
		}
	}()
	return f()
}

// await calls f in a goroutine and waits for it, or until ctx is done. Then f
// goes on alone, and ok is false.
func await(ctx context.Context, f func() error) (err error, ok bool) {
	if ctx.Done() == nil {
		return Protect(f), true
	}
	done := make(chan error, 1)
	go func() {
		err := errGoexit
		defer func() { done <- err }()
		err = Protect(f)
	}()
	select {
	case err = <-done:
		return err, true
	case <-ctx.Done():
		return nil, false
	}
}
