// Package testing is webmcp_testing.js, which plays the browser and the agent for tests under Node.js without a browser. What
// it does is tested as strangers would use it, in package npm.
package testing
