// Package browser has what package hooks takes from the page that a program runs in, where it
// runs in one: package bridge brings it.
package browser

import "github.com/webmcp-wasm/webmcp/hooks/schema"

// Regexp compiles patterns with the browser's RegExp. It is nil until package bridge is
// initialised, and never changes then.
var Regexp schema.Regexp
