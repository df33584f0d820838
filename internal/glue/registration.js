// Part of class Glue: registrations of tools with Go and with the browser, and the
// agent's way in, once Go is there; tools.js has what comes before. Go decides who may
// have a name. May touch the tools that there are, and of a
// Tool its number, owners and state.

extend(Glue, class {
  /**
   * Registers a tool of Go under the number that Go gave it. Resolves, always, to {release} or {error}, for Go
   * cannot catch everything that JavaScript may throw at it.
   */
  async registerGo(id, options, validates, scope) {
    try {
      const tool = new Tool(...contractOf(undefined, { __proto__: null, ...JSON.parse(options) }, { fn: IN_GO, validatesInGo: validates }));
      tool.id = id;
      const { release, ready } = this.acquire(tool, { number: scope });
      await ready;
      return { release };
    } catch (error) {
      return { error: { name: nameOf(error), message: messageOf(error) } };
    }
  }

  /**
   * Registers a tool once more, in a scope (undefined: in none; holder, the page's object for it, is kept, so that its
   * number stays good). Returns a function that ends this registration, and a promise that settles with the browser's
   * answer. Throws a RegistrationError when another tool has the name.
   */
  acquire(tool, scope, holder) {
    this.checkAlive();
    this.flush();
    this.compileAll(tool);
    const answer = this.own(tool, this.numberOf(scope));
    const owner = Math.abs(answer);
    tool.owners.set(owner, holder);
    this.tools.set(tool.name, tool);
    if (answer < 0) this.ask(tool, owner);
    this.changed();
    return { release: () => this.release(tool, owner), ready: tool.ready };
  }

  /** Goes on with a registration that has waited, now that Go is there. */
  take(turn) {
    const { tool, scope, holder } = turn;
    this.turns.delete(turn);
    tool.waiting.delete(turn);
    try {
      const { release, ready } = this.acquire(tool, scope, holder);
      turn.release = release;
      ready.then(turn.resolve, turn.reject);
    } catch (error) {
      tool.error = error;
      if (tool.owners.size === 0) this.withdraw(tool);
      turn.reject(error);
    }
  }

  /** Gives a tool one more owner, and returns it; the negative of it where the browser has to be asked. */
  own(tool, number) {
    const { exports } = this;
    const rival = this.tools.get(tool.name);
    if (rival !== undefined && rival !== tool && (tool.replace ?? this.replace)) this.unregister(rival);
    if (tool.id === NO_NUMBER) {
      this.expectApprovals(tool.hooks);
      tool.id = exports.webmcp_tool(this.write(tool.name), ...tool.hooks.map((list) => list.length), tool.hooks.timeout, hintsOf(tool.contract));
    }
    const answer = exports.webmcp_acquire(tool.id, number);
    if (answer !== TAKEN) return answer;
    tool.id = NO_NUMBER;
    throw nameTaken(tool);
  }

  /**
   * Asks the browser to register a tool, or waits for what it says to one who has asked already. Without WebMCP the tool
   * is there all the same, for invokeTool.
   */
  ask(tool, owner) {
    const { id } = tool;
    tool.error = undefined;
    if (tool.asked === undefined) this.request(tool);
    const { asked, controller } = tool;
    tool.asked = undefined;
    tool.ready = asked.then(() => {
      if (controller.signal.aborted) return; // it was given up meanwhile
      this.exports.webmcp_settled(id, owner, true);
      this.changed();
    }, (error) => {
      if (controller.signal.aborted) return;
      this.exports.webmcp_settled(id, owner, false);
      this.forget(tool);
      tool.error = registrationError(tool, error);
      throw tool.error;
    });
    tool.ready.catch(() => {}); // whoever registered hears of it
  }

  /** Ends one registration of a tool. The browser drops it with the last one. */
  release(tool, owner) {
    if (!tool.owners.delete(owner) || this.dead) return;
    if (this.exports.webmcp_release(tool.id, owner)) this.forget(tool);
    else this.changed();
  }

  /** Makes a tool one that nobody owns. Its calls that run go on. */
  forget(tool) {
    const { id } = tool;
    tool.id = NO_NUMBER;
    tool.owners.clear();
    if (this.tools.get(tool.name) === tool) this.tools.delete(tool.name);
    tool.controller.abort(WITHDRAWN);
    this.desk?.close(id);
    this.changed();
  }

  /** Runs a call through the pipeline; client is what the browser gives beside the input. Resolves to the call's result, always. */
  invoke(tool, input, signal, client) {
    return new Promise((resolve) => {
      const begin = () => new Invocation(this, tool, input, signal ?? new AbortController().signal, resolve, client).begin();
      if (this.dead) resolve(this.noteRefused(tool, failure(messageOf(this.dead))));
      else if (this.holding !== undefined || this.closed || this.missing.size > 0) resolve(this.holdBack(tool, () => this.invoke(tool, input, signal, client)));
      else begin();
    });
  }
});
