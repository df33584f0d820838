// Package texts holds the sentences that agents and developers read whichever
// driver made them: package hooks natively, and the glue and package bridge in a
// page. The glue gets them when its file is joined, so that each stands here
// alone.
package texts

// What agents read.
const (
	Aborted       = "the call was aborted"
	DeniedMessage = "the call was denied"
	DeniedCode    = "DENIED"
	DeniedPrefix  = "Denied: "
	ErrorPrefix   = "Error: "
	TimeoutCode   = "TIMEOUT"
	TimedOut      = "has not finished within" // before the limit; the name of the tool stands before it
	Dropped       = "the result came after the timeout and was dropped"
	InvalidInput  = "invalid input"
	InvalidOutput = "the tool returned what its contract does not allow"
	// OutputTooLarge stands before how many bytes a result has, and may have.
	OutputTooLarge = "the result is too large, return less, such as a page at a time: it has"
	// Withheld is what the agent reads of what failed behind the function: the
	// message may quote what was to be redacted.
	Withheld = "the tool has run, but its output cannot be passed on"
	// Concealed is what the agent reads where an error hook that was to change the
	// message has failed.
	Concealed  = "the call has failed, and why cannot be passed on"
	NoMessage  = "an error without a message"
	Unreadable = "an error that cannot be read"
)

// What is wrong with a contract; the name of the tool, or the text that is
// wrong, stands before each.
const (
	InvalidName = "is not valid: use 1 to 128 letters, digits, _, . or -"
	EmptyText   = "that is not empty: it tells the agent what the tool does"
	IllFormed   = "is not well-formed Unicode"
	NoObject    = "must be an object"
	NotOfObject = `must be of an object, with the type "object": agents send nothing else`
	Unenforced  = "cannot be enforced"
)

// ForGlue has the texts by the names under which the glue knows them.
var ForGlue = map[string]string{
	"ABORT_MESSAGE":    Aborted,
	"DENIED_MESSAGE":   DeniedMessage,
	"DENIED_CODE":      DeniedCode,
	"DENIED_PREFIX":    DeniedPrefix,
	"ERROR_PREFIX":     ErrorPrefix,
	"TIMEOUT_CODE":     TimeoutCode,
	"TIMED_OUT":        TimedOut,
	"DROPPED":          Dropped,
	"INVALID_INPUT":    InvalidInput,
	"INVALID_OUTPUT":   InvalidOutput,
	"WITHHELD":         Withheld,
	"CONCEALED":        Concealed,
	"OUTPUT_TOO_LARGE": OutputTooLarge,
	"NO_MESSAGE":       NoMessage,
	"UNREADABLE":       Unreadable,
	"INVALID_NAME":     InvalidName,
	"EMPTY_TEXT":       EmptyText,
	"ILL_FORMED":       IllFormed,
	"NO_OBJECT":        NoObject,
	"NOT_OF_OBJECT":    NotOfObject,
	"UNENFORCED":       Unenforced,
}
