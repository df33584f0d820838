// What only the ES module form has, at the end of webmcp_exec.js: it loads what asks
// humans when that is needed. Stands in the function over(front, number) of that file, to which
// webmcp.js gives what its front declares and its INTERFACE; BACK has what webmcp_approvals.js needs of both (parts.go).
// May touch class Glue.

if (number !== INTERFACE) {
  throw new ConfigurationError(`webmcp.js and webmcp_exec.js are of different builds, and ${number > INTERFACE ? 'webmcp_exec.js' : 'webmcp.js'} is the older one: ${ONE_BUILD}`);
}

extend(Glue, class {
  /** Loads what asks humans. Rejects with what to change. */
  async fetchApprovals() {
    let approvals;
    try {
      approvals = await import('./webmcp_approvals.js');
    } catch (cause) {
      throw new Error('webmcp_approvals.js cannot be loaded: it must be beside webmcp_exec.js', { cause });
    }
    if (approvals.number !== INTERFACE) throw new ConfigurationError(`webmcp_exec.js and webmcp_approvals.js are of different builds: ${ONE_BUILD}`);
    if (!canAsk()) approvals.over(BACK);
  }
});
