package driver

import (
	"context"
	"errors"
	"fmt"
	"time"
)

var (
	// ErrNoWebMCP is returned to the agent where the page has no
	// document.modelContext.
	ErrNoWebMCP = errors.New("the page has no document.modelContext. Chrome has it on https pages and on localhost, when it is started with --enable-features=WebMCP or has chrome://flags/#enable-webmcp-testing switched on")

	// ErrCanceled is how a call ends that the agent has withdrawn.
	ErrCanceled = errors.New("the call was cancelled")

	// ErrLeft is how a call ends whose document has gone: the page was left or
	// reloaded, its frame was removed, its tab was closed or has crashed. Chrome
	// itself reports nothing then.
	ErrLeft = errors.New("the document of the tool has gone, and the call with it")
)

// ToolError is how a call ends that Chrome reports as failed: the tool threw, or
// returned what Chrome cannot pass on.
type ToolError struct {
	Tool string
	Text string // what Chrome says, to users of its protocol only
}

// Error says which tool failed, and what Chrome says.
func (e *ToolError) Error() string { return "the tool " + e.Tool + " failed: " + e.Text }

// waited is the error of a wait that was in vain: what for, why it ended, and
// what was there instead.
func waited(what string, why error, there string) error {
	return fmt.Errorf("waited for %s: %w; %s", what, why, there)
}

// afterwards returns a context for a last look at the page when ctx has ended.
func afterwards(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
}
