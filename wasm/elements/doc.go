// Package elements is four custom elements, elements.js, and their tests in a
// real Chromium: what they show, and that they are accessible, in a page of their
// own and in the demo.
package elements
