// Package handlers lets the handlers that package typed makes read the text of
// an input themselves, where a driver has one: a driver that knows such a handler
// gives it a *jsontape.Text as the input, instead of a Go value. Package typed is
// large, so that what drives calls must not import it.
package handlers

// ReadsText reports whether a hooks.Handler is one that takes a *jsontape.Text.
// Where there is no such handler in the program, it is nil.
var ReadsText func(handler any) bool
