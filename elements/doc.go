// Package elements tests the custom elements of wasm/elements.js in a real
// Chromium: what they show, and that they are accessible, in a page of their own
// and in the demo.
package elements
