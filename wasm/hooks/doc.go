// Package hooks is the hooks that pages make again and again, webmcp_hooks.js, and
// their tests in a real Chromium: what they do in a call, and that they do what
// those of Go do.
package hooks
