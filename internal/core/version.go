package core

// Version is the version of the module; webmcp.version in JavaScript.
const Version = "0.1.0"
