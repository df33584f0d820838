// Package forms is the gate of forms that the browser makes tools of,
// webmcp_forms.js, and its tests in a real Chromium.
package forms
