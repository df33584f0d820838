//go:build js && wasm && lint

package bridge

// See exports_lint.go of package core.
func init() {
	webmcpApproval(0, 0)
	webmcpKeep(0)
	webmcpWork(0, 0, 0, 0, 0, 0)
}
