// What Go and the glue share.

// What pipeline.Op, pipeline.Event, pipeline.Phase and pipeline.Outcome say.
const HOOKS = 1, VALIDATE = 2, CALL = 4, CHECK = 5, SETTLE = 6;
const DONE = 0, DENY = 1, FAIL = 2, ABORT = 3, LATE = 4;
const BEFORE = 0, AFTER = 1, ERROR = 2, DENIED = 3;
const SUCCEEDED = 0, WAS_DENIED = 1;
const PHASES = ['before', 'after', 'error', 'denied'];

// Owners of a hook in a plan, and the bit of webmcp_start, as in Go.
const TOOL_OWNER = -1, GO_OWNER = -2, FRESH = 1 << 30;

// Answers of webmcp_validate.
const VALID = 0, FILLED = 1;

// Operations of native, in modelcontext.go.
const SUPPORTED = 0, REGISTER_TOOL = 1, GET_TOOLS = 2, EXECUTE_TOOL = 3, LISTEN = 4;
