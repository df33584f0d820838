//go:build js && wasm

package core

import "unsafe"

// inbox holds the text that JavaScript writes before it calls an export that
// takes a length. It stays referenced, so its address stays good until the next
// webmcp_buffer.
var inbox []byte

// webmcp_buffer makes room for size bytes of text and returns its address in
// linear memory.
//
//go:wasmexport webmcp_buffer
func webmcpBuffer(size int32) uint32 {
	if int(size) > cap(inbox) || cap(inbox) > keep && int(size) <= keep {
		inbox = make([]byte, max(int(size), 64))
	}
	inbox = inbox[:cap(inbox)]
	isValid = false
	return address(&inbox[0])
}

// keep is the size up to which the inbox is kept for the next text.
const keep = 1 << 16

// Text returns a copy of the first n bytes that JavaScript wrote.
func Text(n int32) string { return string(inbox[:n]) }

// Bytes is Text for a reader that wants bytes.
func Bytes(n int32) []byte { return append([]byte(nil), Written(n)...) }

// Written returns the first n bytes that JavaScript wrote. They stay until it writes
// again: not longer than the export runs.
func Written(n int32) []byte { return inbox[:n] }

// address returns where v is in linear memory. Go does not move what is on the
// heap; the caller keeps it referenced.
func address[T any](v *T) uint32 { return uint32(uintptr(unsafe.Pointer(v))) }

// start returns where the bytes of a text are; the caller keeps it referenced.
func start(s string) uint32 { return uint32(uintptr(unsafe.Pointer(unsafe.StringData(s)))) }
