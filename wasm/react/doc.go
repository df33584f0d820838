// Package react is the React adapter, react.js, and its tests: an app that Vite
// builds with React 19 and 18, packages as npm installs them, in a real Chromium
// in which the tests play the agent.
//
// Run them with
//
//	go test ./wasm/react
//
// They need npm, and access to a registry of packages. Where npm is missing no
// test runs, and the package says so ("no tests to run"; -v says why); with CI
// set, that is a failure.
// CHROME=/path/to/chrome names another browser than the one that is found.
package react
