//go:build js && wasm

package bridge

import "context"

// ending is a context that ends when end is called. What has to be there for those
// who wait for that is made when one of them comes: most Go code only asks whether
// it has ended, or not even that. A page has one thread, so that nothing is locked.
type ending struct {
	context.Context // has the values, and never ends

	ended  bool
	waited context.Context // for its end, by others; nil before
	cancel func()          // of that
}

// Done returns a channel that is closed when end is called.
func (e *ending) Done() <-chan struct{} {
	if e.waited == nil {
		e.waited, e.cancel = context.WithCancel(e.Context)
		if e.ended {
			e.cancel()
		}
	}
	return e.waited.Done()
}

// Err returns context.Canceled once end was called.
func (e *ending) Err() error {
	if e.ended {
		return context.Canceled
	}
	return nil
}

// Value is that of the context within. To package context, which looks for its own
// contexts by it, those who wait belong to that one.
func (e *ending) Value(key any) any {
	if e.waited != nil {
		return e.waited.Value(key)
	}
	return e.Context.Value(key)
}

func (e *ending) end() {
	e.ended = true
	if e.cancel != nil {
		e.cancel()
	}
}
