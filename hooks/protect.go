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

// ErrGoexit is why a call failed whose Go code ended its goroutine, as
// runtime.Goexit and a test's FailNow do.
var ErrGoexit = errors.New("internal error: the tool's Go code ended its goroutine")

// protect calls f and turns a panic into an error, also one that comes of looking
// into the error that f returns. When f ends its goroutine, it does not return.
func protect(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			stack := make([]byte, 8<<10)
			err = &PanicError{v, stack[:runtime.Stack(stack, false)]}
		}
	}()
	if err = f(); err != nil {
		errors.As(err, new(*PanicError))
		errors.Is(err, context.Canceled)
	}
	return err
}

// await calls f in a goroutine and waits for it, or until ctx is done. Then f
// goes on alone, what it returns is dropped, and ok is false.
func await(ctx context.Context, f func() error) (err error, ok bool) {
	done := make(chan error, 1)
	go func() {
		err := ErrGoexit
		defer func() { done <- err }()
		err = f()
	}()
	select {
	case err = <-done:
		return err, ctx.Err() == nil
	case <-ctx.Done():
		return nil, false
	}
}
