// Package texts holds the sentences that agents and developers read whichever
// driver made them: package hooks natively, and the glue and package bridge in a
// page. The glue gets them when its file is joined, so that each stands here
// alone.
package texts

import "github.com/webmcp-wasm/webmcp/hooks/policy"

// What agents read.
const (
	Aborted       = "the call was aborted"
	DeniedMessage = "the call was denied, and nothing was done"
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
	Concealed = "the call has failed, and why cannot be passed on"
	// Reported is what a log says of a call that a rule in report mode is about.
	Reported = "a rule that only reports would have ended or changed a call"
	// PolicyUnavailable is what the agent reads where the page's policy is not there.
	PolicyUnavailable     = "the policy of this page cannot be read, and so no call is let through. Nothing was done. Tell the user"
	PolicyUnavailableCode = "POLICY_UNAVAILABLE"

	NoMessage  = "an error without a message"
	Unreadable = "an error that cannot be read"
)

// What agents read of a call that needed a human. Models like to report such a call
// as done: each text says that nothing was, and what to do now.
const (
	UserDenied     = "the user did not approve this call. Nothing was done. Do not try it again unchanged: ask the user what they want"
	UserSaid       = "the user did not approve this call, and says: %s. Nothing was done. Do not try it again unchanged" // with the reason
	UserDeniedCode = "USER_DENIED"

	ApprovalTimeout         = "the user was asked to approve this call and has not answered in time. Nothing was done. Tell the user, and try again only when they ask for it"
	ApprovalTimeoutCode     = "APPROVAL_TIMEOUT"
	ApprovalUnavailable     = "this call needs the approval of the user, who cannot be asked now. Nothing was done. Tell the user"
	ApprovalUnavailableCode = "APPROVAL_UNAVAILABLE"
	ApprovalGone            = "the tool was taken away before the user decided. Nothing was done"
	ApprovalPolicyError     = "the page could not find out whether this call may be made. Nothing was done. Trying again will not help: tell the user"
	ApprovalPolicyErrorCode = "APPROVAL_POLICY_ERROR"

	// Edited is a text of its own behind the output, with the input as JSON.
	Edited = "The user changed the input before they approved this call. It ran with this, and not with what you sent: "

	PendingPrefix       = "Pending: "
	ApprovalPending     = "the user has not decided yet whether this call may be made. Nothing was done so far. Do not make it again: call get_approval with this id to hear what they decide: "
	ApprovalPendingCode = "APPROVAL_PENDING"
	ApprovalUnknown     = "there is no approval with this id that waits, or whose answer is kept: "
	ApprovalUnknownCode = "APPROVAL_UNKNOWN"

	GetApproval     = "get_approval"
	GetApprovalText = "Waits for the user's decision about a call that was answered with APPROVAL_PENDING, and returns what came of that call. The id is the approvalId of that answer."
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
	"ABORT_MESSAGE":              Aborted,
	"DENIED_MESSAGE":             DeniedMessage,
	"DENIED_CODE":                DeniedCode,
	"DENIED_PREFIX":              DeniedPrefix,
	"ERROR_PREFIX":               ErrorPrefix,
	"TIMEOUT_CODE":               TimeoutCode,
	"TIMED_OUT":                  TimedOut,
	"DROPPED":                    Dropped,
	"INVALID_INPUT":              InvalidInput,
	"INVALID_OUTPUT":             InvalidOutput,
	"WITHHELD":                   Withheld,
	"CONCEALED":                  Concealed,
	"OUTPUT_TOO_LARGE":           OutputTooLarge,
	"POLICY_UNAVAILABLE":         PolicyUnavailable,
	"POLICY_UNAVAILABLE_CODE":    PolicyUnavailableCode,
	"REDACTION_CODE":             policy.RedactionCode,
	"OUTPUT_CODE":                policy.OutputCode,
	"UNREDACTABLE":               policy.Unredactable,
	"NO_MESSAGE":                 NoMessage,
	"UNREADABLE":                 Unreadable,
	"INVALID_NAME":               InvalidName,
	"USER_DENIED":                UserDenied,
	"USER_SAID":                  UserSaid,
	"USER_DENIED_CODE":           UserDeniedCode,
	"APPROVAL_TIMEOUT":           ApprovalTimeout,
	"APPROVAL_TIMEOUT_CODE":      ApprovalTimeoutCode,
	"APPROVAL_UNAVAILABLE":       ApprovalUnavailable,
	"APPROVAL_UNAVAILABLE_CODE":  ApprovalUnavailableCode,
	"APPROVAL_GONE":              ApprovalGone,
	"APPROVAL_POLICY_ERROR":      ApprovalPolicyError,
	"EDITED":                     Edited,
	"APPROVAL_POLICY_ERROR_CODE": ApprovalPolicyErrorCode,
	"PENDING_PREFIX":             PendingPrefix,
	"APPROVAL_PENDING":           ApprovalPending,
	"APPROVAL_PENDING_CODE":      ApprovalPendingCode,
	"APPROVAL_UNKNOWN":           ApprovalUnknown,
	"APPROVAL_UNKNOWN_CODE":      ApprovalUnknownCode,
	"GET_APPROVAL":               GetApproval,
	"GET_APPROVAL_TEXT":          GetApprovalText,
	"EMPTY_TEXT":                 EmptyText,
	"ILL_FORMED":                 IllFormed,
	"NO_OBJECT":                  NoObject,
	"NOT_OF_OBJECT":              NotOfObject,
	"UNENFORCED":                 Unenforced,
}
