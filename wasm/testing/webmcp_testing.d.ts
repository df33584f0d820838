// Types of webmcp-wasm/testing.

import type { Annotations, ApprovalDecision, PendingApproval, ToolResult } from './webmcp.js';

/** A tool as agents see it. */
export interface SeenTool {
  name: string;
  /** Empty where the tool has none. */
  title: string;
  description: string;
  inputSchema: Record<string, unknown>;
  annotations?: Annotations;
}

/** Decides a question; nothing leaves it open. Where it throws, the call is denied. */
export type Answer = (question: PendingApproval) => ApprovalDecision | undefined | void | Promise<ApprovalDecision | undefined | void>;

/** A hook, or the function of a tool, that was called. */
export interface TraceEntry {
  /** `'call'` is the function of the tool. */
  phase: 'before' | 'call' | 'after' | 'error' | 'denied';
  /** Where the hook is configured. */
  place: 'global' | 'scope' | 'tool';
  /** The name of the tool. */
  tool: string;
  /** The name of the function, empty where it has none. */
  hook: string;
  /** The id of the call. */
  invocationId: string;
}

/** An agent on a page, and the human who is asked there. Once its page is left, all but `trace` and `close` throw or reject. */
export interface Agent {
  /** The page's `document.modelContext`, as Chrome has it. */
  readonly modelContext: EventTarget;
  /** Lists the tools that agents see, by name. */
  list(): Promise<SeenTool[]>;
  /**
   * Calls a tool; any number of calls may run at once. Resolves to what the tool answers, also where the call was denied or has failed.
   * Rejects where there is no such tool; with the reason of the signal, as soon as that aborts; with an AbortError after
   * `cancel`; when the page is left; and where the tool is not one of webmcp-wasm and throws. The input is copied as JSON carries
   * it; without one it is `{}`.
   */
  call<Result = ToolResult>(name: string, input?: object, options?: { signal?: AbortSignal }): Promise<Result>;
  /** Cancels all calls that run, as an agent does that is stopped. Returns how many. */
  cancel(): number;
  /** The questions that nobody has decided, the oldest first. */
  questions(): PendingApproval[];
  /**
   * Approves the oldest question, or the next one that comes while a call runs. Resolves to the question. Rejects where no call
   * runs that could ask, and where the decision does not count: the input is not valid, or the approval has to be verified with
   * a passkey, for which it takes a browser.
   */
  approve(how?: { remember?: 'call' | 'arguments' | 'tool'; input?: unknown }): Promise<PendingApproval>;
  /** Denies a question, likewise, with what the human says. */
  deny(reason?: string): Promise<PendingApproval>;
  /** Has a function decide the questions that there are and all that come; `undefined`: nobody decides any more. */
  answer(decide: Answer | undefined): void;
  /** Returns which hooks and functions agents' calls have run on this page, in order. */
  trace(): TraceEntry[];
  /**
   * Puts the time of the page forward by so many milliseconds, with all that is due on the way: time-outs, limits, questions that
   * nobody answers. The timers of your own code stay as they are. Rejects where fake timers are in place
   * (`vi.useFakeTimers`, `jest.useFakeTimers`, `mock.timers` of node:test): put those forward, the page goes by them.
   * `tick(0)` works with them, too: it resolves when all has happened that waits for nothing but its turn, such as that a
   * human is asked.
   */
  tick(ms: number): Promise<void>;
  /** Leaves the page and opens a fresh one, as `agent()` does, and goes on there. A function that answers stays. */
  reset(): Promise<void>;
  /** Leaves the page. `document.modelContext` is gone, and no page is open. */
  close(): Promise<void>;
}

/** How the agent begins. */
export interface AgentOptions {
  /** Decides what the human is asked; without it, nobody does until `approve` or `deny` is called. */
  answer?: Answer;
}

/**
 * Opens a fresh page with the module of this package, and resolves to an agent on it. The page before is left: calls that run
 * there reject. The page begins with what your code has done while no page was open, which is when it was imported: tools that are
 * registered, hooks, policies, the context. What is done on a page is gone with it. Rejects in a browser, which has agents of its own.
 */
export function agent(options?: AgentOptions): Promise<Agent>;
