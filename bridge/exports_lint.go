//go:build js && wasm && lint

package bridge

// See exports_lint.go of package core.
func init() {
	webmcpWork(0, 0, 0, 0, 0, 0)
}
